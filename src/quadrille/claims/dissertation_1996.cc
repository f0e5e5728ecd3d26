// The claims of the 1996 dissertation, chapter by chapter. L_n is the linear array, R_n the ring, E_n^rho the
// extended ring, K_n the complete graph, Q_d the hypercube; n_i is the number of nodes of factor i. TE is
// total exchange, MB multinode broadcasting, AS the average status; a fat tree is k-ary of height h with n =
// k^h leaves and branch capacities c_1..c_h.
//
// No row, because they define or draw only: Definitions 4.2 and 4.3;
// Figures 1.1, 1.2, 2.1, 2.2, 2.4-2.7, 4.1, 4.3, 5.1, 5.4, 6.1-6.3, 6.5, 6.12; equations that are steps of a
// proof.
#include <vector>

#include "quadrille/claims/tables.h"

namespace quadrille::claim_tables {

std::span<const PaperClaim> dissertation_1996() {
  static const std::vector<PaperClaim> kAll = [] {
    std::vector<PaperClaim> all;
    for (const std::span<const PaperClaim> chapters :
         {dissertation_1996_networks_and_single_source(), dissertation_1996_total_exchange(),
          dissertation_1996_fat_trees(), dissertation_1996_all_port_fat_trees()}) {
      all.insert(all.end(), chapters.begin(), chapters.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace quadrille::claim_tables
