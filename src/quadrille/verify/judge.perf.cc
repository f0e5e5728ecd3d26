// How fast the judge is, in block moves per second. Plans are made beforehand, so that only judging is timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/topology/topology_spec.h"
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

// A torus whose links have as many channels as a ring has nodes, so that all worms of one displacement fit
// into a step.
Topology torus_of_channels(uint32_t n) {
  TopologyBuilder ring("ring", n);
  for (uint32_t v = 0; v < n; ++v) {
    ring.arc(NodeId{v}, NodeId{(v + 1) % n}, n);
    ring.arc(NodeId{(v + 1) % n}, NodeId{v}, n);
  }
  const Topology factor = ring.build();
  return cartesian_product("torus", {factor, factor});
}

// One step a displacement (a, b), in which every node sends its block a hops along the first dimension and b
// along the second.
Plan worms_of_all_displacements(const Topology& torus, uint32_t n) {
  Plan plan;
  StepBuilder step;
  const uint32_t nodes = n * n;
  for (uint32_t displacement = 1; displacement < nodes; ++displacement) {
    const uint32_t a = displacement / n;
    const uint32_t b = displacement % n;
    for (uint32_t v = 0; v < nodes; ++v) {
      std::vector<ArcId> path;
      uint32_t at = v;
      for (uint32_t hop = 0; hop < a + b; ++hop) {
        const uint32_t next = hop < a ? (at / n + 1) % n * n + at % n : at / n * n + (at % n + 1) % n;
        path.push_back(*torus.find_arc(NodeId{at}, NodeId{next}));
        at = next;
      }
      const BlockId block{v * nodes + at};
      step.add(path, {&block, 1});
    }
    step.flush(plan);
  }
  return plan;
}

// Hops a second: each is an arc that a worm holds.
void judge_worms(benchmark::State& state) {
  const auto n = static_cast<uint32_t>(state.range(0));
  const Topology torus = torus_of_channels(n);
  const Problem problem =
      standard_problem(torus, CollectiveKind::kAlltoall, {.switching = Switching::kWormhole});
  const Plan plan = worms_of_all_displacements(torus, n);
  uint64_t hops = 0;
  for (auto _ : state) {
    Judge judge(problem, JudgeOptions{.threads = static_cast<unsigned>(state.range(1))});
    plan.replay(judge);
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    hops += verdict.figures.block_hops;
  }
  state.counters["hops/s"] = benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsRate);
}
BENCHMARK(judge_worms)->ArgNames({"side", "threads"})->ArgsProduct({{8, 16, 24}, {1, 2}})->UseRealTime();

// An allreduce of as many pieces as nodes round a ring: sums go up a path each, wholes come back along it.
Plan pieces_round(const Topology& ring) {
  const uint32_t n = ring.num_nodes();
  Plan plan;
  StepBuilder step;
  for (uint32_t s = 0; s + 2 < 2 * n; ++s) {
    for (uint32_t v = 0; v < n; ++v) {
      const BlockId block{(v + 2 * n - s) % n};
      const ArcId arc = *ring.find_arc(NodeId{v}, NodeId{(v + 1) % n});
      step.add(arc, block, s + 1 < n ? TransferOp::kDefault : TransferOp::kCopy);
    }
    step.flush(plan);
  }
  return plan;
}

// Sums of many ranks that go up trees (SumForest). Moves a second, a block over a link each.
void judge_sums_on_paths(benchmark::State& state) {
  const auto n = static_cast<uint32_t>(state.range(0));
  const Topology ring = parse_topology(fmt::format("ring({})", n));
  const Problem problem = standard_problem(ring, CollectiveKind::kAllreduce, {}, kNoNode, n);
  const Plan plan = pieces_round(ring);
  uint64_t moves = 0;
  for (auto _ : state) {
    Judge judge(problem, JudgeOptions{.threads = static_cast<unsigned>(state.range(1))});
    plan.replay(judge);
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    moves += verdict.figures.block_hops;
  }
  state.counters["moves/s"] = benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}
BENCHMARK(judge_sums_on_paths)
    ->ArgNames({"nodes", "threads"})
    ->ArgsProduct({{64, 256, 1024}, {1, 2}})
    ->UseRealTime();

// An allreduce round a ring both ways, in which what came from either side stays in a slot of its own, or, where
// nothing is said of slots, one after another round the ring to rank 0. Many packets a step.
Plan sums_round(const Topology& ring, uint32_t pieces, bool slots) {
  const uint32_t n = ring.num_nodes();
  std::vector<BlockId> all;
  for (uint32_t p = 0; p < pieces; ++p) all.push_back(BlockId{p});
  Plan plan;
  StepBuilder step;
  for (uint32_t s = 0; s < n / 2; ++s) {
    for (uint32_t v = 0; v < n && slots; ++v) {
      const ArcId right = *ring.find_arc(NodeId{v}, NodeId{(v + 1) % n});
      const ArcId left = *ring.find_arc(NodeId{v}, NodeId{(v + n - 1) % n});
      step.add({&right, 1}, all, TransferOp::kCopy, {.from = 0b011, .to = 1});
      if (s < (n - 1) / 2) step.add({&left, 1}, all, TransferOp::kCopy, {.from = 0b101, .to = 2});
    }
    step.flush(plan);
  }
  for (uint32_t v = n - 1; v > 0 && !slots; --v) {
    const ArcId down = *ring.find_arc(NodeId{v}, NodeId{v - 1});
    step.add({&down, 1}, all);
    step.flush(plan);
  }
  return plan;
}

// Arguments: ranks, and whether sums are kept in slots. A block and a hop is one union of sets of ranks.
void judge_sums(benchmark::State& state) {
  constexpr uint32_t kPieces = 256;
  const auto n = static_cast<uint32_t>(state.range(0));
  const bool slots = state.range(1) != 0;
  TopologyBuilder builder("ring", n);
  builder.cayley(abelian_group({n}), {1, n - 1});
  const Topology ring = builder.build();
  const Problem problem = standard_problem(ring, slots ? CollectiveKind::kAllreduce : CollectiveKind::kReduce,
                                           {.packets = Packets::kMany}, kNoNode, kPieces);
  const Plan plan = sums_round(ring, kPieces, slots);
  uint64_t sums = 0;
  for (auto _ : state) {
    Judge judge(problem, JudgeOptions{.threads = 1});
    plan.replay(judge);
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    sums += verdict.figures.block_hops;
  }
  state.counters["sums/s"] = benchmark::Counter(static_cast<double>(sums), benchmark::Counter::kIsRate);
}
BENCHMARK(judge_sums)->ArgNames({"ranks", "slots"})->ArgsProduct({{64, 256, 1024}, {0, 1}})->UseRealTime();

}  // namespace
}  // namespace quadrille
