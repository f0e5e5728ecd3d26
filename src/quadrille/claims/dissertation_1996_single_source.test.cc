// Chapter 3 of the 1996 dissertation: trees, and how many nodes a message can reach in so many steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace dissertation_1996_single_source_test {

// A rooted tree: the parent of each node, kNone for the root.
constexpr uint32_t kNone = UINT32_MAX;
using Parents = std::vector<uint32_t>;

Parents random_spanning_tree(const Topology& net, uint32_t root, Rng& rng) {
  Parents parent(net.num_nodes(), kNone);
  std::vector<uint32_t> in = {root};
  while (in.size() < net.num_nodes()) {
    const uint32_t from = in[rng.below(in.size())];
    const IdRange<ArcId> arcs = net.arcs_from(NodeId{from});
    const auto to = static_cast<uint32_t>(net.head(arcs[static_cast<uint32_t>(rng.below(arcs.size()))]));
    if (std::ranges::find(in, to) != in.end()) continue;
    parent[to] = from;
    in.push_back(to);
  }
  return parent;
}

// The construction of theorem 3.1: a copy of the tree of the first k-1 dimensions at every node of the tree
// of dimension k. Nodes are tuples.
using Tuple = std::vector<uint32_t>;
std::map<Tuple, Tuple> product_tree(const std::vector<Parents>& trees) {
  std::map<Tuple, Tuple> parents;  // of all but the root
  Tuple root;
  std::vector<Tuple> nodes = {{}};
  for (const Parents& tree : trees) {
    const auto top = static_cast<uint32_t>(std::ranges::find(tree, kNone) - tree.begin());
    const auto with = [](Tuple tuple, uint32_t digit) {
      tuple.push_back(digit);
      return tuple;
    };
    std::map<Tuple, Tuple> larger;
    std::vector<Tuple> more;
    for (uint32_t x = 0; x < tree.size(); ++x) {
      for (const auto& [child, parent] : parents) larger[with(child, x)] = with(parent, x);
      for (const Tuple& node : nodes) more.push_back(with(node, x));
      if (x != top) larger[with(root, x)] = with(root, tree[x]);
    }
    parents = std::move(larger);
    nodes = std::move(more);
    root.push_back(top);
  }
  return parents;
}

TEST(DissertationClaims, children_in_the_product_tree_lie_in_the_dimensions_of_section_3_1_1) {
  Rng rng(31);
  const std::vector<std::vector<std::string>> products = {{"line(4)"},
                                                          {"line(2)", "line(2)", "line(2)"},
                                                          {"line(3)", "line(4)", "line(2)"},
                                                          {"ring(5)", "star(3)"},
                                                          {"complete(4)", "ring(3)"},
                                                          {"line(1)", "ring(4)", "line(3)"}};
  for (const std::vector<std::string>& factors : products) {
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<Parents> trees;
      for (const std::string& spec : factors) {
        const Topology factor = parse_topology(spec);
        trees.push_back(
            random_spanning_tree(factor, static_cast<uint32_t>(rng.below(factor.num_nodes())), rng));
      }
      const std::map<Tuple, Tuple> parents = product_tree(trees);
      // Seen from a node: the dimensions and digits of its children in the tree.
      std::map<Tuple, std::set<std::pair<size_t, uint32_t>>> children;
      std::map<Tuple, size_t> dimension;
      for (const auto& [node, parent] : parents) {
        const auto differ = std::ranges::mismatch(node, parent);
        const auto i = static_cast<size_t>(differ.in1 - node.begin());
        dimension[node] = i;
        children[parent].emplace(i, node[i]);
      }
      for (const auto& [node, i] : dimension) {
        std::set<std::pair<size_t, uint32_t>> expected;
        for (size_t j = 0; j <= i; ++j) {
          for (uint32_t x = 0; x < trees[j].size(); ++x)
            if (trees[j][x] == node[j]) expected.emplace(j, x);
        }
        EXPECT_EQ(children[node], expected);
        const bool leaf = std::ranges::find(trees[i], node[i]) == trees[i].end();
        const bool child_in_i =
            std::ranges::any_of(children[node], [i = i](const auto& c) { return c.first == i; });
        EXPECT_EQ(child_in_i, stated(!leaf));
      }
    }
  }
}

// How many nodes at path length l are informed in step t of a broadcast: informed[l][t].
constexpr size_t kSteps = 12;
using Informed = std::array<std::array<uint64_t, kSteps + 1>, kSteps + 1>;

uint64_t choose(uint64_t n, uint64_t k) {
  if (k > n) return 0;
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// The right side of (3.1).
uint64_t right_side(const Informed& r, size_t l, size_t t) {
  uint64_t sum = 0;
  for (size_t before = l - 1; before < t; ++before) sum += r[l - 1][before];
  return sum;
}

TEST(DissertationClaims, equation_3_1_counts_the_nodes_informed_in_a_step_over_paths_of_a_length) {
  // Node by node: everyone who knows informs somebody new in every step.
  Informed r{};
  std::vector<size_t> lengths = {0};  // of the path to each node that knows
  r[0][0] = 1;
  for (size_t t = 1; t <= kSteps; ++t) {
    const size_t informers = lengths.size();
    for (size_t informer = 0; informer < informers; ++informer) {
      lengths.push_back(lengths[informer] + 1);
      ++r[lengths.back()][t];
    }
  }
  for (size_t l = 1; l <= kSteps; ++l) {
    for (size_t t = l; t <= kSteps; ++t) {
      EXPECT_EQ(r[l][t], right_side(r, l, t)) << l << " " << t;
      EXPECT_EQ(r[l][t], stated(choose(t - 1, l - 1))) << l << " " << t;
    }
  }
  // Nobody does better: all broadcasts of 4 steps, in which any of those who know may be silent.
  Informed most{};
  const std::function<void(const std::vector<size_t>&, size_t)> inform = [&](const std::vector<size_t>& know,
                                                                             size_t t) {
    if (t > 4) return;
    for (uint32_t who = 0; who < 1U << know.size(); ++who) {
      std::vector<size_t> next = know;
      Informed now{};
      for (size_t informer = 0; informer < know.size(); ++informer) {
        if ((who >> informer & 1U) == 0) continue;
        next.push_back(know[informer] + 1);
        ++now[next.back()][t];
      }
      for (size_t l = 1; l <= 4; ++l) most[l][t] = std::max(most[l][t], now[l][t]);
      inform(next, t + 1);
    }
  };
  inform({0}, 1);
  for (size_t l = 1; l <= 4; ++l)
    for (size_t t = l; t <= 4; ++t) EXPECT_EQ(most[l][t], r[l][t]) << l << " " << t;
}

TEST(DissertationClaims, the_stirling_form_of_corollary_3_4_is_a_little_weaker_and_nearly_the_same) {
  for (uint64_t d = 2; d <= 28; ++d) {
    const uint64_t limit = uint64_t{1} << (2 * (d - 1));
    for (uint64_t nodes = 2; nodes < limit; nodes = nodes * 3 / 2 + 1) {
      const auto x = static_cast<double>(d);
      const auto r = static_cast<double>(nodes);
      const double power = 1 / (x + 1);
      const double last_branch = x / 2 + std::exp(power * (std::lgamma(x + 1) + std::log(r - 1)));
      const double stirling =
          x / 2 + (x + 1) / std::numbers::e *
                      std::pow((r - 1) * std::sqrt(2 * std::numbers::pi) / std::sqrt(x + 1), power);
      EXPECT_EQ(stirling < last_branch, stated(true)) << d << " " << nodes;
      // Stirling's formula for m! is short by less than a factor of exp(1 / 12 m).
      EXPECT_LT((last_branch - x / 2) / (stirling - x / 2), std::exp(1 / (12 * (x + 1) * (x + 1))) + 1e-12);
      // Both are below the bound that they stand for: the smallest t with sum over l = d..t of C(t,l) >= R.
      uint64_t t = d;
      const auto reached = [&] {
        uint64_t sum = 0;
        for (uint64_t l = d; l <= t; ++l) sum += choose(t, l);
        return sum >= nodes;
      };
      while (!reached()) ++t;
      EXPECT_LE(last_branch, static_cast<double>(t) + 1e-9) << d << " " << nodes;
    }
  }
}

// Rooted trees as the sorted trees of their children, written "(()())".
struct RootedTree {
  std::vector<std::string> children;
};
std::string written(std::vector<std::string> children) {
  std::ranges::sort(children);
  std::string text = "(";
  for (const std::string& child : children) text += child;
  return text + ")";
}

RootedTree read(const std::string& text) {
  RootedTree tree;
  size_t begin = 1;
  int depth = 0;
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : -1;
    if (depth > 0) continue;
    tree.children.push_back(text.substr(begin, at + 1 - begin));
    begin = at + 1;
  }
  return tree;
}

std::vector<uint64_t> levels(const std::string& text) {
  std::vector<uint64_t> count;
  size_t depth = 0;
  for (const char c : text) {
    if (c == ')') {
      --depth;
    } else {
      count.resize(std::max(count.size(), depth + 1));
      ++count[depth++];
    }
  }
  return count;
}

// The fewest steps, over every order in which the root can inform its children.
uint64_t broadcast_time(const std::string& text, std::map<std::string, uint64_t>& known) {
  if (const auto found = known.find(text); found != known.end()) return found->second;
  std::vector<std::string> children = read(text).children;
  std::ranges::sort(children);
  uint64_t fewest = children.empty() ? 0 : UINT64_MAX;
  if (!children.empty()) {
    do {
      uint64_t steps = 0;
      for (size_t i = 0; i < children.size(); ++i)
        steps = std::max(steps, i + 1 + broadcast_time(children[i], known));
      fewest = std::min(fewest, steps);
    } while (std::ranges::next_permutation(children).found);
  }
  return known[text] = fewest;
}

// All rooted trees, by number of nodes: a leaf hung in every place of every smaller tree.
std::set<std::string> with_one_more_leaf(const std::string& text) {
  std::vector<std::string> children = read(text).children;
  std::set<std::string> result;
  for (size_t c = 0; c < children.size(); ++c) {
    for (const std::string& grown : with_one_more_leaf(children[c])) {
      std::vector<std::string> changed = children;
      changed[c] = grown;
      result.insert(written(std::move(changed)));
    }
  }
  children.emplace_back("()");
  result.insert(written(std::move(children)));
  return result;
}

std::string binomial_tree(uint64_t height) {
  std::vector<std::string> children;
  for (uint64_t h = 0; h < height; ++h) children.push_back(binomial_tree(h));
  return written(std::move(children));
}

TEST(DissertationClaims, of_the_trees_that_broadcast_in_their_height_binomial_trees_are_the_widest) {
  std::map<std::string, uint64_t> known;
  std::set<std::string> trees = {"()"};
  std::vector<std::string> widest;  // trees with C(h,l) nodes on every level
  for (size_t nodes = 1; nodes <= 9; ++nodes) {
    std::set<std::string> larger;
    for (const std::string& tree : trees) {
      larger.merge(with_one_more_leaf(tree));
      const std::vector<uint64_t> count = levels(tree);
      const uint64_t height = count.size() - 1;
      if (broadcast_time(tree, known) != height) continue;
      bool full = true;
      for (uint64_t l = 0; l <= height; ++l) {
        EXPECT_LE(count[l], choose(height, l)) << tree;
        full = full && count[l] == choose(height, l);
      }
      if (full) widest.push_back(tree);
    }
    EXPECT_EQ(trees.size(), (std::array{1U, 1U, 2U, 4U, 9U, 20U, 48U, 115U, 286U}[nodes - 1]));
    trees = std::move(larger);
  }
  EXPECT_EQ(widest, (std::vector{binomial_tree(0), binomial_tree(1), binomial_tree(2), binomial_tree(3)}));
  // It takes both: this tree has 1, 3, 3, 1 nodes on its levels too, and needs 4 steps.
  const std::string lopsided = "((()()(()))()())";
  EXPECT_EQ(levels(lopsided), (std::vector<uint64_t>{1, 3, 3, 1}));
  std::map<std::string, uint64_t> again;
  EXPECT_EQ(broadcast_time(lopsided, again), stated(4U));
}

}  // namespace dissertation_1996_single_source_test
}  // namespace quadrille
