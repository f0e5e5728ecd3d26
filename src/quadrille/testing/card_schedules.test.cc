#include "quadrille/testing/card_schedules.test.h"

#include <utility>

#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::testing {

Schedule made_by(const Algorithm& card, std::string_view spec) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model);
  Plan plan;
  card.plan_for(problem)->generate(plan);
  return judged(problem, std::move(plan));
}

}  // namespace quadrille::testing
