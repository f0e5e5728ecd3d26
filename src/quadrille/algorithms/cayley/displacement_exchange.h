// Total exchange on an abelian Cayley graph from one node's program.
//
// In an abelian group a block that has to go a displacement d takes the same number of hops along each
// generator whatever their order. So the blocks of one displacement are a job, each generator is a machine,
// and a schedule is an open shop: in a slot, every node sends along the generator the block of that
// displacement which it has then. All nodes do the same, so a node always holds one block of each
// displacement. The slots are as many as the busiest generator or the longest way needs.
//
//     DisplacementRoutes routes = {{1, 0, 1}, {2, 0, 2}};   // displacement, generator, hops
//     displacement_exchange(problem, routes, sink);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/algorithms/cayley/translated_step.h"
#include "quadrille/algorithms/packing/open_shop.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// `hops` along a generator, given by its position in CayleyStructure::generators. The legs of a displacement
/// add up to it.
struct Leg {
  uint32_t displacement;
  uint32_t generator;
  uint32_t hops;
};
using DisplacementRoutes = std::vector<Leg>;

/// Hops along every generator.
[[nodiscard]] std::vector<uint64_t> generator_loads(const DisplacementRoutes& routes, size_t num_generators);

/// The slots that the routes need: the busiest generator or the longest way.
[[nodiscard]] uint64_t exchange_steps(const Problem& problem, const DisplacementRoutes& routes);

/// What the nodes do in the slots of a job that is no displacement (numbers from the order of the group on):
/// the job's machine, how many slots it had before, and the step to add to.
using SpecialJob = std::function<void(const Operation&, uint32_t, TranslatedStep&)>;

/// Piece after piece. `special` is called for the legs of displacements from the order of the group on.
void displacement_exchange(const Problem& problem, const DisplacementRoutes& routes, StepSink& sink,
                           const SpecialJob& special = {});

}  // namespace quadrille
