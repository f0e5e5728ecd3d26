// Algorithm A3 of the 1996 dissertation (Fig. 5.5) and the 1998 paper (Fig. 6): a total exchange of H x H with
// all ports. Two procedures run side by side, n rounds each, and a round is a total exchange of H in all copies:
//
//     TEB, in the copies B_i:  in round r < n, (i,j) sends its message for (i+f(r,l), j+l) to (i,j+l), for
//                              l = 1, .., n-1;  in round n, its messages for (i,*)
//     TEA, in the copies A_j:  in round 1, (i,j) sends its messages for (*,j);
//                              in round r = 2, .., n what it received in TEB's round r-1   (printed: to n-1)
//
// where f(r,l) = ((r-2+l) mod (n-1)) + 1 turns the natural order of l by r-1. So what TEB brings in a round is
// one message for every other node of the copy of A, from (i,j-l) to (i+f(r,l),j), and TEA takes it on in the
// next. T = n T_H; and on H^d, d = 2^p, where A and B are H^(d/2), n^(d-1) T_H.
//
// As printed, TEA never sends what TEB brings in its round n-1. Every product loses messages, the smallest is
// L_2 x L_2.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/products/two_factors.h"
#include "quadrille/schedule/plan.h"

namespace quadrille {

/// f(r,l) for r, l = 1 .. n-1.
[[nodiscard]] constexpr uint32_t a3_offset(uint32_t n, uint32_t r, uint32_t l) {
  return (r + l + n - 3) % (n - 1) + 1;
}

/// Whether the problem's network is H^d with d = 2, 4, 8, .., dimensions of one node aside.
[[nodiscard]] Applicability is_even_power(const Topology& topology);

class AlgorithmA3 {
 public:
  /// On a product that is_even_power.
  AlgorithmA3(const Problem& problem, std::span<const FactorCandidate> candidates,
              Print print = Print::kCorrected);

  /// Of the corrected form.
  [[nodiscard]] Prediction prediction() const;
  void generate(StepSink& sink) const;

 private:
  void exchange(const TwoFactors& net, const Plan& half, uint32_t pieces, StepSink& sink) const;

  Topology topology_;
  Print print_;
  uint32_t pieces_;
  std::shared_ptr<const FactorExchange> first_;  // of one dimension
};

}  // namespace quadrille
