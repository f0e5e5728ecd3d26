#include "quadrille/algorithms/fat_trees/folded_clos_shape.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace folded_clos_shape_test {
namespace {

const std::vector<std::string> kClos = {"clos(2)",           "clos(4)",           "clos(6)",
                                        "clos(1,1,1)",       "clos(3,2,4)",       "xgft(2,2,2,2;1,2,2,2)",
                                        "xgft(3,2,2;1,3,4)", "xgft(2,3,2;1,2,3)", "gpu_box(5,1)",
                                        "fat_tree(2^3)",     "xgft(2,2,3;1,1,2)"};

TEST(FoldedClosShape, FindsEveryLinkUpAndDown) {
  for (const std::string& spec : kClos) {
    const Topology given = parse_topology(spec);
    for (const uint64_t seed : {0U, 1U, 2U, 3U}) {
      const Topology net = seed == 0 ? given : numbered_anew(given, seed);
      const std::optional<FoldedClosShape> clos = folded_clos_shape(net);
      ASSERT_TRUE(clos) << spec << " " << seed;
      EXPECT_EQ(clos->hosts(), net.num_endpoints()) << spec;
      uint64_t links = 0;
      for (uint32_t l = 0; l < clos->height(); ++l) {
        for (uint32_t node = 0; node < clos->levels[l].size(); ++node) {
          for (uint32_t p = 0; p < clos->parents[l]; ++p) {
            const uint32_t above = clos->up(l, node, p);
            ASSERT_TRUE(net.find_arc(clos->levels[l][node], clos->levels[l + 1][above])) << spec;
            const uint32_t child = node / clos->tops_of(l) % clos->children[l];
            EXPECT_EQ(clos->down(l + 1, above, child), node) << spec;
            ++links;
          }
        }
      }
      EXPECT_EQ(2 * links, net.num_arcs()) << spec;
    }
  }
}

TEST(FoldedClosShape, IsNotSeenInOtherNetworks) {
  for (const std::string spec :
       {"torus(4,4)", "line(3)", "dragonfly(1,2,1)", "jellyfish(8,3,2;1)", "gpu_box(8,6)",
        "rail_optimized(2,2,1)", "tree(2^2)", "megafly(1,2,2,1)", "slim_fly(3,1)",
        "without(clos(4);\"link 0@1 0@2\")", "without(clos(4);\"node 3\")"})
    EXPECT_FALSE(folded_clos_shape(parse_topology(spec))) << spec;
}

}  // namespace
}  // namespace folded_clos_shape_test
}  // namespace quadrille
