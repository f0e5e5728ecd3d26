#include "quadrille/program/check_program.h"

#include <gtest/gtest.h>

#include <set>

#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"

namespace quadrille {
namespace check_program_test {

// Programs by hand: ranks with two slots of each buffer, messages of block 0.
class Script {
 public:
  explicit Script(uint32_t ranks) : program_{Collective::standard(CollectiveKind::kAllgather, ranks), {}} {
    for (uint32_t r = 0; r < ranks; ++r) program_.ranks.push_back({Rank{r}, 2, 2, 2, {}, {}, {}, {}});
  }

  Script& send(uint32_t rank, SlotRun run, uint32_t to) { return start(rank, ActionKind::kSend, run, to); }
  Script& receive(uint32_t rank, SlotRun run, uint32_t from) {
    return start(rank, ActionKind::kReceive, run, from);
  }
  Script& start(uint32_t rank, ActionKind kind, SlotRun run, uint32_t peer) {
    RankProgram& program = program_.ranks[rank];
    Action action{kind, Rank{peer}, step_};
    action.begin = static_cast<uint32_t>(program.runs.size());
    action.end = action.begin + 1;
    action.blocks_begin = static_cast<uint32_t>(program.blocks.size());
    program.runs.push_back(run);
    program.blocks.insert(program.blocks.end(), run.count, block_);
    program.actions.push_back(action);
    return *this;
  }
  Script& wait(uint32_t rank, std::vector<uint32_t> requests) {
    RankProgram& program = program_.ranks[rank];
    Action action{ActionKind::kWait, Rank{0}, step_};
    action.begin = static_cast<uint32_t>(program.requests.size());
    program.requests.insert(program.requests.end(), requests.begin(), requests.end());
    action.end = static_cast<uint32_t>(program.requests.size());
    program.actions.push_back(action);
    return *this;
  }
  Script& copy(uint32_t rank, SlotRun target, SlotRun source) {
    RankProgram& program = program_.ranks[rank];
    Action action{ActionKind::kCopy, Rank{0}, step_};
    action.begin = static_cast<uint32_t>(program.runs.size());
    program.runs.push_back(target);
    program.runs.push_back(source);
    action.end = static_cast<uint32_t>(program.runs.size());
    program.actions.push_back(action);
    return *this;
  }
  Script& block(uint32_t block) {
    block_ = BlockId{block};
    return *this;
  }
  Script& step(uint32_t step) {
    step_ = step;
    return *this;
  }

  [[nodiscard]] std::string finding() const {
    const std::vector<Finding> findings = check_program(program_);
    return findings.empty() ? "none" : to_text(findings.front());
  }

 private:
  Program program_;
  BlockId block_{0};
  uint32_t step_ = 0;
};

constexpr SlotRun kIn{Buffer::kInput, 0, 1};
constexpr SlotRun kOut{Buffer::kOutput, 0, 1};
constexpr SlotRun kTmp{Buffer::kScratch, 1, 1};

TEST(CheckProgram, PassesAnExchange) {
  EXPECT_EQ(Script(2)
                .send(0, kIn, 1)
                .receive(0, kOut, 1)
                .wait(0, {0, 1})
                .receive(1, kOut, 0)
                .send(1, kIn, 0)
                .wait(1, {1, 0})
                .finding(),
            "none");
}

TEST(CheckProgram, AnUnmatchedSendIsFound) {
  EXPECT_EQ(Script(2).send(0, kIn, 1).wait(0, {0}).finding(),
            "step 1: [matched] rank 0, step 1: send input[0] to 1: no receive belongs to it");
  EXPECT_EQ(Script(3).receive(2, kOut, 1).wait(2, {0}).finding(),
            "step 1: [matched] rank 2, step 1: receive output[0] from 1: no send belongs to it");
}

TEST(CheckProgram, AReceiveOfOtherBlocksIsFound) {
  EXPECT_EQ(
      Script(2).send(0, kIn, 1).wait(0, {0}).block(1).receive(1, kOut, 0).wait(1, {0}).finding(),
      "step 1: [matched] rank 1, step 1: receive output[0] from 0: the send that belongs to it, step 1: send "
      "input[0] to 1, has other blocks");
}

TEST(CheckProgram, ACyclicWaitIsFound) {
  EXPECT_EQ(
      Script(3)
          .send(0, kIn, 1)
          .wait(0, {0})
          .receive(0, kOut, 2)
          .wait(0, {1})
          .send(1, kIn, 2)
          .wait(1, {0})
          .receive(1, kOut, 0)
          .wait(1, {1})
          .step(4)
          .send(2, kIn, 0)
          .wait(2, {0})
          .receive(2, kOut, 1)
          .wait(2, {1})
          .finding(),
      "step 1: [no_cyclic_wait] rank 0 waits for rank 1 in step 1, rank 1 waits for rank 2 in step 1, rank 2 "
      "waits for rank 0 in step 5, and none of them can go on");
}

TEST(CheckProgram, ARankOutsideTheCircleIsNotBlamed) {
  const std::string finding = Script(3)
                                  .receive(0, kOut, 1)
                                  .wait(0, {0})
                                  .send(1, kIn, 2)
                                  .wait(1, {0})
                                  .receive(1, kOut, 2)
                                  .wait(1, {1})
                                  .send(1, kIn, 0)
                                  .wait(1, {2})
                                  .send(2, kIn, 1)
                                  .wait(2, {0})
                                  .receive(2, kOut, 1)
                                  .wait(2, {1})
                                  .finding();
  EXPECT_EQ(finding,
            "step 1: [no_cyclic_wait] rank 1 waits for rank 2 in step 1, rank 2 waits for rank 1 in step 1, "
            "and none of them can go on");
}

TEST(CheckProgram, SlotsThatAreStillInUseAreFound) {
  EXPECT_EQ(
      Script(2).send(0, kOut, 1).copy(0, kOut, kIn).wait(0, {0}).receive(1, kOut, 0).wait(1, {0}).finding(),
      "step 1: [in_use] rank 0, step 1: copy output[0] from input[0]: its target is still in use");
  EXPECT_EQ(
      Script(2).send(0, kIn, 1).wait(0, {0}).receive(1, kTmp, 0).copy(1, kOut, kTmp).wait(1, {0}).finding(),
      "step 1: [in_use] rank 1, step 1: copy output[0] from scratch[1]: its source is still received");
  EXPECT_EQ(Script(2)
                .send(0, kIn, 1)
                .send(0, kIn, 1)
                .wait(0, {0, 1})
                .receive(1, kTmp, 0)
                .receive(1, kTmp, 0)
                .wait(1, {0, 1})
                .finding(),
            "step 1: [in_use] rank 1, step 1: receive scratch[1] from 0: it receives into slots that are "
            "still in use");
  EXPECT_EQ(Script(2)
                .send(0, kIn, 1)
                .receive(0, kOut, 1)
                .wait(0, {0, 1})
                .send(1, kTmp, 0)
                .start(1, ActionKind::kReceiveReduce, kTmp, 0)
                .wait(1, {0, 1})
                .finding(),
            "step 1: [in_use] rank 1, step 1: receive_reduce scratch[1] from 0: it reduces into slots that "
            "are still sent or received");
  EXPECT_EQ(Script(2)
                .send(0, kIn, 1)
                .receive(0, kOut, 1)
                .wait(0, {0, 1})
                .receive(1, kTmp, 0)
                .send(1, kTmp, 0)
                .wait(1, {0, 1})
                .finding(),
            "step 1: [in_use] rank 1, step 1: send scratch[1] to 0: it sends slots that are still received");
}

TEST(CheckProgram, MisshapenProgramsAreFound) {
  EXPECT_EQ(Script(2).receive(1, kIn, 0).wait(1, {0}).finding(),
            "step 1: [shape] rank 1, step 1: receive input[0] from 0: the input must not be written");
  EXPECT_EQ(Script(2).send(0, {Buffer::kInput, 1, 2}, 1).wait(0, {0}).finding(),
            "step 1: [shape] rank 0, step 1: send input[1..2] to 1: the input has 2 slots");
  EXPECT_EQ(Script(2).send(0, kIn, 0).wait(0, {0}).finding(), "step 1: [shape] rank 0 has no peer 0");
  EXPECT_EQ(Script(2).send(0, kIn, 1).finding(),
            "at the end: [shape] rank 0 never waits for 1 of its sends and receives");
  EXPECT_EQ(Script(2).send(0, kIn, 1).wait(0, {0, 0}).finding(),
            "step 1: [shape] rank 0, step 1: wait #0 #0: #0 has been waited for before");
  EXPECT_EQ(Script(2).wait(0, {3}).finding(),
            "step 1: [shape] rank 0, step 1: wait #3: #3 has not been started");
  EXPECT_EQ(Script(2).copy(0, kOut, {Buffer::kInput, 0, 2}).finding(),
            "step 1: [shape] rank 0: a copy needs a target and a source of the same size");
}

// Removes one action of one rank, in all ways: what is left has a hole that must be seen, unless it was
// local.
TEST(CheckProgram, AMissingActionIsFound) {
  const Program good = lower(testing::ring_reduce_scatter(4, 2));
  ASSERT_TRUE(check_program(good).empty());
  for (size_t r = 0; r < good.ranks.size(); ++r) {
    for (size_t a = 0; a < good.ranks[r].actions.size(); ++a) {
      const ActionKind kind = good.ranks[r].actions[a].kind;
      if (kind == ActionKind::kCopy || kind == ActionKind::kReduce) continue;
      Program bad = good;
      bad.ranks[r].actions.erase(bad.ranks[r].actions.begin() + static_cast<ptrdiff_t>(a));
      EXPECT_FALSE(check_program(bad).empty()) << to_text(good.ranks[r], good.ranks[r].actions[a]);
    }
  }
}

// Every receive waits before the sends of its step are started: in a ring all wait for all.
TEST(CheckProgram, WaitingBeforeSendingIsACyclicWait) {
  Program bad = lower(testing::ring_reduce_scatter(4));
  for (RankProgram& rank : bad.ranks) {
    ASSERT_EQ(rank.actions[0].kind, ActionKind::kReceive);
    ASSERT_EQ(rank.actions[1].kind, ActionKind::kSend);
    Action wait{ActionKind::kWait, Rank{0}, 0};
    wait.begin = static_cast<uint32_t>(rank.requests.size());
    rank.requests.push_back(0);
    wait.end = wait.begin + 1;
    Action rest = rank.actions[2];
    rank.requests.push_back(1);
    rest.begin = wait.end;
    rest.end = rest.begin + 1;
    rank.actions[2] = rest;
    rank.actions.insert(rank.actions.begin() + 1, wait);
  }
  const std::vector<Finding> findings = check_program(bad);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "no_cyclic_wait");
}

}  // namespace check_program_test
}  // namespace quadrille
