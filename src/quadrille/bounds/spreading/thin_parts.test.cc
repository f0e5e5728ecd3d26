// What must go between all parts of a network.
#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace bounds {
extern const BoundCard thin_parts;
}  // namespace bounds

namespace thin_parts_test {
namespace {

Problem spreading_on(std::string_view spec, CollectiveKind kind, Duplex duplex, uint32_t pieces = 1) {
  Model model;
  model.duplex = duplex;
  return standard_problem(parse_topology(spec), kind, model, NodeId{0}, pieces);
}

Rational value_of(const Problem& problem) {
  const std::optional<Bound> bound = bounds::thin_parts.evaluate(problem);
  if (!bound) return 0;
  EXPECT_EQ(find_mistake(*bound->evidence, problem.topology()), std::nullopt);
  EXPECT_LE(bound->value, proved_by(problem, *bound->evidence)) << bound->witness;
  return bound->value;
}

// Four pairs in a circle: links of three within a pair, links of one from pair to pair. A cut in two says half as much.
constexpr std::string_view kPairs = "edges(\"a b 3, b c, c d 3, d e, e f 3, f g, g h 3, h a\")";

TEST(ThinParts, AreAllEnteredByWhatBeginsElsewhere) {
  for (const auto kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, Duplex::kHalf)), Rational::of(8 * 3, 4));
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, Duplex::kFull)), Rational::of(8 * 3, 8));
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, Duplex::kHalf, 5)), Rational::of(5 * 8 * 3, 4));
  }
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kBroadcast, Duplex::kFull, 7)),
            Rational::of(7 * 3, 8));
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kReduce, Duplex::kHalf, 7)),
            Rational::of(7 * 3, 4));
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kAllreduce, Duplex::kHalf, 7)),
            Rational::of(7 * 6, 4));
}

TEST(ThinParts, AreProvedByTheLinksBetweenThem) {
  size_t said = 0;
  for (const std::string_view spec :
       {"mesh(3,4)", "star(3)", "jellyfish(8,3,2;1)", "clos(4)", "fat_tree(2,3)", "dragonfly(1,2,1)",
        "without(torus(4,4);\"link (0,0) (0,1)\")", "edges(\"a b 2, b c 3, c d, d a, b d, c e, e f 2\")"}) {
    for (const auto kind :
         {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast,
          CollectiveKind::kReduce, CollectiveKind::kAllreduce}) {
      for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
        const Problem problem = spreading_on(spec, kind, duplex, 5);
        const std::optional<Bound> bound = bounds::thin_parts.evaluate(problem);
        ASSERT_TRUE(bound.has_value());
        EXPECT_LE(bound->value.ceil(), proved_by(problem, *bound->evidence).ceil()) << problem.title();
        ++said;
      }
    }
  }
  EXPECT_EQ(said, 80U);
}

TEST(ThinParts, SayNothingOfWhatMovesOrWhereLinksGoOneWay) {
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kAlltoall, Duplex::kFull)), Rational(0));
  EXPECT_EQ(value_of(spreading_on("kautz(2,3)", CollectiveKind::kAllgather, Duplex::kFull)), Rational(0));
}

}  // namespace
}  // namespace thin_parts_test
}  // namespace quadrille
