// The pages of docs/ that the program writes itself, in markdown.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/claims/claims.h"

namespace quadrille {

struct Page {
  std::string_view name;  ///< docs/<name>.md
  std::string (*text)();
};

/// algorithms, bibliography, claims, cli, rules, topologies.
[[nodiscard]] std::span<const Page> pages();

[[nodiscard]] std::string algorithms_page();
[[nodiscard]] std::string bibliography_page();
[[nodiscard]] std::string claims_page();
/// Sections of it.
[[nodiscard]] std::string broadcast_comparison();
[[nodiscard]] std::string fat_tree_arities();
[[nodiscard]] std::string one_port_section();
[[nodiscard]] std::string cli_page();
[[nodiscard]] std::string rules_page();
[[nodiscard]] std::string topologies_page();

inline constexpr std::array kClaimVerdicts = {ClaimVerdict::kHolds, ClaimVerdict::kCorrected,
                                              ClaimVerdict::kSuperseded, ClaimVerdict::kNotYet};
/// How many claims of a paper have that verdict.
[[nodiscard]] uint64_t count(const Paper& paper, ClaimVerdict verdict);

}  // namespace quadrille
