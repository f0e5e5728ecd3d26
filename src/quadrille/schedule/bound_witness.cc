#include "quadrille/schedule/bound_witness.h"

#include <fmt/format.h>

#include <algorithm>

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
  std::optional<std::string> operator()(const TimesWitness& cut) const {
    if (cut.times.size() == topology_.num_nodes()) return std::nullopt;
    return fmt::format("{} has {} and {} given: each needs one", topology_.name(),
                       plural(topology_.num_nodes(), "node"),
                       cut.times.size() == 1 ? "1 time is" : fmt::format("{} times are", cut.times.size()));
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
