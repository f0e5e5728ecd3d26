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
// Of Open MPI's tuned component, MPICH and NCCL.
constexpr std::array kOtherNames = {OtherName{"basic_linear", "linear"},
                                    OtherName{"double_binary_tree", "double_tree"},
                                    OtherName{"modified_bruck", "bruck"},
                                    OtherName{"neighbor", "neighbor_exchange"},
                                    OtherName{"recexch", "recursive_doubling"},
                                    OtherName{"reduce_scatter_allgather", "rabenseifner"},
                                    OtherName{"scatter_allgather", "van_de_geijn"},
                                    OtherName{"scatter_allgather_ring", "van_de_geijn"},
                                    OtherName{"scatter_ring_allgather", "van_de_geijn"},
                                    OtherName{"segmented_ring", "ring"},
                                    OtherName{"tree", "double_tree"}};

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

std::string as_called_here(std::string_view given, CollectiveKind collective) {
  const std::string_view family = given.substr(0, given.find(':'));
  if (algorithm_catalog().find(family) != nullptr) return std::string(given);
  const Algorithm* const card = card_by_library_name(family, collective);
  return card == nullptr ? std::string(given)
                         : std::string(card->name) + std::string(given.substr(family.size()));
}

}  // namespace quadrille
