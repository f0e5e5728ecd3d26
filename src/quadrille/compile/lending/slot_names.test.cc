#include "quadrille/compile/lending/slot_names.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace slot_names_test {

class Names : public ::testing::Test {
 protected:
  // Block `block` over the first link of a line of two, from the node's own slot.
  void send(uint32_t block, TransferOp op, uint32_t to) {
    const ArcId arc{0};
    const BlockId carried{block};
    step_.add({&arc, 1}, {&carried, 1}, op, {1U, to});
  }
  StepView named() { return names_.with_names(step_.view()); }

  Problem problem_ = standard_problem(parse_topology("line(2)"), CollectiveKind::kReduce, {}, NodeId{1}, 3);
  SlotNames names_{problem_};
  StepBuilder step_;
};

TEST_F(Names, AreThoseOfThePlanWhereNothingMeets) {
  send(0, TransferOp::kCopy, 2);
  EXPECT_EQ(named().slots_of(0), (SumSlots{1U, 2}));
}

TEST_F(Names, AreAlikeOnALinkWhereOneIsFreeForAll) {
  send(0, TransferOp::kCopy, 3);
  send(1, TransferOp::kCopy, 1);
  const StepView both = named();
  EXPECT_EQ(both.slots_of(0), both.slots_of(1));
  EXPECT_EQ(both.op(0), both.op(1));
}

TEST_F(Names, StayWhereASumIs) {
  send(0, TransferOp::kCopy, 2);
  static_cast<void>(named());
  step_.clear();
  send(0, TransferOp::kDefault, 2);
  send(1, TransferOp::kCopy, 5);
  const StepView both = named();
  EXPECT_EQ(both.slots_of(0).to, 2U);
  EXPECT_EQ(both.slots_of(1), both.slots_of(0)) << "into an empty slot a copy is a sum";
  EXPECT_EQ(both.op(1), TransferOp::kDefault);
}

}  // namespace slot_names_test
}  // namespace quadrille
