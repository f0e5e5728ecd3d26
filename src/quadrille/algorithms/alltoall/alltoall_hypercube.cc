// Total exchange on a hypercube with one port, without any table: d * 2^(d-1) steps, the total distance of a
// node.
//
// In round h = 1..d the displacements r with at least h bits come by in ascending order, one a step, and
// every node x sends, along the h-th bit of r from the left, the block that has crossed the bits to the left
// of it. A node needs nothing but its address.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/translated_step.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_hypercube;

namespace alltoall_hypercube_parts {
namespace {

bool is_hypercube(const CayleyStructure& cayley) {
  const std::vector<uint32_t> moduli = cayley.group->cyclic_moduli();
  const auto one_bit = [](uint32_t g) { return std::has_single_bit(g); };
  return !moduli.empty() && std::all_of(moduli.begin(), moduli.end(), [](uint32_t m) { return m == 2; }) &&
         cayley.generators.size() == moduli.size() &&
         std::all_of(cayley.generators.begin(), cayley.generators.end(), one_bit);
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  const CayleyStructure* cayley = problem.topology().cayley();
  if (cayley != nullptr && is_hypercube(*cayley)) return Applicability::yes();
  return Applicability::no(fmt::format("it needs a hypercube; {} is none", problem.topology().name()));
}

Prediction predicted(const Problem& problem) {
  const uint64_t half = problem.topology().num_nodes() / 2;
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = pieces * half * problem.topology().cayley()->generators.size();
  return {.steps = steps, .start_ups = steps, .busiest_link = pieces * half};
}

void generate(const Problem& problem, StepSink& sink) {
  const uint32_t n = problem.topology().num_nodes();
  const auto d = static_cast<int>(problem.topology().cayley()->generators.size());
  TranslatedStep step(problem, sink);
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    step.set_piece(piece);
    for (int h = 1; h <= d; ++h) {
      for (uint32_t r = 1; r < n; ++r) {
        if (std::popcount(r) < h) continue;
        uint32_t left = r;
        for (int crossed = 1; crossed < h; ++crossed) left -= std::bit_floor(left);
        // Generators are ascending, so the position of a single bit is its exponent.
        step.add(static_cast<size_t>(std::countr_zero(std::bit_floor(left))), r - left, left);
        step.flush();
      }
    }
  }
}

}  // namespace
}  // namespace alltoall_hypercube_parts

constinit const Algorithm alltoall_hypercube = {
    .name = "alltoall_hypercube",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "every node crosses the same dimension, leftmost differing bit first, in a fixed order of messages",
    .source = "collective communication dissertation 1996, figure 4.6",
    .remarks = "hypercubes, one port is enough; optimal with one port: d 2^(d-1) steps; needs no table",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = alltoall_hypercube_parts::applies,
    .prepare = by_formula<alltoall_hypercube_parts::predicted, alltoall_hypercube_parts::generate>,
};

}  // namespace quadrille::algorithms
