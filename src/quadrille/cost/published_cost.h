// Published costs: what algorithms of the literature cost that are not built here. Model only.
//
// A card is a formula out of a paper, taken over and not recomputed: it makes no plan, so nothing of it was
// judged, and it is never offered as an algorithm. It is there so that a schedule of ours can be held against
// what others promise:
//
//     for (const PublishedCost* card : published_costs()) {
//       if (!card->refuses(problem)) print(card->name, card->cost(problem).time(problem.model().cost,
//       bytes));
//     }
//
// One card is one file in cost/ and one line in catalog.inc; `quadrille list costs`, `quadrille explain NAME
// --on TOPOLOGY` and the table in docs/algorithms.md come from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/catalog.h"
#include "quadrille/collective/collective.h"
#include "quadrille/model/model.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The parts of a cost, as the judge counts those of a plan; where a paper does not give a part it is empty.
struct CostParts {
  uint64_t start_ups = 0;                     ///< steps in which something is sent
  std::optional<uint64_t> critical_blocks{};  ///< the largest transfer of each step, added up
  std::optional<uint64_t> rearranged{};       ///< blocks that a node moves within its memory, over all phases
  std::optional<uint64_t> critical_hops{};    ///< the longest way of each step, added up

  /// By the model's time_of; parts that are not known count nothing.
  [[nodiscard]] double time(const CostConstants& constants, uint64_t block_bytes) const;
  /// "6 start-ups, 192 blocks on the critical path, 128 blocks rearranged, 12 hops".
  [[nodiscard]] std::string to_text() const;
  friend bool operator==(const CostParts&, const CostParts&) = default;
};

struct PublishedCost {
  std::string_view name{};
  CollectiveKind collective = CollectiveKind::kBroadcast;
  std::string_view summary{};
  std::string_view source{};
  std::string_view formula{};  ///< the parts in ASCII, and what the letters mean
  /// The condition that fails, as a fragment that can follow "does not apply: "; nothing where the formula
  /// holds.
  std::optional<std::string> (*refuses)(const Problem&) = nullptr;
  /// Only for problems that it does not refuse.
  CostParts (*cost)(const Problem&) = nullptr;
};

/// All cards, sorted by name.
[[nodiscard]] const Catalog<PublishedCost>& published_costs();

}  // namespace quadrille
