// Processes that judge a plan together come to the verdict of one that judges it alone: the same findings, the same figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/compile/compile.h"
#include "quadrille/testing/thread_crew.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/mutants.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace shared_judge_test {

constexpr size_t kMostFindings = 3000;

Verdict judged(const Problem& problem, const Plan& plan, Crew* crew, unsigned threads) {
  Judge judge(problem, {.max_findings = kMostFindings, .threads = threads, .queues = true, .crew = crew});
  plan.replay(judge);
  return judge.finish();
}

// Those of the blocks of one transfer come in any order.
std::vector<std::string> in_words(const Verdict& verdict) {
  std::vector<std::string> out;
  for (const Finding& finding : verdict.findings) out.push_back(to_text(finding));
  std::ranges::sort(out);
  return out;
}

void expect_same(const Verdict& found, const Verdict& expected, const std::string& what) {
  EXPECT_EQ(found.total_findings, expected.total_findings) << what;
  EXPECT_TRUE(expected.total_findings > kMostFindings || in_words(found) == in_words(expected)) << what;
  EXPECT_EQ(found.figures, expected.figures) << what;
  EXPECT_EQ(found.queues, expected.queues) << what;
}

// Enough blocks that it pays: what is less is judged by each alone.
struct Case {
  const char* spec;
  CollectiveKind kind;
  Switching switching;
  uint32_t pieces;
  const char* algorithm;
};
constexpr Case kCases[] = {
    {"torus(8,16)", CollectiveKind::kAlltoall, Switching::kPacket, 1, "auto"},
    {"mesh(4,5)", CollectiveKind::kAlltoall, Switching::kWormhole, 50, "alltoall_mesh"},
    {"ring(5)", CollectiveKind::kAllgather, Switching::kPacket, 3300, "auto"},
    {"line(3)", CollectiveKind::kScatter, Switching::kPacket, 6000, "auto"},
    {"ring(4)", CollectiveKind::kAllreduce, Switching::kPacket, 16400, "auto"},
    {"ring(9)", CollectiveKind::kAllreduce, Switching::kWormhole, 16400, "allreduce_ring_latency"},
};

TEST(SharedJudge, AProcessFollowsItsBlocksAndAllKnowWhatAnyHasFound) {
  Rng rng(7);
  for (const Case& one : kCases) {
    const Problem problem = standard_problem(parse_topology(one.spec), one.kind, {.switching = one.switching},
                                             kNoNode, one.pieces);
    Wishes wishes;
    wishes.algorithm = one.algorithm;
    const Compiled made = compile(problem, wishes);
    ASSERT_TRUE(made.schedule) << one.spec;
    const Problem& planned = made.head.problem;
    ASSERT_GE(planned.collective().num_blocks(), 1U << 14U) << one.spec;
    for (int spoilt = 0; spoilt < 3; ++spoilt) {
      testing::LoosePlan loose = testing::loosen(made.schedule->plan());
      for (int i = 0; i < 5 * spoilt; ++i) {
        testing::mutate(testing::Mutation{static_cast<uint8_t>(rng.below(testing::kMutations))}, planned,
                        loose, rng);
      }
      const Plan plan = testing::tighten(loose);
      const Verdict alone = judged(planned, plan, nullptr, 1);
      EXPECT_TRUE(alone.passed() || spoilt > 0) << one.spec;
      for (const auto& [processes, threads] : {std::pair(2U, 1U), std::pair(3U, 2U)}) {
        testing::ThreadCrew::run(
            processes,
            [&, spoilt = spoilt](Crew& crew) {
              expect_same(judged(planned, plan, &crew, 0), alone,
                          std::string(one.spec) + " spoilt " + std::to_string(spoilt));
            },
            threads);
      }
    }
  }
}

TEST(SharedJudge, ASmallPlanIsJudgedByEachAlone) {
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, {});
  const Compiled made = compile(problem);
  const Verdict alone = judged(problem, made.schedule->plan(), nullptr, 1);
  testing::ThreadCrew::run(2, [&](Crew& crew) {
    if (crew.me() == 1) return;  // nobody waits for it
    expect_same(judged(problem, made.schedule->plan(), &crew, 0), alone, "small");
  });
}

}  // namespace shared_judge_test
}  // namespace quadrille
