#include "quadrille/algorithms/trees/one_port_problem.h"

#include <fmt/format.h>

#include <string>

namespace quadrille {
namespace {

// `no`: why its ports are not what an algorithm is made for, or nothing.
Applicability fits_if_ports_do(const Problem& problem, const std::string& no, bool takes_routers) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket) {
    return Applicability::no(
        "it informs neighbours, one hop a step: it needs packet switching (for worms there are "
        "broadcasts of their own)");
  }
  if (!no.empty()) return Applicability::no(no);
  if (problem.topology().has_routers() && !takes_routers) {
    return Applicability::no(
        fmt::format("it informs every node and {} has routers; broadcast_bfs_tree leaves out "
                    "those that lead nowhere",
                    problem.topology().name()));
  }
  return Applicability::yes();
}

}  // namespace

Applicability fits_one_port_broadcast(const Problem& problem) {
  const Ports ports = problem.model().send;
  if (ports == kOnePort) return fits_if_ports_do(problem, {}, false);
  return fits_if_ports_do(
      problem,
      fmt::format(
          "it is made for one send port and the model has {}; broadcast_bfs_tree is optimal with all ports",
          to_text(ports)),
      false);
}

Applicability fits_broadcast_of_few_ports(const Problem& problem) {
  if (!problem.model().send.unlimited()) return fits_if_ports_do(problem, {}, true);
  return fits_if_ports_do(
      problem, "it is made for few send ports; broadcast_bfs_tree is optimal with all of them", true);
}

NodeId broadcast_root(const Problem& problem) {
  return problem.topology().endpoint(*problem.collective().root());
}

}  // namespace quadrille
