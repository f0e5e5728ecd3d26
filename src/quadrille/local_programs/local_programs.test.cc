// Every local program, run in lockstep, sends in every step what the judged plan of its algorithm sends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "quadrille/local/lockstep.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace local_programs_test {

// The transfers of a step as a set: each its arcs, and its blocks in any order.
using Transfers = std::vector<std::pair<std::vector<ArcId>, std::vector<BlockId>>>;

Transfers transfers(const StepView& step) {
  Transfers out;
  for (size_t t = 0; t < step.size(); ++t) {
    out.emplace_back(std::vector<ArcId>(step.arcs(t).begin(), step.arcs(t).end()),
                     std::vector<BlockId>(step.blocks(t).begin(), step.blocks(t).end()));
    std::sort(out.back().second.begin(), out.back().second.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string first_difference(const Problem& problem, const Plan& central, const Plan& local) {
  const auto text = [&](const Transfers& all) {
    std::string out;
    for (const auto& [arcs, blocks] : all) {
      out += fmt::format(" {}>{}:", problem.topology().label(problem.topology().tail(arcs.front())),
                         problem.topology().label(problem.topology().head(arcs.back())));
      for (const BlockId block : blocks) out += " " + problem.block_label(block);
    }
    return out;
  };
  for (size_t s = 0; s < std::max(central.num_steps(), local.num_steps()); ++s) {
    const Transfers a = s < central.num_steps() ? transfers(central.step(s)) : Transfers{};
    const Transfers b = s < local.num_steps() ? transfers(local.step(s)) : Transfers{};
    if (a == b && s < central.num_steps() && s < local.num_steps()) continue;
    Transfers missing;
    Transfers more;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(missing));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(more));
    return fmt::format("step {} of {} (local {}): not sent:{}\nsent instead:{}", s + 1, central.num_steps(),
                       local.num_steps(), text(missing), text(more));
  }
  return "";
}

struct Row {
  std::string program;
  std::string network;
  Model model = {};
  NodeId root = kNoNode;
  uint32_t pieces = 1;
};

void expect_same(const Row& row) {
  SCOPED_TRACE(fmt::format("{} on {}, {} pieces", row.program, row.network, row.pieces));
  const LocalProgram* program = local_program_catalog().find(row.program);
  const Algorithm* card = algorithm_catalog().find(row.program);
  ASSERT_NE(program, nullptr);
  const Problem problem =
      standard_problem(parse_topology(row.network), card->collective, row.model, row.root, row.pieces);
  const Applicability fits = serves(*program, problem);
  ASSERT_TRUE(fits.applies) << fits.reason;
  Plan central;
  card->plan_for(problem)->generate(central);
  Plan local;
  ASSERT_NO_THROW(static_cast<void>(run_in_lockstep(*program, problem, local)));
  EXPECT_EQ(first_difference(problem, central, local), "");
  const Verification judged = verify(problem, std::move(local));
  EXPECT_TRUE(judged.schedule.has_value());
}

const Model kWorms = {.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};

TEST(LocalPrograms, ExtendedRingBroadcastByWeights) {
  for (const char* network :
       {"ring(1)", "ring(2)", "ring(3)", "ring(8)", "extended_ring(6,2)", "extended_ring(14,2)",
        "extended_ring(9,3)", "extended_ring(13,4)", "complete(7)"}) {
    for (const uint32_t p : {0U, 1U, 3U}) {
      for (const uint32_t pieces : {1U, 4U}) {
        const Topology net = parse_topology(network);
        uint32_t most = 1;
        for (const NodeId v : net.nodes()) most = std::max(most, net.out_degree(v));
        if (p > most) continue;
        expect_same({"broadcast_extended_ring", network, ports(p), NodeId{net.num_nodes() / 3}, pieces});
      }
    }
  }
}

TEST(LocalPrograms, FurthestFirstOnLines) {
  for (const char* network : {"line(1)", "line(2)", "line(3)", "line(6)", "line(9)", "tree(1,1,1)"}) {
    for (const uint32_t pieces : {1U, 3U}) expect_same({"alltoall_line", network, {}, kNoNode, pieces});
  }
}

TEST(LocalPrograms, TwoQueuesOnRings) {
  for (const char* network :
       {"ring(3)", "ring(4)", "ring(5)", "ring(6)", "ring(11)", "ring(16)", "circulant(7;2)"}) {
    for (const uint32_t pieces : {1U, 2U, 3U}) expect_same({"alltoall_ring", network, {}, kNoNode, pieces});
  }
}

TEST(LocalPrograms, NodeInvariantQueues) {
  for (const char* program :
       {"alltoall_cayley", "alltoall_cayley_closest_first", "alltoall_cayley_furthest_first"}) {
    for (const char* network : {"ring(1)", "ring(2)", "ring(7)", "torus(4,4)", "torus(3,5)", "complete(6)",
                                "star(4)", "cube_connected_cycles(3)", "hypercube(4)"}) {
      for (const uint32_t pieces : {1U, 2U}) expect_same({program, network, ports(1), kNoNode, pieces});
    }
  }
}

TEST(LocalPrograms, HypercubeQueuesWithoutATable) {
  for (const char* network : {"hypercube(1)", "hypercube(2)", "hypercube(5)"}) {
    for (const uint32_t pieces : {1U, 2U})
      expect_same({"alltoall_hypercube", network, ports(1), kNoNode, pieces});
  }
}

TEST(LocalPrograms, ProductsDimensionByDimension) {
  for (const char* network :
       {"torus(3,3)", "mesh(3,4)", "torus(4,4)", "mesh(2,3,2)", "product(star(3),line(3))",
        "generalized_hypercube(3,4)", "mesh(1,5)", "hypercube(3)"}) {
    for (const uint32_t pieces : {1U, 2U}) {
      for (const uint32_t p : {0U, 1U}) {
        const std::string name = network;
        if (p == 0 && name == "hypercube(3)") continue;
        expect_same({"alltoall_product", name, ports(p), kNoNode, pieces});
      }
    }
  }
}

TEST(LocalPrograms, ProductsByTransfersAndExchanges) {
  for (const char* program : {"alltoall_product_a1", "alltoall_product_a1_parallel"}) {
    for (const char* network : {"mesh(2,2)", "torus(3,3)", "mesh(3,4)", "mesh(4,1)", "mesh(1,4)",
                                "mesh(2,3,2)", "product(star(3),ring(4))"}) {
      for (const uint32_t pieces : {1U, 2U}) expect_same({program, network, ports(1), kNoNode, pieces});
    }
  }
}

TEST(LocalPrograms, PowersInBothHalvesAtOnce) {
  for (const char* network : {"mesh(2,2)", "torus(3,3)", "mesh(4,4)", "torus(5,5)", "hypercube(4)",
                              "mesh(3,1,3)", "torus(3,3,3,3)", "generalized_hypercube(4,4)"}) {
    for (const uint32_t pieces : {1U, 2U}) {
      if (pieces > 1 && std::string(network) == "torus(3,3,3,3)") continue;
      expect_same({"alltoall_product_a3", network, {}, kNoNode, pieces});
    }
  }
}

TEST(LocalPrograms, FatTreeRouters) {
  for (const char* network :
       {"fat_tree(2^1)", "fat_tree(2^2)", "fat_tree(2^3)", "fat_tree(2^4)", "fat_tree(3^2)", "fat_tree(3^3)",
        "fat_tree(4^2)", "fat_tree(5^1)", "fat_tree(2,3,2)"}) {
    const Topology net = parse_topology(network);
    for (const uint32_t send : {0U, 1U, 2U}) {
      for (const uint32_t root : {0U, net.num_endpoints() - 1})
        expect_same({"broadcast_fat_tree", network, ports(send, 0), NodeId{root}});
    }
    expect_same({"alltoall_fat_tree_queues", network, ports(1, 0)});
    expect_same({"allgather_fat_tree_queues", network, ports(1, 0)});
    expect_same({"allgather_fat_tree_one_buffer", network, {}});
  }
}

TEST(LocalPrograms, SendAndReceiveOnTheGatherScatterTree) {
  for (const char* network :
       {"ring(2)", "ring(3)", "ring(4)", "ring(5)", "ring(6)", "ring(7)", "ring(8)", "ring(9)", "ring(14)",
        "ring(15)", "ring(16)", "ring(30)", "ring(32)", "torus(8,8)", "torus(4,4)", "torus(5,6)",
        "torus(2,9)", "torus(3,4,5)", "hypercube(4)"}) {
    for (const uint32_t pieces : {1U, 2U}) {
      if (pieces == 2 && std::string(network) == "torus(8,8)") continue;
      expect_same({"alltoall_wormhole_t1", network, kWorms, kNoNode, pieces});
    }
  }
}

TEST(LocalPrograms, StagesOfTheSpansByAddressAlone) {
  for (const char* network :
       {"ring(2)", "ring(3)", "ring(4)", "ring(10)", "torus(2,2)", "torus(3,3)", "torus(4,4)", "torus(5,5)",
        "torus(6,6)", "torus(8,8)", "torus(13,13)", "torus(26,26)", "torus(3,3,3)", "torus(4,4,4)",
        "torus(7,7,7)", "torus(8,8,8)", "torus(4,4,4,4)", "hypercube(3)"}) {
    const uint32_t n = parse_topology(network).num_nodes();
    for (const uint32_t root : {0U, n / 2 + 1 < n ? n / 2 + 1 : 0U})
      expect_same(
          {"broadcast_spans", network, {.switching = Switching::kWormhole}, NodeId{root}, 1 + root % 2});
  }
}

TEST(LocalPrograms, AreNamedLikeAlgorithmsAndSayWhatTheyKnow) {
  for (const LocalProgram* program : local_program_catalog()) {
    EXPECT_NE(algorithm_catalog().find(program->name), nullptr) << program->name;
    EXPECT_FALSE(program->rule.empty()) << program->name;
    EXPECT_FALSE(program->knows.empty()) << program->name;
  }
}

TEST(LocalPrograms, SayWhichConditionFails) {
  const LocalProgram& program = *local_program_catalog().find("alltoall_line");
  const Applicability fits =
      serves(program, standard_problem(parse_topology("ring(5)"), CollectiveKind::kAlltoall));
  EXPECT_FALSE(fits.applies);
  EXPECT_EQ(fits.reason, "it needs a linear array; ring(5) is none");
}

}  // namespace local_programs_test
}  // namespace quadrille
