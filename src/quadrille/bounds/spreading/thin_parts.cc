// Thin parts: what must come over the links between many parts of a network, where a cut in two says less.
//
// A block of a broadcast or an allgather comes into every part that has an endpoint, but for the one where it begins, each time over a link
// between parts; a reduce and a reduce_scatter are the same backwards. Of an allreduce all parts but one have sent of each piece before
// the first one has it whole, and all but one receive it afterwards. So as many trees as can be packed into a network, each over all
// parts, tell how much a step can do (Nash-Williams and Tutte 1961): a ring with many links of capacity 1, a few cliques in a circle.
// The parts are found by trees at prices that rise with what a link carries in the trees before, and by what joins them when links come
// in one by one, those that carry least, or are widest, first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/spreading/joined_parts.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::bounds {

extern const BoundCard thin_parts;

namespace thin_parts_parts {
namespace {

constexpr uint64_t kMostArcs = uint64_t{1} << 16U;
constexpr uint64_t kMostBlocks = uint64_t{1} << 40U;
constexpr uint64_t kMostTrees = 60;
constexpr uint64_t kTreeWork = 400'000;  // links sorted, of all trees
constexpr double kFirstSharpness = 4;
constexpr double kLastSharpness = 60;
constexpr size_t kNoise = 4096;  // millionths: of links that cost the same now one, now the other

struct Link {
  ArcId arc;
  uint64_t capacity;  // of both ways in a step
};

// Every node by itself.
JoinedParts single_nodes(const Topology& topology) {
  JoinedParts out(topology);
  for (const NodeId v : topology.nodes()) out.add(v);
  return out;
}

struct Partition {
  uint64_t crossings = 0;  // one fewer than parts
  uint64_t capacity = 1;
  std::vector<char> is_between{};  // per link
  [[nodiscard]] bool is_less_than(uint64_t others, uint64_t over) const {
    return Int128{crossings} * over < Int128{others} * capacity;
  }
};

class Search {
 public:
  Search(const Topology& topology, std::vector<Link> links) : topology_(topology), links_(std::move(links)) {}

  Partition run() {
    std::vector<double> carried(links_.size(), 0);
    std::vector<uint32_t> order(links_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order,
                             [&](uint32_t a, uint32_t b) { return links_[a].capacity > links_[b].capacity; });
    look_at(order);
    const uint64_t trees =
        std::clamp<uint64_t>(kTreeWork / std::max<size_t>(links_.size(), 1), 4, kMostTrees);
    double fullest = 1;
    for (uint64_t i = 0; i < trees; ++i) {
      const double sharpness =
          kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, double(i) / double(trees));
      std::vector<std::pair<int64_t, uint32_t>> by_price;
      for (uint32_t link = 0; link < links_.size(); ++link)
        by_price.emplace_back(
            rounded(std::exp(sharpness * (carried[link] / fullest - 1)) / double(links_[link].capacity)) +
                static_cast<int64_t>(rng_.below(kNoise)),
            link);
      std::ranges::sort(by_price);
      JoinedParts parts = single_nodes(topology_);
      const double share = 2.0 / double(i + 2);
      for (double& c : carried) c -= share * c;
      fullest = 0;
      for (const auto& [price, link] : by_price)
        if (parts.join(topology_.tail(links_[link].arc), topology_.head(links_[link].arc)))
          carried[link] += share / double(links_[link].capacity);
      for (const double c : carried) fullest = std::max(fullest, c);
      std::ranges::stable_sort(order, {}, [&](uint32_t link) { return rounded(carried[link]); });
      look_at(order);
    }
    return std::move(best_);
  }

 private:
  // The last digit of a machine's exp() does not matter.
  static int64_t rounded(double x) { return std::llround(x * 1e6); }

  // Of all stages at which these links, one after the other, leave parts. A link is between parts until its ends are in one.
  void look_at(const std::vector<uint32_t>& order) {
    JoinedParts parts = single_nodes(topology_);
    std::vector<std::vector<uint32_t>> at(topology_.num_nodes());  // links at a part; some have gone
    uint64_t capacity = 0;
    std::vector<uint32_t> gone_at(links_.size(), UINT32_MAX);
    for (uint32_t link = 0; link < links_.size(); ++link) {
      capacity += links_[link].capacity;
      at[index(topology_.tail(links_[link].arc))].push_back(link);
      at[index(topology_.head(links_[link].arc))].push_back(link);
    }
    uint32_t stage = 0;
    uint32_t best_stage = UINT32_MAX;
    const auto look = [&] {
      if (capacity == 0 || parts.number() < 2 || !best_.is_less_than(parts.number() - 1, capacity)) return;
      best_.crossings = parts.number() - 1;
      best_.capacity = capacity;
      best_stage = stage;
    };
    look();
    for (const uint32_t link : order) {
      uint32_t small = parts.of(topology_.tail(links_[link].arc));
      uint32_t large = parts.of(topology_.head(links_[link].arc));
      if (small == large) continue;
      if (at[small].size() > at[large].size()) std::swap(small, large);
      parts.join(topology_.tail(links_[link].arc), topology_.head(links_[link].arc));
      ++stage;
      const uint32_t now = parts.of(topology_.tail(links_[link].arc));
      for (const uint32_t other : at[small]) {
        if (gone_at[other] != UINT32_MAX) continue;
        if (parts.of(topology_.tail(links_[other].arc)) == now &&
            parts.of(topology_.head(links_[other].arc)) == now) {
          gone_at[other] = stage;
          capacity -= links_[other].capacity;
        } else {
          at[large].push_back(other);
        }
      }
      at[small].clear();
      if (now != large) std::swap(at[now], at[large]);
      look();
    }
    if (best_stage == UINT32_MAX) return;
    best_.is_between.assign(links_.size(), 0);
    for (uint32_t link = 0; link < links_.size(); ++link)
      best_.is_between[link] = gone_at[link] > best_stage ? 1 : 0;
  }

  const Topology& topology_;
  std::vector<Link> links_;
  Partition best_{};
  Rng rng_{1};
};

std::vector<Link> links_of(const Topology& topology, bool is_half) {
  std::vector<Link> out;
  for (const ArcId arc : topology.arcs()) {
    if (topology.head(arc) < topology.tail(arc)) continue;
    const uint64_t there = topology.capacity(arc);
    const uint64_t back = topology.capacity(topology.reverse(arc));
    out.push_back({arc, is_half ? std::max(there, back) : there + back});
  }
  return out;
}

// Every collective asks for the same parts.
std::shared_ptr<const Partition> thinnest(const Topology& topology, bool is_half) {
  static LastAnswers<bool, std::shared_ptr<const Partition>> kept(4);
  return kept.of(topology, is_half, [&] {
    return std::make_shared<const Partition>(Search(topology, links_of(topology, is_half)).run());
  });
}

std::optional<Bound> evaluate(const Problem& problem) {
  using enum CollectiveKind;
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool is_one = kind == kBroadcast || kind == kReduce || kind == kAllreduce;
  if (!is_one && kind != kAllgather && kind != kReduceScatter) return std::nullopt;
  if (!sends_single_packets(problem.model()) || problem.collective().num_ranks() < 2 ||
      topology.is_directed() || topology.num_arcs() > kMostArcs ||
      problem.collective().pieces() > kMostBlocks / topology.num_nodes())
    return std::nullopt;
  const bool is_half = problem.model().duplex == Duplex::kHalf;
  const std::vector<Link> links = links_of(topology, is_half);
  const std::shared_ptr<const Partition> parts = thinnest(topology, is_half);
  const Partition& found = *parts;
  if (found.crossings == 0) return std::nullopt;
  uint64_t each = problem.collective().pieces();
  if (!is_one) each *= topology.num_endpoints();
  if (kind == kAllreduce) each *= 2;
  WeightsWitness witness;
  for (size_t link = 0; link < links.size(); ++link) {
    if (found.is_between[link] == 0) continue;
    const NodeId tail = topology.tail(links[link].arc);
    const NodeId head = topology.head(links[link].arc);
    witness.links.push_back({tail, head, 1});
    witness.links.push_back({head, tail, 1});
  }
  std::ranges::sort(witness.links, [](const auto& a, const auto& b) {
    return std::pair(a.tail, a.head) < std::pair(b.tail, b.head);
  });
  return Bound{thin_parts.name, Rational::of(found.crossings * each, found.capacity),
               fmt::format("{} {} from part to part of {}, over links that carry {} a step",
                           with_thousands(found.crossings * each),
                           found.crossings * each == 1 ? "transfer goes" : "transfers go",
                           found.crossings + 1, found.capacity),
               BoundOn::kSteps, std::move(witness)};
}

}  // namespace
}  // namespace thin_parts_parts

constinit const BoundCard thin_parts = {
    .name = "thin_parts",
    .summary = "what must go between all parts of a network, for the parts between which least can go",
    .source = "ours; packings of spanning trees: Nash-Williams and Tutte 1961",
    .in_proportion = true,
    .evaluate = thin_parts_parts::evaluate,
};

}  // namespace quadrille::bounds
