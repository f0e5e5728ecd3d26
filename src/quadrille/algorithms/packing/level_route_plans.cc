#include "quadrille/algorithms/packing/level_route_plans.h"

#include <fmt/format.h>

#include <memory>

#include "quadrille/algorithms/graphs/level_routes.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"

namespace quadrille {

std::vector<uint32_t> numbers_of_levels(uint32_t least) {
  std::vector<uint32_t> out;
  for (const uint32_t levels : {least, least + 1, least + least / 2, 2 * least})
    if (out.empty() || levels > out.back()) out.push_back(levels);
  return out;
}

PreparedPlan by_level_routes(const Problem& problem, uint32_t levels, uint32_t least,
                             bool (*may_be_worth)(const Problem&, uint32_t levels), Effort effort) {
  using Routes = std::shared_ptr<const LevelRoutes>;
  const auto made = std::make_shared<Once<Routes>>(
      problem, [levels](const Problem& p) { return KeptPaths::level_routes(p, levels); });
  const auto predicted = [made, levels, may_be_worth](const Problem& p) -> Prediction {
    if (!made->is_made() && WorthMaking::is_limited() && !may_be_worth(p, levels)) return {};
    const LevelRoutes& routes = *made->get();
    return {.steps = routes.steps(),
            .start_ups = routes.steps(),
            .busiest_link = routes.busiest_link(),
            .critical_blocks = routes.rounds(),
            .critical_hops = routes.steps()};
  };
  const auto generate = [made](const Problem& p, StepSink& sink) { made->get()->generate(p, sink); };
  auto out = std::make_shared<Prepared>(problem, predicted, generate, effort, fmt::format("{}", levels));
  out->takes_at_least(least);
  return out;
}

}  // namespace quadrille
