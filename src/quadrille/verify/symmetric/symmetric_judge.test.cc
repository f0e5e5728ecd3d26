#include "quadrille/verify/symmetric/symmetric_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/random.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace symmetric_judge_test {

using Moves = std::vector<std::vector<SymmetricMove>>;

class Recorder final : public StepSink, private SymmetricSink {
 public:
  void push(const StepView& /*step*/) override { ADD_FAILURE() << "a step that is written out"; }
  [[nodiscard]] SymmetricSink* symmetric() override { return this; }
  Moves steps;

 private:
  void push_symmetric(std::span<const SymmetricMove> moves) override {
    steps.emplace_back(moves.begin(), moves.end());
  }
};

// What the short form means, written out transfer by transfer.
void write_out(const Problem& problem, const Moves& steps, StepSink& sink) {
  StepBuilder step;
  for (const std::vector<SymmetricMove>& moves : steps) {
    for (const NodeId x : problem.topology().nodes()) add_transfers(problem, moves, x, step);
    step.flush(sink);
  }
}

Verdict at_one_node(const Problem& problem, const Moves& steps) {
  SymmetricJudge judge(problem);
  for (const std::vector<SymmetricMove>& moves : steps) judge.symmetric()->push_symmetric(moves);
  return judge.finish();
}
Verdict at_all_nodes(const Problem& problem, const Moves& steps) {
  Judge judge(problem, {.max_findings = 100'000});  // each at every node
  write_out(problem, steps, judge);
  return judge.finish();
}

constexpr const char* kNetworks[] = {"complete(2)",
                                     "ring(7)",
                                     "torus(4,4)",
                                     "torus(3,5)",
                                     "torus(6,3)",
                                     "torus(2,3,4)",
                                     "hypercube(4)",
                                     "complete(6)",
                                     "product(complete(3),complete(4))",
                                     "cayley(Z(12);1,5,7,11)",
                                     "star(4)",
                                     "cayley(S(4);(2 3),(1 2),(0 1))",
                                     "cube_connected_cycles(3)"};

// Every card that says so, on every network, with each number of ports, of packets and of pieces.
template <typename Use>
void for_each_plan(Use use) {
  for (const char* spec : kNetworks) {
    const Topology topology = parse_topology(spec);
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->same_at_all_nodes == nullptr) continue;
      for (const uint32_t ports : {0U, 1U, 2U}) {
        if (topology.cayley() == nullptr || ports > topology.cayley()->generators.size()) continue;
        for (const auto& [each, packets] :
             {std::pair(1U, Packets::kOne), std::pair(2U, Packets::kOne), std::pair(1U, Packets::kMany)}) {
          const uint32_t pieces =
              card->collective == CollectiveKind::kAllreduce ? each * topology.num_nodes() : each;
          const Problem problem = standard_problem(
              topology, card->collective,
              {.send = Ports{ports}, .receive = Ports{ports}, .packets = packets, .cost = {.to = 1}},
              NodeId{0}, pieces);
          if (SymmetricJudge::why_not(problem)) continue;
          const Preparation ready = prepare(*card, problem);
          if (!ready.fits.applies || !card->same_at_all_nodes(problem)) continue;
          for (const PreparedPlan& plan : ready.plans) {
            SCOPED_TRACE(problem.title() + " by " + std::string(card->name) + ":" + plan->member());
            use(problem, *plan);
          }
        }
      }
    }
  }
}

TEST(SymmetricJudge, PlansInTheShortFormAreThoseThatAreWrittenOut) {
  int plans = 0;
  for_each_plan([&](const Problem& problem, Prepared& plan) {
    Recorder brief;
    plan.generate(brief);
    Plan meant;
    write_out(problem, brief.steps, meant);
    Plan made;
    plan.generate(made);
    ASSERT_EQ(made.num_steps(), meant.num_steps());
    for (size_t s = 0; s < made.num_steps(); ++s) {
      const auto transfers = [s](const Plan& of) {
        std::vector<std::pair<ArcId, std::vector<BlockId>>> out;
        for (size_t t = 0; t < of.step(s).size(); ++t) {
          const std::span<const BlockId> blocks = of.step(s).blocks(t);
          out.emplace_back(of.step(s).arcs(t)[0], std::vector(blocks.begin(), blocks.end()));
        }
        std::ranges::sort(out);
        return out;
      };
      ASSERT_EQ(transfers(made), transfers(meant)) << "step " << s;
    }
    ++plans;
  });
  EXPECT_GT(plans, 100);
}

TEST(SymmetricJudge, CountsWhatTheJudgeOfAllNodesCounts) {
  for_each_plan([](const Problem& problem, Prepared& plan) {
    Recorder brief;
    plan.generate(brief);
    const Verdict one = at_one_node(problem, brief.steps);
    const Verdict all = at_all_nodes(problem, brief.steps);
    ASSERT_TRUE(all.passed());
    EXPECT_TRUE(one.passed());
    EXPECT_EQ(one.figures, all.figures);
    EXPECT_TRUE(one.at_one_node);
    EXPECT_FALSE(all.at_one_node);
  });
}

// One move is spoilt, left out, doubled, or made in another step.
void spoil(const Problem& problem, Moves& steps, Rng& rng) {
  const auto any = [&](size_t count) { return static_cast<uint32_t>(rng.below(count)); };
  const CayleyStructure& cayley = *problem.topology().cayley();
  std::vector<SymmetricMove>& step = steps[any(steps.size())];
  if (step.empty()) return;
  const uint32_t at = any(step.size());
  SymmetricMove& move = step[at];
  switch (any(10)) {
    case 0:
      move.generator = any(cayley.generators.size());
      return;
    case 1:
      move.moved = any(cayley.group->order());
      return;
    case 2:
      if (problem.collective().kind() != CollectiveKind::kAllgather) move.left = any(cayley.group->order());
      return;
    case 3:
      move.piece = problem.collective().kind() == CollectiveKind::kAllreduce
                       ? any(problem.collective().pieces() / problem.topology().num_nodes())
                       : any(problem.collective().pieces());
      return;
    case 4:
      step.erase(step.begin() + at);
      return;
    case 5:
      steps[any(steps.size())].push_back(SymmetricMove(move));
      return;
    case 6:
      std::swap(step, steps[any(steps.size())]);
      return;
    case 7:
      if (problem.collective().kind() == CollectiveKind::kAllreduce) move.copies = !move.copies;
      return;
    case 8:
      if (carries_many(problem.model()) && at > 0 && step[at - 1].generator == move.generator &&
          step[at - 1].copies == move.copies)
        move.joins = !move.joins;
      return;
    default: {
      std::vector<SymmetricMove>& other = steps[any(steps.size())];
      if (!other.empty()) std::swap(move, other[any(other.size())]);
    }
  }
}

// What has got beside moves along another link begins a transfer.
void part_transfers(Moves& steps) {
  for (std::vector<SymmetricMove>& step : steps) {
    for (size_t m = 0; m < step.size(); ++m) {
      step[m].joins = step[m].joins && m > 0 && step[m - 1].generator == step[m].generator &&
                      step[m - 1].copies == step[m].copies;
    }
  }
}

TEST(SymmetricJudge, SaysOfSpoiltPlansWhatTheJudgeOfAllNodesSays) {
  Rng rng(11);
  int good = 0;
  int bad = 0;
  for_each_plan([&](const Problem& problem, Prepared& plan) {
    Recorder brief;
    plan.generate(brief);
    for (int again = 0; again < (Sample::whole() ? 4 : 2); ++again) {
      Moves spoilt = brief.steps;
      spoil(problem, spoilt, rng);
      part_transfers(spoilt);
      const Verdict one = at_one_node(problem, spoilt);
      const Verdict all = at_all_nodes(problem, spoilt);
      ASSERT_EQ(one.passed(), all.passed())
          << (one.passed() ? to_text(all.findings.front()) : to_text(one.findings.front()));
      if (one.passed()) {
        EXPECT_EQ(one.figures, all.figures);
      } else {
        const auto names = [](const Finding& finding, std::string_view rule) { return finding.rule == rule; };
        EXPECT_TRUE(std::ranges::any_of(
            all.findings, [&](const Finding& finding) { return names(finding, one.findings.front().rule); }))
            << to_text(one.findings.front()) << "\n"
            << to_text(all.findings.front());
      }
      ++(one.passed() ? good : bad);
    }
  });
  EXPECT_GT(bad, 150);
  EXPECT_GT(good, 2);
}

TEST(SymmetricJudge, SaysWhatIsWrongAtNodeZero) {
  const Problem problem = standard_problem(parse_topology("ring(5)"), CollectiveKind::kAlltoall);
  const Verdict empty = at_one_node(problem, {});
  EXPECT_EQ(empty.total_findings, 4U);
  EXPECT_EQ(to_text(empty.findings.front()),
            "at the end: [delivered] block 0 > 1 is at node 0, not at its destination");
  // Generator 0 is one up, 1 one down.
  const Verdict twice = at_one_node(problem, {{{0, 0, 1, 0}, {0, 0, 2, 0}}});
  EXPECT_EQ(
      to_text(twice.findings.front()),
      "step 1, transfer 2: [link_capacity] the link from 0 to 1 carries 2 transfers in this step with this one; its "
      "capacity is 1");
  const Verdict early = at_one_node(problem, {{{0, 1, 1, 0}}});
  EXPECT_EQ(to_text(early.findings.front()),
            "step 1, transfer 1: [sender_holds] node 0 does not have block 4 > 1");
}

TEST(SymmetricJudge, KnowsWhereItIsNotAsked) {
  const auto why = [](const char* spec, CollectiveKind kind, const Model& model = {}) {
    return SymmetricJudge::why_not(standard_problem(parse_topology(spec), kind, model)).value_or("");
  };
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kAlltoall), "");
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kAllgather), "");
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kReduceScatter), "");
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kReduceScatter, {.combining = Operator::kOrdered}),
            "it is not a machine of packets, full duplex, any queues and any order");
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kBroadcast),
            "it is no total exchange, allgather, reduce_scatter or allreduce");
  EXPECT_EQ(why("mesh(4,4)", CollectiveKind::kAlltoall), "no group of the network is known");
  EXPECT_EQ(why("torus(4,4)", CollectiveKind::kAlltoall, {.packets = Packets::kMany}), "");
  for (const Model& model :
       {Model{.switching = Switching::kWormhole}, Model{.duplex = Duplex::kHalf}, Model{.queue_limit = 1}})
    EXPECT_EQ(why("torus(4,4)", CollectiveKind::kAlltoall, model),
              "it is not a machine of packets, full duplex, any queues and any order");
}

TEST(SymmetricJudge, FollowsWhoseContributionsAreInASum) {
  // On a ring of 4 generator 0 is one up, 1 three up. What has two to go goes one up, then both neighbours' go home.
  const Problem problem = standard_problem(parse_topology("ring(4)"), CollectiveKind::kReduceScatter);
  const Moves good = {{{0, 0, 2, 0}}, {{0, 0, 1, 0}, {1, 0, 3, 0}}};
  EXPECT_TRUE(at_one_node(problem, good).passed());
  EXPECT_TRUE(at_all_nodes(problem, good).passed());
  Moves twice = good;
  twice[0].push_back({1, 0, 2, 0});
  EXPECT_FALSE(at_all_nodes(problem, twice).passed());
  EXPECT_EQ(to_text(at_one_node(problem, twice).findings.front()),
            "step 2, transfer 2: [contributions] node 3 adds the contribution of 1 to block 3 a second time");
  const Verdict none = at_one_node(problem, {});
  EXPECT_EQ(to_text(none.findings.front()),
            "at the end: [delivered] block 0 at node 0 lacks the contribution of 3");
  // Somebody else may have a sum, too, who adds it to nothing.
  Moves useless = good;
  useless.push_back({{0, 0, 1, 0}});
  EXPECT_EQ(at_one_node(problem, useless).passed(), at_all_nodes(problem, useless).passed());
}

// A rule that the house gets must be kept here, too, or be one that no problem of this judge asks for.
TEST(SymmetricJudge, KnowsEveryRule) {
  const std::vector<std::string_view> counted = {"contributions", "delivered",     "delivered_once",
                                                 "link_capacity", "receive_ports", "send_ports",
                                                 "sender_holds"};
  const std::vector<std::string_view> by_form = {"path_exists", "transfer_form"};
  const std::vector<std::string_view> not_asked = {"chunks_in_order", "half_duplex",  "queue_limit",
                                                   "ranks_in_order",  "worm_routing", "worms_disjoint"};
  std::vector<std::string_view> all = counted;
  all.insert(all.end(), by_form.begin(), by_form.end());
  all.insert(all.end(), not_asked.begin(), not_asked.end());
  std::ranges::sort(all);
  EXPECT_EQ(rule_catalog().names(), all);
}

TEST(SymmetricJudge, AnOddTieIsBrokenByPlace) {
  const Algorithm& torus = *algorithm_catalog().find("alltoall_torus");
  const auto is_same = [&](const char* spec) {
    return torus.same_at_all_nodes(standard_problem(parse_topology(spec), CollectiveKind::kAlltoall));
  };
  EXPECT_TRUE(is_same("torus(4,4)"));
  EXPECT_TRUE(is_same("torus(3,5)"));
  EXPECT_FALSE(is_same("torus(4,3)"));
  EXPECT_FALSE(is_same("ring(6)"));
}

}  // namespace symmetric_judge_test
}  // namespace quadrille
