// Cards that count alone: what they predict where blocks have no ids is what they predict where they have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/products/outline.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace counts_alone_test {

constexpr std::array<std::string_view, 14> kNetworks = {"ring(5)",
                                                        "ring(8)",
                                                        "line(6)",
                                                        "torus(4,4)",
                                                        "torus(8,8)",
                                                        "torus(6,10)",
                                                        "torus(8,8,8)",
                                                        "mesh(4,6)",
                                                        "mesh(5,5)",
                                                        "mesh(4,4,6)",
                                                        "hypercube(4)",
                                                        "complete(7)",
                                                        "generalized_hypercube(3,4)",
                                                        "torus(5,7)"};

std::vector<Model> models() {
  Model worms = ports(1);
  worms.switching = Switching::kWormhole;
  return {ports(0), ports(1), worms};
}

bool same(const Prediction& a, const Prediction& b) {
  return a.steps == b.steps && a.start_ups == b.start_ups && a.busiest_link == b.busiest_link &&
         a.critical_blocks == b.critical_blocks && a.rearranged == b.rearranged;
}

TEST(CountsAlone, predictions_do_not_depend_on_ids) {
  uint64_t compared = 0;
  for (const std::string_view spec : kNetworks) {
    const Topology net = parse_topology(spec);
    for (const Model& model : models()) {
      for (const Algorithm* card : algorithm_catalog()) {
        if (!card->counts_alone) continue;
        const Problem numbered = standard_problem(net, card->collective, model);
        const Problem counted = problem_for_figures(net, card->collective, model);
        const Preparation with_ids = prepare(*card, numbered);
        const Preparation without = prepare(*card, counted);
        ASSERT_EQ(with_ids.fits.applies, without.fits.applies) << card->name << " on " << spec;
        ASSERT_EQ(with_ids.plans.size(), without.plans.size()) << card->name << " on " << spec;
        for (size_t i = 0; i < without.plans.size(); ++i) {
          EXPECT_TRUE(same(with_ids.plans[i]->prediction(), without.plans[i]->prediction()))
              << card->name << " on " << spec;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

// Of a network in outline, too, whether cards predict or say why not.
TEST(CountsAlone, predictions_do_not_need_links) {
  uint64_t compared = 0;
  std::set<std::string_view> predicting;
  for (const std::string_view spec :
       {"torus(4,4)", "torus(5,7)", "torus(3,4,5)", "mesh(3,5)", "mesh(4,6)", "mesh(2,3,4)", "hypercube(4)",
        "generalized_hypercube(3,4)", "product(ring(5),line(3))", "product(complete(4),line(2),ring(3))"}) {
    const Topology net = parse_topology(spec);
    const Topology outline = product_outline(std::string(spec), net.product()->factors);
    for (const Model& model : models()) {
      for (const Algorithm* card : algorithm_catalog()) {
        if (!card->counts_alone) continue;
        for (const uint32_t pieces : {1U, 3U}) {
          const Preparation without =
              prepare(*card, problem_for_figures(outline, card->collective, model, kNoNode, pieces));
          if (!without.fits.applies) continue;
          const Preparation with =
              prepare(*card, problem_for_figures(net, card->collective, model, kNoNode, pieces));
          ASSERT_EQ(with.plans.size(), without.plans.size()) << card->name << " on " << spec;
          for (size_t i = 0; i < without.plans.size(); ++i) {
            EXPECT_TRUE(same(with.plans[i]->prediction(), without.plans[i]->prediction()))
                << card->name << " on " << spec << ", " << pieces << " pieces";
            ++compared;
          }
          predicting.insert(card->name);
        }
      }
    }
  }
  EXPECT_GT(compared, 300U);
  EXPECT_THAT(predicting, ::testing::IsSupersetOf({"allgather_ring", "allreduce_factors",
                                                   "broadcast_product_tree", "gather_product_tree",
                                                   "reduce_product_tree", "scatter_product_tree"}));
}

TEST(CountsAlone, others_refuse_where_blocks_have_no_ids) {
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->counts_alone || card->collective != CollectiveKind::kAlltoall) continue;
    const Problem counted = problem_for_figures(parse_topology("torus(4,4)"), card->collective, ports(1));
    EXPECT_THAT(prepare(*card, counted).fits.reason, ::testing::HasSubstr("takes a number for every block"))
        << card->name;
  }
}

TEST(CountsAlone, closed_forms_answer_at_any_size) {
  const auto predicted = [](std::string_view card, std::string_view spec) {
    Model worms = ports(1);
    worms.switching = Switching::kWormhole;
    return algorithm_catalog()
        .find(card)
        ->plan_for(problem_for_figures(parse_topology(spec), CollectiveKind::kAlltoall, worms))
        ->prediction();
  };
  // Table 3 at d = 8 and table 4 at d = 6.
  EXPECT_EQ(predicted("alltoall_wormhole_t4", "torus(256,256)").critical_blocks, 2874368U);
  EXPECT_EQ(predicted("alltoall_wormhole_dp2d", "torus(256,256)").critical_blocks, 4259840U);
  EXPECT_EQ(predicted("alltoall_wormhole_c64", "torus(64,64,64)").critical_blocks, 4128768U);
  EXPECT_EQ(predicted("alltoall_wormhole_dp3d", "torus(64,64,64)").critical_blocks, 4849664U);
  EXPECT_EQ(predicted("alltoall_mesh", "mesh(256,256)").critical_blocks, 256U * 256 * 256 / 2);
}

}  // namespace counts_alone_test
}  // namespace quadrille
