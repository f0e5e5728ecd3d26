#include "quadrille/layout/circle_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/topology/queries/symmetry.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodesToTurn = 512;
constexpr size_t kMostSymmetries = 400;
constexpr size_t kMostCircles = 6;
constexpr size_t kMostGeneratorGroups = 16;

double angle_of(double position, double length) {
  return 2 * std::numbers::pi * position / length - std::numbers::pi / 2;
}

NetworkLayout empty_circle(const Topology& topology) {
  NetworkLayout out{.kind = LayoutKind::kCircle};
  out.x.resize(topology.num_nodes());
  out.y.resize(topology.num_nodes());
  out.wraps.resize(topology.num_arcs());
  out.group.resize(topology.num_arcs());
  return out;
}

void put(NetworkLayout& out, NodeId v, double radius, double angle) {
  out.x[index(v)] = static_cast<float>(radius * std::cos(angle));
  out.y[index(v)] = static_cast<float>(radius * std::sin(angle));
}

void name_by_generators(const Topology& topology, NetworkLayout& out) {
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr || cayley->generators.size() > kMostGeneratorGroups) {
    out.group_names = {"links"};
    return;
  }
  const size_t many = cayley->generators.size();
  for (const uint32_t generator : cayley->generators)
    out.group_names.push_back(fmt::format("+{}", cayley->group->element_text(generator)));
  for (size_t i = 0; i < cayley->arcs.size(); ++i)
    out.group[index(cayley->arcs[i])] = static_cast<uint8_t>(i % many);
}

// --- networks with a rotation --------------------------------------------------------------------------

using Cycles = std::vector<std::vector<NodeId>>;

// The cycles of a permutation that turns all nodes equally; nothing for others.
Cycles even_cycles(const std::vector<NodeId>& image) {
  Cycles out;
  std::vector<char> seen(image.size());
  for (size_t v = 0; v < image.size(); ++v) {
    if (seen[v] != 0) continue;
    std::vector<NodeId> cycle;
    for (NodeId at = id_at<NodeId>(v); seen[index(at)] == 0; at = image[index(at)]) {
      seen[index(at)] = 1;
      cycle.push_back(at);
    }
    if (!out.empty() && cycle.size() != out[0].size()) return {};
    out.push_back(std::move(cycle));
    if (out.size() > kMostCircles) return {};
  }
  return out[0].size() < 3 ? Cycles{} : out;
}

std::vector<NodeId> after(const std::vector<NodeId>& first, const std::vector<NodeId>& second) {
  std::vector<NodeId> out;
  for (const NodeId v : first) out.push_back(second[index(v)]);
  return out;
}

// The fewest circles that any of the symmetries turns, or a power of one.
Cycles best_cycles(const Topology& topology) {
  Cycles best;
  for (const std::vector<NodeId>& one : some_symmetries(topology, std::nullopt, kMostSymmetries)) {
    std::vector<NodeId> power = one;
    for (int exponent = 1; exponent <= 6; ++exponent) {
      Cycles cycles = even_cycles(power);
      if (!cycles.empty() && (best.empty() || cycles.size() < best.size())) best = std::move(cycles);
      power = after(power, one);
    }
  }
  return best;
}

class Turning {
 public:
  Turning(const Topology& topology, Cycles cycles)
      : topology_(topology), cycles_(std::move(cycles)), length_(cycles_[0].size()) {
    circle_.resize(topology.num_nodes());
    place_.resize(topology.num_nodes());
  }

  NetworkLayout layout() {
    choose_outermost();
    for (size_t c = 1; c < cycles_.size(); ++c) choose_next(c);
    NetworkLayout out = empty_circle(topology_);
    const double innermost = std::max(0.9, static_cast<double>(length_) * 0.6 / (2 * std::numbers::pi));
    for (size_t c = 0; c < cycles_.size(); ++c) {
      const double radius = innermost + 1.1 * static_cast<double>(cycles_.size() - 1 - c);
      for (const NodeId v : cycles_[c])
        put(out, v, radius, angle_of(place_[index(v)], static_cast<double>(length_)));
    }
    return out;
  }

  [[nodiscard]] bool on_one_circle(ArcId arc) const {
    return circle_[index(topology_.tail(arc))] == circle_[index(topology_.head(arc))];
  }

 private:
  void take(size_t c, size_t power, size_t shift, double extra) {
    for (size_t i = 0; i < length_; ++i) {
      const NodeId v = cycles_[c][i * power % length_];
      circle_[index(v)] = c;
      place_[index(v)] = static_cast<double>((i + shift) % length_) + extra;
    }
  }

  // How far links of one circle lead, if every `power`-th node is its neighbour on paper: gcd(power, length) is 1.
  [[nodiscard]] double length_within(size_t c, size_t power) const {
    std::vector<size_t> at(topology_.num_nodes(), SIZE_MAX);
    for (size_t i = 0; i < length_; ++i) at[index(cycles_[c][i * power % length_])] = i;
    double sum = 0;
    for (const ArcId arc : topology_.arcs_from(cycles_[c][0])) {
      const size_t to = at[index(topology_.head(arc))];
      if (to != SIZE_MAX) sum += static_cast<double>(std::min(to, length_ - to));
    }
    return sum;
  }

  // Outside is the circle with most links of its own, turned by the power that makes them shortest: all circles by that one.
  void choose_outermost() {
    size_t best = 0;
    double most = -1;
    for (size_t c = 0; c < cycles_.size(); ++c) {
      double links = 0;
      for (const ArcId arc : topology_.arcs_from(cycles_[c][0]))
        links +=
            std::find(cycles_[c].begin(), cycles_[c].end(), topology_.head(arc)) != cycles_[c].end() ? 1 : 0;
      if (links > most) {
        most = links;
        best = c;
      }
    }
    std::swap(cycles_[0], cycles_[best]);
    double shortest = -1;
    for (size_t power = 1; power < length_; ++power) {
      if (std::gcd(power, length_) != 1) continue;
      const double length = length_within(0, power);
      if (shortest >= 0 && length >= shortest) continue;
      shortest = length;
      power_ = power;
    }
    take(0, power_, 0, 0);
  }

  // Inwards: the circle with most links to those that are placed, turned so that they are short.
  void choose_next(size_t c) {
    size_t best = c;
    size_t most = 0;
    for (size_t other = c; other < cycles_.size(); ++other) {
      const size_t links = links_to_placed(other, c);
      if (links <= most) continue;
      most = links;
      best = other;
    }
    std::swap(cycles_[c], cycles_[best]);
    size_t best_shift = 0;
    double shortest = -1;
    for (size_t shift = 0; shift < length_; ++shift) {
      take(c, power_, shift, 0);
      double sum = 0;
      for (const ArcId arc : topology_.arcs_from(cycles_[c][0])) {
        const NodeId to = topology_.head(arc);
        if (circle_of_placed(to, c) == SIZE_MAX) continue;
        const double apart = std::abs(place_[index(to)] - place_[index(cycles_[c][0])]);
        const double round = std::min(apart, static_cast<double>(length_) - apart);
        sum += round * round;
      }
      if (shortest >= 0 && sum >= shortest) continue;
      shortest = sum;
      best_shift = shift;
    }
    take(c, power_, best_shift, 0);
  }

  [[nodiscard]] size_t circle_of_placed(NodeId v, size_t placed) const {
    for (size_t c = 0; c < placed; ++c)
      if (circle_[index(v)] == c && std::find(cycles_[c].begin(), cycles_[c].end(), v) != cycles_[c].end())
        return c;
    return SIZE_MAX;
  }
  [[nodiscard]] size_t links_to_placed(size_t c, size_t placed) const {
    size_t out = 0;
    for (const ArcId arc : topology_.arcs_from(cycles_[c][0]))
      out += circle_of_placed(topology_.head(arc), placed) == SIZE_MAX ? 0U : 1U;
    return out;
  }

  const Topology& topology_;
  Cycles cycles_;
  size_t length_;
  size_t power_ = 1;
  std::vector<size_t> circle_;
  std::vector<double> place_;
};

}  // namespace

NetworkLayout circle_layout(const Topology& topology) {
  NetworkLayout out = empty_circle(topology);
  const auto nodes = static_cast<double>(topology.num_nodes());
  const double radius = topology.num_nodes() == 1 ? 0 : std::max(0.5, nodes / (2 * std::numbers::pi));
  for (const NodeId v : topology.nodes()) put(out, v, radius, angle_of(static_cast<double>(index(v)), nodes));
  name_by_generators(topology, out);
  return out;
}

std::optional<NetworkLayout> rotation_layout(const Topology& topology) {
  if (topology.num_nodes() > kMostNodesToTurn) return std::nullopt;
  Cycles cycles = best_cycles(topology);
  if (cycles.empty()) return std::nullopt;
  Turning turning(topology, std::move(cycles));
  NetworkLayout out = turning.layout();
  out.group_names = {"within", "across"};
  for (const ArcId arc : topology.arcs()) out.group[index(arc)] = turning.on_one_circle(arc) ? 0 : 1;
  return out;
}

}  // namespace quadrille
