// Total exchange with one port on any graph, hop layer by hop layer.
//
// All blocks take their first hop, then all that need one their second, and so on. The hops of a layer are
// the edges of a bipartite multigraph of senders and receivers, and a colouring of it packs them into as many
// steps as the busiest node of the layer sends or receives (Koenig). If the shortest paths can be chosen so
// that every layer loads all nodes equally, the steps add up to the total distance of a node, which is
// optimal. This works for graphs that look alike from all nodes but belong to no group, such as the Petersen
// graph.
//
// Where blocks have a choice of neighbours they spread evenly over the nodes that they pass through.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/packing/edge_colouring.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_layered;

namespace alltoall_layered_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 20U;
// Rounds of rerouting without success after which the layers are taken as they are.
constexpr int kPatience = 2;

// A shortest path for every block, such that after each number of hops the blocks lie as evenly over the
// nodes as can be found: one block after another takes the way on which it meets fewest others.
class LayeredRoutes {
 public:
  struct Route {
    uint32_t source;
    uint32_t destination;
    std::vector<ArcId> hops;
  };

  explicit LayeredRoutes(const Topology& topology) : topology_(topology), stamp_(topology.num_nodes(), 0) {
    const uint32_t n = topology.num_nodes();
    to_.reserve(n);
    for (const NodeId v : topology.nodes()) to_.push_back(distances_to(topology, v));
    for (uint32_t s = 0; s < n; ++s) {
      for (uint32_t t = 0; t < n; ++t) {
        if (s == t) continue;
        routes_.push_back({s, t, {}});
        if (crowd_.size() < to_[t][s]) crowd_.resize(to_[t][s], std::vector<uint32_t>(n, 0));
      }
    }
    spread();
  }

  [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }
  [[nodiscard]] size_t num_layers() const { return crowd_.size(); }
  /// The hops of a layer, and whose they are.
  [[nodiscard]] std::vector<BipartiteEdge> layer(size_t h, std::vector<size_t>& owners) const {
    std::vector<BipartiteEdge> out;
    owners.clear();
    for (size_t i = 0; i < routes_.size(); ++i) {
      if (h >= routes_[i].hops.size()) continue;
      const ArcId arc = routes_[i].hops[h];
      out.push_back({static_cast<uint32_t>(index(topology_.tail(arc))), head(arc)});
      owners.push_back(i);
    }
    return out;
  }

 private:
  struct Cell {
    uint32_t node;
    uint32_t price;  // others met so far
    size_t from;     // cell of the hop before
    ArcId hop;
  };

  void spread() {
    std::vector<size_t> turn;
    for (size_t i = 0; i < routes_.size(); ++i) {
      reroute(routes_[i]);
      if (routes_[i].hops.size() > 1) turn.push_back(i);
    }
    std::vector<Route> best = routes_;
    uint64_t excess = crowding();
    for (int patience = kPatience; excess > 0 && patience > 0; --patience) {
      rng_.shuffle(turn);
      for (const size_t i : turn) reroute(routes_[i]);
      if (crowding() >= excess) continue;
      excess = crowding();
      best = routes_;
      patience = kPatience + 1;
    }
    routes_ = std::move(best);
  }

  // Over the layers, how far the most crowded node is above the average rounded up.
  [[nodiscard]] uint64_t crowding() const {
    uint64_t sum = 0;
    for (const std::vector<uint32_t>& layer : crowd_) {
      const uint64_t blocks = std::accumulate(layer.begin(), layer.end(), uint64_t{0});
      sum += *std::max_element(layer.begin(), layer.end()) - (blocks + layer.size() - 1) / layer.size();
    }
    return sum;
  }

  // Lets a block take the way, of all shortest ones, on which it meets fewest others; ties at random.
  void reroute(Route& route) {
    for (size_t h = 0; h + 1 < route.hops.size(); ++h) --crowd_[h][head(route.hops[h])];
    const std::vector<uint32_t>& distance = to_[route.destination];
    std::vector<Cell>& cells = cells_;
    cells.assign(1, {route.source, 0, 0, kNoArc});
    size_t begin = 0;
    for (uint32_t h = 0; h < distance[route.source]; ++h) {
      const size_t end = cells.size();
      ++now_;
      for (size_t c = begin; c < end; ++c) {
        for (const ArcId arc : topology_.arcs_from(NodeId{cells[c].node})) {
          if (distance[head(arc)] + 1 == distance[cells[c].node]) reach(cells, end, c, arc, h);
        }
      }
      begin = end;
    }
    route.hops.assign(distance[route.source], kNoArc);
    size_t cell = begin;
    for (size_t h = route.hops.size(); h-- > 0; cell = cells[cell].from) route.hops[h] = cells[cell].hop;
    for (size_t h = 0; h + 1 < route.hops.size(); ++h) ++crowd_[h][head(route.hops[h])];
  }

  void reach(std::vector<Cell>& cells, size_t first, size_t from, ArcId arc, uint32_t h) {
    const Cell offer{head(arc), cells[from].price + crowd_[h][head(arc)], from, arc};
    if (stamp_[offer.node] != now_) {
      stamp_[offer.node] = now_;
      cells.push_back(offer);
      return;
    }
    Cell& same = *std::find_if(cells.begin() + static_cast<ptrdiff_t>(first), cells.end(),
                               [&](const Cell& cell) { return cell.node == offer.node; });
    if (offer.price < same.price || (offer.price == same.price && rng_.below(2) == 0)) same = offer;
  }

  [[nodiscard]] uint32_t head(ArcId arc) const { return static_cast<uint32_t>(index(topology_.head(arc))); }

  const Topology& topology_;
  Rng rng_{1};
  std::vector<std::vector<uint32_t>> to_;  // to_[t][v]: distance from v to t
  std::vector<Route> routes_;
  std::vector<std::vector<uint32_t>> crowd_;  // crowd_[h][v]: blocks at v after h+1 hops that go on
  std::vector<uint64_t> stamp_;               // per node: when it was last reached
  uint64_t now_ = 0;
  std::vector<Cell> cells_;
};

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  const uint64_t blocks = uint64_t{problem.topology().num_nodes()} * problem.topology().num_nodes();
  if (blocks <= kMostBlocks) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                       with_thousands(kMostBlocks), problem.title(), with_thousands(blocks)));
}

LayeredRoutes routes_of(const Problem& problem) {
  count_work(Work::kSearching);
  return LayeredRoutes(problem.topology());
}

Prediction predicted(const Problem& problem, const LayeredRoutes& routes) {
  const uint32_t n = problem.topology().num_nodes();
  uint64_t steps = 0;
  std::vector<size_t> owners;
  for (size_t h = 0; h < routes.num_layers(); ++h) steps += max_degree(n, n, routes.layer(h, owners));
  std::vector<uint64_t> loads(problem.topology().num_arcs(), 0);
  for (const auto& route : routes.routes()) {
    for (const ArcId arc : route.hops) ++loads[index(arc)];
  }
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  return {.steps = pieces * steps, .start_ups = pieces * steps, .busiest_link = pieces * busiest};
}

void push_layer(const Problem& problem, const LayeredRoutes& routes, size_t h, uint32_t piece,
                StepSink& sink) {
  const uint32_t n = problem.topology().num_nodes();
  std::vector<size_t> owners;
  const std::vector<BipartiteEdge> edges = routes.layer(h, owners);
  const std::vector<uint32_t> slots = edge_colouring(n, n, edges);
  std::vector<StepBuilder> steps(max_degree(n, n, edges));
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto& route = routes.routes()[owners[i]];
    steps[slots[i]].add(route.hops[h],
                        problem.collective().block(Rank{route.source}, Rank{route.destination}, piece));
  }
  for (StepBuilder& step : steps) step.flush(sink);
}

void generate(const Problem& problem, const LayeredRoutes& routes, StepSink& sink) {
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    for (size_t h = 0; h < routes.num_layers(); ++h) push_layer(problem, routes, h, piece, sink);
  }
}

}  // namespace
}  // namespace alltoall_layered_parts

constinit const Algorithm alltoall_layered = {
    .name = "alltoall_layered",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all blocks take their k-th hop together, and an edge colouring packs each such layer into steps",
    .source = "ours; where the collective communication dissertation 1996, (4.16), does not hold",
    .remarks =
        "any graph, one port is enough; optimal with one port where the layers load all nodes equally: "
        "15 steps on the Petersen graph",
    .applies = alltoall_layered_parts::applies,
    .prepare = by_search<alltoall_layered_parts::routes_of, alltoall_layered_parts::predicted,
                         alltoall_layered_parts::generate>,
};

}  // namespace quadrille::algorithms
