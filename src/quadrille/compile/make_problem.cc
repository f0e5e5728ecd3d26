#include "quadrille/compile/make_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/rational.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/topology/queries/node_names.h"
#include "quadrille/verify/holdings/memory_needed.h"

namespace quadrille {

namespace {

void require_root_wanted(const Problem& problem, std::string_view root) {
  if (root.empty() || problem.collective().root()) return;
  throw InputError(fmt::format("--root {}: {} has no root, all nodes are alike; leave it out", root,
                               problem.collective().name()));
}

// How often blocks must be sent at least, each to one node.
Int128 least_transfers(CollectiveKind kind, Int128 ranks, Int128 pieces) {
  const Int128 others = ranks - 1;
  switch (kind) {
    case CollectiveKind::kAllreduce:
      return 2 * others * pieces;
    case CollectiveKind::kAllgather:
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kReduceScatter:
      return others * ranks * pieces;
    default:
      return others * pieces;
  }
}

std::string in_digits(Int128 value) {
  return value <= Int128{UINT64_MAX} ? with_thousands(static_cast<uint64_t>(value)) : to_string(value);
}

// Algorithms that say their figures by their plans follow every piece: beyond this all of them together take minutes. A large
// network may have many transfers in few pieces, which is quick.
void require_pieces_in_hand(const Topology& topology, CollectiveKind kind, uint32_t pieces) {
  constexpr uint32_t kAlwaysAllowed = 4096;
  constexpr uint64_t kMostTransfers = uint64_t{1} << 21U;
  const uint32_t ranks = topology.num_endpoints();
  if (pieces <= kAlwaysAllowed || ranks < 2) return;
  const Int128 each = least_transfers(kind, ranks, 1);
  const Int128 needed = each * pieces;
  if (needed <= Int128{kMostTransfers}) return;
  const bool is_one_block = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce ||
                            kind == CollectiveKind::kAllreduce;
  const bool is_of_pairs = kind == CollectiveKind::kAlltoall;
  const Int128 blocks = Int128{pieces} * (is_one_block ? 1 : is_of_pairs ? ranks * Int128{ranks} : ranks);
  const auto most =
      std::max(kAlwaysAllowed, static_cast<uint32_t>(kMostTransfers / static_cast<uint64_t>(each)));
  throw InputError(fmt::format(
      "--pieces {}: {} on {} has {} blocks then, which must be sent {} times; at most {} pieces are planned here",
      pieces, name_of(kind), topology.name(), in_digits(blocks), in_digits(needed), with_thousands(most)));
}

}  // namespace

Problem make_problem(const Topology& topology, CollectiveKind kind, const Model& model, std::string_view root,
                     uint32_t pieces) {
  const NodeId node = root.empty() ? kNoNode : find_node(topology, root, "--root", Numbers::kWhole);
  Problem problem = standard_problem(topology, kind, model, node, pieces);
  require_root_wanted(problem, root);
  require_memory_for_holdings(problem);
  require_pieces_in_hand(topology, kind, pieces);
  return problem;
}

Problem make_problem(const Topology& topology, Counts counts, const Model& model) {
  Problem problem = counted_problem(topology, std::move(counts), model);
  require_memory_for_holdings(problem);
  return problem;
}

Problem make_problem_for_figures(const Topology& topology, CollectiveKind kind, const Model& model,
                                 std::string_view root, uint32_t pieces) {
  const NodeId node = root.empty() ? kNoNode : find_node(topology, root, "--root", Numbers::kWhole);
  require_pieces_in_hand(topology, kind, pieces);
  Problem counted = problem_for_figures(topology, kind, model, node, pieces);
  require_root_wanted(counted, root);
  if (not_judged_here(counted)) return counted;
  return standard_problem(topology, kind, model, node, pieces);
}

std::optional<std::string> not_judged_here(const Problem& problem) { return not_followed_here(problem); }

Int128 judge_bytes(const Problem& problem) { return holdings_bytes(problem); }

}  // namespace quadrille
