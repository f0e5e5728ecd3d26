// Translated messages: the steps of a total exchange in which all nodes of a Cayley graph do the same, and what a node sends
// over a link in a step is one message.
//
// A block that has to go by d, an element of the group, has in every step a generator along which it goes, or waits; all
// blocks of the same d do the same. A sink that takes the short form (schedule/symmetric/symmetric_step.h) gets one node's
// messages.
//
//     push_translated_messages(problem, hops, steps, sink);    // hops[d * steps + t]: 1 + position of the generator, or 0
#pragma once

#include <cstdint>
#include <span>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Of an alltoall in one piece on a Cayley graph without routers. Steps in which nothing is sent are left out.
void push_translated_messages(const Problem& problem, std::span<const uint32_t> hops, uint32_t steps,
                              StepSink& sink);

}  // namespace quadrille
