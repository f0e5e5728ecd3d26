#include "quadrille/compile/comparison/library_names.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace library_names_test {

std::string_view card_of(std::string_view name, std::optional<CollectiveKind> collective = {}) {
  const Algorithm* card = card_by_library_name(name, collective);
  return card == nullptr ? std::string_view() : card->name;
}

TEST(LibraryNames, FindTheCardOfTheCollectiveThatIsAsked) {
  using enum CollectiveKind;
  EXPECT_EQ(card_of("rabenseifner", kAllreduce), "allreduce_rabenseifner");
  EXPECT_EQ(card_of("Recursive-Doubling", kAllgather), "allgather_recursive_doubling");
  EXPECT_EQ(card_of("PAT", kAllgather), "allgather_pat");
  EXPECT_EQ(card_of("double_binary_tree", kBroadcast), "broadcast_double_tree");
  EXPECT_EQ(card_of("segmented_ring", kAllreduce), "allreduce_ring");
  EXPECT_EQ(card_of("knomial"), "broadcast_knomial");
  EXPECT_EQ(card_of("rabenseifner", kAlltoall), "");
  EXPECT_EQ(card_of(""), "");
}

TEST(LibraryNames, ThoseOfMpiAreOursInSmallLetters) {
  EXPECT_EQ(plain_library_name("MPI_Allreduce"), "allreduce");
}

}  // namespace library_names_test
}  // namespace quadrille
