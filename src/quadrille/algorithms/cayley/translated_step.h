// Translated step: the steps of a schedule in which all nodes of a Cayley graph do the same.
//
// One node's program says: in this step send, along generator k, the block that has come the way a and has
// the way r still to go. Then every node x does so with the block from x*a^-1 to x*r. Two translations of the
// group per transfer of one node tell the blocks of all nodes; nothing is kept per block. A sink that takes the short form
// (schedule/symmetric/symmetric_step.h) gets one node's program itself.
//
//     TranslatedStep step(problem, sink);
//     step.add(k, a, r);            // all nodes
//     step.add(k2, a2, r2);
//     step.flush();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

class TranslatedStep {
 public:
  /// The problem: an alltoall on a Cayley graph without routers. It and the sink must outlive this.
  TranslatedStep(const Problem& problem, StepSink& sink);

  /// All further blocks are this piece of theirs; 0 before.
  void set_piece(uint32_t piece) { piece_ = piece; }

  /// Every node sends along the generator (its position in CayleyStructure::generators) the block that has
  /// moved by `moved` and has `left` still to go.
  void add(size_t generator, uint32_t moved, uint32_t left);
  /// The same, but only the nodes x with chosen[x] do: in no plan that its card calls the same at all nodes.
  void add(size_t generator, uint32_t moved, uint32_t left, const std::vector<bool>& chosen);

  [[nodiscard]] bool empty() const { return arcs_.empty() && moves_.empty(); }
  /// Pushes what was added, empty or not, and starts the next step.
  void flush();

 private:
  void translate(uint32_t moved, uint32_t left);

  const CayleyStructure& cayley_;
  StepSink& sink_;
  SymmetricSink* brief_;  // null: all transfers are written out
  uint32_t num_nodes_;
  uint32_t pieces_;
  uint32_t piece_ = 0;
  std::vector<std::vector<ArcId>> hops_;  // per generator: the arc of each node
  std::vector<uint32_t> sources_;
  std::vector<uint32_t> destinations_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
  std::vector<SymmetricMove> moves_;
};

}  // namespace quadrille
