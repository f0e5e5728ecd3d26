// The claims of the 1998 paper on total exchange (TE) in products. It retells chapter 5 of the dissertation,
// so its errata are those of the dissertation wherever its wording survives. n_i is the number of nodes of
// factor i, AS the average status.
//
// No row, because they define or draw only: Figures 1, 2 and 5. There are no lemmas.
#include "quadrille/claims/tables.h"

namespace quadrille::claim_tables {
namespace {

constexpr PaperClaim kTotalExchange1998[] = {
    {.item = "Equation (1)",
     .statement = "Distance in a product is the sum of the distances of the coordinates.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"mesh(5,4)\"",
     .expect = "average distance 3 total distance"},
    {.item = "Bound (3)",
     .statement = "Single-port TE takes at least the average status of the network.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"generalized_petersen(5,2)\" --ports one --algorithm alltoall_layered",
     .expect = "lower bound 15 by average_status"},
    {.item = "Bound (4)",
     .statement = "Multiport TE takes at least n_1 n_2 / C steps for every cut of C links between parts of "
                  "n_1 and n_2 nodes.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"mesh(4,4)\" --cut 0-7",
     .expect = "at least 16 steps: 64 blocks must leave the given nodes, and 4 can in a step"},
    {.item = "Theorem 1",
     .statement = "The status of a node of a product is n times the sum of s_i(v_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"generalized_hypercube(4,3,5)\"",
     .expect = "total distance 133 bisection"},
    {.item = "Section 3.1, average distance",
     .statement = "So the average distance, s(v)/(n-1), has a closed form too; in K_(m_1) x ... x K_(m_k) it "
                  "is (n/(n-1)) (k - sum 1/m_i).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"generalized_hypercube(5,5)\"",
     .expect = "average distance 5/3 ="},
    {.item = "Corollary 1",
     .statement = "The average status of a product is n times the sum of AS(G_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"mesh(4,4)\"",
     .expect = "on average 40 bisection"},
    {.item = "Figure 3",
     .statement = "Algorithm A1: moving the messages of (i,j) for copy k of A to (i,k), then exchanging "
                  "inside every copy of A once per originating copy, is a TE of A x B.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.algorithm_a1_as_printed_loses_messages_and_corrected_none",
     .note = "The loop conditions are lost in our text; the same box in the dissertation excludes k = i "
             "where it must exclude k = j."},
    {.item = "Section 4, parallel A1",
     .statement =
         "Lines 1 to 4 of A1 can run in all copies of B at once, since paths within different copies "
         "have no node in common.",
     .verdict = ClaimVerdict::kHolds,
     .test = "ProductClaims.algorithm_a1_in_parallel_is_a_total_exchange_and_shorter"},
    {.item = "Table 1",
     .statement = "Row r of what (i,j) has to move holds its messages for (r,u), u != j; the r-th rows of "
                  "the nodes of a copy of B make up one TE of B, so n_1 of those move everything.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(3,4)\" --ports one --algorithm alltoall_product",
     .expect = "steps 20 (predicted 20) lower bound 20 by"},
    {.item = "Figure 4",
     .statement = "Algorithm A2: n_1 exchanges in the copies of B, then n_2 in the copies of A, are a TE of "
                  "A x B; applied again and again it does any product.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(4,3)\" --ports one --algorithm alltoall_product",
     .expect = "steps 20 (predicted 20)"},
    {.item = "Theorem 2",
     .statement = "Single-port A2 on A x B takes n_1 T_B + n_2 T_A steps.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"product(star(3),ring(5))\" --ports one --algorithm alltoall_product",
     .expect = "steps 81 (predicted 81)"},
    {.item = "Corollary 2",
     .statement = "In k dimensions A2 takes n times the sum of T_i/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(3,4,5)\" --ports one --algorithm alltoall_product",
     .expect = "steps 172 (predicted 172)"},
    {.item = "Theorem 3",
     .statement = "If single-port TE meets bound (3) in every factor, A2 meets it in the product.",
     .verdict = ClaimVerdict::kCorrected,
     .command = "quadrille plan alltoall \"torus(5,3)\" --ports one --algorithm alltoall_product",
     .expect = "steps 28 (predicted 28) lower bound 28 by",
     .note = "The times must be equal to AS(G_i), which is then an integer; reaching the rounded-up bound in "
             "every factor is not enough."},
    {.item = "Section 4.1, hypercubes",
     .statement = "A2 is optimal for hypercubes, whose two-node factor takes one step; TE in Q_d takes d "
                  "2^(d-1) steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"hypercube(5)\" --ports one --algorithm alltoall_product",
     .expect = "steps 80 (predicted 80) lower bound 80 by"},
    {.item = "Section 4.1, Cayley factors",
     .statement = "A2 is optimal for products of Cayley graphs, so for k-ary n-cubes, tori and generalized "
                  "hypercubes.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"product(star(3),complete(4))\" --ports one --algorithm alltoall_product",
     .expect = "steps 54 (predicted 54) lower bound 54 by"},
    {.item = "Table 2",
     .statement = "In the 3 x 3 mesh node (1,1) has nine destinations less itself, a column of three for "
                  "each copy of A.",
     .verdict = ClaimVerdict::kHolds,
     .test = "TotalExchangeClaims.table_2_has_a_column_of_messages_for_each_copy_of_a"},
    {.item = "Equation (7)",
     .statement = "In exchange r in the copies of B, node (i,j) sends to (i,j+l) its message for (i+f(r,l), "
                  "j+l), where f(r,l) = ((r-2+l) mod (n-1)) + 1 and l = 1..n-1.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.the_batches_of_b_are_turned_by_one_less_than_the_round",
     .note = "The text calls this the natural order rotated left by r positions; it is r-1."},
    {.item = "Equation (8)",
     .statement = "After it node (i,j) has received one message for every other node of its copy of A.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.what_a_node_receives_in_a_round_is_not_what_the_formula_prints",
     .note = "The formula is lost in our text; the dissertation prints a wrong one. Received is, for l = "
             "1..n-1, the message from (i,j-l) to (i+f(r,l),j)."},
    {.item = "Figure 6",
     .statement = "Algorithm A3: n exchanges in the copies of A run beside n exchanges in the copies of B, "
                  "each feeding the next, are a multiport TE of H x H.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.algorithm_a3_as_printed_never_delivers_its_last_batch",
     .note = "The loop bounds are lost in our text; in the dissertation's box line 11 ends one round early."},
    {.item = "Theorem 4",
     .statement = "A3 on H x H takes n T_H steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(4,4)\" --ports all --algorithm alltoall_product_a3",
     .expect = "steps 8 (predicted 8) lower bound 8 by"},
    {.item = "Corollary 3",
     .statement = "On H^d, d a power of two, TE takes n^(d-1) T_H steps.",
     .verdict = ClaimVerdict::kSuperseded,
     .test = "ProductClaims.a3_takes_powers_of_two_and_our_rounds_every_dimension",
     .note = "True for every d: colouring a bipartite multigraph of displacements and dimensions with "
             "n^(d-1) colours gives the rounds."},
    {.item = "Theorem 5",
     .statement = "If multiport TE meets the cut bound (4) in H, it does so in H^d, d a power of two.",
     .verdict = ClaimVerdict::kCorrected,
     .command = "quadrille plan alltoall \"torus(5,5)\" --ports all --algorithm alltoall_product_a3",
     .expect = "steps 15 (predicted 15) lower bound 15 by",
     .note = "The cut bound of H must be met exactly, not after rounding up."},
    {.item = "Section 5.1, meshes and tori",
     .statement = "A3 is optimal for all meshes and k-ary n-cubes of 2^k equal dimensions.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.a3_is_optimal_on_square_meshes_and_on_tori_whose_ring_meets_its_cut",
     .note = "For tori only if n is odd or a multiple of 4. Smallest counterexample R_6 x R_6: A3 takes 30 "
             "steps, bound and optimum are 27."},
    {.item = "Section 6, other dimensions",
     .statement = "First results suggest that A3 can be made to work when the number of dimensions is no "
                  "power of two.",
     .verdict = ClaimVerdict::kSuperseded,
     .command = "quadrille plan alltoall \"mesh(2,3,4)\" --ports all --algorithm alltoall_product_staggered",
     .expect = "steps 24 (predicted 24) lower bound 24 by",
     .note = "It can, for every number, and for different factors under a mild condition on their sizes."},
};

}  // namespace

std::span<const PaperClaim> total_exchange_1998() { return kTotalExchange1998; }

}  // namespace quadrille::claim_tables
