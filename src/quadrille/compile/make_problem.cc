#include "quadrille/compile/make_problem.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/node_names.h"
#include "quadrille/verify/holdings/memory_needed.h"

namespace quadrille {

Problem make_problem(const Topology& topology, CollectiveKind kind, const Model& model, std::string_view root,
                     uint32_t pieces) {
  const NodeId node = root.empty() ? kNoNode : find_node(topology, root, "--root");
  Problem problem = standard_problem(topology, kind, model, node, pieces);
  if (node != kNoNode && !problem.collective().root()) {
    throw InputError(fmt::format("--root {}: {} has no root, all nodes are alike; leave it out", root,
                                 problem.collective().name()));
  }
  require_memory_for_holdings(problem);
  return problem;
}

Int128 judge_bytes(const Problem& problem) { return holdings_bytes(problem); }

}  // namespace quadrille
