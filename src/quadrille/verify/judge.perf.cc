// How fast the judge is, in block moves per second. Plans are made beforehand, so that only judging is timed.
#include <benchmark/benchmark.h>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Topology square_torus(uint32_t n) {
  TopologyBuilder ring("ring", n);
  ring.cayley(abelian_group({n}), {1, n - 1});
  const Topology factor = ring.build();
  return cartesian_product("torus", {factor, factor});
}

// Single-port alltoall the simple way: for each displacement (a, b) all nodes send along the first dimension
// a times, then along the second b times. Every step moves one block of every node, as the real algorithms
// do. Only the first `max_steps` are made; the rest would look the same.
Plan rotations(const Topology& torus, uint32_t n, size_t max_steps) {
  Plan plan;
  StepBuilder step;
  const uint32_t nodes = n * n;
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) {
      for (uint32_t hop = 0; hop < a + b; ++hop) {
        const uint32_t da = std::min(hop, a);
        const uint32_t db = hop - da;
        for (uint32_t v = 0; v < nodes; ++v) {
          const uint32_t x = v / n;
          const uint32_t y = v % n;
          const uint32_t source = (x + n - da) % n * n + (y + n - db) % n;
          const uint32_t target = (source / n + a) % n * n + (source % n + b) % n;
          const uint32_t to = hop < a ? (x + 1) % n * n + y : x * n + (y + 1) % n;
          step.add(*torus.find_arc(NodeId{v}, NodeId{to}), BlockId{source * nodes + target});
        }
        step.flush(plan);
        if (plan.num_steps() == max_steps) return plan;
      }
    }
  }
  return plan;
}

// Arguments: side of the torus, threads. 16 KiB to 512 KiB of holdings lie in the second-level cache (sides 8
// and 16); side 32 has 8 MiB, side 64 has 128 MiB.
void judge_alltoall(benchmark::State& state) {
  const auto n = static_cast<uint32_t>(state.range(0));
  const Topology torus = square_torus(n);
  const Problem problem =
      standard_problem(torus, CollectiveKind::kAlltoall, {.send = kOnePort, .receive = kOnePort});
  const Plan plan = rotations(torus, n, n == 64 ? 4096 : SIZE_MAX);
  uint64_t moves = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto judge =
        std::make_unique<Judge>(problem, JudgeOptions{.threads = static_cast<unsigned>(state.range(1))});
    state.ResumeTiming();
    plan.replay(*judge);
    state.PauseTiming();
    const Verdict verdict = judge->finish();
    if (n < 64 && !verdict.passed()) state.SkipWithError("the plan must pass");
    moves += verdict.figures.block_hops;
    judge.reset();
    state.ResumeTiming();
  }
  state.counters["moves/s"] = benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}
BENCHMARK(judge_alltoall)
    ->ArgNames({"side", "threads"})
    ->ArgsProduct({{8, 16, 32, 64}, {1, 2}})
    ->UseRealTime();

}  // namespace
}  // namespace quadrille
