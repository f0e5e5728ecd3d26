#include "quadrille/compile/comparison/library_names.h"

#include <array>
#include <cctype>
#include <string>

namespace quadrille {
namespace {

struct OtherName {
  std::string_view theirs;
  std::string_view ours;  // what follows the collective in the name of a card
};
constexpr std::array kOtherNames = {OtherName{"double_binary_tree", "double_tree"},
                                    OtherName{"segmented_ring", "ring"},
                                    OtherName{"reduce_scatter_allgather", "rabenseifner"}};

}  // namespace

std::string plain_library_name(std::string_view given) {
  std::string out;
  for (const char c : given)
    out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out.starts_with("mpi_") ? out.substr(4) : out;
}

const Algorithm* card_by_library_name(std::string_view given, std::optional<CollectiveKind> collective) {
  std::string name = plain_library_name(given);
  for (const OtherName& other : kOtherNames)
    if (name == other.theirs) name = other.ours;
  for (const Algorithm* card : algorithm_catalog()) {
    if (collective && card->collective != *collective) continue;
    if (card->name == name || card->name == std::string(name_of(card->collective)) + "_" + name) return card;
  }
  return nullptr;
}

}  // namespace quadrille
