// Unloading of paths: links and ports get no more than is allowed, paths stay paths, and what cannot be is left as it was.
#include "quadrille/algorithms/packing/priced/unload_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_balanced_paths;
}

namespace unload_paths_test {
namespace {

struct Exchange {
  Exchange(std::string_view spec, const Model& model)
      : problem(standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model)) {
    for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
      const BlockId block{b};
      if (problem.origin(block) == problem.destination(block)) continue;
      blocks.push_back(block);
      paths.push_back(first_path(problem.origin(block), problem.destination(block)));
    }
  }

  // Breadth first: the same tree for all blocks of a node.
  [[nodiscard]] std::vector<ArcId> first_path(NodeId from, NodeId to) const {
    const Topology& net = problem.topology();
    std::vector<ArcId> over(net.num_nodes(), kNoArc);
    std::vector<NodeId> reached{from};
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const ArcId arc : net.arcs_from(reached[i])) {
        const NodeId v = net.head(arc);
        if (v == from || over[index(v)] != kNoArc) continue;
        over[index(v)] = arc;
        reached.push_back(v);
      }
    }
    std::vector<ArcId> out;
    for (NodeId v = to; v != from; v = net.tail(out.back())) out.push_back(over[index(v)]);
    std::ranges::reverse(out);
    return out;
  }

  // What the busiest link, or port, has to do; 0 if a path is none.
  [[nodiscard]] uint64_t busiest() const {
    const Topology& net = problem.topology();
    std::vector<uint64_t> links(net.num_arcs(), 0);
    std::vector<uint64_t> sends(net.num_nodes(), 0);
    for (size_t i = 0; i < paths.size(); ++i) {
      NodeId at = problem.origin(blocks[i]);
      for (const ArcId arc : paths[i]) {
        if (net.tail(arc) != at) return 0;
        ++links[index(arc)];
        ++sends[index(at)];
        at = net.head(arc);
      }
      if (at != problem.destination(blocks[i])) return 0;
    }
    const uint64_t most = *std::ranges::max_element(links);
    return problem.model().send.unlimited() ? most : std::max(most, *std::ranges::max_element(sends));
  }

  Problem problem;
  std::vector<BlockId> blocks{};
  std::vector<std::vector<ArcId>> paths{};
};

constexpr uint64_t kWork = 2'000'000;

TEST(UnloadPaths, TakeAsMuchAsIsAllowed) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t most;
  };
  for (const Row& row : {Row{"torus(4,4)", 0, 8}, Row{"torus(4,4)", 1, 32},
                         Row{"random_regular(24,5;2)", 0, 10}, Row{"hypercube(4)", 0, 8}}) {
    Exchange exchange(row.spec, ports(row.ports));
    EXPECT_GT(exchange.busiest(), row.most) << row.spec;
    EXPECT_TRUE(unload_paths(exchange.problem, exchange.blocks, exchange.paths, row.most, kWork)) << row.spec;
    EXPECT_LE(exchange.busiest(), row.most) << row.spec;
    EXPECT_GT(exchange.busiest(), 0U) << row.spec;
  }
}

TEST(UnloadPaths, LeaveWhatCannotBeAsItWas) {
  Exchange exchange("torus(4,4)", ports(0));
  const std::vector<std::vector<ArcId>> before = exchange.paths;
  EXPECT_FALSE(unload_paths(exchange.problem, exchange.blocks, exchange.paths, 7, kWork)) << "no room";
  EXPECT_EQ(exchange.paths, before);
  Exchange bridge("edges(\"a b, b c, c a, c d, d e, e f, f d\")", ports(0));
  const std::vector<std::vector<ArcId>> over = bridge.paths;
  EXPECT_FALSE(unload_paths(bridge.problem, bridge.blocks, bridge.paths, 8, kWork)) << "nine over a bridge";
  EXPECT_EQ(bridge.paths, over);
}

// Of all slots of links 98 and 99.8 of a hundred are taken; prices alone leave a link with one block more.
TEST(UnloadPaths, MakeExchangesOfFewStepsOptimal) {
  for (const std::string_view spec : {"random_regular(40,8;5)", "random_regular(48,12;2)"}) {
    const Problem problem =
        standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, Model{}, kNoNode);
    EXPECT_EQ(judged_steps(algorithms::alltoall_balanced_paths, problem),
              static_cast<uint64_t>(best_bound(problem).value.ceil()))
        << spec;
  }
}

}  // namespace
}  // namespace unload_paths_test
}  // namespace quadrille
