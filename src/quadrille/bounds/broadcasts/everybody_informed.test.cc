// Everybody informed: what few ports cost an allreduce.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/search/everybody_informed.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace everybody_informed_test {

int64_t bound(std::string_view spec, uint32_t ports) {
  Model model;
  model.send = model.receive = Ports{ports};
  return best_bound(standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model)).value.ceil();
}

TEST(EverybodyInformed, OnePortHoldsUpTheMiddleOfALine) {
  EXPECT_EQ(bound("line(6)", 1), 5);
  EXPECT_EQ(bound("line(7)", 1), 7);
  EXPECT_EQ(bound("line(7)", 2), 6);
}

TEST(EverybodyInformed, KnowsRingsAndTreesWithOnePort) {
  EXPECT_EQ(bound("ring(8)", 1), 4);
  EXPECT_EQ(bound("ring(9)", 1), 6);
  EXPECT_EQ(bound("tree(2^2)", 1), 7);
  EXPECT_EQ(bound("fat_tree(2^2;constant)", 1), 7);
}

TEST(EverybodyInformed, IsAskedOnlyWhereNewsCanComeInTime) {
  const Topology line = parse_topology("line(7)");
  EXPECT_TRUE(solve(EverybodyInformed(line, {1, 1}, 6).formula()).unsatisfiable());
  EXPECT_TRUE(solve(EverybodyInformed(line, {1, 1}, 7).formula()).satisfiable());
  EXPECT_TRUE(solve(EverybodyInformed(line, {}, 6).formula()).satisfiable());
  EXPECT_TRUE(solve(EverybodyInformed(line, {}, 5).formula()).unsatisfiable());
  EXPECT_GT(informed_floor(line, {1, 1}, 6, 1000).lemmas, 0U);
  EXPECT_EQ(informed_floor(line, {1, 1}, 7, 1000).lemmas, 0U);
}

TEST(EverybodyInformed, SaysWhoSendsToWhomInTheFewestSteps) {
  const Topology net = parse_topology("random_regular(16,3;1)");
  const InformedFloor floor = informed_floor(net, {1, 1}, 5, 1000);
  EXPECT_EQ(floor.steps, 6U);
  ASSERT_EQ(floor.messages.size(), 6U);
  const EverybodyInformed in_six(net, {1, 1}, 6);
  const SearchAnswer answer = solve(in_six.formula());
  ASSERT_TRUE(answer.satisfiable());
  for (const MessagesOfSteps& messages : {floor.messages, in_six.messages(answer)}) {
    std::vector<uint64_t> heard;
    for (uint32_t v = 0; v < net.num_nodes(); ++v) heard.push_back(uint64_t{1} << v);
    for (const std::vector<ArcId>& step : messages) {
      const std::vector<uint64_t> before = heard;
      for (const ArcId arc : step) heard[index(net.head(arc))] |= before[index(net.tail(arc))];
    }
    for (const uint64_t word : heard) EXPECT_EQ(word, 0xffffU);
  }
}

}  // namespace everybody_informed_test
}  // namespace quadrille
