#include "quadrille/sim/worm_simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/sim/packed/packed_worms.h"
#include "quadrille/sim/worm_routers.h"

namespace quadrille {

void require_sound(const WormParameters& p) {
  if (p.buffer == 0)
    throw InputError("--buffers: a buffer holds at least 1 flit, not 0: nothing could ever move");
  if (p.vcs == 0) throw InputError("--vcs: a link has at least 1 virtual channel, not 0");
  if (p.router_delay == 0) throw InputError("--router-delay: a router takes at least 1 cycle, not 0");
  if (p.credit_delay == 0) throw InputError("--credit-delay: a credit takes at least 1 cycle, not 0");
  constexpr uint32_t kMost = 1U << 20U;
  if (std::max({p.vcs, p.buffer, p.router_delay, p.link_delay, p.credit_delay}) > kMost)
    throw InputError(fmt::format("simulation: virtual channels, buffers and delays are at most {}", kMost));
}

WormResult simulate_worms(const Traffic& traffic, const WormParameters& parameters, const WormRun& run) {
  require_sound(parameters);
  const NodeTurns turns(traffic, run.synchronisation);
  if (run.engine != WormEngine::kLaneByLane) {
    const std::optional<std::string> why_not = not_packed(traffic, parameters, run);
    QUADRILLE_CHECK(run.engine != WormEngine::kPacked || !why_not, why_not.value_or(""));
    if (!why_not) {
      NodePrograms nodes(traffic, turns, run.stalls, run.costs);
      if (std::optional<WormResult> result = run_packed_worms(traffic, parameters, run, nodes))
        return std::move(*result);
    }
  }
  NodePrograms nodes(traffic, turns, run.stalls, run.costs);
  WormRouters routers(traffic, parameters, run, nodes);
  return routers.run();
}

}  // namespace quadrille
