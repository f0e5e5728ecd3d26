// Exhibit: a table or a figure of one of the five papers, and how it is computed anew.
//
// A card names the paper and the item as claims/ does, says what is computed from what, and which parameters it has;
// make() computes it. So
//
//     const Exhibit& card = *exhibits().find("1999.table3");
//     const Reproduction made = reproduce(card, Settings(card.name, card.parameters, {}));
//     agreement(made)              // 42 values printed, 38 agree; the others say why not
//
// Figures are computed by the makers and the judge of the house, or by formulas of papers for what is not built here;
// nothing of a paper but what stands beside as printed. One line in catalog.inc is one card; a file may hold several of
// a paper that share their computation. In the order of the papers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/catalog.h"
#include "quadrille/claims/claims.h"
#include "quadrille/reproduce/settings.h"
#include "quadrille/reproduce/sheet.h"

namespace quadrille {

struct Exhibit {
  std::string_view name{};   ///< "1999.table3": the paper, and what it is in it
  std::string_view paper{};  ///< the key of the paper in claims/claims.h
  std::string_view item{};   ///< "Table 3", as the claims have it
  std::string_view title{};  ///< what it is about, in a line
  /// How the values come about: judged plans, predictions, formulas of others.
  std::string_view method{};
  std::span<const Parameter> parameters{};
  Reproduction (*make)(const Settings&) = nullptr;
};

/// All cards, in the order of the papers.
[[nodiscard]] const Catalog<Exhibit>& exhibits();

/// Those that a word names: a card by its name ("1999.table3", "1999.figure9"); by the end of it, if one card alone has
/// it ("table3"); or all of a paper ("1999"). Throws InputError with those that there are.
[[nodiscard]] std::vector<const Exhibit*> exhibits_named(std::string_view word);

/// Whether a row of its paper's claims is about it: the item itself or a part of it, "Figure 3.4(a)".
[[nodiscard]] bool covers(const Exhibit& card, const PaperClaim& claim);
/// What the claims say of it, by line a row that begins with its verdict; empty where they have no such row.
[[nodiscard]] std::string verdict_on(const Exhibit& card);

}  // namespace quadrille
