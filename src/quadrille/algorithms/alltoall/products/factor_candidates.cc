#include "quadrille/algorithms/alltoall/products/factor_candidates.h"

#include <array>

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_abelian;
extern const Algorithm alltoall_balanced_paths;
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_cayley_closest_first;
extern const Algorithm alltoall_cayley_furthest_first;
extern const Algorithm alltoall_cayley_ports;
extern const Algorithm alltoall_complete;
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_even_routes;
extern const Algorithm alltoall_generalized_hypercube;
extern const Algorithm alltoall_hypercube;
extern const Algorithm alltoall_layered;
extern const Algorithm alltoall_line;
extern const Algorithm alltoall_line_pairs;
extern const Algorithm alltoall_matchings;
extern const Algorithm alltoall_product;
extern const Algorithm alltoall_product_a1;
extern const Algorithm alltoall_product_a1_parallel;
extern const Algorithm alltoall_product_a3;
extern const Algorithm alltoall_product_rounds;
extern const Algorithm alltoall_product_staggered;
extern const Algorithm alltoall_ring;
extern const Algorithm alltoall_torus;
}  // namespace algorithms

namespace {

// Who follows every block: half a second for lines of so many nodes, and with the cube of them. Larger factors
// have what the other cards make; and a greedy plan, where none of these is optimal.
constexpr uint32_t kMostMatched = 128;

constexpr std::array kCandidates = {
    FactorCandidate{&algorithms::alltoall_abelian, false},
    FactorCandidate{&algorithms::alltoall_cayley, false, true},
    FactorCandidate{&algorithms::alltoall_cayley_closest_first, false},
    FactorCandidate{&algorithms::alltoall_cayley_furthest_first, false},
    FactorCandidate{&algorithms::alltoall_complete, true},
    FactorCandidate{.card = &algorithms::alltoall_direct, .most_nodes = kMostMatched},
    FactorCandidate{&algorithms::alltoall_even_routes, false},
    FactorCandidate{&algorithms::alltoall_generalized_hypercube, false},
    FactorCandidate{&algorithms::alltoall_hypercube, false},
    FactorCandidate{&algorithms::alltoall_layered, false},
    FactorCandidate{&algorithms::alltoall_line, true},
    FactorCandidate{&algorithms::alltoall_line_pairs, false, true},
    FactorCandidate{&algorithms::alltoall_product, false},
    FactorCandidate{&algorithms::alltoall_product_a1, false},
    FactorCandidate{&algorithms::alltoall_product_a1_parallel, false},
    FactorCandidate{&algorithms::alltoall_product_a3, false},
    FactorCandidate{&algorithms::alltoall_product_rounds, false},
    FactorCandidate{&algorithms::alltoall_product_staggered, false},
    FactorCandidate{&algorithms::alltoall_ring, true},
    FactorCandidate{&algorithms::alltoall_torus, true},
    // Last: they take work, and where one that is optimal was asked nobody else is.
    FactorCandidate{.card = &algorithms::alltoall_matchings, .most_nodes = kMostMatched},
    FactorCandidate{.card = &algorithms::alltoall_balanced_paths, .most_nodes = kMostMatched},
    FactorCandidate{.card = &algorithms::alltoall_cayley_ports},
};

}  // namespace

std::span<const FactorCandidate> factor_candidates() { return kCandidates; }

}  // namespace quadrille
