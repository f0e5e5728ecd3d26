// Relabel: a plan carried along by a symmetry of the topology.
//
// Every node v is replaced by image[v], every arc by the arc between the images, and every block by the block
// of the images of its ranks. On a ring, image[v] = v+1 turns a broadcast from node 0 into one from node 1.
//
// The image may lie on another topology that is the same network, numbered differently
// (topology/structure/isomorphism.h).
//
// Refused: a mapping that is no permutation, or that takes a link to where there is none.
#pragma once

#include <span>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem with its root, if it has one, at the image of the root.
[[nodiscard]] Problem relabelled(const Problem& problem, std::span<const NodeId> image);
[[nodiscard]] Problem relabelled(const Problem& problem, std::span<const NodeId> image, const Topology& onto);

/// The plan for relabelled(problem, image). `image` has one node per node; throws InputError when it is not
/// a symmetry of the endpoints and of the arcs that the plan uses.
[[nodiscard]] Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image);
[[nodiscard]] Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image,
                           const Topology& onto);

/// The same step by step, for plans that nobody stores: what is pushed goes on to `sink`, carried along.
class RelabelledSteps final : public StepSink {
 public:
  RelabelledSteps(Problem problem, std::span<const NodeId> image, Topology onto, StepSink& sink);

  void push(const StepView& step) override;

 private:
  Problem problem_;
  std::vector<NodeId> image_;
  Topology onto_;
  Collective mapped_;
  StepSink& sink_;
  std::vector<ArcId> arc_image_{};  // kNoArc where there is no link
  std::vector<ArcId> arcs_{};
  std::vector<BlockId> blocks_{};
};

}  // namespace quadrille
