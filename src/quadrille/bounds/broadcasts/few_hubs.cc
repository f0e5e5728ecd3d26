// Few hubs: where nearly all links are at a few nodes, the others hear from these one after the other.
//
// Take the hubs out. Everybody but the root of a broadcast hears first from one neighbour, and so the others fall into groups: each
// begins with a node that a hub has informed (one, perhaps, with the root), and its nodes have informed each other without any hub. A
// hub that is d hops from the root can begin as many groups as it has ports in each step from d + 1 on. A group that begins with the end
// of step t has, at the end of step T, no more nodes than are within T - t hops of its first one where there are no hubs, and
// no more than T - t steps can inform where nobody has more neighbours than the others have among themselves, one of whom has
// informed it. So the sum over all groups that can have begun is at least the number of endpoints. On a wheel of n nodes with one
// port a group has 2s nodes after s steps, so that T (T - 1) + 1 >= n - 1 from the hub. A reduction is the same backwards.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::bounds {

extern const BoundCard few_hubs;

namespace few_hubs_parts {
namespace {

constexpr uint64_t kMostLooked = 8'000'000;  // links, from all nodes, for one choice of hubs
constexpr size_t kMostHubs = 8;

// The network as a broadcast sees it, without links to a node that a node has a link to already.
using Ways = std::vector<std::vector<uint32_t>>;

Ways ways_of(const Topology& topology, bool backwards) {
  Ways out(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const size_t tail = index(topology.tail(arc));
    const size_t head = index(topology.head(arc));
    out[backwards ? head : tail].push_back(static_cast<uint32_t>(backwards ? tail : head));
  }
  for (std::vector<uint32_t>& heads : out) {
    std::ranges::sort(heads);
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  }
  return out;
}

// How many endpoints a group can have, by the steps since it began, up to `limit`.
class Groups {
 public:
  Groups(const Topology& topology, const Ways& ways, const std::vector<char>& is_hub, bool goes_both_ways,
         uint64_t ports)
      : limit_(topology.num_endpoints()), ports_(ports) {
    std::vector<uint32_t> seen(ways.size(), UINT32_MAX);
    std::vector<uint32_t> reached;
    for (uint32_t v = 0; v < ways.size(); ++v) {
      if (is_hub[v] != 0) continue;
      uint64_t others = 0;
      reached.assign(1, v);
      seen[v] = v;
      uint64_t near = 0;
      size_t hops = 0;
      for (size_t i = 0, end = 1; i < end; end = reached.size(), ++hops) {
        for (size_t u = i; u < end; ++u) near += topology.rank(NodeId{reached[u]}) ? 1 : 0;
        for (; i < end; ++i) {
          for (const uint32_t w : ways[reached[i]]) {
            if (is_hub[w] != 0) continue;
            if (i == 0) ++others;
            if (seen[w] == v) continue;
            seen[w] = v;
            reached.push_back(w);
          }
        }
        if (within_.size() <= hops) within_.push_back(within_.empty() ? 0 : within_.back());
        within_[hops] = std::max(within_[hops], near);
      }
      // Who is reached in fewer hops has them all from there on.
      for (size_t more = hops; more < within_.size(); ++more) within_[more] = std::max(within_[more], near);
      most_ = std::max(most_, others);
    }
    onwards_ = most_ - (goes_both_ways && most_ > 0 ? 1 : 0);
  }

  [[nodiscard]] uint64_t after(size_t steps) {
    while (first_.size() <= steps) {
      first_.push_back(informed(most_));
      next_.push_back(informed(onwards_));
    }
    return std::min(first_[steps], within_[std::min(steps, within_.size() - 1)]);
  }

 private:
  // With somebody who has so many to inform, after as many steps as are known.
  [[nodiscard]] uint64_t informed(uint64_t others) const {
    uint64_t sum = 1;
    const size_t steps = next_.size();
    for (size_t i = 1; i <= steps && others > 0; ++i) {
      const uint64_t now = std::min(others, ports_);
      others -= now;
      sum = static_cast<uint64_t>(std::min<UInt128>(UInt128{now} * next_[steps - i] + sum, limit_));
    }
    return sum;
  }

  uint64_t limit_;
  uint64_t ports_;
  uint64_t most_ = 0;     // neighbours of a node that are no hubs
  uint64_t onwards_ = 0;  // and that it has not heard from
  std::vector<uint64_t> within_;
  std::vector<uint64_t> first_;  // with the first node of a group
  std::vector<uint64_t> next_;   // with any other one
};

struct Hubs {
  uint64_t steps = 0;  // that a broadcast takes at least; 0: nobody has more links than others
  size_t number = 0;
};

Hubs slowest_hubs(const Topology& topology, const Dissemination& spread) {
  const Ways ways = ways_of(topology, spread.backwards);
  std::vector<uint32_t> by_links(topology.num_nodes());
  std::iota(by_links.begin(), by_links.end(), 0U);
  std::ranges::stable_sort(by_links, [&](uint32_t a, uint32_t b) { return ways[a].size() > ways[b].size(); });
  Hubs best;
  std::vector<char> is_hub(topology.num_nodes(), 0);
  for (size_t hubs = 1; hubs <= std::min<size_t>(kMostHubs, topology.num_nodes() - 1); ++hubs) {
    is_hub[by_links[hubs - 1]] = 1;
    // Nodes of as many links are hubs together.
    if (ways[by_links[hubs - 1]].size() == ways[by_links[hubs]].size()) continue;
    Groups groups(topology, ways, is_hub, !topology.is_directed(), spread.fan_out);
    uint64_t steps = 0;
    for (uint64_t informed = 0; informed < topology.num_endpoints();) {
      ++steps;
      informed = is_hub[index(spread.root)] != 0 ? 0 : groups.after(steps);
      for (size_t h = 0; h < hubs; ++h) {
        informed += topology.rank(NodeId{by_links[h]}) ? 1 : 0;
        const uint64_t ports = std::min<uint64_t>(spread.fan_out, ways[by_links[h]].size());
        for (uint64_t t = uint64_t{spread.hops[by_links[h]]} + 1; t <= steps; ++t)
          informed += ports * groups.after(steps - t);
      }
    }
    if (steps > best.steps) best = {steps, hubs};
  }
  return best;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.is_outline() || topology.num_nodes() < 3 ||
      uint64_t{topology.num_nodes()} * topology.num_arcs() > kMostLooked)
    return std::nullopt;
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  static LastAnswers<std::tuple<NodeId, bool, uint64_t>, Hubs> kept(8);
  const Hubs hubs = kept.of(topology, {spread->root, spread->backwards, spread->fan_out},
                            [&] { return slowest_hubs(topology, *spread); });
  if (hubs.steps == 0) return std::nullopt;
  return Bound{few_hubs.name, Rational(static_cast<int64_t>(hubs.steps + spread->head_start)),
               fmt::format("without {} of most links the others {} each other so slowly that {} for {}{}",
                           plural(hubs.number, "node"), spread->verb(),
                           plural(hubs.steps - 1, "step") + " are too few", topology.num_endpoints(),
                           spread->head_start_text())};
}

}  // namespace
}  // namespace few_hubs_parts

constinit const BoundCard few_hubs = {
    .name = "few_hubs",
    .summary =
        "a broadcast where few nodes have nearly all links: what they can begin, and how it goes on without them",
    .source = "counting; ours",
    .evaluate = few_hubs_parts::evaluate,
};

}  // namespace quadrille::bounds
