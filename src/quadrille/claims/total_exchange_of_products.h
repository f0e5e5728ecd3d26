// Recomputations of what the dissertation and the paper of 1998 both state, under the paper's labels.
#pragma once

#include "quadrille/claims/claims.h"

namespace quadrille::claim_tables::total_exchange_of_products {

inline constexpr Recomputations kEquation1 = {
    {.command = "quadrille plan scatter \"mesh({a},{b})\" --ports one --algorithm "
                "scatter_furthest_first --root 0",
     .expect = "block hops {a*b*(a-1+b-1)/2}",
     .over = "a = 2..5; b = 2..5"},
    {.command = "quadrille show \"torus({a},{b})\"",
     .expect = "total distance {a*b*(floor(a^2/4)/a+floor(b^2/4)/b)} bisection",
     .over = "a = 3..8; b = 3..8"}};

inline constexpr Recomputations kTheorem2 = {
    {.command = "quadrille plan alltoall \"product(star(3),ring({n}))\" --ports one "
                "--algorithm alltoall_product",
     .expect = "steps {6*floor(n^2/4)+n*9} (predicted {6*floor(n^2/4)+n*9})",
     .over = "n = 3..7"},
    {.command = "quadrille plan alltoall \"product(complete({n}),ring({m}))\" --ports "
                "one --algorithm alltoall_product",
     .expect = "steps {n*floor(m^2/4)+m*(n-1)} (predicted",
     .over = "n = 2..5; m = 3..6"}};

inline constexpr Recomputations kTheorem4 = {
    {.command = "quadrille plan alltoall \"torus({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*ceil((n^2-1)/8)} (predicted {n*ceil((n^2-1)/8)})",
     .over = "n = 3..9"},
    {.command = "quadrille plan alltoall \"mesh({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*floor(n^2/4)} (predicted {n*floor(n^2/4)}) lower bound "
               "{n*floor(n^2/4)} by",
     .over = "n = 2..8"}};

inline constexpr Recomputations kCorollary3 = {
    {.command = "quadrille plan alltoall \"mesh(2,2,2,2)\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {2^3*1} (predicted {2^3*1})",
     .over = "d = 4"},
    {.command = "quadrille plan alltoall \"mesh(3,3,3,3)\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {3^3*2} (predicted {3^3*2})",
     .over = "d = 4"},
    {.command = "quadrille plan alltoall \"torus({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*ceil((n^2-1)/8)} (predicted",
     .over = "n = 3..7"},
    {.command = "quadrille plan alltoall \"mesh({n},{n},{n})\" --ports all --algorithm "
                "alltoall_product_rounds",
     .expect = "steps {n^2*floor(n^2/4)} (predicted {n^2*floor(n^2/4)}) lower bound "
               "{n^2*floor(n^2/4)} by",
     .over = "n = 2..4"}};

inline constexpr Recomputations kTheorem5 = {
    {.command = "quadrille plan alltoall \"torus({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*(n^2-1)/8} (predicted {n*(n^2-1)/8}) lower bound {n*(n^2-1)/8} "
               "by",
     .over = "n = 3..9 by 2"},
    {.command = "quadrille plan alltoall \"torus({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n^3/8} (predicted {n^3/8}) lower bound {n^3/8} by",
     .over = "n = 4, 8"},
    {.command = "quadrille plan alltoall \"mesh({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*floor(n^2/4)} (predicted {n*floor(n^2/4)}) lower bound "
               "{n*floor(n^2/4)} by",
     .over = "n = 2..8"},
    {"quadrille plan alltoall \"torus(6,6)\" --ports all --algorithm "
     "alltoall_product_a3",
     "steps 30 (predicted 30) lower bound 27 by"}};

inline constexpr Recomputations kMeshesAndTori = {
    {"quadrille plan alltoall \"torus(6,6)\" --ports all --algorithm "
     "alltoall_product_a3",
     "steps 30 (predicted 30) lower bound 27 by"},
    {"quadrille plan alltoall \"torus(6,6)\" --ports all --algorithm alltoall_torus",
     "steps 27 (predicted 27) lower bound 27 by"},
    {.command = "quadrille plan alltoall \"mesh({n},{n})\" --ports all --algorithm "
                "alltoall_product_a3",
     .expect = "steps {n*floor(n^2/4)} (predicted {n*floor(n^2/4)}) lower bound "
               "{n*floor(n^2/4)} by",
     .over = "n = 2..8"}};

}  // namespace quadrille::claim_tables::total_exchange_of_products
