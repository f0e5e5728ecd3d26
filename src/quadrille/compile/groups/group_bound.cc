#include "quadrille/compile/groups/group_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/search/thin_cuts.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace group_bound_parts {
namespace {

// Balls about every node are looked at on so many nodes.
constexpr uint32_t kMostNodesWithBalls = 1024;

// What crosses from `in` ranks of the group, its root perhaps among them, to the `out` others.
uint64_t crossing(const RankGroup& group, uint64_t in, uint64_t out, bool root_in) {
  if (in == 0 || out == 0) return 0;
  const uint64_t pieces = group.pieces;
  switch (group.kind) {
    case CollectiveKind::kAlltoall:
      return in * out * pieces;
    case CollectiveKind::kAllgather:
      return in * pieces;
    case CollectiveKind::kReduceScatter:
      return out * pieces;
    case CollectiveKind::kAllreduce:
      return pieces;
    case CollectiveKind::kBroadcast:
      return root_in ? pieces : 0;
    case CollectiveKind::kScatter:
      return root_in ? out * pieces : 0;
    case CollectiveKind::kGather:
      return root_in ? 0 : in * pieces;
    case CollectiveKind::kReduce:
      return root_in ? 0 : pieces;
    default:
      return 0;
  }
}

Rank root_of(const RankGroup& group) { return group.root.value_or(group.ranks.front()); }

class Cuts {
 public:
  Cuts(const Topology& net, std::span<const RankGroup> groups) : net_(net), groups_(groups) {}

  // Both directions of the cut about these nodes; `name` says which they are.
  template <typename Name>
  void look_at(const std::vector<char>& inside, Name name) {
    uint64_t leaves = 0;
    uint64_t enters = 0;
    for (const ArcId arc : net_.arcs()) {
      const char from = inside[index(net_.tail(arc))];
      const char to = inside[index(net_.head(arc))];
      if (from != 0 && to == 0) leaves += net_.capacity(arc);
      if (from == 0 && to != 0) enters += net_.capacity(arc);
    }
    if (leaves == 0 || enters == 0) return;
    uint64_t out = 0;
    uint64_t in = 0;
    size_t crossed = 0;
    for (const RankGroup& group : groups_) {
      const auto here = static_cast<uint64_t>(
          std::ranges::count_if(group.ranks, [&](Rank r) { return inside[index(net_.endpoint(r))] != 0; }));
      const uint64_t there = group.ranks.size() - here;
      const bool root_in = inside[index(net_.endpoint(root_of(group)))] != 0;
      out += crossing(group, here, there, root_in);
      in += crossing(group, there, here, !root_in);
      crossed += here > 0 && there > 0 ? 1 : 0;
    }
    take(out, leaves, crossed, "leave", name);
    take(in, enters, crossed, "enter", name);
  }

  [[nodiscard]] const GroupBound& best() const { return best_; }

 private:
  template <typename Name>
  void take(uint64_t blocks, uint64_t capacity, size_t crossed, const char* verb, Name name) {
    const Rational value = Rational::of(blocks, capacity);
    if (!(best_.value < value)) return;
    best_ = {value,
             fmt::format("{} block{} of {} group{} must {} {}, and {} can in a step", blocks,
                         blocks == 1 ? "" : "s", crossed, crossed == 1 ? "" : "s", verb, name(), capacity)};
  }

  const Topology& net_;
  std::span<const RankGroup> groups_;
  GroupBound best_{Rational::of(0, 1), "nothing has to move"};
};

void look_at_slabs(const Topology& net, Cuts& cuts) {
  const ProductStructure* const product = net.product();
  if (product == nullptr) return;
  std::vector<char> inside(net.num_nodes());
  for (size_t d = 0; d < product->factors.size(); ++d) {
    const uint32_t side = product->factors[d].num_nodes();
    for (uint32_t first = 0; first < side; ++first) {
      std::ranges::fill(inside, 0);
      for (uint32_t last = first; last + 1 < side && last - first < side / 2; ++last) {
        for (const NodeId v : net.nodes())
          if (product->coordinate(v, d) == last) inside[index(v)] = 1;
        cuts.look_at(inside, [&] {
          return first == last ? fmt::format("the nodes with {} as coordinate {}", first, d)
                               : fmt::format("the nodes with {} to {} as coordinate {}", first, last, d);
        });
      }
    }
  }
}

void look_at_balls(const Topology& net, Cuts& cuts) {
  if (net.num_nodes() > kMostNodesWithBalls) return;
  std::vector<char> inside(net.num_nodes());
  for (const NodeId v : net.nodes()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    const uint32_t most = *std::ranges::max_element(hops);
    for (uint32_t radius = 0; radius < most; ++radius) {
      for (const NodeId w : net.nodes()) inside[index(w)] = hops[index(w)] <= radius ? 1 : 0;
      cuts.look_at(inside, [&] {
        return radius == 0
                   ? fmt::format("node {}", net.label(v))
                   : fmt::format("the nodes at most {} from {}",
                                 radius == 1 ? "a hop" : fmt::format("{} hops", radius), net.label(v));
      });
    }
  }
}

// Thin places of a network of no known structure, whoever is on which side.
void look_at_thin_cuts(const Topology& net, Cuts& cuts) {
  if (net.product() != nullptr || net.tree() != nullptr || net.num_nodes() > kMostNodesWithBalls) return;
  CutSearch search;
  search.worth = [&](uint32_t inside, bool, const CutCapacity& across) {
    const uint64_t capacity = std::min(across.out, across.in);
    return capacity == 0 ? 0.0
                         : static_cast<double>(uint64_t{inside} * (net.num_endpoints() - inside)) /
                               static_cast<double>(capacity);
  };
  for_each_thin_cut(net, search,
                    [&](const Cut& cut) { cuts.look_at(cut.side, [&] { return cut.description; }); });
}

// The fewest transfers of a group: blocks for one rank go all the way, what is copied or added comes to every rank but one.
uint64_t hops_of(const Topology& net, const RankGroup& group) {
  const uint64_t ranks = group.ranks.size();
  uint64_t out = 0;
  const auto status = [&](Rank rank, bool to) {
    const NodeId v = net.endpoint(rank);
    const std::vector<uint32_t> hops = to ? distances_to(net, v) : distances_from(net, v);
    uint64_t sum = 0;
    for (const Rank other : group.ranks) sum += hops[index(net.endpoint(other))];
    return sum;
  };
  switch (group.kind) {
    case CollectiveKind::kAlltoall:
      for (const Rank rank : group.ranks) out += status(rank, false);
      break;
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      out = status(root_of(group), group.kind == CollectiveKind::kGather);
      break;
    case CollectiveKind::kAllgather:
    case CollectiveKind::kReduceScatter:
      out = ranks * (ranks - 1);
      break;
    default:
      out = ranks - 1;
  }
  return out * group.pieces;
}

GroupBound hop_bound(const Topology& net, const Model& model, std::span<const RankGroup> groups) {
  uint64_t hops = 0;
  for (const RankGroup& group : groups) hops += hops_of(net, group);
  uint64_t arcs = 0;
  for (const ArcId arc : net.arcs()) arcs += net.capacity(arc);
  std::string_view what = "all arcs together";
  for (const Ports ports : {model.send, model.receive}) {
    const uint64_t all = uint64_t{net.num_nodes()} * ports.count;
    if (ports.unlimited() || all >= arcs) continue;
    arcs = all;
    what = "all ports together";
  }
  if (arcs == 0) return {Rational::of(0, 1), "nothing has to move"};
  return {
      Rational::of(hops, arcs),
      fmt::format("the blocks of all groups need {} transfers, and {} allow {} a step", hops, what, arcs)};
}

}  // namespace
}  // namespace group_bound_parts

GroupBound bound_of_groups(const Topology& net, const Model& model, std::span<const RankGroup> groups,
                           std::span<const uint64_t> bounds) {
  using group_bound_parts::Cuts;
  using group_bound_parts::hop_bound;
  using group_bound_parts::look_at_balls;
  using group_bound_parts::look_at_slabs;
  using group_bound_parts::look_at_thin_cuts;
  GroupBound best{Rational::of(0, 1), "nothing has to move"};
  for (size_t i = 0; i < groups.size(); ++i) {
    const Rational value = Rational::of(bounds[i], 1);
    if (!(best.value < value)) continue;
    const NodeId first = net.endpoint(groups[i].ranks.front());
    best = {value, fmt::format("the {} of the group of {} takes so many by itself", name_of(groups[i].kind),
                               net.label(first))};
  }
  // A worm carries any number of blocks.
  if (!sends_single_packets(model)) return best;
  Cuts cuts(net, groups);
  look_at_slabs(net, cuts);
  look_at_balls(net, cuts);
  look_at_thin_cuts(net, cuts);
  for (const GroupBound& other : {cuts.best(), hop_bound(net, model, groups)})
    if (best.value.ceil() < other.value.ceil()) best = other;
  return best;
}

}  // namespace quadrille
