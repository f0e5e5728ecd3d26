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

// Single packets where they are as fast, many where those are faster; neither model alone is ever faster than that.
TEST(BySize, ManyPacketsGoWhereTheyAreFaster) {
  uint32_t many_chosen = 0;
  uint32_t single_chosen = 0;
  for (const char* const spec : {"ring(5)", "torus(4,4)", "mesh(3,5)", "fat_tree(2^2)", "complete(6)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20U}) {
        const Problem single = on(spec, kind, Switching::kPacket, kAllPorts);
        Model model = single.model();
        model.packets = Packets::kMany;
        const Problem many(single.topology(), single.collective(), model);
        SCOPED_TRACE(single.title() + ", " + std::to_string(bytes));
        const Compiled free = compile(single, {.bytes = bytes, .any_pieces = true, .any_packets = true});
        ASSERT_TRUE(free.verdict.passed());
        const double time = free.time->total;
        const double by_many = compile(many, {.bytes = bytes, .any_pieces = true}).time->total;
        const double by_single = compile(single, {.bytes = bytes, .any_pieces = true}).time->total;
        EXPECT_LE(by_many, by_single * (1 + 1e-9));
        EXPECT_NEAR(time, by_many, 1e-9 * time);
        if (free.head.problem.model().packets == Packets::kMany) {
          ++many_chosen;
          EXPECT_GT(free.verdict.figures.critical_blocks, free.verdict.figures.start_ups);
        } else {
          ++single_chosen;
        }
      }
    }
  }
  EXPECT_GT(many_chosen, 10U);
  EXPECT_GT(single_chosen, 10U);
}

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
