// Algorithm: a card that says what an algorithm is, when it applies, and how it prepares a plan.
//
// One algorithm is one file, algorithms/<collective>/<collective>_<method>.cc, that declares and defines one
// constant card named like the file, and one line in catalog.inc. The name is the file, the symbol, the word
// on the command line, the anchor in docs/algorithms.md and the name of its tests. Both functions are pure:
// the same problem gives the same answer and the same bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/base/catalog.h"
#include "quadrille/collective/collective.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// In how many chunks (pieces) a card is good. The planner tries multiples of `unit`: the least one, or, of a
/// card that streams, the one that takes the least time.
struct Chunking {
  uint32_t unit = 1;
  bool streams = false;  ///< more chunks fill a pipeline: steps grow by less than the chunks shrink
};

/// For cards of which something is true of every problem that they apply to.
[[nodiscard]] inline bool always(const Problem& /*problem*/) { return true; }

struct Algorithm {
  std::string_view name{};
  CollectiveKind collective = CollectiveKind::kBroadcast;
  std::string_view summary{};
  std::string_view source{};  ///< paper and theorem
  /// What it assumes and how good it is, for docs: "one port; optimal on every Cayley graph".
  std::string_view remarks{};
  /// Whether what it predicts needs no ids of blocks: then it answers, too, where these are only counted
  /// (Collective::for_figures) and no plan can be made. It alone is asked on outlines (topology/products/outline.h); whoever
  /// looks for a link there has nothing to say.
  bool counts_alone = false;
  /// Of a reduction: whether its sums may be of consecutive ranks, so that its plans are worth a look where the
  /// operator does not commute. Whether they are is found out on every plan (prepare()).
  bool may_keep_order = false;
  /// Whether its plan for a problem that it applies to is the same after every translation of a Cayley graph: then one
  /// node's program is everybody's (in an allreduce, whose blocks are dealt out to the nodes, with these turned, too), and its
  /// steps go where a sink takes the short form (schedule/symmetric/symmetric_step.h). Null: no.
  bool (*same_at_all_nodes)(const Problem&) = nullptr;
  /// Whether it searches for long what cards that know more of the network may have at once: where messages have a size it is
  /// asked after the others, with what they take.
  bool is_asked_last = false;
  /// Whether pieces of a block overtake each other, as they do where what is scarce goes first: then no plan is made to see whether
  /// they come in order (model/model.h, Chunks).
  bool mixes_pieces = false;
  Applicability (*applies)(const Problem&) = nullptr;
  /// Where the planner may choose the pieces: which are good for the card, given the problem in one piece.
  /// Null: one.
  Chunking (*chunks)(const Problem&) = nullptr;
  /// Only for problems that it applies to. One plan; or where the card is a family its members, so that
  /// `auto` and `--frontier` can look at all of them. Members that others beat in every figure are left out,
  /// except where they are there to be compared with.
  Preparation (*prepare)(const Problem&) = nullptr;

  /// The plan for a problem that it applies to; of a family the one that costs least. Throws InputError where
  /// it does not apply.
  [[nodiscard]] PreparedPlan plan_for(const Problem& problem) const;
};

/// Both answers: why the card does not apply, or its plans. Of a card that does not know the model, those for a
/// machine that can do less: what goes one packet at a time goes so, too, where many may, and worms that share
/// no arc go where they might. Where the operator does not commute, only plans whose sums are of consecutive ranks.
[[nodiscard]] Preparation prepare(const Algorithm& card, const Problem& problem);

/// All algorithms, sorted by name.
[[nodiscard]] const Catalog<Algorithm>& algorithm_catalog();

}  // namespace quadrille
