// Broadcasts by worms with any number of ports, against doubling: with p ports nobody informs more than p others
// in a step. And what runs along their trees.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_wormhole_ports;
extern const Algorithm broadcast_wormhole_ports;
extern const Algorithm gather_wormhole_ports;
extern const Algorithm scatter_wormhole_ports;
}  // namespace algorithms

namespace broadcast_wormhole_ports_test {

using ::testing::HasSubstr;

Model worms(uint32_t send, uint32_t receive = 1) {
  Model model = ports(send, receive);
  model.switching = Switching::kWormhole;
  model.routing = Routing::kDimensionOrder;
  return model;
}

Problem on(std::string_view spec, const Model& model, CollectiveKind kind = CollectiveKind::kBroadcast,
           uint32_t root = 0, uint32_t pieces = 1) {
  const Topology topology = parse_topology(spec);
  Model routed = model;
  if (topology.product() == nullptr) routed.routing = Routing::kShortest;
  return standard_problem(topology, kind, routed, kind == CollectiveKind::kAllgather ? kNoNode : NodeId{root},
                          pieces);
}

uint64_t steps(std::string_view spec, uint32_t sends, uint32_t root = 0) {
  return judged_steps(algorithms::broadcast_wormhole_ports,
                      on(spec, worms(sends), CollectiveKind::kBroadcast, root));
}

// ceil(log_(p+1) N)
uint64_t bound(uint64_t nodes, uint64_t sends) {
  uint64_t steps = 0;
  for (uint64_t know = 1; know < nodes; know *= sends + 1) ++steps;
  return steps;
}

uint64_t bound(std::string_view spec, uint64_t sends) {
  return bound(parse_topology(spec).num_nodes(), sends);
}

TEST(BroadcastWormholePorts, TheExampleOfTheExtension) {
  EXPECT_EQ(steps("torus(8,8)", 2), 4U);
  EXPECT_EQ(steps("torus(8,8)", 3), 3U);
  EXPECT_EQ(steps("torus(4,4,4)", 3, 21), 3U);
  EXPECT_EQ(steps("torus(27,27)", 2, 100), 6U);
}

TEST(BroadcastWormholePorts, WithTwoPortsSquareToriMeetTheBound) {
  for (uint32_t n = 3; n <= 21; ++n)
    EXPECT_EQ(steps(fmt::format("torus({0},{0})", n), 2, 3 * n / 2), bound(uint64_t{n} * n, 2)) << n;
  for (uint32_t n = 3; n <= 6; ++n)
    EXPECT_EQ(steps(fmt::format("torus({0},{0},{0})", n), 2, n), bound(uint64_t{n} * n * n, 2)) << n;
}

TEST(BroadcastWormholePorts, WithThreePortsSquareToriMeetTheBoundButALittleBelowAPowerOfTwo) {
  for (uint32_t n = 3; n <= 20; ++n) {
    const bool later = n == 7 || (n >= 13 && n <= 15);
    EXPECT_EQ(steps(fmt::format("torus({0},{0})", n), 3, n), bound(uint64_t{n} * n, 3) + (later ? 1 : 0))
        << n;
  }
  for (const uint32_t n : {2U, 4U, 8U})
    EXPECT_EQ(steps(fmt::format("torus({0},{0},{0})", n), 3), bound(uint64_t{n} * n * n, 3)) << n;
}

TEST(BroadcastWormholePorts, AnySidesFromAnyRootWithinAStepOfDoubling) {
  for (const std::string_view spec : {"torus(5,7)",   "torus(4,8)",  "torus(3,20)",
                                      "torus(20,3)",  "torus(12,5)", "torus(30,13)",
                                      "torus(2,31)",  "torus(31,2)", "torus(9,25)",
                                      "torus(1,3,4)", "torus(2,3)",  "torus(5,2)",
                                      "mesh(5,7)",    "mesh(4,8)",   "mesh(3,20)",
                                      "mesh(12,5)",   "mesh(3,3)",   "mesh(2,9)",
                                      "mesh(10,10)",  "mesh(13,6)",  "product(ring(5),line(4))"}) {
    const uint32_t nodes = parse_topology(spec).num_nodes();
    for (const uint32_t sends : {2U, 3U}) {
      if (nodes < 7 && sends == 3) continue;  // 2 x 3: no node has more than three links
      for (uint32_t root = 0; root < nodes; root += 1 + nodes / 4)
        EXPECT_LE(steps(spec, sends, root), bound(spec, sends) + 1) << spec << ", " << sends << " ports";
    }
  }
}

TEST(BroadcastWormholePorts, MoreDimensionsWithinTwoStepsOfDoubling) {
  for (const std::string_view spec :
       {"torus(3,4,5)", "torus(4,4,4)", "torus(5,5,5)", "torus(2,3,7)", "torus(6,6,6)", "torus(3,3,3,3)",
        "mesh(3,3,3)", "mesh(4,4,4)", "mesh(3,4,5)", "mesh(6,6,6)", "product(line(5),ring(3),line(4))",
        "hypercube(5)"}) {
    for (const uint32_t sends : {2U, 3U, 4U, 5U}) {
      if (spec == "hypercube(5)" && sends == 5) continue;  // all ports
      EXPECT_LE(steps(spec, sends, 7), bound(spec, sends) + 2) << spec << ", " << sends << " ports";
    }
  }
}

TEST(BroadcastWormholePorts, AllPortsToSendAndOneToReceive) {
  Model model = worms(0, 1);
  for (const std::string_view spec : {"torus(5,5)", "mesh(4,6)", "line(9)", "ring(12)"}) {
    const uint64_t all = judged_steps(algorithms::broadcast_wormhole_ports, on(spec, model));
    EXPECT_LE(all, bound(spec, 2) + 1) << spec;
  }
}

TEST(BroadcastWormholePorts, HalfDuplexWithAnyPorts) {
  for (const uint32_t sends : {0U, 2U, 3U}) {
    Model model = worms(sends, sends);
    model.duplex = Duplex::kHalf;
    for (const std::string_view spec :
         {"torus(5,7)", "torus(8,8)", "mesh(6,5)", "torus(3,4,5)", "torus(2,9)", "torus(16,16)"}) {
      const uint64_t taken = judged_steps(algorithms::broadcast_wormhole_ports, on(spec, model));
      EXPECT_LE(taken, bound(spec, sends == 0 ? 4 : sends) + 2) << spec;
    }
  }
}

TEST(BroadcastWormholePorts, ScatterGatherAndAllgatherTakeTheStepsOfItsTree) {
  for (const std::string_view spec :
       {"torus(5,6)", "torus(8,8)", "mesh(5,4)", "torus(3,3,3)", "mesh(2,7)", "torus(2,2)"}) {
    for (const uint32_t sends : {1U, 2U}) {
      if (spec == "torus(2,2)" && sends == 2) continue;  // all ports
      const Model model = worms(sends, sends);
      const uint64_t scatter =
          judged_steps(algorithms::scatter_wormhole_ports, on(spec, model, CollectiveKind::kScatter, 1));
      const uint64_t gather =
          judged_steps(algorithms::gather_wormhole_ports, on(spec, model, CollectiveKind::kGather, 1));
      const uint64_t allgather =
          judged_steps(algorithms::allgather_wormhole_ports, on(spec, model, CollectiveKind::kAllgather));
      if (sends == 1) {
        EXPECT_EQ(scatter, bound(spec, 1)) << spec;
        EXPECT_EQ(gather, bound(spec, 1)) << spec;
        EXPECT_EQ(allgather, 2 * bound(spec, 1)) << spec;
        continue;
      }
      EXPECT_LE(scatter, bound(spec, 2) + 1) << spec;
      EXPECT_LE(gather, bound(spec, 2) + 1) << spec;
      EXPECT_LE(allgather, 2 * (bound(spec, 2) + 1)) << spec;
      const Problem pieces = on(spec, model, CollectiveKind::kScatter, 0, 3);
      EXPECT_LE(judged_steps(algorithms::scatter_wormhole_ports, pieces), bound(spec, 2) + 1) << spec;
    }
  }
}

TEST(BroadcastWormholePorts, SaysWhichConditionFails) {
  const auto reason = [](std::string_view spec, const Model& model) {
    return algorithms::broadcast_wormhole_ports.applies(on(spec, model)).reason;
  };
  EXPECT_EQ(reason("torus(4,4)", worms(1)),
            "it needs two ports to send or more; with one broadcast_wormhole_one_port serves");
  EXPECT_EQ(reason("torus(4,4)", worms(4, 4)),
            "it is for fewer ports than a node of torus(4,4) has links, or half duplex; "
            "broadcast_wormhole_best serves");
  EXPECT_THAT(reason("star(4)", worms(2)), HasSubstr("it needs a torus or a mesh"));
  EXPECT_THAT(reason("torus(4,4)", ports(2)), HasSubstr("it needs wormhole switching"));
}

TEST(BroadcastWormholePortsSlow, SquaresUpToFortyWithinAStep) {
  for (uint32_t n = 2; n <= 40; ++n) {
    for (const std::string_view family : {"torus", "mesh"}) {
      for (const uint32_t sends : {2U, 3U}) {
        if (n == 2 && sends == 3) continue;
        const std::string spec = fmt::format("{0}({1},{1})", family, n);
        EXPECT_LE(steps(spec, sends, n),
                  bound(spec, sends) + (family == "torus" && sends == 2 && n > 2 ? 0 : 1))
            << spec;
      }
    }
  }
}

TEST(BroadcastWormholePortsSlow, LargeGrids) {
  EXPECT_EQ(steps("torus(200,200)", 2), 10U);
  EXPECT_EQ(steps("torus(200,200)", 3), 8U);
  EXPECT_EQ(steps("mesh(150,150)", 2, 77), 10U);
  EXPECT_EQ(steps("mesh(150,150)", 3), 8U);
  EXPECT_EQ(steps("torus(16,16,16)", 3), 6U);
  EXPECT_EQ(steps("torus(40,40,40)", 4), 8U);
}

}  // namespace broadcast_wormhole_ports_test
}  // namespace quadrille
