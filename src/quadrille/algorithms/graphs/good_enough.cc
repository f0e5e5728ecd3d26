#include "quadrille/algorithms/graphs/good_enough.h"

#include <fmt/format.h>

#include "quadrille/base/search_limits.h"

namespace quadrille {

std::string name_for_searches(const Problem& problem) {
  return fmt::format("{} in {} pieces, {}", problem.title(), problem.collective().pieces(),
                     describe(problem.model()));
}

uint64_t good_enough_steps(const Problem& problem, uint64_t least) {
  if (SearchLimits::now().of.empty()) return SearchLimits::good_enough("", least);
  return SearchLimits::good_enough(name_for_searches(problem), least);
}

void tell_found(const Problem& problem, uint64_t steps) {
  const SearchWishes& wishes = SearchLimits::now();
  if (wishes.found && wishes.of == name_for_searches(problem)) wishes.found(steps);
}

void tell_paths_found(const Problem& problem, uint64_t steps) {
  const SearchWishes& wishes = SearchLimits::now();
  if (wishes.paths_found && wishes.of == name_for_searches(problem)) wishes.paths_found(steps);
}

}  // namespace quadrille
