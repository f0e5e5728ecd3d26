#include "quadrille/compile/by_size.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <span>

#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/model/machine.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/sample.test.h"
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
  constexpr uint64_t kBytes = 1 << 16;
  uint32_t many_chosen = 0;
  uint32_t single_chosen = 0;
  Sample sample(5);
  for (const char* const spec : {"ring(5)", "mesh(2,4)", "fat_tree(2^2)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      if (!sample.takes()) continue;
      const Problem single = on(spec, kind, Switching::kPacket, kAllPorts);
      Model model = single.model();
      model.packets = Packets::kMany;
      const Problem many(single.topology(), single.collective(), model);
      SCOPED_TRACE(single.title());
      const Compiled free = compile(single, {.bytes = kBytes, .any_pieces = true, .any_packets = true});
      ASSERT_TRUE(free.verdict.passed());
      const double time = free.time->total;
      const double by_many = compile(many, {.bytes = kBytes, .any_pieces = true}).time->total;
      const double by_single = compile(single, {.bytes = kBytes, .any_pieces = true}).time->total;
      EXPECT_LE(by_many, by_single * (1 + 1e-9));
      const double least = least_time(many, kBytes, all_bounds(many)).time;
      EXPECT_LE(least, time);
      EXPECT_NEAR(time, by_many, 1e-9 * time);
      if (free.head.problem.model().packets == Packets::kMany) {
        ++many_chosen;
        EXPECT_GT(free.verdict.figures.critical_blocks, free.verdict.figures.start_ups);
      } else {
        ++single_chosen;
        EXPECT_DOUBLE_EQ(free.time->of_many_packets.value().time, least);
      }
    }
  }
  EXPECT_GT(many_chosen, Sample::whole() ? 3U : 0U);
  EXPECT_GT(single_chosen, Sample::whole() ? 3U : 0U);
}

// What is promised for a size is what compile() makes and the judge counts, and no bound is beaten.
TEST(BySize, TheBestPlanIsMadeAndTakesWhatIsPromised) {
  Sample sample(13);
  for (const char* const spec : {"ring(5)", "torus(2,3)", "complete(6)", "fat_tree(2^2)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        for (const Ports ports : {kAllPorts, kOnePort}) {
          if (!sample.takes()) continue;
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

TEST(BySize, OneThreadAndTwoGiveTheSameBytes) {
  // A graph without structure, so that what is chosen comes out of searches with budgets, cut short or not.
  for (const double effort : {1.0, 0.25}) {
    const SearchLimits limits({.gap = 0.02, .effort = effort});
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather}) {
      const Problem problem = on("random_regular(12,3;2)", kind, Switching::kPacket, kAllPorts);
      const auto bytes = [&](unsigned threads) {
        const std::optional<Choice> choice = choose_by_time(problem, 4096, 0, threads);
        PlanFile file{{choice->plan->problem()}, {}};
        choice->generate(file.plan);
        return write_plan(file, plan_format_of("plan.json"));
      };
      EXPECT_EQ(bytes(1), bytes(2)) << problem.title();
    }
  }
}

TEST(BySize, OfEqualTimesWhatTakesLittleEffortIsTaken) {
  const Problem problem = on("torus(4,4)", CollectiveKind::kAlltoall, Switching::kPacket, kOnePort);
  EXPECT_EQ(choose_by_size(problem, "auto", 4096, 1)->plan.algorithm, "alltoall_cayley");
}

// With as many messages as there are ranks two steps are enough; where messages cost they are not the best.
TEST(BySize, MessagesThatCostAreMeasuredAndAvoided) {
  Problem problem = on("torus(4,4)", CollectiveKind::kAllreduce, Switching::kShared, kAllPorts);
  const auto best = [&](double overhead) {
    Model model = problem.model();
    model.cost.to = overhead;
    const Problem priced = standard_problem(problem.topology(), CollectiveKind::kAllreduce, model);
    const SizedPlan plan = choose_by_size(priced, "auto", 32, 1)->plan;
    const Compiled made = compile(in_pieces(priced, plan.pieces), {.algorithm = plan.algorithm, .bytes = 32});
    EXPECT_EQ(made.verdict.figures.further_messages, plan.further_messages.value_or(0)) << plan.algorithm;
    EXPECT_DOUBLE_EQ(made.time->total, plan.time(model.cost, 32)) << plan.algorithm;
    EXPECT_GE(made.time->total * (1 + 1e-12), made.time->least);
    EXPECT_DOUBLE_EQ(made.time->total, made.time->latency + made.time->messages + made.time->transfer);
    return made.verdict.figures;
  };
  EXPECT_LE(best(1e-6).start_ups, 2U);
  EXPECT_GT(best(1e-6).messages, 4U);
  EXPECT_LE(best(1.0).messages, 4U);
}

// On a larger network most cards of ranks say nothing of shared links, and whoever names one wants it at its best.
TEST(BySize, WhatIsAskedForByNameIsMeasuredInSeveralPieces) {
  constexpr uint64_t kBytes = uint64_t{4} << 20U;
  const Problem problem = on("torus(12,12)", CollectiveKind::kAllreduce, Switching::kShared, kAllPorts);
  for (const char* const name : {"allreduce_ring", "allreduce_rabenseifner", "allreduce_bucket"}) {
    const std::optional<SizedChoice> found = choose_by_size(problem, name, kBytes, 1);
    ASSERT_TRUE(found) << name;
    EXPECT_GT(found->plan.pieces, 1U) << name;
    const Compiled whole = compile(problem, {.algorithm = name, .bytes = kBytes});
    const Compiled made = compile(in_pieces(problem, found->plan.pieces),
                                  {.algorithm = found->plan.algorithm, .bytes = kBytes});
    EXPECT_DOUBLE_EQ(made.time->total, found->plan.time(problem.model().cost, kBytes)) << name;
    EXPECT_LT(made.time->total, 0.5 * whole.time->total) << name;
  }
}

TEST(BySize, TheNumberOfPiecesMayBeGiven) {
  const Problem problem = on("torus(4,4)", CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
  const std::optional<SizedChoice> found = choose_by_size(problem, "auto", 1 << 20, 1, 12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->plan.pieces, 12U);
  const Compiled made = compile(in_pieces(problem, 12), {.bytes = 1 << 20});
  EXPECT_LE(made.time->total, found->plan.time(problem.model().cost, 1 << 20) * (1 + 1e-9));
}

// Vectors of `bytes`: start-ups and vectors over a link, as their papers have them.
struct Rival {
  const char* name;
  double start_ups;
  double vectors;
};

void expect_never_slower(const char* spec, std::span<const Rival> rivals) {
  const Problem problem = on(spec, CollectiveKind::kAllreduce, Switching::kShared, kAllPorts);
  std::vector<uint64_t> sizes;
  for (uint64_t bytes = 32; bytes <= uint64_t{1} << 30U; bytes *= 4) sizes.push_back(bytes);
  for (const SizeRow& row : sweep_sizes(problem, sizes, 2).rows) {
    for (const Rival& rival : rivals) {
      const double time =
          rival.start_ups + rival.vectors * static_cast<double>(row.bytes) * problem.model().cost.tx;
      EXPECT_LE(row.time, time * (1 + 1e-3)) << spec << ", " << row.bytes << " bytes: " << rival.name;
    }
  }
}

// Ring both ways on two cycles, Rabenseifner, Swing for latency and for bandwidth, bucket, Bine and Trivance.
TEST(BySizeSlow, NoAllreduceOfTheLiteratureIsFasterOnTori) {
  expect_never_slower("torus(4,4)", std::array<Rival, 6>{{{"ring", 30, 0.46875},
                                                          {"Rabenseifner", 8, 2.25},
                                                          {"Swing", 4, 1.0},
                                                          {"Swing", 8, 0.46875},
                                                          {"bucket", 12, 0.46875},
                                                          {"recursive doubling", 4, 6.0}}});
}

TEST(BySizeSlow, NorOnLargerOnes) {
  expect_never_slower("torus(8,8)", std::array<Rival, 6>{{{"ring", 126, 0.4921875},
                                                          {"Rabenseifner", 12, 2.625},
                                                          {"Swing", 6, 2.5},
                                                          {"Swing", 12, 0.5391},
                                                          {"bucket", 28, 0.4921875},
                                                          {"recursive doubling", 6, 14.0}}});
  expect_never_slower(
      "torus(4,4,4)",
      std::array<Rival, 4>{
          {{"ring", 126, 0.328125}, {"Swing", 6, 1.0}, {"Swing", 12, 0.328125}, {"bucket", 18, 0.328125}}});
  expect_never_slower("torus(9,9)", std::array<Rival, 1>{{{"Trivance", 8, 0.5926}}});
  expect_never_slower(
      "torus(16,16)",
      std::array<Rival, 3>{{{"ring", 510, 0.498046875}, {"Swing", 16, 0.5684}, {"bucket", 60, 0.498046875}}});
}

// More than 128 hosts on switches: what the textbook has for a size is asked there, too.
TEST(BySize, OnLargeNetworksOfSwitchesNothingOfTheTextbookIsFaster) {
  struct Case {
    CollectiveKind kind;
    const char* algorithm;
    uint32_t pieces;
  };
  constexpr Case kCases[] = {{CollectiveKind::kAllreduce, "allreduce_rabenseifner", 144},
                             {CollectiveKind::kAllreduce, "allreduce_ring", 144},
                             {CollectiveKind::kAllreduce, "allreduce_recursive_doubling", 1},
                             {CollectiveKind::kAllreduce, "allreduce_bfs_tree", 1},
                             {CollectiveKind::kBroadcast, "broadcast_van_de_geijn", 144},
                             {CollectiveKind::kBroadcast, "broadcast_binomial", 1},
                             {CollectiveKind::kAlltoall, "alltoall_pairwise", 1},
                             {CollectiveKind::kAlltoall, "alltoall_bruck", 1},
                             {CollectiveKind::kAllgather, "allgather_bucket", 1},
                             {CollectiveKind::kAllgather, "allgather_bruck", 1}};
  for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20U}) {
    std::map<CollectiveKind, double> chosen;
    for (const Case& one : kCases) {
      const Problem problem = on("xgft(12,12;1,12)", one.kind, Switching::kWormhole, kOnePort);
      if (!chosen.contains(one.kind)) {
        const Wishes free{.bytes = bytes, .any_pieces = true, .stored = false};
        chosen[one.kind] = compile(decide(problem, free), free).time->total;
      }
      const Wishes named{.algorithm = one.algorithm, .bytes = bytes, .stored = false};
      const Compiled other = compile(decide(in_pieces(problem, one.pieces), named), named);
      EXPECT_LE(chosen[one.kind], other.time->total * (1 + 1e-9)) << one.algorithm << " of " << bytes;
    }
  }
}

// On a large network without a structure worms go along paths that share the work of links; as packets, with one port, blocks
// would take six times as long.
TEST(BySize, WormsOfLargeBlocksShareTheWorkOfLinks) {
  const Problem problem =
      on("jellyfish(36,4,4;1)", CollectiveKind::kAlltoall, Switching::kWormhole, kOnePort);  // 144 hosts
  const Wishes free{.bytes = uint64_t{1} << 16U, .any_pieces = true, .stored = false};
  const Compiled best = compile(decide(problem, free), free);
  EXPECT_TRUE(best.verdict.passed());
  for (const char* card : {"alltoall_direct", "alltoall_wormhole_balanced", "alltoall_pairwise"}) {
    const Wishes named{.algorithm = card, .bytes = uint64_t{1} << 16U, .stored = false};
    EXPECT_LE(best.time->total, compile(decide(problem, named), named).time->total * (1 + 1e-9)) << card;
  }
  EXPECT_LE(best.verdict.figures.steps, 420);  // a cut says 342
}

TEST(BySize, MorePiecesPayForLargeMessages) {
  const Problem problem = on("ring(8)", CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
  const SizeSweep sweep = sweep_sizes(problem, kSizes, 1);
  EXPECT_EQ(sweep.plans[sweep.rows.front().best].pieces, 1U);
  EXPECT_GE(sweep.plans[sweep.rows.back().best].pieces, 16U);
}

// Some plans for full duplex cannot be parted: they are no plans there, and others are asked.
TEST(BySize, WhatCannotBeMadeInHalfDuplexIsLeftOut) {
  Model model;
  model.send = model.receive = kOnePort;
  model.duplex = Duplex::kHalf;
  model.cost = default_machine().cost;
  const Problem problem =
      standard_problem(parse_topology("clos(4)"), CollectiveKind::kAllreduce, model, kNoNode, 4);
  const Compiled made = compile(problem, {.bytes = 100, .any_packets = true, .stored = false});
  EXPECT_TRUE(made.verdict.passed());
}

}  // namespace by_size_test
// A node that may send on all its links need not: more messages at once, which cost, are no reason to take longer.
TEST(BySize, WhereMessagesCostFewerAtOnceServeAsWell) {
  Sample sample(3);
  for (const auto& [spec, kind] :
       {std::pair{"mesh(2,3)", CollectiveKind::kGather}, std::pair{"torus(3,3)", CollectiveKind::kAlltoall},
        std::pair{"tree(2,2)", CollectiveKind::kBroadcast}}) {
    if (!sample.takes()) continue;
    const auto time_of = [spec = spec](CollectiveKind of, Ports ports) {
      Model model{.send = ports, .receive = ports, .cost = default_machine().cost};
      model.cost.to = 10;
      const Compiled made =
          compile(standard_problem(parse_topology(spec), of, model),
                  {.bytes = 1000, .any_pieces = true, .any_packets = true, .stored = false});
      EXPECT_TRUE(made.verdict.passed()) << made.head.algorithm;
      return made.time->total;
    };
    EXPECT_LE(time_of(kind, kAllPorts), time_of(kind, kOnePort) * (1 + 1e-9)) << spec;
    if (kind != CollectiveKind::kBroadcast) continue;
    EXPECT_NEAR(time_of(kind, kAllPorts), time_of(CollectiveKind::kReduce, kAllPorts), 1e-6) << spec;
  }
}

}  // namespace quadrille
