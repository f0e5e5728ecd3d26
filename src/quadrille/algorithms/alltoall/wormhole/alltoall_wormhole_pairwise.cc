// Pairwise exchange in which no worm meets another: in each step every node of a Cayley graph sends along the same displacement.
//
// All nodes go the same way, and the hops of all of them along one generator are different links. So a displacement whose way takes
// every generator at most once is one step, without waiting: on hypercubes (from x to x XOR r, bit after bit) and on products of
// complete graphs that is every one, and N-1 steps of one block each are the least with one port. With more ports displacements
// that share no generator go in one step, the longest ones placed first: on a hypercube each beside its complement, which takes N/2
// steps, the least with any number of ports.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_pairwise;

namespace alltoall_wormhole_pairwise_parts {
namespace {

constexpr uint64_t kMostHops = uint64_t{1} << 26U;  // of all worms
constexpr uint32_t kMostNodes = 1U << 14U;

using Word = std::vector<uint32_t>;  // positions of generators

struct Pairwise {
  std::vector<Word> words;                   // per displacement
  std::vector<std::vector<uint32_t>> steps;  // displacements
  uint64_t hops = 0;                         // of one node's worms

  [[nodiscard]] bool empty() const { return words.empty(); }
};

// A way to each displacement with every generator at most once, found breadth first; none at all if one has none.
std::vector<Word> words_of(const CayleyStructure& cayley, uint32_t nodes) {
  std::vector<Word> out(nodes);
  std::vector<uint32_t> reached{0};
  std::vector<bool> is_reached(nodes, false);
  is_reached[0] = true;
  for (size_t i = 0; i < reached.size(); ++i) {
    const uint32_t from = reached[i];
    for (uint32_t k = 0; k < cayley.generators.size(); ++k) {
      const uint32_t to = cayley.group->multiply(from, cayley.generators[k]);
      if (is_reached[to] || std::ranges::find(out[from], k) != out[from].end()) continue;
      is_reached[to] = true;
      out[to] = out[from];
      out[to].push_back(k);
      reached.push_back(to);
    }
  }
  if (reached.size() < nodes) out.clear();
  return out;
}

// Coordinate after coordinate. False where that leads elsewhere.
bool put_in_order(const Topology& net, std::vector<Word>& words) {
  const CayleyStructure& cayley = *net.cayley();
  const ProductStructure* product = net.product();
  if (product == nullptr) return true;
  const auto dimension_of = [&](uint32_t k) {
    size_t d = 0;
    while (product->coordinate(NodeId{cayley.generators[k]}, d) == 0) ++d;
    return d;
  };
  for (uint32_t r = 1; r < words.size(); ++r) {
    std::ranges::stable_sort(words[r], {}, dimension_of);
    uint32_t at = 0;
    for (const uint32_t k : words[r]) at = cayley.group->multiply(at, cayley.generators[k]);
    if (at != r) return false;
    for (size_t i = 1; i < words[r].size(); ++i)
      if (dimension_of(words[r][i - 1]) == dimension_of(words[r][i])) return false;
  }
  return true;
}

bool are_shortest(const Topology& net, const std::vector<Word>& words) {
  const std::vector<uint32_t> hops = distances_from(net, NodeId{0});
  for (size_t r = 0; r < words.size(); ++r)
    if (words[r].size() != hops[r]) return false;
  return true;
}

// Up to so many displacements in a step, of which no two share a generator: each in the first where there is room.
std::vector<std::vector<uint32_t>> packed(const std::vector<Word>& words, size_t generators,
                                          uint32_t at_once) {
  struct Open {
    size_t step;
    std::vector<bool> used;
  };
  std::vector<uint32_t> order(words.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](uint32_t r) { return words[r].size(); });
  std::vector<std::vector<uint32_t>> out;
  std::vector<Open> open;
  for (const uint32_t r : order) {
    auto at = std::ranges::find_if(open, [&](const Open& some) {
      return std::ranges::none_of(words[r], [&](uint32_t k) { return some.used[k]; });
    });
    if (at == open.end()) {
      open.push_back({out.size(), std::vector<bool>(generators, false)});
      at = open.end() - 1;
      out.emplace_back();
    }
    out[at->step].push_back(r);
    for (const uint32_t k : words[r]) at->used[k] = true;
    if (out[at->step].size() == at_once) open.erase(at);
  }
  return out;
}

Pairwise pairwise_of(const Problem& problem) {
  const Topology& net = problem.topology();
  const size_t generators = net.cayley()->generators.size();
  Pairwise out{words_of(*net.cayley(), net.num_nodes()), {}};
  if (out.empty()) return out;
  const Routing routing = problem.model().routing;
  if ((routing == Routing::kDimensionOrder && !put_in_order(net, out.words)) ||
      (routing != Routing::kAny && !are_shortest(net, out.words)))
    return {};
  auto ports = static_cast<uint32_t>(generators);
  for (const Ports few : {problem.model().send, problem.model().receive})
    if (!few.unlimited()) ports = std::min(ports, few.count);
  out.steps = packed(out.words, generators, ports);
  // First come, first served fills many ports badly where every generator is needed: on hypercubes two at a time are the best.
  if (ports > 2) {
    std::vector<std::vector<uint32_t>> by_two = packed(out.words, generators, 2);
    if (by_two.size() <= out.steps.size()) out.steps = std::move(by_two);
  }
  for (const Word& word : out.words) out.hops += word.size();
  return out;
}

Applicability applies(const Problem& problem) {
  const Topology& net = problem.topology();
  if (!takes_paths(problem.model()))
    return Applicability::no("it is for wormhole switching: its blocks cross a whole path in one step");
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  if (net.cayley() == nullptr || net.has_routers())
    return Applicability::no(fmt::format("it needs a Cayley graph; {} is none", net.name()));
  if (net.num_nodes() <= kMostNodes) return Applicability::yes();
  return Applicability::no(fmt::format("it lists a way to every node: up to {}, {} has {}",
                                       with_thousands(kMostNodes), net.name(),
                                       with_thousands(net.num_nodes())));
}

Prediction predicted(const Problem& problem, const Pairwise& plan) {
  const uint64_t pieces = problem.collective().pieces();
  std::vector<uint64_t> loads(problem.topology().cayley()->generators.size(), 0);
  for (const Word& word : plan.words)
    for (const uint32_t k : word) loads[k] += pieces;
  uint64_t hops = 0;
  for (const std::vector<uint32_t>& step : plan.steps) {
    size_t longest = 0;
    for (const uint32_t r : step) longest = std::max(longest, plan.words[r].size());
    hops += longest;
  }
  return {.steps = plan.steps.size(),
          .start_ups = plan.steps.size(),
          .busiest_link = loads.empty() ? 0 : *std::ranges::max_element(loads),
          .critical_blocks = plan.steps.size() * pieces,
          .critical_hops = hops};
}

void generate(const Problem& problem, const Pairwise& plan, StepSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Collective& collective = problem.collective();
  StepBuilder step;
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  for (const std::vector<uint32_t>& displacements : plan.steps) {
    for (const uint32_t r : displacements) {
      for (uint32_t x = 0; x < problem.topology().num_nodes(); ++x) {
        path.clear();
        blocks.clear();
        uint32_t at = x;
        for (const uint32_t k : plan.words[r]) {
          path.push_back(cayley.arc(NodeId{at}, k));
          at = cayley.group->multiply(at, cayley.generators[k]);
        }
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks.push_back(collective.block(Rank{x}, Rank{at}, piece));
        step.add(path, blocks);
      }
    }
    step.flush(sink);
  }
}

Preparation prepare(const Problem& problem) {
  const Topology& net = problem.topology();
  Pairwise plan = pairwise_of(problem);
  if (plan.empty()) {
    return Preparation::no(fmt::format(
        "it sends along each displacement over every generator at most once, and {} has nodes that are not reached so{}",
        net.name(), problem.model().routing == Routing::kAny ? "" : ", as worms are routed"));
  }
  if (plan.hops * net.num_nodes() > kMostHops) {
    return Preparation::no(fmt::format("its worms take {} hops on {}, it lists up to {}",
                                       with_thousands(plan.hops * net.num_nodes()), net.name(),
                                       with_thousands(kMostHops)));
  }
  return Preparation::of(kept(problem, std::move(plan), predicted, generate));
}

}  // namespace
}  // namespace alltoall_wormhole_pairwise_parts

constinit const Algorithm alltoall_wormhole_pairwise = {
    .name = "alltoall_wormhole_pairwise",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "pairwise exchange without contention: in a step all nodes send along one displacement, or several apart",
    .source = "ours; on hypercubes Bokhari 1991, complete exchange on the iPSC-860",
    .remarks =
        "hypercubes, products of complete graphs, any Cayley graph whose displacements take each generator at most once; with one "
        "port N-1 steps, the least; with more N/2 on hypercubes, the least",
    .applies = alltoall_wormhole_pairwise_parts::applies,
    .prepare = alltoall_wormhole_pairwise_parts::prepare,
};

}  // namespace quadrille::algorithms
