// Refutations that are kept: tori on which a one-port broadcast in so many steps has been refuted, though no
// closed bound excludes it.
//
// Each is an entry of data/refutations (stored/stored_entry.h) beside a file <proof>, a refutation
// (search/refutation.h) of the formula of OnePortBroadcast (search/one_port_broadcast.h) for that torus from
// node 0. The tests check every file; where one does not check, they leave a new one beside it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
/// What the heads of entries say.
[[nodiscard]] const StoredKind& kept_refutation_kind();

}  // namespace quadrille
