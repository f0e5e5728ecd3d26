// Mended steps: the short form of a plan for what faults have left of a Cayley graph.
//
// It is a plan of the whole network that is the same at all nodes (symmetric_step.h), without the transfers of some blocks, and
// with transfers that are written out: those blocks, on other ways. Of torus(16,16,16) with a dead link 49,000 moves,
// 16,000 blocks and their hops say what 200 million transfers say.
//
//     if (MendedSink* brief = sink.mended()) {
//       brief->begin_mended({whole, original, removed});
//       brief->push_mended(moves, moved);             // of every step
//     }
//
// What is sent in such a step: every node of the whole does the moves, but for transfers of removed blocks; and `moved`.
#pragma once

#include <span>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// What stands before the steps.
struct MendedPlanHead {
  const Topology& whole;             ///< the network without its faults, a Cayley graph
  std::span<const NodeId> original;  ///< of each node that is left, its number there
  std::span<const BlockId> removed;  ///< blocks of the exchange on the whole, ascending
};

/// Receives a plan in the short form: its head, then its steps in order. A plan comes in one form from its first step to its last.
class MendedSink {
 public:
  virtual void begin_mended(const MendedPlanHead& head) = 0;
  /// `moves` are of the whole; `moved` has arcs and blocks of what is left, a block over an arc.
  virtual void push_mended(std::span<const SymmetricMove> moves, const StepView& moved) = 0;

 protected:
  // Only as a part of a StepSink.
  MendedSink() = default;
  MendedSink(const MendedSink&) = default;
  MendedSink(MendedSink&&) noexcept = default;
  MendedSink& operator=(const MendedSink&) = default;
  MendedSink& operator=(MendedSink&&) noexcept = default;
  ~MendedSink() = default;
};

}  // namespace quadrille
