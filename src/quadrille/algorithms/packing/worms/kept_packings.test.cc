#include "quadrille/algorithms/packing/worms/kept_packings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <string_view>

#include "quadrille/topology/topology_spec.h"

namespace quadrille::kept_packings_test {

Problem worms_on(std::string_view spec, Ports ports, Routing routing = Routing::kAny) {
  const Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole, .routing = routing};
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

// Everybody to who is so far behind.
std::vector<WormPacking::Worm> shift(uint32_t ranks, uint32_t by) {
  std::vector<WormPacking::Worm> out;
  for (uint32_t r = 0; r < ranks; ++r) out.push_back({Rank{r}, Rank{(r + by) % ranks}});
  return out;
}

TEST(KeptPackings, ARoundIsPackedOnceForAllWhoDoNotFeelTheirPorts) {
  const Problem all = worms_on("torus(4,4)", kAllPorts);
  const Problem one = worms_on("torus(4,4)", kOnePort);
  const auto first = KeptPackings(all).packed(shift(16, 5), 1000);
  EXPECT_EQ(KeptPackings(all).packed(shift(16, 5), 1000), first);
  EXPECT_EQ(KeptPackings(one).packed(shift(16, 5), 1000), first);
  EXPECT_NE(KeptPackings(all).packed(shift(16, 6), 1000), first);
  // Two worms of each rank feel the one port.
  std::vector<WormPacking::Worm> two = shift(16, 5);
  for (const WormPacking::Worm& worm : shift(16, 1)) two.push_back(worm);
  EXPECT_NE(KeptPackings(one).packed(two, 1000), KeptPackings(all).packed(two, 1000));
  EXPECT_GE(KeptPackings(one).packed(two, 1000)->steps.size(), 2U);
}

TEST(KeptPackings, AnotherRoutingIsAnotherQuestion) {
  const Problem any = worms_on("mesh(4,4)", kAllPorts);
  const Problem ordered = worms_on("mesh(4,4)", kAllPorts, Routing::kDimensionOrder);
  EXPECT_NE(KeptPackings(any).packed(shift(16, 5), 1000), KeptPackings(ordered).packed(shift(16, 5), 1000));
}

TEST(KeptPackings, AreWhatAPackingSays) {
  const Problem problem = worms_on("mesh(4,4)", kAllPorts);
  WormPacking packing(problem);
  packing.settle_soon();
  packing.pack(shift(16, 7), 10'000);
  const auto kept = KeptPackings(problem).packed(shift(16, 7), 10'000);
  ASSERT_EQ(kept->steps.size(), packing.num_steps());
  for (uint32_t w = 0; w < 16; ++w) {
    const auto path = packing.path(w);
    EXPECT_TRUE(std::equal(path.begin(), path.end(), kept->path(w).begin(), kept->path(w).end()));
  }
}

TEST(KeptPackings, OfManyRanksNothingIsKept) {
  const Problem problem = worms_on("torus(9,9)", kAllPorts);
  KeptPackings packings(problem);
  EXPECT_NE(packings.packed(shift(81, 1), 1000), packings.packed(shift(81, 1), 1000));
}

}  // namespace quadrille::kept_packings_test
