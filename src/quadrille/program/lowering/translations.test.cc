#include "quadrille/program/lowering/translations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/compile/compile.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/lowering/lower_rank.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace translations_test {

constexpr const char* kNetworks[] = {"ring(2)",      "ring(7)",
                                     "torus(4,4)",   "torus(3,5)",
                                     "torus(2,3,4)", "hypercube(4)",
                                     "complete(6)",  "cayley(Z(12);1,5,7,11)",
                                     "torus(8,8)",   "cayley(S(4);(2 3),(1 2),(0 1))"};

std::vector<Topology> networks() {
  std::vector<Topology> out;
  for (const char* spec : kNetworks) out.push_back(parse_topology(spec));
  return out;
}

TEST(Translations, CarryLinksToLinksAndRankZeroToEachRank) {
  for (const Topology& topology : networks()) {
    const std::optional<Translations> all = translations_of(topology);
    ASSERT_TRUE(all) << topology.name();
    for (uint32_t r = 0; r < topology.num_nodes(); ++r) {
      const std::vector<uint32_t> to = all->of(Rank{r});
      EXPECT_EQ(to[0], r);
      std::vector<uint32_t> sorted = to;
      std::ranges::sort(sorted);
      for (uint32_t x = 0; x < sorted.size(); ++x) ASSERT_EQ(sorted[x], x) << topology.name();
      for (const ArcId arc : topology.arcs()) {
        const NodeId tail{to[index(topology.tail(arc))]};
        const NodeId head{to[index(topology.head(arc))]};
        ASSERT_TRUE(topology.find_arc(tail, head)) << topology.name();
      }
    }
  }
}

TEST(Translations, AreThoseOfCayleyGraphs) {
  EXPECT_FALSE(translations_of(parse_topology("mesh(3,3)")));
  EXPECT_FALSE(translations_of(parse_topology("fat_tree(2,2)")));
  EXPECT_FALSE(translations_of(parse_topology("complete(1)")));
}

TEST(Translations, RefuseWaysThatDoNotComeFromRankZero) {
  Translations round = *translations_of(parse_topology("ring(4)"));
  round.ways[1] = {2, 0};
  round.ways[2] = {1, 0};
  EXPECT_EQ(error_of([&] { static_cast<void>(round.of(Rank{1})); }),
            "the way to rank 1 does not come from rank 0");
  Translations elsewhere = *translations_of(parse_topology("ring(4)"));
  elsewhere.ways[1].generator ^= 1U;
  EXPECT_EQ(error_of([&] { static_cast<void>(elsewhere.of(Rank{1})); }), "the way to rank 1 leads to 3");
}

// By all pairs.
bool is_group(const Translations& all) {
  std::vector<std::vector<uint32_t>> of;
  for (uint32_t r = 0; r < all.num_ranks(); ++r) of.push_back(all.of(Rank{r}));
  for (uint32_t g = 0; g < of.size(); ++g) {
    for (uint32_t h = 0; h < of.size(); ++h) {
      for (uint32_t x = 0; x < of.size(); ++x)
        if (of[of[g][h]][x] != of[g][of[h][x]]) return false;
    }
  }
  return true;
}

TEST(Translations, OfAGroupAreToldFromOthers) {
  for (const Topology& topology : networks()) {
    const Translations all = *translations_of(topology);
    EXPECT_TRUE(are_of_a_group(all)) << topology.name();
    EXPECT_EQ(all.moved(Rank{1}, 1), all.of(Rank{1})[1]);
  }
  // Two ranks change places in one generator, which may leave the ways as they are.
  Rng rng(5);
  int groups = 0;
  int others = 0;
  for (int again = 0; again < 400; ++again) {
    Translations all = *translations_of(parse_topology(again % 2 == 0 ? "ring(4)" : "complete(4)"));
    std::vector<uint32_t>& some = all.generators[rng.below(all.generators.size())];
    std::swap(some[rng.below(4)], some[rng.below(4)]);
    try {
      const bool expected = is_group(all);
      EXPECT_EQ(are_of_a_group(all), expected);
      ++(expected ? groups : others);
    } catch (const InputError&) {
      continue;  // a way leads elsewhere
    }
  }
  EXPECT_GT(groups, 20);
  EXPECT_GT(others, 20);
}

// What a rank sends and gets, step by step, whatever the order in which its program says so.
using Deed = std::tuple<uint32_t, ActionKind, uint64_t, std::vector<uint64_t>>;
std::vector<Deed> deeds(const RankProgram& program) {
  std::vector<Deed> out;
  for (const Action& action : program.actions) {
    if (!starts_request(action.kind)) continue;
    std::vector<uint64_t> blocks;
    for (const BlockId block : program.blocks_of(action)) blocks.push_back(index(block));
    std::ranges::sort(blocks);
    out.emplace_back(action.step, action.kind, index(action.peer), blocks);
  }
  std::ranges::sort(out);
  return out;
}

TEST(Translations, MakeOfOneProgramWhatLowerMakesOfTheWholePlan) {
  size_t alike = 0;
  for (const Topology& topology : networks()) {
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather}) {
      for (uint32_t pieces = 1; pieces <= 2; ++pieces) {
        const Problem problem = standard_problem(topology, kind, {}, NodeId{0}, pieces);
        const Compiled made = compile(problem);
        const Schedule& schedule = *made.schedule;
        const Translations all = *translations_of(topology);
        TranslationWatch watch(topology, problem.collective(), all);
        schedule.plan().replay(watch);
        if (watch.broken_at()) continue;
        ++alike;
        RankLowering lowering(problem, Rank{0});
        schedule.plan().replay(lowering);
        const RankProgram first = lowering.finish();
        EXPECT_TRUE(check_images(first, problem.collective(), all).empty()) << problem.title();
        const Program whole = lower(schedule);
        Program images{problem.collective(), {}};
        for (uint32_t r = 0; r < topology.num_nodes(); ++r)
          images.ranks.push_back(image_of(first, problem.collective(), all, Rank{r}));
        EXPECT_TRUE(check_program(images).empty()) << problem.title();
        EXPECT_EQ(images.ranks[0], whole.ranks[0]);
        for (uint32_t r = 0; r < topology.num_nodes(); ++r)
          ASSERT_EQ(deeds(images.ranks[r]), deeds(whole.ranks[r])) << problem.title() << " " << r;
      }
    }
  }
  EXPECT_GE(alike, 12U);
}

TEST(TranslationWatch, FindsWhatCardsSayOfThemselves) {
  std::vector<std::string_view> served;
  const std::vector<Model> models{Model{}, Model{.send = kOnePort, .receive = kOnePort},
                                  Model{.send = Ports{2}, .receive = Ports{2}},
                                  Model{.packets = Packets::kMany},
                                  Model{.send = kOnePort, .receive = kOnePort, .packets = Packets::kMany}};
  for (const Topology& topology : networks()) {
    const Translations all = *translations_of(topology);
    for (const Model& model : models) {
      if (!model.send.unlimited() && topology.num_arcs() < model.send.count * topology.num_nodes()) continue;
      for (uint32_t pieces = 1; pieces <= 2; ++pieces) {
        for (const Algorithm* card : algorithm_catalog()) {
          // The blocks of an allreduce are turned, too, and a watch leaves them.
          if (!card->same_at_all_nodes || card->collective == CollectiveKind::kAllreduce) continue;
          const Problem problem = standard_problem(topology, card->collective, model, NodeId{0}, pieces);
          const Preparation ready = prepare(*card, problem);
          if (!ready.fits.applies || !card->same_at_all_nodes(problem)) continue;
          for (const PreparedPlan& plan : ready.plans) {
            TranslationWatch watch(topology, problem.collective(), all);
            plan->generate(watch);
            EXPECT_FALSE(watch.broken_at()) << card->name << " " << problem.title();
            served.push_back(card->name);
          }
        }
      }
    }
  }
  for (const Algorithm* card : algorithm_catalog()) {
    if (!card->same_at_all_nodes || card->collective == CollectiveKind::kAllreduce) continue;
    EXPECT_TRUE(std::ranges::count(served, card->name) > 0) << card->name;
  }
}

TEST(TranslationWatch, SeesATransferThatIsMissingAndOneTooMany) {
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall);
  Wishes wishes;
  wishes.algorithm = "alltoall_torus";
  const Schedule schedule = *compile(problem, wishes).schedule;
  const Translations all = *translations_of(problem.topology());
  for (const size_t spoilt : {size_t{0}, size_t{3}}) {
    TranslationWatch watch(problem.topology(), problem.collective(), all);
    for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      StepBuilder other;
      for (size_t t = s == spoilt ? 1 : 0; t < step.size(); ++t) other.add(step.arcs(t), step.blocks(t));
      watch.push(other.view());
    }
    EXPECT_EQ(watch.broken_at(), spoilt);
  }
}

RankProgram program_of_zero(const Problem& problem) {
  Wishes wishes;
  wishes.algorithm = "alltoall_torus";
  const Compiled made = compile(problem, wishes);
  RankLowering lowering(problem, Rank{0});
  made.schedule->plan().replay(lowering);
  return lowering.finish();
}

TEST(CheckImages, FindsWhatDoesNotFitTogether) {
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall);
  const Collective& collective = problem.collective();
  const Translations all = *translations_of(problem.topology());
  const RankProgram good = program_of_zero(problem);
  const auto rule = [&](const RankProgram& program) {
    const std::vector<Finding> findings = check_images(program, collective, all, 1);
    return findings.empty() ? std::string() : std::string(findings.front().rule);
  };
  EXPECT_EQ(rule(good), "");

  RankProgram other_block = good;
  other_block.blocks[0] = BlockId{static_cast<uint32_t>(index(other_block.blocks[0]) ^ 1U)};
  EXPECT_EQ(rule(other_block), "matched");

  RankProgram other_peer = good;
  other_peer.actions[0].peer = Rank{10};
  EXPECT_EQ(rule(other_peer), "matched");

  RankProgram into_input = good;
  into_input.runs[0].buffer = Buffer::kInput;
  EXPECT_EQ(rule(into_input), "shape");

  // All wait for what they send only afterwards.
  RankProgram late = good;
  const auto wait = std::ranges::find(late.actions, ActionKind::kWait, &Action::kind);
  const size_t first_wait = static_cast<size_t>(wait - late.actions.begin());
  ASSERT_GT(first_wait, 1U);
  uint32_t receives = 0;
  while (late.actions[receives].kind == ActionKind::kReceive) ++receives;
  Action early = late.actions[first_wait];
  early.end = early.begin + receives;
  late.actions[first_wait].begin = early.end;
  late.actions.insert(late.actions.begin() + receives, early);
  EXPECT_EQ(rule(late), "no_cyclic_wait");

  RankProgram another = good;
  another.rank = Rank{1};
  EXPECT_EQ(rule(another), "shape");
}

}  // namespace translations_test
}  // namespace quadrille
