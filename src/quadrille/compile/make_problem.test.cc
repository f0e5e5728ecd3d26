#include "quadrille/compile/make_problem.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/collective/collective.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace make_problem_test {

std::string refusal(CollectiveKind kind, uint32_t pieces, bool for_figures) {
  const Topology net = parse_topology("torus(4,4)");
  try {
    static_cast<void>(for_figures ? make_problem_for_figures(net, kind, {}, "", pieces)
                                  : make_problem(net, kind, {}, "", pieces));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MakeProblem, TooManyPiecesAreRefusedBeforeAnyWorkWhicheverTheCollective) {
  using enum CollectiveKind;
  for (const CollectiveKind kind :
       {kBroadcast, kReduce, kAllreduce, kAllgather, kAlltoall, kScatter, kGather, kReduceScatter}) {
    for (const bool for_figures : {false, true}) {
      SCOPED_TRACE(name_of(kind));
      for (const uint32_t pieces : {1'000'000U, 4'294'967'294U})
        EXPECT_NE(refusal(kind, pieces, for_figures), "");
      EXPECT_EQ(refusal(kind, 4096, for_figures), "");
    }
  }
  EXPECT_EQ(
      refusal(kBroadcast, 300'000'000, true),
      "--pieces 300000000: broadcast on torus(4,4) has 300,000,000 blocks then, which must be sent 4,500,000,000 times; "
      "at most 139,810 pieces are planned here");
  EXPECT_EQ(refusal(kBroadcast, 139'810, true), "");
  EXPECT_NE(refusal(kBroadcast, 139'811, true), "");
}

TEST(MakeProblem, WhoIsAloneMaySplitAnything) {
  EXPECT_NO_THROW(static_cast<void>(
      make_problem(parse_topology("ring(1)"), CollectiveKind::kBroadcast, {}, "", 1'000'000)));
}

}  // namespace make_problem_test
}  // namespace quadrille
