// What exchanges ask of a problem before they look at its structure.
//
//     if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
//     if (Applicability fits = all_ports(problem); !fits.applies) return fits;
#pragma once

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// Packet switching, links that carry both ways at once, and no node that only routes.
[[nodiscard]] Applicability every_node_takes_part(const Problem& problem);

/// As many ports as links: a node may use all its links in every step.
[[nodiscard]] Applicability all_ports(const Problem& problem);

/// Both.
[[nodiscard]] Applicability multiport_exchange(const Problem& problem);

/// A transfer may carry any number of blocks, and no node only routes.
[[nodiscard]] Applicability bundles_between_nodes(const Problem& problem);

/// For cards whose messages cross each other's paths. Of packets they ask first, and of worms after all else: a machine that shares
/// links is asked what worms could do, too, and where neither will do says what they say.
[[nodiscard]] Applicability on_shared_links(const Problem& problem);

/// And two nodes at least, and links that carry both ways at once: neighbours can talk in pairs.
[[nodiscard]] Applicability bundles_between_partners(const Problem& problem);

/// A transfer may carry any number of blocks, and every node may use all its links, each as often as its capacity says, in
/// both directions in one step.
[[nodiscard]] Applicability bundles_on_all_links(const Problem& problem);

/// And no node only routes.
[[nodiscard]] Applicability bundles_over_all_links(const Problem& problem);

/// The first of packets, which routers pass on; the second of worms, whose every hop is one by itself.
[[nodiscard]] Applicability bundles_as_switched(const Problem& problem);

}  // namespace quadrille
