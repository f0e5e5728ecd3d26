// Problem: a topology, a collective and a model that fit together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "quadrille/collective/collective.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// What a plan is a plan for. Whether the three parts fit is checked once, here.
class Problem {
 public:
  /// Throws InputError when the collective is not over exactly the topology's endpoints, or when the model
  /// asks for more ports than any node has links, for dimension order on a graph that is no product, or for
  /// a limit on the queues of a reduction.
  Problem(Topology topology, Collective collective, Model model);

  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Collective& collective() const { return collective_; }
  [[nodiscard]] const Model& model() const { return model_; }

  /// Shorthands for the nodes of the collective's ranks.
  [[nodiscard]] NodeId origin(BlockId block) const { return topology_.endpoint(collective_.origin(block)); }
  [[nodiscard]] NodeId destination(BlockId block) const {
    return topology_.endpoint(collective_.destination(block));
  }
  /// A block as people and files name it: node numbers instead of ranks.
  [[nodiscard]] BlockName block_name(BlockId block) const;
  /// The same for messages, with node labels: "(0,1)->(2,3)", "(0,1)" or, split, "(0,1)->(2,3) piece 1".
  [[nodiscard]] std::string block_label(BlockId block) const;
  /// The block with that name; nothing when there is none.
  [[nodiscard]] std::optional<BlockId> find_block(std::span<const uint32_t> parts) const;
  /// "alltoall on torus(4,4)".
  [[nodiscard]] std::string title() const;

 private:
  Topology topology_;
  Collective collective_;
  Model model_;
};

/// A standard collective over all endpoints of the topology, with its root at a node. Throws InputError for a
/// root that is no endpoint.
[[nodiscard]] Problem standard_problem(Topology topology, CollectiveKind kind, Model model = {},
                                       NodeId root = kNoNode, uint32_t pieces = 1);
/// The same with blocks that are only counted (Collective::for_figures): for predictions, costs and bounds.
[[nodiscard]] Problem problem_for_figures(Topology topology, CollectiveKind kind, Model model = {},
                                          NodeId root = kNoNode, uint32_t pieces = 1);

}  // namespace quadrille
