#include "quadrille/compile/by_size.h"

#include <gtest/gtest.h>

#include <array>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace by_size_test {

Problem on(std::string_view spec, CollectiveKind kind, Switching switching, Ports ports) {
  return standard_problem(
      parse_topology(spec), kind,
      {.send = ports, .receive = ports, .switching = switching, .cost = default_machine().cost});
}

constexpr std::array<uint64_t, 6> kSizes = {0, 1, 64, 4096, 1 << 18, 1 << 24};

// What is promised for a size is what compile() makes and the judge counts, and no bound is beaten.
TEST(BySize, TheBestPlanIsMadeAndTakesWhatIsPromised) {
  for (const char* const spec : {"ring(5)", "torus(2,3)", "complete(6)", "fat_tree(2^2)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        for (const Ports ports : {kAllPorts, kOnePort}) {
          const Problem problem = on(spec, kind, switching, ports);
          SizeSweep sweep;
          try {
            sweep = sweep_sizes(problem, kSizes, 1);
          } catch (const InputError&) {
            continue;
          }
          double before = 0;
          std::optional<size_t> made;
          for (const SizeRow& row : sweep.rows) {
            const SizedPlan& best = sweep.plans[row.best];
            SCOPED_TRACE(problem.title() + ", " + describe(problem.model()) + ": " + best.algorithm);
            EXPECT_FALSE(best.model_only);
            EXPECT_GE(row.time, before);  // more bytes never take less time
            before = row.time;
            EXPECT_GE(row.time * (1 + 1e-12), row.bound.time);
            for (const SizedPlan& plan : sweep.plans) {
              if (plan.model_only) continue;
              EXPECT_LE(row.time, plan.time(problem.model().cost, row.bytes));
            }
            EXPECT_TRUE(!row.next || sweep.plans[*row.next].algorithm != best.algorithm);
            if (made == row.best) continue;
            made = row.best;
            const Problem in_pieces =
                standard_problem(problem.topology(), kind, problem.model(), kNoNode, best.pieces);
            const Compiled plan = compile(in_pieces, {.algorithm = best.algorithm, .bytes = row.bytes});
            EXPECT_EQ(plan.verdict.figures.start_ups, best.start_ups);
            EXPECT_EQ(plan.verdict.figures.critical_blocks, best.rounds);
            EXPECT_DOUBLE_EQ(plan.time->total, row.time);
          }
        }
      }
    }
  }
}

TEST(BySize, TwoThreadsFindWhatOneFinds) {
  const Problem problem = on("torus(4,4)", CollectiveKind::kAllreduce, Switching::kWormhole, kAllPorts);
  const auto told = [&](unsigned threads) {
    std::string out;
    for (const SizedPlan& plan : sized_plans(problem, threads))
      out += plan.algorithm + " " + std::to_string(plan.pieces) + " " + std::to_string(plan.start_ups) + " " +
             std::to_string(plan.rounds) + "\n";
    return out;
  };
  EXPECT_EQ(told(1), told(2));
}

TEST(BySize, MorePiecesPayForLargeMessages) {
  const Problem problem = on("ring(8)", CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
  const SizeSweep sweep = sweep_sizes(problem, kSizes, 1);
  EXPECT_EQ(sweep.plans[sweep.rows.front().best].pieces, 1U);
  EXPECT_GE(sweep.plans[sweep.rows.back().best].pieces, 16U);
}

}  // namespace by_size_test
}  // namespace quadrille
