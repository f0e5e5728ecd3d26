#include "quadrille/compile/comparison/library_names.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

TEST(LibraryNames, AreOnesOfAlgorithmsHereWithTheirMembers) {
  using enum CollectiveKind;
  EXPECT_EQ(as_called_here("ring", kAllreduce), "allreduce_ring");
  EXPECT_EQ(as_called_here("tree", kAllreduce), "allreduce_double_tree");
  EXPECT_EQ(as_called_here("Scatter-Allgather", kBroadcast), "broadcast_van_de_geijn");
  EXPECT_EQ(as_called_here("knomial:4", kScatter), "scatter_knomial:4");
  for (const char* as_it_is :
       {"auto", "allreduce_ring", "allgather_ring", "alltoall_combining:3", "reversed(ring)", "nobody"})
    EXPECT_EQ(as_called_here(as_it_is, kAllreduce), as_it_is);
}

TEST(LibraryNames, EachLeadsToACard) {
  using enum CollectiveKind;
  for (const auto& [theirs, collective] :
       std::vector<std::pair<const char*, CollectiveKind>>{{"basic_linear", kAllreduce},
                                                           {"modified_bruck", kAlltoall},
                                                           {"neighbor", kAllgather},
                                                           {"recexch", kAllgather},
                                                           {"reduce_scatter_allgather", kAllreduce},
                                                           {"scatter_allgather_ring", kBroadcast},
                                                           {"scatter_ring_allgather", kBroadcast}})
    EXPECT_NE(card_of(theirs, collective), "") << theirs;
}

TEST(LibraryNames, ThoseOfMpiAreOursInSmallLetters) {
  EXPECT_EQ(plain_library_name("MPI_Allreduce"), "allreduce");
}

}  // namespace library_names_test
}  // namespace quadrille
