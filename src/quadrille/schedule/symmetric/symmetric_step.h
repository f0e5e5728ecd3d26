// Symmetric steps: the short form of steps that are the same at all nodes of a Cayley graph.
//
// Such a step is said by what one node does. "Every node x sends along generator k the block that has come the way a and
// has the way r still to go" is N transfers, of the blocks from x*a^-1 to x*r, in four numbers. Of a total exchange on
// torus(64,64) that is 131,072 moves instead of 537 million transfers.
//
//     if (SymmetricSink* brief = sink.symmetric()) brief->push_symmetric(moves);   // it takes them as they are
//     else ...                                                                     // all transfers are written out
#pragma once

#include <cstdint>
#include <span>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// A transfer at every node. Ways are elements of the group.
struct SymmetricMove {
  uint32_t generator = 0;  ///< the link that it takes: a position in CayleyStructure::generators
  uint32_t moved =
      0;  ///< from where the block began to the sender; 0 in a reduce_scatter, where it begins everywhere
  uint32_t left =
      0;  ///< from the sender to where it must go, in a total exchange or reduce_scatter; in an allgather 0
  uint32_t piece = 0;   ///< of those of a node
  bool copies = false;  ///< in an allreduce: TransferOp::kCopy
  bool joins =
      false;  ///< in one transfer with the move before it, along the same generator: where it carries many

  friend bool operator==(const SymmetricMove&, const SymmetricMove&) = default;
};

/// The arc and the block of one node's transfer. The problem: an alltoall, an allgather or a reduction to all, whose blocks have
/// numbers, on a Cayley graph in which every node takes part. The blocks of an allreduce are dealt out to the nodes, to each as many that
/// follow each other; one "goes" to the node that it is dealt out to.
[[nodiscard]] ArcId arc_at(const Problem& problem, const SymmetricMove& move, NodeId sender);
[[nodiscard]] BlockId block_at(const Problem& problem, const SymmetricMove& move, NodeId sender);

/// Adds one node's transfers to a step that is written out.
void add_transfers(const Problem& problem, std::span<const SymmetricMove> moves, NodeId sender,
                   StepBuilder& step);

/// Receives steps in the short form, in order: a plan comes in one form from its first step to its last.
class SymmetricSink {
 public:
  virtual void push_symmetric(std::span<const SymmetricMove> moves) = 0;

 protected:
  // Only as a part of a StepSink.
  SymmetricSink() = default;
  SymmetricSink(const SymmetricSink&) = default;
  SymmetricSink(SymmetricSink&&) noexcept = default;
  SymmetricSink& operator=(const SymmetricSink&) = default;
  SymmetricSink& operator=(SymmetricSink&&) noexcept = default;
  ~SymmetricSink() = default;
};

}  // namespace quadrille
