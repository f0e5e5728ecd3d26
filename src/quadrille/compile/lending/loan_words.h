// What the words of a composed name mean to whoever reads it in a report: "mirrored(allreduce_factors)".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

/// A word of a name, and what it says of the plan; nothing of a word that is no loan, an algorithm's perhaps.
struct NamePart {
  std::string word{};
  std::string_view meaning{};
};

/// The words of LOAN(..), A + B and NAME:MEMBER, from the outside to the inside; a plus is one. None where brackets do not match.
[[nodiscard]] std::vector<NamePart> parts_of_name(std::string_view name);

}  // namespace quadrille
