// Sends before receptions: in an exchange over routers the steps in which hosts send and receive cannot be close together.
//
// A host that sends m blocks, c a step, does so in steps that add up to S = ceil(1/c) + .. + ceil(m/c) or more, and what it receives
// comes in steps that add up to as much or more, counted back from the last of T. A block that goes d hops is received d - 1 steps
// after it was first sent, or later. Summed over all M blocks,
//
//     M (T + 1)  >=  sum of all S, for sends and for receptions  +  sum of all d - 1.
//
// With one link a host that is T >= n - 2 + the average of d: hosts of one link stay idle at either end for as long as blocks are
// on their way. Hosts of more links have sooner done, so those of the most blocks a link are looked at alone, too.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {

extern const BoundCard sends_before_receptions;

namespace sends_before_receptions_parts {
namespace {

constexpr uint64_t kMostSearched = uint64_t{1} << 28U;  // links, looked at from every host
constexpr size_t kMostSets = 4;

// ceil(1/width) + .. + ceil(count/width).
Int128 least_sum(uint64_t count, uint64_t width) {
  const Int128 full = count / width;
  return full * (full + 1) / 2 * width + (full + 1) * (count % width);
}

class Times {
 public:
  explicit Times(const Problem& problem)
      : problem_(problem), topology_(problem.topology()), capacities_(node_capacities(topology_)) {}

  [[nodiscard]] std::optional<Bound> best() {
    // By what they have to send and receive at once, in a step each way; few kinds of hosts are looked at apart.
    std::map<uint64_t, std::vector<NodeId>> by_width;
    for (const NodeId v : topology_.endpoints()) by_width[std::min(sends(v), receives(v))].push_back(v);
    std::vector<NodeId> hosts;
    std::optional<Bound> best;
    size_t sets = 0;
    for (const auto& [width, more] : by_width) {
      hosts.insert(hosts.end(), more.begin(), more.end());
      if (++sets > kMostSets && hosts.size() < topology_.num_endpoints()) continue;
      std::ranges::sort(hosts);
      std::optional<Bound> of_these = of(hosts);
      if (of_these && (!best || best->value < of_these->value)) best = std::move(of_these);
    }
    return best;
  }

 private:
  [[nodiscard]] uint64_t sends(NodeId v) const {
    return limited(problem_.model().send, capacities_.out[index(v)]);
  }
  [[nodiscard]] uint64_t receives(NodeId v) const {
    return limited(problem_.model().receive, capacities_.in[index(v)]);
  }

  [[nodiscard]] std::optional<Bound> of(const std::vector<NodeId>& hosts) const {
    const Counts* counts = problem_.collective().counts();
    std::vector<char> is_one(topology_.num_nodes(), 0);
    for (const NodeId v : hosts) is_one[index(v)] = 1;
    std::vector<uint64_t> out(topology_.num_nodes(), 0);
    std::vector<uint64_t> in(topology_.num_nodes(), 0);
    Int128 blocks = 0;
    Int128 between = 0;
    const auto add = [&](NodeId from, NodeId to, uint64_t number, uint32_t hops) {
      out[index(from)] += number;
      in[index(to)] += number;
      blocks += number;
      between += Int128{number} * (hops - 1);
    };
    for (const NodeId v : hosts) {
      const std::vector<uint32_t> hops = distances_from(topology_, v);
      if (counts == nullptr) {
        for (const NodeId w : hosts)
          if (w != v) add(v, w, problem_.collective().pieces(), hops[index(w)]);
        continue;
      }
      for (const Counts::Entry& e : counts->from(*topology_.rank(v))) {
        const NodeId w = topology_.endpoint(e.to);
        if (w != v && is_one[index(w)] != 0 && e.count > 0) add(v, w, e.count, hops[index(w)]);
      }
    }
    if (blocks == 0) return std::nullopt;
    Int128 sum = between - blocks;
    for (const NodeId v : hosts)
      sum += least_sum(out[index(v)], sends(v)) + least_sum(in[index(v)], receives(v));
    return Bound{
        sends_before_receptions.name, Rational::of(sum, blocks),
        fmt::format(
            "{} hosts send and receive {} blocks, which are received {} steps after they were sent, on average",
            hosts.size(), to_string(blocks), Rational::of(between, blocks).to_string()),
        BoundOn::kSteps, BetweenWitness{hosts}};
  }

  const Problem& problem_;
  const Topology& topology_;
  NodeCapacities capacities_;
};

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const bool is_exchange =
      problem.collective().kind() == CollectiveKind::kAlltoall || problem.collective().counts() != nullptr;
  if (!is_exchange || problem.model().switching != Switching::kPacket ||
      problem.collective().num_ranks() < 2 || !topology.has_routers() || why_no_fat_tree(topology).empty())
    return std::nullopt;
  if (uint64_t{topology.num_arcs()} * topology.num_endpoints() > kMostSearched) return std::nullopt;
  return Times(problem).best();
}

}  // namespace
}  // namespace sends_before_receptions_parts

constinit const BoundCard sends_before_receptions = {
    .name = "sends_before_receptions",
    .summary = "total exchange over routers: what hosts send and receive a step, and the hops between",
    .source = "counting steps, as fat_tree_leaf_times does; ours",
    .knows_counts = true,
    .evaluate = sends_before_receptions_parts::evaluate,
};

}  // namespace quadrille::bounds
