// Total exchange on a mesh with worms and one port: two-node cells, logical rings of their nodes, swaps. See
// worm_exchange/mesh_exchange.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/mesh_exchange.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_mesh;

namespace alltoall_mesh_parts {
namespace {

Prediction predicted(const Problem& problem) { return mesh_exchange_prediction(problem, {}); }

void generate(const Problem& problem, StepSink& sink) { mesh_exchange(problem, {}, sink); }

}  // namespace
}  // namespace alltoall_mesh_parts

constinit const Algorithm alltoall_mesh = {
    .name = "alltoall_mesh",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "exchanges along rings of every second node, dimension by dimension, then swaps within cells of two",
    .source =
        "Suh, Shin, Yalamanchili; odd sides, single lines, half duplex and the order of dimensions ours",
    .remarks =
        "worms, one port, any sides; R x C, both even, R <= C: C start-ups and R C^2/2 blocks, twice the "
        "least possible; an odd side costs one start-up more; half-duplex links twice as much; a torus is "
        "served as the mesh that it contains",
    .counts_alone = true,
    .applies = mesh_exchange_applies,
    .prepare = by_formula<alltoall_mesh_parts::predicted, alltoall_mesh_parts::generate>,
};

}  // namespace quadrille::algorithms
