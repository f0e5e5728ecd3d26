// Refutations that are kept: tori on which a one-port broadcast in so many steps has been refuted, though no
// closed bound excludes it.
//
// Each is an entry of data/refutations (stored/stored_entry.h) beside a file <proof>, a refutation
// (search/refutation.h) of the formula of OnePortBroadcast (search/one_port_broadcast.h) for that torus from
// node 0. The tests check every file; where one does not check, they leave a new one beside it.
//
// What is kept is quick to look up, and says something of a formula that is quick to solve. A plan file holds
// a refutation that needs no belief (search/plain_refutation.h); it is longer, and found again for each file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/stored/stored_entry.h"

namespace quadrille {

struct KeptRefutation {
  std::vector<uint32_t> sides{};  ///< of the torus, ascending
  uint32_t steps = 0;             ///< in which no broadcast is done
  uint32_t lemmas = 0;
  std::string_view proof{};  ///< the file's name, in data/refutations
  std::string_view path{};   ///< of the entry

  /// Reads an entry. Throws InternalError for anything else than the form above.
  explicit KeptRefutation(const StoredEntry& entry);
};

/// All of them.
[[nodiscard]] std::span<const KeptRefutation> kept_refutations();
/// The bound that these are witnesses of.
inline constexpr std::string_view kRefutationBound = "refuted_broadcast";
/// For the plan file of a problem on a small graph whose bound rests on a refutation: one of the same that a stranger can check,
/// from the root of the problem. Takes as long as the bound and somewhat longer; nothing for other problems.
[[nodiscard]] std::optional<RefutationWitness> refutation_in_a_moment(const Problem& problem);
/// The same, also where the refutation is kept: then it takes a second, and on torus(7,7,7) some fifteen.
[[nodiscard]] std::optional<RefutationWitness> refutation_made_again(const Problem& problem);
/// What the heads of entries say.
[[nodiscard]] const StoredKind& kept_refutation_kind();

}  // namespace quadrille
