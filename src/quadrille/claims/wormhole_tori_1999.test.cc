// Claims of the 1999 paper about the gather-scatter tree that a run does not show: which routes it offers,
// which block moves when, who is busy. Trees and exchanges are built here from the paper's definitions,
// slowly; the schedule of the program is held against them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_mesh;
extern const Algorithm alltoall_mesh_hybrid;
extern const Algorithm alltoall_wormhole_classes;
extern const Algorithm alltoall_wormhole_t1;
}  // namespace algorithms

namespace wormhole_tori_1999_test {

using Nodes = std::vector<uint32_t>;

// --- the tree and the exchange over it, by definition ---------------------------------------------------

struct Phase {
  bool gathers;
  uint32_t level;
  [[nodiscard]] std::string name() const { return fmt::format("{}P_{}", gathers ? "G" : "S", level); }
};

// Phases GP_0 .. GP_(d-2), SP_(d-2) .. SP_0; in those of level l the multiples of 2^l hop to the next one, or
// to 0 where there is no next one. On n = 2^d that is Definition 1, on other n the one of section 5.
class Tree {
 public:
  explicit Tree(uint32_t n) : n_(n), d_(static_cast<uint32_t>(std::bit_width(n - 1))) {
    for (uint32_t l = 0; l + 2 <= d_; ++l) phases_.push_back({true, l});
    for (uint32_t l = d_ - 1; l-- > 0;) phases_.push_back({false, l});
  }

  [[nodiscard]] uint32_t n() const { return n_; }
  [[nodiscard]] uint32_t d() const { return d_; }
  [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
  [[nodiscard]] bool in_level(uint32_t v, uint32_t l) const { return l + 2 <= d_ && v % (1U << l) == 0; }
  // The node that v hops to, if it hops.
  [[nodiscard]] std::optional<uint32_t> hop(uint32_t v, const Phase& phase) const {
    if (!in_level(v, phase.level)) return std::nullopt;
    const uint32_t next = v + (1U << phase.level);
    return next < n_ ? next : 0;
  }
  [[nodiscard]] uint32_t distance(uint32_t from, uint32_t to) const { return (to + n_ - from) % n_; }

  // Where something can be after phases [first, last) if it is at v before.
  [[nodiscard]] std::vector<bool> reach(uint32_t v, size_t first, size_t last) const {
    std::vector<bool> out(n_, false);
    out[v] = true;
    for (size_t p = first; p < last; ++p) {
      std::vector<bool> next = out;
      for (uint32_t u = 0; u < n_; ++u) {
        if (const auto to = hop(u, phases_[p]); to && out[u]) next[*to] = true;
      }
      out = next;
    }
    return out;
  }

 private:
  uint32_t n_;
  uint32_t d_;
  std::vector<Phase> phases_;
};

// All routes: the phases in which one hops.
std::set<std::string> routes(const Tree& tree, uint32_t from, uint32_t to) {
  std::vector<std::set<std::string>> at(tree.n());
  at[from].insert("");
  for (const Phase& phase : tree.phases()) {
    std::vector<std::set<std::string>> next = at;
    for (uint32_t v = 0; v < tree.n(); ++v) {
      const auto head = tree.hop(v, phase);
      if (!head) continue;
      for (const std::string& route : at[v])
        next[*head].insert(route + (route.empty() ? "" : " ") + phase.name());
    }
    at = next;
  }
  return at[to];
}

// Section 2.2's rule for all blocks at positive distance up to n/2. What it says of the top level, where
// V_(d-1) is empty, depends on the reading: nodes are outside V_(d-1) (Definition 2), or they are treated as
// if they were in it, which Lemmas 3 and 4 count.
enum class Top { kOutside, kInside };

bool rule_sends(const Tree& tree, const Phase& phase, uint32_t v, uint32_t x, Top top) {
  const uint32_t arc = 1U << phase.level;
  if (!phase.gathers) return x >= arc;
  const bool inside =
      tree.in_level(v, phase.level + 1) || (top == Top::kInside && phase.level + 2 == tree.d());
  return inside ? arc <= x && x < 3 * arc : x >= 2 * arc;
}

struct Exchange {
  std::vector<std::map<std::pair<uint32_t, uint32_t>, uint32_t>> moved;  // by phase: block -> node it left
  std::map<std::pair<uint32_t, uint32_t>, std::string> way;              // "1 GP_0 2 SP_0 3"
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> at;                  // in the end

  [[nodiscard]] uint64_t largest(size_t phase) const {
    std::map<uint32_t, uint64_t> by_node;
    for (const auto& [block, from] : moved[phase]) ++by_node[from];
    uint64_t most = 0;
    for (const auto& [node, count] : by_node) most = std::max(most, count);
    return most;
  }
};

Exchange exchange(const Tree& tree, Top top) {
  Exchange out;
  for (uint32_t s = 0; s < tree.n(); ++s) {
    for (uint32_t x = 1; x <= tree.n() / 2; ++x) {
      out.at[{s, (s + x) % tree.n()}] = s;
      out.way[{s, (s + x) % tree.n()}] = fmt::format("{}", s);
    }
  }
  for (const Phase& phase : tree.phases()) {
    auto& moved = out.moved.emplace_back();
    for (auto& [block, v] : out.at) {
      const auto head = tree.hop(v, phase);
      if (!head || !rule_sends(tree, phase, v, tree.distance(v, block.second), top)) continue;
      moved[block] = v;
      v = *head;
      out.way[block] += fmt::format(" {} {}", phase.name(), v);
    }
  }
  return out;
}

// --- section 1 ------------------------------------------------------------------------------------------

uint64_t fewest_blocks(const Algorithm& card, const Problem& problem) {
  uint64_t out = UINT64_MAX;
  for (const PreparedPlan& plan : prepare(card, problem).plans)
    out = std::min(out, *plan->prediction().critical_blocks);
  return out;
}

uint64_t least_blocks(const Problem& problem) {
  return static_cast<uint64_t>(best_bound(problem, BoundOn::kCriticalBlocks).value.ceil());
}

TEST(WormholeClaims, Section1MeshAlgorithmsOnTori) {
  for (const std::string_view sides : {"4,4", "6,4", "8,8", "5,7", "4,4,4"}) {
    const Problem torus = worms_on(fmt::format("torus({})", sides));
    const Problem mesh = worms_on(fmt::format("mesh({})", sides));
    EXPECT_EQ(judged_steps(algorithms::alltoall_mesh, torus), judged_steps(algorithms::alltoall_mesh, mesh));
    EXPECT_EQ(fewest_blocks(algorithms::alltoall_mesh, torus),
              fewest_blocks(algorithms::alltoall_mesh, mesh));
  }
  // Of what stays on the links of the mesh nothing can come below the mesh's own bound.
  for (const uint32_t n : {8U, 16U, 32U, 64U}) {
    const Problem torus = worms_on(fmt::format("torus({},{})", n, n));
    const uint64_t of_mesh = least_blocks(worms_on(fmt::format("mesh({},{})", n, n)));
    EXPECT_EQ(of_mesh, stated(2 * least_blocks(torus))) << n;
    for (const Algorithm* card : {&algorithms::alltoall_mesh, &algorithms::alltoall_mesh_hybrid})
      EXPECT_GE(fewest_blocks(*card, torus), of_mesh) << n;
    const uint64_t of_torus = n == 8 ? judged_steps(algorithms::alltoall_direct, torus)
                                     : fewest_blocks(algorithms::alltoall_wormhole_classes, torus);
    EXPECT_LT(of_torus, of_mesh) << n;
  }
}

TEST(WormholeClaims, Section1DirectStartUps) {
  // Worms of one block: as many start-ups as blocks on the critical path, which are at least n^3/8 or n^4/8.
  for (const auto& [spec, printed] :
       std::vector<std::pair<std::string_view, uint64_t>>{{"torus(4,4)", 8},
                                                          {"torus(6,6)", 27},
                                                          {"torus(8,8)", 64},
                                                          {"torus(10,10)", 125},
                                                          {"torus(4,4,4)", 32}}) {
    const Problem problem = worms_on(spec);
    const uint64_t start_ups = judged_steps(algorithms::alltoall_direct, problem);
    EXPECT_EQ(start_ups, fewest_blocks(algorithms::alltoall_direct, problem)) << spec;
    EXPECT_EQ(least_blocks(problem), stated(std::max<uint64_t>(printed, problem.topology().num_nodes() - 1)))
        << spec;
    EXPECT_GE(start_ups, least_blocks(problem)) << spec;
    EXPECT_LE(4 * start_ups, 3 * 2 * least_blocks(problem)) << spec;  // at most half as many again
  }
}

// --- section 2 ------------------------------------------------------------------------------------------

TEST(WormholeClaims, Figure1) {
  for (uint32_t d = 3; d <= 7; ++d) {
    const Tree tree(1U << d);
    // Its height: the most gathering hops that anything can make.
    std::vector<uint32_t> hops(tree.n(), 0);
    for (const Phase& phase : tree.phases()) {
      if (!phase.gathers) break;
      std::vector<uint32_t> next = hops;
      for (uint32_t v = 0; v < tree.n(); ++v) {
        if (const auto head = tree.hop(v, phase)) next[*head] = std::max(next[*head], hops[v] + 1);
      }
      hops = next;
    }
    EXPECT_EQ(*std::ranges::max_element(hops), stated(d - 1));
    EXPECT_EQ(routes(tree, 2, 4), (std::set<std::string>{"GP_1", "SP_1", "GP_0 SP_0"})) << d;
  }
}

TEST(WormholeClaims, Observation1) {
  for (uint32_t d = 3; d <= 7; ++d) {
    const Tree tree(1U << d);
    for (const Top top : {Top::kOutside, Top::kInside}) {
      const Exchange done = exchange(tree, top);
      std::vector<uint64_t> sent(tree.n(), 0);
      std::vector<uint64_t> largest(tree.n(), 0);
      for (const auto& moved : done.moved) {
        std::vector<uint64_t> worms(tree.n(), 0);
        for (const auto& [block, from] : moved) ++worms[from];
        for (uint32_t v = 0; v < tree.n(); ++v) {
          sent[v] += worms[v];
          largest[v] = std::max(largest[v], worms[v]);
        }
      }
      // By the highest level that a node is in: phases that it joins, blocks that it sends in all.
      std::map<uint32_t, std::set<std::pair<uint64_t, uint64_t>>> busy;
      for (uint32_t v = 0; v < tree.n(); ++v) {
        uint32_t level = 0;
        while (tree.in_level(v, level + 1)) ++level;
        const auto joined = std::ranges::count_if(
            tree.phases(), [&](const Phase& phase) { return tree.hop(v, phase).has_value(); });
        busy[level].insert({joined, sent[v]});
      }
      ASSERT_EQ(busy.size(), stated(d - 1));
      // Nodes 0 and n/8 are in the two highest levels.
      EXPECT_EQ(largest[0] > largest[tree.n() / 8], d < 5) << "largest worms, d = " << d;
      for (uint32_t level = 0; level + 1 < d; ++level) {
        ASSERT_EQ(busy[level].size(), 1U) << "nodes of a level are equally busy";
        EXPECT_EQ(busy[level].begin()->first, 2 * (level + 1));
        if (level == 0) continue;
        EXPECT_GT(busy[level].begin()->second, busy[level - 1].begin()->second);
      }
    }
  }
}

// The rule sends what could not arrive otherwise, or whatever its receiver can still deliver.
TEST(WormholeClaims, RuleForGathering) {
  for (uint32_t d = 3; d <= 7; ++d) {
    const Tree tree(1U << d);
    const size_t end = tree.phases().size();
    for (size_t p = 0; tree.phases()[p].gathers; ++p) {
      const Phase& phase = tree.phases()[p];
      for (uint32_t v = 0; v < tree.n(); v += 1U << phase.level) {
        const std::vector<bool> staying = tree.reach(v, p + 1, end);
        const std::vector<bool> sent = tree.reach(*tree.hop(v, phase), p + 1, end);
        for (uint32_t x = 0; x < tree.n(); ++x) {
          const uint32_t t = (v + x) % tree.n();
          const bool sends = rule_sends(tree, phase, v, x, Top::kOutside);
          if (tree.in_level(v, phase.level + 1)) {
            EXPECT_EQ(sends, stated<bool>(sent[t]))
                << d << ", level " << phase.level << ": " << v << " to " << t;
          } else {
            EXPECT_EQ(sends, !staying[t]) << d << ", level " << phase.level << ": " << v << " to " << t;
          }
          const bool top = phase.level + 2 == d;
          EXPECT_EQ(rule_sends(tree, phase, v, x, Top::kInside), top ? sent[t] : sends);
        }
      }
    }
  }
}

TEST(WormholeClaims, RuleForGatheringDeliversWithEitherTop) {
  for (uint32_t d = 3; d <= 7; ++d) {
    const Tree tree(1U << d);
    const Exchange outside = exchange(tree, Top::kOutside);
    const Exchange inside = exchange(tree, Top::kInside);
    for (const Exchange& done : {outside, inside}) {
      for (const auto& [block, v] : done.at) EXPECT_EQ(v, block.second) << done.way.at(block);
    }
    // The two top phases change places, and all others are the same.
    const size_t gp = d - 2;
    const size_t sp = d - 1;
    for (size_t p = 0; p < tree.phases().size(); ++p) {
      const size_t q = p == gp ? sp : p == sp ? gp : p;
      EXPECT_EQ(outside.largest(p), inside.largest(q)) << d << ", phase " << p;
    }
    EXPECT_EQ(inside.largest(gp), (uint64_t{1} << (2 * d)) / 64 + (3U << d) / 8);  // Lemma 3
    EXPECT_EQ(inside.largest(sp), 1U);                                             // Lemma 4
  }
}

// The way of a block in the published schedule, with both directions: "1 GP_0 2 SP_0 3".
std::map<std::pair<uint32_t, uint32_t>, std::string> ways_of_the_card(const Tree& tree) {
  const Problem problem = worms_on(fmt::format("ring({})", tree.n()));
  Plan plan;
  prepare(algorithms::alltoall_wormhole_t1, problem).find("published")->generate(plan);
  EXPECT_EQ(plan.num_steps(), tree.phases().size());
  std::map<std::pair<uint32_t, uint32_t>, std::string> out;
  for (size_t p = 0; p < plan.num_steps(); ++p) {
    const StepView step = plan.step(p);
    for (size_t i = 0; i < step.size(); ++i) {
      const NodeId to = problem.topology().head(step.arcs(i).back());
      for (const BlockId block : step.blocks(i)) {
        const auto s = static_cast<uint32_t>(index(problem.origin(block)));
        std::string& way = out[{s, static_cast<uint32_t>(index(problem.destination(block)))}];
        if (way.empty()) way = fmt::format("{}", s);
        way += fmt::format(" {} {}", tree.phases()[p].name(), index(to));
      }
    }
  }
  return out;
}

TEST(WormholeClaims, Figure3AndExample1) {
  const Tree tree(16);
  const Exchange done = exchange(tree, Top::kInside);
  const auto way = [&](uint32_t s, uint32_t t) { return done.way.at({s, t}); };
  // From node 1.
  EXPECT_EQ(way(1, 2), stated("1 SP_0 2"));
  EXPECT_EQ(way(1, 3), "1 GP_0 2 SP_0 3");
  EXPECT_EQ(way(1, 4), "1 GP_0 2 SP_1 4");
  EXPECT_EQ(way(1, 5), "1 GP_0 2 SP_1 4 SP_0 5");
  for (uint32_t t = 6; t <= 9; ++t) EXPECT_TRUE(way(1, t).starts_with("1 GP_0 2 GP_1 4 ")) << way(1, t);
  // From node 3: 10 and 11 remain in GP_1 where they are, and that is node 4; the example prints 6.
  EXPECT_EQ(way(3, 4), "3 SP_0 4");
  EXPECT_EQ(way(3, 5), "3 GP_0 4 SP_0 5");
  for (uint32_t t = 6; t <= 9; ++t) EXPECT_TRUE(way(3, t).starts_with("3 GP_0 4 GP_1 6")) << way(3, t);
  for (const uint32_t t : {10U, 11U}) {
    EXPECT_TRUE(way(3, t).starts_with("3 GP_0 4 GP_2 8 ")) << way(3, t);
    EXPECT_FALSE(tree.reach(3, 0, 1)[6]) << "nothing of 3 is at 6 before GP_1";
  }
  EXPECT_EQ(way(0, 8), "0 GP_2 4 SP_2 8");
  // It is alone of the four sources' blocks in SP_2; with the other reading of the top level it is not.
  const auto in_sp2 = [](const Exchange& of) {
    std::set<std::pair<uint32_t, uint32_t>> out;
    for (const auto& [block, from] : of.moved[3]) {
      if (block.first < 4) out.insert(block);
    }
    return out;
  };
  EXPECT_EQ(in_sp2(done), (std::set<std::pair<uint32_t, uint32_t>>{{0, 8}}));
  EXPECT_EQ(in_sp2(exchange(tree, Top::kOutside)).size(), 10U);
  // Sharing the ring with the other direction changes the way of no block that goes 3 or farther.
  const auto ways = ways_of_the_card(tree);
  for (uint32_t s = 0; s < 16; ++s) {
    for (uint32_t x = 3; x <= 8; ++x) {
      const std::pair<uint32_t, uint32_t> block{s, (s + x) % 16};
      EXPECT_EQ(ways.at(block), done.way.at(block));
    }
  }
}

TEST(WormholeClaims, Lemma1) {
  for (uint32_t n = 8; n <= 128; n *= 2) {
    const Tree tree(n);
    for (uint32_t s = 0; s < n; ++s) {
      const std::vector<bool> reached = tree.reach(s, 0, tree.phases().size());
      for (uint32_t x = 0; x <= n / 2; ++x)
        EXPECT_EQ(reached[(s + x) % n] ? 1 : 0, stated(1)) << n << ": " << s << "+" << x;
    }
  }
}

TEST(WormholeClaims, Section24Sequential) {
  // Of the 2n links the positive phases use n, whatever their level; the negative ones the other n. One after the
  // other they are twice as many phases.
  for (uint32_t n = 8; n <= 64; n *= 2) {
    const Tree tree(n);
    for (const Phase& phase : tree.phases()) {
      std::multiset<uint32_t> positive;
      for (uint32_t v = 0; v < n; ++v) {
        const auto to = tree.hop(v, phase);
        for (uint32_t at = v; to && at != *to; at = (at + 1) % n) positive.insert(at);
      }
      EXPECT_EQ(positive.size(), stated(n)) << phase.name();
      EXPECT_EQ(std::set<uint32_t>(positive.begin(), positive.end()).size(), stated(n)) << phase.name();
    }
    EXPECT_EQ(2 * tree.phases().size(), stated(4 * tree.d() - 4));
  }
}

// --- sections 3 and 4 -----------------------------------------------------------------------------------

// Logical tori: nodes with the same coordinates mod h, and the links of the rings between them.
struct LogicalTori {
  std::map<Nodes, std::set<uint32_t>> nodes{};  // by class
  std::map<Nodes, std::set<std::pair<uint32_t, uint32_t>>>
      links{};  // a node and the dimension in which one goes on
};

LogicalTori logical_tori(uint32_t n, uint32_t dimensions, uint32_t h) {
  LogicalTori out;
  uint32_t all = 1;
  for (uint32_t d = 0; d < dimensions; ++d) all *= n;
  for (uint32_t v = 0; v < all; ++v) {
    Nodes x;
    for (uint32_t rest = v, d = 0; d < dimensions; ++d, rest /= n) x.push_back(rest % n);
    Nodes of;
    for (const uint32_t c : x) of.push_back(c % h);
    out.nodes[of].insert(v);
    uint32_t stride = 1;
    for (uint32_t d = 0; d < dimensions; ++d, stride *= n) {
      for (uint32_t hop = 0; hop < h; ++hop)  // to the next node of the class, h links away
        out.links[of].emplace(v - x[d] * stride + (x[d] + hop) % n * stride, d);
    }
  }
  return out;
}

// How many pairs of classes share a node, and how many share a link, by whether their sums agree mod h.
struct Shared {
  uint32_t nodes = 0;
  uint32_t links_of_same_sum = 0;
  uint32_t links_of_other_sum = 0;
};

Shared shared(const LogicalTori& tori, uint32_t h) {
  Shared out;
  for (const auto& [a, nodes] : tori.nodes) {
    for (const auto& [b, others] : tori.nodes) {
      if (!(a < b)) continue;
      const auto meet = [](const auto& x, const auto& y) {
        return std::ranges::any_of(x, [&](const auto& e) { return y.contains(e); });
      };
      if (meet(nodes, others)) ++out.nodes;
      if (!meet(tori.links.at(a), tori.links.at(b))) continue;
      uint32_t sum = 0;
      for (size_t d = 0; d < a.size(); ++d) sum += a[d] + h - b[d];
      ++(sum % h == 0 ? out.links_of_same_sum : out.links_of_other_sum);
    }
  }
  return out;
}

TEST(WormholeClaims, PropertiesP1AndP2) {
  for (uint32_t n = 4; n <= 14; n += 2) {
    const LogicalTori tori = logical_tori(n, 2, 2);
    EXPECT_EQ(tori.nodes.size(), stated(4U));
    for (const auto& [of, nodes] : tori.nodes) EXPECT_EQ(nodes.size(), stated(n * n / 4));
    const Shared both = shared(tori, 2);
    EXPECT_EQ(both.nodes, stated(0U)) << n;               // P1
    EXPECT_EQ(both.links_of_same_sum, stated(0U)) << n;   // P2: (0,0) and (1,1), (1,0) and (0,1)
    EXPECT_EQ(both.links_of_other_sum, stated(4U)) << n;  // the others share a dimension's lines
  }
}

TEST(WormholeClaims, PropertiesP1AndP2InThreeDimensions) {
  for (const uint32_t n : {8U, 12U}) {
    const LogicalTori tori = logical_tori(n, 3, 4);
    EXPECT_EQ(tori.nodes.size(), stated(64U));
    for (const auto& [of, nodes] : tori.nodes) EXPECT_EQ(nodes.size(), stated(n * n * n / 64));
    const Shared both = shared(tori, 4);
    EXPECT_EQ(both.nodes, stated(0U)) << n;              // P1'
    EXPECT_EQ(both.links_of_same_sum, stated(0U)) << n;  // P2'
    EXPECT_GT(both.links_of_other_sum, 0U) << n;
  }
}

// --- section 5 ------------------------------------------------------------------------------------------

// Nodes from which v has collected before GP_l.
Nodes gathered(const Tree& tree, uint32_t v, uint32_t l) {
  Nodes out;
  for (uint32_t u = 0; u < tree.n(); ++u) {
    if (tree.reach(u, 0, l)[v]) out.push_back(u);
  }
  return out;
}

// Nodes that v reaches by SP_(l-1) .. SP_0.
Nodes scattered(const Tree& tree, uint32_t v, uint32_t l) {
  const std::vector<bool> reached = tree.reach(v, tree.phases().size() - l, tree.phases().size());
  Nodes out;
  for (uint32_t u = 0; u < tree.n(); ++u) {
    if (reached[u]) out.push_back(u);
  }
  return out;
}

TEST(WormholeClaims, Figure8) {
  EXPECT_EQ(gathered(Tree(10), 0, 3), (Nodes{0, 5, 6, 7, 8, 9}));
  EXPECT_EQ(scattered(Tree(13), 12, 3), (Nodes{0, 1, 2, 3, 12}));
  // On powers of two they are 2^l nodes, as section 2.1 has it, and the wrap-around changes nothing.
  for (uint32_t l = 0; l <= 4; ++l) {
    EXPECT_EQ(gathered(Tree(32), 16, l).size(), stated(1U << l));
    EXPECT_EQ(scattered(Tree(32), 16, l).size(), 1U << l);
  }
  // And as the text goes on: the tree still has a way to every node at distance n/2 or less.
  for (uint32_t n = 3; n <= 70; ++n) {
    const Tree tree(n);
    for (uint32_t s = 0; s < n; ++s) {
      const std::vector<bool> reached = tree.reach(s, 0, tree.phases().size());
      for (uint32_t x = 0; x <= n / 2; ++x) EXPECT_TRUE(reached[(s + x) % n]) << n << ": " << s << "+" << x;
    }
  }
}

}  // namespace wormhole_tori_1999_test
}  // namespace quadrille
