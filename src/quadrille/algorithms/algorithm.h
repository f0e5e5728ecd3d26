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
};

}  // namespace quadrille
