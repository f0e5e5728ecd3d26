#include "quadrille/topology/structure/regular_subgroup.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::regular_subgroup_test {
namespace {

void expect_form(const Topology& ours, bool abelian) {
  const std::optional<CayleyForm> form = cayley_form(ours);
  ASSERT_TRUE(form);
  const Topology& known = form->topology;
  ASSERT_NE(known.cayley(), nullptr);
  EXPECT_EQ(known.cayley()->group->is_abelian(), abelian);
  EXPECT_EQ(known.num_arcs(), ours.num_arcs());
  EXPECT_TRUE(parse_topology(known.name()).same_graph(known));
  for (const ArcId arc : known.arcs())
    EXPECT_TRUE(
        ours.find_arc(form->image[index(known.tail(arc))], form->image[index(known.head(arc))]).has_value());
}

TEST(RegularSubgroup, OfAnAbelianCayleyGraphIsFoundWhateverTheNumbering) {
  for (const char* spec : {"circulant(17;1,4)", "circulant(64;1,5,20)", "ring(12)", "complete(6)",
                           "cayley(Z(3,3);[1,1],[2,2],[1,2],[2,1])", "cayley(Z(4,6);[1,1],[3,5],[0,1],[0,5])",
                           "hypercube(4)", "circulant(16;1,3,5,7)"}) {
    SCOPED_TRACE(spec);
    expect_form(numbered_anew(parse_topology(spec), 7), true);
  }
}

TEST(RegularSubgroup, OfPermutationsIsFoundToo) {
  for (const char* spec : {"star(4)", "pancake(4)", "star(5)", "cube_connected_cycles(4)",
                           "cayley(S(5);(0 1 2 3 4),(0 4 3 2 1),(0 1))"}) {
    SCOPED_TRACE(spec);
    expect_form(numbered_anew(parse_topology(spec), 3), false);
  }
}

TEST(RegularSubgroup, IsNotThereInOthers) {
  for (const char* spec : {"generalized_petersen(5,2)", "line(4)", "mesh(3,3)", "slim_fly(5)",
                           "fat_tree(2,2)", "random_regular(24,3;7)", "edges(\"0 1 2, 1 2, 2 0\")"})
    EXPECT_FALSE(cayley_form(parse_topology(spec)).has_value()) << spec;
}

}  // namespace
}  // namespace quadrille::regular_subgroup_test
