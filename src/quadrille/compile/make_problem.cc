#include "quadrille/compile/make_problem.h"

#include <fmt/format.h>

#include <utility>

#include "quadrille/base/input_error.h"
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

}  // namespace

Problem make_problem(const Topology& topology, CollectiveKind kind, const Model& model, std::string_view root,
                     uint32_t pieces) {
  const NodeId node = root.empty() ? kNoNode : find_node(topology, root, "--root", Numbers::kWhole);
  Problem problem = standard_problem(topology, kind, model, node, pieces);
  require_root_wanted(problem, root);
  require_memory_for_holdings(problem);
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
  Problem counted = problem_for_figures(topology, kind, model, node, pieces);
  require_root_wanted(counted, root);
  if (not_judged_here(counted)) return counted;
  return standard_problem(topology, kind, model, node, pieces);
}

std::optional<std::string> not_judged_here(const Problem& problem) { return not_followed_here(problem); }

Int128 judge_bytes(const Problem& problem) { return holdings_bytes(problem); }

}  // namespace quadrille
