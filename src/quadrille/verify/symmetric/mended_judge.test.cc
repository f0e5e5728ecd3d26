#include "quadrille/verify/symmetric/mended_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/repair/repaired_plan.h"
#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/faults/faulty_origin.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace mended_judge_test {

struct MendedStep {
  std::vector<SymmetricMove> moves;
  std::vector<std::pair<ArcId, BlockId>> moved;
};

// A plan in the short form that can be edited.
struct MendedPlan {
  std::optional<Topology> whole;
  std::vector<NodeId> original;
  std::vector<BlockId> removed;
  std::vector<MendedStep> steps;
};

class Recorder final : public StepSink, private MendedSink {
 public:
  void push(const StepView& /*step*/) override { ++written_out; }
  [[nodiscard]] MendedSink* mended() override { return this; }
  MendedPlan plan;
  int written_out = 0;

 private:
  void begin_mended(const MendedPlanHead& head) override {
    plan.whole = head.whole;
    plan.original.assign(head.original.begin(), head.original.end());
    plan.removed.assign(head.removed.begin(), head.removed.end());
  }
  void push_mended(std::span<const SymmetricMove> moves, const StepView& moved) override {
    MendedStep& step = plan.steps.emplace_back();
    step.moves.assign(moves.begin(), moves.end());
    for (size_t i = 0; i < moved.size(); ++i) step.moved.emplace_back(moved.all_arcs[i], moved.all_blocks[i]);
  }
};

// What the short form means, transfer by transfer. What is not there any more has a number that is none.
Plan written_out(const Problem& problem, const MendedPlan& plan) {
  const Topology& left = problem.topology();
  const Problem whole = standard_problem(*plan.whole, CollectiveKind::kAlltoall, problem.model(), kNoNode,
                                         problem.collective().pieces());
  std::vector<NodeId> now(whole.topology().num_nodes(), kNoNode);
  for (uint32_t v = 0; v < plan.original.size(); ++v) now[index(plan.original[v])] = NodeId{v};
  const auto arc_now = [&](ArcId arc) {
    const NodeId tail = now[index(whole.topology().tail(arc))];
    const NodeId head = now[index(whole.topology().head(arc))];
    if (tail == kNoNode || head == kNoNode) return kNoArc;
    return left.find_arc(tail, head).value_or(kNoArc);
  };
  const auto block_now = [&](BlockId block) {
    const NodeId from = now[index(whole.origin(block))];
    const NodeId to = now[index(whole.destination(block))];
    if (from == kNoNode || to == kNoNode) return BlockId{UINT32_MAX};
    return problem.collective().block(*left.rank(from), *left.rank(to),
                                      static_cast<uint32_t>(index(block) % problem.collective().pieces()));
  };
  Plan out;
  StepBuilder step;
  for (const MendedStep& one : plan.steps) {
    for (const NodeId x : whole.topology().nodes()) {
      for (const SymmetricMove& move : one.moves) {
        const BlockId block = block_at(whole, move, x);
        if (std::ranges::find(plan.removed, block) == plan.removed.end())
          step.add(arc_now(arc_at(whole, move, x)), block_now(block));
      }
    }
    for (const auto& [arc, block] : one.moved) step.add(arc, block);
    step.flush(out);
  }
  return out;
}

// Nothing of a plan that has not even the form.
std::optional<Verdict> judged(const Problem& problem, const MendedPlan& plan) {
  MendedJudge judge(problem);
  try {
    judge.mended()->begin_mended({*plan.whole, plan.original, plan.removed});
    for (const MendedStep& step : plan.steps) {
      StepBuilder moved;
      for (const auto& [arc, block] : step.moved) moved.add(arc, block);
      judge.mended()->push_mended(step.moves, moved.view());
    }
    return judge.finish();
  } catch (const InternalError&) {
    return std::nullopt;
  }
}

constexpr const char* kNetworks[] = {"without(torus(4,4);\"link (0,0) (0,1)\")",
                                     "without(torus(4,4);\"node (1,2)\")",
                                     "without(torus(4,4);\"arc (0,0) (0,1)\",\"arc (2,1) (1,1)\")",
                                     "without(torus(3,4);\"link (0,0) (0,1)\",\"node (2,2)\")",
                                     "without(torus(2,3,4);\"link (0,0,0) (0,0,1)\")",
                                     "without(product(ring(3),ring(4));\"link (1,1) (2,1)\")",
                                     "without(hypercube(4);\"link 0 1\",\"node 7\")",
                                     "without(ring(6);\"link 0 1\")",
                                     "without(torus(5,5);\"link (0,0) (0,1)\",\"link (3,3) (3,4)\")"};

// Every plan of the whole that is the same at all nodes, repaired.
template <typename Use>
void for_each_plan(Use use) {
  for (const char* spec : kNetworks) {
    for (const uint32_t pieces : {1U, 2U}) {
      const Problem problem =
          standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {}, kNoNode, pieces);
      ASSERT_FALSE(MendedJudge::why_not(problem));
      const FaultyOrigin origin = *faulty_origin(problem.topology());
      const Problem whole = standard_problem(origin.whole, CollectiveKind::kAlltoall, {}, kNoNode, pieces);
      for (const Algorithm* card : algorithm_catalog()) {
        if (card->collective != CollectiveKind::kAlltoall || card->same_at_all_nodes == nullptr) continue;
        const Preparation ready = prepare(*card, whole);
        if (!ready.fits.applies || !card->same_at_all_nodes(whole)) continue;
        SCOPED_TRACE(problem.title() + " by " + std::string(card->name));
        const ReplaySteps replay = [&](StepSink& sink) { ready.plans.front()->generate(sink); };
        const RepairedPlan repaired(symmetric_parts(whole, problem, origin.original, 6),
                                    {replay, std::make_shared<const OneNodesMoves>(whole, replay)});
        // What one node's moves say is what a look at all transfers says.
        EXPECT_EQ(repaired.steps(),
                  RepairedPlan(symmetric_parts(whole, problem, origin.original, 6), {replay}).steps());
        Recorder recorder;
        repaired.generate(recorder);
        if (recorder.written_out == 0) use(problem, repaired, recorder.plan);
      }
    }
  }
}

TEST(MendedJudge, SaysOfGoodPlansWhatTheJudgeOfAllTransfersSays) {
  int plans = 0;
  for_each_plan([&](const Problem& problem, const RepairedPlan& repaired, const MendedPlan& plan) {
    const Plan meant = written_out(problem, plan);
    Plan made;
    repaired.generate(made);
    ASSERT_EQ(made.num_steps(), meant.num_steps());
    for (size_t s = 0; s < made.num_steps(); ++s) {
      const auto transfers = [s](const Plan& of) {
        std::vector<std::pair<ArcId, BlockId>> out;
        for (size_t t = 0; t < of.step(s).size(); ++t)
          out.emplace_back(of.step(s).all_arcs[t], of.step(s).all_blocks[t]);
        std::ranges::sort(out);
        return out;
      };
      ASSERT_EQ(transfers(made), transfers(meant)) << "step " << s;
    }
    const std::optional<Verdict> brief = judged(problem, plan);
    ASSERT_TRUE(brief && brief->passed());
    EXPECT_GT(*brief->mended, 0U);
    const Verdict all = verify(problem, meant).verdict;
    EXPECT_TRUE(all.passed());
    EXPECT_EQ(brief->figures, all.figures);
    EXPECT_TRUE(reference_verify(problem, meant).passed());
    ++plans;
  });
  EXPECT_GE(plans, 40);
}

enum class Spoilt : uint8_t {
  kDropMoved,
  kDoubleMoved,
  kPostpone,
  kReroute,
  kRetarget,
  kSwapSteps,
  kDropStep,
  kPause,
  kDropMove,
  kDoubleMove,
  kTurnMove,
  kShiftMove,
  kKeep,       // a removed block goes its way
  kRemove,     // one more is removed
  kDeadMoved,  // a transfer more
  kRelabel,    // two nodes change places
};
constexpr int kSpoilt = 16;

void spoil(Spoilt how, const Problem& problem, MendedPlan& plan, Rng& rng) {
  const auto one_of = [&](auto& list) -> auto& { return list[rng.below(list.size())]; };
  MendedStep& step = one_of(plan.steps);
  MendedStep& other = one_of(plan.steps);
  const auto some_arc = [&] {
    return ArcId{static_cast<uint32_t>(rng.below(problem.topology().num_arcs()))};
  };
  const auto some_block = [&] {
    return BlockId{static_cast<uint32_t>(rng.below(problem.collective().num_blocks()))};
  };
  const auto away = [&](auto& list) {
    const auto at = list.begin() + static_cast<ptrdiff_t>(rng.below(list.size()));
    const auto out = *at;
    list.erase(at);
    return out;
  };
  const bool moves_any = !step.moved.empty();
  switch (how) {
    case Spoilt::kDropMoved:
      if (moves_any) away(step.moved);
      break;
    case Spoilt::kDoubleMoved:
      if (moves_any) other.moved.push_back(one_of(step.moved));
      break;
    case Spoilt::kPostpone:
      if (moves_any) other.moved.push_back(away(step.moved));
      break;
    case Spoilt::kReroute:
      if (moves_any) one_of(step.moved).first = some_arc();
      break;
    case Spoilt::kRetarget:
      if (moves_any) one_of(step.moved).second = some_block();
      break;
    case Spoilt::kSwapSteps:
      std::swap(step, other);
      break;
    case Spoilt::kDropStep:
      plan.steps.erase(plan.steps.begin() + static_cast<ptrdiff_t>(rng.below(plan.steps.size())));
      break;
    case Spoilt::kPause:
      plan.steps.insert(plan.steps.begin() + static_cast<ptrdiff_t>(rng.below(plan.steps.size())),
                        MendedStep{});
      break;
    case Spoilt::kDropMove:
      if (!step.moves.empty()) away(step.moves);
      break;
    case Spoilt::kDoubleMove:
      if (!step.moves.empty()) other.moves.push_back(one_of(step.moves));
      break;
    case Spoilt::kTurnMove:
      if (!step.moves.empty())
        one_of(step.moves).generator =
            static_cast<uint32_t>(rng.below(plan.whole->cayley()->generators.size()));
      break;
    case Spoilt::kShiftMove:
      if (!step.moves.empty()) other.moves.push_back(away(step.moves));
      break;
    case Spoilt::kKeep:
      away(plan.removed);
      break;
    case Spoilt::kRemove: {
      const uint32_t nodes = plan.whole->num_nodes();
      plan.removed.push_back(
          BlockId{static_cast<uint32_t>(rng.below(nodes * nodes * problem.collective().pieces()))});
      std::ranges::sort(plan.removed);
      break;
    }
    case Spoilt::kDeadMoved:
      step.moved.emplace_back(some_arc(), some_block());
      break;
    case Spoilt::kRelabel:
      std::swap(one_of(plan.original), one_of(plan.original));
      break;
  }
}

// What passes is good, and measured right; most of what is good passes.
TEST(MendedJudge, PassesNoMutantThatAJudgeOfAllTransfersRejects) {
  std::map<Spoilt, int> rejected;
  int passed = 0;
  int good = 0;
  Rng rng(20);
  for_each_plan([&](const Problem& problem, const RepairedPlan& /*repaired*/, const MendedPlan& plan) {
    const int spoilt = (Sample::whole() ? 4 : 2) * kSpoilt;
    for (int i = 0; i < spoilt; ++i) {
      const auto how = static_cast<Spoilt>(i % kSpoilt);
      MendedPlan mutant = plan;
      spoil(how, problem, mutant, rng);
      const std::optional<Verdict> brief = judged(problem, mutant);
      const Plan meant = written_out(problem, mutant);
      const Verdict all = verify(problem, meant).verdict;
      good += all.passed() ? 1 : 0;
      if (!brief || !brief->passed()) {
        rejected[how] += all.passed() ? 0 : 1;
        continue;
      }
      ++passed;
      ASSERT_TRUE(all.passed()) << "spoilt: " << i % kSpoilt;
      ASSERT_EQ(brief->figures, all.figures) << "spoilt: " << i % kSpoilt;
      if (i < kSpoilt && problem.collective().pieces() == 1) {
        ASSERT_TRUE(reference_verify(problem, meant).passed()) << "spoilt: " << i % kSpoilt;
      }
    }
  });
  for (int how = 0; how < kSpoilt; ++how) {
    if (static_cast<Spoilt>(how) != Spoilt::kPause) {
      EXPECT_GT(rejected[static_cast<Spoilt>(how)], 0) << "spoilt: " << how;
    }
  }
  EXPECT_GT(passed, 100);
  EXPECT_LE(passed, good);
  EXPECT_GT(passed * 10, good * 8);
}

// A network whose arcs are not those of the whole, or carry more than these, is no part of it, whatever the plan says.
TEST(MendedJudge, BelievesNobodyThatANetworkIsAPartOfAnother) {
  int plans = 0;
  for_each_plan([&](const Problem& problem, const RepairedPlan&, const MendedPlan& plan) {
    ++plans;
    const Topology& left = problem.topology();
    const auto judged_on = [&](const auto& change) {
      TopologyBuilder builder("another", left.num_nodes());
      for (const ArcId arc : left.arcs()) change(builder, arc);
      return judged(standard_problem(builder.build(), CollectiveKind::kAlltoall, {}, kNoNode,
                                     problem.collective().pieces()),
                    plan);
    };
    const auto as_it_is = [&](TopologyBuilder& builder, ArcId arc) {
      builder.arc(left.tail(arc), left.head(arc), left.capacity(arc));
    };
    const std::optional<Verdict> same = judged_on(as_it_is);
    ASSERT_TRUE(same && same->passed());
    EXPECT_FALSE(judged_on([&](TopologyBuilder& builder, ArcId arc) {
      builder.arc(left.tail(arc), left.head(arc), left.capacity(arc) + (index(arc) == 0 ? 1 : 0));
    }));
    NodeId far{1};  // no neighbour in the whole either: a dead link would be a part of it
    while (plan.whole->find_arc(plan.original[0], plan.original[index(far)]))
      far = NodeId{static_cast<uint32_t>(index(far)) + 1};
    EXPECT_FALSE(judged_on([&](TopologyBuilder& builder, ArcId arc) {
      as_it_is(builder, arc);
      if (index(arc) == 0) builder.arc(NodeId{0}, far);
    }));
    MendedPlan twice = plan;
    twice.original[1] = twice.original[0];
    EXPECT_FALSE(judged(problem, twice));
  });
  EXPECT_GE(plans, 40);
}

TEST(MendedJudge, SaysWhatIsWrong) {
  std::optional<Problem> problem_of_plan;
  MendedPlan plan;
  for_each_plan([&](const Problem& problem, const RepairedPlan&, const MendedPlan& found) {
    if (!problem_of_plan) plan = found;
    if (!problem_of_plan) problem_of_plan = problem;
  });
  ASSERT_TRUE(problem_of_plan);
  const Problem& problem = *problem_of_plan;
  // A block whose way crosses the dead link is left where it was.
  MendedPlan kept = plan;
  kept.removed.erase(kept.removed.begin());
  const std::optional<Verdict> dead = judged(problem, kept);
  ASSERT_TRUE(dead && !dead->passed());
  EXPECT_TRUE(
      std::ranges::any_of(dead->findings, [](const Finding& f) { return f.rule == "transfer_form"; }));
  // One that is removed does not arrive by itself.
  MendedPlan lost = plan;
  for (MendedStep& step : lost.steps) step.moved.clear();
  const std::optional<Verdict> missing = judged(problem, lost);
  ASSERT_TRUE(missing && !missing->passed());
  EXPECT_EQ(missing->findings.front().rule, "delivered");
  EXPECT_EQ(missing->total_findings, plan.removed.size());
  // One that is there goes for a walk.
  MendedPlan walks = plan;
  const auto arrives = [&](const std::pair<ArcId, BlockId>& hop) {
    return problem.topology().head(hop.first) == problem.destination(hop.second);
  };
  for (const MendedStep& step : plan.steps) {
    const auto last = std::ranges::find_if(step.moved, arrives);
    if (last == step.moved.end()) continue;
    walks.steps.push_back({{}, {{problem.topology().reverse(last->first), last->second}}});
    walks.steps.push_back({{}, {*last}});
    break;
  }
  const std::optional<Verdict> walked = judged(problem, walks);
  ASSERT_TRUE(walked);
  EXPECT_EQ(walked->total_findings, 1U);
  EXPECT_EQ(walked->findings.front().rule, "delivered_once");
  EXPECT_EQ(MendedJudge::why_not(standard_problem(problem.topology(), CollectiveKind::kAllgather)),
            "it is no total exchange");
  EXPECT_EQ(MendedJudge::why_not(standard_problem(problem.topology(), CollectiveKind::kAlltoall,
                                                  {.send = kOnePort, .receive = kOnePort})),
            "there are fewer ports than packets that links can carry");
}

}  // namespace mended_judge_test
}  // namespace quadrille
