#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/search/one_port_broadcast.h"
#include "quadrille/search/refutation.h"
#include "quadrille/stored/spoilt_texts.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace refuted_broadcast_test {

using ::testing::HasSubstr;

constexpr Model kOne{.send = kOnePort, .receive = kOnePort};

std::optional<Bound> refuted(std::string_view spec, const Model& model = kOne, uint32_t root = 0,
                             uint32_t pieces = 1) {
  return bound_catalog()
      .find("refuted_broadcast")
      ->evaluate(
          standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model, NodeId{root}, pieces));
}

class KeptRefutations : public ::testing::TestWithParam<KeptRefutation> {};

TEST_P(KeptRefutations, Check) {
  const KeptRefutation& kept = GetParam();
  const std::string torus = fmt::format("torus({})", fmt::join(kept.sides, ","));
  const OnePortBroadcast question(parse_topology(torus), NodeId{0}, kept.steps);
  const std::string path = source_path(fmt::format("data/refutations/{}", kept.proof));
  const RefutationCheck check =
      check_refutation(question.formula(), std::filesystem::exists(path) ? read_file(path) : "");
  EXPECT_TRUE(check.refutes) << check.why;
  EXPECT_EQ(check.lemmas, kept.lemmas);
  if (check.refutes) return;
  // Left for whoever changed the formula on purpose.
  const SearchAnswer answer =
      solve(question.formula(), {.conflicts = 1'000'000, .focus = SearchFocus::kProofs, .want_proof = true});
  ASSERT_TRUE(answer.unsatisfiable());
  write_file(path + ".new", trimmed(question.formula(), answer.proof));
  std::cout << "a new refutation: " << path
            << ".new, lemmas: " << check_refutation(question.formula(), read_file(path + ".new")).lemmas
            << "\n";
}

std::string file_of(const ::testing::TestParamInfo<KeptRefutation>& kept) {
  return std::string(kept.param.proof.substr(0, kept.param.proof.size() - std::string_view(".drat").size()));
}

INSTANTIATE_TEST_SUITE_P(All, KeptRefutations,
                         ::testing::ValuesIn(kept_refutations().begin(), kept_refutations().end()), file_of);

TEST(KeptRefutationHeads, AccidentsAreNoticed) {
  expect_spoilt_texts_are_refused(kept_refutation_kind(), 100, [](const StoredEntry& entry) {
    EXPECT_GE(KeptRefutation(entry).sides.front(), 3U);
  });
}

TEST(RefutedBroadcast, UsesAKeptRefutationWhateverTheOrderOfTheSides) {
  const std::optional<Bound> bound = refuted("torus(5,7,3)", kOne, 17);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->value, Rational(8));
  EXPECT_THAT(bound->witness, HasSubstr("that 7 steps suffice is refuted by"));
  EXPECT_THAT(bound->witness, HasSubstr("data/refutations/torus_3_5_7_in_7_steps.drat"));
  EXPECT_FALSE(refuted("torus(5,7,5)").has_value());
}

TEST(RefutedBroadcast, IsMadeAgainForAPlanFileInAFormThatNeedsNoBelief) {
  const auto broadcast = [](std::string_view spec, uint32_t root, uint32_t pieces) {
    return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, kOne, NodeId{root}, pieces);
  };
  const Problem torus = broadcast("torus(3,9,3)", 17, 1);
  const RefutationWitness again = refutation_made_again(torus).value();
  EXPECT_EQ(again.steps, 7U);
  EXPECT_EQ(proved_by(torus, again), Rational(8));
  EXPECT_EQ(proved_by(broadcast("torus(3,9,3)", 17, 4), again), Rational(11));
  EXPECT_EQ(proved_by(broadcast("torus(3,9,3)", 18, 1), again), Rational(0)) << "from there it says nothing";
  EXPECT_FALSE(refutation_made_again(broadcast("torus(3,3,10)", 0, 1)).has_value());
  EXPECT_FALSE(refutation_in_a_moment(torus).has_value());
  const Problem ring = broadcast("ring(9)", 0, 1);
  EXPECT_EQ(refutation_made_again(ring).value(), refutation_in_a_moment(ring).value());
  EXPECT_EQ(proved_by(ring, refutation_made_again(ring).value()), Rational(5));
  EXPECT_FALSE(refutation_made_again(broadcast("hypercube(4)", 0, 1)).has_value()) << "others say as much";
}

TEST(RefutedBroadcast, TheLastOfManyPiecesLeavesTheRootLate) {
  const Bound bound = refuted("torus(5,7,3)", kOne, 17, 9).value();
  EXPECT_EQ(bound.value, Rational(16));
  EXPECT_THAT(bound.witness, HasSubstr("; the last piece leaves the root 8 steps later"));
  EXPECT_EQ(refuted("ring(9)", kOne, 0, 3).value().value, Rational(7));
}

TEST(RefutedBroadcast, RefutesOnTheSpotOnSmallGraphs) {
  // Four neighbours and four diagonal ones: distance 4, doubling 5, and yet 6 from the middle of a 5 x 5
  // mesh.
  const std::optional<Bound> mesh = refuted("mesh(5,5)", kOne, 12);
  ASSERT_TRUE(mesh.has_value());
  EXPECT_EQ(mesh->value, Rational(6));
  EXPECT_THAT(mesh->witness, HasSubstr("that 5 steps suffice is refuted by a proof"));
  // Two ends, one of which is informed a step later.
  EXPECT_EQ(refuted("ring(9)").value().value, Rational(5));
}

TEST(RefutedBroadcast, SaysNothingWhereOthersSayAsMuchOrTheModelIsAnother) {
  EXPECT_FALSE(refuted("hypercube(4)").has_value());
  EXPECT_FALSE(refuted("ring(5)", Model{.send = Ports{2}, .receive = Ports{2}}).has_value());
  EXPECT_FALSE(refuted("ring(5)", Model{.send = kOnePort, .switching = Switching::kWormhole}).has_value());
}

}  // namespace refuted_broadcast_test
}  // namespace quadrille
