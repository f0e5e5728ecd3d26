// Total exchange on fat trees, generated and judged as it streams, in block moves per second. Goals: 1,024
// leaves (1.05 M blocks) under 5 s, 4,096 leaves (16.8 M blocks) under 90 s and 2 GiB.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

void exchange(benchmark::State& state, std::string_view card, std::string_view spec, bool one_send) {
  Model model;
  if (one_send) model.send = kOnePort;
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
  uint64_t moves = 0;
  for (auto _ : state) {
    Judge judge(problem);
    algorithm_catalog().find(card)->plan_for(problem)->generate(judge);
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    moves += verdict.figures.block_hops;
  }
  state.counters["moves/s"] = benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}

#define QUADRILLE_EXCHANGE(name, card, spec, one_send) \
  BENCHMARK_CAPTURE(exchange, name, card, spec, one_send)->Unit(benchmark::kMillisecond)->UseRealTime()

QUADRILLE_EXCHANGE(queue_free_1024, "alltoall_fat_tree_queue_free", "fat_tree(2^10)", false);
QUADRILLE_EXCHANGE(queue_free_1024_oversubscribed, "alltoall_fat_tree_queue_free", "fat_tree(32,8,4;1,4,8)",
                   false);
QUADRILLE_EXCHANGE(shifts_1024, "alltoall_fat_tree_shifts", "fat_tree(2^10;exponential)", false);
QUADRILLE_EXCHANGE(earliest_fit_1024, "alltoall_fat_tree_earliest_fit", "fat_tree(2^10)", false);
QUADRILLE_EXCHANGE(queues_1024, "alltoall_fat_tree_queues", "fat_tree(2^10)", true);
QUADRILLE_EXCHANGE(queue_free_4096, "alltoall_fat_tree_queue_free", "fat_tree(2^12)", false);
QUADRILLE_EXCHANGE(queues_4096, "alltoall_fat_tree_queues", "fat_tree(4^6)", true);

}  // namespace
}  // namespace quadrille
