#include "quadrille/schedule/plan_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_json.h"

namespace quadrille {
namespace plan_text_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kRing = R"(quadrille-plan 1
topology ring(3)
collective alltoall
model send=1 receive=1 switching=packet duplex=full
algorithm by_hand
claim steps=2
bound average_status 2
step  # 1
0>1: 0-1
1>2: 1-2
2>0: 2-0
step  # 2
0>2: 0-2
1>0: 1-0
2>1: 2-1
)";

PlanFile read(std::string_view text) { return read_plan_text(text, "x.plan"); }
std::string error_of(std::string_view text) {
  return quadrille::error_of([&] { (void)read(text); });
}

TEST(PlanText, ASmallPlanReadsAsItLooks) {
  const PlanFile file = read(kRing);
  EXPECT_EQ(file.problem.title(), "alltoall on ring(3)");
  EXPECT_EQ(file.problem.model().send, kOnePort);
  EXPECT_EQ(file.algorithm, "by_hand");
  EXPECT_EQ(file.stated_figures.steps, 2U);
  ASSERT_EQ(file.bounds.size(), 1U);
  EXPECT_EQ(file.bounds[0].value, Rational(2));
  ASSERT_EQ(file.plan.num_steps(), 2U);
  const StepView first = file.plan.step(0);
  EXPECT_TRUE(first.is_unit());
  EXPECT_EQ(first.arcs(1)[0], file.problem.topology().find_arc(NodeId{1}, NodeId{2}));
  EXPECT_EQ(first.blocks(1)[0], file.problem.collective().block(Rank{1}, Rank{2}));
}

TEST(PlanText, WritingGivesTheSameBytesAgain) { EXPECT_EQ(write_plan_text(read(kRing)), kRing); }

TEST(PlanText, PlansOfAllShapesComeBackEqual) {
  for (const PlanFile& file : plans_of_all_shapes()) {
    const std::string text = write_plan_text(file);
    EXPECT_EQ(read(text), file) << text;
    EXPECT_EQ(write_plan_text(read(text)), text);
  }
}

TEST(PlanText, NodesWithNamesAreNamedBesideTheirNumbers) {
  constexpr std::string_view kPod = R"(quadrille-plan 1
link 0 2
link 1 2
endpoints 0..1
label 0 gpu0
label 1 gpu1
label 2 nvsw0
collective alltoall pieces=4
model switching=wormhole
step
0>2>1: 0-1.0 0-1.1 0-1.2 0-1.3
step
0>1: 1-0.2
)";
  const std::string text = write_plan_text(read(kPod));
  EXPECT_THAT(
      text, HasSubstr("0>2>1: 0-1.0 0-1.1 0-1.2 0-1.3  # gpu0 > nvsw0 > gpu1: gpu0->gpu1 piece 0, gpu0->gpu1 "
                      "piece 1, gpu0->gpu1 piece 2 and 1 more\n"));
  EXPECT_THAT(text, HasSubstr("?>?: 1-0.2  # ? > ?: gpu1->gpu0 piece 2\n"));
  EXPECT_EQ(write_plan_text(read(text)), text);
  EXPECT_THAT(write_plan_text(read(kRing)), Not(HasSubstr("0->1")));
}

TEST(PlanText, OnlyTheFirstLineTopologyAndCollectiveAreNeeded) {
  const PlanFile file =
      read("# by hand\n\nquadrille-plan 1 # first\r\n  collective bcast\n\ttopology ring(4)  # net");
  EXPECT_EQ(file.problem.title(), "broadcast on ring(4)");
  EXPECT_EQ(file.problem.model(), Model{});
  EXPECT_EQ(file.problem.collective().root(), Rank{0});
  EXPECT_EQ(file.plan.num_steps(), 0U);
}

TEST(PlanText, EmptyStepsCount) {
  EXPECT_EQ(read("quadrille-plan 1\ntopology ring(3)\ncollective gather\nstep\nstep\nstep # last\n")
                .plan.num_steps(),
            3U);
}

TEST(PlanText, AGraphCanBeWrittenOutInPlaceOfASpec) {
  const PlanFile file = read(
      "quadrille-plan 1\nlink 0 1\nlink 1 2 4\narc 2 0\nendpoints 0..1\ncollective scatter root=1 pieces=2\n"
      "model ports=all receive=2 switching=wormhole routing=shortest ts=2.5\nstep\n1>0: 1-0.0 1-0.1\n");
  const Topology& net = file.problem.topology();
  EXPECT_EQ(net.name(), "graph");
  EXPECT_EQ(net.num_nodes(), 3U);
  EXPECT_EQ(net.num_arcs(), 5U);
  EXPECT_EQ(net.num_endpoints(), 2U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{2}, NodeId{1})), 4U);
  EXPECT_EQ(file.problem.model().receive, Ports{2});
  EXPECT_EQ(file.problem.model().cost.ts, 2.5);
  EXPECT_EQ(read(write_plan_text(file)), file);
}

TEST(PlanText, CostsMayBeInMicroseconds) {
  const PlanFile file =
      read("quadrille-plan 1\ntopology ring(3)\ncollective allgather\nmodel ts=2 tx=8e-05 time=us\n");
  EXPECT_TRUE(file.problem.model().cost.in_microseconds);
  EXPECT_EQ(read(write_plan_text(file)), file);
  EXPECT_EQ(read_plan_json(write_plan_json(file), "written.json"), file);
}

TEST(PlanText, ASpecThatSaysNothingHereKeepsItsNameBesideTheLinks) {
  const PlanFile file =
      read("quadrille-plan 1\ntopology file(\"lost net.graphml\")\nlink 0 1\ncollective allgather\n");
  EXPECT_EQ(file.problem.topology().name(), "file(\"lost net.graphml\")");
  EXPECT_EQ(read(write_plan_text(file)), file);
}

TEST(PlanText, AHopWithoutALinkIsKeptForTheJudge) {
  const PlanFile file =
      read("quadrille-plan 1\ntopology ring(5)\ncollective allgather\nstep\n0>2>3: 0\n0>?: 1\n");
  EXPECT_EQ(file.plan.step(0).arcs(0)[0], kNoArc);
  EXPECT_EQ(file.plan.step(0).arcs(0)[1], file.problem.topology().find_arc(NodeId{2}, NodeId{3}));
  EXPECT_EQ(file.plan.step(0).arcs(1)[0], kNoArc);
  EXPECT_EQ(read(write_plan_text(file)), file);
}

TEST(PlanText, AReductionCanCopy) {
  const PlanFile file = read(
      "quadrille-plan 1\ntopology ring(3)\ncollective allreduce pieces=2\nstep\n0>1: 0\ncopy 1>2: 0 1\n");
  EXPECT_EQ(file.plan.step(0).op(0), TransferOp::kDefault);
  EXPECT_EQ(file.plan.step(0).op(1), TransferOp::kCopy);
  EXPECT_EQ(read(write_plan_text(file)), file);
}

TEST(PlanText, TheWriterStreamsInParts) {
  PlanFile file = read("quadrille-plan 1\ntopology ring(3)\ncollective alltoall\n");
  std::string out;
  size_t parts = 0;
  const auto writer = text_plan_writer(file, [&](std::string_view part) {
    out += part;
    ++parts;
  });
  StepBuilder step;
  for (uint32_t s = 0; s < 3000; ++s) {
    for (uint32_t i = 0; i < 6; ++i) step.add(ArcId{i}, BlockId{i});
    file.plan.push(step.view());
    step.flush(*writer);
  }
  writer->finish();
  EXPECT_GT(parts, 2U);
  EXPECT_EQ(out, write_plan_text(file));
  EXPECT_EQ(read(out), file);
}

TEST(PlanText, AMistakeIsNamedWithLineColumnAndCaret) {
  EXPECT_EQ(
      error_of("quadrille-plan 1\ntopology ring(3)\ncollective alltoall\nstep\n0>1: 0-1 0-3 0-2\n"),
      "x.plan:5:10: no such block: alltoall on ring(3) names a block by the endpoint it comes from, then the "
      "endpoint it goes to\n  0>1: 0-1 0-3 0-2\n           ^~~");
}

struct Mistake {
  std::string_view text;
  std::string_view message;
};

constexpr std::string_view kHead = "quadrille-plan 1\ntopology ring(3)\ncollective alltoall\n";

TEST(PlanText, SlotsAreWrittenWhereTheyAreNamed) {
  const std::string text =
      "quadrille-plan 1\ntopology line(3)\ncollective allreduce\n"
      "model send=all receive=all switching=packet duplex=full\n"
      "step  # 1\nto=3 0>1: 0\ncopy to=31 2>1: 0\nstep  # 2\nfrom=0,3 1>2: 0\nfrom=31 to=1 1>0: 0\n";
  const PlanFile file = read_plan_text(text, "slots.plan");
  EXPECT_EQ(file.plan.step(0).slots_of(0), (SumSlots{SumSlots::kAll, 3}));
  EXPECT_EQ(file.plan.step(0).op(1), TransferOp::kCopy);
  EXPECT_EQ(file.plan.step(1).slots_of(0), (SumSlots{0b1001, 0}));
  EXPECT_EQ(file.plan.step(1).slots_of(1), (SumSlots{1U << 31U, 1}));
  EXPECT_EQ(write_plan_text(file), text);
  const std::string json = write_plan_json(file);
  EXPECT_THAT(json, ::testing::HasSubstr("\"from\":[0,3]"));
  EXPECT_THAT(json, ::testing::HasSubstr("\"op\":\"copy\",\"to\":31"));
  EXPECT_EQ(read_plan_json(json, "slots.json").plan, file.plan);
}

TEST(PlanText, EveryMistakeHasItsWords) {
  for (
      const Mistake& m : std::initializer_list<Mistake>{
          {"", "x.plan:1:1: a plan in text form starts with the line 'quadrille-plan 1'"},
          {"quadrille-plan 2\n", "starts with the line 'quadrille-plan 1'"},
          {"quadrille-plan 1\n", "x.plan:2:1: the line 'collective' is missing before the first step"},
          {"quadrille-plan 1\ncollective alltoall\nstep\n",
           "x.plan:3:1: the line 'topology' (or lines 'link') is missing"},
          {"quadrille-plan 1\ntopolgy ring(3)\n",
           "x.plan:2:1: a line cannot start with 'topolgy' (did you mean 'topology'?)"},
          {"quadrille-plan 1\ntopology ring(3)\ntopology ring(3)\n", "x.plan:3:1: a second line 'topology'"},
          {"quadrille-plan 1\ntopology rnig(3)\ncollective gather\n",
           "x.plan:2:10: no topology is called 'rnig'"},
          {"quadrille-plan 1\ntopology torus(9999,9999)\ncollective gather\n",
           "has 199960002 links; a file of 61 bytes cannot hold"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective alltoal\n",
           "x.plan:3:12: unknown collective 'alltoal'"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective alltoall root=1\n",
           "x.plan:3:26: alltoall has no root"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather root=3\n",
           "x.plan:3:24: root 3 does not exist"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather root=99999999999999\n",
           "a root is at most"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather root\n", "the name is one of root, pieces"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather pieces=0\n",
           "x.plan:3:26: a block cannot be split into 0 pieces"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather pieces=2 pieces=2\n",
           "x.plan:3:28: pieces is given twice"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather pieces=4000000000\n",
           "x.plan:3:26: gather of 3 ranks"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective reduce pieces=4000000000\n",
           "no file of 70 bytes can be a plan"},
          {"quadrille-plan 1\nlink 0 1\nlink 2 3\ncollective gather\n", "x.plan:2:6: graph is not connected"},
          {"quadrille-plan 1\nlink 0 4000000000\ncollective gather\n",
           "4000000001 nodes cannot be connected by 2 arc(s)"},
          {"quadrille-plan 1\nnodes 1000000000000\nlink 0 1\ncollective gather\n",
           "x.plan:2:7: the number of nodes is at most 4294967294"},
          {"quadrille-plan 1\nlink 0 1\nendpoints 0..4000000000\n",
           "x.plan:3:11: more endpoints than a file of this size"},
          {"quadrille-plan 1\nlink 0 1\nendpoints 1..0\n", "goes from small to large"},
          {"quadrille-plan 1\nlink 0 1\nendpoints 0,1\n", "endpoints are written 0 1 2 or 0..2"},
          {"quadrille-plan 1\nlink 0 1\nlink 0 0\ncollective gather\n",
           "x.plan:3:6: graph: node 0 is linked to itself"},
          {"quadrille-plan 1\nlink 0\ncollective gather\n",
           "x.plan:2:7: the second node of a link is needed here"},
          {"quadrille-plan 1\nlink 0 1 2 3\n",
           "x.plan:2:12: nothing more may stand in the line after a link"},
          {"quadrille-plan 1\ntopology ring(3)\nlink 0 1\nlink 1 2\ncollective gather\n",
           "x.plan:2:10: this is a plan for another topology: arc 1 of ring(3) is 0>2 of capacity 1, in the list of "
           "links it is 1>0"},
          {"quadrille-plan 1\ntopology ring(3)\nnodes 4\ncollective gather\n",
           "x.plan:3:7: this is a plan for another topology: ring(3) has 3 nodes, in the file there are 4"},
          {"quadrille-plan 1\ntopology ring(3)\nendpoints 0 1\ncollective gather\n",
           "x.plan:3:11: this is a plan for another topology: node 2 is an endpoint of ring(3), but not in the list of endpoints"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel send=0\n",
           "x.plan:4:12: send is '0'; allowed are one, all or a number"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel switching=circuit\n",
           "x.plan:4:17: unknown switching 'circuit'; allowed are packet, wormhole"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nstep\nto=1 1>0: 1\n",
           "x.plan:5:1: only a reduction keeps partial sums in slots"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective allreduce\nstep\nto=32 1>0: 0\n",
           "x.plan:5:4: slot 32 does not exist: they are 0 to 31"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective allreduce\nstep\nfrom=0, 1>0: 0\n", "a slot"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel speed=1\n",
           "the name is one of ports, send, receive, switching, packets, duplex, routing, operator, chunks, queues, queues_per, ts, tx, tl, rho, to, time"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel ts=-1\n", "'-1' is no cost"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel time=ms\n",
           "unknown unit of time 'ms'; allowed is us"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel ts=nan\n", "'nan' is no cost"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nclaim steps=1.5\n",
           "'1.5' is not a whole number from 0"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nbound 15/2\n",
           "a bound is a name and a number or fraction"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nbound x 1/0\n",
           "x.plan:4:9: a bound with a denominator of 0: '1/0'; at least 1 is needed"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nbound x y 1.5\n",
           "x.plan:4:11: a bound is a whole number or a fraction like 15/2, not '1.5'"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nbound x -1/170141183460469231731687303715884105728\n",
           "x.plan:4:9: a bound is too large: '-1/170141183460469231731687303715884105728'; numerator and "
           "denominator are at most 170141183460469231731687303715884105727 (2^127 - 1)"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\nmodel routing=shortest\n",
           "x.plan:4:7: routing=shortest with packet switching: only worms have paths to choose"},
          {"quadrille-plan 1\ntopology ring(3)\ncollective gather\n0>1: 0-1\n",
           "x.plan:4:1: a transfer stands in a step"}}) {
    EXPECT_THAT(error_of(m.text), HasSubstr(m.message)) << m.text;
    EXPECT_THAT(error_of(m.text), StartsWith("x.plan:")) << m.text;
  }
}

TEST(PlanText, EveryMistakeInAStepHasItsWords) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"step 3\n", "x.plan:4:6: nothing more may stand in the line after 'step'"},
           {"step\nmodel send=1\n",
            "x.plan:5:1: after the first step come only the lines 'step' and transfers"},
           {"step\n3>0: 0-1\n", "x.plan:5:1: node 3 does not exist: the nodes of ring(3) are 0 to 2"},
           {"step\n99999999999999999999>0: 0-1\n", "x.plan:5:1: a node of the path is at most"},
           {"step\n0: 0-1\n", "x.plan:5:1: a path is at least two nodes"},
           {"step\n0>: 0-1\n", "x.plan:5:3: a node of the path is needed here: a whole number"},
           {"step\n0>1 0-1\n", "x.plan:5:4: a path goes on with '>' and a node, or ends with ':'"},
           {"step\n0>1", "x.plan:5:4: a path goes on with '>'"},
           {"step\n0>1: 0-1-0\n", "x.plan:5:6: no such block"},
           {"step\n0>1: 0-1-0-1-2\n", "x.plan:5:6: no such block"},
           {"step\n0>1: 0.1\n", "x.plan:5:6: no such block"},
           {"step\n0>1: 0,1\n", "x.plan:5:7: a block is numbers with '-' or '.' between"},
           {"step\n0>1: 0-\n", "x.plan:5:8: a number of a block is needed here"},
           {"step\n0>1: x\n", "x.plan:5:6: a number of a block is needed here"},
           {"step\ncopy 0>1: 0-1\n", "x.plan:5:1: only a reduction can copy"}}) {
    EXPECT_THAT(error_of(std::string(kHead) + std::string(m.text)), HasSubstr(m.message)) << m.text;
  }
}

}  // namespace plan_text_test
}  // namespace quadrille
