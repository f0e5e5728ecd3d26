// Bounds, judges and algorithms against the optimum of every small problem, which is found by trying
// everything.
//
// No bound may be above it, its plan must pass both judges with just that figure, and no algorithm may be
// below.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exhaustive_optimum.test.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/mutants.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace optimum_test {

using testing::exhaustive_optimum;
using testing::Least;
using testing::Optimum;

bool keeps_sums_apart(const Plan& plan) {
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    if (!plan.step(s).slots.empty()) return true;
  }
  return false;
}

// --- networks -------------------------------------------------------------------------------------------

using Adjacency = std::vector<bool>;  // row by row

Adjacency renamed(const Adjacency& graph, const std::vector<uint32_t>& names) {
  const size_t n = names.size();
  Adjacency out(graph.size());
  for (size_t v = 0; v < n; ++v) {
    for (size_t w = 0; w < n; ++w) out[names[v] * n + names[w]] = graph[v * n + w];
  }
  return out;
}

// The same for all graphs that differ in the names of their nodes only.
Adjacency canonical(const Adjacency& graph, uint32_t n) {
  std::vector<uint32_t> names(n);
  for (uint32_t v = 0; v < n; ++v) names[v] = v;
  Adjacency best = graph;
  do best = std::max(best, renamed(graph, names));
  while (std::next_permutation(names.begin(), names.end()));
  return best;
}

bool everything_is_reached(const Adjacency& graph, uint32_t n, bool backwards) {
  std::vector<uint32_t> queue{0};
  std::set<uint32_t> seen{0};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (uint32_t w = 0; w < n; ++w) {
      if (graph[backwards ? w * n + queue[i] : queue[i] * n + w] && seen.insert(w).second) queue.push_back(w);
    }
  }
  return seen.size() == n;
}

bool goes_both_ways(const Adjacency& graph, uint32_t n) {
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t w = 0; w < v; ++w) {
      if (graph[v * n + w] != graph[w * n + v]) return false;
    }
  }
  return true;
}

// Every connected graph of n nodes, or every strongly connected one with some arc that has no way back, once.
std::vector<Adjacency> all_graphs(uint32_t n, bool directed) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t w = 0; w < n; ++w) {
      if (directed ? v != w : v < w) pairs.emplace_back(v, w);
    }
  }
  std::set<Adjacency> out;
  for (uint32_t set = 0; set < 1U << pairs.size(); ++set) {
    Adjacency graph(size_t{n} * n);
    for (size_t i = 0; i < pairs.size(); ++i) {
      if ((set >> i & 1U) == 0) continue;
      graph[pairs[i].first * n + pairs[i].second] = true;
      if (!directed) graph[pairs[i].second * n + pairs[i].first] = true;
    }
    if (directed && goes_both_ways(graph, n)) continue;
    if (everything_is_reached(graph, n, false) && everything_is_reached(graph, n, true))
      out.insert(canonical(graph, n));
  }
  return {out.begin(), out.end()};
}

// With `wide`, the first arc and its way back have two channels; with `router`, node 0 only forwards.
Topology network(const Adjacency& graph, uint32_t n, bool wide, bool router) {
  TopologyBuilder builder(fmt::format("graph of {} nodes", n), n);
  const auto first = static_cast<size_t>(std::find(graph.begin(), graph.end(), true) - graph.begin());
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t w = 0; w < n; ++w) {
      const bool is_first = v * n + w == first || w * n + v == first;
      if (graph[v * n + w]) builder.arc(NodeId{v}, NodeId{w}, wide && is_first ? 2 : 1);
    }
  }
  if (router) {
    std::vector<NodeId> endpoints;
    for (uint32_t v = 1; v < n; ++v) endpoints.push_back(NodeId{v});
    builder.endpoints(endpoints);
  }
  return builder.build();
}

std::vector<Topology> networks(uint32_t nodes, bool directed) {
  std::vector<Topology> out;
  for (const Adjacency& graph : all_graphs(nodes, directed)) {
    out.push_back(network(graph, nodes, false, false));
    if (nodes <= 3) out.push_back(network(graph, nodes, true, false));
    if (nodes >= 3) out.push_back(network(graph, nodes, nodes > 3, true));
  }
  return out;
}

// --- models ---------------------------------------------------------------------------------------------

std::vector<Model> models(const Topology& net) {
  std::vector<Model> out;
  for (const auto& [send, receive] : {std::pair{1U, 1U}, {0U, 0U}, {1U, 0U}, {0U, 1U}, {2U, 2U}}) {
    for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
      Model model;
      model.send = Ports{send};
      model.receive = Ports{receive};
      model.duplex = duplex;
      out.push_back(model);
      model.packets = Packets::kMany;
      out.push_back(model);
      model.packets = Packets::kOne;
      model.switching = Switching::kShared;
      out.push_back(model);
      model.switching = Switching::kWormhole;
      out.push_back(model);
      if (send != receive || send == 2 || duplex == Duplex::kHalf) continue;
      model.routing = Routing::kShortest;
      out.push_back(model);
      model.routing = Routing::kDimensionOrder;
      if (net.product() != nullptr) out.push_back(model);
    }
  }
  return out;
}

// A model may ask for no more ports than some node has links.
std::optional<Problem> problem_if_any(const Topology& net, CollectiveKind kind, const Model& model,
                                      NodeId root, uint32_t pieces) {
  const auto links = [&](bool out) {
    std::vector<uint32_t> count(net.num_nodes());
    for (const ArcId arc : net.arcs()) count[index(out ? net.tail(arc) : net.head(arc))] += net.capacity(arc);
    return *std::max_element(count.begin(), count.end());
  };
  if (model.send.count > std::max(1U, links(true)) || model.receive.count > std::max(1U, links(false)))
    return std::nullopt;
  return any_problem(net, kind, model, root, pieces);
}

// --- the comparison -------------------------------------------------------------------------------------

class OptimumTest : public ::testing::Test {
 protected:
  // Collectives, models, roots, and one piece or two: all of these problems on the network, or every so
  // many-th.
  void try_all(const Topology& net, uint64_t effort, uint64_t every = 1) {
    for (const CollectiveKind kind : kEveryCollective) {
      const bool rooted = any_problem(net, kind).collective().root().has_value();
      for (const Model& model : models(net)) {
        for (const NodeId root : net.endpoints()) {
          if (!rooted && root != net.endpoints().front()) break;
          for (const uint32_t pieces : {1U, 2U}) {
            const std::optional<Problem> problem = problem_if_any(net, kind, model, root, pieces);
            if (problem && met_++ % every == 0 && sample_.takes()) try_one(*problem, effort);
            if (HasFailure()) return;
          }
        }
      }
    }
  }

  void try_one(const Problem& problem, uint64_t effort) {
    const std::optional<Optimum> steps = exhaustive_optimum(problem, Least::kSteps, effort);
    std::optional<Optimum> blocks;
    if (carries_many(problem.model())) {
      blocks = exhaustive_optimum(problem, Least::kCriticalBlocks, effort);
    } else {
      blocks = steps;
    }
    (steps ? solved_ : given_up_) += 1;
    compare(problem, steps, BoundOn::kSteps);
    compare(problem, blocks, BoundOn::kCriticalBlocks);
    if (steps) no_algorithm_is_below(problem, steps->value, blocks);
  }

  void TearDown() override {
    fmt::print("{} optima, {} given up; the best bound on steps is the optimum in {}\n", solved_, given_up_,
               tight_);
    EXPECT_GT(tight_ * 2, solved_) << "bounds that never bind would pass, too";
  }

  Sample sample_{11};
  uint64_t met_ = 0;
  uint64_t solved_ = 0;
  uint64_t given_up_ = 0;
  uint64_t tight_ = 0;

 private:
  static uint64_t figure_of(const Figures& figures, BoundOn on) {
    return on == BoundOn::kSteps ? figures.steps : figures.critical_blocks;
  }

  void compare(const Problem& problem, const std::optional<Optimum>& optimum, BoundOn on) {
    if (!optimum) return;
    const auto what = [&] {
      return fmt::format("the optimum of {} is {}:\n{}", name_of(on), optimum->value,
                         testing::text_of(problem, optimum->plan));
    };
    const Verdict verdict = verify(problem, optimum->plan).verdict;
    const Verdict reference = reference_verify(problem, optimum->plan);
    ASSERT_TRUE(verdict.passed()) << to_text(verdict.findings.front()) << "\n" << what();
    ASSERT_TRUE(reference.passed()) << to_text(reference.findings.front()) << "\n" << what();
    EXPECT_EQ(figure_of(verdict.figures, on), optimum->value) << what();
    EXPECT_EQ(verdict.figures, reference.figures) << what();
    const std::vector<Bound> bounds = all_bounds(problem);
    const auto limit = static_cast<int64_t>(optimum->value);
    for (const Bound& bound : bounds) {
      // Steps in which nothing is sent can be left out, so a bound on steps is one on blocks, too.
      if (bound.on == BoundOn::kCriticalBlocks && on == BoundOn::kSteps) continue;
      EXPECT_LE(bound.value.ceil(), limit) << "bound " << bound.name << ": " << bound.witness << "\n"
                                           << what();
    }
    const int64_t best = best_of(bounds, on).value.ceil();
    EXPECT_LE(best, limit) << what();
    if (on == BoundOn::kSteps && best == limit) ++tight_;
  }

  void no_algorithm_is_below(const Problem& problem, uint64_t steps, const std::optional<Optimum>& blocks) {
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective != problem.collective().kind()) continue;
      const Preparation ready = prepare(*card, problem);
      if (!ready.fits.applies) continue;
      Plan plan;
      cheapest(ready.plans)->generate(plan);
      const Verdict verdict = verify(problem, plan).verdict;
      ASSERT_TRUE(verdict.passed()) << card->name << "\n" << testing::text_of(problem, plan);
      if (keeps_sums_apart(plan)) continue;  // what was tried sends all that a node has
      EXPECT_GE(verdict.figures.start_ups, steps) << card->name << "\n" << testing::text_of(problem, plan);
      if (blocks) {
        EXPECT_GE(verdict.figures.critical_blocks, blocks->value) << card->name << "\n"
                                                                  << testing::text_of(problem, plan);
      }
    }
  }
};

TEST_F(OptimumTest, OfUpToThreeNodesIsNotBelowAnyBound) {
  for (const uint32_t nodes : {1U, 2U, 3U}) {
    for (const Topology& net : networks(nodes, false)) try_all(net, 10'000, nodes);
  }
  for (const Topology& net : networks(3, true)) try_all(net, 5'000, 5);
  EXPECT_GT(solved_, 250U);
}

TEST_F(OptimumTest, OfFourNodesIsNotBelowAnyBound) {
  for (const Topology& net : networks(4, false)) try_all(net, 10'000, 61);
  EXPECT_GT(solved_, 4U);
}

// Thin places and nodes in the middle: what the bounds of irregular networks are about.
TEST_F(OptimumTest, OfNetworksWithBridgesIsNotBelowAnyBound) {
  const std::vector<std::vector<std::pair<uint32_t, uint32_t>>> all = {
      {{0, 1}, {1, 2}, {2, 3}, {3, 4}},                          // a line
      {{0, 1}, {0, 2}, {0, 3}, {0, 4}},                          // a star
      {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}},                  // a triangle with a tail
      {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}},          // two triangles that share a node
      {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}},  // two triangles with a bridge
      {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {3, 5}}};                 // a small tree
  for (const auto& links : all) {
    uint32_t nodes = 0;
    for (const auto& [v, w] : links) nodes = std::max({nodes, v + 1, w + 1});
    TopologyBuilder builder(fmt::format("{} links", links.size()), nodes);
    for (const auto& [v, w] : links) builder.link(NodeId{v}, NodeId{w});
    try_all(builder.build(), 20'000, 43);
  }
  EXPECT_GT(solved_, 1U);
}

// Hosts of one link each: what routers cannot send in the first and the last steps.
TEST_F(OptimumTest, OfHostsOnRoutersIsNotBelowAnyBound) {
  using Links = std::vector<std::pair<uint32_t, uint32_t>>;
  const std::vector<std::pair<uint32_t, Links>> all = {
      {2, {{0, 2}, {1, 2}}},                                  // two hosts on a router
      {3, {{0, 3}, {1, 3}, {2, 3}}},                          // three
      {2, {{0, 2}, {2, 3}, {3, 1}}},                          // one on each of two
      {2, {{0, 2}, {2, 3}, {3, 4}, {4, 1}}},                  // far apart
      {3, {{0, 3}, {1, 3}, {3, 4}, {4, 2}}},                  // two on one, one on the other
      {3, {{0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}, {5, 3}}},  // on a triangle
      {3, {{0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}},          // on a line
      {2, {{0, 2}, {0, 3}, {2, 1}, {3, 1}}}};                 // two links each
  for (const auto& [hosts, links] : all) {
    uint32_t nodes = 0;
    for (const auto& [v, w] : links) nodes = std::max({nodes, v + 1, w + 1});
    TopologyBuilder builder(fmt::format("{} hosts, {} links", hosts, links.size()), nodes);
    for (const auto& [v, w] : links) builder.link(NodeId{v}, NodeId{w});
    std::vector<NodeId> endpoints;
    for (uint32_t v = 0; v < hosts; ++v) endpoints.push_back(NodeId{v});
    builder.endpoints(endpoints);
    const Topology net = builder.build();
    for (const uint32_t ports : {0U, 1U}) {
      for (const uint32_t pieces : {1U, 2U, 3U}) {
        const std::optional<Problem> problem =
            problem_if_any(net, CollectiveKind::kAlltoall, {.send = Ports{ports}, .receive = Ports{ports}},
                           NodeId{0}, pieces);
        if (problem) try_one(*problem, Sample::whole() ? 300'000 : 50'000);
      }
    }
  }
  EXPECT_GT(solved_, 20U);
}

TEST_F(OptimumTest, OfSmallProductsIsNotBelowAnyBound) {
  for (const std::string_view spec : {"mesh(2,2)", "mesh(3,2)"}) try_all(parse_topology(spec), 20'000, 43);
  EXPECT_GT(solved_, 0U);
}

// What is known without a search.
TEST(ExhaustiveOptimum, IsWhatTheBooksSay) {
  const auto least = [](std::string_view spec, CollectiveKind kind, uint32_t ports,
                        Switching switching = Switching::kPacket, Least figure = Least::kSteps) {
    Model model;
    model.send = model.receive = Ports{ports};
    model.switching = switching;
    const auto found =
        exhaustive_optimum(standard_problem(parse_topology(spec), kind, model), figure, 1'000'000);
    return found ? static_cast<int64_t>(found->value) : -1;
  };
  EXPECT_EQ(least("line(1)", CollectiveKind::kAlltoall, 0), 0);
  EXPECT_EQ(least("line(4)", CollectiveKind::kBroadcast, 1), 3);
  EXPECT_EQ(least("complete(5)", CollectiveKind::kBroadcast, 1), 3) << "doubling";
  EXPECT_EQ(least("ring(5)", CollectiveKind::kBroadcast, 1), 3);
  EXPECT_EQ(least("ring(4)", CollectiveKind::kScatter, 1), 3) << "n - 1";
  EXPECT_EQ(least("ring(4)", CollectiveKind::kGather, 0), 2);
  EXPECT_EQ(least("ring(4)", CollectiveKind::kAllgather, 0), 2) << "half of the way round";
  EXPECT_EQ(least("ring(3)", CollectiveKind::kAlltoall, 1), 2) << "the total distance of a node";
  EXPECT_EQ(least("line(3)", CollectiveKind::kAlltoall, 0), 2) << "floor(n^2 / 4)";
  EXPECT_EQ(least("complete(4)", CollectiveKind::kReduce, 1), 2);
  EXPECT_EQ(least("complete(2)", CollectiveKind::kAllreduce, 1), 1);
  EXPECT_EQ(least("complete(3)", CollectiveKind::kReduceScatter, 0), 1);
  EXPECT_EQ(least("line(4)", CollectiveKind::kBroadcast, 1, Switching::kWormhole), 2) << "doubling";
  EXPECT_EQ(least("ring(4)", CollectiveKind::kScatter, 1, Switching::kWormhole), 2) << "doubling";
  EXPECT_EQ(least("ring(4)", CollectiveKind::kScatter, 1, Switching::kWormhole, Least::kCriticalBlocks), 3);
  EXPECT_EQ(least("line(3)", CollectiveKind::kAlltoall, 0, Switching::kShared), 1) << "everything at once";
  EXPECT_EQ(least("line(3)", CollectiveKind::kAlltoall, 1, Switching::kShared), 2) << "doubling";
  EXPECT_EQ(least("line(3)", CollectiveKind::kAlltoall, 0, Switching::kShared, Least::kCriticalBlocks), 2);
}

class OptimumSlow : public OptimumTest {};

TEST_F(OptimumSlow, OfThreeNodesWithMorePatience) {
  for (const bool directed : {false, true}) {
    for (const Topology& net : networks(3, directed)) try_all(net, 200'000);
  }
}

TEST_F(OptimumSlow, OfFourNodesIsNotBelowAnyBound) {
  for (const Topology& net : networks(4, false)) try_all(net, 50'000);
}

TEST_F(OptimumSlow, OfFourNodesWithOneWayLinksIsNotBelowAnyBound) {
  for (const Topology& net : networks(4, true)) try_all(net, 10'000, 7);
}

TEST_F(OptimumSlow, OfFiveNodesIsNotBelowAnyBound) {
  for (const Topology& net : networks(5, false)) try_all(net, 200'000, 17);
}

TEST_F(OptimumSlow, OfProductsIsNotBelowAnyBound) {
  for (const std::string_view spec : {"mesh(2,2)", "mesh(3,2)", "torus(3,2)", "mesh(4,2)", "mesh(2,2,2)"})
    try_all(parse_topology(spec), 200'000, 3);
}

}  // namespace optimum_test
}  // namespace quadrille
