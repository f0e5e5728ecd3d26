// Asked key: what tells questions to lenders on one network apart, but for sizes: the collective, the machine, and which way
// round the links are.
#pragma once

#include <compare>
#include <cstdint>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct AskedKey {
  CollectiveKind kind{};
  bool turned = false;  ///< its links are the network's, turned round
  uint32_t sends = 0;
  uint32_t receives = 0;
  Switching switching{};
  Packets packets{};
  Duplex duplex{};
  Routing routing{};
  uint32_t root = 0;

  friend auto operator<=>(const AskedKey&, const AskedKey&) = default;
};

/// `turned`: it is on the network turned round, which is another one only where links are directed.
[[nodiscard]] AskedKey asked_key(const Problem& problem, bool turned);

}  // namespace quadrille
