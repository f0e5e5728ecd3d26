// Section 4.4 of the 1996 dissertation: node-invariant total exchange in Cayley graphs, with the queues of
// all nodes and not only that of node 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace dissertation_1996_cayley_test {

using Mapping = std::vector<uint32_t>;  // of nodes to nodes

// Cayley graphs of abelian groups and others.
const std::vector<std::string>& cayley_specs() {
  static const std::vector<std::string> specs = {
      "ring(5)",      "ring(6)",    "complete(4)", "circulant(10;1,4)",
      "hypercube(3)", "torus(3,4)", "mesh(2,2,2)", "generalized_hypercube(3,2)",
      "star(3)",      "star(4)",    "pancake(4)",  "cube_connected_cycles(3)",
      "butterfly(3)"};
  return specs;
}

Mapping after(const Mapping& outer, const Mapping& inner) {
  Mapping result;
  for (const uint32_t x : inner) result.push_back(outer[x]);
  return result;
}

bool is_automorphism(const Topology& net, const Mapping& map) {
  if (std::set<uint32_t>(map.begin(), map.end()).size() != net.num_nodes()) return false;
  for (const ArcId arc : net.arcs()) {
    if (!net.find_arc(NodeId{map[index(net.tail(arc))]}, NodeId{map[index(net.head(arc))]})) return false;
  }
  return true;
}

std::vector<uint32_t> neighbours(const Topology& net, uint32_t node) {
  std::vector<uint32_t> result;
  for (const ArcId arc : net.arcs_from(NodeId{node})) result.push_back(static_cast<uint32_t>(net.head(arc)));
  return result;
}

// Property (4.16) of automorphisms sigma[i], which take the node `origin` to i.
bool has_property_4_16(const Topology& net, const std::vector<Mapping>& sigma, uint32_t origin) {
  for (const Mapping& sigma_i : sigma) {
    for (const uint32_t a : neighbours(net, origin))
      if (sigma[sigma_i[a]] != after(sigma_i, sigma[a])) return false;
  }
  return true;
}

// x -> i origin^-1 x for every i, as in the proof of lemma 4.7.
std::vector<Mapping> translations(const Topology& net, uint32_t origin) {
  const Group& group = *net.cayley()->group;
  std::vector<Mapping> sigma(net.num_nodes());
  for (uint32_t i = 0; i < net.num_nodes(); ++i) {
    const uint32_t shift = group.multiply(i, group.inverse(origin));
    for (uint32_t x = 0; x < net.num_nodes(); ++x) sigma[i].push_back(group.multiply(shift, x));
  }
  return sigma;
}

TEST(DissertationClaims, lemma_4_7_translations_of_cayley_graphs_have_property_4_16) {
  for (const std::string& spec : cayley_specs()) {
    const Topology net = parse_topology(spec);
    ASSERT_NE(net.cayley(), nullptr) << spec;
    for (const uint32_t origin : {0U, net.num_nodes() / 2, net.num_nodes() - 1}) {
      const std::vector<Mapping> sigma = translations(net, origin);
      for (uint32_t i = 0; i < net.num_nodes(); ++i) {
        EXPECT_EQ(sigma[i][origin], stated(i)) << spec;
        EXPECT_TRUE(is_automorphism(net, sigma[i])) << spec << " " << i;
      }
      EXPECT_TRUE(has_property_4_16(net, sigma, origin)) << spec;
    }
  }
  // Not any automorphisms will do: with one reflection among the rotations of R_4 it fails.
  std::vector<Mapping> sigma = translations(parse_topology("ring(4)"), 0);
  sigma[1] = {1, 0, 3, 2};
  EXPECT_TRUE(is_automorphism(parse_topology("ring(4)"), sigma[1]));
  EXPECT_FALSE(has_property_4_16(parse_topology("ring(4)"), sigma, 0));
}

// Node i picks sigma_i(a): every node is picked once, and the picker of i is the image of the picker of 0.
bool picks_as_in_lemma_4_8(const std::vector<Mapping>& sigma, uint32_t a) {
  Mapping picker(sigma.size(), UINT32_MAX);
  for (uint32_t i = 0; i < sigma.size(); ++i) {
    if (std::exchange(picker[sigma[i][a]], i) != UINT32_MAX) return false;
  }
  for (uint32_t i = 0; i < sigma.size(); ++i)
    if (picker[i] != sigma[i][picker[0]]) return false;
  return true;
}

// All automorphisms, sorted by the image of node 0. For graphs of few nodes.
std::vector<std::vector<Mapping>> automorphisms(const Topology& net) {
  std::vector<std::vector<Mapping>> by_image(net.num_nodes());
  Mapping map(net.num_nodes());
  std::iota(map.begin(), map.end(), 0U);
  do {
    if (is_automorphism(net, map)) by_image[map[0]].push_back(map);
  } while (std::ranges::next_permutation(map).found);
  return by_image;
}

TEST(DissertationClaims, lemma_4_8_under_property_4_16_every_node_is_picked_once) {
  for (const std::string& spec : cayley_specs()) {
    const Topology net = parse_topology(spec);
    const std::vector<Mapping> sigma = translations(net, 0);
    for (const uint32_t a : neighbours(net, 0))
      EXPECT_EQ(picks_as_in_lemma_4_8(sigma, a), stated(true)) << spec;
  }
  // Every choice of automorphisms of some small graphs, one per node, and not only translations: where (4.16)
  // holds the lemma does, and it is not true of all choices.
  for (const char* spec : {"ring(4)", "ring(5)", "ring(6)", "complete(4)", "product(ring(3),line(2))"}) {
    const Topology net = parse_topology(spec);
    const std::vector<std::vector<Mapping>> all = automorphisms(net);
    std::vector<size_t> choice(all.size(), 0);
    int with_property = 0;
    int without_lemma = 0;
    for (bool more = true; more;) {
      std::vector<Mapping> sigma;
      for (size_t i = 0; i < all.size(); ++i) sigma.push_back(all[i][choice[i]]);
      const bool property = has_property_4_16(net, sigma, 0);
      const bool lemma = std::ranges::all_of(neighbours(net, 0),
                                             [&](uint32_t a) { return picks_as_in_lemma_4_8(sigma, a); });
      EXPECT_TRUE(lemma || !property) << spec;
      with_property += property ? 1 : 0;
      without_lemma += lemma ? 0 : 1;
      size_t digit = 0;
      while (digit < choice.size() && ++choice[digit] == all[digit].size()) choice[digit++] = 0;
      more = digit < choice.size();
    }
    EXPECT_GE(with_property, 1) << spec;
    EXPECT_GE(without_lemma, 1) << spec;
  }
}

// All automorphisms of a graph, sorted by the image of node 0: node by node, where links lead to links.
std::vector<std::vector<Mapping>> automorphisms_by_search(const Topology& net) {
  const uint32_t n = net.num_nodes();
  std::vector<std::vector<Mapping>> by_image(n);
  Mapping map;
  const std::function<void()> extend = [&] {
    const auto next = static_cast<uint32_t>(map.size());
    if (next == n) {
      by_image[map[0]].push_back(map);
      return;
    }
    for (uint32_t to = 0; to < n; ++to) {
      bool fits = std::ranges::find(map, to) == map.end();
      for (uint32_t before = 0; before < next && fits; ++before) {
        fits = net.find_arc(NodeId{before}, NodeId{next}).has_value() ==
               net.find_arc(NodeId{map[before]}, NodeId{to}).has_value();
      }
      if (!fits) continue;
      map.push_back(to);
      extend();
      map.pop_back();
    }
  };
  extend();
  return by_image;
}

// Whether automorphisms can be chosen, one for each node, that satisfy (4.16). Those of node 0 and of its neighbours
// decide on all others.
bool some_choice_has_property_4_16(const Topology& net) {
  const std::vector<std::vector<Mapping>> all = automorphisms_by_search(net);
  std::vector<uint32_t> first = {0};
  for (const uint32_t a : neighbours(net, 0)) first.push_back(a);
  std::vector<size_t> choice(first.size(), 0);
  while (true) {
    std::vector<Mapping> sigma(net.num_nodes());
    std::vector<uint32_t> known;
    for (size_t i = 0; i < first.size(); ++i) {
      sigma[first[i]] = all[first[i]][choice[i]];
      known.push_back(first[i]);
    }
    bool fits = true;
    for (size_t at = 0; at < known.size() && fits; ++at) {
      const Mapping sigma_i = sigma[known[at]];
      for (const uint32_t a : neighbours(net, 0)) {
        Mapping& image = sigma[sigma_i[a]];
        const Mapping must = after(sigma_i, sigma[a]);
        if (image.empty()) {
          image = must;
          known.push_back(sigma_i[a]);
        }
        fits = fits && image == must;
      }
    }
    if (fits) {
      EXPECT_TRUE(has_property_4_16(net, sigma, 0));
      return true;
    }
    size_t digit = 0;
    while (digit < choice.size() && ++choice[digit] == all[first[digit]].size()) choice[digit++] = 0;
    if (digit == choice.size()) return false;
  }
}

TEST(DissertationClaims, the_petersen_graph_has_no_automorphisms_with_property_4_16) {
  const Topology petersen = parse_topology("generalized_petersen(5,2)");
  const std::vector<std::vector<Mapping>> all = automorphisms_by_search(petersen);
  for (const std::vector<Mapping>& to_node : all) EXPECT_EQ(to_node.size(), stated(12U));  // node symmetric
  EXPECT_EQ(some_choice_has_property_4_16(petersen), stated(false));
  for (const char* spec : {"ring(5)", "complete(4)", "hypercube(3)", "star(3)", "generalized_petersen(4,1)"})
    EXPECT_EQ(some_choice_has_property_4_16(parse_topology(spec)), stated(true)) << spec;
}

struct Message {
  uint32_t source;
  uint32_t destination;
  friend bool operator==(const Message&, const Message&) = default;
};
using Queue = std::vector<Message>;  // in order of arrival

Queue image(const Mapping& sigma, const Queue& queue) {
  Queue result;
  for (const Message& m : queue) result.push_back({sigma[m.source], sigma[m.destination]});
  return result;
}

// What node 0 does: the message that it takes from a queue, and the neighbour that it sends it to.
struct NodeZero {
  std::function<size_t(const Queue&)> f;
  std::function<uint32_t(const Message&)> w;
};

// One step of such an algorithm, as definition 4.3 has it: each node looks at its own queue only.
class Exchange {
 public:
  Exchange(const Topology& net, NodeZero zero)
      : net_(net), zero_(std::move(zero)), sigma_(translations(net, 0)), queues_(net.num_nodes()) {
    for (const NodeId v : net.nodes()) distance_.push_back(distances_from(net, v));
    for (uint32_t i = 0; i < net.num_nodes(); ++i)
      for (uint32_t d = 1; d < net.num_nodes(); ++d) queues_[i].push_back({i, sigma_[i][d]});
  }

  // Which nodes deroute a message; `odd_one_out` takes the last message of its queue instead.
  std::vector<bool> step(uint32_t odd_one_out = UINT32_MAX) {
    std::vector<bool> deroutes(net_.num_nodes(), false);
    std::vector<std::pair<uint32_t, Message>> moves;
    for (uint32_t i = 0; i < net_.num_nodes(); ++i) {
      if (queues_[i].empty()) continue;
      Mapping back(net_.num_nodes());
      for (uint32_t x = 0; x < net_.num_nodes(); ++x) back[sigma_[i][x]] = x;
      const Queue seen = image(back, queues_[i]);
      const size_t chosen = i == odd_one_out ? seen.size() - 1 : zero_.f(seen);
      const uint32_t to = sigma_[i][zero_.w(seen[chosen])];
      const Message m = queues_[i][chosen];
      deroutes[i] = distance_[to][m.destination] + 1 != distance_[i][m.destination];
      queues_[i].erase(queues_[i].begin() + static_cast<std::ptrdiff_t>(chosen));
      EXPECT_TRUE(net_.find_arc(NodeId{i}, NodeId{to}).has_value());
      moves.emplace_back(to, m);
    }
    for (const auto& [to, m] : moves)
      if (m.destination != to) queues_[to].push_back(m);
    return deroutes;
  }

  // The queue of every node is that of node 0, carried along by the node's translation.
  [[nodiscard]] bool queues_are_images() const {
    for (uint32_t i = 0; i < net_.num_nodes(); ++i)
      if (queues_[i] != image(sigma_[i], queues_[0])) return false;
    return true;
  }
  [[nodiscard]] bool done() const {
    return std::ranges::all_of(queues_, [](const Queue& queue) { return queue.empty(); });
  }

 private:
  const Topology& net_;
  NodeZero zero_;
  std::vector<Mapping> sigma_;
  std::vector<Queue> queues_;
  std::vector<std::vector<uint32_t>> distance_;
};

uint64_t hash(const Queue& queue, uint64_t seed) {
  for (const Message& m : queue) {
    seed = (seed ^ m.source) * 0x9E3779B97F4A7C15U;
    seed = (seed ^ m.destination) * 0x9E3779B97F4A7C15U;
    seed ^= seed >> 29;
  }
  return seed >> 7;
}

// Any message, any neighbour or, `shortest`, any neighbour on a shortest path: as arbitrary as can be.
NodeZero arbitrary(const Topology& net, uint64_t seed, bool shortest) {
  NodeZero zero;
  zero.f = [seed](const Queue& queue) { return static_cast<size_t>(hash(queue, seed) % queue.size()); };
  zero.w = [&net, seed, shortest](const Message& m) {
    const std::vector<uint32_t> far = distances_to(net, NodeId{m.destination});
    std::vector<uint32_t> choices;
    for (const uint32_t a : neighbours(net, 0))
      if (!shortest || far[a] + 1 == far[0]) choices.push_back(a);
    return choices[static_cast<size_t>(hash({m}, seed) % choices.size())];
  };
  return zero;
}

TEST(DissertationClaims, lemma_4_9_queues_of_a_node_invariant_exchange_are_images_of_one) {
  for (const std::string& spec : cayley_specs()) {
    const Topology net = parse_topology(spec);
    for (const bool shortest : {true, false}) {
      Exchange exchange(net, arbitrary(net, 11, shortest));
      uint64_t steps = 0;
      for (; steps < 60 && !exchange.done(); ++steps) {
        ASSERT_EQ(exchange.queues_are_images(), stated(true)) << spec << " step " << steps;
        (void)exchange.step();
      }
      if (shortest && exchange.done()) {
        EXPECT_EQ(steps, status(net, NodeId{0})) << spec;
      }
    }
    // One node that picks differently is enough to break it.
    Exchange broken(net, arbitrary(net, 11, true));
    bool images = true;
    for (int step = 0; step < 10 && images; ++step) {
      (void)broken.step(1);
      images = broken.queues_are_images();
    }
    EXPECT_FALSE(images) << spec;
  }
}

TEST(DissertationClaims, lemma_4_10_all_nodes_deroute_when_node_0_does) {
  int derouted = 0;
  int straight = 0;
  for (const std::string& spec : cayley_specs()) {
    const Topology net = parse_topology(spec);
    for (const bool shortest : {true, false}) {
      Exchange exchange(net, arbitrary(net, 5, shortest));
      for (int step = 0; step < 40 && !exchange.done(); ++step) {
        const std::vector<bool> deroutes = exchange.step();
        EXPECT_EQ(std::ranges::count(deroutes, deroutes[0]), stated(net.num_nodes()))
            << spec << " step " << step;
        EXPECT_FALSE(shortest && deroutes[0]) << spec;
        (deroutes[0] ? derouted : straight) += 1;
      }
    }
  }
  EXPECT_GT(derouted, 50);
  EXPECT_GT(straight, 50);
}

// What (4.14) and (4.15) ask of a plan for single-port total exchange: in every step every node sends, and
// every message comes closer to its destination. Also checks the count behind them: a step takes at most n
// off the sum of all distances.
bool always_busy_and_never_derouted(const Problem& problem, const Plan& plan) {
  const Topology& net = problem.topology();
  std::vector<std::vector<uint32_t>> to;
  for (const NodeId v : net.nodes()) to.push_back(distances_to(net, v));
  bool holds = true;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    std::set<NodeId> busy;
    int64_t closer = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      const ArcId arc = step.arcs(t)[0];
      const std::vector<uint32_t>& far = to[index(problem.destination(step.blocks(t)[0]))];
      const int64_t gain = int64_t{far[index(net.tail(arc))]} - far[index(net.head(arc))];
      busy.insert(net.tail(arc));
      closer += gain;
      holds = holds && gain == 1;
    }
    holds = holds && busy.size() == net.num_nodes();
    EXPECT_LE(closer, net.num_nodes());
  }
  return holds;
}

TEST(DissertationClaims, equations_4_14_and_4_15_decide_where_the_average_status_is_whole) {
  Model one_port;
  one_port.send = one_port.receive = kOnePort;
  std::vector<std::string> specs = cayley_specs();
  for (const char* spec :
       {"line(2)", "line(3)", "line(4)", "line(5)", "mesh(2,3)", "mesh(3,3)", "mesh(4,4)",
        "generalized_petersen(5,2)", "generalized_petersen(4,1)", "edges(\"a b, a c, a d, b c, b d\")",
        "tree(3)", "torus(5,3)", "edges(\"a b, b c, c d, d e, e a, a c\")", "product(line(3),ring(4))"})
    specs.emplace_back(spec);
  int met = 0;
  int missed = 0;
  for (const std::string& spec : specs) {
    const Topology net = parse_topology(spec);
    const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, one_port);
    uint64_t distances = 0;
    for (const NodeId v : net.nodes()) distances += status(net, v);
    const uint64_t n = net.num_nodes();
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective != CollectiveKind::kAlltoall) continue;
      const Preparation ready = prepare(*card, problem);
      if (!ready.fits.applies) continue;
      Plan plan;
      cheapest(ready.plans)->generate(plan);
      ASSERT_TRUE(verify(problem, plan).schedule.has_value()) << spec << " " << card->name;
      const uint64_t steps = plan.num_steps();
      const bool exact = steps * n == distances;
      EXPECT_GE(steps * n, distances);
      EXPECT_EQ(always_busy_and_never_derouted(problem, plan), stated(exact)) << spec << " " << card->name;
      if (exact) ++met;
      if (!exact) ++missed;
    }
  }
  EXPECT_GE(met, 20);
  EXPECT_GE(missed, 10);
}

TEST(DissertationClaims, where_the_average_status_is_no_whole_number_idle_nodes_may_still_meet_the_bound) {
  // K_4 without a link: average status 7/2, and 4 steps, in the last of which two nodes are idle.
  Model one_port;
  one_port.send = one_port.receive = kOnePort;
  const Topology net = parse_topology("edges(\"0 1, 0 2, 0 3, 1 2, 1 3\")");
  const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, one_port);
  struct Send {
    uint32_t from, to, source, destination;
  };
  const std::vector<std::vector<Send>> steps = {{{2, 0, 2, 3}, {3, 1, 3, 2}, {0, 2, 0, 2}, {1, 3, 1, 3}},
                                                {{0, 3, 2, 3}, {1, 2, 3, 2}, {2, 1, 2, 1}, {3, 0, 3, 0}},
                                                {{0, 3, 0, 3}, {3, 1, 3, 1}, {1, 2, 1, 2}, {2, 0, 2, 0}},
                                                {{0, 1, 0, 1}, {1, 0, 1, 0}}};
  Plan plan;
  for (const std::vector<Send>& sends : steps) {
    StepBuilder step;
    for (const Send& send : sends) {
      step.add(*net.find_arc(NodeId{send.from}, NodeId{send.to}),
               problem.collective().block(Rank{send.source}, Rank{send.destination}));
    }
    step.flush(plan);
  }
  EXPECT_TRUE(verify(problem, plan).schedule.has_value());
  EXPECT_EQ(distance_summary(net).average_status, Rational::of(7, 2));
  EXPECT_FALSE(always_busy_and_never_derouted(problem, plan));
}

}  // namespace dissertation_1996_cayley_test
}  // namespace quadrille
