// Kept bounds: while it is decided what plan a problem gets, what the cards of bounds said is kept, since the same is asked
// for single packets and for many, for the choice and for the report.
//
//     const KeptBounds kept;                                // whoever decides
//     std::optional<Bound> bound = KeptBounds::evaluate(card, problem);
//     const KeptBounds here(kept_there);                    // a thread that does a part of it; of_this_thread() of who gave it
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// While it lives, cards that are asked by this thread say again what they have said; of several the first one counts. Threads that
/// share the parts of a job keep where that began: whoever asks for what another one is being asked for waits for it.
class KeptBounds {
 public:
  KeptBounds();
  /// Of a job: whoever keeps where that began, or, if nobody does, this one.
  explicit KeptBounds(KeptBounds* of_job);
  ~KeptBounds();
  KeptBounds(const KeptBounds&) = delete;
  KeptBounds& operator=(const KeptBounds&) = delete;

  /// Who keeps on this thread, if anybody.
  [[nodiscard]] static KeptBounds* of_this_thread();

  /// What the card says, now or before; where nobody keeps, now.
  [[nodiscard]] static std::optional<Bound> evaluate(const BoundCard& card, const Problem& problem);

 private:
  struct Entry {
    Entry(const BoundCard& asked, Problem of) : card(&asked), problem(std::move(of)) {}

    const BoundCard* card;
    Problem problem;
    std::mutex mutex{};
    std::optional<std::optional<Bound>> bound{};
  };
  // Null where too many are kept already.
  [[nodiscard]] Entry* entry_of(const BoundCard& card, const Problem& problem);

  std::mutex mutex_{};
  std::vector<std::unique_ptr<Entry>> entries_{};
  bool is_first_ = false;
};

}  // namespace quadrille
