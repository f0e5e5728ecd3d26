// Known numbers of the reductions that any graph has; that their plans are right is the conformance suite's
// business.
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_bfs_tree;
extern const Algorithm allreduce_flooding;
extern const Algorithm reduce_bfs_tree;
extern const Algorithm reduce_product_tree;
}  // namespace algorithms

namespace allreduce_test {

Problem on(std::string_view spec, CollectiveKind kind, uint32_t ports = 0, uint32_t pieces = 1) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

TEST(ReduceBfsTree, TakesWhatABroadcastTakes) {
  EXPECT_EQ(judged_steps(algorithms::reduce_bfs_tree, on("line(9)", CollectiveKind::kReduce)), 8U);
  EXPECT_EQ(judged_steps(algorithms::reduce_bfs_tree, on("complete(9)", CollectiveKind::kReduce, 1)), 8U);
  EXPECT_EQ(judged_steps(algorithms::reduce_bfs_tree, on("line(5)", CollectiveKind::kReduce, 0, 10)), 13U);
}

TEST(ReduceProductTree, IsTheBinomialTreeOnHypercubes) {
  EXPECT_EQ(judged_steps(algorithms::reduce_product_tree, on("hypercube(5)", CollectiveKind::kReduce, 1)),
            5U);
}

// The ports that count going up are those for receiving.
TEST(ReduceBfsTree, OneReceivePortIsEnoughToHoldItUp) {
  Model model;
  model.receive = kOnePort;
  const Problem problem = standard_problem(parse_topology("complete(9)"), CollectiveKind::kReduce, model);
  EXPECT_EQ(judged_steps(algorithms::reduce_bfs_tree, problem), 8U);
}

TEST(AllreduceBfsTree, GoesUpToTheMiddleAndDownAgain) {
  EXPECT_EQ(judged_steps(algorithms::allreduce_bfs_tree, on("line(9)", CollectiveKind::kAllreduce)), 8U);
  EXPECT_EQ(judged_steps(algorithms::allreduce_bfs_tree, on("mesh(5,5)", CollectiveKind::kAllreduce)), 8U);
  EXPECT_EQ(
      judged_steps(algorithms::allreduce_bfs_tree, on("fat_tree(2^3;constant)", CollectiveKind::kAllreduce)),
      6U);
  EXPECT_EQ(judged_steps(algorithms::allreduce_bfs_tree, on("torus(4,4)", CollectiveKind::kAllreduce)), 8U);
}

// Going up the network is turned round, and so are its ports: three links lead to node 0 and two from any.
TEST(AllreduceBfsTree, ExchangesPortsWhereNodesSendOverFewerLinksThanTheyReceive) {
  TopologyBuilder builder("unlike", 5);
  for (uint32_t v = 0; v < 5; ++v) builder.arc(NodeId{v}, NodeId{(v + 1) % 5});
  builder.arc(NodeId{2}, NodeId{0});
  builder.arc(NodeId{3}, NodeId{0});
  const Topology net = builder.build();
  const Model counted{.send = Ports{2}, .receive = Ports{3}};
  for (const Model& model : {Model{}, counted}) {
    const Problem problem = standard_problem(net, CollectiveKind::kAllreduce, model);
    EXPECT_EQ(
        judged_steps(algorithms::allreduce_bfs_tree, problem),
        judged_steps(algorithms::allreduce_bfs_tree, standard_problem(net, CollectiveKind::kAllreduce)));
  }
}

TEST(AllreduceFlooding, TakesManyPiecesInFewerStepsThanTheTree) {
  const Problem problem = on("mesh(4,4)", CollectiveKind::kAllreduce, 0, 64);
  EXPECT_LT(judged_steps(algorithms::allreduce_flooding, problem),
            judged_steps(algorithms::allreduce_bfs_tree, problem));
}

}  // namespace allreduce_test
}  // namespace quadrille
