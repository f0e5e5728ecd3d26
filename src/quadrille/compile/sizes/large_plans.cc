#include "quadrille/compile/sizes/large_plans.h"

#include <utility>

#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/model.h"

namespace quadrille {
namespace {

std::optional<SizedPlan> sized(const Decision& decision) {
  const Problem& problem = decision.head.problem;
  const StatedFigures& figures = decision.head.stated_figures;
  std::optional<uint64_t> start_ups = figures.start_ups ? figures.start_ups : figures.steps;
  std::optional<uint64_t> rounds = figures.critical_blocks;
  if (!rounds && sends_single_packets(problem.model())) rounds = start_ups;
  if (!start_ups || !rounds) {
    const std::optional<Figures> figures_of_plan = judged_figures(decision);
    if (!figures_of_plan) return std::nullopt;
    start_ups = figures_of_plan->start_ups;
    rounds = figures_of_plan->critical_blocks;
  }
  return SizedPlan{.algorithm = decision.head.algorithm,
                   .pieces = problem.collective().pieces(),
                   .start_ups = *start_ups,
                   .rounds = *rounds,
                   .hops = decision.critical_hops,
                   .rearranged = decision.rearranged,
                   .further_messages = decision.further_messages,
                   .effort = decision.choice->plan->effort()};
}

class LargePlans {
 public:
  LargePlans(const Problem& problem, std::span<const uint64_t> sizes)
      : problem_(problem), sizes_(sizes), found_(sizes.size()) {}

  std::vector<std::optional<SizedPlan>> found() && {
    if (sizes_.empty()) return {};
    ask(0);
    ask(sizes_.size() - 1);
    between(0, sizes_.size() - 1);
    return std::move(found_);
  }

 private:
  void ask(size_t i) {
    try {
      found_[i] = sized(decide(problem_, {.bytes = sizes_[i], .any_pieces = true}));
    } catch (const InputError&) {
      // Nothing serves it.
    }
  }

  void between(size_t low, size_t high) {
    if (high - low < 2) return;
    const std::optional<SizedPlan>& least = found_[low];
    const std::optional<SizedPlan>& most = found_[high];
    if (least && most && least->algorithm == most->algorithm && least->pieces == most->pieces) {
      for (size_t i = low + 1; i < high; ++i) found_[i] = least;
      return;
    }
    const size_t middle = low + (high - low) / 2;
    ask(middle);
    between(low, middle);
    between(middle, high);
  }

  const Problem& problem_;
  std::span<const uint64_t> sizes_;
  std::vector<std::optional<SizedPlan>> found_;
};

}  // namespace

std::vector<std::optional<SizedPlan>> chosen_at_large(const Problem& problem,
                                                      std::span<const uint64_t> sizes) {
  if (!is_large_for_sizes(problem) || problem.topology().is_outline())
    return std::vector<std::optional<SizedPlan>>(sizes.size());
  const KeptBounds kept_bounds;
  const KeptPaths kept_paths;
  return LargePlans(problem, sizes).found();
}

}  // namespace quadrille
