// A simulation as a timeline: JSON in the Chrome trace form, which Perfetto and chrome://tracing open.
//
// A process is a node, a thread is a virtual channel of one of its links, and a slice is a message that holds it, from the
// cycle in which its head gets the channel to that in which its tail goes. Slices of a thread never overlap. Arrows lead
// from the first link of a message to the last. Times are in microseconds, as the form demands.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

struct TraceOptions {
  double cycle_ns = 1.0;
  uint32_t vcs = 2;
  uint64_t most_events = 1'000'000;  ///< viewers take no more
};

/// Pushes the text part by part. Returns how many uses of channels were left out, the latest ones.
uint64_t write_chrome_trace(const Traffic& traffic, const WormResult& result,
                            std::span<const ChannelUse> uses, const TraceOptions& options,
                            const std::function<void(std::string_view)>& write);

}  // namespace quadrille
