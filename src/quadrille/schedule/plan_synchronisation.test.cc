#include "quadrille/schedule/plan_synchronisation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_text.h"

namespace quadrille {
namespace plan_synchronisation_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kSteps = "step\n0>1: 0-1\nstep\nstep\n1>2: 1-2\n";

std::string text_plan(std::string_view lines) {
  return fmt::format("quadrille-plan 1\ntopology ring(3)\ncollective alltoall\n{}{}", lines, kSteps);
}
std::string json_plan(std::string_view member) {
  return fmt::format(
      "{{\"format\":\"quadrille-plan\",\"version\":1,\n\"topology\":{{\"spec\":\"ring(3)\"}},\n"
      "\"collective\":{{\"kind\":\"alltoall\"}},\n\"synchronisation\":{},\n\"steps\":[[],[],[]]}}",
      member);
}
PlanFile read_text(std::string_view lines) { return read_plan_text(text_plan(lines), "x.plan"); }
PlanFile read_json(std::string_view member) { return read_plan_json(json_plan(member), "x.json"); }

TEST(PlanSynchronisation, ReadsAsItLooksInBothForms) {
  const PlanSynchronisation expected{false, {0, 1}, {{NodeId{2}, 0, NodeId{1}, 2}}};
  EXPECT_EQ(read_text("signal to=1 before=3 from=2 after=1\nbarrier after=1\nsynchronisation apart=links\n"
                      "barrier after=2  # and on\n")
                .synchronisation,
            expected);
  EXPECT_EQ(read_json(R"j({"signals":[{"to":1,"before_step":3,"from":2,"after_step":1}],"x-made":[1],
                           "barriers":[1,2],"apart":"links"})j")
                .synchronisation,
            expected);
  EXPECT_EQ(read_text("").synchronisation, std::nullopt);
}

TEST(PlanSynchronisation, NothingAtAllIsStatedTooAndKeepsPortsApart) {
  for (const PlanFile& file :
       {read_text("synchronisation\n"), read_text("synchronisation apart=links+ports\n"), read_json("{}"),
        read_json(R"j({"apart":"links+ports","signals":[]})j")}) {
    EXPECT_EQ(file.synchronisation, PlanSynchronisation{});
    EXPECT_EQ(read_plan_text(write_plan_text(file), "again"), file);
    EXPECT_EQ(read_plan_json(write_plan_json(file), "again"), file);
  }
}

TEST(PlanSynchronisation, IsWrittenOneSignalALine) {
  PlanFile file = read_text("");
  file.synchronisation = {true, {1}, {{NodeId{2}, 0, NodeId{1}, 2}, {NodeId{1}, 1, NodeId{0}, 2}}};
  EXPECT_THAT(write_plan_text(file), HasSubstr("duplex=full\nsynchronisation apart=links+ports\n"
                                               "barrier after=2\nsignal from=2 after=1 to=1 before=3\n"
                                               "signal from=1 after=2 to=0 before=3\nstep"));
  EXPECT_THAT(write_plan_json(file),
              HasSubstr("\"synchronisation\":{\"apart\":\"links+ports\",\"barriers\":[2],\"signals\":[\n"
                        " {\"from\":2,\"after_step\":1,\"to\":1,\"before_step\":3},\n"
                        " {\"from\":1,\"after_step\":2,\"to\":0,\"before_step\":3}]},\n\"steps\""));
}

TEST(PlanSynchronisation, PrioritiesAreReadAndWrittenInBothForms) {
  const std::vector<Priority> expected = {{.step = 2, .level = 3}, {0, 2, NodeId{0}, NodeId{1}}};
  PlanFile file = read_text("priority level=3 step=3  # all of it\npriority step=1 from=0 to=1 level=2\n");
  EXPECT_EQ(file.synchronisation.value().priorities, expected);
  EXPECT_EQ(file.synchronisation, (PlanSynchronisation{.priorities = expected}));
  EXPECT_THAT(
      write_plan_text(file),
      HasSubstr("apart=links+ports\npriority step=3 level=3\npriority step=1 level=2 from=0 to=1\nstep"));
  EXPECT_THAT(write_plan_json(file), HasSubstr("\"signals\":[],\"priorities\":[\n {\"step\":3,\"level\":3},\n"
                                               " {\"step\":1,\"level\":2,\"from\":0,\"to\":1}]},\n"));
  EXPECT_EQ(read_plan_text(write_plan_text(file), "again"), file);
  EXPECT_EQ(read_plan_json(write_plan_json(file), "again"), file);
}

TEST(PlanSynchronisation, AMessageHasItsOwnPriorityOrThatOfItsStep) {
  const std::vector<Priority> stated = {
      {.step = 1, .level = 4}, {1, 2, NodeId{3}, NodeId{5}}, {0, 3, NodeId{3}, NodeId{4}}};
  const PriorityTable table(stated);
  EXPECT_EQ(table.level(1, NodeId{3}, NodeId{5}), 2U);
  EXPECT_EQ(table.level(1, NodeId{5}, NodeId{3}), 4U);
  EXPECT_EQ(table.level(0, NodeId{3}, NodeId{4}), 3U);
  EXPECT_EQ(table.level(0, NodeId{3}, NodeId{5}), 1U);
  EXPECT_EQ(table.level(2, NodeId{3}, NodeId{5}), 1U);
  EXPECT_FALSE(table.empty());
  EXPECT_TRUE(PriorityTable({}).empty());
}

TEST(PlanSynchronisation, StepsInJsonMayComeFirst) {
  const PlanFile file = read_plan_json(
      R"j({"steps":[[],[]],"synchronisation":{"barriers":[1]},"collective":{"kind":"alltoall"},
           "topology":{"spec":"ring(3)"},"version":1,"format":"quadrille-plan"})j",
      "x.json");
  EXPECT_THAT(file.synchronisation.value().barriers, ElementsAre(0U));
  EXPECT_EQ(file.plan.num_steps(), 2U);
}

struct Mistake {
  std::string_view given;
  std::string_view message;
};

TEST(PlanSynchronisation, EveryMistakeInTextHasItsWordsAndItsPlace) {
  for (
      const Mistake& m : std::initializer_list<Mistake>{
          {"synchronisation apart=ports\n",
           "x.plan:4:23: unknown word 'ports' for what is kept apart; allowed are links, links+ports"},
          {"synchronisation\nsynchronisation\n", "x.plan:5:1: a second line 'synchronisation'"},
          {"synchronization apart=links\n",
           "x.plan:4:1: a line cannot start with 'synchronization' (did you "
           "mean 'synchronisation'?)"},
          {"barrier\n", "x.plan:4:8: a barrier is written 'barrier after=STEP'"},
          {"barrier 1\n", "in a line 'barrier' stands name=value, where the name is one of after"},
          {"barrier after=0\n", "x.plan:4:15: steps are counted from 1"},
          {"barrier after=4294967295\n", "steps are counted from 1, and are at most 4294967294"},
          {"barrier after=3\n",
           "x.plan:4:15: a barrier stands between two steps: after step 3 there is none, "
           "the plan has 3"},
          {"barrier after=2\nbarrier after=2 # again\n",
           "x.plan:5:15: barriers are given in order, each once: after step 2 comes after step 2\n"
           "  barrier after=2 # again\n                ^"},
          {"signal from=0 after=1 to=1\n",
           "x.plan:4:27: a signal is written 'signal from=NODE after=STEP to=NODE before=STEP'"},
          {"signal from=0 after=1 to=1 before=2 step=3\n",
           "x.plan:4:37: in a line 'signal' stands name=value, where the name is one of from, after, to, "
           "before"},
          {"signal from=0 from=1 after=1 to=1 before=2\n", "x.plan:4:15: from is given twice"},
          {"signal from=x after=1 to=1 before=2\n", "x.plan:4:13: 'x' is not a whole number"},
          {"signal from=4294967295 after=1 to=1 before=2\n", "x.plan:4:13: a node is at most 4294967294"},
          {"signal from=0 after=1 to=3 before=2 # where\n",
           "x.plan:4:8: node 3 does not exist: the nodes of ring(3) are 0 to 2\n"
           "  signal from=0 after=1 to=3 before=2 # where\n         ^~~~"},
          {"signal from=0 after=1 to=0 before=2\n", "node 0 knows itself when it is through with a step"},
          {"signal from=0 after=2 to=1 before=2\n",
           "a signal goes to a later step: node 1 cannot wait before step 2 for step 2"},
          {"signal from=0 after=2 to=1 before=4\n", "x.plan:4:8: step 4 does not exist: the plan has 3"},
          {"priority step=1\n",
           "x.plan:4:16: a priority is written 'priority step=STEP level=LEVEL', or with 'from=NODE to=NODE'"},
          {"priority step=1 level=1 from=0\n", "or with 'from=NODE to=NODE'"},
          {"priority step=1 level=4294967295\n", "x.plan:4:23: levels are at most 4294967294"},
          {"priority step=4 level=1\n", "x.plan:4:10: step 4 does not exist: the plan has 3"},
          {"priority step=1 level=0\n", "x.plan:4:10: levels are counted from 1, the most urgent"},
          {"priority step=3 level=2 from=0 to=1 # none\n",
           "x.plan:4:10: node 0 sends node 1 nothing in step 3\n"
           "  priority step=3 level=2 from=0 to=1 # none\n           ^~~"},
          {"priority step=1 level=2\npriority step=2 level=2\npriority level=3 step=1\n",
           "x.plan:6:10: a second priority for all of step 1"},
          {"priority step=1 level=2 from=0 to=1\npriority step=1 from=0 to=1 level=2\n",
           "x.plan:5:10: a second priority for the same message of step 1"}}) {
    EXPECT_THAT(error_of([&] { (void)read_text(m.given); }), HasSubstr(m.message)) << m.given;
  }
}

TEST(PlanSynchronisation, EveryMistakeInJsonHasItsWordsAndItsPlace) {
  for (
      const Mistake& m : std::initializer_list<Mistake>{
          {"[]", "x.json:4:19: synchronisation: this must be an object, not an array"},
          {R"j({"barrier":[1]})j",
           "unknown key 'barrier', did you mean 'barriers'; allowed here are apart, "
           "barriers, signals, priorities"},
          {R"j({"apart":"ports"})j", "x.json:4:28: synchronisation.apart: unknown word 'ports'"},
          {R"j({"barriers":[0]})j", "x.json:4:32: synchronisation.barriers[0]: steps are counted from 1"},
          {R"j({"barriers":[4294967295]})j", "a step is at most 4294967294, not 4294967295"},
          {R"j({"barriers":["1"]})j", "synchronisation.barriers[0]: this must be a whole number from 0"},
          {R"j({"barriers":[1,3]})j", "x.json:4:34: synchronisation.barriers[1]: a barrier stands between"},
          {R"j({"signals":[{"from":0,"after_step":1,"to":1}]})j",
           "synchronisation.signals[0]: the key 'before_step' is missing"},
          {R"j({"signals":[{"from":0,"after":1}]})j",
           "synchronisation.signals[0]: unknown key 'after', did you mean 'after_step'; allowed here are from, after_step, to, "
           "before_step"},
          {R"j({"signals":[{"from":4294967295}]})j",
           "synchronisation.signals[0].from: a node is at most 4294967294"},
          {R"j({"signals":[{"from":0,"after_step":1,"to":1,"before_step":2},
                            {"from":0,"after_step":1,"to":7,"before_step":2}]})j",
           "x.json:5:29: synchronisation.signals[1]: node 7 does not exist"},
          {R"j({"signals":[{"from":0,"after_step":3,"to":1,"before_step":2}]})j",
           "a signal goes to a later step"},
          {R"j({"priorities":[{"step":1}]})j", "synchronisation.priorities[0]: the key 'level' is missing"},
          {R"j({"priorities":[{"step":1,"level":1,"form":3}]})j",
           "synchronisation.priorities[0]: unknown key 'form', did you mean 'from'"},
          {R"j({"priorities":[{"step":1,"level":1,"from":3}]})j",
           "a priority is for a whole step, or for what one node sends another in it: 'from' and 'to'"},
          {R"j({"priorities":[{"step":1,"level":2},{"step":2,"level":1},
                               {"step":1,"level":2}]})j",
           "x.json:5:32: synchronisation.priorities[2]: a second priority for all of step 1"}}) {
    EXPECT_THAT(error_of([&] { (void)read_json(m.given); }), HasSubstr(m.message)) << m.given;
  }
}

}  // namespace plan_synchronisation_test
}  // namespace quadrille
