// Kept bounds: while it is decided what plan a problem gets, what the cards of bounds said is kept, since the same is asked
// for single packets and for many, for the choice and for the report.
//
//     const KeptBounds kept;                                // whoever decides
//     std::optional<Bound> bound = KeptBounds::evaluate(card, problem);
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// While it lives, cards that are asked by this thread say again what they have said; of several the first one counts.
class KeptBounds {
 public:
  KeptBounds();
  ~KeptBounds();
  KeptBounds(const KeptBounds&) = delete;
  KeptBounds& operator=(const KeptBounds&) = delete;

  /// What the card says, now or before; where nobody keeps, now.
  [[nodiscard]] static std::optional<Bound> evaluate(const BoundCard& card, const Problem& problem);

 private:
  struct Entry {
    const BoundCard* card;
    Problem problem;
    std::optional<Bound> bound;
  };
  std::vector<std::unique_ptr<const Entry>> entries_{};
  bool is_first_ = false;
};

}  // namespace quadrille
