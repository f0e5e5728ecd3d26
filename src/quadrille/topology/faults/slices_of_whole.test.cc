#include "quadrille/topology/faults/slices_of_whole.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace slices_of_whole_test {
namespace {

std::vector<Cut> slices(const std::string& spec) {
  std::vector<Cut> out;
  for_each_slice_of_whole(parse_topology(spec), [&](const Cut& cut) { out.push_back(cut); });
  return out;
}

TEST(SlicesOfWhole, ThinnestIsWhereALinkDied) {
  const std::string spec = "without(torus(8,8);\"link (2,3) (2,4)\")";
  const Topology left = parse_topology(spec);
  uint64_t least = UINT64_MAX;
  for (const Cut& cut : slices(spec)) {
    const auto inside = std::ranges::count(cut.side, char{1});
    if (inside == 32) least = std::min(least, capacity_across(left, cut).out);
  }
  EXPECT_EQ(least, 15U);  // two planes of eight links, less the dead one
}

TEST(SlicesOfWhole, EveryOnePartsTheNetwork) {
  for (const char* spec :
       {"without(torus(4,5);\"node (0,0)\")", "without(mesh(3,4);\"link (0,0) (0,1)\")",
        "without(hypercube(4);\"link 0 1\")", "without(product(ring(5),complete(3));\"node (1,1)\")",
        "without(torus(6,4,3);\"arc (0,0,0) (0,0,1)\")"}) {
    const Topology left = parse_topology(spec);
    const std::vector<Cut> all = slices(spec);
    EXPECT_FALSE(all.empty()) << spec;
    for (const Cut& cut : all) {
      ASSERT_EQ(cut.side.size(), left.num_nodes());
      EXPECT_GT(std::ranges::count(cut.side, char{1}), 0) << spec << " " << cut.description;
      EXPECT_GT(std::ranges::count(cut.side, char{0}), 0) << spec << " " << cut.description;
      EXPECT_GT(capacity_across(left, cut).out, 0U) << spec << " " << cut.description;
    }
  }
}

TEST(SlicesOfWhole, ALayerThatIsDeadIsNoSlice) {
  for (const Cut& cut : slices("without(mesh(3,2);\"node (0,0)\",\"node (0,1)\")"))
    EXPECT_NE(std::ranges::count(cut.side, char{1}), 0) << cut.description;
}

TEST(SlicesOfWhole, OthersHaveNone) {
  EXPECT_TRUE(slices("torus(4,4)").empty());
  EXPECT_TRUE(slices("without(complete(4);\"node 3\")").empty());
}

}  // namespace
}  // namespace slices_of_whole_test
}  // namespace quadrille
