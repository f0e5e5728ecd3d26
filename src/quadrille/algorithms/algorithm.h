// Algorithm: a card that says what an algorithm is, when it applies, what it claims, and a function that
// makes a plan.
//
// One algorithm is one file, algorithms/<collective>/<collective>_<method>.cc, that defines one constant card
// named like the file, and one line in catalog.inc. The name is the file, the symbol, the word on the command
// line, the anchor in docs/algorithms.md and the name of its tests. The three functions are pure: the same
// problem gives the same answer and the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective/collective.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Whether an algorithm can serve a problem; if not, the condition that fails, as a sentence fragment that
/// can follow "does not apply: ".
struct Applicability {
  bool applies = true;
  std::string reason{};

  [[nodiscard]] static Applicability yes() { return {}; }
  [[nodiscard]] static Applicability no(std::string why) { return {false, std::move(why)}; }
};

/// What a plan of the algorithm will measure. A figure that is only known once the plan exists is left empty:
/// the suite holds every given figure against the judge's.
struct Claim {
  std::optional<uint64_t> steps{};
  std::optional<uint64_t> start_ups{};     ///< steps in which something is sent
  std::optional<uint64_t> busiest_link{};  ///< blocks over the busiest arc
  /// Most blocks that ever wait for one link (verify/queue_meter.h); given by those who are made to bound it.
  std::optional<uint64_t> queue{};
  /// Sum over the steps of the most blocks in one transfer: what a time per block is paid for. Given under
  /// wormhole switching; under packet switching it equals start_ups.
  std::optional<uint64_t> critical_blocks{};
  /// Blocks that the busiest node moves in its own memory between steps so that every transfer is one slice.
  /// Empty for whoever packs and unpacks instead.
  std::optional<uint64_t> rearranged{};
};

/// One of a family of plans that one card can make, "rotation-even8", and what it claims.
struct Member {
  std::string name{};
  Claim claim{};
};

struct Algorithm {
  std::string_view name{};
  CollectiveKind collective = CollectiveKind::kBroadcast;
  std::string_view summary{};
  std::string_view source{};  ///< paper and theorem
  /// What it assumes and how good it is, for docs: "one port; optimal on every Cayley graph".
  std::string_view remarks{};
  Applicability (*applies)(const Problem&) = nullptr;
  /// Only for problems that it applies to, like generate.
  Claim (*claimed)(const Problem&) = nullptr;
  void (*generate)(const Problem&, StepSink&) = nullptr;
  /// Whether `claimed` does the work of `generate`, seconds on large networks: such a card is asked last, and
  /// only if no other is known to be best.
  bool claimed_by_work = false;

  /// Where a card is a family: its members for a problem, so that `auto` and `--frontier` can look at all of
  /// them, and the plan of one of them. Members that others beat in every figure are left out, except where
  /// they are there to be compared with. `claimed` and `generate` speak of the cheapest().
  std::vector<Member> (*members)(const Problem&) = nullptr;
  /// Only for names that `members` gives.
  void (*generate_member)(const Problem&, std::string_view name, StepSink&) = nullptr;
};

/// The member that costs least by the model's constants, for blocks of so many bytes; among equals the one
/// with fewer start-ups, then fewer blocks. There must be one. Rearrangement counts only where it is claimed:
/// the members of one family all claim it, or none does.
[[nodiscard]] const Member& cheapest(std::span<const Member> members, const Problem& problem,
                                     uint64_t block_bytes = 1);

}  // namespace quadrille
