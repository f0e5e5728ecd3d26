// The five tables behind papers(), one a source file, the dissertation's in four more; nobody else includes
// this.
#pragma once

#include <span>

#include "quadrille/claims/claims.h"

namespace quadrille::claim_tables {

[[nodiscard]] std::span<const PaperClaim> dissertation_1996();
[[nodiscard]] std::span<const PaperClaim> dissertation_1996_networks_and_single_source();
[[nodiscard]] std::span<const PaperClaim> dissertation_1996_total_exchange();
[[nodiscard]] std::span<const PaperClaim> dissertation_1996_fat_trees();
[[nodiscard]] std::span<const PaperClaim> dissertation_1996_all_port_fat_trees();
[[nodiscard]] std::span<const PaperClaim> total_exchange_1998();
[[nodiscard]] std::span<const PaperClaim> wormhole_tori_1999();
[[nodiscard]] std::span<const PaperClaim> meshes();
[[nodiscard]] std::span<const PaperClaim> broadcast_tori_2000();

}  // namespace quadrille::claim_tables
