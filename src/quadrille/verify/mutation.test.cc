// Mutation: good plans are spoilt in every way that we can think of, and both judges must agree on every
// mutant.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

using testing::random_plan;
using testing::random_topology;

struct LooseTransfer {
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  TransferOp op;
};
using LoosePlan = std::vector<std::vector<LooseTransfer>>;

LoosePlan loosen(const Plan& plan) {
  LoosePlan out;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView view = plan.step(s);
    out.emplace_back();
    for (size_t t = 0; t < view.size(); ++t) {
      out.back().push_back({{view.arcs(t).begin(), view.arcs(t).end()},
                            {view.blocks(t).begin(), view.blocks(t).end()},
                            view.op(t)});
    }
  }
  return out;
}

Plan tighten(const LoosePlan& loose) {
  Plan plan;
  StepBuilder step;
  for (const auto& transfers : loose) {
    for (const LooseTransfer& t : transfers) step.add(t.path, t.blocks, t.op);
    step.flush(plan);
  }
  return plan;
}

enum class Mutation {
  kDrop,
  kDouble,
  kSwap,
  kReorder,
  kReroute,
  kRetarget,
  kBreak,
  kOverload,
  kCopyFlag,
  kEmpty
};
constexpr int kMutations = 10;

// Spoils the plan in one place; some mutants are still good plans, which is for the judges to say.
void mutate(Mutation mutation, const Problem& problem, LoosePlan& plan, Rng& rng) {
  std::vector<size_t> busy;
  for (size_t s = 0; s < plan.size(); ++s) {
    if (!plan[s].empty()) busy.push_back(s);
  }
  if (busy.empty()) return;
  const size_t s = busy[rng.below(busy.size())];
  const size_t other = busy[rng.below(busy.size())];
  const size_t t = rng.below(plan[s].size());
  LooseTransfer& victim = plan[s][t];
  const auto any_block = BlockId{static_cast<uint32_t>(rng.below(problem.collective().num_blocks() + 1))};
  const auto any_arc = ArcId{static_cast<uint32_t>(rng.below(problem.topology().num_arcs()))};
  switch (mutation) {
    case Mutation::kDrop:
      plan[s].erase(plan[s].begin() + static_cast<std::ptrdiff_t>(t));
      break;
    case Mutation::kDouble: {
      const LooseTransfer copy = victim;
      plan[rng.below(2) == 0 ? s : other].push_back(copy);
      break;
    }
    case Mutation::kSwap:
      std::swap(victim, plan[other][rng.below(plan[other].size())]);
      break;
    case Mutation::kReorder:
      std::swap(plan[s], plan[other]);
      break;
    case Mutation::kReroute:
      victim.path[rng.below(victim.path.size())] = any_arc;
      break;
    case Mutation::kRetarget:
      victim.blocks[rng.below(victim.blocks.size())] = any_block;
      break;
    case Mutation::kBreak:
      victim.path[rng.below(victim.path.size())] = kNoArc;
      break;
    case Mutation::kOverload:
      victim.blocks.push_back(any_block);
      break;
    case Mutation::kCopyFlag:
      victim.op = victim.op == TransferOp::kCopy ? TransferOp::kDefault : TransferOp::kCopy;
      break;
    case Mutation::kEmpty:
      (rng.below(2) == 0 ? victim.blocks.clear() : victim.path.clear());
      break;
  }
}

// Wrong whatever the plan was: no such path, nothing carried, or one transfer of a frugal plan too few or too
// many (but a router may receive a copy twice).
bool is_surely_wrong(Mutation mutation, const Problem& problem) {
  const Flow flow = problem.collective().flow();
  switch (mutation) {
    case Mutation::kBreak:
    case Mutation::kEmpty:
      return true;
    case Mutation::kDrop:
      return flow == Flow::kMove;
    case Mutation::kDouble:
      return flow == Flow::kMove || (flow == Flow::kCopy && !problem.topology().has_routers());
    default:
      return false;
  }
}

using Place = std::tuple<std::string, uint64_t, uint64_t>;

std::multiset<Place> places(const Verdict& verdict) {
  std::multiset<Place> out;
  for (const Finding& f : verdict.findings) out.emplace(f.rule, f.step, f.transfer);
  return out;
}

// Judges with one and with three threads and by the reference, and returns whether the plan passed.
bool judge_by_all(const Problem& problem, const Plan& plan, const std::string& what) {
  const Verdict slow = reference_verify(problem, plan);
  for (const unsigned threads : {1U, 3U}) {
    Judge judge(problem, {.max_findings = 100000, .threads = threads});
    plan.replay(judge);
    const Verdict fast = judge.finish();
    EXPECT_EQ(places(fast), places(slow)) << what << " with " << threads << " threads";
    EXPECT_EQ(fast.total_findings, slow.total_findings) << what;
    if (slow.passed()) {
      EXPECT_EQ(fast.figures, slow.figures) << what;
    }
  }
  return slow.passed();
}

// At most two ports, and no more than every net of so many nodes has links.
Model random_model(CollectiveKind kind, uint32_t nodes, Rng& rng) {
  const uint32_t ports = nodes > 2 ? 3 : 2;
  Model model;
  model.send = Ports{static_cast<uint32_t>(rng.below(ports))};
  model.receive = Ports{static_cast<uint32_t>(rng.below(ports))};
  model.switching = rng.below(3) == 0 ? Switching::kWormhole : Switching::kPacket;
  model.duplex = rng.below(4) == 0 ? Duplex::kHalf : Duplex::kFull;
  const bool moves = kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kScatter;
  if (moves && rng.below(3) == 0) model.routing = Routing::kShortest;
  return model;
}

TEST(Mutation, BothJudgesAgreeOnEveryMutantAndWrongOnesAreCaught) {
  std::map<std::string, int> caught;
  for (uint64_t seed = 0; seed < 160; ++seed) {
    Rng rng(seed);
    const CollectiveKind kind = kCollectiveKinds[seed % kCollectiveKinds.size()];
    const uint32_t nodes = 1 + static_cast<uint32_t>(rng.below(6));
    const bool routers = rng.below(3) == 0;
    const Topology net = random_topology(rng, nodes, routers);
    const auto root = net.endpoint(Rank{static_cast<uint32_t>(rng.below(net.num_endpoints()))});
    const uint32_t pieces = 1 + static_cast<uint32_t>(rng.below(2));
    const Problem problem = standard_problem(net, kind, random_model(kind, nodes, rng), root, pieces);
    const Plan good = random_plan(problem, rng);
    const std::string name = problem.title() + " seed " + std::to_string(seed);
    ASSERT_TRUE(judge_by_all(problem, good, name));
    if (good.num_transfers() == 0) continue;
    for (int m = 0; m < kMutations * 3; ++m) {
      LoosePlan loose = loosen(good);
      mutate(static_cast<Mutation>(m % kMutations), problem, loose, rng);
      const Plan mutant = tighten(loose);
      const bool passed = judge_by_all(problem, mutant, name + " mutant " + std::to_string(m));
      if (!passed) ++caught[std::to_string(m % kMutations)];
      if (is_surely_wrong(static_cast<Mutation>(m % kMutations), problem)) {
        EXPECT_FALSE(passed) << name;
      }
    }
  }
  EXPECT_EQ(caught.size(), size_t{kMutations}) << "every kind of mutation was caught somewhere";
}

}  // namespace
}  // namespace quadrille
