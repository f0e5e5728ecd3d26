#include "quadrille/compile/lending/loan_words.h"

#include <gmock/gmock.h>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace loan_words_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> words_in(std::string_view name) {
  std::vector<std::string> out;
  for (const NamePart& part : parts_of_name(name)) out.push_back(part.word);
  return out;
}

TEST(LoanWords, TakesNamesApart) {
  EXPECT_THAT(words_in("mirrored(allreduce_factors)"), ElementsAre("mirrored", "allreduce_factors"));
  EXPECT_THAT(words_in("reduce_bfs_tree + packet(ports_1(broadcast_urgent))"),
              ElementsAre("+", "reduce_bfs_tree", "packet", "ports_1", "broadcast_urgent"));
  EXPECT_THAT(words_in("alltoall_combining:4"), ElementsAre("alltoall_combining"));
  EXPECT_THAT(words_in("compacted(alltoall_wormhole_rings:2:tree/rotation-even4)"),
              ElementsAre("compacted", "alltoall_wormhole_rings"));
  EXPECT_THAT(words_in("mirrored(allreduce_factors"), IsEmpty());
}

TEST(LoanWords, SaysWhatLoansAre) {
  EXPECT_THAT(parts_of_name("mirrored(x)")[0].meaning, HasSubstr("mirror image"));
  EXPECT_THAT(parts_of_name("merged_2(x)")[0].meaning, HasSubstr("steps made one"));
  EXPECT_THAT(parts_of_name("through_ports_4(x)")[0].meaning, HasSubstr("all ports"));
  EXPECT_THAT(parts_of_name("packets(x)")[0].meaning, HasSubstr("any number of packets"));
  EXPECT_THAT(parts_of_name("mirrored(x)")[1].meaning, IsEmpty());
  EXPECT_THAT(parts_of_name("tours(4,4)")[0].meaning, IsEmpty());
}

// Every loan that there is has a meaning.
TEST(LoanWords, KnowsAllLoans) {
  for (const char* spec :
       {"torus(4,4)", "ring(6)", "fat_tree(2^3)", "fat_tree(6;14)", "edges(\"a b, b c, c d, d a\")"})
    for (const CollectiveKind kind :
         {CollectiveKind::kAlltoall, CollectiveKind::kAllreduce, CollectiveKind::kGather,
          CollectiveKind::kScatter, CollectiveKind::kReduceScatter})
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared})
        for (const uint32_t pieces : {1U, 2U}) {
          const Model model{.send = Ports{2}, .switching = switching};
          const Problem problem = standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
          for (const Loan& loan : loans_for(problem)) {
            if (loan.name.empty()) continue;
            EXPECT_FALSE(parts_of_name(loan.name + "(x)")[0].meaning.empty()) << loan.name;
          }
        }
}

}  // namespace loan_words_test
}  // namespace quadrille
