// What goes wrong in plans of many pieces, each done to a plan of the house on purpose: both judges name the rule. Single
// transfers like these are in testdata/bad_plans; here they hide among hundreds.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/mutants.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_dimensions;
extern const Algorithm allreduce_dimensions;
extern const Algorithm allreduce_windows;
extern const Algorithm broadcast_disjoint_trees;
extern const Algorithm reduce_in_order_binomial;
}  // namespace algorithms

namespace spoilt_chunks_test {

using testing::LoosePlan;
using testing::LooseTransfer;

Problem problem_of(CollectiveKind kind, std::string_view spec, uint32_t pieces, Model model = {}) {
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

Model many_packets() {
  Model model;
  model.packets = Packets::kMany;
  return model;
}

// A plan of the card that both judges pass.
LoosePlan good_plan(const Algorithm& card, const Problem& problem) {
  const Preparation ready = prepare(card, problem);
  EXPECT_TRUE(ready.fits.applies) << ready.fits.reason;
  Plan plan;
  if (ready.fits.applies) cheapest(ready.plans)->generate(plan);
  EXPECT_TRUE(verify(problem, plan).verdict.passed()) << card.name;
  EXPECT_TRUE(reference_verify(problem, plan).passed()) << card.name;
  return testing::loosen(plan);
}

// The rules that are broken, on which both judges agree.
std::set<std::string_view> broken_rules(const Problem& problem, const LoosePlan& loose) {
  const Plan plan = testing::tighten(loose);
  const Verdict fast = verify(problem, plan, {.max_findings = 100000}).verdict;
  const Verdict slow = reference_verify(problem, plan);
  EXPECT_EQ(fast.total_findings, slow.total_findings);
  std::set<std::string_view> out;
  for (const Finding& finding : fast.findings) out.insert(finding.rule);
  std::set<std::string_view> by_reference;
  for (const Finding& finding : slow.findings) by_reference.insert(finding.rule);
  EXPECT_EQ(out, by_reference);
  return out;
}

using Rules = std::set<std::string_view>;

TEST(SpoiltChunks, ALastBatchThatTakesALinkOfATreeAStepEarlyMeetsAnotherThere) {
  const Problem problem = problem_of(CollectiveKind::kBroadcast, "torus(4,4)", 16);
  const LoosePlan good = good_plan(algorithms::broadcast_disjoint_trees, problem);
  size_t tried = 0;
  for (size_t s = good.size() - 2; s < good.size(); ++s) {
    for (size_t t = 0; t < good[s].size(); ++t) {
      const bool busy = std::ranges::any_of(
          good[s - 1], [&](const LooseTransfer& other) { return other.path == good[s][t].path; });
      if (!busy) continue;
      LoosePlan bad = good;
      bad[s - 1].push_back(bad[s][t]);
      bad[s].erase(bad[s].begin() + static_cast<ptrdiff_t>(t));
      EXPECT_TRUE(broken_rules(problem, bad).contains("link_capacity")) << "step " << s << ", transfer " << t;
      ++tried;
    }
  }
  EXPECT_GT(tried, 20U);
}

TEST(SpoiltChunks, ACopyOfAnIncompleteSumIsSeenInTheEnd) {
  const Problem problem = problem_of(CollectiveKind::kAllreduce, "torus(4,4)", 64, many_packets());
  const LoosePlan good = good_plan(algorithms::allreduce_dimensions, problem);
  // The first results go out before the last sums have come in.
  const auto is_copy = [](const LooseTransfer& t) { return t.op == TransferOp::kCopy; };
  const auto first =
      std::ranges::find_if(good, [&](const auto& step) { return std::ranges::any_of(step, is_copy); });
  ASSERT_NE(first, good.end());
  const auto at = first - good.begin();
  ASSERT_GT(at, 0);
  LoosePlan bad = good;
  std::swap(bad[static_cast<size_t>(at)], bad[static_cast<size_t>(at) - 1]);
  EXPECT_TRUE(broken_rules(problem, bad).contains("delivered"));
  // A sum that replaces what it should be added to.
  size_t tried = 0;
  for (size_t t = 0; t < good.front().size(); t += 7, ++tried) {
    bad = good;
    bad.front()[t].op = TransferOp::kCopy;
    EXPECT_FALSE(broken_rules(problem, bad).empty()) << "transfer " << t;
  }
  EXPECT_GT(tried, 4U);
}

TEST(SpoiltChunks, WindowsThatOverlapByOneRankCountItTwice) {
  Model one_port;
  one_port.send = one_port.receive = Ports{1};
  for (const char* spec : {"complete(6)", "complete(7)", "complete(13)"}) {
    const Problem problem = problem_of(CollectiveKind::kAllreduce, spec, 1, one_port);
    const Topology& net = problem.topology();
    LoosePlan bad = good_plan(algorithms::allreduce_windows, problem);
    for (LooseTransfer& sent : bad.back()) {
      const NodeId from = net.tail(sent.path.front());
      const uint32_t n = net.num_nodes();
      const NodeId nearer{static_cast<uint32_t>((index(net.head(sent.path.back())) + n - 1) % n)};
      const NodeId further{static_cast<uint32_t>((index(net.head(sent.path.back())) + 1) % n)};
      sent.path = {net.find_arc(from, nearer == from ? further : nearer).value()};
    }
    EXPECT_TRUE(broken_rules(problem, bad).contains("contributions")) << spec;
  }
}

TEST(SpoiltChunks, AHalfOfTheAntipodeThatIsLeftOutIsMissedThere) {
  const Problem problem = problem_of(CollectiveKind::kAllgather, "torus(4,4)", 4, many_packets());
  const Topology& net = problem.topology();
  const LoosePlan good = good_plan(algorithms::allgather_dimensions, problem);
  // The node opposite to the first passes nothing of it on.
  const NodeId antipode{10};
  size_t dropped = 0;
  for (size_t s = 0; s < good.size(); ++s) {
    for (size_t t = 0; t < good[s].size(); ++t) {
      if (net.head(good[s][t].path.back()) != antipode) continue;
      for (size_t i = 0; i < good[s][t].blocks.size(); ++i) {
        if (index(good[s][t].blocks[i]) >= 4) continue;  // the pieces of the first node
        LoosePlan bad = good;
        auto& blocks = bad[s][t].blocks;
        blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(i));
        if (blocks.empty()) bad[s].erase(bad[s].begin() + static_cast<ptrdiff_t>(t));
        EXPECT_EQ(broken_rules(problem, bad), Rules{"delivered"}) << "piece " << i;
        ++dropped;
      }
    }
  }
  EXPECT_EQ(dropped, 4U);
}

TEST(SpoiltChunks, RanksThatChangePlacesInAnOrderedPlanAreOutOfOrder) {
  Model ordered;
  ordered.combining = Operator::kOrdered;
  ordered.send = ordered.receive = Ports{1};
  for (const char* spec : {"complete(8)", "complete(11)"}) {
    const Problem problem = problem_of(CollectiveKind::kReduce, spec, 3, ordered);
    const Topology& net = problem.topology();
    const LoosePlan good = good_plan(algorithms::reduce_in_order_binomial, problem);
    const auto swapped = [&](uint32_t a, uint32_t b) {
      const auto place = [&](NodeId node) {
        return index(node) == a ? NodeId{b} : index(node) == b ? NodeId{a} : node;
      };
      LoosePlan out = good;
      for (auto& step : out) {
        for (LooseTransfer& sent : step) {
          for (ArcId& arc : sent.path) arc = net.find_arc(place(net.tail(arc)), place(net.head(arc))).value();
        }
      }
      return out;
    };
    size_t wrong = 0;
    for (uint32_t a = 1; a < net.num_nodes(); ++a) {
      for (uint32_t b = a + 1; b < net.num_nodes(); ++b) {
        const LoosePlan bad = swapped(a, b);
        const Rules rules = broken_rules(problem, bad);
        // Two leaves of one parent may change places in time, never in rank.
        if (!rules.empty()) {
          EXPECT_TRUE(rules.contains("ranks_in_order")) << a << " and " << b;
        }
        wrong += rules.empty() ? 0U : 1U;
        // Whoever adds in any order may do so.
        Model any_order = ordered;
        any_order.combining = Operator::kCommutative;
        const Problem commutative = problem_of(CollectiveKind::kReduce, spec, 3, any_order);
        EXPECT_TRUE(broken_rules(commutative, bad).empty()) << a << " and " << b;
      }
    }
    EXPECT_GT(wrong, 0U) << spec;
  }
}

}  // namespace spoilt_chunks_test
}  // namespace quadrille
