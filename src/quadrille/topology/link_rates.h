// What the links of a network carry, and how long a message is under way, as the file of the graph says.
//
//     const LinkRates* rates = net.link_rates();             // null where nobody said
//     rates->unit_bandwidth                                  // 12500: an arc of capacity 1 carries 12.5 GB/s
//     rates->bandwidth[index(arc)]                           // 50000: this one 50 GB/s, so its capacity is 4
//     rates->slowest_latency()                               // 2: microseconds
//
// Capacities are ratios of bandwidths: a step lasts as long as a block needs over a link of capacity 1. That is where the
// times of a plan come from: a byte takes 1 / unit_bandwidth, and a step starts up in the latency of the slowest link.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct LinkRates {
  /// Of each arc, in bytes a microsecond, that is MB/s; parallel links of a file are added up. Empty where only latencies
  /// are given.
  std::vector<double> bandwidth{};
  /// Of an arc of capacity 1, in the same unit; 0 without bandwidths.
  double unit_bandwidth = 0;
  /// The user said what capacity 1 is, and some bandwidths are no multiples of it: they count as the next lower one.
  bool rounded = false;
  /// Of each arc, in microseconds; of parallel links the longest. Empty where none is given.
  std::vector<double> latency{};

  /// 0 where none is given.
  [[nodiscard]] double slowest_latency() const {
    return latency.empty() ? 0 : *std::max_element(latency.begin(), latency.end());
  }
};

}  // namespace quadrille
