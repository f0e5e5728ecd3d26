// LogGP: what a message costs by the parameters of Alexandrov, Ionescu, Schauser and Scheiman (1995).
//
//     L  latency: from the end of the sender's work to the start of the receiver's
//     o  overhead: the time that a node's processor is busy with starting, or ending, a message
//     g  gap: between two messages that a node starts, or ends
//     G  gap per byte of a long message: one over the bandwidth
//
// A message of n bytes takes o + L + n G + o, and the next one of the same node starts max(o, g) later. In steps that is
// a start-up of L + 2 o, a byte of G, and max(o, g) for each message of a node in a step beyond its first.
#pragma once

#include <string_view>

#include "quadrille/model/model.h"

namespace quadrille {

struct LogGP {
  double latency = 0.0;
  double overhead = 0.0;
  double gap = 0.0;
  double gap_per_byte = 0.0;
  bool in_microseconds = false;
};

/// "L,o,g,G": "1us,0.3us,0.4us,100Gbit/s", or plain numbers. Throws InputError; `what` begins the message.
[[nodiscard]] LogGP parse_loggp(std::string_view text, std::string_view what);

[[nodiscard]] CostConstants loggp_costs(const LogGP& parameters);

}  // namespace quadrille
