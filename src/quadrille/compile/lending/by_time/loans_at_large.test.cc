#include "quadrille/compile/lending/by_time/loans_at_large.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/compile/make_problem.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace loans_at_large_test {

bool are_merged(const char* spec, CollectiveKind kind, uint64_t bytes, Packets packets = Packets::kMany) {
  Model model;
  model.packets = packets;
  model.cost = {.ts = 1, .tx = 8e-5, .in_microseconds = true};
  const Problem problem = make_problem(parse_topology(spec), kind, model);
  const std::vector<Loan> loans = loans_at_large(problem, bytes, 0);
  for (const Loan& loan : loans) {
    if (loan.kind != LoanKind::kMerged) continue;
    const std::optional<Loan> same = same_loan_at_large(problem, loan);
    EXPECT_TRUE(same && same->name == loan.name) << loan.name;
    EXPECT_EQ(loan.lenders[0].model().packets, Packets::kOne);
  }
  return std::ranges::any_of(loans, [](const Loan& loan) { return loan.kind == LoanKind::kMerged; });
}

// What hosts on switches exchange, or gather, in messages of many packets.
TEST(LoansAtLarge, MergeStepsBetweenSwitches) {
  EXPECT_TRUE(are_merged("clos(8)", CollectiveKind::kAllgather, 1024));
  EXPECT_TRUE(are_merged("clos(8)", CollectiveKind::kAlltoall, 1024));
  EXPECT_FALSE(are_merged("clos(8)", CollectiveKind::kAllgather, 16)) << "a start-up is longer";
  EXPECT_FALSE(are_merged("clos(8)", CollectiveKind::kBroadcast, 1024));
  EXPECT_FALSE(are_merged("clos(8)", CollectiveKind::kAllgather, 1024, Packets::kOne));
  EXPECT_FALSE(are_merged("torus(12,12)", CollectiveKind::kAllgather, 1024));
}

}  // namespace loans_at_large_test
}  // namespace quadrille
