#include "quadrille/schedule/bound_witness.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/rational.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

class MistakeSearch {
 public:
  explicit MistakeSearch(const Topology& topology) : topology_(topology) {}

  std::optional<std::string> operator()(const CutWitness& cut) const {
    if (auto mistake = nodes(cut.nodes)) return mistake;
    if (!cut.nodes.empty() && cut.nodes.size() < topology_.num_nodes()) return std::nullopt;
    return "a cut has nodes on both its sides";
  }
  std::optional<std::string> operator()(const NodeWitness& at) const { return nodes({at.node}); }
  std::optional<std::string> operator()(const InformedWitness& from) const { return nodes({from.node}); }
  std::optional<std::string> operator()(const WeightsWitness& weights) const {
    std::vector<ArcId> arcs;
    for (const WeightsWitness::Link& link : weights.links) {
      if (auto mistake = nodes({link.tail})) return mistake;
      if (auto mistake = nodes({link.head})) return mistake;
      const std::optional<ArcId> arc = topology_.find_arc(link.tail, link.head);
      if (!arc)
        return fmt::format("no link goes from node {} to node {}", index(link.tail), index(link.head));
      arcs.push_back(*arc);
    }
    std::ranges::sort(arcs);
    if (const auto twice = std::ranges::adjacent_find(arcs); twice != arcs.end()) {
      return fmt::format("the link from node {} to node {} is weighed twice", index(topology_.tail(*twice)),
                         index(topology_.head(*twice)));
    }
    for (const auto* side : {&weights.senders, &weights.receivers}) {
      std::vector<NodeId> weighed;
      for (const WeightsWitness::Node& node : *side) weighed.push_back(node.node);
      if (auto mistake = nodes(std::move(weighed))) return mistake;
    }
    return std::nullopt;
  }
  std::optional<std::string> operator()(const RefutationWitness&) const { return std::nullopt; }
  std::optional<std::string> operator()(const SendsWitness&) const { return std::nullopt; }
  std::optional<std::string> operator()(const TimesWitness& cut) const {
    if (cut.times.size() == topology_.num_nodes()) return std::nullopt;
    return fmt::format("{} has {} and {} given: each needs one", topology_.name(),
                       plural(topology_.num_nodes(), "node"),
                       cut.times.size() == 1 ? "1 time is" : fmt::format("{} times are", cut.times.size()));
  }
  std::optional<std::string> operator()(const BetweenWitness& among) const {
    if (auto mistake = nodes(among.nodes)) return mistake;
    for (const NodeId v : among.nodes)
      if (!topology_.rank(v))
        return fmt::format("node {} is no endpoint, and has nothing for others", index(v));
    if (among.nodes.size() >= 2) return std::nullopt;
    return "something is sent between two endpoints or more";
  }
  std::optional<std::string> operator()(const OrderWitness& order) const {
    Int128 nodes = 1;
    for (const uint32_t side : order.sides) {
      nodes *= side;
      if (nodes == 0 || nodes > Int128{topology_.num_nodes()}) break;
    }
    if (nodes != Int128{topology_.num_nodes()})
      return fmt::format("these sides are not those of {}, which has {}", topology_.name(),
                         plural(topology_.num_nodes(), "node"));
    if (order.cut >= 1 && order.cut < order.sides.size()) return std::nullopt;
    return fmt::format("{} dimensions are cut after one of them, and before the last, not after {}",
                       order.sides.size(), order.cut);
  }

 private:
  [[nodiscard]] std::optional<std::string> nodes(std::vector<NodeId> named) const {
    for (const NodeId v : named) {
      if (index(v) < topology_.num_nodes()) continue;
      return fmt::format("node {} does not exist: the nodes of {} are 0 to {}", index(v), topology_.name(),
                         topology_.num_nodes() - 1);
    }
    std::ranges::sort(named);
    if (const auto twice = std::ranges::adjacent_find(named); twice != named.end())
      return fmt::format("node {} comes twice", index(*twice));
    return std::nullopt;
  }

  const Topology& topology_;
};

}  // namespace

std::optional<std::string> find_mistake(const BoundWitness& witness, const Topology& topology) {
  return std::visit(MistakeSearch(topology), witness);
}

}  // namespace quadrille
