// Strength: how much is asked of a lender, so that lending never goes round.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/lending/loan.h"

namespace quadrille {

/// What cards of its own are good for; that, and what weaker machines and other collectives lend it in turn; all among
/// links of one kind; and what half-duplex links lend, which themselves ask full ones for all: asked first alone.
enum class Strength : uint8_t { kOwn, kBasic, kFull, kTop };

/// In which strength the lenders are asked, for a question of strength `asked`, which is not kOwn; nothing:
/// not at all. What is asked is another kind, fewer pieces, a weaker machine, or weaker.
[[nodiscard]] std::optional<Strength> strength_of(CollectiveKind kind, const Loan& loan, Strength asked);

}  // namespace quadrille
