// PlanFile: what a plan's text form and its JSON form both hold, and the sink that writes either as steps
// come.
//
//     PlanFile file = read_plan(text, "net.plan");       // plan_reader.h: either form
//     file.problem, file.plan                            // hand them to the judge: a file is only a proposal
//
// Two things of a bad plan survive reading, so that the judge can report them: a hop where the topology has
// no arc is kNoArc in the plan, and a transfer may carry no block. Everything else that a file can get wrong
// (nodes or blocks that do not exist, a plan for another topology) is an InputError: such a file says nothing
// that could be judged.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// The figures that the maker of a plan states. The judge measures them again.
struct StatedFigures {
  std::optional<uint64_t> steps{};
  std::optional<uint64_t> start_ups{};
  std::optional<uint64_t> busiest_link{};
  std::optional<uint64_t> critical_blocks{};

  [[nodiscard]] bool empty() const { return *this == StatedFigures{}; }
  friend bool operator==(const StatedFigures&, const StatedFigures&) = default;
};

/// A lower bound that the maker of a plan held it against.
struct PlanBound {
  std::string name{};
  Rational value{};
  std::optional<BoundWitness> witness{};  ///< what proves it

  friend bool operator==(const PlanBound&, const PlanBound&) = default;
};

/// All of a plan file but the steps: known before the first step is made.
struct PlanHead {
  Problem problem;
  std::string algorithm{};  ///< who made the plan; may be empty
  StatedFigures stated_figures{};
  std::vector<PlanBound> bounds{};
  std::optional<PlanSynchronisation> synchronisation{};  ///< how its steps are kept apart, if that is stated

  /// Same graph under the same name, same collective, model and remarks.
  friend bool operator==(const PlanHead& a, const PlanHead& b);
};

struct PlanFile : PlanHead {
  Plan plan;

  friend bool operator==(const PlanFile& a, const PlanFile& b) = default;
};

/// Takes the next part of a text; a file, a string, a pipe.
using TextOutput = std::function<void(std::string_view)>;

/// Writes steps as they come; memory does not grow with their number. Made by json_plan_writer() and
/// text_plan_writer().
class PlanWriter : public StepSink {
 public:
  /// After the last step; the text is complete only then. Call it once.
  virtual void finish() = 0;
};

/// The nodes of a path of arcs, for writing: `out` gets one node more than there are arcs. Where arcs do not
/// exist or do not join, kNoNode stands in the gap, so that what is read again has no good path either.
void path_nodes(const Topology& topology, std::span<const ArcId> arcs, std::vector<NodeId>& out);

/// The reverse of path_nodes: a hop that the topology has not, or that touches kNoNode, becomes kNoArc.
void path_arcs(const Topology& topology, std::span<const NodeId> nodes, std::vector<ArcId>& out);

/// The complaint about a block name that names no block: says how blocks of this problem are named.
[[nodiscard]] std::string no_such_block(const Problem& problem);

/// The complaint about a value that parse_rational() does not take for a bound: no number, nought below the
/// line, or too large.
[[nodiscard]] std::string no_such_bound(std::string_view value);

/// The complaint about a copy in a collective that does not reduce.
inline constexpr std::string_view kCopyElsewhere =
    "only a reduction can copy instead of adding up; elsewhere the collective says what a transfer does";

/// The same about slots, and about a slot that there is none.
inline constexpr std::string_view kSlotsElsewhere =
    "only a reduction keeps partial sums in slots; elsewhere a node has a block or lacks it";
[[nodiscard]] std::string no_such_slot(uint64_t slot);

/// A name from a stranger as both forms can carry it: one line of UTF-8, no control characters, no blanks at
/// its ends, no '#' that would start a comment; each offending byte becomes '_'.
[[nodiscard]] std::string plain_name(std::string_view text);

/// Refuses a problem with so many more blocks than a file of that many bytes can speak of that judging it
/// would only exhaust the memory: a correct plan names at least half of its blocks. Up to 2^24 blocks are
/// always allowed. Throws InputError.
void check_plan_size(const Problem& problem, size_t bytes);
/// The most that it allows.
[[nodiscard]] uint64_t most_blocks_of(size_t bytes);

}  // namespace quadrille
