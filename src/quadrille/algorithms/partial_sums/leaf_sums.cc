#include "quadrille/algorithms/partial_sums/leaf_sums.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

struct Core {
  Topology topology;
  std::vector<NodeId> node;                // per node of the core
  std::vector<std::vector<ArcId>> leaves;  // per node of the core: the arcs to its leaves
};

bool is_leaf(const Topology& net, NodeId v) { return net.rank(v) && net.out_degree(v) == 1; }

// Nothing where leaves hang on leaves, or nobody is one.
std::optional<Core> core_of(const Topology& net) {
  std::vector<NodeId> node;
  std::vector<uint32_t> number(net.num_nodes(), UINT32_MAX);
  for (const NodeId v : net.nodes()) {
    if (is_leaf(net, v)) continue;
    number[index(v)] = static_cast<uint32_t>(node.size());
    node.push_back(v);
  }
  if (node.empty() || node.size() == net.num_nodes()) return std::nullopt;
  TopologyBuilder builder("core of " + net.name(), node.size());
  std::vector<std::vector<ArcId>> leaves(node.size());
  for (const ArcId arc : net.arcs()) {
    const uint32_t from = number[index(net.tail(arc))];
    const uint32_t to = number[index(net.head(arc))];
    if (from == UINT32_MAX) continue;
    if (to == UINT32_MAX) {
      leaves[from].push_back(arc);
    } else {
      builder.arc(NodeId{from}, NodeId{to}, net.capacity(arc));
    }
  }
  std::vector<NodeId> endpoints;
  for (uint32_t v = 0; v < node.size(); ++v) {
    if (!leaves[v].empty() || net.rank(node[v])) endpoints.push_back(NodeId{v});
  }
  builder.endpoints(std::move(endpoints));
  return Core{builder.build(), std::move(node), std::move(leaves)};
}

// No more ports than the core has links.
Ports ports_of(const Topology& net, Ports ports) {
  uint32_t most = 0;
  for (const NodeId v : net.nodes()) most = std::max(most, net.out_degree(v));
  return ports.unlimited() || ports.count >= most ? kAllPorts : ports;
}

uint32_t steps_for(size_t leaves, Ports ports) {
  if (leaves == 0) return 0;
  return ports.unlimited() ? 1 : static_cast<uint32_t>((leaves - 1) / ports.count + 1);
}

}  // namespace

std::optional<SumPlan> leaf_sums(const Problem& problem,
                                 const std::function<SumPlan(const Problem&, uint32_t)>& core) {
  const Topology& net = problem.topology();
  const std::optional<Core> inner = core_of(net);
  if (!inner) return std::nullopt;
  const Model& model = problem.model();
  size_t most = 0;
  for (const std::vector<ArcId>& leaves : inner->leaves) most = std::max(most, leaves.size());
  const uint32_t before = steps_for(most, model.receive);
  const uint32_t after = steps_for(most, model.send);
  SumPlan between(0);
  if (inner->topology.num_nodes() > 1) {
    between = core(standard_problem(inner->topology, CollectiveKind::kAllreduce,
                                    {.send = ports_of(inner->topology, model.send),
                                     .receive = ports_of(inner->topology, model.receive)}),
                   before + after);
  }
  SumPlan out(before + between.steps() + after);
  std::vector<std::vector<uint32_t>> own(inner->node.size());  // what a node of the core has at first
  for (size_t v = 0; v < inner->node.size(); ++v) {
    if (net.rank(inner->node[v])) own[v].push_back(SumPlan::kOwn);
    for (size_t i = 0; i < inner->leaves[v].size(); ++i) {
      const uint32_t step = steps_for(i + 1, model.receive);
      const std::vector<uint32_t> alone{SumPlan::kOwn};
      own[v].push_back(out.send(step, net.reverse(inner->leaves[v][i]), alone));
    }
  }
  std::vector<uint32_t> number(between.size());
  std::vector<uint32_t> parts;
  for (uint32_t m = 0; m < between.size(); ++m) {
    const SumPlan::Message& message = between.message(m);
    const NodeId from = inner->topology.tail(message.arc);
    const NodeId to = inner->topology.head(message.arc);
    parts.clear();
    for (const uint32_t part : between.parts(message)) {
      if (part == SumPlan::kOwn) {
        parts.insert(parts.end(), own[index(from)].begin(), own[index(from)].end());
      } else {
        parts.push_back(number[part]);
      }
    }
    number[m] =
        out.send(before + message.step, *net.find_arc(inner->node[index(from)], inner->node[index(to)]),
                 parts, message.whole);
  }
  for (const std::vector<ArcId>& leaves : inner->leaves) {
    for (size_t i = 0; i < leaves.size(); ++i)
      out.send(before + between.steps() + steps_for(i + 1, model.send), leaves[i], {}, true);
  }
  return out;
}

}  // namespace quadrille
