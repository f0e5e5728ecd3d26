// Mended copies: how a block comes to all endpoints, with a fault, by as many of its hops as there were.
//
//     std::vector<MendedHop> now = copies.undamaged(origin, before);   // of all blocks, before the first
//     copies.complete(origin, before, now);
//
// Read backwards the same is a reduction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/topology/topology.h"
#include "quadrille/transforms/mending/dead_parts.h"
#include "quadrille/transforms/mending/mended_hops.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {

class MendedCopies {
 public:
  /// What is referred to must outlive it.
  MendedCopies(const Topology& topology, const DeadParts& dead, StepReservations& machine)
      : topology_(topology), dead_(dead), machine_(machine) {}

  /// Who has the block at first, and from which step on.
  struct Origin {
    NodeId node = kNoNode;
    uint32_t from = 0;
  };

  /// Hops, of some in the order of time, that need nobody who lacks the block now; their steps are reserved.
  [[nodiscard]] std::vector<MendedHop> undamaged(const Origin& origin, const std::vector<MendedHop>& hops);
  /// All living endpoints have it by these, `now` first. What was lost comes in its order: what is sent on from those who have the block
  /// again may stay.
  void complete(const Origin& origin, const std::vector<MendedHop>& before, std::vector<MendedHop>& now);
  /// Takes out what comes to somebody who is no endpoint and passes it on to nobody: read backwards, who has nothing to send.
  void drop_dead_ends(std::vector<MendedHop>& hops) const;

 private:
  // When each node has it.
  [[nodiscard]] std::vector<uint32_t> times(const Origin& origin, const std::vector<MendedHop>& hops) const;

  const Topology& topology_;
  const DeadParts& dead_;
  StepReservations& machine_;
  std::vector<std::pair<uint32_t, NodeId>> sources_{};
};

}  // namespace quadrille
