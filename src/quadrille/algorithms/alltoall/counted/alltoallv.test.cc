#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/alltoall/counted/count_parts.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/machine.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/relabel.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace alltoallv_test {

Model with(Model model, Switching switching) {
  model.switching = switching;
  return model;
}

std::vector<Model> models() {
  Model half = ports(0);
  half.duplex = Duplex::kHalf;
  Model many = ports(0);
  many.packets = Packets::kMany;
  return {ports(0),
          ports(1),
          half,
          many,
          with(ports(0), Switching::kWormhole),
          with(ports(1), Switching::kWormhole),
          with(ports(0), Switching::kShared)};
}

// Compiled, its bounds no larger than its figures, and each proved by its witness.
Compiled compiled(const Problem& problem) {
  Compiled made = compile(problem);
  EXPECT_TRUE(made.verdict.passed()) << problem.title();
  for (const BoundOn on : {BoundOn::kSteps, BoundOn::kCriticalBlocks}) {
    const Figures& figures = made.verdict.figures;
    EXPECT_LE(best_of(made.bounds, on).value.ceil(),
              static_cast<int64_t>(on == BoundOn::kSteps ? figures.steps : figures.critical_blocks))
        << problem.title() << ", " << describe(problem.model()) << ": " << best_of(made.bounds, on).witness;
  }
  for (const Bound& bound : made.bounds) {
    if (!bound.evidence || bound.on != BoundOn::kSteps) continue;
    EXPECT_GE(proved_by(problem, *bound.evidence).ceil(), bound.value.ceil())
        << bound.name << ": " << bound.witness;
  }
  return made;
}

uint64_t steps_of(const Problem& problem) { return compiled(problem).verdict.figures.steps; }

Problem hot(std::string_view spec, Model model = ports(0), uint32_t each = 3) {
  const Topology net = parse_topology(spec);
  std::vector<Counts::Entry> entries;
  for (uint32_t s = 1; s < net.num_endpoints(); ++s) entries.push_back({Rank{s}, Rank{0}, each});
  return counted_problem(net, Counts(net.num_endpoints(), std::move(entries)), model);
}

TEST(Alltoallv, OfNothingAndOfBlocksThatAreAtHomeTakesNoStep) {
  const Topology net = parse_topology("mesh(2,3)");
  for (const Model& model : models()) {
    EXPECT_EQ(steps_of(counted_problem(net, Counts(6, {}), model)), 0U) << describe(model);
    const Counts own(6, {{Rank{1}, Rank{1}, 4}, {Rank{5}, Rank{5}, 1}});
    EXPECT_EQ(steps_of(counted_problem(net, own, model)), 0U) << describe(model);
  }
}

TEST(Alltoallv, OfOnePairTakesItsDistanceAndThenABlockAStepAndWay) {
  const Topology line = parse_topology("line(5)");
  for (const uint32_t count : {1U, 2U, 7U}) {
    const Counts counts(5, {{Rank{0}, Rank{4}, count}});
    EXPECT_EQ(steps_of(counted_problem(line, counts)), 4 + count - 1);
    EXPECT_EQ(steps_of(counted_problem(line, counts, with(ports(1), Switching::kWormhole))), 1U);
  }
  // Two ways of three hops each.
  EXPECT_EQ(steps_of(counted_problem(parse_topology("ring(6)"), Counts(6, {{Rank{0}, Rank{3}, 8}}))), 6U);
}

TEST(Alltoallv, ToOneIsLimitedByWhatItCanReceive) {
  for (const std::string_view spec : {"star(3)", "torus(4,4)", "hypercube(3)", "kautz(2,3)", "clos(2)"}) {
    const Compiled made = compiled(hot(spec));
    EXPECT_LE(made.verdict.figures.steps, static_cast<uint64_t>(best_of(made.bounds).value.ceil()) + 2)
        << spec;
    const Compiled one = compiled(hot(spec, ports(1)));
    EXPECT_LE(one.verdict.figures.steps, static_cast<uint64_t>(best_of(one.bounds).value.ceil()) * 5 / 4 + 2)
        << spec;
  }
}

TEST(Alltoallv, OfOneBlockEachIsAnAlltoall) {
  for (const std::string_view spec : {"generalized_petersen(5,2)", "mesh(3,4)", "torus(4,4)"}) {
    const Topology net = parse_topology(spec);
    std::vector<Counts::Entry> entries;
    const uint32_t n = net.num_endpoints();
    for (uint32_t s = 0; s < n; ++s)
      for (uint32_t t = 0; t < n; ++t) entries.push_back({Rank{s}, Rank{t}, 1});
    const Problem problem = counted_problem(net, Counts(n, std::move(entries)));
    EXPECT_EQ(best_bound(problem).value.ceil(),
              best_bound(standard_problem(net, CollectiveKind::kAlltoall)).value.ceil())
        << spec;
    EXPECT_EQ(steps_of(problem), judged_steps(*algorithm_catalog().find("alltoall_balanced_paths"),
                                              standard_problem(net, CollectiveKind::kAlltoall)))
        << spec;
  }
}

TEST(Alltoallv, IsPlannedOnAnyNetworkInAnyModel) {
  Rng rng(13);
  uint64_t steps = 0;
  uint64_t least = 0;
  for (int round = 0; round < 24; ++round) {
    const auto size = 2 + static_cast<uint32_t>(rng.below(9));
    const Topology net = rng.below(3) == 0 ? testing::random_directed_topology(rng, size, true)
                                           : testing::random_topology(rng, size, rng.below(2) == 0);
    const Counts counts = rng.below(2) == 0 ? mixed_counts(net.num_endpoints(), 4, rng.next())
                                            : zipf_counts(net.num_endpoints(), 1.2, .5, rng.next());
    for (const Model& model : models()) {
      const Compiled made = compiled(counted_problem(net, counts, model));
      if (model != ports(0)) continue;
      steps += made.verdict.figures.steps;
      least += static_cast<uint64_t>(best_of(made.bounds).value.ceil());
    }
  }
  EXPECT_LE(static_cast<double>(steps), 1.1 * static_cast<double>(least));
}

TEST(Alltoallv, OfSkewedCountsIsWithinAFewPerCentOfTheBound) {
  for (const double exponent : {0.6, 1.2}) {
    const Topology net = parse_topology("random_regular(64,4;1)");
    const Compiled made = compiled(counted_problem(net, zipf_counts(64, exponent, .3)));
    EXPECT_LE(made.verdict.figures.steps * 100,
              static_cast<uint64_t>(best_of(made.bounds).value.ceil()) * 104)
        << exponent;
  }
}

// What a link carries in a step is one message, however many blocks it has.
TEST(Alltoallv, OfManyPacketsTakesAsManyStepsAsTheFarthestBlockHasHops) {
  Model many = ports(0);
  many.packets = Packets::kMany;
  for (const std::string_view spec : {"random_regular(24,3;1)", "torus(4,5)", "kautz(2,3)", "clos(4)"}) {
    const Topology net = parse_topology(spec);
    const uint32_t n = net.num_endpoints();
    const Counts counts(n, {{Rank{0}, Rank{n - 1}, 9}, {Rank{1}, Rank{2}, 4}, {Rank{n - 1}, Rank{1}, 30}});
    const Compiled made = compiled(counted_problem(net, counts, many));
    EXPECT_EQ(made.verdict.figures.steps, static_cast<uint64_t>(best_of(made.bounds).value.ceil())) << spec;
  }
  // Small blocks, then, are worth few messages, and large ones an even load.
  Model timed = ports(0);
  timed.cost.ts = 1;
  timed.cost.tx = 8e-5;
  const Problem skewed =
      counted_problem(parse_topology("random_regular(64,4;1)"), zipf_counts(64, 1.2, .3), timed);
  const auto time_of = [&](uint64_t bytes, bool any_packets) {
    return compile(skewed, {.bytes = bytes, .any_packets = any_packets}).time->total;
  };
  EXPECT_LT(10 * time_of(64, true), time_of(64, false));
  EXPECT_LE(time_of(1U << 20U, true), time_of(1U << 20U, false) * (1 + 1e-9));
}

TEST(AlltoallvSlow, OfHotDestinationsIsWithinOnePerCentOn256Nodes) {
  const Topology net = parse_topology("random_regular(256,4;1)");
  const Compiled made = compiled(counted_problem(net, zipf_counts(256, 1.2, .3)));
  EXPECT_LE(made.verdict.figures.steps * 100, static_cast<uint64_t>(best_of(made.bounds).value.ceil()) * 101);
}

// Of a pair's five blocks each has a worm of its own, or all go in one: which is faster depends on their size.
TEST(Alltoallv, WormsCarryBlocksTogetherWhereTheyAreShort) {
  Rng rng(7);
  std::vector<Counts::Entry> entries;
  for (uint32_t s = 0; s < 24; ++s)
    for (uint32_t d = 0; d < 24; ++d)
      if (s != d && rng.below(2) == 0) entries.push_back({Rank{s}, Rank{d}, rng.below(4) == 0 ? 5U : 1U});
  Model model = with(ports(1), Switching::kWormhole);
  model.cost = default_machine().cost;
  const Problem problem =
      counted_problem(parse_topology("random_regular(24,3;1)"), Counts(24, std::move(entries)), model);
  const auto made = [&](uint64_t bytes, const std::string& algorithm) {
    const Wishes wishes{.algorithm = algorithm, .bytes = bytes, .stored = false};
    Compiled out = compile(decide(problem, wishes), wishes);
    EXPECT_TRUE(out.verdict.passed());
    return out;
  };
  EXPECT_LT(made(64, "alltoallv_direct").time->total, made(64, "alltoallv_wormhole_balanced").time->total);
  EXPECT_GT(made(1U << 20U, "alltoallv_direct").time->total,
            1.3 * made(1U << 20U, "alltoallv_wormhole_balanced").time->total);
  for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20U}) {
    const double chosen = made(bytes, "auto").time->total;
    for (const char* name : {"alltoallv_direct", "alltoallv_wormhole_balanced"})
      EXPECT_LE(chosen, made(bytes, name).time->total * (1 + 1e-9)) << name << " of " << bytes;
  }
}

// Many more blocks of one pair than links are next to it: they go detours, as long as these bring them in time.
TEST(Alltoallv, OfOneLargeCountGoesLongerWays) {
  const Topology net = parse_topology("torus(8,8)");
  const Compiled one = compiled(counted_problem(net, Counts(64, {{Rank{0}, Rank{3}, 100}})));
  EXPECT_EQ(best_of(one.bounds).value, Rational(29)) << "four ways, of 3, 5, 5 and 9 hops";
  EXPECT_LE(one.verdict.figures.steps, 31U) << "of 3, 5, 5 and 9 hops";
  std::vector<Counts::Entry> among;
  for (const uint32_t s : {0U, 18U, 45U})
    for (const uint32_t t : {7U, 28U, 59U}) among.push_back({Rank{s}, Rank{t}, 12});
  const Compiled several = compiled(counted_problem(net, Counts(64, std::move(among))));
  EXPECT_LE(several.verdict.figures.steps, static_cast<uint64_t>(best_of(several.bounds).value.ceil()) + 3);
}

// A million blocks of a pair are no more work to plan than a thousand, and go all ways that there are.
TEST(Alltoallv, OfLargeCountsStreamsOverAllPaths) {
  struct Case {
    const char* spec;
    Model model;
    double above;
  };
  for (const Case& c : {Case{"ring(4)", ports(0), 1.001}, Case{"mesh(4,4)", ports(0), 1.005},
                        Case{"torus(4,4)", ports(1), 1.01}, Case{"random_regular(16,4;1)", ports(2), 1.03},
                        Case{"kautz(2,3)", ports(0), 1.005}}) {
    const Topology net = parse_topology(c.spec);
    const uint32_t n = net.num_endpoints();
    const Counts counts(n,
                        {{Rank{0}, Rank{2}, 70'000}, {Rank{1}, Rank{n - 1}, 301}, {Rank{n - 1}, Rank{0}, 7}});
    const Problem problem = counted_problem(net, counts, c.model);
    const Compiled made = compile(problem, {.stored = false});
    EXPECT_TRUE(made.verdict.passed());
    EXPECT_EQ(made.head.algorithm, "alltoallv_streams") << c.spec;
    EXPECT_LE(static_cast<double>(made.verdict.figures.steps),
              c.above * static_cast<double>(best_of(made.bounds).value.ceil()))
        << c.spec << ", " << describe(c.model);
  }
}

// By size they go in few messages, one behind another: in so many parts as is best, by any switching, and over any links.
TEST(Alltoallv, OfLargeCountsGoInAPipeline) {
  for (const char* spec : {"ring(5)", "mesh(3,3)", "clos(4)", "edges(\"a b 3, b c 1, c d 2, d a 1\")"}) {
    const Topology net = parse_topology(spec);
    const uint32_t n = net.num_endpoints();
    const Counts counts(n, {{Rank{0}, Rank{2}, 3'001}, {Rank{1}, Rank{n - 1}, 37}, {Rank{2}, Rank{0}, 2}});
    for (const Model& model : models()) {
      if (model.duplex == Duplex::kHalf || (!carries_many(model) && !takes_paths(model))) continue;
      if (takes_paths(model) && (net.has_routers() || !model.send.unlimited())) continue;
      const Problem problem = counted_problem(net, counts, model);
      for (const char* name :
           {"alltoallv_pipelined:2", "alltoallv_pipelined:16", "alltoallv_pipelined:1024"}) {
        const Compiled made = compile(problem, {.algorithm = name, .stored = false});
        EXPECT_TRUE(made.verdict.passed()) << spec << ", " << name << ", " << describe(model);
        const uint64_t rounds = made.verdict.figures.critical_blocks;
        EXPECT_EQ(made.head.stated_figures.critical_blocks.value_or(rounds), rounds) << name;
      }
    }
  }
  Model many = ports(0);
  many.packets = Packets::kMany;
  many.cost = default_machine().cost;
  const Problem problem =
      counted_problem(parse_topology("ring(7)"), Counts(7, {{Rank{0}, Rank{3}, 200'000}}), many);
  const Compiled made = compile(problem, {.bytes = 100, .stored = false});
  EXPECT_LE(made.time->total, 1.15 * made.time->least) << "both ways, however long";
}

// Dealt out to streams, none is lost, and none comes twice.
TEST(Alltoallv, PartsHaveAllBlocksThatMove) {
  Rng rng(3);
  for (const uint32_t most : {1U, 3U, 70'000U}) {
    std::vector<Counts::Entry> entries;
    for (uint32_t s = 0; s < 6; ++s)
      for (uint32_t d = 0; d < 6; ++d)
        entries.push_back({Rank{s}, Rank{d}, 1 + static_cast<uint32_t>(rng.below(most))});
    const Problem problem = counted_problem(parse_topology("mesh(2,3)"), Counts(6, std::move(entries)));
    std::vector<uint32_t> times(problem.collective().num_blocks(), 0);
    for (const CountPart& part : count_parts(problem)) {
      for (size_t s = 0; s < part.first.size(); ++s) {
        const BlockId stream{static_cast<uint32_t>(s)};
        EXPECT_EQ(part.few.collective().origin(stream), problem.collective().origin(part.first[s]));
        for (uint32_t b = 0; b < part.length; ++b) ++times[index(part.first[s]) + b];
      }
    }
    for (uint32_t b = 0; b < times.size(); ++b) {
      const bool moves =
          problem.collective().origin(BlockId{b}) != problem.collective().destination(BlockId{b});
      ASSERT_EQ(times[b], moves ? 1U : 0U) << b;
    }
  }
}

TEST(Alltoallv, MovesItsBytes) {
  for (const std::string_view spec : {"mesh(2,3)", "clos(2)"}) {
    const Topology net = parse_topology(spec);
    for (const Model& model : models()) {
      const Compiled made = compiled(counted_problem(net, mixed_counts(net.num_endpoints(), 3), model));
      EXPECT_TRUE(run_on_threads(*made.schedule, {.block_bytes = 24}).correct())
          << spec << ", " << describe(model);
    }
  }
}

TEST(Alltoallv, ReversedAndRelabelledIsOneOfOtherCounts) {
  const Topology net = parse_topology("mesh(2,3)");
  const Problem problem = counted_problem(net, mixed_counts(6, 3));
  const Compiled made = compiled(problem);
  const Problem back = reversed(problem);
  EXPECT_EQ(*back.collective().counts(), problem.collective().counts()->transposed());
  EXPECT_TRUE(verify(back, reverse(problem, made.schedule->plan())).verdict.passed());
  const std::vector<NodeId> image = {NodeId{5}, NodeId{4}, NodeId{3}, NodeId{2}, NodeId{1}, NodeId{0}};
  const Problem turned = relabelled(problem, image);
  EXPECT_EQ(turned.collective().counts()->count(Rank{5}, Rank{3}),
            problem.collective().counts()->count(Rank{0}, Rank{2}));
  EXPECT_TRUE(verify(turned, relabel(problem, made.schedule->plan(), image)).verdict.passed());
}

// All at once, and heavy pairs several ways: what the bound says there must be, but for one round in fifty.
TEST(AlltoallvLinear, PostsAllInOneStep) {
  const Algorithm& card = *algorithm_catalog().find("alltoallv_linear");
  const Model shared = with(ports(0), Switching::kShared);
  for (const char* spec : {"torus(4,4)", "mesh(3,4)", "clos(4)", "kautz(2,3)"}) {
    const Topology net = parse_topology(spec);
    const uint32_t ranks = net.num_endpoints();
    std::vector<Counts::Entry> entries{{Rank{0}, Rank{ranks - 1}, 4000}, {Rank{1}, Rank{1}, 7}};
    for (uint32_t r = 2; r < ranks; ++r) entries.push_back({Rank{r}, Rank{(5 * r + 1) % ranks}, r});
    const Problem problem(net, Collective::counted(Counts(ranks, entries)), shared);
    const PreparedPlan plan = card.plan_for(problem);
    Judge judge(problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << spec;
    EXPECT_EQ(verdict.figures.steps, 1U) << spec;
    EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks) << spec;
    EXPECT_EQ(verdict.figures.busiest_link, *plan->prediction().busiest_link) << spec;
    const int64_t bound = best_of(all_bounds(problem), BoundOn::kCriticalBlocks).value.ceil();
    EXPECT_LE(50 * static_cast<int64_t>(verdict.figures.critical_blocks), 51 * bound) << spec;
  }
  const Problem nothing(parse_topology("ring(3)"), Collective::counted(Counts(3, {{Rank{1}, Rank{1}, 2}})),
                        shared);
  Judge judge(nothing);
  card.plan_for(nothing)->generate(judge);
  EXPECT_TRUE(judge.finish().passed());
  // With few ports whoever sends to more ranks cannot post all at once.
  Model few = shared;
  few.send = few.receive = kOnePort;
  const auto applies = [&](std::vector<Counts::Entry> entries) {
    return card
        .applies(Problem(parse_topology("ring(4)"), Collective::counted(Counts(4, std::move(entries))), few))
        .applies;
  };
  EXPECT_TRUE(applies({{Rank{0}, Rank{2}, 5}, {Rank{3}, Rank{1}, 9}}));
  EXPECT_FALSE(applies({{Rank{0}, Rank{2}, 5}, {Rank{0}, Rank{1}, 1}}));
}

}  // namespace alltoallv_test
}  // namespace quadrille
