// Named loan: a lent plan, asked for by what it is made of.
//
//     --algorithm "reversed(broadcast_torus)"
//     --algorithm "reduce_bfs_tree + packet(ports_1(broadcast_urgent))"
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/compile/choice.h"

namespace quadrille {

/// Whether it names a loan, and not an algorithm: it has brackets or a plus.
[[nodiscard]] bool names_loan(std::string_view text);

/// The choice of that name. Throws InputError for a word that is no loan of the problem, with those that there
/// are, and for an algorithm that does not serve the problem that it would have to.
[[nodiscard]] Choice pick_loan(const Problem& problem, std::string_view text, const Goal& goal);

}  // namespace quadrille
