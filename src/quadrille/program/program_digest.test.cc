#include "quadrille/program/program_digest.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/compile/choice.h"
#include "quadrille/runtime/job.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace program_digest_test {

Program program_of(const char* spec, CollectiveKind kind, const char* algorithm, NodeId root = kNoNode) {
  const Problem problem = standard_problem(parse_topology(spec), kind, {}, root);
  Plan plan;
  pick_algorithm(problem, algorithm, 1, 0).generate(plan);
  return checked_program(*verify(problem, std::move(plan)).schedule);
}

TEST(ProgramDigest, IsTheSameForTheSameProgramInEveryVersion) {
  Digest digest;
  digest.add(1);
  digest.add("alltoall");
  EXPECT_EQ(digest.value(), 0xe1bd112451f6804bU);
  EXPECT_EQ(digest_of(program_of("ring(4)", CollectiveKind::kAlltoall, "auto")),
            digest_of(program_of("ring(4)", CollectiveKind::kAlltoall, "auto")));
}

TEST(ProgramDigest, TellsOtherProblemsAndOtherAlgorithmsApart) {
  const std::set<uint64_t> seen = {
      digest_of(program_of("ring(4)", CollectiveKind::kAlltoall, "auto")),
      digest_of(program_of("line(4)", CollectiveKind::kAlltoall, "auto")),
      digest_of(program_of("ring(5)", CollectiveKind::kAlltoall, "auto")),
      digest_of(program_of("ring(4)", CollectiveKind::kAllgather, "auto")),
      digest_of(program_of("ring(4)", CollectiveKind::kBroadcast, "auto", NodeId{0})),
      digest_of(program_of("ring(4)", CollectiveKind::kBroadcast, "auto", NodeId{1})),
      digest_of(program_of("ring(4)", CollectiveKind::kAlltoall, "alltoall_direct"))};
  EXPECT_EQ(seen.size(), 7U);
}

TEST(ProgramDigest, EveryPartOfAProgramCounts) {
  const Program good = program_of("ring(4)", CollectiveKind::kAlltoall, "auto");
  const std::vector<std::function<void(RankProgram&)>> changes = {
      [](RankProgram& p) { ++p.input_slots; },
      [](RankProgram& p) { ++p.output_slots; },
      [](RankProgram& p) { ++p.scratch_slots; },
      [](RankProgram& p) {
        p.actions[0].peer = Rank{3};
        p.actions[0].step = 77;
      },
      [](RankProgram& p) { ++p.actions[0].end; },
      [](RankProgram& p) { p.actions.pop_back(); },
      [](RankProgram& p) { ++p.runs[0].first; },
      [](RankProgram& p) { ++p.runs[0].count; },
      [](RankProgram& p) { p.blocks.pop_back(); },
      [](RankProgram& p) { std::swap(p.blocks[0], p.blocks[1]); },
      [](RankProgram& p) { ++p.requests[0]; }};
  std::set<uint64_t> seen = {digest_of(good)};
  for (const auto& change : changes) {
    Program other = good;
    change(other.ranks[2]);
    ASSERT_NE(other, good);
    seen.insert(digest_of(other));
  }
  EXPECT_EQ(seen.size(), changes.size() + 1);
}

}  // namespace program_digest_test
}  // namespace quadrille
