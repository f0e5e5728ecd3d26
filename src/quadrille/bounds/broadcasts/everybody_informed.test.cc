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

}  // namespace everybody_informed_test
}  // namespace quadrille
