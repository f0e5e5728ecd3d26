// Packets between ranks that are no neighbours, on the way of which others are.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace forwarded_packets_test {

constexpr std::string_view kTextbook[] = {
    "allgather_bruck",          "allgather_circulant",     "allgather_pat",         "allgather_trivance",
    "allreduce_binomial",       "allreduce_bruck",         "allreduce_double_tree", "allreduce_pat",
    "allreduce_rabenseifner",   "allreduce_trivance",      "broadcast_binomial",    "broadcast_circulant",
    "broadcast_double_tree",    "broadcast_van_de_geijn",  "gather_binomial",       "gather_knomial",
    "reduce_binomial",          "reduce_circulant",        "reduce_double_tree",    "reduce_rabenseifner",
    "reduce_scatter_circulant", "reduce_scatter_trivance", "scatter_binomial",      "scatter_knomial",
};

Figures judged(const Algorithm& card, const Problem& problem) {
  Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) {
    ADD_FAILURE() << card.name << ": " << ready.fits.reason;
    return {};
  }
  Judge judge(problem);
  ready.plans.front()->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << " on " << problem.topology().name() << ": "
                                << to_text(verdict.findings.front());
  return verdict.figures;
}

uint32_t pieces_of(CollectiveKind kind) { return kind == CollectiveKind::kAllreduce ? 7 : 2; }

TEST(ForwardedPackets, CarryTheTextbookOnAnyNetwork) {
  for (const std::string_view spec :
       {"ring(2)", "ring(7)", "mesh(3,3)", "random_regular(10,3;1)", "star(4)", "clos(4)", "kautz(2,2)"}) {
    for (const std::string_view name : kTextbook) {
      const Algorithm& card = *algorithm_catalog().find(name);
      for (const bool many : {false, true}) {
        Model model = ports(many ? 0 : 1);
        if (many) model.packets = Packets::kMany;
        static_cast<void>(judged(card, standard_problem(parse_topology(spec), card.collective, model, kNoNode,
                                                        pieces_of(card.collective))));
      }
    }
  }
}

TEST(ForwardedPackets, KeepWhatComesByForThemselves) {
  for (const std::string_view spec : {"mesh(3,4)", "torus(4,4)", "random_regular(14,3;1)"}) {
    for (const std::string_view name : {"allgather_bruck", "allgather_trivance", "broadcast_circulant",
                                        "reduce_double_tree", "reduce_scatter_circulant"}) {
      const Algorithm& card = *algorithm_catalog().find(name);
      const Problem problem = standard_problem(parse_topology(spec), card.collective, ports(0), kNoNode, 3);
      const uint64_t others = problem.collective().num_ranks() - 1;
      EXPECT_EQ(judged(card, problem).transfers, others * problem.collective().num_blocks())
          << name << " on " << spec << ": nobody hears of a block twice";
    }
  }
}

TEST(ForwardedPackets, HaveOneDirectionInHalfDuplex) {
  Model model = ports(0);
  model.duplex = Duplex::kHalf;
  for (const std::string_view name : {"allgather_bruck", "allreduce_trivance", "gather_binomial"}) {
    const Algorithm& card = *algorithm_catalog().find(name);
    EXPECT_GT(judged(card, standard_problem(parse_topology("mesh(3,4)"), card.collective, model)).steps, 0U);
  }
}

// A gather is the reverse of a scatter, and so is its plan: no block comes by where it was, or leaves where it belongs.
TEST(ForwardedPackets, SendNoBlockInACircle) {
  for (const std::string_view spec : {"mesh(3,5)", "tree(2,2,2)", "random_regular(18,4;1)", "kautz(2,3)"}) {
    for (const std::string_view name :
         {"gather_knomial", "gather_binomial", "scatter_knomial", "scatter_binomial"}) {
      for (const bool many : {false, true}) {
        const Algorithm& card = *algorithm_catalog().find(name);
        Model model;
        if (many) model.packets = Packets::kMany;
        const Topology net = parse_topology(spec);
        const Problem problem = standard_problem(net, card.collective, model, net.endpoints()[3], 2);
        Plan plan;
        card.plan_for(problem)->generate(plan);
        const Verdict back = verify(reversed(problem), reverse(problem, plan)).verdict;
        EXPECT_TRUE(back.passed()) << name << " on " << spec << ": " << to_text(back.findings.front());
      }
    }
  }
}

}  // namespace forwarded_packets_test
}  // namespace quadrille
