// Rank 0's program of sums, and its images: that they fit together, do what lower() says, and add up right.
#include "quadrille/program/lowering/lower_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/sums/same_sums.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace lower_sums_test {

// All ranks with what contributions a slot holds, a bit for each rank; one that is added twice is an error.
class Contributions {
 public:
  explicit Contributions(const Program& program) : program_(program) {
    for (const RankProgram& rank : program.ranks) {
      State& state = states_.emplace_back();
      state.buffers = {std::vector<uint64_t>(rank.input_slots, uint64_t{1} << index(rank.rank)),
                       std::vector<uint64_t>(rank.output_slots, 0),
                       std::vector<uint64_t>(rank.scratch_slots, 0)};
    }
  }

  // Whether every rank has every rank's contribution to all of its results, once.
  bool are_whole() {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t r = 0; r < states_.size(); ++r) moved = go_on(program_.ranks[r], states_[r]) || moved;
    }
    const uint64_t all = (uint64_t{1} << states_.size()) - 1;
    bool whole = !twice_;
    for (size_t r = 0; r < states_.size(); ++r) {
      whole = whole && states_[r].at == program_.ranks[r].actions.size();
      for (const uint64_t sum : states_[r].buffers[1]) whole = whole && sum == all;
    }
    return whole;
  }

 private:
  struct State {
    std::array<std::vector<uint64_t>, 3> buffers;
    size_t at = 0;
    std::vector<const Action*> started;
    std::map<Rank, size_t> taken;
    std::map<const Action*, size_t> place;
  };

  bool go_on(const RankProgram& rank, State& state) {
    const size_t before = state.at;
    while (state.at < rank.actions.size() && did(rank, state, rank.actions[state.at])) ++state.at;
    return state.at != before;
  }

  bool did(const RankProgram& rank, State& state, const Action& action) {
    const std::span<const SlotRun> runs = rank.runs_of(action);
    const auto each = [&](const SlotRun& run, auto visit) {
      for (uint32_t s = run.first; s < run.first + run.count; ++s)
        visit(state.buffers[static_cast<size_t>(run.buffer)][s]);
    };
    if (starts_request(action.kind)) {
      state.started.push_back(&action);
      if (action.kind != ActionKind::kSend) {
        state.place[&action] = state.taken[action.peer]++;
        return true;
      }
      std::vector<uint64_t>& message = mail_[{rank.rank, action.peer}].emplace_back();
      for (const SlotRun& run : runs) each(run, [&](uint64_t sum) { message.push_back(sum); });
      return true;
    }
    if (action.kind == ActionKind::kWait) {
      for (const uint32_t request : rank.requests_of(action)) {
        const Action& start = *state.started[request];
        if (start.kind != ActionKind::kSend && mail_[{start.peer, rank.rank}].size() <= state.place[&start])
          return false;
      }
      for (const uint32_t request : rank.requests_of(action)) {
        const Action& start = *state.started[request];
        if (start.kind == ActionKind::kSend) continue;
        const std::vector<uint64_t>& message = mail_[{start.peer, rank.rank}][state.place[&start]];
        size_t next = 0;
        for (const SlotRun& run : rank.runs_of(start)) {
          each(run, [&](uint64_t& sum) {
            sum = start.kind == ActionKind::kReceive ? message[next] : added(sum, message[next]);
            ++next;
          });
        }
      }
      return true;
    }
    std::vector<uint64_t> source;
    each(runs[1], [&](uint64_t sum) { source.push_back(sum); });
    size_t next = 0;
    each(runs[0], [&](uint64_t& sum) {
      sum = action.kind == ActionKind::kCopy ? source[next] : added(sum, source[next]);
      ++next;
    });
    return true;
  }

  uint64_t added(uint64_t one, uint64_t other) {
    twice_ = twice_ || (one & other) != 0;
    return one | other;
  }

  const Program& program_;
  std::vector<State> states_;
  std::map<std::pair<Rank, Rank>, std::vector<std::vector<uint64_t>>> mail_;
  bool twice_ = false;
};

// Which blocks go from whom to whom in which steps, in whatever messages.
std::vector<std::tuple<uint32_t, uint64_t, uint64_t, uint64_t>> passages(const Program& program) {
  std::vector<std::tuple<uint32_t, uint64_t, uint64_t, uint64_t>> out;
  for (const RankProgram& rank : program.ranks) {
    for (const Action& action : rank.actions) {
      if (action.kind != ActionKind::kSend) continue;
      for (const BlockId block : rank.blocks_of(action))
        out.emplace_back(action.step, index(rank.rank), index(action.peer), index(block));
    }
  }
  std::ranges::sort(out);
  return out;
}

struct Tried {
  bool is_alike = false;
  bool same_sums = false;
};

Tried try_plan(const Schedule& schedule, bool deals_out) {
  const Problem& problem = schedule.problem();
  const Collective& collective = problem.collective();
  Translations all = *translations_of(problem.topology());
  all.deals_out = deals_out;
  TranslationWatch watch(problem.topology(), collective, all);
  schedule.plan().replay(watch);
  if (watch.broken_at()) return {};
  SumLowering lowering(problem, all);
  schedule.plan().replay(lowering);
  const std::optional<RankProgram> first = lowering.finish();
  if (!first) return {};
  EXPECT_TRUE(check_images(*first, collective, all).empty()) << problem.title();
  Program images{collective, {}};
  for (uint32_t r = 0; r < collective.num_ranks(); ++r)
    images.ranks.push_back(image_of(*first, collective, all, Rank{r}));
  EXPECT_TRUE(check_program(images).empty()) << problem.title();
  EXPECT_TRUE(Contributions(images).are_whole()) << problem.title();
  const Program whole = lower(schedule);
  EXPECT_EQ(passages(images), passages(whole)) << problem.title();
  // No rank needs more room, or more messages, than when all are looked at.
  EXPECT_EQ(first->scratch_slots, whole.ranks[0].scratch_slots) << problem.title();
  EXPECT_EQ(images.num_messages(), whole.num_messages()) << problem.title();
  const bool same = gives_same_sums(*first, collective, all);
  EXPECT_EQ(same, gives_same_sums(images)) << problem.title();
  return {true, same};
}

TEST(SumLowering, MakesProgramsOfAllPlansThatAreTheSameEverywhere) {
  std::set<std::string_view> dealt;
  std::set<std::string_view> fixed;
  std::set<std::string_view> rounded_apart;
  for (const char* spec : {"ring(2)", "ring(5)", "ring(6)", "torus(3,4)", "torus(4,4)", "hypercube(3)",
                           "complete(5)", "cayley(S(3);(0 1),(1 2))", "torus(2,2,3)"}) {
    const Topology topology = parse_topology(spec);
    const uint32_t ranks = topology.num_nodes();
    const uint32_t ports = topology.num_arcs() / ranks;
    for (const Model& model : {Model{}, Model{.packets = Packets::kMany}}) {
      for (const CollectiveKind kind : {CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce}) {
        for (const uint32_t pieces : {1U, ports, ranks, ranks * ports}) {
          if (kind == CollectiveKind::kReduceScatter && pieces > ports) continue;
          const Problem problem = standard_problem(topology, kind, model, NodeId{0}, pieces);
          for (const Algorithm* card : algorithm_catalog()) {
            if (card->collective != kind) continue;
            const Preparation ready = prepare(*card, problem);
            for (const PreparedPlan& prepared : ready.plans) {
              if (!ready.fits.applies || prepared->effort() != Effort::kLittle) continue;
              Plan plan;
              prepared->generate(plan);
              const Schedule schedule = testing::judged(problem, std::move(plan));
              if (kind == CollectiveKind::kReduceScatter || pieces % ranks == 0) {
                const Tried tried = try_plan(schedule, kind == CollectiveKind::kAllreduce);
                if (tried.is_alike) dealt.insert(card->name);
                if (tried.is_alike && !tried.same_sums) rounded_apart.insert(card->name);
              }
              if (kind == CollectiveKind::kAllreduce) {
                const Tried tried = try_plan(schedule, false);
                if (tried.is_alike) fixed.insert(card->name);
                if (tried.is_alike && !tried.same_sums) rounded_apart.insert(card->name);
              }
            }
          }
        }
      }
    }
  }
  for (const std::string_view name : {"reduce_scatter_node_invariant", "reduce_scatter_dimensions",
                                      "allreduce_node_invariant", "allreduce_dimensions", "allreduce_ring"})
    EXPECT_TRUE(dealt.contains(name)) << name;
  EXPECT_TRUE(fixed.contains("allreduce_recursive_doubling"));
  EXPECT_TRUE(rounded_apart.empty());
}

// All send all that they have to all others, and each adds it to its own.
TEST(SumLowering, KnowsSumsThatRoundApart) {
  const Topology topology = parse_topology("complete(3)");
  for (const uint32_t pieces : {1U, 3U}) {
    const Problem problem = standard_problem(topology, CollectiveKind::kAllreduce,
                                             {.packets = Packets::kMany}, NodeId{0}, pieces);
    Plan plan;
    StepBuilder step;
    for (const ArcId arc : topology.arcs())
      for (uint32_t b = 0; b < pieces; ++b) step.add(arc, BlockId{b});
    step.flush(plan);
    const Schedule schedule = testing::judged(problem, std::move(plan));
    for (const bool deals_out : {false, true}) {
      if (deals_out && pieces == 1) continue;
      const Tried tried = try_plan(schedule, deals_out);
      EXPECT_TRUE(tried.is_alike);
      EXPECT_FALSE(tried.same_sums);
    }
  }
}

TEST(SumLowering, SaysWhatItLeavesToLower) {
  const auto reason = [](const char* spec, CollectiveKind kind, Operator combining = Operator::kCommutative) {
    return SumLowering::why_not(standard_problem(parse_topology(spec), kind, {.combining = combining}))
        .value_or("");
  };
  EXPECT_EQ(reason("ring(4)", CollectiveKind::kAllreduce), "");
  EXPECT_EQ(reason("ring(4)", CollectiveKind::kReduceScatter), "");
  EXPECT_EQ(reason("ring(4)", CollectiveKind::kAlltoall), "nothing is combined");
  EXPECT_EQ(reason("ring(4)", CollectiveKind::kReduce), "one rank does what no other does");
  EXPECT_EQ(reason("ring(4)", CollectiveKind::kAllreduce, Operator::kOrdered),
            "contributions are combined in the order of ranks");
  EXPECT_EQ(reason("fat_tree(2,2)", CollectiveKind::kAllreduce), "blocks go through routers");
}

}  // namespace lower_sums_test
}  // namespace quadrille
