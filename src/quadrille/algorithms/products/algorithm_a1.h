// Algorithm A1 of the 1996 dissertation (Fig. 5.2) and the 1998 paper (Fig. 3): a total exchange of A x B in
// two phases.
//
//     1  For every i = 1, .., n_1
//     2    For every j = 1, .., n_2
//     3      For every k = 1, .., n_2, k != j                      (printed: k != i)
//     4        Transfer messages m_(i,j)(*,k) to node (i,k);
//     5  For every k = 1, .., n_2
//     6    Do in parallel for all A_j, j = 1, .., n_2
//     7      In A_j perform Total Exchange with node (i,j) sending messages m_(i,k)(*,j);
//
// A transfer sends the n_1 messages one behind another along a shortest path of B_i: n_1 + dist(j,k) - 1 steps,
// in which no node sends or receives two. Line 1 as it stands takes one i after the other; section 5.3 then
// does all i in parallel, since paths within different copies of B have no node in common. With S_B the sum of
// all distances of B, and T_A the time of a total exchange of A,
//
//     T = n_1 (n_2 (n_2-1) (n_1-1) + S_B) + n_2 T_A         one copy of B after the other
//     T =      n_2 (n_2-1) (n_1-1) + S_B  + n_2 T_A         all copies at once
//
// In more dimensions A is the product of all but the last, and is exchanged in the same way.
//
// As printed, line 3 leaves out the transfers from (i,j) to (i,i), and makes some that go nowhere: the smallest
// product that loses a message is 1 x 2, the smallest with two factors of more than one node 2 x 2, which loses
// 4 of 12.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/products/two_factors.h"
#include "quadrille/schedule/plan.h"

namespace quadrille {

/// Whether there is an A and a B. One of them may have a single node.
[[nodiscard]] Applicability is_product_of_two(const Topology& topology);

enum class CopiesOfB : uint8_t { kOneAfterAnother, kAllAtOnce };

class AlgorithmA1 {
 public:
  /// On a product of two dimensions or more, all nodes of which are endpoints.
  AlgorithmA1(const Problem& problem, std::span<const FactorCandidate> candidates, CopiesOfB copies,
              Print print = Print::kCorrected);

  /// Of the corrected form.
  [[nodiscard]] Prediction prediction() const;
  void generate(StepSink& sink) const;

 private:
  // Of the product of the first dimensions.
  struct Figures {
    uint64_t steps = 0;
    std::optional<uint64_t> busiest_link{};
  };

  [[nodiscard]] Figures figures(size_t level, uint32_t pieces) const;
  void exchange(size_t level, uint32_t pieces, StepSink& sink) const;
  void transfer_all(const TwoFactors& net, uint32_t pieces, StepSink& sink) const;

  CopiesOfB copies_;
  Print print_;
  uint32_t pieces_;
  std::shared_ptr<const FactorExchange> first_;  // of the first dimension: a total exchange with one piece
  std::vector<TwoFactors> levels_;               // level l splits the last of the first l + 2 dimensions off
};

}  // namespace quadrille
