// Rotated trees: a broadcast of many pieces on a hypercube, in which every node hears a new piece in every step.
//
// In step t all messages cross dimension t mod d. Piece n leaves the root in step n, for the neighbour in that step's
// dimension, from which it goes down a binomial tree whose first dimension is the next one; so the trees of pieces that follow
// each other are turned by a dimension, and of d such no two meet at a node in one step (Johnsson and Ho 1989, edge-disjoint
// spanning binomial trees). A node hears piece n over its last set bit, in the order of dimensions from n's on, or, where it
// has not the bit of n's dimension, over that dimension after all others.
//
// Numbers beyond the last piece stand for the last one (Traeff and Ripke 2008), so that d - 1 steps after it has left the root,
// for every neighbour in turn, everybody has all: C + d - 1 steps, which no plan of one port beats.
//
// With k ports pieces are dealt out to k such streams, a fixed number of dimensions apart: ceil(C / k) + d - 1 steps.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/hypercubes/spanning_hypercube.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class RotatedTrees {
 public:
  /// From the problem's root, on a hypercube that spans its network.
  RotatedTrees(const Problem& problem, SpanningHypercube cube);

  [[nodiscard]] uint64_t steps() const { return uint64_t{most_pieces_} + cube_.dimensions() - 1; }
  /// Pieces over the busiest link: one of the root's.
  [[nodiscard]] uint64_t busiest_link() const;
  void send(StepSink& sink) const;

 private:
  [[nodiscard]] uint32_t pieces_of(uint32_t stream) const {
    return (pieces_ + streams_ - 1 - stream) / streams_;
  }
  [[nodiscard]] uint32_t first_dimension(uint32_t stream) const {
    return static_cast<uint32_t>(uint64_t{stream} * cube_.dimensions() / streams_);
  }

  Problem problem_;
  SpanningHypercube cube_;
  uint32_t pieces_;
  uint32_t streams_;      // no more than pieces
  uint32_t most_pieces_;  // of a stream
};

/// Streams that the ports and dimensions allow.
[[nodiscard]] uint32_t most_streams(const Model& model, const SpanningHypercube& cube);

}  // namespace quadrille
