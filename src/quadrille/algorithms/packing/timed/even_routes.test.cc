// Even routes, and when their hops go: no port and no link has much more to do than it must, and the schedule loses next to nothing.
#include "quadrille/algorithms/packing/timed/even_routes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/timed/orbit_schedule.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_even_routes;
}

namespace even_routes_test {

TEST(Mirrors, LeaveNoNodeInItsPlace) {
  const auto images = [](const char* spec) {
    const Topology net = parse_topology(spec);
    const Mirrors mirrors(net);
    for (size_t m = 1; m < mirrors.images().size(); ++m)
      for (const NodeId v : net.nodes()) EXPECT_NE(mirrors.images()[m][index(v)], index(v)) << spec;
    EXPECT_EQ(mirrors.num_orbits() * mirrors.images().size(), net.num_nodes()) << spec;
    const OrbitLinks links(net, mirrors);
    EXPECT_EQ(links.tail.size() * mirrors.images().size(), net.num_arcs()) << spec;
    return mirrors.images().size();
  };
  EXPECT_EQ(images("mesh(4,6)"), 4U);
  EXPECT_EQ(images("mesh(4,5)"), 2U);
  EXPECT_EQ(images("mesh(3,5)"), 1U);
  EXPECT_EQ(images("line(8)"), 2U);
  EXPECT_EQ(images("mesh(2,4,6)"), 8U);
  EXPECT_EQ(images("product(line(4),generalized_petersen(5,2))"), 2U);
  EXPECT_EQ(images("random_regular(20,3;1)"), 1U);
}

TEST(EvenRoutes, LeadFromEverySourceToEveryDestination) {
  for (const char* spec : {"mesh(4,6)", "mesh(3,5)", "random_regular(30,3;1)", "line(9)", "mesh(6)"}) {
    const Topology net = parse_topology(spec);
    const Mirrors mirrors(net);
    const OrbitLinks links(net, mirrors);
    const EvenRoutes routes(net, mirrors, links, Ports{1}, Ports{1});
    std::vector<uint64_t> over(links.tail.size(), 0);
    for (size_t i = 0; i < routes.size(); ++i) {
      NodeId at = routes.source(i);
      std::set<NodeId> seen{at};
      for (const ArcId arc : routes.path(i)) {
        ASSERT_EQ(net.tail(arc), at) << spec;
        at = net.head(arc);
        EXPECT_TRUE(seen.insert(at).second) << spec << ": a path that meets itself";
        ++over[links.link_of[index(arc)]];
      }
      ASSERT_EQ(at, routes.destination(i)) << spec;
    }
    EXPECT_EQ(over, routes.loads()) << spec;
    const OrbitSchedule plan = schedule_orbits(routes, mirrors, links, Ports{1}, Ports{1});
    EXPECT_GE(plan.steps(), routes.steps_at_least()) << spec;
  }
}

Problem of_ports(const char* spec, uint32_t send, uint32_t receive, uint32_t pieces = 1) {
  Model model = ports(send);
  model.receive = Ports{receive};
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

// What all ports together need for shortest paths.
double all_hops(const Problem& problem, uint32_t count) {
  const Topology& net = problem.topology();
  uint64_t hops = 0;
  for_each_distance_row(net, [&](NodeId, std::span<const uint32_t> row) {
    for (const uint32_t distance : row) hops += distance;
  });
  return static_cast<double>(hops) / net.num_nodes() / count;
}

// Two mirrors, one, none; a mirror of a product whose other factor has none; no product; ports of unlike numbers; a way alone.
TEST(AlltoallEvenRoutes, AreNearTheBound) {
  // What cuts and links need beside that: the longer line of a product has a thin middle, and three ports are more than its rim has.
  for (const auto& [spec, slack] :
       {std::pair{"mesh(12,12)", 1.3}, std::pair{"mesh(10,13)", 1.3}, std::pair{"mesh(11,13)", 1.3},
        std::pair{"mesh(4,6,6)", 1.1}, std::pair{"product(line(14),generalized_petersen(5,2))", 1.8},
        std::pair{"random_regular(130,4;1)", 1.08}}) {
    const double of_few = slack < 1.35 ? 1.08 : 1.25;
    for (const uint32_t count : {1U, 2U, 3U}) {
      const Problem problem = of_ports(spec, count, count);
      const auto steps = static_cast<double>(judged_steps(algorithms::alltoall_even_routes, problem));
      EXPECT_LT(steps, (count < 3 ? of_few : slack) * all_hops(problem, count)) << spec << ", " << count;
    }
  }
  for (const auto& [send, receive] :
       {std::pair{1U, 2U}, std::pair{2U, 1U}, std::pair{0U, 1U}, std::pair{1U, 0U}}) {
    const Problem problem = of_ports("mesh(12,12)", send, receive);
    EXPECT_LT(static_cast<double>(judged_steps(algorithms::alltoall_even_routes, problem)),
              1.08 * all_hops(problem, 1))
        << send << receive;
  }
  const Problem in_two = of_ports("mesh(12,12)", 1, 1, 2);
  EXPECT_EQ(judged_steps(algorithms::alltoall_even_routes, in_two),
            2 * judged_steps(algorithms::alltoall_even_routes, of_ports("mesh(12,12)", 1, 1)));
  EXPECT_GT(judged_steps(algorithms::alltoall_even_routes, of_ports("kautz(2,7)", 1, 1)), 0U);
  EXPECT_FALSE(algorithms::alltoall_even_routes.applies(of_ports("mesh(12,12)", 0, 0)).applies);
  EXPECT_FALSE(algorithms::alltoall_even_routes.applies(of_ports("mesh(32,33)", 1, 1)).applies);
}

}  // namespace even_routes_test
}  // namespace quadrille
