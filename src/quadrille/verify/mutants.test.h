// Mutants: plans that were good until something was done to them, for tests of the judges.
//
// A mutant may still be a good plan. That is for the judges to say, and whether they say the same is the
// test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille::testing {

/// A plan that can be edited.
struct LooseTransfer {
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  TransferOp op = TransferOp::kDefault;
  SumSlots slots{};
};
using LoosePlan = std::vector<std::vector<LooseTransfer>>;

[[nodiscard]] LoosePlan loosen(const Plan& plan);
[[nodiscard]] Plan tighten(const LoosePlan& loose);

enum class Mutation : uint8_t {
  kDrop,          ///< a transfer is left out
  kDouble,        ///< is made twice, in its own step or in another
  kSwap,          ///< changes places with another
  kMove,          ///< is made in another step
  kReorder,       ///< two steps change places
  kPause,         ///< a step in which nothing is sent
  kForget,        ///< a whole step is left out
  kReroute,       ///< one arc of a path is another
  kBreak,         ///< one arc of a path does not exist
  kShorten,       ///< a path lacks its first or last arc
  kLengthen,      ///< a path goes on from where it ended
  kThereAndBack,  ///< a path goes back over its last link, and over it again
  kBackwards,     ///< a path leads back from where it led to
  kRetarget,      ///< a block is another, or one that does not exist
  kOverload,      ///< one more block is carried
  kSwapBlocks,    ///< two transfers exchange what they carry
  kSplit,         ///< a transfer's blocks go in two transfers
  kMerge,         ///< a transfer takes what another carries, too
  kCopyFlag,      ///< a sum becomes a copy, or the reverse
  kSendSlots,     ///< other slots are sent, or none
  kKeepInSlot,    ///< what comes goes into another slot, or one that does not exist
  kEmpty,         ///< no path, or no blocks
};
inline constexpr int kMutations = 22;

/// Spoils the plan in one place.
void mutate(Mutation mutation, const Problem& problem, LoosePlan& plan, Rng& rng);

/// Wrong whatever the plan was: no such path, nothing carried, or one transfer of a plan without a
/// superfluous one too few or too many (but a router may receive a copy twice).
[[nodiscard]] bool is_surely_wrong(Mutation mutation, const Problem& problem);

/// The plan as a file in the text form, to be pasted into one. Blocks that do not exist cannot be written
/// there: they are left out and named in a comment.
[[nodiscard]] std::string text_of(const Problem& problem, const Plan& plan);

/// Whether a file can hold the plan: every block has a name, every transfer goes somewhere, and only
/// reductions copy.
[[nodiscard]] bool can_be_written(const Problem& problem, const Plan& plan);

}  // namespace quadrille::testing
