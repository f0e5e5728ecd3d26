// Total exchange with one port on any graph, hop layer by hop layer.
//
// All blocks take their first hop, then all that need one their second, and so on. The hops of a layer are
// the edges of a bipartite multigraph of senders and receivers, and a colouring of it packs them into as many
// steps as the busiest node of the layer sends or receives (Koenig). If the shortest ways can be chosen so
// that every layer loads all nodes equally, the steps add up to the status of a node, which is optimal. This
// works for graphs that look alike from all nodes but belong to no group, such as the Petersen graph.
//
// Where a block has a choice of neighbours it goes to the one that fewest blocks of the layer pass through.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/patterns/edge_colouring.h"
#include "quadrille/algorithms/patterns/exchange_conditions.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 24U;

// The hops of one layer after another.
class Layers {
 public:
  explicit Layers(const Problem& problem) : topology_(problem.topology()) {
    const uint32_t n = topology_.num_nodes();
    to_.reserve(n);
    for (const NodeId v : topology_.nodes()) to_.push_back(distances_to(topology_, v));
    for (uint32_t s = 0; s < n; ++s) {
      for (uint32_t t = 0; t < n; ++t) {
        if (s != t) under_way_.push_back({s, t, s, kNoArc});
      }
    }
  }

  struct Block {
    uint32_t source;
    uint32_t destination;
    uint32_t at;
    ArcId hop;
  };

  /// Chooses the next hop of every block that is under way.
  void choose() {
    std::vector<uint32_t> passing(topology_.num_nodes(), 0);
    std::vector<uint32_t> received(topology_.num_nodes(), 0);
    const auto choices = [&](const Block& b) {
      uint32_t count = 0;
      for (const ArcId arc : topology_.arcs_from(NodeId{b.at})) count += leads_closer(b, arc) ? 1 : 0;
      return count;
    };
    // Those without a choice first.
    std::vector<std::pair<uint32_t, size_t>> turn;
    for (size_t i = 0; i < under_way_.size(); ++i) turn.emplace_back(choices(under_way_[i]), i);
    std::sort(turn.begin(), turn.end());
    for (const auto& next : turn) {
      Block& b = under_way_[next.second];
      b.hop = kNoArc;
      for (const ArcId arc : topology_.arcs_from(NodeId{b.at})) {
        if (!leads_closer(b, arc)) continue;
        const auto load = [&](ArcId a) {
          const size_t head = index(topology_.head(a));
          return std::tuple(passing[head], received[head]);
        };
        if (b.hop == kNoArc || load(arc) < load(b.hop)) b.hop = arc;
      }
      const size_t head = index(topology_.head(b.hop));
      ++received[head];
      if (head != b.destination) ++passing[head];
    }
  }

  /// Lets all blocks take the hop that was chosen.
  void advance() {
    for (Block& b : under_way_) b.at = static_cast<uint32_t>(index(topology_.head(b.hop)));
    std::erase_if(under_way_, [](const Block& b) { return b.at == b.destination; });
  }

  [[nodiscard]] const std::vector<Block>& under_way() const { return under_way_; }
  [[nodiscard]] std::vector<BipartiteEdge> edges() const {
    std::vector<BipartiteEdge> out;
    for (const Block& b : under_way_)
      out.push_back({b.at, static_cast<uint32_t>(index(topology_.head(b.hop)))});
    return out;
  }

 private:
  [[nodiscard]] bool leads_closer(const Block& b, ArcId arc) const {
    const std::vector<uint32_t>& distance = to_[b.destination];
    return distance[index(topology_.head(arc))] + 1 == distance[b.at];
  }

  const Topology& topology_;
  std::vector<std::vector<uint32_t>> to_;  // to_[t][v]: distance from v to t
  std::vector<Block> under_way_;
};

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  const uint64_t blocks = uint64_t{problem.topology().num_nodes()} * problem.topology().num_nodes();
  if (blocks <= kMostBlocks) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                       with_thousands(kMostBlocks), problem.title(), with_thousands(blocks)));
}

Claim claimed(const Problem& problem) {
  const uint32_t n = problem.topology().num_nodes();
  uint64_t steps = 0;
  std::vector<uint64_t> loads(problem.topology().num_arcs(), 0);
  Layers layers(problem);
  while (!layers.under_way().empty()) {
    layers.choose();
    steps += max_degree(n, n, layers.edges());
    for (const auto& block : layers.under_way()) ++loads[index(block.hop)];
    layers.advance();
  }
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  return {.steps = pieces * steps, .start_ups = pieces * steps, .busiest_link = pieces * busiest};
}

void push_layer(const Problem& problem, const Layers& layers, uint32_t piece, StepSink& sink) {
  const uint32_t n = problem.topology().num_nodes();
  const std::vector<BipartiteEdge> edges = layers.edges();
  const std::vector<uint32_t> slots = edge_colouring(n, n, edges);
  std::vector<StepBuilder> steps(max_degree(n, n, edges));
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto& block = layers.under_way()[i];
    steps[slots[i]].add(block.hop,
                        problem.collective().block(Rank{block.source}, Rank{block.destination}, piece));
  }
  for (StepBuilder& step : steps) step.flush(sink);
}

void generate(const Problem& problem, StepSink& sink) {
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    Layers layers(problem);
    while (!layers.under_way().empty()) {
      layers.choose();
      push_layer(problem, layers, piece, sink);
      layers.advance();
    }
  }
}

}  // namespace

constinit const Algorithm alltoall_layered = {
    .name = "alltoall_layered",
    .collective = CollectiveKind::kAlltoall,
    .summary = "hop layer by hop layer, each packed into steps by an edge colouring",
    .source = "ours; where the collective communication dissertation 1996, (4.16), does not hold",
    .remarks =
        "any graph, one port is enough; optimal with one port where the layers load all nodes equally: "
        "15 steps on the Petersen graph",
    .applies = applies,
    .claimed = claimed,
    .generate = generate,
};

}  // namespace quadrille::algorithms
