// The onlooker holds nodes to their word: who listens must be spoken to, who speaks must be heard, over links
// that exist, and there must be an end.
#include "quadrille/local/lockstep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/check.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace lockstep_test {

using ::testing::HasSubstr;

// Node 0 of a line sends its block to node `to` in tick 0; node 1 listens to `from`, for so many ticks.
struct Behaviour {
  NodeId to{1};
  NodeId from{0};
  uint64_t ticks = 1;
};
Behaviour behaviour;

class Node final : public LocalNode {
 public:
  explicit Node(NodeId self) : self_(self) {}
  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }
  void start(std::span<const LocalMessage> own) override { own_.assign(own.begin(), own.end()); }
  void send(uint64_t tick, LocalOutbox& out) override {
    now_ = tick + 1;
    if (tick == 0 && !own_.empty()) out.send(behaviour.to, own_.front());
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override {
    if (self_ == NodeId{1} && behaviour.from != self_) from.push_back(behaviour.from);
  }
  void receive(uint64_t, NodeId, const LocalMessage&) override {}
  [[nodiscard]] bool done() const override { return now_ >= behaviour.ticks; }
  [[nodiscard]] size_t table_bytes() const override { return 7; }

 private:
  NodeId self_;
  uint64_t now_ = 0;
  std::vector<LocalMessage> own_;
};

const LocalProgram kProgram = {.name = "sample",
                               .node = [](const Problem&, NodeId self) -> std::unique_ptr<LocalNode> {
                                 return std::make_unique<Node>(self);
                               }};

// The plan, or what is wrong.
std::string outcome(const Behaviour& what) {
  behaviour = what;
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kBroadcast);
  Plan plan;
  try {
    const LockstepFigures figures = run_in_lockstep(kProgram, problem, plan);
    EXPECT_EQ(figures.messages, 1U);
    EXPECT_EQ(figures.words, 0U);
    EXPECT_EQ(figures.table_bytes, 7U);
    return std::to_string(plan.num_steps()) + " steps";
  } catch (const InternalError& error) {
    return error.what();
  }
}

TEST(Lockstep, WritesDownWhatIsSent) { EXPECT_EQ(outcome({}), "1 steps"); }

TEST(Lockstep, WhoeverMaySpeakIsHeard) { EXPECT_EQ(outcome({.from = kAnyone}), "1 steps"); }

TEST(Lockstep, NobodyListensInVain) {
  EXPECT_THAT(outcome({.from = NodeId{2}}),
              HasSubstr("in tick 0 node 1 listens to 1, 1 speak to it, 0 are heard"));
  EXPECT_THAT(outcome({.ticks = 2}), HasSubstr("in tick 1 node 1 listens to 1, 0 speak to it, 0 are heard"));
}

TEST(Lockstep, NobodySpeaksInVain) {
  EXPECT_THAT(outcome({.from = NodeId{1}}), HasSubstr("node 1 listens to 0, 1 speak to it, 0 are heard"));
}

TEST(Lockstep, MessagesTakeLinks) {
  EXPECT_THAT(outcome({.to = NodeId{2}}), HasSubstr("sample: no link from 0 to 2"));
}

TEST(Lockstep, ThereIsAnEnd) {
  EXPECT_THAT(outcome({.from = kAnyone, .ticks = UINT64_MAX}), HasSubstr("sample comes to no end"));
}

TEST(OwnMessages, AreAllThatARankHasForOthers) {
  const auto count = [](CollectiveKind kind, uint32_t rank) {
    return own_messages(Collective::standard(kind, 4, Rank{1}, 2), Rank{rank}).size();
  };
  EXPECT_EQ(count(CollectiveKind::kAlltoall, 1), 6U);
  EXPECT_EQ(count(CollectiveKind::kScatter, 1), 6U);
  EXPECT_EQ(count(CollectiveKind::kScatter, 2), 0U);
  EXPECT_EQ(count(CollectiveKind::kGather, 1), 0U);
  EXPECT_EQ(count(CollectiveKind::kGather, 2), 2U);
  EXPECT_EQ(count(CollectiveKind::kBroadcast, 1), 2U);
  EXPECT_EQ(count(CollectiveKind::kBroadcast, 0), 0U);
  EXPECT_EQ(count(CollectiveKind::kAllgather, 3), 2U);
}

}  // namespace lockstep_test
}  // namespace quadrille
