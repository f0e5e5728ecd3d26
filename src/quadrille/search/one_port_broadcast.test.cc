#include "quadrille/search/one_port_broadcast.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/base/random.h"
#include "quadrille/search/refutation.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace search_one_port_broadcast_test {

// All sets of informed nodes that one step can lead to, each node informing one neighbour or nobody.
void add_next(const Topology& net, uint32_t informed, uint32_t informer, uint32_t then,
              std::set<uint32_t>& out) {
  if (informer == net.num_nodes()) {
    out.insert(then);
    return;
  }
  add_next(net, informed, informer + 1, then, out);
  if ((informed >> informer & 1U) == 0) return;
  for (const ArcId arc : net.arcs_from(NodeId{informer})) {
    const uint32_t heard = 1U << index(net.head(arc));
    if ((then & heard) == 0) add_next(net, informed, informer + 1, then | heard, out);
  }
}

// The fewest steps by going through every set of informed nodes that can arise.
uint32_t fewest_steps(const Topology& net, NodeId source) {
  std::set<uint32_t> now = {1U << index(source)};
  const uint32_t all = (1U << net.num_nodes()) - 1;
  for (uint32_t steps = 0;; ++steps) {
    if (now.count(all) > 0) return steps;
    std::set<uint32_t> next;
    for (const uint32_t informed : now) add_next(net, informed, 0, informed, next);
    now = std::move(next);
  }
}

// Every node is informed once by a node that was informed before, nobody informs two in one step, and all
// within the steps: the arcs' tree, each node informing its children in the best order.
uint32_t steps_of_tree(const Topology& net, NodeId node, const std::vector<ArcId>& over) {
  std::vector<uint32_t> below;
  for (const ArcId arc : net.arcs_from(node)) {
    if (over[index(net.head(arc))] == arc) below.push_back(steps_of_tree(net, net.head(arc), over));
  }
  std::sort(below.begin(), below.end(), std::greater<>());
  uint32_t steps = 0;
  for (size_t i = 0; i < below.size(); ++i) steps = std::max(steps, static_cast<uint32_t>(i) + 1 + below[i]);
  return steps;
}

void expect_exact(const Topology& net, NodeId source) {
  const uint32_t fewest = fewest_steps(net, source);
  SCOPED_TRACE(fmt::format("{} from {}: {} steps", net.name(), index(source), fewest));
  for (uint32_t steps = 0; steps <= fewest + 1; ++steps) {
    const OnePortBroadcast question(net, source, steps);
    const SearchAnswer answer = solve(question.formula(), {.want_proof = true});
    if (steps < fewest) {
      ASSERT_TRUE(answer.unsatisfiable()) << steps;
      EXPECT_TRUE(check_refutation(question.formula(), answer.proof).refutes);
    } else {
      ASSERT_TRUE(answer.satisfiable()) << steps;
      EXPECT_LE(steps_of_tree(net, source, question.informed_over(answer)), steps);
    }
  }
  EXPECT_EQ(one_port_floor(net, source, 10'000).steps, fewest);
  EXPECT_LE(one_port_floor_of_nodes_apart(net), fewest);
}

TEST(OnePortBroadcast, IsPossibleInExactlyAsManyStepsAsAFullSearchFinds) {
  for (const std::string_view spec :
       {"line(1)", "line(2)", "line(5)", "ring(5)", "ring(6)", "ring(9)", "complete(6)", "mesh(3,3)",
        "mesh(2,4)", "torus(3,3)", "torus(2,4)", "hypercube(3)", "circulant(9;1,2)",
        "product(line(3),complete(3))", "product(line(1),line(3))", "star(3)"}) {
    const Topology net = parse_topology(spec);
    for (const NodeId source : net.nodes()) expect_exact(net, source);
  }
}

TEST(OnePortBroadcast, IsExactOnRandomGraphs) {
  Rng rng(11);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<uint32_t>(3 + rng.below(6));
    TopologyBuilder builder("random", n);
    for (uint32_t v = 1; v < n; ++v) builder.link(NodeId{static_cast<uint32_t>(rng.below(v))}, NodeId{v});
    for (size_t extra = rng.below(n); extra > 0; --extra) {
      const auto a = static_cast<uint32_t>(rng.below(n));
      const auto b = static_cast<uint32_t>(rng.below(n));
      if (a != b) builder.arc(NodeId{a}, NodeId{b});  // perhaps one way only
    }
    expect_exact(builder.build(), NodeId{static_cast<uint32_t>(rng.below(n))});
  }
}

// What looks alike is tried once: that must not lose the only solutions of a larger torus.
TEST(OnePortBroadcast, FindsWhatIsKnownOnTori) {
  constexpr std::pair<std::string_view, uint32_t> kKnown[] = {
      {"torus(3,3,3)", 5}, {"torus(5,5)", 5},   {"torus(7,7)", 7},     {"torus(3,3,5)", 6},
      {"torus(3,5,5)", 7}, {"torus(5,5,5)", 8}, {"torus(3,3,3,3)", 7}, {"mesh(4,4)", 6},
  };
  for (const auto& [spec, steps] : kKnown) {
    const Topology net = parse_topology(spec);
    const SearchAnswer enough = solve(OnePortBroadcast(net, NodeId{0}, steps).formula());
    EXPECT_TRUE(enough.satisfiable()) << spec;
    EXPECT_EQ(one_port_floor(net, NodeId{0}, 20'000).steps, steps) << spec;
  }
}

TEST(OnePortBroadcast, TheFloorIsHonestWhenItsConflictsRunOut) {
  const OnePortFloor floor = one_port_floor(parse_topology("torus(3,5,7)"), NodeId{0}, 5);
  EXPECT_EQ(floor.steps, 7U);
  EXPECT_EQ(floor.lemmas, 0U);
}

// Doubling says 4 of the first; ten of its nodes are linked to the six others alone.
TEST(OnePortBroadcast, HalfOfThoseWithoutLinksBetweenThemAreInformedLast) {
  std::string links = "a0 b0";
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 10; ++b)
      if (a + b > 0) links += fmt::format(", a{} b{}", a, b);
  EXPECT_EQ(one_port_floor_of_nodes_apart(parse_topology("edges(\"" + links + "\")")), 5U);
  EXPECT_EQ(one_port_floor_of_nodes_apart(parse_topology("complete(8)")), 1U);
  EXPECT_EQ(one_port_floor_of_nodes_apart(parse_topology("hypercube(4)")), 4U);
}

}  // namespace search_one_port_broadcast_test
}  // namespace quadrille
