// The family of total exchanges of worms on a torus: which ring schedule in which dimension and stage, and
// what each choice costs. Costs follow from the ring schedules' by the composition rule; nothing is generated
// to know them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/worm_exchange/worm_ring.h"
#include "quadrille/algorithms/worm_exchange/worm_torus.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Worms, full duplex, every node an endpoint, and a torus (rings and hypercubes are tori) with sides that
/// ring schedules are made for.
[[nodiscard]] Applicability worms_on_torus(const Problem& problem);

/// One way to do it. Plain: stage k works in dimension k, on whole lines. In classes: `classes` of them, all
/// dimensions in every stage.
struct TorusMember {
  uint32_t classes = 1;
  /// By stage and dimension; plain: one stage, whose dimensions come one after another.
  std::vector<std::vector<RingRecipe>> recipes{};
  WormCost cost{};
  uint64_t hops = 0;  ///< links of the longest worm of each phase, added up

  /// "rotation-even8"; "tree+direct": by dimension; "4:tree/rotation-even4": four classes, by stage. What is
  /// the same everywhere is named once.
  [[nodiscard]] std::string name() const;
};

/// The front of all plain members. Front: no member is left out that costs less in one and no more in the
/// other.
[[nodiscard]] std::vector<TorusMember> plain_members(const TorusShape& torus);
/// The front of all members with that many classes; classes_on() says which numbers are possible.
[[nodiscard]] std::vector<TorusMember> class_members(const TorusShape& torus, uint32_t classes);
/// Powers of two that divide all sides, at least as many as dimensions, and few enough for the hops; none in
/// one dimension.
[[nodiscard]] std::vector<uint32_t> classes_on(const TorusShape& torus);

/// Ready to generate.
[[nodiscard]] WormTorus build_member(const TorusShape& torus, const TorusMember& member);

/// Every block into the class of its target, in as many phases of N/2 blocks as the classes have bits, for
/// each dimension.
void prepare_classes(WormTorus& torus, size_t dimensions, uint32_t classes);
/// Stage s of the cyclic table: group g works in dimension g - s modulo the number of classes, or not.
[[nodiscard]] WormTorus::WorkOfGroups cyclic_stage(size_t stage, uint32_t classes,
                                                   const std::vector<RingRecipe>& by_dimension);

/// The prediction of a plan that costs so much for blocks of one piece, and whose worms go so far.
[[nodiscard]] Prediction prediction_of(const WormCost& cost, uint64_t hops, const Problem& problem);
/// The prediction and the steps of a torus that is built.
[[nodiscard]] Prediction worm_torus_prediction(const Problem& problem, const WormTorus& torus);
void send_worms_on_torus(const Problem& problem, const WormTorus& torus, StepSink& sink);
/// All members, by name; each is built when it is to generate.
[[nodiscard]] Preparation prepare_members(const Problem& problem, const std::vector<TorusMember>& members);

}  // namespace quadrille
