// The claims of the 1998 paper on total exchange (TE) in products. It retells chapter 5 of the dissertation,
// so its errata are those of the dissertation wherever its wording survives. n_i is the number of nodes of
// factor i, AS the average status.
//
// No row, because they define or draw only: Figures 1, 2 and 5. There are no lemmas.
#include "quadrille/claims/tables.h"
#include "quadrille/claims/total_exchange_of_products.h"

namespace quadrille::claim_tables {
namespace {

constexpr PaperClaim kTotalExchange1998[] = {
    {.item = "Equation (1)",
     .statement = "Distance in a product is the sum of the distances of the coordinates.",
     .verdict = ClaimVerdict::kHolds,
     .checks = total_exchange_of_products::kEquation1},
    {.item = "Bound (3)",
     .statement = "Single-port TE takes at least the average status of the network.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{"quadrille plan alltoall \"generalized_petersen(5,2)\" --ports one --algorithm "
                 "alltoall_layered",
                 "lower bound 15 by average_status"}},
     .test = "DissertationClaims.total_exchange_on_small_networks_takes_no_less_than_its_bounds"},
    {.item = "Bound (4)",
     .statement = "Multiport TE takes at least n_1 n_2 / C steps for every cut of C links between "
                  "parts of n_1 and n_2 nodes.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille show \"mesh({a},{b})\" --cut 0-{a/2*b-1}",
                 .expect = "at least {(a/2*b)^2/b} steps: {(a/2*b)^2} blocks must leave the given "
                           "nodes, and {b} can in a step",
                 .over = "a = 2, 4, 6; b = 2..6"}},
     .test = "DissertationClaims.total_exchange_on_small_networks_takes_no_less_than_its_bounds"},
    {.item = "Theorem 1",
     .statement = "The status of a node of a product is n times the sum of s_i(v_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille show \"generalized_hypercube({a},{b},{c})\"",
                 .expect = "total distance {a*b*c*((a-1)/a+(b-1)/b+(c-1)/c)} bisection",
                 .over = "a = 2..5; b = 2..5; c = 2..5"},
                {.command = "quadrille show \"product(star(3),ring({n}))\"",
                 .expect = "total distance {6*n*(9/6+floor(n^2/4)/n)} bisection",
                 .over = "n = 3..9"}}},
    {.item = "Section 3.1, average distance",
     .statement = "So the average distance, s(v)/(n-1), has a closed form too; in K_(m_1) x ... x "
                  "K_(m_k) it is (n/(n-1)) (k - sum 1/m_i).",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille show \"generalized_hypercube({a},{b},{c})\"",
                 .expect = "average distance {a*b*c/(a*b*c-1)*(3-1/a-1/b-1/c)}",
                 .over = "a = 2..5; b = 2..5; c = 3, 5"},
                {.command = "quadrille show \"generalized_hypercube({a},{b})\"",
                 .expect = "average distance {a*b/(a*b-1)*(2-1/a-1/b)}",
                 .over = "a = 2..6; b = 2..6"}}},
    {.item = "Corollary 1",
     .statement = "The average status of a product is n times the sum of AS(G_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille show \"mesh({a},{b})\"",
                 .expect = "on average {a*b*((a^2-1)/(3*a)+(b^2-1)/(3*b))}",
                 .over = "a = 3..6; b = 3..6"}}},
    {.item = "Figure 3",
     .statement = "Algorithm A1: moving the messages of (i,j) for copy k of A to (i,k), then "
                  "exchanging inside every copy of A once per originating copy, is a TE of A x B.",
     .verdict = ClaimVerdict::kHolds,
     .checks =
         {{.command =
               "quadrille run alltoall \"mesh({a},{b})\" --ports one --algorithm alltoall_product_a1 --local "
               "--bytes 8",
           .expect = "messages {b^2*a*(a^2-1)/3+a^2*b*(b^2-1)/3} with blocks",
           .over = "a = 2, 3; b = 2, 3"}},
     .test = "ProductClaims.algorithm_a1_as_printed_loses_messages_and_corrected_none",
     .note = "The loop conditions are lost in our text; the same box in the dissertation excludes k = "
             "i where it must exclude k = j."},
    {.item = "Section 4, parallel A1",
     .statement = "Lines 1 to 4 of A1 can run in all copies of B at once, since paths within "
                  "different copies have no node in common.",
     .verdict = ClaimVerdict::kHolds,
     .checks =
         {{.command =
               "quadrille run alltoall \"mesh({a},{b})\" --ports one --algorithm alltoall_product_a1_parallel --local "
               "--bytes 8",
           .expect = "messages {b^2*a*(a^2-1)/3+a^2*b*(b^2-1)/3} with blocks",
           .over = "a = 2, 3; b = 2, 3"}},
     .test = "ProductClaims.algorithm_a1_in_parallel_is_a_total_exchange_and_shorter"},
    {.item = "Table 1",
     .statement = "Row r of what (i,j) has to move holds its messages for (r,u), u != j; the r-th "
                  "rows of the nodes of a copy of B make up one TE of B, so n_1 of those move "
                  "everything.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{"quadrille plan alltoall \"torus(3,4)\" --ports one --algorithm alltoall_product",
                 "steps 20 (predicted 20) lower bound 20 by"},
                {"quadrille reproduce 1998.table2", "agrees all 9 printed values"}}},
    {.item = "Figure 4",
     .statement = "Algorithm A2: n_1 exchanges in the copies of B, then n_2 in the copies of A, "
                  "are a TE of A x B; applied again and again it does any product.",
     .verdict = ClaimVerdict::kHolds,
     .checks =
         {{"quadrille plan alltoall \"torus(4,3)\" --ports one --algorithm alltoall_product",
           "steps 20 (predicted 20)"},
          {"quadrille reproduce 1998.fig4", "agrees all 9 printed values"},
          {.command =
               "quadrille run alltoall \"mesh({a},{b})\" --ports one --algorithm alltoall_product --local "
               "--bytes 8",
           .expect = "messages {b^2*a*(a^2-1)/3+a^2*b*(b^2-1)/3} with blocks",
           .over = "a = 2, 3; b = 2, 3"}}},
    {.item = "Theorem 2",
     .statement = "Single-port A2 on A x B takes n_1 T_B + n_2 T_A steps.",
     .verdict = ClaimVerdict::kHolds,
     .checks = total_exchange_of_products::kTheorem2},
    {.item = "Corollary 2",
     .statement = "In k dimensions A2 takes n times the sum of T_i/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille plan alltoall \"torus({a},{b},{c})\" --ports one --algorithm "
                            "alltoall_product",
                 .expect = "steps {a*b*c*(floor(a^2/4)/a+floor(b^2/4)/b+floor(c^2/4)/c)} (predicted",
                 .over = "a = 3, 4; b = 3, 4; c = 3, 5"}}},
    {.item = "Theorem 3",
     .statement = "If single-port TE meets bound (3) in every factor, A2 meets it in the product.",
     .verdict = ClaimVerdict::kHolds,
     .checks =
         {{.command = "quadrille plan alltoall \"torus({n},{m})\" --ports one --algorithm "
                      "alltoall_product",
           .expect = "steps {n*floor(m^2/4)+m*floor(n^2/4)} (predicted "
                     "{n*floor(m^2/4)+m*floor(n^2/4)}) lower bound "
                     "{n*floor(m^2/4)+m*floor(n^2/4)} by",
           .over = "n = 3..7; m = 3..7"},
          {.command = "quadrille plan alltoall \"product(star(3),complete({n}))\" --ports one "
                      "--algorithm alltoall_product",
           .expect = "steps {6*(n-1)+n*9} (predicted {6*(n-1)+n*9}) lower bound {6*(n-1)+n*9} "
                     "by",
           .over = "n = 2..5"},
          {.command = "quadrille plan alltoall 'edges(\"a b, b c, c d, d a, a c\")' --ports one",
           .expect = "steps 4 (predicted 4) lower bound 4 (7/2) by average_status"},
          {.command =
               "quadrille explain average_status --on 'product(edges(\"a b, b c, c d, d a, a c\"),edges(\"a b, "
               "b c, c d, d a, a c\"))' --collective alltoall --ports one",
           .expect = "value 28 steps"}},
     .test =
         "ProductClaims.a2_is_optimal_where_its_factors_meet_their_bound_exactly_but_not_where_they_round_it_up",
     .note = "The text has the times equal to bound (3), the average status: exactly, so that "
             "this must be a whole number. Reaching it rounded up in every factor would not "
             "be enough: K_4 without a link has 7/2 and takes 4 steps, and A2 on its square "
             "32 where the bound is 28."},
    {.item = "Section 4.1, hypercubes",
     .statement = "A2 is optimal for hypercubes, whose two-node factor takes one step; TE in Q_d "
                  "takes d 2^(d-1) steps.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille plan alltoall \"hypercube({d})\" --ports one --algorithm "
                            "alltoall_product",
                 .expect = "steps {d*2^(d-1)} (predicted {d*2^(d-1)}) lower bound {d*2^(d-1)} by",
                 .over = "d = 2..7"}}},
    {.item = "Section 4.1, Cayley factors",
     .statement = "A2 is optimal for products of Cayley graphs, so for k-ary n-cubes, tori and "
                  "generalized hypercubes.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command = "quadrille plan alltoall \"product(star(3),complete({n}))\" --ports one "
                            "--algorithm alltoall_product",
                 .expect = "steps {6*(n-1)+n*9} (predicted {6*(n-1)+n*9}) lower bound {6*(n-1)+n*9} "
                           "by",
                 .over = "n = 2..5"},
                {.command = "quadrille plan alltoall \"torus({a},{b},{c})\" --ports one --algorithm "
                            "alltoall_product",
                 .expect = "lower bound {a*b*c*(floor(a^2/4)/a+floor(b^2/4)/b+floor(c^2/4)/c)} by",
                 .over = "a = 3, 4; b = 3, 4; c = 3, 5"},
                {.command = "quadrille plan alltoall \"generalized_hypercube({a},{b})\" --ports one "
                            "--algorithm alltoall_product",
                 .expect = "steps {a*b*(2-1/a-1/b)} (predicted",
                 .over = "a = 2..5; b = 2..6"}}},
    {.item = "Table 2",
     .statement = "In the 3 x 3 mesh node (1,1) has nine destinations less itself, a column of "
                  "three for each copy of A.",
     .verdict = ClaimVerdict::kHolds,
     .test = "TotalExchangeClaims.table_2_has_a_column_of_messages_for_each_copy_of_a"},
    {.item = "Section 5, rotation",
     .statement =
         "In exchange r in the copies of B the natural sequence 1..n-1 is rotated left by r positions.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.the_batches_of_b_are_turned_by_one_less_than_the_round",
     .note = "By r-1, as (7) has it; smallest n = 3, in the first exchange."},
    {.item = "Equation (7)",
     .statement = "In exchange r in the copies of B, node (i,j) sends to (i,j+l) its message for "
                  "(i+f(r,l), j+l), where f(r,l) = ((r-2+l) mod (n-1)) + 1 and l = 1..n-1.",
     .verdict = ClaimVerdict::kHolds,
     .test = "ProductClaims.the_batches_of_b_are_turned_by_one_less_than_the_round"},
    {.item = "Equation (8)",
     .statement = "After it node (i,j) has received one message for every other node of its copy "
                  "of A.",
     .verdict = ClaimVerdict::kHolds,
     .test = "ProductClaims.what_a_node_receives_in_a_round_is_not_what_the_formula_prints",
     .note = "The formula is lost in our text; the dissertation prints a wrong one. Received is, for l "
             "= 1..n-1, the message from (i,j-l) to (i+f(r,l),j)."},
    {.item = "Figure 6",
     .statement = "Algorithm A3: n exchanges in the copies of A run beside n exchanges in the "
                  "copies of B, each feeding the next, are a multiport TE of H x H.",
     .verdict = ClaimVerdict::kHolds,
     .checks = {{.command =
                     "quadrille run alltoall \"mesh({n},{n})\" --algorithm alltoall_product_a3 --local "
                     "--bytes 8",
                 .expect = "messages {2*n^3*(n^2-1)/3} with blocks",
                 .over = "n = 2, 3"}},
     .test = "ProductClaims.algorithm_a3_as_printed_never_delivers_its_last_batch",
     .note = "The loop bounds are lost in our text; in the dissertation's box line 11 ends "
             "one round early."},
    {.item = "Theorem 4",
     .statement = "A3 on H x H takes n T_H steps.",
     .verdict = ClaimVerdict::kHolds,
     .checks = total_exchange_of_products::kTheorem4},
    {.item = "Corollary 3",
     .statement = "On H^d, d a power of two, TE takes n^(d-1) T_H steps.",
     .verdict = ClaimVerdict::kSuperseded,
     .checks = total_exchange_of_products::kCorollary3,
     .test = "ProductClaims.a3_takes_powers_of_two_and_our_rounds_every_dimension",
     .note = "True for every d: colouring a bipartite multigraph of displacements and "
             "dimensions with n^(d-1) colours gives the rounds. Shown first for the d of the "
             "paper, 2 and 4, then for d = 3."},
    {.item = "Theorem 5",
     .statement = "If multiport TE meets the cut bound (4) in H, it does so in H^d, d a power of "
                  "two.",
     .verdict = ClaimVerdict::kHolds,
     .checks = total_exchange_of_products::kTheorem5,
     .note = "The text has the time of H equal to the cut bound: exactly. Rounded up is not "
             "enough: R_6 takes 5 steps, its bound is 9/2, and A3 takes 30 on R_6 x R_6 where "
             "27 are enough."},
    {.item = "Section 5.1, meshes and tori",
     .statement = "A3 is optimal for all meshes and k-ary n-cubes of 2^k equal dimensions.",
     .verdict = ClaimVerdict::kCorrected,
     .checks = total_exchange_of_products::kMeshesAndTori,
     .test = "ProductClaims.a3_is_optimal_on_square_meshes_and_on_tori_whose_ring_meets_its_cut",
     .note = "For tori only if n is odd or a multiple of 4. Smallest counterexample R_6 x "
             "R_6: A3 takes 30 steps, bound and optimum are 27."},
    {.item = "Section 6, other dimensions",
     .statement = "First results suggest that A3 can be made to work when the number of dimensions "
                  "is no power of two.",
     .verdict = ClaimVerdict::kSuperseded,
     .checks =
         {{"quadrille plan alltoall \"mesh(2,3,4)\" --ports all --algorithm "
           "alltoall_product_staggered",
           "steps 24 (predicted 24) lower bound 24 by"},
          {.command =
               "quadrille plan alltoall \"mesh({n},{n},{n})\" --ports all --algorithm alltoall_product_rounds",
           .expect =
               "steps {n^2*floor(n^2/4)} (predicted {n^2*floor(n^2/4)}) lower bound {n^2*floor(n^2/4)} by",
           .over = "n = 2..4"}},
     .note = "It can, for every number, and for different factors under a mild condition on "
             "their sizes."},
};

}  // namespace

std::span<const PaperClaim> total_exchange_1998() { return kTotalExchange1998; }

}  // namespace quadrille::claim_tables
