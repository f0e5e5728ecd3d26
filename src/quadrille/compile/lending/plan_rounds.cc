#include "quadrille/compile/lending/plan_rounds.h"

#include <algorithm>
#include <vector>

namespace quadrille {

uint64_t rounds_of(const Topology& topology, const Plan& plan) {
  std::vector<uint64_t> load(topology.num_arcs(), 0);
  uint64_t rounds = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    uint64_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) {
        load[index(arc)] += step.blocks(t).size();
        most = std::max(most, (load[index(arc)] + topology.capacity(arc) - 1) / topology.capacity(arc));
      }
    }
    for (const ArcId arc : step.all_arcs) load[index(arc)] = 0;
    rounds += most;
  }
  return rounds;
}

uint64_t rounds_of_merged_at_least(const Problem& problem, const Plan& packets) {
  const Topology& net = problem.topology();
  std::vector<uint64_t> on_arc(net.num_arcs(), 0);
  for (size_t s = 0; s < packets.num_steps(); ++s) {
    const StepView step = packets.step(s);
    for (size_t t = 0; t < step.size(); ++t)
      for (const ArcId arc : step.arcs(t)) on_arc[index(arc)] += step.blocks(t).size();
  }
  uint64_t most = 0;
  uint64_t widest = 1;
  std::vector<uint64_t> sent(net.num_nodes(), 0);
  std::vector<uint64_t> received(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) {
    const uint64_t blocks = on_arc[index(arc)];
    widest = std::max<uint64_t>(widest, net.capacity(arc));
    most = std::max(most, (blocks + net.capacity(arc) - 1) / net.capacity(arc));
    sent[index(net.tail(arc))] += blocks;
    received[index(net.head(arc))] += blocks;
  }
  const auto take_ports = [&](Ports ports, const std::vector<uint64_t>& blocks) {
    const uint64_t in_a_round = ports.count * widest;
    if (!ports.unlimited()) most = std::max(most, (std::ranges::max(blocks) + in_a_round - 1) / in_a_round);
  };
  take_ports(problem.model().send, sent);
  take_ports(problem.model().receive, received);
  return most;
}

}  // namespace quadrille
