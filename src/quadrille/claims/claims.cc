#include "quadrille/claims/claims.h"

#include <array>

#include "quadrille/claims/tables.h"

namespace quadrille {

std::string_view to_text(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kHolds:
      return "holds";
    case ClaimVerdict::kCorrected:
      return "corrected";
    case ClaimVerdict::kSuperseded:
      return "superseded";
    case ClaimVerdict::kNotYet:
      return "not yet";
  }
  return "";
}

std::span<const Paper> papers() {
  static const std::array<Paper, 5> kPapers = {{
      {.key = "dissertation_1996",
       .citation =
           "V. V. Dimakopoulos, Collective Communication Problems in Multiprocessors, Ph.D. dissertation, "
           "University of Victoria, 1996",
       .claims = claim_tables::dissertation_1996()},
      {.key = "total_exchange_1998",
       .citation =
           "V. V. Dimakopoulos and N. J. Dimopoulos, A Theory for Total Exchange in Multidimensional "
           "Interconnection Networks, IEEE Transactions on Parallel and Distributed Systems 9(7), 1998",
       .claims = claim_tables::total_exchange_1998()},
      {.key = "wormhole_tori_1999",
       .citation =
           "Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, Toward Optimal Complete Exchange on Wormhole-Routed Tori, "
           "IEEE Transactions on Computers 48(10), 1999",
       .claims = claim_tables::wormhole_tori_1999()},
      {.key = "meshes",
       .citation =
           "Y.-J. Suh, K. G. Shin and S. Yalamanchili, Complete Exchange in General Multidimensional Mesh "
           "Networks",
       .claims = claim_tables::meshes()},
      {.key = "broadcast_tori_2000",
       .citation = "S.-Y. Wang and Y.-C. Tseng, Algebraic Foundations and Broadcasting Algorithms for "
                   "Wormhole-Routed All-Port Tori, IEEE Transactions on Computers 49(3), 2000",
       .claims = claim_tables::broadcast_tori_2000()},
  }};
  return kPapers;
}

}  // namespace quadrille
