#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

void TimedPaths::generate(StepSink& sink) const {
  struct Hop {
    ArcId arc;
    BlockId block;
  };
  std::vector<size_t> end(size_t{steps} + 1, 0);
  for (const uint32_t step : step_of) ++end[step + 1];
  for (size_t s = 1; s < end.size(); ++s) end[s] += end[s - 1];
  // While it is filled, end[s] is where step s goes on; then where it ends.
  std::vector<Hop> hops(step_of.size());
  for (size_t i = 0; i < size(); ++i)
    for (size_t h = begin[i]; h < begin[i + 1]; ++h) hops[end[step_of[h]]++] = {arcs[h], blocks[i]};
  StepBuilder step;
  size_t at = 0;
  for (size_t s = 0; s < steps; ++s) {
    for (; at < end[s]; ++at) step.add(hops[at].arc, hops[at].block);
    step.flush(sink);
  }
}

}  // namespace quadrille
