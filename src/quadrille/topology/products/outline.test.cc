// An outline says what the listed network says, as far as it says something; and refuses what it has not.
#include "quadrille/topology/products/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/queries/node_names.h"
#include "quadrille/topology/queries/product_distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace outline_test {

using ::testing::HasSubstr;

constexpr std::string_view kNetworks[] = {"torus(4,4)",
                                          "torus(5,3,4)",
                                          "torus(8,8)",
                                          "torus(1,6,5)",
                                          "k_ary_n_cube(4,3)",
                                          "mesh(3,4)",
                                          "mesh(4,5,2)",
                                          "mesh(6,6)",
                                          "hypercube(4)",
                                          "generalized_hypercube(4,3)",
                                          "product(torus(3,4),line(3),complete(3))",
                                          "product(tree(2,2),ring(4))",
                                          "product(star(3),generalized_petersen(5,2))"};

Topology outlined(std::string_view spec) { return *topology_outline(parse_spec(spec, "test")); }

std::vector<Model> models() {
  std::vector<Model> out;
  for (const Ports allowed : {kAllPorts, kOnePort, Ports{2}}) {
    for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared})
      out.push_back({.send = allowed, .receive = allowed, .switching = switching});
  }
  out.push_back({.duplex = Duplex::kHalf});
  out.push_back({.packets = Packets::kMany});
  out.push_back({.switching = Switching::kWormhole, .routing = Routing::kDimensionOrder});
  return out;
}

TEST(Outline, CountsWhatIsNotListed) {
  for (const std::string_view spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const Topology outline = outlined(spec);
    EXPECT_TRUE(outline.is_outline()) << spec;
    EXPECT_EQ(outline.name(), net.name());
    EXPECT_EQ(outline.num_nodes(), net.num_nodes()) << spec;
    EXPECT_EQ(outline.num_endpoints(), net.num_nodes()) << spec;
    EXPECT_EQ(arc_count(outline), net.num_arcs()) << spec;
    EXPECT_EQ(has_wide_arcs(outline), has_wide_arcs(net)) << spec;
    EXPECT_EQ(most_neighbours(outline), most_neighbours(net)) << spec;
    EXPECT_EQ(most_links_out(outline), most_links_out(net)) << spec;
    EXPECT_EQ(most_links_in(outline), most_links_in(net)) << spec;
    const std::vector<NodeKind> each = each_node(net);
    uint64_t counted = 0;
    for (const NodeKind& kind : node_kinds(outline)) {
      counted += kind.count;
      for (const NodeId v : {kind.first, kind.last}) {
        EXPECT_EQ(kind.out, each[index(v)].out) << spec;
        EXPECT_EQ(kind.both, each[index(v)].both) << spec;
      }
    }
    EXPECT_EQ(counted, net.num_nodes()) << spec;
    for (const NodeId v : net.nodes()) {
      EXPECT_EQ(outline.label(v), net.label(v)) << spec;
      EXPECT_EQ(find_node(outline, net.label(v), "--root"), v) << spec;
      EXPECT_EQ(kind_of(outline, v).out, each[index(v)].out) << spec;
      const std::vector<uint32_t> hops = distances_from(net, v);
      const ProductDistances all = product_distances(outline, v);
      EXPECT_EQ(all.farthest, NodeId{static_cast<uint32_t>(std::ranges::max_element(hops) - hops.begin())})
          << spec;
      std::vector<uint64_t> at(all.nodes_at.size(), 0);
      for (const uint32_t h : hops) ++at.at(h);
      EXPECT_EQ(all.nodes_at, at) << spec;
    }
  }
}

TEST(Outline, RefusesWhatIsNotListed) {
  const Topology outline = outlined("torus(4,4)");
  for (const std::string& error :
       {error_of([&] { static_cast<void>(outline.num_arcs()); }),
        error_of([&] { static_cast<void>(outline.arcs_from(NodeId{3})); }),
        error_of([&] { static_cast<void>(outline.find_arc(NodeId{0}, NodeId{1})); }),
        error_of([&] { static_cast<void>(outline.heads()); }),
        error_of([&] { static_cast<void>(outline.endpoints()); })}) {
    EXPECT_THAT(error, HasSubstr("torus(4,4) is known in outline alone"));
  }
  EXPECT_THAT(error_of([&] { static_cast<void>(outline.cayley()->arc(NodeId{0}, 1)); }),
              HasSubstr("are not listed"));
  EXPECT_THAT(error_of([&] { static_cast<void>(find_node(outline, "(1,9)", "--root")); }),
              HasSubstr("has no node '(1,9)'"));
}

TEST(Outline, IsTheSameGraphAsAnotherOne) {
  EXPECT_TRUE(outlined("torus(4,4)").same_graph(outlined("k_ary_n_cube(4,2)")));
  EXPECT_FALSE(outlined("torus(4,4)").same_graph(outlined("mesh(4,4)")));
  EXPECT_FALSE(outlined("torus(4,4)").same_graph(parse_topology("torus(4,4)")));
  EXPECT_FALSE(parse_topology("torus(4,4)").same_graph(outlined("torus(4,4)")));
}

TEST(Outline, IsMadeOfWhatIsTooLargeToBeListed) {
  EXPECT_FALSE(parse_topology_for_figures("torus(64,64)").is_outline());
  const Topology large = parse_topology_for_figures("torus(1024,1024,1024)");
  EXPECT_TRUE(large.is_outline());
  EXPECT_EQ(arc_count(large), uint64_t{6} << 30U);
  EXPECT_EQ(large.label(NodeId{1025}), "(0,1,1)");
  EXPECT_TRUE(parse_topology_for_figures("product(torus(512,512,512),ring(3))").is_outline());
  EXPECT_EQ(parse_topology_for_figures("product(torus(512,512,512),ring(3))").product()->factors.size(), 4U);
  const auto refused = [](std::string_view spec) {
    return error_of([&] { static_cast<void>(parse_topology_for_figures(spec)); });
  };
  EXPECT_THAT(refused("torus(65536,65536)"), HasSubstr("4294967296 nodes; at most 4294967294"));
  EXPECT_THAT(refused("generalized_hypercube(10000,10000)"),
              HasSubstr("complete(10000), a factor, has 99990000 arcs; of a factor at most 67108864"));
  EXPECT_THAT(refused("product(fat_tree(2^10),ring(60000))"), HasSubstr("it has routers"));
}

// Every card that answers, and every bound, says the same; and not only a few do.
TEST(Outline, CardsSayWhatTheySayOfTheListedNetwork) {
  uint64_t answers = 0;
  for (const std::string_view spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const Topology outline = outlined(spec);
    for (const Model& model : models()) {
      for (const Algorithm* card : algorithm_catalog()) {
        if (card->collective != CollectiveKind::kAlltoall && card->collective != CollectiveKind::kBroadcast)
          continue;
        const NodeId root =
            card->collective == CollectiveKind::kBroadcast ? NodeId{net.num_nodes() / 3} : kNoNode;
        const Preparation known = prepare(*card, problem_for_figures(outline, card->collective, model, root));
        if (!known.fits.applies) continue;
        const Preparation listed = prepare(*card, standard_problem(net, card->collective, model, root));
        ASSERT_TRUE(listed.fits.applies) << card->name << " on " << spec;
        ASSERT_EQ(known.plans.size(), listed.plans.size()) << card->name << " on " << spec;
        for (size_t i = 0; i < known.plans.size(); ++i) {
          const Prediction a = known.plans[i]->prediction();
          const Prediction b = listed.plans[i]->prediction();
          EXPECT_EQ(a.steps, b.steps) << card->name << " on " << spec;
          EXPECT_EQ(a.start_ups, b.start_ups) << card->name << " on " << spec;
          EXPECT_EQ(a.busiest_link, b.busiest_link) << card->name << " on " << spec;
          EXPECT_EQ(a.critical_blocks, b.critical_blocks) << card->name << " on " << spec;
          ++answers;
        }
      }
    }
  }
  EXPECT_GT(answers, 500U);
}

TEST(Outline, BoundsSayWhatTheySayOfTheListedNetwork) {
  uint64_t answers = 0;
  for (const std::string_view spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const Topology outline = outlined(spec);
    for (const Model& model : models()) {
      for (const CollectiveKind kind : kCollectiveKinds) {
        const bool rooted = standard_problem(net, kind).collective().root().has_value();
        const NodeId root = rooted ? NodeId{net.num_nodes() / 3} : kNoNode;
        for (const uint32_t pieces : {1U, 5U}) {
          const Problem listed = standard_problem(net, kind, model, root, pieces);
          const Problem known = problem_for_figures(outline, kind, model, root, pieces);
          for (const BoundCard* card : bound_catalog()) {
            const std::vector<Bound> there = bounds_of(*card, known);
            if (!card->knows_outlines) {
              EXPECT_TRUE(there.empty()) << card->name;
              continue;
            }
            const std::vector<Bound> here = bounds_of(*card, listed);
            ASSERT_EQ(there.size(), here.size()) << card->name << " on " << listed.title();
            for (size_t i = 0; i < here.size(); ++i) {
              // Single nodes are no slices: degree and ports say what they say.
              if (card->name == "structured_cut") {
                EXPECT_LE(there[i].value, here[i].value) << listed.title();
              } else {
                EXPECT_EQ(there[i].value, here[i].value) << card->name << " on " << listed.title();
                EXPECT_EQ(there[i].witness, here[i].witness) << card->name << " on " << listed.title();
              }
              EXPECT_EQ(there[i].on, here[i].on) << card->name;
              ++answers;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(answers, 5000U);
}

TEST(Outline, PublishedCostsSayWhatTheySayOfTheListedNetwork) {
  uint64_t answers = 0;
  for (const std::string_view spec : {"torus(8,8)", "torus(16,16)", "mesh(8,8)", "torus(8,8,8)"}) {
    Model worms{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
    for (const PublishedCost* card : published_costs()) {
      for (const Model& model : {worms, Model{.switching = Switching::kWormhole}}) {
        const Problem listed = standard_problem(parse_topology(spec), card->collective, model);
        const Problem known = problem_for_figures(outlined(spec), card->collective, model);
        ASSERT_EQ(card->refuses(known).has_value(), card->refuses(listed).has_value()) << card->name << spec;
        if (card->refuses(known)) continue;
        EXPECT_EQ(card->cost(known).start_ups, card->cost(listed).start_ups) << card->name;
        EXPECT_EQ(card->cost(known).critical_blocks, card->cost(listed).critical_blocks) << card->name;
        ++answers;
      }
    }
  }
  EXPECT_GE(answers, 8U);
}

}  // namespace outline_test
}  // namespace quadrille
