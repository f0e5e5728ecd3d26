#include "quadrille/layout/group_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace quadrille {
namespace {

constexpr double kLeastModularity = 0.3;
constexpr double kLeastDensity = 0.5;

// --- Louvain's method ----------------------------------------------------------------------------------

// An undirected graph with weights; own[v] is twice the weight of what a node has inside itself.
struct Weighted {
  std::vector<std::vector<std::pair<uint32_t, double>>> next{};
  std::vector<double> own{};
  std::vector<double> degree{};
  double total = 0;  // of all degrees
};

Weighted weighted(const Topology& topology) {
  Weighted out;
  out.next.resize(topology.num_nodes());
  out.own.resize(topology.num_nodes());
  out.degree.resize(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const auto tail = static_cast<uint32_t>(topology.tail(arc));
    const auto head = static_cast<uint32_t>(topology.head(arc));
    if (topology.reverse(arc) != kNoArc && tail > head) continue;
    out.next[tail].emplace_back(head, 1);
    out.next[head].emplace_back(tail, 1);
    out.degree[tail] += 1;
    out.degree[head] += 1;
    out.total += 2;
  }
  return out;
}

// Moves nodes to the group of a neighbour while that gains; nodes in the order of their numbers.
std::vector<uint32_t> moved(const Weighted& graph) {
  const size_t nodes = graph.next.size();
  std::vector<uint32_t> group(nodes);
  std::vector<double> sum = graph.degree;  // of the degrees of each group
  for (size_t v = 0; v < nodes; ++v) group[v] = static_cast<uint32_t>(v);
  std::vector<double> to(nodes);
  for (int pass = 0; pass < 50; ++pass) {
    bool any = false;
    for (size_t v = 0; v < nodes; ++v) {
      for (const auto& [w, weight] : graph.next[v])
        if (w != v) to[group[w]] += weight;
      const uint32_t old = group[v];
      sum[old] -= graph.degree[v];
      uint32_t best = old;
      double most = to[old] - sum[old] * graph.degree[v] / graph.total;
      for (const auto& [w, weight] : graph.next[v]) {
        const uint32_t other = group[w];
        const double gain = to[other] - sum[other] * graph.degree[v] / graph.total;
        if (gain > most + 1e-9) {
          most = gain;
          best = other;
        }
      }
      for (const auto& [w, weight] : graph.next[v]) to[group[w]] = 0;
      sum[best] += graph.degree[v];
      group[v] = best;
      any = any || best != old;
    }
    if (!any) break;
  }
  return group;
}

uint32_t renumber(std::vector<uint32_t>& group) {
  std::vector<uint32_t> number(group.size(), UINT32_MAX);
  uint32_t next = 0;
  for (uint32_t& g : group) {
    if (number[g] == UINT32_MAX) number[g] = next++;
    g = number[g];
  }
  return next;
}

Weighted merged(const Weighted& graph, const std::vector<uint32_t>& group, uint32_t groups) {
  Weighted out;
  out.next.resize(groups);
  out.own.resize(groups);
  out.degree.resize(groups);
  out.total = graph.total;
  std::vector<std::map<uint32_t, double>> links(groups);
  for (size_t v = 0; v < graph.next.size(); ++v) {
    out.degree[group[v]] += graph.degree[v];
    out.own[group[v]] += graph.own[v];
    for (const auto& [w, weight] : graph.next[v]) {
      if (group[w] == group[v]) {
        out.own[group[v]] += weight;
      } else {
        links[group[v]][group[w]] += weight;
      }
    }
  }
  for (uint32_t g = 0; g < groups; ++g) out.next[g].assign(links[g].begin(), links[g].end());
  return out;
}

double modularity(const Weighted& graph) {
  double out = 0;
  for (size_t g = 0; g < graph.own.size(); ++g) {
    const double share = graph.degree[g] / graph.total;
    out += graph.own[g] / graph.total - share * share;
  }
  return out;
}

// --- circles on a circle -------------------------------------------------------------------------------

double angle_between(double a, double b) {
  const double d = std::fmod(a - b, 2 * std::numbers::pi);
  return d > std::numbers::pi     ? d - 2 * std::numbers::pi
         : d <= -std::numbers::pi ? d + 2 * std::numbers::pi
                                  : d;
}

class CirclesOnACircle {
 public:
  CirclesOnACircle(const Topology& topology, std::vector<std::vector<NodeId>> groups)
      : topology_(topology), groups_(std::move(groups)), group_of_(topology.num_nodes()) {
    for (size_t g = 0; g < groups_.size(); ++g)
      for (const NodeId v : groups_[g]) group_of_[index(v)] = g;
  }

  // Groups beside those that they have most links with, one after another.
  void order_groups() {
    const size_t many = groups_.size();
    std::vector<std::vector<uint32_t>> links(many, std::vector<uint32_t>(many));
    for (const ArcId arc : topology_.arcs())
      ++links[group_of_[index(topology_.tail(arc))]][group_of_[index(topology_.head(arc))]];
    std::vector<size_t> order{0};
    std::vector<char> used(many);
    used[0] = 1;
    while (order.size() < many) {
      size_t best = SIZE_MAX;
      for (size_t g = 0; g < many; ++g) {
        if (used[g] != 0) continue;
        if (best == SIZE_MAX || links[order.back()][g] > links[order.back()][best]) best = g;
      }
      used[best] = 1;
      order.push_back(best);
    }
    std::vector<std::vector<NodeId>> ordered;
    for (const size_t g : order) ordered.push_back(std::move(groups_[g]));
    groups_ = std::move(ordered);
    for (size_t g = 0; g < groups_.size(); ++g)
      for (const NodeId v : groups_[g]) group_of_[index(v)] = g;
  }

  NetworkLayout layout(bool free) {
    size_t most = 1;
    for (const auto& group : groups_) most = std::max(most, group.size());
    radius_ = most == 1 ? 0 : std::max(0.6, static_cast<double>(most) / (2 * std::numbers::pi));
    const double many = static_cast<double>(groups_.size());
    const double apart = 2 * radius_ + 1.4;
    around_ = groups_.size() == 1   ? 0
              : groups_.size() == 2 ? apart / 2
                                    : std::max(apart / (2 * std::sin(std::numbers::pi / many)), apart * 0.6);
    out_ = NetworkLayout{.kind = LayoutKind::kGroups};
    out_.x.resize(topology_.num_nodes());
    out_.y.resize(topology_.num_nodes());
    out_.wraps.resize(topology_.num_arcs());
    out_.group.resize(topology_.num_arcs());
    for (size_t g = 0; g < groups_.size(); ++g) put_group(g, facing(g), false);
    for (int sweep = 0; sweep < 4; ++sweep)
      for (size_t g = 0; g < groups_.size(); ++g) free ? sort_members(g) : turn(g);
    out_.group_names = {"within", "across"};
    for (const ArcId arc : topology_.arcs())
      out_.group[index(arc)] =
          group_of_[index(topology_.tail(arc))] == group_of_[index(topology_.head(arc))] ? 0 : 1;
    return std::move(out_);
  }

 private:
  [[nodiscard]] double direction(size_t g) const {
    return 2 * std::numbers::pi * static_cast<double>(g) / static_cast<double>(groups_.size()) -
           std::numbers::pi / 2;
  }
  [[nodiscard]] double facing(size_t g) const { return direction(g) + std::numbers::pi; }
  [[nodiscard]] double middle_x(size_t g) const { return around_ * std::cos(direction(g)); }
  [[nodiscard]] double middle_y(size_t g) const { return around_ * std::sin(direction(g)); }

  // The first member at that angle, the others round from there.
  void put_group(size_t g, double from, bool back) {
    const auto size = static_cast<double>(groups_[g].size());
    const double radius = groups_[g].size() == 1 ? 0 : radius_;
    for (size_t i = 0; i < groups_[g].size(); ++i) {
      const double angle = from + (back ? -1 : 1) * 2 * std::numbers::pi * static_cast<double>(i) / size;
      out_.x[index(groups_[g][i])] = static_cast<float>(middle_x(g) + radius * std::cos(angle));
      out_.y[index(groups_[g][i])] = static_cast<float>(middle_y(g) + radius * std::sin(angle));
    }
  }

  [[nodiscard]] double length_outside(size_t g) const {
    double sum = 0;
    for (const NodeId v : groups_[g])
      for (const ArcId arc : topology_.arcs_from(v)) {
        const size_t to = index(topology_.head(arc));
        if (group_of_[to] == g) continue;
        const double dx = out_.x[to] - out_.x[index(v)];
        const double dy = out_.y[to] - out_.y[index(v)];
        sum += dx * dx + dy * dy;
      }
    return sum;
  }

  void turn(size_t g) {
    const size_t size = groups_[g].size();
    double least = -1;
    double best = facing(g);
    bool best_back = false;
    for (const bool back : {false, true})
      for (size_t i = 0; i < size; ++i) {
        const double from =
            facing(g) + 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
        put_group(g, from, back);
        const double length = length_outside(g);
        if (least >= 0 && length >= least - 1e-6) continue;
        least = length;
        best = from;
        best_back = back;
      }
    put_group(g, best, best_back);
  }

  // Each member where its links outside pull it.
  void sort_members(size_t g) {
    const size_t size = groups_[g].size();
    std::vector<std::pair<double, NodeId>> wanted;
    for (const NodeId v : groups_[g]) {
      double x = 0;
      double y = 0;
      for (const ArcId arc : topology_.arcs_from(v)) {
        const size_t to = index(topology_.head(arc));
        if (group_of_[to] == g) continue;
        x += out_.x[to] - middle_x(g);
        y += out_.y[to] - middle_y(g);
      }
      // Who has no links outside stands at the outer side.
      const double angle = x == 0 && y == 0 ? direction(g) : std::atan2(y, x);
      wanted.emplace_back(std::round(angle_between(angle, facing(g)) * 4096), v);
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < size; ++i) groups_[g][i] = wanted[i].second;
    const double first = (static_cast<double>(size) - 1) / 2;
    put_group(g, facing(g) - first * 2 * std::numbers::pi / static_cast<double>(size), false);
  }

  const Topology& topology_;
  std::vector<std::vector<NodeId>> groups_;
  std::vector<size_t> group_of_;
  double radius_ = 0;
  double around_ = 0;
  NetworkLayout out_{};
};

double extent(const std::vector<float>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

}  // namespace

std::vector<std::vector<NodeId>> members_of(const NodeGroups& groups) {
  std::vector<std::vector<NodeId>> out;
  for (size_t v = 0; v < groups.size(); ++v) {
    if (groups[v] >= out.size()) out.resize(groups[v] + size_t{1});
    out[groups[v]].push_back(id_at<NodeId>(v));
  }
  return out;
}

std::optional<NodeGroups> close_groups(const Topology& topology) {
  if (topology.num_nodes() < 6 || topology.num_arcs() == 0) return std::nullopt;
  Weighted graph = weighted(topology);
  NodeGroups group(topology.num_nodes());
  for (size_t v = 0; v < group.size(); ++v) group[v] = static_cast<uint32_t>(v);
  // The coarsest groups that are close: merging goes on while pairs within them remain linked.
  std::optional<NodeGroups> best;
  while (true) {
    std::vector<uint32_t> step = moved(graph);
    const uint32_t groups = renumber(step);
    if (groups == graph.next.size()) break;
    graph = merged(graph, step, groups);
    for (uint32_t& g : group) g = step[g];
    double pairs = 0;
    double linked = 0;
    const std::vector<std::vector<NodeId>> members = members_of(group);
    for (size_t g = 0; g < members.size(); ++g) {
      pairs += static_cast<double>(members[g].size() * (members[g].size() - 1));
      linked += graph.own[g];
    }
    if (groups >= 2 && 2 * groups <= topology.num_nodes() && modularity(graph) > kLeastModularity &&
        linked >= kLeastDensity * pairs)
      best = group;
  }
  return best;
}

std::optional<std::vector<std::vector<NodeId>>> cayley_cycles(const Topology& topology) {
  const CayleyStructure& cayley = *topology.cayley();
  const Group& group = *cayley.group;
  const auto nodes = static_cast<double>(topology.num_nodes());
  std::vector<uint32_t> words[2];  // what is multiplied in turn
  std::vector<std::pair<uint32_t, uint32_t>> candidates;
  for (const uint32_t a : cayley.generators) {
    if (group.inverse(a) != a) candidates.emplace_back(a, a);
    if (group.inverse(a) != a) continue;
    for (const uint32_t b : cayley.generators)
      if (a < b && group.inverse(b) == b) candidates.emplace_back(a, b);
    if (candidates.size() > 64) break;
  }
  std::vector<NodeId> best;
  std::pair<uint32_t, uint32_t> chosen{};
  double nearest = -1;
  for (const auto& [a, b] : candidates) {
    size_t length = 0;
    uint32_t at = 0;
    do {
      at = group.multiply(at, length % 2 == 0 ? a : b);
      ++length;
    } while ((at != 0 || length % 2 != 0) && (at != 0 || a != b));
    const double off = std::abs(std::log(static_cast<double>(length) / std::sqrt(nodes)));
    if (length < 3 || length >= topology.num_nodes() || (nearest >= 0 && off >= nearest - 1e-9)) continue;
    nearest = off;
    chosen = {a, b};
  }
  if (nearest < 0) return std::nullopt;
  std::vector<std::vector<NodeId>> out;
  std::vector<char> seen(topology.num_nodes());
  for (uint32_t v = 0; v < topology.num_nodes(); ++v) {
    if (seen[v] != 0) continue;
    std::vector<NodeId> cycle;
    for (uint32_t at = v; seen[at] == 0;) {
      seen[at] = 1;
      cycle.push_back(NodeId{at});
      at = group.multiply(at, cycle.size() % 2 == 1 ? chosen.first : chosen.second);
    }
    out.push_back(std::move(cycle));
  }
  return out;
}

NetworkLayout group_layout(const Topology& topology, std::vector<std::vector<NodeId>> groups, bool free) {
  CirclesOnACircle circles(topology, std::move(groups));
  circles.order_groups();
  return circles.layout(free);
}

std::optional<std::vector<std::vector<NodeId>>> columns_of_two_halves(const Topology& topology) {
  const uint32_t half = topology.num_nodes() / 2;
  const auto q = static_cast<uint32_t>(std::lround(std::sqrt(static_cast<double>(half))));
  if (q < 3 || 2 * q * q != topology.num_nodes()) return std::nullopt;
  for (const NodeId v : topology.nodes()) {
    const uint32_t column = static_cast<uint32_t>(v) / q;
    std::vector<char> met(2 * size_t{q});
    uint32_t across = 0;
    for (const ArcId arc : topology.arcs_from(v)) {
      const uint32_t other = static_cast<uint32_t>(topology.head(arc)) / q;
      if (other == column) continue;
      if ((other < q) == (column < q) || met[other] != 0) return std::nullopt;
      met[other] = 1;
      ++across;
    }
    if (across != q) return std::nullopt;
  }
  std::vector<std::vector<NodeId>> out(2 * size_t{q});
  for (const NodeId v : topology.nodes()) out[static_cast<uint32_t>(v) / q].push_back(v);
  return out;
}

NetworkLayout two_rows_layout(const Topology& topology, const std::vector<std::vector<NodeId>>& columns) {
  NetworkLayout out{.kind = LayoutKind::kGroups};
  out.x.resize(topology.num_nodes());
  out.y.resize(topology.num_nodes());
  out.wraps.resize(topology.num_arcs());
  const size_t q = columns.size() / 2;
  const double size = static_cast<double>(q);
  const double radius = std::max(0.7, size / (2 * std::numbers::pi));
  const double apart = 2 * radius + 1.2;
  std::vector<size_t> column_of(topology.num_nodes());
  for (size_t c = 0; c < columns.size(); ++c)
    for (size_t i = 0; i < q; ++i) {
      const NodeId v = columns[c][i];
      column_of[index(v)] = c;
      // The first member faces the other half.
      const double angle =
          (c < q ? 0.5 : -0.5) * std::numbers::pi + 2 * std::numbers::pi * static_cast<double>(i) / size;
      out.x[index(v)] = static_cast<float>(apart * static_cast<double>(c % q) + radius * std::cos(angle));
      out.y[index(v)] = static_cast<float>((c < q ? 0 : 0.6 * apart * size) + radius * std::sin(angle));
    }
  out.group_names = {"within 1", "within 2", "down", "up"};
  for (const ArcId arc : topology.arcs()) {
    const size_t from = column_of[index(topology.tail(arc))];
    const size_t to = column_of[index(topology.head(arc))];
    out.group.push_back(from == to ? (from < q ? 0 : 1) : from < q ? 2 : 3);
  }
  return out;
}

NetworkLayout product_layout(const Topology& topology, const ProductStructure& product) {
  std::vector<NetworkLayout> parts;
  for (const Topology& factor : product.factors) parts.push_back(layout_of(factor));
  NetworkLayout out{.kind = LayoutKind::kGroups};
  out.x.resize(topology.num_nodes());
  out.y.resize(topology.num_nodes());
  out.wraps.resize(topology.num_arcs());
  out.group.resize(topology.num_arcs());
  double unit = 1;
  std::vector<size_t> first_group(parts.size());
  for (size_t i = parts.size(); i-- > 0;) {
    if (parts[i].x.size() == 1) continue;
    // Inner pictures are turned a little, so that links between them do not run along their own.
    const double turn = i == 0 ? 0 : 0.22;
    for (const NodeId v : topology.nodes()) {
      const uint32_t at = product.coordinate(v, i);
      const double x = parts[i].x[at] * std::cos(turn) - parts[i].y[at] * std::sin(turn);
      const double y = parts[i].x[at] * std::sin(turn) + parts[i].y[at] * std::cos(turn);
      out.x[index(v)] += static_cast<float>(unit * x);
      out.y[index(v)] += static_cast<float>(unit * y);
    }
    unit = std::max(extent(out.x), extent(out.y)) + 1.3;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    first_group[i] = out.group_names.size();
    for (const std::string& name : parts[i].group_names)
      out.group_names.push_back(name == "links" ? fmt::format("factor {}", i + 1)
                                                : fmt::format("{}: {}", i + 1, name));
  }
  const bool told_apart = out.group_names.size() < 200;
  if (!told_apart) {
    out.group_names.clear();
    for (size_t i = 0; i < parts.size(); ++i) out.group_names.push_back(fmt::format("factor {}", i + 1));
  }
  for (const ArcId arc : topology.arcs()) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const uint32_t from = product.coordinate(topology.tail(arc), i);
      const uint32_t to = product.coordinate(topology.head(arc), i);
      if (from == to) continue;
      const size_t inner = index(*product.factors[i].find_arc(NodeId{from}, NodeId{to}));
      out.group[index(arc)] = static_cast<uint8_t>(told_apart ? first_group[i] + parts[i].group[inner] : i);
    }
  }
  return out;
}

}  // namespace quadrille
