// Allgather with all ports on any graph of up to thousands of nodes by scarce blocks first.
//
// The block swarm (packing/swarms/block_swarm.h) where every port is free: then a node's choice
// (packing/swarms/scarce_choice.h) depends on nobody else's of the same step, only on what its neighbours had before the step,
// and how scarce that is. So all nodes choose at the same time, and the plan is the same whatever the number of threads.
// The shortest of a few tries is kept.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/scarce_choice.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/algorithms/packing/swarms/swarm_steps.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/schedule/plan.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_wide_swarm;

namespace allgather_wide_swarm_parts {
namespace {

constexpr uint64_t kTriedAgain = uint64_t{1} << 21U;  // blocks at nodes, of all tries together
constexpr uint64_t kMostTries = 4;
constexpr uint64_t kAlone = uint64_t{1} << 14U;  // fewer are done by one thread

class WideSwarm {
 public:
  WideSwarm(const Problem& problem, uint64_t seed, ThreadTeam& team)
      : net_(problem.topology()),
        blocks_(problem.collective().num_blocks()),
        rng_(seed),
        team_(team),
        holdings_(net_, blocks_),
        noise_(ScarceChoice::noise_words(rng_.next())),
        scores_(net_.num_nodes(), 0),
        wanting_(blocks_, net_.num_endpoints() - 1),
        missing_(uint64_t{blocks_} * (net_.num_endpoints() - 1)) {
    list_channels();
    for (uint32_t b = 0; b < blocks_; ++b) holdings_.begin(problem.origin(BlockId{b}), b);
  }

  // Nothing where it takes more than `most` steps.
  std::optional<SwarmSteps> run(size_t most) {
    SwarmSteps out;
    const size_t nodes = net_.num_nodes();
    const size_t parts = std::min<size_t>(nodes, 32);
    std::vector<ScarceChoice> choices(parts, ScarceChoice(net_, holdings_, noise_));
    while (missing_ > 0) {
      if (out.size() >= most) return std::nullopt;
      const uint64_t seed = rng_.next();
      team_.for_each(parts, [&](size_t part) {
        for (size_t v = nodes * part / parts; v < nodes * (part + 1) / parts; ++v) {
          const size_t count = begin_[v + 1] - begin_[v];
          choices[part].choose(NodeId{static_cast<uint32_t>(v)},
                               std::span(channels_).subspan(begin_[v], count), seed + v, scores_[v],
                               std::span(chosen_).subspan(begin_[v], count));
        }
      });
      receive(out.emplace_back());
    }
    leave_out_needless(net_, blocks_, out);
    return out;
  }

 private:
  void list_channels() {
    begin_.assign(net_.num_nodes() + 1, 0);
    for (const ArcId arc : net_.arcs()) begin_[index(net_.head(arc)) + 1] += channels_of(arc);
    for (size_t v = 0; v < net_.num_nodes(); ++v) begin_[v + 1] += begin_[v];
    channels_.resize(begin_.back());
    chosen_.resize(begin_.back());
    std::vector<size_t> at(begin_.begin(), begin_.end() - 1);
    for (const ArcId arc : net_.arcs())
      for (uint64_t c = channels_of(arc); c > 0; --c) channels_[at[index(net_.head(arc))]++] = arc;
  }
  // More than there are blocks are of no use.
  [[nodiscard]] uint64_t channels_of(ArcId arc) const {
    return std::min<uint64_t>(net_.capacity(arc), blocks_);
  }

  void receive(std::vector<SwarmSend>& step) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      const uint32_t block = chosen_[i];
      if (block == ScarceChoice::kNobody) continue;
      step.push_back({channels_[i], block});
      const NodeId v = net_.head(channels_[i]);
      holdings_.give(v, block);
      if (!net_.rank(v)) continue;
      --missing_;
      if (--wanting_[block] == 0) holdings_.is_everywhere(block);
    }
  }

  const Topology& net_;
  uint32_t blocks_;
  Rng rng_;
  ThreadTeam& team_;
  BlockHoldings holdings_;
  std::vector<uint64_t> noise_;
  std::vector<uint32_t> scores_;   // per node: what the scarcest have
  std::vector<uint32_t> wanting_;  // per block: endpoints that lack it
  uint64_t missing_;
  std::vector<size_t> begin_;     // per node: its first channel
  std::vector<ArcId> channels_;   // an arc as often as its capacity says
  std::vector<uint32_t> chosen_;  // per channel, in this step
};

// The shortest of a few tries, or the first that takes `fewest` steps.
Plan wide_swarm(const Problem& problem, uint64_t fewest) {
  const uint64_t entries = uint64_t{problem.topology().num_nodes()} * problem.collective().num_blocks();
  const uint64_t tries = std::clamp<uint64_t>(kTriedAgain / entries, 1, kMostTries);
  // Starting threads takes longer than a small plan.
  const bool is_large = entries >= kAlone;
  ThreadTeam team(is_large ? std::max(1U, std::thread::hardware_concurrency()) : 1U);
  std::optional<SwarmSteps> best;
  for (uint64_t i = 0; i < tries && (!best || best->size() > fewest); ++i) {
    std::optional<SwarmSteps> found = WideSwarm(problem, i, team).run(best ? best->size() - 1 : SIZE_MAX);
    if (found) best = std::move(found);
  }
  return plan_of(*std::move(best));
}

constexpr uint64_t kMostEntries = uint64_t{1} << 24U;
constexpr uint64_t kMostLooks = uint64_t{1} << 24U;  // at a block, in a step: where links are very wide

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& net = problem.topology();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (model.duplex == Duplex::kHalf) return Applicability::no("its links carry both ways at once");
  if (!model.send.unlimited() || !model.receive.unlimited())
    return Applicability::no("it takes all ports of every node at once");
  if (net.product() != nullptr || net.cayley() != nullptr || net.tree() != nullptr)
    return Applicability::no("what is known of the structure of the network makes better plans at once");
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  if (const uint64_t looks = swarm_looks(net, problem.collective().num_blocks()); looks > kMostLooks) {
    return Applicability::no(
        fmt::format("its links are so wide that it looks at a block {} times in a step: more than {}",
                    with_thousands(looks), with_thousands(kMostLooks)));
  }
  const uint64_t entries = uint64_t{net.num_nodes()} * problem.collective().num_blocks();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it knows of every block at every node: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), problem.title(),
                                       with_thousands(entries)));
}

Preparation prepare(const Problem& problem) { return prepare_if_wanted(problem, swarm_at_least, wide_swarm); }

}  // namespace
}  // namespace allgather_wide_swarm_parts

constinit const Algorithm allgather_wide_swarm = {
    .name = "allgather_wide_swarm",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "every node takes in every step as many new blocks as its links bring, the scarcest ones first",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "any graph of unknown structure, up to 4,096 nodes, all ports; at the bound wherever it was tried with a "
        "hundred nodes or more",
    .mixes_pieces = true,
    .applies = allgather_wide_swarm_parts::applies,
    .prepare = allgather_wide_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
