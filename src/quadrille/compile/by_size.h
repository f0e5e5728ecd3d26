// By size: what can do a job for messages of any size, in however many pieces, and which is best where.
//
// A plan is two figures that do not depend on the size, start-ups and rounds, and a number of pieces; so all cards are
// asked once for each number of pieces that may be good, and then a sweep over sizes is arithmetic:
//
//     const Problem problem = make_problem(parse_topology("torus(8,8)"), CollectiveKind::kAllreduce, model);
//     const SizeSweep sweep = sweep_sizes(problem, {64, 65536, 1 << 26}, 2);
//     sweep.rows[1].best    // an index into sweep.plans: allreduce_dimensions in 256 pieces, ...
//
// Nothing is made and judged here beyond what cards need for their predictions: compile() does that with the name and the
// pieces that come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/runner_up.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct SizedPlan {
  std::string algorithm{};  ///< as compile() and --algorithm take it
  bool model_only = false;  ///< a published cost
  uint32_t pieces = 1;
  uint64_t start_ups = 0;
  uint64_t rounds = 0;  ///< pieces on the critical path
  std::optional<uint64_t> hops{};
  std::optional<uint64_t> rearranged{};
  std::optional<uint64_t> further_messages{};  ///< of one node in each step, beyond its first, added up
  Effort effort = Effort::kLittle;             ///< of making it
  /// Where a figure that costs time is not known yet, and the plan can be made to measure it.
  PreparedPlan prepared{};

  /// Without what is not known.
  [[nodiscard]] double time(const CostConstants& cost, uint64_t message_bytes) const;
};

/// Every card that serves the problem and predicts both figures (or says them by its plan, where that is small), in the
/// numbers of pieces that may be good: its own (Algorithm::chunks), 1, and multiples as long as they lessen what goes over a
/// link. Of those, whichever no other reaches in start-ups and rounds per message stays. `threads`: at most that many.
struct SizedQuestion {
  std::string_view only{};  ///< the one algorithm that is asked, with its member if it is to be a certain one
  /// Of the algorithms that say in what pieces they are good; between switches, and where all are neighbours, others, too, with
  /// whole messages.
  bool own_pieces_only = false;
  std::optional<uint32_t> pieces{};  ///< no other number
  /// On small networks what can be lent (lending/lending.h), too: in one piece, or as many as are given.
  bool lent = false;
  /// What cards do not predict is measured on larger networks, too, unless plans have very many blocks.
  bool measures = false;
  /// What can only take longer than others for a message of so many is left out: members of a family, and pieces where something is
  /// known to be faster whole.
  std::optional<uint64_t> bytes{};
  double known = std::numeric_limits<double>::infinity();  ///< what something else takes for these
};
[[nodiscard]] std::vector<SizedPlan> sized_plans(const Problem& problem, unsigned threads,
                                                 const SizedQuestion& question = {});

/// What is best for one size.
struct SizedChoice {
  SizedPlan plan{};
  std::string reason{};
  std::optional<RunnerUp> next{};  ///< the best of the other algorithms
};
/// Of an algorithm, or of "auto" (on large networks, of those that say in what pieces they are good), in the number of
/// pieces that is given, or any; nothing where no algorithm says both figures, or no plan can be judged here. Of plans
/// that take equally long one that is made with little effort. The problem is one in one piece. `known`: the time of something
/// else, where hops, messages or rearrangement cost; who takes longer may be left out.
[[nodiscard]] std::optional<SizedChoice> choose_by_size(
    const Problem& problem, std::string_view algorithm, uint64_t message_bytes, unsigned threads,
    std::optional<uint32_t> pieces = {}, double known = std::numeric_limits<double>::infinity());
/// Whether plans that take much work to know, and numbers of pieces of which a card does not say that they are good, are
/// not asked there.
[[nodiscard]] bool is_large_for_sizes(const Problem& problem);
/// Whether what all algorithms take is found out in seconds, where cards do not predict it (SizedQuestion::measures).
[[nodiscard]] bool is_measured_soon(const Problem& problem);
/// No algorithm says how long it takes.
[[nodiscard]] InputError nothing_is_timed(const Problem& problem);
/// The same with many packets over a link in a step, where packets are switched and it is `free` how many go: a plan for
/// single ones is one for many, and as fast.
[[nodiscard]] Problem with_packets_of_sizes(const Problem& problem, bool free);
/// The same with every block in so many pieces.
[[nodiscard]] Problem in_pieces(const Problem& problem, uint32_t pieces);

struct SizeRow {
  uint64_t bytes = 0;
  size_t best = 0;  ///< into the plans; of those that are built
  double time = 0.0;
  std::optional<size_t> next{};  ///< the second best by another algorithm
  TimeBound bound{};
};

struct SizeSweep {
  std::vector<SizedPlan> plans{};  ///< by rising start-ups
  std::vector<SizeRow> rows{};     ///< one for each size
};

/// Throws InputError where no algorithm serves the problem. The problem is one in one piece.
[[nodiscard]] SizeSweep sweep_sizes(const Problem& problem, std::span<const uint64_t> sizes,
                                    unsigned threads);

}  // namespace quadrille
