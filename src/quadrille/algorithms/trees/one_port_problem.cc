#include "quadrille/algorithms/trees/one_port_problem.h"

#include <fmt/format.h>

namespace quadrille {

Applicability fits_one_port_broadcast(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket) {
    return Applicability::no(
        "it informs neighbours, one hop a step: it needs packet switching (for worms there are "
        "broadcasts of their own)");
  }
  if (model.send != kOnePort) {
    return Applicability::no(fmt::format(
        "it is made for one send port and the model has {}; broadcast_bfs_tree is optimal with all ports",
        to_text(model.send)));
  }
  if (problem.topology().has_routers()) {
    return Applicability::no(
        fmt::format("it informs every node and {} has routers; broadcast_bfs_tree leaves out "
                    "those that lead nowhere",
                    problem.topology().name()));
  }
  return Applicability::yes();
}

NodeId broadcast_root(const Problem& problem) {
  return problem.topology().endpoint(*problem.collective().root());
}

}  // namespace quadrille
