// Known numbers of the alltoall cards; that their plans are right is the conformance suite's business.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_product;
}  // namespace algorithms

namespace alltoall_test {

Model one_port() {
  Model model;
  model.send = kOnePort;
  model.receive = kOnePort;
  return model;
}

Problem alltoall(std::string_view spec, Model model = one_port()) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

TEST(AlltoallCayley, TakesTheStatusOfANode) {
  struct Known {
    std::string_view spec;
    uint64_t status;
  };
  for (const Known& known :
       {Known{"ring(7)", 12}, Known{"ring(8)", 16}, Known{"complete(6)", 5}, Known{"hypercube(4)", 32},
        Known{"torus(4,4)", 32}, Known{"torus(8,8)", 256}, Known{"torus(3,5)", 3 * 6 + 5 * 2}}) {
    const Problem problem = alltoall(known.spec);
    EXPECT_EQ(*algorithms::alltoall_cayley.plan_for(problem)->prediction().steps, known.status) << known.spec;
    EXPECT_EQ(judged_steps(algorithms::alltoall_cayley, problem), known.status) << known.spec;
    EXPECT_EQ(best_bound(problem).value, Rational(static_cast<int64_t>(known.status)))
        << "optimal on " << known.spec;
  }
}

// What is left out for what ports and links take at least takes no less.
TEST(AlltoallDirect, LeavesOutNoWormsThatTakeLess) {
  for (const char* spec : {"mesh(3,4)", "hypercube(3)", "complete(6)", "clos(4)", "gpu_box(2,4;2)"}) {
    for (const Switching switching : {Switching::kWormhole, Switching::kShared}) {
      for (const uint32_t ports : {0U, 1U, 2U}) {
        for (const uint32_t pieces : {1U, 2U, 3U}) {
          Model model;
          model.send.count = model.receive.count = ports;
          model.switching = switching;
          const Problem problem =
              standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
          const auto direct = [&] { return algorithms::alltoall_direct.plan_for(problem)->prediction(); };
          const Prediction taken = direct();
          ASSERT_TRUE(taken.steps && taken.critical_blocks) << spec;
          const auto time = static_cast<double>(*taken.steps + *taken.critical_blocks) + 0.5;
          const WorthMaking wanted(*taken.steps + 1, false, {.than = time, .of_start_up = 1, .of_round = 1});
          EXPECT_EQ(direct().steps, taken.steps) << spec << ", ports " << ports << ", pieces " << pieces;
        }
      }
    }
  }
}

// Pieces go their own ways over gpu_box, so each is a message of its own.
TEST(AlltoallLinear, HasAPortForEveryPiece) {
  Model model = one_port();
  model.switching = Switching::kShared;
  const auto fits = [&](uint32_t ports, uint32_t pieces) {
    model.send.count = model.receive.count = ports;
    const Problem asked =
        standard_problem(parse_topology("gpu_box(2,4;2)"), CollectiveKind::kAlltoall, model, kNoNode, pieces);
    const Preparation ready = prepare(*algorithm_catalog().find("alltoall_linear"), asked);
    if (!ready.fits.applies) return false;
    Judge judge(asked);
    ready.plans.front()->generate(judge);
    EXPECT_TRUE(judge.finish().passed()) << ports << " ports, " << pieces << " pieces";
    return true;
  };
  EXPECT_TRUE(fits(1, 1));
  EXPECT_FALSE(fits(2, 6));
  EXPECT_TRUE(fits(6, 6));
}

// Groups that are not abelian, and circulants: (q+1)(n-1-rho q), q = floor((n-1)/2rho), with jumps 1..rho.
TEST(AlltoallCayley, TakesTheStatusOnPermutationAndShuffleNetworksToo) {
  struct Known {
    std::string_view spec;
    uint64_t status;
  };
  for (const Known& known :
       {Known{"star(4)", 62}, Known{"pancake(4)", 60}, Known{"cube_connected_cycles(3)", 74},
        Known{"butterfly(3)", 55}, Known{"circulant(14;1,2)", 4 * (13 - 2 * 3)},
        Known{"extended_ring(11,3)", 2 * (10 - 3)}}) {
    const Problem problem = alltoall(known.spec);
    EXPECT_EQ(*algorithms::alltoall_cayley.plan_for(problem)->prediction().steps,
              status(problem.topology(), NodeId{0}))
        << known.spec;
    EXPECT_EQ(*algorithms::alltoall_cayley.plan_for(problem)->prediction().steps, known.status) << known.spec;
    EXPECT_EQ(judged_steps(algorithms::alltoall_cayley, problem), known.status) << known.spec;
  }
}

TEST(AlltoallCayley, MoreMessagesThanTheWindowHolds) {
  EXPECT_EQ(judged_steps(algorithms::alltoall_cayley, alltoall("ring(50)")), 625U);
}

TEST(AlltoallCayley, SaysWhyItDoesNotApply) {
  EXPECT_EQ(algorithms::alltoall_cayley.applies(alltoall("mesh(3,3)")).reason,
            "it needs a Cayley graph; no group is known for mesh(3,3)");
  Model model;
  model.duplex = Duplex::kHalf;
  EXPECT_EQ(algorithms::alltoall_cayley.applies(alltoall("torus(4,2)", model)).reason,
            "half duplex: generator (0,1) of torus(4,2) is its own inverse, so its links would be used both "
            "ways in one step");
  EXPECT_TRUE(algorithms::alltoall_cayley.applies(alltoall("torus(4,3)", model)).applies);
}

TEST(AlltoallProduct, AddsUpTheFactors) {
  EXPECT_EQ(judged_steps(algorithms::alltoall_product, alltoall("torus(4,4)")), 32U);
  EXPECT_EQ(judged_steps(algorithms::alltoall_product, alltoall("torus(3,4,2)")), 8U * 2 + 6U * 4 + 12U * 1);
  // A line has no group, but pairs of neighbours: n^2/2 - 1.
  const uint64_t line = 7;
  EXPECT_EQ(judged_steps(algorithms::alltoall_product, alltoall("product(line(4),complete(3))")),
            3 * line + 4 * 2);
}

TEST(AlltoallProduct, SaysWhyItDoesNotApply) {
  EXPECT_EQ(algorithms::alltoall_product.applies(alltoall("ring(4)")).reason,
            "it needs a product of graphs, such as a mesh, a torus or a hypercube; ring(4) is none");
}

TEST(AlltoallDirect, IsNotFarFromTheBoundOnFriendlyGraphs) {
  EXPECT_LE(judged_steps(algorithms::alltoall_direct, alltoall("complete(8)")), 12U);
  EXPECT_LE(judged_steps(algorithms::alltoall_direct, alltoall("torus(4,4)")), 48U);
  EXPECT_LE(judged_steps(algorithms::alltoall_direct, alltoall("line(9)", Model{})), 20U + 2U);
  Model worms;
  worms.switching = Switching::kWormhole;
  EXPECT_LE(judged_steps(algorithms::alltoall_direct, alltoall("torus(4,4)", worms)), 16U);
}

// Pieces of a block part ways where they may; where routing is shortest, or in order of dimensions, they keep to it.
TEST(AlltoallLinear, KeepsToTheRoutingAndTakesTheLinksOfNeighbours) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_linear");
  for (const auto& [spec, routing] :
       {std::pair("complete(5)", Routing::kShortest), std::pair("complete(5)", Routing::kAny),
        std::pair("torus(3,4)", Routing::kShortest), std::pair("mesh(3,3)", Routing::kDimensionOrder)}) {
    for (const uint32_t pieces : {1U, 2U, 5U}) {
      Model model;
      model.switching = Switching::kShared;
      model.routing = routing;
      const Problem problem =
          standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
      const PreparedPlan plan = card.plan_for(problem);
      Judge judge(problem);
      plan->generate(judge);
      const Verdict verdict = judge.finish();
      EXPECT_TRUE(verdict.passed()) << spec << ", " << pieces << " pieces";
      EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks);
      const bool are_neighbours = problem.topology().num_arcs() == 20;
      EXPECT_LE(verdict.figures.critical_blocks, are_neighbours ? pieces : UINT32_MAX) << spec;
    }
  }
}

// More pairs, or pieces, than ways are balanced for one by one: each pair has one, whatever it sends.
TEST(AlltoallLinear, ServesMoreThanSomeHundredRanks) {
  struct Known {
    const char* spec;
    uint32_t pieces;
    uint64_t rounds;  // the fewest that there are
    double within;
  };
  for (const Known& known : {Known{"torus(16,17)", 1, 576, 1.01}, Known{"hypercube(9)", 1, 256, 1.0},
                             Known{"clos(12)", 1, 431, 1.01}, Known{"mesh(3,3)", 1000, 6000, 1.0},
                             Known{"random_regular(300,4;1)", 2, 680, 1.02}}) {
    Model model;
    model.switching = Switching::kShared;
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather}) {
      const Algorithm& card = *algorithm_catalog().find(
          kind == CollectiveKind::kAlltoall ? "alltoall_linear" : "allgather_linear");
      const Problem problem =
          standard_problem(parse_topology(known.spec), kind, model, kNoNode, known.pieces);
      const PreparedPlan plan = card.plan_for(problem);
      Judge judge(problem);
      plan->generate(judge);
      const Verdict verdict = judge.finish();
      EXPECT_TRUE(verdict.passed()) << problem.title();
      EXPECT_EQ(verdict.figures.steps, 1U) << problem.title();
      EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks) << problem.title();
      EXPECT_EQ(verdict.figures.busiest_link, *plan->prediction().busiest_link) << problem.title();
      EXPECT_EQ(verdict.figures.further_messages, *plan->prediction().further_messages) << problem.title();
      EXPECT_GE(verdict.figures.critical_blocks, known.rounds) << problem.title();
      EXPECT_LE(static_cast<double>(verdict.figures.critical_blocks),
                known.within * static_cast<double>(known.rounds))
          << problem.title();
    }
  }
}

// Whether a rank has ports for one message or for several.
TEST(AlltoallBruck, TakesAStepForARoundWherePathsShareLinks) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_bruck");
  for (const char* spec :
       {"ring(9)", "torus(3,4)", "random_regular(20,3;1)", "dragonfly(2,4,2)", "mesh(1,2)"}) {
    Model model;
    model.switching = Switching::kShared;
    model.send = model.receive = kOnePort;
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
    const PreparedPlan plan = card.plan_for(problem);
    Judge judge(problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << spec;
    EXPECT_EQ(verdict.figures.steps, std::bit_width(problem.collective().num_ranks() - 1)) << spec;
    EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks) << spec;
  }
}

Problem over_shared_links(const char* spec, uint32_t ports, uint32_t pieces = 1) {
  Model model;
  model.switching = Switching::kShared;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

// Each judged, with what it predicts; by the names of the members.
std::map<std::string, Figures> members_of(const char* card, const Problem& problem) {
  std::map<std::string, Figures> out;
  const Preparation ready = prepare(*algorithm_catalog().find(card), problem);
  EXPECT_TRUE(ready.fits.applies) << problem.title() << ready.fits.reason;
  for (const PreparedPlan& plan : ready.plans) {
    Judge judge(problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << problem.title() << " " << plan->member();
    EXPECT_EQ(verdict.figures.start_ups, *plan->prediction().start_ups) << problem.title();
    EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks) << problem.title();
    out.emplace(plan->member(), verdict.figures);
  }
  return out;
}

// More start-ups, and fewer rounds; in random order on what does not look alike from all sides.
TEST(AlltoallBruck, HasMembersOfMoreStartUpsWithFewPorts) {
  for (const char* spec : {"random_regular(40,3;1)", "dragonfly(2,4,2)", "hypercube(5)"}) {
    const std::map<std::string, Figures> found = members_of("alltoall_bruck", over_shared_links(spec, 1));
    EXPECT_GE(found.size(), 3U) << spec;
    const uint64_t rounds = found.at("").critical_blocks;
    EXPECT_TRUE(std::ranges::any_of(found, [&](const auto& member) {
      return 10 * member.second.critical_blocks < 9 * rounds;
    })) << spec;
    const bool shuffles =
        std::ranges::any_of(found, [](const auto& member) { return member.first.ends_with("-shuffled"); });
    EXPECT_EQ(shuffles, std::string_view(spec) != "hypercube(5)") << spec;
  }
}

// Hardly more steps than there are others, where links have room; with less room fewer messages in a row.
TEST(AlltoallScheduled, UsesPortsAndSharesLinksEvenly) {
  for (const auto& [spec, ports, pieces] : {std::tuple("line(3)", 1U, 1U),
                                            {"ring(9)", 1U, 1U},
                                            {"mesh(4,5)", 2U, 3U},
                                            {"circulant(12;1,2)", 3U, 1U},
                                            {"random_regular(40,3;1)", 1U, 1U},
                                            {"edges(\"0 1 3, 1 2, 2 3 2, 3 0, 1 4\")", 1U, 2U},
                                            {"tree(3,3)", 1U, 1U},
                                            {"random_regular(140,3;1)", 1U, 1U}}) {
    const Problem problem = over_shared_links(spec, ports, pieces);
    const uint64_t others = problem.collective().num_ranks() - 1;
    const std::map<std::string, Figures> found = members_of("alltoall_scheduled", problem);
    EXPECT_GE(found.size(), 3U) << spec;
    uint64_t fewest = UINT64_MAX;
    for (const auto& [name, figures] : found) {
      EXPECT_GE(figures.steps, (others + ports - 1) / ports) << spec << " " << name;
      EXPECT_LE(figures.critical_blocks, std::stoul(name) * pieces * figures.steps) << spec << " " << name;
      fewest = std::min(fewest, figures.steps);
    }
    EXPECT_LE(fewest * ports, others + others / 3 + ports) << spec;
  }
}

TEST(AlltoallScheduled, IsForFewPortsAndSharedLinks) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_scheduled");
  EXPECT_FALSE(prepare(card, over_shared_links("ring(5)", 0)).fits.applies);
  EXPECT_FALSE(prepare(card, over_shared_links("line(2)", 1)).fits.applies);
  EXPECT_FALSE(prepare(card, over_shared_links("complete(5)", 4)).fits.applies);
  EXPECT_FALSE(prepare(card, over_shared_links("ring(1025)", 1)).fits.applies);
  EXPECT_FALSE(prepare(card, alltoall("ring(5)", one_port())).fits.applies);
}

TEST(AlltoallDirect, ServesATreeOfRouters) {
  const Problem problem = alltoall("fat_tree(2^3;exponential)", Model{});
  const uint64_t steps = judged_steps(algorithms::alltoall_direct, problem);
  EXPECT_GE(static_cast<int64_t>(steps), best_bound(problem).value.ceil());
  EXPECT_LE(steps, 20U);
}

}  // namespace alltoall_test
}  // namespace quadrille
