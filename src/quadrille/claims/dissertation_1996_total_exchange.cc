// The claims of the 1996 dissertation, chapters 4 and 5: total exchange, in one dimension and in products.
// Words and signs: dissertation_1996.cc.
#include "quadrille/claims/tables.h"

namespace quadrille::claim_tables {
namespace {

constexpr PaperClaim kDissertation1996TotalExchange[] = {
    // Chapter 4: total exchange.
    {.item = "Equation (4.1)",
     .statement = "Multiport TE takes at least n_1 n_2 / C steps for every cut of C links between parts of "
                  "n_1 and n_2 nodes.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"mesh(4,4)\" --cut 0-7",
     .expect = "at least 16 steps: 64 blocks must leave the given nodes, and 4 can in a step"},
    {.item = "Section 4.1, bisection",
     .statement = "A bisection of width BW gives TE >= ceil((n^2-1)/4)/BW.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"hypercube(4)\" --cut 0-7",
     .expect = "at least 8 steps: 64 blocks must leave the given nodes, and 8 can in a step"},
    {.item = "Equation (4.4)",
     .statement = "Single-port TE takes at least the average status of the network.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"generalized_petersen(5,2)\" --ports one --algorithm alltoall_layered",
     .expect = "lower bound 15 by average_status"},
    {.item = "Equation (4.5)",
     .statement = "In a node symmetric network single-port TE takes at least the status of a node, however "
                  "many messages a node may receive in a step.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(7)\" --send-ports one --algorithm alltoall_cayley",
     .expect = "lower bound 12 by average_status"},
    {.item = "Section 4.2, bound",
     .statement = "Multiport TE in L_n takes at least ceil((n^2-1)/4) steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"line(8)\" --ports all --algorithm alltoall_line",
     .expect = "lower bound 16 by structured_cut"},
    {.item = "Section 4.2, n scatterings",
     .statement = "TE in L_n as n optimal scatterings in a row, max(i-1,n-i) steps each, takes 3 "
                  "ceil((n^2-1)/4) - floor(n/2) steps.",
     .verdict = ClaimVerdict::kHolds,
     .test =
         "DissertationClaims.scatterings_one_after_another_exchange_on_a_line_in_the_steps_of_section_4_2"},
    {.item = "Figure 4.2",
     .statement = "In L_6 furthest first delivers everything in 9 steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"line(6)\" --ports all --algorithm alltoall_line",
     .expect = "steps 9 (predicted 9) lower bound 9 by"},
    {.item = "Section 4.2, ties",
     .statement =
         "Furthest first in L_n takes the same time however ties are broken, and needs no synchronisation.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.furthest_first_takes_the_same_time_with_all_ties_and_waits_for_no_late_node",
     .note = "Nodes that begin late delay the end by no more than the latest of them."},
    {.item = "Lemma 4.1",
     .statement = "With ties to the smallest source, the messages for one destination leave a node one after "
                  "another without idle steps, right after those for the next destination.",
     .verdict = ClaimVerdict::kHolds,
     .test =
         "DissertationClaims.lemma_4_1_messages_for_a_destination_leave_together_after_those_for_the_next"},
    {.item = "Equation (4.9)",
     .statement = "Message k to i leaves node j at step jn - ji + k, for 1 <= k <= j < i <= n-1.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.equation_4_9_says_when_each_message_leaves_each_node",
     .note = "For i = n the step is j-k+1."},
    {.item = "Lemma 4.2",
     .statement = "At step jn - j^2, for j <= n/2, node j sends its last message and node n-j+1 receives its "
                  "last one.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_2_two_nodes_end_each_phase"},
    {.item = "Theorem 4.3",
     .statement = "Multiport TE in L_n by furthest first takes ceil((n^2-1)/4) steps, which is optimal.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"line(7)\" --ports all --algorithm alltoall_line",
     .expect = "steps 12 (predicted 12) lower bound 12 by"},
    {.item = "Equation (4.10)",
     .statement = "Multiport TE in R_n takes at least ceil((n^2-1)/8) steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(9)\" --ports all --algorithm alltoall_ring",
     .expect = "lower bound 10 by"},
    {.item = "Section 4.3, earlier algorithms",
     .statement = "The rotation and matrix decomposition algorithms for rings meet the bound for odd n only; "
                  "for even n they take n(n+2)/8 steps.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.rotation_and_all_isotropic_algorithms_for_rings_miss_the_bound_for_even_n",
     .note = "As must every algorithm in which all nodes do the same: the messages for the antipodes then "
             "all go the same way round."},
    {.item = "Lemma 4.4",
     .statement = "Under a node-invariant algorithm the queues of an odd ring are rotations of one another "
                  "at every step.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_4_queues_of_an_odd_ring_are_rotations"},
    {.item = "Theorem 4.5",
     .statement =
         "Every node-invariant algorithm does TE in an odd ring in (n^2-1)/8 steps, which is optimal.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(9)\" --ports all --algorithm alltoall_ring",
     .expect = "steps 10 (predicted 10) lower bound 10 by"},
    {.item = "Section 4.3.1, node-invariant algorithms",
     .statement = "Furthest first, closest first (ties to the farthest source) and first in first out are "
                  "node-invariant.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "DissertationClaims.furthest_first_closest_first_and_first_in_first_out_are_node_invariant",
     .note = "Not under the second line of Definition 4.1 as extracted, f_i(Q - i) = f_0(Q) - i: it refuses "
             "the first two, smallest n = 3 with the messages of node 0 as Q, i = 1. It must say f_0(Q - i) "
             "= f_i(Q) - i, which the first line implies."},
    {.item = "Section 4.3.1, packet delay",
     .statement = "Of all node-invariant algorithms closest first has the least average packet delay.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.closest_first_has_the_least_delay_of_all_node_invariant_algorithms",
     .note = "First in first out does as well up to n = 5, furthest first only for n = 3."},
    {.item = "Figure 4.4(a)",
     .statement = "In R_7 first in first out takes 6 steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(7)\" --ports all --algorithm alltoall_ring",
     .expect = "steps 6 (predicted 6) lower bound 6 by"},
    {.item = "Section 4.3.2, antipodes clockwise",
     .statement = "In an even ring that sends all antipodal messages clockwise TE takes n(n+2)/8 steps.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.antipodal_messages_all_clockwise_take_n_n_plus_2_over_8_steps"},
    {.item = "Theorem 4.6",
     .statement = "In an even ring, with antipodal messages clockwise from even nodes and counterclockwise "
                  "from odd ones and queues first in first out and at first furthest first, TE takes "
                  "ceil((n^2-1)/8) steps, which is optimal.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(8)\" --ports all --algorithm alltoall_ring",
     .expect = "steps 8 (predicted 8) lower bound 8 by",
     .note = "The order matters: closest first takes 3 steps instead of 2 in R_4."},
    {.item = "Figure 4.4(b)",
     .statement = "In R_6 this takes 5 steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"ring(6)\" --ports all --algorithm alltoall_ring",
     .expect = "steps 5 (predicted 5) lower bound 5 (9/2) by"},
    {.item = "Equation (4.11)",
     .statement = "The status of a node of K_n is n-1.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"complete(24)\"",
     .expect = "total distance 23 bisection"},
    {.item = "Equation (4.12)",
     .statement = "The status of a node of R_n is ceil((n^2-1)/4).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"ring(30)\"",
     .expect = "total distance 225 bisection"},
    {.item = "Equation (4.13)",
     .statement = "The status of a node of E_n^rho is (q+1)(n-1-rho q) with q = floor((n-1)/(2rho)).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"extended_ring(14,2)\"",
     .expect = "total distance 28 bisection"},
    {.item = "Equations (4.14) and (4.15)",
     .statement = "Single-port TE meets bound (4.4) if all nodes are always busy and no message is ever "
                  "derouted; where the average status is an integer, only then.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.equations_4_14_and_4_15_decide_where_the_average_status_is_whole",
     .note = "Where it is not, the bound may be met with idle nodes: K_4 without a link has average status "
             "7/2 and takes 4 steps."},
    {.item = "Section 4.4.1, Cayley families",
     .statement = "Hypercubes, wrapped butterflies, cube-connected cycles and connected circulants, hence "
                  "rings, extended rings and complete graphs, are Cayley graphs.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"butterfly(3)\"",
     .expect = "node symmetric yes, a Cayley graph of"},
    {.item = "Lemma 4.7",
     .statement =
         "Every Cayley graph has a set of automorphisms, one per node, with (4.16): for every node i and "
         "every neighbour a of node 0, the automorphism of node sigma_i(a) is sigma_i after sigma_a.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_7_translations_of_cayley_graphs_have_property_4_16"},
    {.item = "Lemma 4.8",
     .statement = "Given (4.16), if node 0 picks neighbour a and node i picks sigma_i(a), then every node is "
                  "picked exactly once, and the picker of node i is the image of the picker of node 0.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_8_under_property_4_16_every_node_is_picked_once"},
    {.item = "Lemma 4.9",
     .statement = "Under a node-invariant algorithm the queue of node i is at every step the image of the "
                  "queue of node 0.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_9_queues_of_a_node_invariant_exchange_are_images_of_one"},
    {.item = "Lemma 4.10",
     .statement = "If node 0 never deroutes a message, no node does.",
     .verdict = ClaimVerdict::kHolds,
     .test = "DissertationClaims.lemma_4_10_all_nodes_deroute_when_node_0_does",
     .note = "Conversely too: all do in the same steps."},
    {.item = "Theorem 4.11",
     .statement = "Every node-invariant algorithm that sends along shortest paths does single-port TE in a "
                  "Cayley graph in status(G) = AS(G) steps, which is optimal, with one send and one receive "
                  "per node and step.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"star(4)\" --ports one --algorithm alltoall_cayley",
     .expect = "steps 62 (predicted 62) lower bound 62 by"},
    {.item = "Open question, Section 4.4.3",
     .statement = "Has every node symmetric graph a set of automorphisms that satisfies (4.16)?",
     .verdict = ClaimVerdict::kCorrected,
     .command =
         "quadrille plan alltoall \"generalized_petersen(5,2)\" --ports one --algorithm alltoall_layered",
     .expect = "steps 15 (predicted 15) lower bound 15 by",
     .note = "No: (4.16) holds if and only if the graph is a Cayley graph, because the chosen automorphisms "
             "then form a group acting regularly. The Petersen graph has none."},
    {.item = "Figure 4.5",
     .statement = "First in first out queues in any common starting order, with one table of next hops for "
                  "node 0 translated to every node, are a node-invariant algorithm for every Cayley graph.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"cube_connected_cycles(3)\" --ports one --algorithm alltoall_cayley",
     .expect = "steps 74 (predicted 74)"},
    {.item = "Equation (4.25)",
     .statement = "Exclusive-or with i is an automorphism of Q_d, and these automorphisms satisfy (4.16).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"hypercube(4)\"",
     .expect = "node symmetric yes, a Cayley graph of Z_2 x Z_2 x Z_2 x Z_2"},
    {.item = "Figure 4.6",
     .statement = "In Q_d the algorithm becomes: flip the leftmost bit in which node and destination differ; "
                  "TE takes d 2^(d-1) steps, single-port.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"hypercube(6)\" --ports one --algorithm alltoall_hypercube",
     .expect = "steps 192 (predicted 192) lower bound 192 by"},

    // Chapter 5: total exchange in products.
    {.item = "Section 5.2, hypercube status",
     .statement = "The status of a node of Q_d is d 2^(d-1).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"hypercube(9)\"",
     .expect = "total distance 2,304 bisection"},
    {.item = "Section 5.2, generalized hypercube distances",
     .statement = "In K_(m_1) x ... x K_(m_k) the number of nodes at distance i is the sum, over all choices "
                  "of i dimensions, of the products of their m_j - 1.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"generalized_hypercube(4,3,5)\"",
     .expect = "total distance 133 bisection"},
    {.item = "Theorem 5.1",
     .statement = "The status of a node of a product is n times the sum of s_i(v_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"torus(20,14,9)\"",
     .expect = "total distance 27,020 bisection"},
    {.item = "Section 5.2, average distance",
     .statement = "The average distance in K_(m_1) x ... x K_(m_k) is (n/(n-1)) (k - sum 1/m_i).",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"generalized_hypercube(4,3,5)\"",
     .expect = "average distance 133/59 ="},
    {.item = "Corollary 5.2",
     .statement = "The average status of a product is n times the sum of AS(G_i)/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille show \"mesh(7,7)\"",
     .expect = "on average 224 bisection"},
    {.item = "Figure 5.2",
     .statement =
         "Algorithm A1: moving, for every i, j and k, the messages of (i,j) for copy k of A to (i,k), and "
         "then exchanging inside every copy of A once per originating copy, is a TE of A x B.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.algorithm_a1_as_printed_loses_messages_and_corrected_none",
     .note = "Line 3 excludes k = i; it must be k = j. On the 2 x 2 product the printed loop loses 4 of 12 "
             "messages, on the 1 x 2 product one."},
    {.item = "Section 5.3, parallel A1",
     .statement =
         "Lines 1 to 4 of A1 can run in all copies of B at once, since paths within different copies "
         "have no node in common.",
     .verdict = ClaimVerdict::kHolds,
     .test = "ProductClaims.algorithm_a1_in_parallel_is_a_total_exchange_and_shorter"},
    {.item = "Table 5.1",
     .statement = "Row r of what (i,j) has to move holds its messages for (r,u), u != j; the r-th rows of "
                  "the nodes of a copy of B make up one TE of B, so n_1 of those move everything.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(3,4)\" --ports one --algorithm alltoall_product",
     .expect = "steps 20 (predicted 20) lower bound 20 by"},
    {.item = "Figure 5.3",
     .statement = "Algorithm A2: n_1 exchanges in the copies of B, then n_2 in the copies of A, are a TE of "
                  "A x B; applied again and again it does any product.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(4,3)\" --ports one --algorithm alltoall_product",
     .expect = "steps 20 (predicted 20)"},
    {.item = "Theorem 5.3",
     .statement = "Single-port A2 on A x B takes n_1 T_B + n_2 T_A steps.",
     .verdict = ClaimVerdict::kHolds,
     .command =
         "quadrille plan alltoall \"product(star(3),ring(4))\" --ports one --algorithm alltoall_product",
     .expect = "steps 60 (predicted 60)"},
    {.item = "Corollary 5.4",
     .statement = "In k dimensions A2 takes n times the sum of T_i/n_i.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"product(star(3),ring(4),complete(3))\" --ports one --algorithm "
                "alltoall_product",
     .expect = "steps 228 (predicted 228)"},
    {.item = "Theorem 5.5",
     .statement = "If single-port TE meets bound (4.4) in every factor, A2 meets it in the product.",
     .verdict = ClaimVerdict::kCorrected,
     .command = "quadrille plan alltoall \"torus(5,4)\" --ports one --algorithm alltoall_product",
     .expect = "steps 44 (predicted 44) lower bound 44 by",
     .note = "The times must be equal to AS(G_i), which is then an integer; reaching the rounded-up bound in "
             "every factor is not enough."},
    {.item = "Section 5.3.1, families",
     .statement = "A2 is optimal for products of Cayley graphs, so for tori, hypercubes, hypercycles and "
                  "generalized hypercubes.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"hypercycle(14:2,8:1)\" --ports one --algorithm alltoall_product",
     .expect = "steps 448 (predicted 448) lower bound 448 by"},
    {.item = "Table 5.2",
     .statement = "In the 3 x 3 mesh node (1,1) has nine destinations less itself, a column of three for "
                  "each copy of A.",
     .verdict = ClaimVerdict::kHolds,
     .test = "TotalExchangeClaims.table_2_has_a_column_of_messages_for_each_copy_of_a"},
    {.item = "Equation (5.3)",
     .statement = "In exchange r in the copies of B, node (i,j) sends to (i,j+l) its message for (i+f(r,l), "
                  "j+l), where f(r,l) = ((r-2+l) mod (n-1)) + 1 and l = 1..n-1.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.the_batches_of_b_are_turned_by_one_less_than_the_round",
     .note = "The text calls this the natural order rotated left by r positions; it is r-1."},
    {.item = "Equation (5.4)",
     .statement = "After it node (i,j) has received one message for every other node of its copy of A.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.what_a_node_receives_in_a_round_is_not_what_the_formula_prints",
     .note = "Printed with l and the rotation exchanged and the sender at j+l; received is, for l = 1..n-1, "
             "the message from (i,j-l) to (i+f(r,l),j)."},
    {.item = "Figure 5.5",
     .statement = "Algorithm A3: n exchanges in the copies of A run beside n exchanges in the copies of B, "
                  "each feeding the next, are a multiport TE of H x H.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.algorithm_a3_as_printed_never_delivers_its_last_batch",
     .note = "Line 11 ends at r = n-1 and must end at n: as printed the last batch stays undelivered for "
             "every H, smallest L_2 x L_2."},
    {.item = "Theorem 5.6",
     .statement = "A3 on H x H takes n T_H steps.",
     .verdict = ClaimVerdict::kHolds,
     .command = "quadrille plan alltoall \"torus(4,4)\" --ports all --algorithm alltoall_product_a3",
     .expect = "steps 8 (predicted 8) lower bound 8 by"},
    {.item = "Corollary 5.7",
     .statement = "On H^d, d a power of two, TE takes n^(d-1) T_H steps.",
     .verdict = ClaimVerdict::kSuperseded,
     .test = "ProductClaims.a3_takes_powers_of_two_and_our_rounds_every_dimension",
     .note = "True for every d: colouring a bipartite multigraph of displacements and dimensions with "
             "n^(d-1) colours gives the rounds."},
    {.item = "Theorem 5.8",
     .statement = "If multiport TE meets the cut bound (4.1) in H, it does so in H^d, d a power of two.",
     .verdict = ClaimVerdict::kCorrected,
     .command = "quadrille plan alltoall \"torus(5,5)\" --ports all --algorithm alltoall_product_a3",
     .expect = "steps 15 (predicted 15) lower bound 15 by",
     .note = "The cut bound of H must be met exactly, not after rounding up."},
    {.item = "Section 5.4.1, meshes and tori",
     .statement = "A3 is optimal for all meshes and tori of 2^k equal dimensions.",
     .verdict = ClaimVerdict::kCorrected,
     .test = "ProductClaims.a3_is_optimal_on_square_meshes_and_on_tori_whose_ring_meets_its_cut",
     .note = "For tori only if n is odd or a multiple of 4. Smallest counterexample R_6 x R_6: A3 takes 30 "
             "steps, bound and optimum are 27."},

};

}  // namespace

std::span<const PaperClaim> dissertation_1996_total_exchange() { return kDissertation1996TotalExchange; }

}  // namespace quadrille::claim_tables
