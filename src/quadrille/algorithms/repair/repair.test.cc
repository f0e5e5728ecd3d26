#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/repair/living_part.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_repaired;
}  // namespace algorithms

namespace repair_test {

Problem exchange(std::string_view spec, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {}, kNoNode, pieces);
}

LivingPart part_of(std::string_view spec) {
  const Problem left = exchange(spec);
  const FaultyOrigin origin = *faulty_origin(left.topology());
  return LivingPart(standard_problem(origin.whole, CollectiveKind::kAlltoall), left, origin.original);
}

TEST(FaultyOrigin, IsReadOffTheName) {
  const auto origin = faulty_origin(parse_topology("without(mesh(2,3);\"node (0,1)\")"));
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->whole.name(), "mesh(2,3)");
  EXPECT_EQ(origin->original, (std::vector<NodeId>{NodeId{0}, NodeId{2}, NodeId{3}, NodeId{4}, NodeId{5}}));
  EXPECT_FALSE(faulty_origin(parse_topology("mesh(2,3)")));
}

// By searches in what is left; the products add up and mend.
TEST(LivingDistances, AreThoseOfWhatIsLeft) {
  for (const std::string_view spec :
       {"without(torus(5,4,3);\"link (0,0,0) (0,0,1)\",\"link (0,0,0) (0,1,0)\")",
        "without(mesh(9,7);\"node (4,3)\")", "without(torus(16,16);\"link (0,0) (0,1)\",\"node (8,9)\")",
        "without(mesh(1,9,2);\"link (0,4,0) (0,5,0)\")",
        "without(hypercube(4);\"node 3\",\"node 5\",\"link 0 1\")", "without(complete(5);\"arc 0 1\")"}) {
    const LivingPart part = part_of(spec);
    const Topology left = parse_topology(spec);
    LivingDistances distances(part);
    for (const NodeId target : part.topology().nodes()) {
      if (!part.lives(target)) continue;
      const std::span<const uint32_t> hops = distances.to(target);
      const std::vector<uint32_t> wanted = distances_to(left, part.left(target));
      for (const NodeId v : part.topology().nodes()) {
        if (part.lives(v)) {
          ASSERT_EQ(hops[index(v)], wanted[index(part.left(v))]) << spec;
        }
      }
    }
  }
}

TEST(SymmetricParts, ArePermutationsOfEqualDimensions) {
  const Problem left = exchange("without(torus(4,3,4);\"link (0,0,0) (0,0,1)\")");
  const FaultyOrigin origin = *faulty_origin(left.topology());
  const Problem whole = standard_problem(origin.whole, CollectiveKind::kAlltoall);
  const std::vector<LivingPart> parts = symmetric_parts(whole, left, origin.original, 8);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_FALSE(parts[0].lives(*origin.whole.find_arc(NodeId{0}, NodeId{1})));
  EXPECT_TRUE(parts[1].lives(*origin.whole.find_arc(NodeId{0}, NodeId{1})));
  EXPECT_FALSE(parts[1].lives(*origin.whole.find_arc(NodeId{0}, NodeId{12})));
}

TEST(AlltoallRepaired, StaysNearThePlanOfTheWhole) {
  struct Known {
    std::string_view spec;
    uint64_t whole;
    uint64_t most;
  };
  for (const Known& known : {Known{"without(torus(8,8,8);\"link (0,0,0) (0,0,1)\")", 512, 522},
                             Known{"without(torus(24,24);\"link (0,0) (0,1)\")", 1728, 1798},
                             Known{"without(torus(8,8);\"link (0,0) (0,1)\",\"node (4,4)\")", 64, 84},
                             Known{"without(hypercube(8);\"link 0 1\")", 128, 135},
                             Known{"without(mesh(12,12);\"link (3,3) (3,4)\")", 432, 452},
                             Known{"without(product(ring(4),complete(8));\"link (0,0) (0,1)\")", 16, 17}}) {
    const uint64_t steps = judged_steps(algorithms::alltoall_repaired, exchange(known.spec));
    EXPECT_LE(steps, known.most) << known.spec;
    EXPECT_GE(steps, known.whole - 8) << known.spec;
  }
}

TEST(AlltoallRepaired, TakesFaultsOfAllKindsAndPieces) {
  for (const std::string_view spec :
       {"without(ring(6);\"link 0 1\")", "without(complete(2);\"node 1\")",
        "without(complete(4);\"arc 0 1\")", "without(torus(3,3);\"node (0,0)\",\"node (2,2)\")",
        "without(fat_tree(4,4);\"node 1\")",
        "without(without(mesh(3,3);\"link (0,0) (0,1)\");\"link (2,1) (2,2)\")"}) {
    for (const uint32_t pieces : {1U, 3U}) {
      const Problem problem = exchange(spec, pieces);
      if (!prepare(algorithms::alltoall_repaired, problem).fits.applies) continue;
      EXPECT_EQ(judged_steps(algorithms::alltoall_repaired, problem),
                *algorithms::alltoall_repaired.plan_for(problem)->prediction().steps)
          << spec << " in pieces: " << pieces;
    }
  }
}

TEST(AlltoallRepaired, SaysWhyItDoesNotApply) {
  EXPECT_EQ(prepare(algorithms::alltoall_repaired, exchange("torus(4,4)")).fits.reason,
            "it needs a network with faults, without(..); torus(4,4) has none");
}

}  // namespace repair_test
}  // namespace quadrille
