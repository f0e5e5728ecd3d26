// Informed trials: in how few steps everybody can have heard from all others, as far as changing who sends to whom finds it.
//
// It is the other side of everybody_informed.h: what is found here needs no solver any more, and the step below is the one to
// refute. A trial exchanges one message, and is kept where no less is heard in the end than some trials ago (late
// acceptance: Burke and Bykov 2017).
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/search/message_limits.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Steps that are enough, `at_least` where so many are; nothing on more than 64 ranks, or where some endpoint cannot reach another.
[[nodiscard]] std::optional<uint32_t> informed_within(const Topology& topology, MessageLimits limits,
                                                      uint32_t at_least, uint32_t trials);

}  // namespace quadrille
