// How fast a plan by formula is repaired, in transfers of the whole plan per second: one dead link, and one dead node.
#include <benchmark/benchmark.h>

#include <span>
#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/symmetric/mended_step.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_repaired;
}  // namespace algorithms

namespace {

void repair_exchange(benchmark::State& state, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
  uint64_t transfers = 0;
  uint64_t steps = 0;
  for (auto _ : state) {
    CountingSink count;
    algorithms::alltoall_repaired.plan_for(problem)->generate(count);
    transfers += count.transfers();
    steps = count.steps();
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.SetItemsProcessed(static_cast<int64_t>(transfers));
}

BENCHMARK_CAPTURE(repair_exchange, torus_32_36_without_a_link, "without(torus(32,36);\"link (3,5) (3,6)\")")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(repair_exchange, torus_32_36_without_a_node, "without(torus(32,36);\"node (3,5)\")")
    ->Unit(benchmark::kMillisecond);

// Whose whole is the same at all nodes: in the short form nothing is written out.
class ShortForm final : public StepSink, private MendedSink {
 public:
  void push(const StepView& /*step*/) override {}
  [[nodiscard]] MendedSink* mended() override { return this; }
  [[nodiscard]] uint64_t transfers() const { return transfers_; }

 private:
  void begin_mended(const MendedPlanHead& head) override { nodes_ = head.whole.num_nodes(); }
  void push_mended(std::span<const SymmetricMove> moves, const StepView& moved) override {
    transfers_ += nodes_ * moves.size() + moved.size();
  }
  uint64_t nodes_ = 0;
  uint64_t transfers_ = 0;
};

void repair_short(benchmark::State& state, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
  uint64_t transfers = 0;
  for (auto _ : state) {
    ShortForm sink;
    algorithms::alltoall_repaired.plan_for(problem)->generate(sink);
    transfers += sink.transfers();
  }
  state.SetItemsProcessed(static_cast<int64_t>(transfers));
}
BENCHMARK_CAPTURE(repair_short, torus_16_16_16_without_a_link,
                  "without(torus(16,16,16);\"link (0,0,0) (0,0,1)\")")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
