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
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/colouring/edge_colouring.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_layered;

namespace alltoall_layered_parts {
namespace {

// On larger networks layers are far from even, and other paths come nearer (alltoall_even_routes).
constexpr uint32_t kMostNodes = 128;
// Rounds of rerouting without success after which the layers are taken as they are.
constexpr int kPatience = 2;

// The arcs that lead closer to a destination, by tail.
struct Closer {
  std::vector<uint32_t> begin{};
  std::vector<ArcId> arcs{};
  std::vector<uint32_t> heads{};

  void fill(const Topology& topology, const std::vector<uint16_t>& distance) {
    begin.assign(1, 0);
    arcs.clear();
    heads.clear();
    for (const NodeId v : topology.nodes()) {
      for (const ArcId arc : topology.arcs_from(v)) {
        const size_t head = index(topology.head(arc));
        if (distance[head] + 1 != distance[index(v)]) continue;
        arcs.push_back(arc);
        heads.push_back(static_cast<uint32_t>(head));
      }
      begin.push_back(static_cast<uint32_t>(arcs.size()));
    }
  }
};

// A shortest path for every block, such that after each number of hops the blocks lie as evenly over the
// nodes as can be found: one block after another takes the way on which it meets fewest others.
class LayeredRoutes {
 public:
  explicit LayeredRoutes(const Topology& topology)
      : topology_(topology),
        stamp_(topology.num_nodes(), 0),
        price_(topology.num_nodes()),
        via_(topology.num_nodes(), kNoArc) {
    const uint32_t n = topology.num_nodes();
    size_t layers = 0;
    for (uint32_t t = 0; t < n; ++t) {
      const std::vector<uint32_t> hops = distances_to(topology, NodeId{t});
      to_.emplace_back(hops.begin(), hops.end());
      layers = std::max<size_t>(layers, *std::max_element(hops.begin(), hops.end()));
    }
    begin_.reserve(size_t{n} * n + 1);
    begin_.push_back(0);
    for (uint32_t s = 0; s < n; ++s)
      for (uint32_t t = 0; t < n; ++t) begin_.push_back(begin_.back() + to_[t][s]);
    hops_.assign(begin_.back(), kNoArc);
    crowd_.assign(layers, std::vector<uint32_t>(n, 0));
    spread();
  }

  [[nodiscard]] size_t num_layers() const { return crowd_.size(); }
  [[nodiscard]] const std::vector<ArcId>& hops() const { return hops_; }

  /// The hops of a layer, and whose they are.
  template <typename Use>  // use(arc, source, destination)
  void for_each_of(size_t layer, Use use) const {
    const uint32_t n = topology_.num_nodes();
    for (size_t i = 0; i + 1 < begin_.size(); ++i) {
      if (begin_[i] + layer < begin_[i + 1])
        use(hops_[begin_[i] + layer], static_cast<uint32_t>(i / n), static_cast<uint32_t>(i % n));
    }
  }

 private:
  void spread() {
    const uint32_t n = topology_.num_nodes();
    std::vector<Closer> closer(to_.size());
    for (size_t t = 0; t < to_.size(); ++t) closer[t].fill(topology_, to_[t]);
    const auto route = [&](size_t i) {
      const auto t = static_cast<uint32_t>(i % n);
      reroute(i, static_cast<uint32_t>(i / n), t, closer[t]);
    };
    std::vector<size_t> turn;
    for (size_t i = 0; i + 1 < begin_.size(); ++i) {
      if (begin_[i] == begin_[i + 1]) continue;
      route(i);
      if (begin_[i + 1] - begin_[i] > 1) turn.push_back(i);
    }
    std::vector<ArcId> best = hops_;
    uint64_t excess = crowding();
    for (int patience = kPatience; excess > 0 && patience > 0; --patience) {
      rng_.shuffle(turn);
      for (const size_t i : turn) route(i);
      if (crowding() >= excess) continue;
      excess = crowding();
      best = hops_;
      patience = kPatience + 1;
    }
    hops_ = std::move(best);
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

  // Lets a block take the way, of all shortest ones, on which it meets fewest others; ties at random. A node is met at
  // one distance from the source alone.
  void reroute(size_t i, uint32_t source, uint32_t destination, const Closer& closer) {
    const uint32_t length = to_[destination][source];
    ArcId* hops = hops_.data() + begin_[i];
    if (hops[0] != kNoArc) {
      for (uint32_t h = 0; h + 1 < length; ++h) --crowd_[h][index(topology_.head(hops[h]))];
    }
    front_.assign(1, source);
    price_[source] = 0;
    for (uint32_t h = 0; h < length; ++h) {
      const std::vector<uint32_t>& crowd = crowd_[h];
      ++now_;
      next_.clear();
      for (const uint32_t from : front_) {
        const uint64_t price = price_[from];
        for (uint32_t a = closer.begin[from]; a < closer.begin[from + 1]; ++a) {
          const uint32_t head = closer.heads[a];
          const uint64_t offer = price + crowd[head];
          if (stamp_[head] != now_) {
            stamp_[head] = now_;
            next_.push_back(head);
          } else if (offer > price_[head] || (offer == price_[head] && rng_.below(2) != 0)) {
            continue;
          }
          price_[head] = offer;
          via_[head] = closer.arcs[a];
        }
      }
      std::swap(front_, next_);
    }
    size_t at = front_.front();
    for (size_t h = length; h-- > 0; at = index(topology_.tail(via_[at]))) hops[h] = via_[at];
    for (uint32_t h = 0; h + 1 < length; ++h) ++crowd_[h][index(topology_.head(hops[h]))];
  }

  const Topology& topology_;
  Rng rng_{1};
  std::vector<std::vector<uint16_t>> to_;  // to_[t][v]: distance from v to t
  std::vector<size_t> begin_;              // of the hops of each pair
  std::vector<ArcId> hops_;
  std::vector<std::vector<uint32_t>> crowd_;  // crowd_[h][v]: blocks at v after h+1 hops that go on
  // Scratch of reroute(), per node: when it was last reached, at which price, and over which arc.
  std::vector<uint64_t> stamp_;
  std::vector<uint64_t> price_;
  std::vector<ArcId> via_;
  std::vector<uint32_t> front_;
  std::vector<uint32_t> next_;
  uint64_t now_ = 0;
};

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  const uint32_t nodes = problem.topology().num_nodes();
  if (nodes <= kMostNodes) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block, on up to {} nodes; {} has {}", kMostNodes,
                                       problem.topology().name(), nodes));
}

LayeredRoutes searched(const Problem& problem) {
  count_work(Work::kSearching);
  return LayeredRoutes(problem.topology());
}

using Routes = std::optional<LayeredRoutes>;

// None where they are sure not to be worth it.
Routes routes_of(const Problem& problem) {
  Model one_port = problem.model();
  one_port.send = one_port.receive = kOnePort;
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of_packets(paths_at_least(
                                       Problem(problem.topology(), problem.collective(), one_port))))
    return std::nullopt;
  return searched(problem);
}

std::vector<BipartiteEdge> edges_of(const Problem& problem, const LayeredRoutes& routes, size_t layer) {
  const Topology& topology = problem.topology();
  std::vector<BipartiteEdge> out;
  routes.for_each_of(layer, [&](ArcId arc, uint32_t, uint32_t) {
    out.push_back(
        {static_cast<uint32_t>(index(topology.tail(arc))), static_cast<uint32_t>(index(topology.head(arc)))});
  });
  return out;
}

Prediction predicted(const Problem& problem, const Routes& found) {
  if (!found) return {};
  const LayeredRoutes& routes = *found;
  const uint32_t nodes = problem.topology().num_nodes();
  uint64_t steps = 0;
  for (size_t h = 0; h < routes.num_layers(); ++h)
    steps += max_degree(nodes, nodes, edges_of(problem, routes, h));
  std::vector<uint64_t> loads(problem.topology().num_arcs(), 0);
  for (const ArcId arc : routes.hops()) ++loads[index(arc)];
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  return {.steps = pieces * steps, .start_ups = pieces * steps, .busiest_link = pieces * busiest};
}

void push_layer(const Problem& problem, const LayeredRoutes& routes, size_t h, uint32_t piece,
                StepSink& sink) {
  const uint32_t nodes = problem.topology().num_nodes();
  const std::vector<BipartiteEdge> edges = edges_of(problem, routes, h);
  const std::vector<uint32_t> slots = edge_colouring(nodes, nodes, edges);
  std::vector<StepBuilder> steps(max_degree(nodes, nodes, edges));
  size_t i = 0;
  routes.for_each_of(h, [&](ArcId arc, uint32_t from, uint32_t to) {
    steps[slots[i++]].add(arc, problem.collective().block(Rank{from}, Rank{to}, piece));
  });
  for (StepBuilder& step : steps) step.flush(sink);
}

void generate_along(const Problem& problem, const LayeredRoutes& routes, StepSink& sink) {
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    for (size_t h = 0; h < routes.num_layers(); ++h) push_layer(problem, routes, h, piece, sink);
  }
}

void generate(const Problem& problem, const Routes& found, StepSink& sink) {
  found ? generate_along(problem, *found, sink) : generate_along(problem, searched(problem), sink);
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
