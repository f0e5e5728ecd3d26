// How fast a plan is judged at one node for all, in moves per second; each is a transfer at every node.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"

namespace quadrille {
namespace {

// For each displacement (a, b) a hops along the first dimension, then b along the second, one a step.
std::vector<SymmetricMove> rotations(const Topology& torus, uint32_t n) {
  const std::vector<uint32_t>& generators = torus.cayley()->generators;
  const auto position = [&](uint32_t element) {
    return static_cast<uint32_t>(std::ranges::find(generators, element) - generators.begin());
  };
  const uint32_t down = position(n);
  const uint32_t right = position(1);
  std::vector<SymmetricMove> out;
  for (uint32_t displacement = 1; displacement < n * n; ++displacement) {
    for (uint32_t a = 0; a < displacement / n; ++a)
      out.push_back({.generator = down, .moved = a * n, .left = displacement - a * n});
    for (uint32_t b = 0; b < displacement % n; ++b)
      out.push_back({.generator = right, .moved = displacement / n * n + b, .left = displacement % n - b});
  }
  return out;
}

void judge_at_one_node(benchmark::State& state) {
  const auto n = static_cast<uint32_t>(state.range(0));
  const Topology torus = parse_topology(fmt::format("torus({0},{0})", n));
  const Problem problem =
      standard_problem(torus, CollectiveKind::kAlltoall, {.send = kOnePort, .receive = kOnePort});
  const std::vector<SymmetricMove> plan = rotations(torus, n);
  uint64_t moves = 0;
  for (auto _ : state) {
    SymmetricJudge judge(problem);
    for (const SymmetricMove& move : plan) judge.symmetric()->push_symmetric({&move, 1});
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    moves += plan.size();
  }
  const auto rate = [&](double each) {
    return benchmark::Counter(static_cast<double>(moves) * each, benchmark::Counter::kIsRate);
  };
  state.counters["moves/s"] = rate(1);
  state.counters["transfers/s"] = rate(torus.num_nodes());
}
BENCHMARK(judge_at_one_node)->ArgName("side")->Arg(16)->Arg(64)->Arg(128);

}  // namespace
}  // namespace quadrille
