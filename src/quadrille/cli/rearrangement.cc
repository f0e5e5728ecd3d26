#include "quadrille/cli/rearrangement.h"

#include <utility>

#include "quadrille/program/array_layout.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 128;

}  // namespace

bool rearranging_costs(const Problem& problem) { return problem.model().cost.rho > 0; }

std::optional<uint64_t> measured_rearrangement(const Problem& problem, const Choice& choice) {
  if (problem.topology().num_nodes() > kMostNodes) return std::nullopt;
  Plan plan;
  choice.generate(problem, plan);
  const Verification verification = verify(problem, std::move(plan));
  if (!verification.schedule || why_no_array_layout(*verification.schedule)) return std::nullopt;
  return lay_out_arrays(*verification.schedule).rearranged();
}

}  // namespace quadrille
