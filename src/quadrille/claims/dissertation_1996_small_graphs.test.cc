// Chapters 1 to 3 of the 1996 dissertation on all small graphs: what bounds say is compared with searches that
// share no formula with them, and what needs no algorithm of ours is played through.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/compile/choice.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace dissertation_1996_small_graphs_test {

// A graph of few nodes: the neighbours of each as bits.
using Graph = std::vector<uint32_t>;

std::vector<uint32_t> distances(const Graph& graph, uint32_t from) {
  std::vector<uint32_t> far(graph.size(), UINT32_MAX);
  std::vector<uint32_t> queue = {from};
  far[from] = 0;
  for (size_t at = 0; at < queue.size(); ++at) {
    for (uint32_t to = 0; to < graph.size(); ++to) {
      if ((graph[queue[at]] >> to & 1U) == 0 || far[to] != UINT32_MAX) continue;
      far[to] = far[queue[at]] + 1;
      queue.push_back(to);
    }
  }
  return far;
}

// All sets of informed nodes that one step of one-port broadcasting can make of one.
void inform(const Graph& graph, uint32_t informed, uint32_t who, uint32_t now, std::set<uint32_t>& next) {
  if (who == graph.size()) {
    next.insert(now);
    return;
  }
  inform(graph, informed, who + 1, now, next);
  if ((informed >> who & 1U) == 0) return;
  for (uint32_t to = 0; to < graph.size(); ++to) {
    if ((graph[who] >> to & 1U) != 0 && (now >> to & 1U) == 0)
      inform(graph, informed, who + 1, now | 1U << to, next);
  }
}

// The fewest steps, by trying everything.
uint64_t one_port_broadcast(const Graph& graph, uint32_t root) {
  const uint32_t everyone = (1U << graph.size()) - 1;
  std::set<uint32_t> reached = {1U << root};
  uint64_t steps = 0;
  while (!reached.contains(everyone)) {
    std::set<uint32_t> next;
    for (const uint32_t informed : reached) inform(graph, informed, 0, informed, next);
    reached = std::move(next);
    ++steps;
  }
  return steps;
}

uint64_t choose(uint64_t n, uint64_t k) {
  if (k > n) return 0;
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// Every connected graph of 2 to 5 nodes, and some of 6.
std::vector<Graph> small_graphs() {
  std::vector<Graph> all;
  Rng rng(6);
  for (uint32_t n = 2; n <= 6; ++n) {
    const uint32_t pairs = n * (n - 1) / 2;
    const uint32_t tries = n < 6 ? 1U << pairs : 300;
    for (uint32_t t = 0; t < tries; ++t) {
      uint64_t edges = n < 6 ? t : rng.below(uint64_t{1} << pairs);
      Graph graph(n, 0);
      for (uint32_t a = 0; a < n; ++a) {
        for (uint32_t b = a + 1; b < n; ++b, edges >>= 1U) {
          if ((edges & 1U) == 0) continue;
          graph[a] |= 1U << b;
          graph[b] |= 1U << a;
        }
      }
      if (std::ranges::max(distances(graph, 0)) != UINT32_MAX) all.push_back(graph);
    }
  }
  return all;
}

TEST(DissertationClaims,
     one_port_broadcasts_on_all_small_graphs_take_no_less_than_the_bounds_of_section_3_2) {
  uint32_t met_by_doubling = 0;
  uint32_t met_by_distance = 0;
  uint32_t met_by_two = 0;
  uint32_t met_by_paths = 0;
  for (const Graph& graph : small_graphs()) {
    const uint64_t n = graph.size();
    const uint64_t steps = one_port_broadcast(graph, 0);
    const std::vector<uint32_t> far = distances(graph, 0);
    const uint64_t eccentricity = std::ranges::max(far);
    const bool two = std::ranges::count(far, eccentricity) >= 2;
    // log2 n, e(v), and e(v) + 1 where two nodes are so far.
    const auto doubling = static_cast<uint64_t>(std::bit_width(n - 1));
    ASSERT_GE(steps, stated(doubling));
    ASSERT_GE(steps, stated(eccentricity));
    if (two) {
      ASSERT_GE(steps, stated(eccentricity + 1));
    }
    met_by_doubling += steps == doubling ? 1 : 0;
    met_by_distance += steps == eccentricity ? 1 : 0;
    met_by_two += two && steps == eccentricity + 1 ? 1 : 0;
    // (3.2), for every d; that T - 1 steps are not enough is Theorem 3.3.
    for (uint64_t d = 1; d <= eccentricity; ++d) {
      const auto farther =
          static_cast<uint64_t>(std::ranges::count_if(far, [d](uint32_t x) { return x >= d; }));
      uint64_t paths = 0;
      for (uint64_t l = d; l <= steps; ++l) paths += choose(steps, l);
      ASSERT_GE(paths, stated(farther)) << d;
      met_by_paths += paths == farther ? 1 : 0;
    }
  }
  for (const uint32_t met : {met_by_doubling, met_by_distance, met_by_two, met_by_paths}) EXPECT_GT(met, 10U);
}

TEST(DissertationClaims, equation_6_1_is_the_broadcast_time_of_all_small_trees) {
  // All trees of up to 7 nodes in which every node hangs on an earlier one.
  for (uint32_t n = 1; n <= 7; ++n) {
    std::vector<uint32_t> parent(n, 0);
    for (bool more = true; more;) {
      Graph tree(n, 0);
      std::vector<std::vector<uint64_t>> times(n);  // of the children of each
      std::vector<uint64_t> time(n, 0);
      for (uint32_t v = n; v-- > 0;) {
        std::ranges::sort(times[v], std::greater<>());
        for (size_t i = 0; i < times[v].size(); ++i) time[v] = std::max(time[v], i + 1 + times[v][i]);
        if (v == 0) continue;
        times[parent[v]].push_back(time[v]);
        tree[v] |= 1U << parent[v];
        tree[parent[v]] |= 1U << v;
      }
      ASSERT_EQ(one_port_broadcast(tree, 0), stated(time[0]));
      uint32_t v = n - 1;
      while (v > 0 && ++parent[v] == v) parent[v--] = 0;
      more = n > 1 && v > 0;
    }
  }
}

// Whether total exchange is possible in so many steps, by trying all: in every step every link takes a message that is
// where it begins, or none, and with one port a node sends one message, however many it receives.
class ExchangeSearch {
 public:
  ExchangeSearch(const Graph& graph, bool one_port) : graph_(graph), one_port_(one_port) {
    for (uint32_t a = 0; a < graph.size(); ++a) {
      for (uint32_t b = 0; b < graph.size(); ++b) {
        if ((graph[a] >> b & 1U) != 0) links_.emplace_back(a, b);
        if (a != b) messages_.emplace_back(a, b);
      }
    }
  }

  /// The fewest, or `limit` if fewer are not possible.
  [[nodiscard]] uint64_t fewest_steps(uint64_t limit) const {
    std::set<Places> reached = {start()};
    for (uint64_t steps = 1; steps < limit; ++steps) {
      if (std::ranges::any_of(reached, [this](const Places& places) { return last_step(places); }))
        return steps;
      if (steps + 1 == limit) break;
      std::set<Places> next;
      for (const Places& places : reached) extend(places, places, 0, 0, next);
      reached = std::move(next);
    }
    return limit;
  }

 private:
  using Places = std::vector<uint8_t>;  // where each message is

  [[nodiscard]] Places start() const {
    Places places;
    for (const auto& [from, to] : messages_) places.push_back(static_cast<uint8_t>(from));
    return places;
  }

  // Everything that is not where it belongs can get there at once.
  [[nodiscard]] bool last_step(const Places& places) const {
    std::set<std::pair<uint32_t, uint32_t>> taken;
    for (size_t m = 0; m < places.size(); ++m) {
      const uint32_t at = places[m];
      const uint32_t to = messages_[m].second;
      if (at == to) continue;
      if ((graph_[at] >> to & 1U) == 0) return false;
      if (!taken.emplace(at, one_port_ ? 0 : to).second) return false;
    }
    return true;
  }

  // Messages that have arrived stay, and of messages with one destination in one place any may go.
  void extend(const Places& before, const Places& now, size_t link, uint32_t busy,
              std::set<Places>& next) const {
    if (link == links_.size()) {
      next.insert(now);
      return;
    }
    const auto [from, to] = links_[link];
    extend(before, now, link + 1, busy, next);
    if (one_port_ && (busy >> from & 1U) != 0) return;
    uint32_t tried = 0;
    for (size_t m = 0; m < before.size(); ++m) {
      const uint32_t bound = messages_[m].second;
      if (before[m] != from || now[m] != from || bound == from || (tried >> bound & 1U) != 0) continue;
      tried |= 1U << bound;
      Places moved = now;
      moved[m] = static_cast<uint8_t>(to);
      extend(before, moved, link + 1, busy | 1U << from, next);
    }
  }

  Graph graph_;
  bool one_port_;
  std::vector<std::pair<uint32_t, uint32_t>> links_;
  std::vector<std::pair<uint32_t, uint32_t>> messages_;
};

TEST(DissertationClaims, total_exchange_on_small_networks_takes_no_less_than_its_bounds) {
  // One port, (4.4) and (4.5): the average of the sums of distances, rounded up, however many a node may receive.
  const Graph line3 = {2, 5, 2};
  const Graph ring3 = {6, 5, 3};
  const Graph ring4 = {10, 5, 10, 5};
  const Graph star4 = {14, 1, 1, 1};
  const Graph complete4 = {14, 13, 11, 7};
  for (const Graph& graph : {line3, ring3, complete4}) {
    const auto n = static_cast<uint32_t>(graph.size());
    uint64_t sum = 0;
    for (uint32_t v = 0; v < n; ++v)
      for (const uint32_t far : distances(graph, v)) sum += far;
    const uint64_t bound = (sum + n - 1) / n;
    EXPECT_EQ(ExchangeSearch(graph, true).fewest_steps(bound), stated(bound));
  }
  // All ports, (4.1): of all cuts the one that takes longest.
  for (const Graph& graph : {line3, ring3, ring4, star4}) {
    const auto n = static_cast<uint32_t>(graph.size());
    uint64_t bound = 0;
    for (uint32_t cut = 1; cut + 1 < 1U << n; ++cut) {
      uint64_t inside = 0;
      uint64_t links = 0;
      for (uint32_t a = 0; a < n; ++a) {
        if ((cut >> a & 1U) == 0) continue;
        ++inside;
        links += static_cast<uint64_t>(std::popcount(graph[a] & ~cut));
      }
      bound = std::max(bound, (inside * (n - inside) + links - 1) / links);
    }
    EXPECT_EQ(ExchangeSearch(graph, false).fewest_steps(bound), stated(bound));
  }
}

TEST(DissertationClaims, flooding_informs_every_node_in_its_distance_and_most_of_them_more_than_once) {
  for (const Graph& graph : small_graphs()) {
    // Who is informed in a step sends to all neighbours in the next.
    const std::vector<uint32_t> far = distances(graph, 0);
    std::vector<uint32_t> told(graph.size(), UINT32_MAX);
    told[0] = 0;
    uint64_t messages = 0;
    uint64_t links = 0;
    uint32_t step = 0;
    for (std::vector<uint32_t> now = {0}; !now.empty();) {
      ++step;
      std::vector<uint32_t> next;
      for (const uint32_t from : now) {
        for (uint32_t to = 0; to < graph.size(); ++to) {
          if ((graph[from] >> to & 1U) == 0) continue;
          ++messages;
          if (told[to] != UINT32_MAX) continue;
          told[to] = step;
          next.push_back(to);
        }
      }
      now = next;
    }
    for (const uint32_t neighbours : graph) links += static_cast<uint64_t>(std::popcount(neighbours));
    for (uint32_t v = 0; v < graph.size(); ++v) ASSERT_EQ(told[v], stated(far[v]));
    ASSERT_EQ(messages, stated(links));  // n - 1 of them would be enough
    ASSERT_GE(links, 2 * (graph.size() - 1));
  }
}

TEST(DissertationClaims, a_total_exchange_transposes_a_matrix) {
  for (const char* spec : {"line(5)", "ring(6)", "torus(3,4)", "hypercube(3)", "star(3)", "fat_tree(2^2)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t count : {1U, 0U}) {
      const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, ports(count));
      const auto n = static_cast<uint32_t>(net.endpoints().size());
      // Row i lies in the i-th endpoint; entries go where the plan takes their blocks.
      std::map<std::pair<NodeId, uint32_t>, uint64_t> held;  // by node and block
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
          if (i != j)
            held[{net.endpoint(Rank{i}),
                  static_cast<uint32_t>(problem.collective().block(Rank{i}, Rank{j}))}] = i * 100 + j;
        }
      }
      Plan plan;
      choose_algorithm(problem).generate(plan);
      for (size_t s = 0; s < plan.num_steps(); ++s) {
        const StepView step = plan.step(s);
        auto after = held;
        for (size_t t = 0; t < step.size(); ++t) {
          const auto block = static_cast<uint32_t>(step.blocks(t)[0]);
          const uint64_t entry = held.at({net.tail(step.arcs(t)[0]), block});
          after.erase({net.tail(step.arcs(t)[0]), block});
          after[{net.head(step.arcs(t)[0]), block}] = entry;
        }
        held = std::move(after);
      }
      ASSERT_EQ(held.size(), n * (n - 1)) << spec;
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
          if (i == j) continue;
          const auto block = static_cast<uint32_t>(problem.collective().block(Rank{j}, Rank{i}));
          EXPECT_EQ((held.at({net.endpoint(Rank{i}), block})), stated(j * 100 + i)) << spec;
        }
      }
    }
  }
}

}  // namespace dissertation_1996_small_graphs_test
}  // namespace quadrille
