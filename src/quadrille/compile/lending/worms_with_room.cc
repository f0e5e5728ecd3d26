#include "quadrille/compile/lending/worms_with_room.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"

namespace quadrille {

WormsWithRoom::WormsWithRoom(const Problem& problem, StepSink& to)
    : problem_(problem), to_(to), used_(problem.topology().num_arcs(), 0) {}

void WormsWithRoom::push(const StepView& step) {
  for (size_t t = 0; t < step.size(); ++t) {
    for (const ArcId arc : step.arcs(t)) {
      if (++used_[index(arc)] <= problem_.topology().capacity(arc)) continue;
      throw InputError(fmt::format(
          "--algorithm: packets(..) is no plan for {}: it sends several messages at a time over one link, and worms have it for themselves",
          problem_.title()));
    }
  }
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t)) used_[index(arc)] = 0;
  to_.push(step);
}

}  // namespace quadrille
