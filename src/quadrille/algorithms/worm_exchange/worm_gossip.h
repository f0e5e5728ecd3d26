// Worm gossip: everybody's block to everybody by worms, in as few steps as a search finds, on any graph.
//
// At the end of a step a node has heard of some blocks, and some endpoints will hear what it has then: a pair of a
// source and a destination is served if at some node the two meet. A worm of a step lets what its sender has heard of
// meet those that its receiver will tell. So any step can be chosen again, given those before and after: worms that
// serve most pairs for the links that they take, as long as there are free links and ports (the gain of a worm
// falls as others are taken, so that old gains are upper bounds: Minoux 1978). Steps are torn down in part and
// filled again until all pairs are served; then one step is left out, and the same begins anew. Up to 32 ranks are
// searched in another way (gossip_among_few.h).
#pragma once

#include <memory>

#include "quadrille/algorithms/worm_exchange/gossip_worm.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// The worms of every step. Deterministic; routers pass on what they have heard like others. Each holds all pieces of what it
/// tells, and so whoever asks for another number of them, on whichever thread, gets the worms that were found before.
[[nodiscard]] std::shared_ptr<const GossipSteps> gossip_along_paths(const Problem& problem);

/// An allgather along them in which no block comes to a node twice, nor where it is not needed.
void send_gossip(const Problem& problem, const GossipSteps& steps, StepSink& sink);

}  // namespace quadrille
