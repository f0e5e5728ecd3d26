// Chapters 1 and 2 of the 1996 dissertation: which communication is how hard, paths in products, half-duplex
// links. The other chapters have files of their own beside this one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/queries/disjoint_paths.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/half_duplex.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace dissertation_1996_test {

bool passes(const Problem& problem, const Plan& plan) { return verify(problem, plan).schedule.has_value(); }

// One transfer of a plan in packet switching.
struct Send {
  ArcId arc;
  BlockId block;
};
using Steps = std::vector<std::vector<Send>>;

Steps steps_of(const Plan& plan) {
  Steps steps(plan.num_steps());
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) steps[s].push_back({step.arcs(t)[0], step.blocks(t)[0]});
  }
  return steps;
}

Plan plan_of(const Steps& steps) {
  Plan plan;
  for (const std::vector<Send>& sends : steps) {
    StepBuilder step;
    for (const Send& send : sends) step.add(send.arc, send.block);
    step.flush(plan);
  }
  return plan;
}

// The same transfers where every message of a node is the one that it broadcasts; whoever has it already
// gets it no second time. A total exchange becomes a multinode broadcast, a scattering a broadcast.
Plan as_broadcasts(const Problem& from, const Plan& plan, const Problem& to) {
  const Topology& net = from.topology();
  std::set<std::pair<NodeId, BlockId>> known;
  const auto broadcast = [&](BlockId block) {
    if (to.collective().kind() == CollectiveKind::kBroadcast) return BlockId{0};
    return to.collective().block(from.collective().origin(block));
  };
  for (uint32_t b = 0; b < from.collective().num_blocks(); ++b)
    known.emplace(from.origin(BlockId{b}), broadcast(BlockId{b}));
  Steps steps = steps_of(plan);
  for (std::vector<Send>& sends : steps) {
    std::vector<Send> kept;
    for (const Send& send : sends) {
      if (known.emplace(net.head(send.arc), broadcast(send.block)).second)
        kept.push_back({send.arc, broadcast(send.block)});
    }
    sends = kept;
  }
  return plan_of(steps);
}

// What brings every message of a multinode broadcast to the root, and nothing else: a gathering.
Plan as_gathering(const Problem& from, const Plan& plan, const Problem& to) {
  const Topology& net = from.topology();
  const NodeId root = net.endpoint(*to.collective().root());
  const Steps steps = steps_of(plan);
  std::map<std::pair<NodeId, BlockId>, std::pair<size_t, ArcId>> first_arrival;
  for (size_t s = 0; s < steps.size(); ++s)
    for (const Send& send : steps[s])
      first_arrival.emplace(std::pair(net.head(send.arc), send.block), std::pair(s, send.arc));
  Steps kept(steps.size());
  for (uint32_t b = 0; b < from.collective().num_blocks(); ++b) {
    const BlockId block{b};
    const NodeId origin = from.origin(block);
    for (NodeId at = root; at != origin;) {
      const auto [step, arc] = first_arrival.at({at, block});
      kept[step].push_back({arc, to.collective().block(from.collective().origin(block))});
      at = net.tail(arc);
    }
  }
  return plan_of(kept);
}

// From a total exchange a multinode broadcast, from that a gathering, from that a scattering, from that a
// broadcast, each in as many steps.
void expect_each_holds_the_next(const Problem& total, const Plan& plan) {
  const Topology& net = total.topology();
  const Model& model = total.model();
  ASSERT_TRUE(passes(total, plan)) << total.title();
  const Problem multinode = standard_problem(net, CollectiveKind::kAllgather, model);
  const Plan multinode_plan = as_broadcasts(total, plan, multinode);
  EXPECT_TRUE(passes(multinode, multinode_plan)) << multinode.title();
  const NodeId root = net.endpoints().back();
  const Problem gather = standard_problem(net, CollectiveKind::kGather, model, root);
  const Plan gather_plan = as_gathering(multinode, multinode_plan, gather);
  EXPECT_TRUE(passes(gather, gather_plan)) << gather.title();
  const Problem scatter = reversed(gather);
  const Plan scatter_plan = reverse(gather, gather_plan);
  EXPECT_TRUE(passes(scatter, scatter_plan)) << scatter.title();
  const Problem broadcast = standard_problem(net, CollectiveKind::kBroadcast, model, root);
  const Plan broadcast_plan = as_broadcasts(scatter, scatter_plan, broadcast);
  EXPECT_TRUE(passes(broadcast, broadcast_plan)) << broadcast.title();
  EXPECT_EQ(broadcast_plan.num_steps(), plan.num_steps());
}

TEST(DissertationClaims, a_total_exchange_holds_a_multinode_broadcast_that_a_scattering_that_a_broadcast) {
  Rng rng(7);
  for (const char* spec : {"line(1)", "line(2)", "line(5)", "ring(6)", "ring(7)", "mesh(2,3)", "torus(3,4)",
                           "hypercube(3)", "complete(5)", "star(3)", "generalized_petersen(5,2)",
                           "edges(\"v a, v b, a c, b c, c d, c e\")", "fat_tree(2^2)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t count : {1U, Ports::kAll}) {
      const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, ports(count));
      Plan plan;
      choose_algorithm(problem).generate(plan);
      expect_each_holds_the_next(problem, plan);
    }
  }
  for (uint32_t trial = 0; trial < 20; ++trial) {
    const Topology net = testing::random_topology(rng, 2 + trial % 7, trial % 3 == 0);
    const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, ports(trial % 2));
    expect_each_holds_the_next(problem, testing::random_plan(problem, rng));
  }
  // Routers with one send port and any number of receptions, as in chapter 6, are not the same both ways.
  for (const char* spec :
       {"fat_tree(2^1)", "fat_tree(4^1)", "fat_tree(2^2)", "fat_tree(3^2)", "fat_tree(2^4)"}) {
    Model model;
    model.send = kOnePort;
    uint64_t before = 0;
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                      CollectiveKind::kAllgather, CollectiveKind::kAlltoall}) {
      const Problem problem = standard_problem(parse_topology(spec), kind, model);
      const Choice choice = choose_algorithm(problem);
      ASSERT_TRUE(choice.prediction.steps.has_value()) << problem.title();
      EXPECT_EQ(*choice.prediction.steps, stated(static_cast<uint64_t>(best_bound(problem).value.ceil())))
          << problem.title();
      EXPECT_GE(*choice.prediction.steps, before) << problem.title();
      before = *choice.prediction.steps;
    }
  }
}

// Every order in which the hops of two coordinates can follow each other: dimension 0 or 1, hop by hop.
std::vector<std::vector<size_t>> orders(size_t first, size_t second) {
  std::vector<size_t> order(first, 0);
  order.resize(first + second, 1);
  std::vector<std::vector<size_t>> all;
  do {
    all.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return all;
}

TEST(DissertationClaims, figure_2_3_b_coordinates_may_be_corrected_in_parts) {
  // Whatever the order of the hops, they lead along links from one node to the other, and no way is shorter.
  for (const char* spec : {"mesh(2,3)", "mesh(4,3)", "torus(5,4)", "product(star(3),ring(5))"}) {
    const Topology net = parse_topology(spec);
    const ProductStructure& product = *net.product();
    for (const NodeId to : net.nodes()) {
      std::vector<NodePath> side;  // a shortest path in each factor
      for (size_t i = 0; i < 2; ++i) {
        const Topology& factor = product.factors[i];
        const std::vector<uint32_t> far = distances_to(factor, NodeId{product.coordinate(to, i)});
        side.push_back({NodeId{0}});
        while (far[index(side[i].back())] > 0) {
          for (const ArcId arc : factor.arcs_from(side[i].back())) {
            if (far[index(factor.head(arc))] + 1 != far[index(factor.tail(arc))]) continue;
            side[i].push_back(factor.head(arc));
            break;
          }
        }
      }
      for (const std::vector<size_t>& order : orders(side[0].size() - 1, side[1].size() - 1)) {
        NodeId at{0};
        size_t done[2] = {0, 0};
        for (const size_t i : order) {
          const NodeId next = product.with_coordinate(at, i, static_cast<uint32_t>(side[i][++done[i]]));
          ASSERT_TRUE(net.find_arc(at, next).has_value()) << spec;
          at = next;
        }
        EXPECT_EQ(at, to) << spec;
        EXPECT_EQ(order.size(), distances_to(net, to)[0]) << spec;
      }
    }
  }
  // The one that is drawn: (1,1), (1,2), (2,2), (2,3), with coordinates from 0 here.
  const Topology mesh = parse_topology("mesh(2,3)");
  const std::vector<uint32_t> path = {0, 1, 4, 5};
  EXPECT_EQ(mesh.label(NodeId{path[1]}), stated("(0,1)"));
  EXPECT_EQ(mesh.label(NodeId{path[2]}), "(1,1)");
  for (size_t hop = 1; hop < path.size(); ++hop)
    EXPECT_TRUE(mesh.find_arc(NodeId{path[hop - 1]}, NodeId{path[hop]}).has_value());
}

// Steps until all packets have come, when they are dealt out to the paths in turn, each node sends on what
// it has and each link takes one packet a step.
uint64_t transfer_steps(const std::vector<NodePath>& paths, uint64_t packets) {
  uint64_t steps = 0;
  for (size_t p = 0; p < paths.size(); ++p) {
    std::vector<uint64_t> waiting(paths[p].size(), 0);
    waiting[0] = packets / paths.size() + (p < packets % paths.size() ? 1 : 0);
    const uint64_t share = waiting[0];
    uint64_t step = 0;
    for (; waiting.back() < share; ++step) {
      for (size_t at = paths[p].size() - 1; at-- > 0;) {
        if (waiting[at] == 0) continue;
        --waiting[at];
        ++waiting[at + 1];
      }
    }
    steps = std::max(steps, step);
  }
  return steps;
}

TEST(DissertationClaims, over_p_disjoint_paths_a_transfer_takes_1_over_p_of_the_time_only_in_the_limit) {
  for (const char* spec : {"ring(3)", "ring(4)", "ring(7)", "mesh(2,3)", "torus(3,4)", "torus(4,4)",
                           "hypercube(4)", "complete(5)", "star(4)"}) {
    const Topology net = parse_topology(spec);
    for (uint32_t to = 1; to < net.num_nodes(); ++to) {
      const std::vector<NodePath> paths = disjoint_paths(net, NodeId{0}, NodeId{to}).paths;
      const uint64_t p = paths.size();
      ASSERT_GE(p, 2U) << spec;
      const uint64_t shortest = paths.front().size() - 1;
      const uint64_t longest = paths.back().size() - 1;
      for (const uint64_t packets : {p, p + 1, 7 * p, 100 * p}) {
        const uint64_t one = transfer_steps({paths.front()}, packets);
        const uint64_t all = transfer_steps(paths, packets);
        EXPECT_EQ(one, stated(packets + shortest - 1)) << spec;
        EXPECT_LE(all, (packets + p - 1) / p + longest - 1) << spec;
        EXPECT_GE(all, packets / p + longest - 1) << spec;
        EXPECT_GT(p * all, one) << spec;                // never quite 1/p,
        EXPECT_LE(p * all, one + p * longest) << spec;  // but by no more than so many steps, however large
      }
    }
  }
  // Two packets between neighbours of R_3: two steps over one path, and two over both.
  const std::vector<NodePath> paths = disjoint_paths(parse_topology("ring(3)"), NodeId{0}, NodeId{1}).paths;
  EXPECT_EQ(transfer_steps({paths.front()}, 2), 2U);
  EXPECT_EQ(transfer_steps(paths, 2), 2U);
}

// The statement as a property of the planner: `auto` looks at full-duplex plans, too, and parts them.
TEST(DissertationClaims, a_full_duplex_schedule_runs_on_half_duplex_links_in_twice_the_steps) {
  Rng rng(2);
  int refused = 0;
  const auto check = [&](const Problem& full, const Plan& plan) {
    ASSERT_TRUE(passes(full, plan)) << full.title();
    const Problem half = with_half_duplex(full);
    const std::optional<Plan> parted = on_half_duplex_links(half, plan);
    ASSERT_TRUE(parted) << full.title();
    EXPECT_TRUE(passes(half, *parted)) << full.title();
    EXPECT_EQ(parted->num_steps() <= 2 * plan.num_steps(), stated(true)) << full.title();
    if (!passes(half, plan)) ++refused;
  };
  const std::vector<CollectiveKind> kinds = {CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                             CollectiveKind::kGather, CollectiveKind::kAllgather,
                                             CollectiveKind::kAlltoall};
  for (const char* spec : {"line(5)", "ring(6)", "ring(7)", "mesh(2,3)", "torus(3,4)", "hypercube(3)",
                           "star(3)", "fat_tree(2^3)", "generalized_petersen(5,2)"}) {
    for (const CollectiveKind kind : kinds) {
      for (const uint32_t count : {1U, Ports::kAll}) {
        const Problem problem = standard_problem(parse_topology(spec), kind, ports(count));
        Plan plan;
        choose_algorithm(problem).generate(plan);
        check(problem, plan);
        Plan best;
        const Problem half = with_half_duplex(problem);
        choose_algorithm(half).generate(best);
        EXPECT_TRUE(passes(half, best)) << problem.title();
        EXPECT_EQ(best.num_steps() <= 2 * plan.num_steps(), stated(true)) << problem.title();
      }
    }
  }
  for (uint32_t trial = 0; trial < 20; ++trial) {
    const Topology net = testing::random_topology(rng, 2 + trial % 9, trial % 3 == 0);
    const Problem problem = standard_problem(net, kinds[trial % kinds.size()], ports(trial % 2));
    check(problem, testing::random_plan(problem, rng));
  }
  EXPECT_GE(refused, 20);  // as it is, half-duplex links do not take such a schedule
}

}  // namespace dissertation_1996_test
}  // namespace quadrille
