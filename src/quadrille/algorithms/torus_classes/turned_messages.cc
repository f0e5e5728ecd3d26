#include "quadrille/algorithms/torus_classes/turned_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "quadrille/algorithms/graphs/exchange_conditions.h"

namespace quadrille {
namespace {

uint32_t displacement_of(const TorusClasses& torus, const LevelTree::Edge& edge) {
  return torus.moved(edge.to, torus.back(edge.from));
}

}  // namespace

std::vector<TurnedMessage> turned_messages(const TorusClasses& torus, const LevelTree& tree, uint32_t level,
                                           uint32_t classes) {
  std::map<std::vector<ArcId>, TurnedMessage> by_way;
  std::vector<ArcId> way;
  for (const LevelTree::Edge& edge : tree.edges) {
    if (edge.level != level) continue;
    const auto& [displacement, turns] = torus.way(displacement_of(torus, edge));
    for (uint32_t klass = 0; klass < classes; ++klass) {
      torus.path(0, displacement, turns + klass, way);
      TurnedMessage& message =
          by_way.try_emplace(way, TurnedMessage{displacement, turns + klass, {}}).first->second;
      message.behind.emplace_back(torus.turned(edge.from, klass), klass);
    }
  }
  std::vector<TurnedMessage> out;
  for (auto& entry : by_way) out.push_back(std::move(entry.second));
  return out;
}

uint32_t longest_edge(const TorusClasses& torus, const LevelTree& tree, uint32_t level) {
  uint32_t out = 0;
  for (const LevelTree::Edge& edge : tree.edges)
    if (edge.level == level) out = std::max(out, torus.length(displacement_of(torus, edge)));
  return out;
}

Applicability turned_messages_apply(const Problem& problem, uint32_t most_nodes) {
  const Model& model = problem.model();
  const Topology& topology = problem.topology();
  if (problem.model().switching == Switching::kPacket) return on_shared_links(problem);
  if (model.duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  const std::optional<TorusClasses> torus = TorusClasses::of(topology);
  if (!torus) {
    return Applicability::no(fmt::format("it needs a torus; {} is not known to be one", topology.name()));
  }
  for (const Ports ports : {model.send, model.receive}) {
    if (!ports.unlimited() && ports.count < torus->directions().size())
      return Applicability::no(
          "a node sends a message for each of its links in one step; the model limits its ports");
  }
  if (model.routing == Routing::kDimensionOrder && torus->directions().size() > 2)
    return Applicability::no("the ways of its classes go through the dimensions in different orders");
  if (topology.num_nodes() > most_nodes) {
    return Applicability::no(fmt::format("it looks for the best of many plans: for up to {} nodes, {} has {}",
                                         most_nodes, topology.name(), topology.num_nodes()));
  }
  return on_shared_links(problem);
}

}  // namespace quadrille
