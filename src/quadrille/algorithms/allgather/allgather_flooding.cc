// Allgather by flooding: every arc carries, in every step, a block that its head still lacks.
//
// Each arc goes through what its tail has received, oldest first, and skips what its head has or is about to
// get, so nobody ever receives a block twice. What goes where is decided for all nodes together. Routers take
// part. The order in which arcs choose moves on with each step. With all ports it comes close to the cut of
// the graph, and meets it on complete trees.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_flooding;

namespace allgather_flooding_parts {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 30U;

Applicability applies(const Problem& problem) {
  const uint64_t entries = uint64_t{problem.topology().num_nodes()} * problem.collective().num_blocks();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(
      fmt::format("it keeps track of every block at every node: at most {} of them, {} has {}",
                  with_thousands(kMostEntries), problem.title(), with_thousands(entries)));
}

class Flooding {
 public:
  explicit Flooding(const Problem& problem)
      : topology_(problem.topology()),
        num_blocks_(problem.collective().num_blocks()),
        use_(problem),
        received_(topology_.num_nodes()),
        next_(topology_.num_arcs(), 0),
        known_(size_t{topology_.num_nodes()} * num_blocks_, false) {
    for (uint32_t b = 0; b < num_blocks_; ++b) {
      const size_t origin = index(problem.origin(BlockId{b}));
      received_[origin].push_back(BlockId{b});
      known_[origin * num_blocks_ + b] = true;
    }
    missing_ = uint64_t{topology_.num_endpoints() - 1} * num_blocks_;
  }

  void run(StepSink& sink) {
    StepBuilder step;
    const size_t arcs = topology_.num_arcs();
    for (size_t s = 0; missing_ > 0; ++s) {
      const size_t first = s * 7919 % arcs;
      for (size_t i = 0; i < arcs; ++i) {
        const ArcId arc = id_at<ArcId>(first + i < arcs ? first + i : first + i - arcs);
        while (has_news(arc) && use_.take(arc)) send(arc, step);
      }
      arrive(step);
      use_.next_step();
      step.flush(sink);
    }
  }

 private:
  // Moves on to the oldest block of the tail that the head lacks.
  bool has_news(ArcId arc) {
    const std::vector<BlockId>& log = received_[index(topology_.tail(arc))];
    const size_t head = index(topology_.head(arc)) * num_blocks_;
    uint32_t& at = next_[index(arc)];
    while (at < log.size() && known_[head + index(log[at])]) ++at;
    return at < log.size();
  }

  void send(ArcId arc, StepBuilder& step) {
    const BlockId block = received_[index(topology_.tail(arc))][next_[index(arc)]++];
    const NodeId head = topology_.head(arc);
    known_[index(head) * num_blocks_ + index(block)] = true;
    if (topology_.rank(head)) --missing_;
    step.add(arc, block);
  }

  // Only now can the receivers pass it on.
  void arrive(const StepBuilder& step) {
    const StepView view = step.view();
    for (size_t t = 0; t < view.size(); ++t) {
      received_[index(topology_.head(view.all_arcs[t]))].push_back(view.all_blocks[t]);
    }
  }

  const Topology& topology_;
  uint32_t num_blocks_;
  LinkUse use_;
  std::vector<std::vector<BlockId>> received_;  // per node, oldest first
  std::vector<uint32_t> next_;                  // per arc: how far it has gone through its tail's
  std::vector<bool> known_;                     // per node and block: there, or arriving in this step
  uint64_t missing_ = 0;
};

void generate(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  Flooding(problem).run(sink);
}

// Single packets, also where links could carry more.
Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const bool is_wanted =
      plan.is_made() || !WorthMaking::is_limited() || WorthMaking::is_any_of_packets(swarm_at_least(problem));
  return is_wanted ? measured_up_to<kMostFlooded>(problem, plan) : Prediction{};
}

}  // namespace
}  // namespace allgather_flooding_parts

constinit const Algorithm allgather_flooding = {
    .name = "allgather_flooding",
    .collective = CollectiveKind::kAllgather,
    .summary = "every link carries, in every step, the oldest block that its far end lacks",
    .source = "collective communication dissertation 1996, theorem 6.9, on any graph",
    .remarks = "any graph, any ports, routers copy too; optimal on complete trees with all ports",
    .applies = allgather_flooding_parts::applies,
    .prepare = by_measuring<allgather_flooding_parts::predicted, allgather_flooding_parts::generate>,
};

}  // namespace quadrille::algorithms
