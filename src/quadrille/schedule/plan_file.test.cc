#include "quadrille/schedule/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/testing/counted.test.h"

namespace quadrille {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Nodes 0 and 4 are routers; 1>2 has no way back.
Topology small_graph() {
  TopologyBuilder builder("small", 5);
  builder.link(NodeId{0}, NodeId{1}, 2);
  builder.arc(NodeId{1}, NodeId{2});
  builder.arc(NodeId{2}, NodeId{0}, 3);
  builder.link(NodeId{2}, NodeId{3});
  builder.link(NodeId{3}, NodeId{4});
  builder.endpoints({NodeId{1}, NodeId{2}, NodeId{3}});
  return builder.build();
}

Plan shapes(const Problem& problem) {
  const Topology& net = problem.topology();
  const bool reduces = problem.collective().flow() == Flow::kCombine;
  const BlockId last = id_at<BlockId>(problem.collective().num_blocks() - 1);
  Plan plan;
  StepBuilder step;
  step.add(*net.find_arc(NodeId{0}, NodeId{1}), BlockId{0});
  step.add(*net.find_arc(NodeId{2}, NodeId{3}), last);
  step.flush(plan);
  step.flush(plan);
  step.add(*net.find_arc(NodeId{0}, NodeId{1}), BlockId{0});
  step.add(path_through(net, {NodeId{3}, NodeId{2}, NodeId{0}}), std::vector{last, BlockId{0}},
           reduces ? TransferOp::kCopy : TransferOp::kDefault);
  step.add(path_through(net, {NodeId{0}, NodeId{1}}), {});
  step.flush(plan);
  step.add(path_through(net, {NodeId{0}, NodeId{3}}), std::vector{last});
  step.add(path_through(net, {NodeId{0}, NodeId{1}, NodeId{3}, NodeId{4}}), std::vector{BlockId{0}});
  step.add(path_through(net, {NodeId{0}, NodeId{4}, NodeId{1}, NodeId{2}}), std::vector{BlockId{0}});
  step.flush(plan);
  step.flush(plan);
  return plan;
}

}  // namespace

std::vector<PlanFile> plans_of_all_shapes() {
  std::vector<PlanFile> out;
  for (const CollectiveKind kind : kEveryCollective) {
    for (const uint32_t pieces : {1U, 2U}) {
      for (const bool worms : {false, true}) {
        Model model;
        if (worms) {
          model = {kOnePort,      Ports{3},           Switching::kWormhole,   Packets::kOne,
                   Duplex::kHalf, Routing::kShortest, {0.1, 0.25, 1e-9, 3e80}};
          if (kind < CollectiveKind::kReduce) {
            model.queue_limit = 3;
            if (pieces == 2) model.queues_per = QueuesPer::kIncoming;
          }
        }
        PlanFile file{{any_problem(small_graph(), kind, model, NodeId{2}, pieces)}, {}};
        file.plan = shapes(file.problem);
        if (worms) {
          file.algorithm = "by_hand (second try)";
          file.stated_figures = {5, 3, std::nullopt};
          file.bounds = {{"average status", Rational::of(15, 2)}, {"ports", Rational(-3)}};
          file.bounds.push_back(
              {"by cut", Rational(7), CutWitness{{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{4}}}});
          file.bounds.push_back({"by node", Rational(7), NodeWitness{NodeId{3}}});
          file.bounds.push_back({"by news", Rational(7), InformedWitness{NodeId{2}, 3}});
          file.bounds.push_back({"by weights", Rational(7),
                                 WeightsWitness{{{NodeId{0}, NodeId{1}, 3}, {NodeId{2}, NodeId{0}, 10'000}},
                                                {{NodeId{4}, 1}},
                                                {{NodeId{0}, 2}, {NodeId{1}, 5}}}});
          file.bounds.push_back({"by refutation", Rational(7), RefutationWitness{6, {{3, 14}, {}}}});
          file.bounds.push_back(
              {"by times", Rational(7),
               TimesWitness{std::vector<uint32_t>(file.problem.topology().num_nodes(), 4'000'000'000U)}});
          file.synchronisation = {
              false,
              {0, 3},
              {{NodeId{4}, 0, NodeId{1}, 4}, {NodeId{2}, 3, NodeId{0}, 4}},
              {{.step = 3, .level = 2}, {0, 7, NodeId{2}, NodeId{3}}, {.step = 0, .level = 1}}};
          if (pieces == 1) file.synchronisation = PlanSynchronisation{};
        }
        out.push_back(std::move(file));
      }
    }
  }
  return out;
}

namespace {

TEST(PlanFile, NodesOfAPathComeBackAsTheSameArcs) {
  const Topology net = small_graph();
  std::vector<NodeId> nodes;
  std::vector<ArcId> arcs;
  const std::vector<ArcId> good = path_through(net, {NodeId{3}, NodeId{2}, NodeId{0}, NodeId{1}});
  path_nodes(net, good, nodes);
  EXPECT_THAT(nodes, ElementsAre(NodeId{3}, NodeId{2}, NodeId{0}, NodeId{1}));
  path_arcs(net, nodes, arcs);
  EXPECT_EQ(arcs, good);
}

TEST(PlanFile, AMissingHopStaysMissing) {
  const Topology net = small_graph();
  const ArcId a01 = *net.find_arc(NodeId{0}, NodeId{1});
  const ArcId a34 = *net.find_arc(NodeId{3}, NodeId{4});
  std::vector<NodeId> nodes;
  std::vector<ArcId> arcs;
  for (const std::vector<ArcId>& path : std::vector<std::vector<ArcId>>{{kNoArc},
                                                                        {kNoArc, kNoArc, kNoArc},
                                                                        {a01, kNoArc, a34},
                                                                        {kNoArc, a34, kNoArc},
                                                                        {a01, kNoArc, kNoArc, a34}}) {
    path_nodes(net, path, nodes);
    path_arcs(net, nodes, arcs);
    EXPECT_EQ(arcs, path);
  }
}

TEST(PlanFile, ArcsThatDoNotJoinAreNotWrittenAsAPathThatDoes) {
  const Topology net = small_graph();
  std::vector<NodeId> nodes;
  std::vector<ArcId> arcs;
  // 0>1 and 2>3: the nodes 0>1>2>3 would be a path of three arcs.
  path_nodes(net, std::vector{*net.find_arc(NodeId{0}, NodeId{1}), *net.find_arc(NodeId{2}, NodeId{3})},
             nodes);
  path_arcs(net, nodes, arcs);
  EXPECT_THAT(arcs, ::testing::Contains(kNoArc));
  // Nor is 0>1, no arc, 2>3.
  path_nodes(net,
             std::vector{*net.find_arc(NodeId{0}, NodeId{1}), kNoArc, *net.find_arc(NodeId{2}, NodeId{3})},
             nodes);
  path_arcs(net, nodes, arcs);
  EXPECT_THAT(arcs, ::testing::Contains(kNoArc));
  path_nodes(net, {}, nodes);
  path_arcs(net, nodes, arcs);
  EXPECT_THAT(arcs, ElementsAre(kNoArc));
}

TEST(PlanFile, NamesBecomeOneCleanLine) {
  EXPECT_EQ(plain_name("alltoall_bruck (v2)"), "alltoall_bruck (v2)");
  EXPECT_EQ(plain_name(" two\nlines\t"), "_two_lines_");
  EXPECT_EQ(plain_name("# net #1 a#b"), "_ net _1 a#b");
  EXPECT_EQ(plain_name("K\xc3\xbcste \xff\xc3"), "K\xc3\xbcste __");
  EXPECT_EQ(plain_name("\xe2\x82\xac \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80 \xf0\x80\x80\x80"),
            "\xe2\x82\xac __ ___ ____ ___ ____");
  EXPECT_EQ(plain_name(""), "");
}

TEST(PlanFile, EveryPartCountsForEquality) {
  const PlanFile one = plans_of_all_shapes().at(1);
  PlanFile other = one;
  EXPECT_EQ(one, other);
  other.stated_figures.steps = 99;
  EXPECT_NE(one, other);
  other = one;
  other.bounds.pop_back();
  EXPECT_NE(one, other);
  other = one;
  other.synchronisation = std::nullopt;
  EXPECT_NE(one, other);
  other = one;
  other.synchronisation->ports = false;
  EXPECT_NE(one, other);
  other = one;
  other.problem = plans_of_all_shapes().at(0).problem;
  EXPECT_NE(one, other);
  other = one;
  StepBuilder().flush(other.plan);
  EXPECT_NE(one, other);
}

TEST(PlanFile, ABlockThatIsNotThereIsExplainedByTheFormOfTheOthers) {
  const auto explain = [](CollectiveKind kind, uint32_t pieces) {
    return no_such_block(standard_problem(small_graph(), kind, {}, NodeId{2}, pieces));
  };
  EXPECT_EQ(
      explain(CollectiveKind::kAlltoall, 3),
      "no such block: alltoall on small names a block by the endpoint it comes from, then the endpoint it "
      "goes to, then its piece, 0 to 2");
  EXPECT_THAT(explain(CollectiveKind::kScatter, 1),
              HasSubstr("by the endpoint it comes from (the root, 2), then the endpoint it goes to"));
  EXPECT_THAT(explain(CollectiveKind::kGather, 1), HasSubstr("then the endpoint it goes to (the root, 2)"));
  EXPECT_THAT(explain(CollectiveKind::kAllreduce, 1), HasSubstr("by its piece, 0 to 0"));
}

TEST(PlanFile, AProblemOfBillionsOfBlocksNeedsALargeFile) {
  const Problem huge =
      standard_problem(small_graph(), CollectiveKind::kAllreduce, {}, kNoNode, 4'000'000'000);
  EXPECT_THAT(
      error_of([&] { check_plan_size(huge, 500); }),
      HasSubstr("allreduce on small with 4000000000 piece(s) has 4000000000 blocks; no file of 500 bytes"));
  check_plan_size(huge, 5'000'000'000);
  check_plan_size(standard_problem(small_graph(), CollectiveKind::kAllreduce, {}, kNoNode, 1 << 24), 1);
}

}  // namespace
}  // namespace quadrille
