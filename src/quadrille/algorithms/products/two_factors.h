// Two factors: a product seen as A x B, in the words of the 1996 dissertation (chapter 5) and the 1998 paper on
// total exchange. Node (i,j) is node i of A and node j of B, counted from 0. The n_2 copies of A are A_j, with
// all nodes (*,j); the n_1 copies of B are B_i, with all nodes (i,*).
//
//     const TwoFactors net(product, 1);          // A: the first dimension; B: the others
//     net.arc_in_a(arc, j);                      // an arc of A in the copy A_j
//     net.block(i, j, k, l, pieces);             // of (i,j), for (k,l)
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class TwoFactors {
 public:
  /// A has the first `split` dimensions of the product, B the others; one at least each.
  TwoFactors(const Topology& product, size_t split);

  [[nodiscard]] const Topology& a() const { return a_; }
  [[nodiscard]] const Topology& b() const { return b_; }
  [[nodiscard]] uint32_t n1() const { return n1_; }
  [[nodiscard]] uint32_t n2() const { return n2_; }

  [[nodiscard]] uint32_t node(uint32_t i, uint32_t j) const { return i * n2_ + j; }
  /// The first piece of the block of (i,j) for (k,l) in a total exchange.
  [[nodiscard]] uint32_t block(uint32_t i, uint32_t j, uint32_t k, uint32_t l, uint32_t pieces) const {
    return (node(i, j) * n1_ * n2_ + node(k, l)) * pieces;
  }
  [[nodiscard]] ArcId arc_in_a(ArcId arc, uint32_t j) const { return in_a_[index(arc) * n2_ + j]; }
  [[nodiscard]] ArcId arc_in_b(ArcId arc, uint32_t i) const { return in_b_[index(arc) * n1_ + i]; }

 private:
  Topology a_;
  Topology b_;
  uint32_t n1_;
  uint32_t n2_;
  std::vector<ArcId> in_a_;
  std::vector<ArcId> in_b_;
};

/// What a box of a paper says, or what it must say.
enum class Print : uint8_t { kAsPrinted, kCorrected };

}  // namespace quadrille
