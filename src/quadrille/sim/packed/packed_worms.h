// Packed worms: the worms of worm_simulator.h where routers are small, several routers at a time.
//
// All lanes of a router are bits of one word: one set of those with flits, one for each channel of each output of who has it,
// one for each output of the channels behind it with room. Eight routers with 16 lanes lie side by side, and an output of all
// eight chooses whom it lets send in some two dozen instructions. Flits, credits and what is left of the message in
// front are counted for all of them at once, too, digit by binary digit. Only heads and tails are looked at one by one.
//
// Groups of routers in which nothing happens are passed over. Rules and results are those of worm_simulator.h, cycle for cycle:
// the order in which routers are looked at makes no difference.
#pragma once

#include <optional>

#include "quadrille/sim/node_programs.h"
#include "quadrille/sim/packed/packed_needs.h"
#include "quadrille/sim/traffic.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

/// Nothing where nodes or worms wait for ever: who waits for whom is for the other engine to say.
[[nodiscard]] std::optional<WormResult> run_packed_worms(const Traffic& traffic,
                                                         const WormParameters& parameters, const WormRun& run,
                                                         NodePrograms& nodes);

}  // namespace quadrille
