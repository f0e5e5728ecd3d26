#include "quadrille/exporters/program_of_schedule.h"

#include "quadrille/program/lower.h"

namespace quadrille {

ProgramFile program_of_schedule(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  return {.program = lower(what.schedule),
          .topology = problem.topology().name(),
          .algorithm = std::string(what.algorithm),
          .in_order = problem.collective().flow() == Flow::kCombine &&
                      problem.model().combining == Operator::kOrdered};
}

}  // namespace quadrille
