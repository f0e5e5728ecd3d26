#include "quadrille/sim/channels/fewest_channels.h"

#include <gtest/gtest.h>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace fewest_channels_test {
namespace {

uint32_t fewest(const char* spec, Routes routes) {
  return fewest_channels(parse_topology(spec), routes, nullptr).channels;
}

TEST(FewestChannels, AreTwoWhereRoutesCloseARingAndOneElsewhere) {
  EXPECT_EQ(fewest("mesh(3,3)", Routes::kDimensionOrder), 1U);
  EXPECT_EQ(fewest("ring(3)", Routes::kDimensionOrder), 1U);
  EXPECT_EQ(fewest("torus(4,4)", Routes::kDimensionOrder), 1U);
  EXPECT_EQ(fewest("ring(5)", Routes::kDimensionOrder), 2U);
  EXPECT_EQ(fewest("ring(8)", Routes::kDimensionOrder), 2U);
  EXPECT_EQ(fewest("hypercube(3)", Routes::kShortest), 1U);
  EXPECT_EQ(fewest("ring(5)", Routes::kShortest), 2U);
}

TEST(FewestChannels, OfOneIsWhatDependenciesSay) {
  for (const char* spec : {"ring(4)", "ring(6)", "torus(3,3)", "hamming(3,3)", "mesh(2,4)", "complete(4)"}) {
    const Topology network = parse_topology(spec);
    const bool acyclic = check_dependencies(network, Routes::kShortest, 1).acyclic;
    const FewestChannels found = fewest_channels(network, Routes::kShortest, nullptr);
    EXPECT_EQ(found.channels == 1, acyclic) << spec;
    EXPECT_EQ(found.clauses > 0, !acyclic) << spec;
  }
}

TEST(FewestChannels, OfWaysAllRoundARingAreTwo) {
  const Topology ring = parse_topology("ring(6)");
  std::string text;
  for (uint32_t v = 0; v < 6; ++v) text += std::to_string(v) + " * " + std::to_string((v + 1) % 6) + "\n";
  const RoutingTable table = RoutingTable::read(ring, text, "up.txt");
  EXPECT_EQ(fewest_channels(ring, Routes::kTable, &table).channels, 2U);
}

TEST(FewestChannels, AreNotSearchedInLargeNetworks) {
  EXPECT_EQ(error_of([] { (void)fewest("torus(16,16)", Routes::kDimensionOrder); }).substr(0, 24),
            "--fewest: 1024 channels ");
  EXPECT_EQ(error_of([] { (void)fewest("ring(4)", Routes::kUpDown); }),
            "--fewest: up*/down* never deadlocks with one channel; ask of dor, shortest or a table");
}

}  // namespace
}  // namespace fewest_channels_test
}  // namespace quadrille
