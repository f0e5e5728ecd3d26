// Few centres: a gossip by worms on a large network, most of which tell a few nodes and hear from these.
//
// Read backwards, a broadcast along paths (worm_broadcast/along_paths.h) gathers: step by step fewer nodes have what all have. When
// few are left they gossip among each other, over all links that there are, and then tell everybody, as they had been told. Where
// n nodes take b steps to one of them, 2 b - 1 as a rule do to all; about 2^j centres that gossip in j steps it is 2 b - j.
// Centres may be routers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/algorithms/worm_exchange/gossip_worm.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct CentreGossip {
  std::vector<NodeId> centres{};  ///< ascending; no router that has nothing to pass on
  GossipSteps in{};               ///< everybody else sends once, all that it has heard of
  GossipSteps among{};            ///< from centres to centres, as a rule; others may pass on what these say
  GossipSteps out{};              ///< everybody else hears once, of all

  [[nodiscard]] size_t steps() const { return in.size() + among.size() + out.size(); }
};

inline constexpr uint32_t kMostAboutCentres = 1'024;  ///< nodes of a network on which it is looked for

[[nodiscard]] Applicability gossips_over_centres_apply(const Problem& problem);

/// No such gossip takes fewer steps.
[[nodiscard]] uint64_t least_steps_over_centres(const Problem& problem);

/// With one centre, and with more and more, the fewest steps first. The links must lead both ways. Whoever asks again, on whichever
/// thread, gets what was found.
[[nodiscard]] std::shared_ptr<const std::vector<CentreGossip>> gossips_over_centres(const Problem& problem);

}  // namespace quadrille
