// Total exchange with one port on any graph, hop layer by hop layer.
//
// All blocks take their first hop, then all that need one their second, and so on. The hops of a layer are
// the edges of a bipartite multigraph of senders and receivers, and a colouring of it packs them into as many
// steps as the busiest node of the layer sends or receives (Koenig). If the shortest paths can be chosen so
// that every layer loads all nodes equally, the steps add up to the total distance of a node, which is
// optimal. This works for graphs that look alike from all nodes but belong to no group, such as the Petersen
// graph.
//
// Where blocks have a choice of neighbours they spread evenly over the nodes that they pass through. What a mirror
// image tells of a large network is not looked for: a quarter of the paths, and of the edges to colour, is enough on an
// even mesh.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/colouring/edge_colouring.h"
#include "quadrille/algorithms/packing/paths_at_least.h"
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
// On larger networks blocks for one destination are routed one after another, and nothing is routed that a symmetry
// tells.
constexpr uint32_t kSmall = 128;
// There, links that are looked at before patience ends, and the rounds that there are all the same.
constexpr uint64_t kMostLooks = uint64_t{1} << 28U;
constexpr int kLeastRounds = 4;

// Mirror images of a network that has no node in its place in any of them: what is done at one node of an orbit is
// done at all. Sides of an even number of nodes that are alike from both ends give one each: lines, and products of
// them.
class Mirrors {
 public:
  explicit Mirrors(const Topology& topology) {
    const uint32_t n = topology.num_nodes();
    std::vector<uint32_t> same(n);
    std::iota(same.begin(), same.end(), 0U);
    images_.push_back(std::move(same));
    if (n > kSmall && topology.product() != nullptr) add_all(topology);
    orbit_.assign(n, UINT32_MAX);
    for (uint32_t v = 0; v < n; ++v) {
      if (orbit_[v] != UINT32_MAX) continue;
      for (const std::vector<uint32_t>& image : images_) orbit_[image[v]] = count();
      first_.push_back(v);
    }
  }

  /// The identity comes first.
  [[nodiscard]] const std::vector<std::vector<uint32_t>>& images() const { return images_; }
  /// Of a node; orbits are numbered by their first nodes.
  [[nodiscard]] uint32_t orbit(NodeId node) const { return orbit_[index(node)]; }
  [[nodiscard]] uint32_t first(uint32_t orbit) const { return first_[orbit]; }
  [[nodiscard]] uint32_t count() const { return static_cast<uint32_t>(first_.size()); }

 private:
  void add_all(const Topology& topology) {
    const ProductStructure& product = *topology.product();
    for (size_t d = 0; d < product.factors.size(); ++d) {
      const uint32_t side = product.factors[d].num_nodes();
      if (side % 2 != 0) continue;
      std::vector<uint32_t> image;
      for (const NodeId v : topology.nodes())
        image.push_back(
            static_cast<uint32_t>(index(product.with_coordinate(v, d, side - 1 - product.coordinate(v, d)))));
      if (!is_alike(topology, image)) continue;
      for (size_t i = 0, known = images_.size(); i < known; ++i) {
        std::vector<uint32_t> both;
        for (const uint32_t v : images_[i]) both.push_back(image[v]);
        images_.push_back(std::move(both));
      }
    }
  }

  static bool is_alike(const Topology& topology, const std::vector<uint32_t>& image) {
    for (const ArcId arc : topology.arcs()) {
      const std::optional<ArcId> there = topology.find_arc(NodeId{image[index(topology.tail(arc))]},
                                                           NodeId{image[index(topology.head(arc))]});
      if (!there || topology.capacity(*there) != topology.capacity(arc)) return false;
    }
    return true;
  }

  std::vector<std::vector<uint32_t>> images_;
  std::vector<uint32_t> orbit_;
  std::vector<uint32_t> first_;
};

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
// nodes as can be found: one block after another takes the way on which it meets fewest others. Destinations are the
// first nodes of their orbits; their mirror images are told by the images of all paths.
class LayeredRoutes {
 public:
  explicit LayeredRoutes(const Topology& topology)
      : topology_(topology),
        mirrors_(topology),
        stamp_(topology.num_nodes(), 0),
        price_(topology.num_nodes()),
        via_(topology.num_nodes(), kNoArc) {
    const uint32_t n = topology.num_nodes();
    to_.reserve(mirrors_.count());
    size_t layers = 0;
    for (uint32_t t = 0; t < mirrors_.count(); ++t) {
      const std::vector<uint32_t> hops = distances_to(topology, NodeId{mirrors_.first(t)});
      to_.emplace_back(hops.begin(), hops.end());
      layers = std::max<size_t>(layers, *std::max_element(hops.begin(), hops.end()));
    }
    begin_.reserve(size_t{n} * mirrors_.count() + 1);
    begin_.push_back(0);
    for (uint32_t s = 0; s < n && n <= kSmall; ++s)
      for (uint32_t t = 0; t < n; ++t) begin_.push_back(begin_.back() + to_[t][s]);
    for (uint32_t t = 0; t < mirrors_.count() && n > kSmall; ++t)
      for (uint32_t s = 0; s < n; ++s) begin_.push_back(begin_.back() + to_[t][s]);
    hops_.assign(begin_.back(), kNoArc);
    crowd_.assign(layers, std::vector<uint32_t>(mirrors_.count(), 0));
    if (n <= kSmall) {
      spread();
    } else {
      spread_by_destination();
    }
  }

  [[nodiscard]] const Mirrors& mirrors() const { return mirrors_; }
  [[nodiscard]] size_t num_layers() const { return crowd_.size(); }
  [[nodiscard]] const std::vector<ArcId>& hops() const { return hops_; }

  struct Pair {
    uint32_t source;
    uint32_t destination;
  };
  /// The hops of a layer, from orbit to orbit, and whose they are.
  template <typename Use>  // use(arc, pair)
  void for_each_of(size_t layer, Use use) const {
    for (size_t i = 0; i + 1 < begin_.size(); ++i) {
      if (begin_[i] + layer < begin_[i + 1]) use(hops_[begin_[i] + layer], pair_of(i));
    }
  }

 private:
  // On small networks all pairs in the order of their blocks; on large ones by destination.
  [[nodiscard]] Pair pair_of(size_t i) const {
    const uint32_t n = topology_.num_nodes();
    const auto major = static_cast<uint32_t>(i / n);
    const auto minor = static_cast<uint32_t>(i % n);
    if (n <= kSmall) return {major, minor};
    return {minor, mirrors_.first(major)};
  }

  void spread() {
    std::vector<Closer> closer(to_.size());
    for (size_t t = 0; t < to_.size(); ++t) closer[t].fill(topology_, to_[t]);
    const auto route = [&](size_t i) {
      const Pair pair = pair_of(i);
      reroute<false>(i, pair.source, pair.destination, closer[pair.destination]);
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

  // The same where there is much to do: what leads closer to a destination is found once for all its blocks.
  void spread_by_destination() {
    const uint32_t n = topology_.num_nodes();
    std::vector<uint32_t> destinations(mirrors_.count());
    std::vector<uint32_t> sources(n);
    std::iota(destinations.begin(), destinations.end(), 0U);
    std::iota(sources.begin(), sources.end(), 0U);
    Closer closer;
    bool squares = false;
    const auto round = [&] {
      rng_.shuffle(destinations);
      for (const uint32_t t : destinations) {
        closer.fill(topology_, to_[t]);
        rng_.shuffle(sources);
        for (const uint32_t s : sources) {
          const size_t i = size_t{t} * n + s;
          if (to_[t][s] == 0) continue;
          if (squares) {
            reroute<true>(i, s, t, closer);
          } else {
            reroute<false>(i, s, t, closer);
          }
        }
      }
    };
    round();
    std::vector<ArcId> best = hops_;
    uint64_t excess = crowding();
    // Where paths cannot but crowd somewhere the most crowded places count for more.
    uint64_t even = 0;
    for (const std::vector<uint32_t>& layer : crowd_)
      even += std::accumulate(layer.begin(), layer.end(), uint64_t{0}) / layer.size();
    squares = excess > even / 20;
    weigh_layers();
    int rounds = 1;
    for (int patience = kPatience; excess > 0 && patience > 0; --patience) {
      if (rounds++ >= kLeastRounds && looks_ > kMostLooks) break;
      round();
      if (crowding() >= excess) continue;
      excess = crowding();
      best = hops_;
      patience = kPatience + 1;
    }
    hops_ = std::move(best);
  }

  // So that squares of many blocks in one layer are worth those of few in another.
  void weigh_layers() {
    for (const std::vector<uint32_t>& layer : crowd_) {
      const uint64_t average = std::accumulate(layer.begin(), layer.end(), uint64_t{0}) / layer.size() + 1;
      weight_.push_back(std::max<uint64_t>(1, (uint64_t{1} << 24U) / (average * average)));
    }
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
  template <bool kSquares>
  void reroute(size_t i, uint32_t source, uint32_t destination, const Closer& closer) {
    const uint32_t length = to_[destination][source];
    ArcId* hops = hops_.data() + begin_[i];
    if (hops[0] != kNoArc) {
      for (uint32_t h = 0; h + 1 < length; ++h) --crowd_[h][orbit(hops[h])];
    }
    front_.assign(1, source);
    price_[source] = 0;
    for (uint32_t h = 0; h < length; ++h) {
      const std::vector<uint32_t>& crowd = crowd_[h];
      const uint64_t weight = kSquares ? weight_[h] : 1;
      ++now_;
      next_.clear();
      for (const uint32_t from : front_) {
        const uint64_t price = price_[from];
        looks_ += closer.begin[from + 1] - closer.begin[from];
        for (uint32_t a = closer.begin[from]; a < closer.begin[from + 1]; ++a) {
          const uint32_t head = closer.heads[a];
          const uint64_t met = crowd[mirrors_.orbit(NodeId{head})];
          const uint64_t offer = price + (kSquares ? met * met * weight : met);
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
    for (uint32_t h = 0; h + 1 < length; ++h) ++crowd_[h][orbit(hops[h])];
  }

  [[nodiscard]] uint32_t orbit(ArcId arc) const { return mirrors_.orbit(topology_.head(arc)); }

  const Topology& topology_;
  Mirrors mirrors_;
  Rng rng_{1};
  std::vector<std::vector<uint16_t>> to_;  // to_[t][v]: distance from v to the first node of orbit t
  std::vector<size_t> begin_;              // of the hops of each pair
  std::vector<ArcId> hops_;
  std::vector<std::vector<uint32_t>> crowd_;  // crowd_[h][o]: blocks at a node of o after h+1 hops that go on
  std::vector<uint64_t> weight_;              // of squares, by layer
  uint64_t looks_ = 0;
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
  const uint64_t blocks = uint64_t{problem.topology().num_nodes()} * problem.topology().num_nodes();
  if (blocks <= kMostBlocks) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                       with_thousands(kMostBlocks), problem.title(), with_thousands(blocks)));
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

// The hops of a layer as a graph of orbits: an orbit that sends one of them a step lets each of its nodes do so.
std::vector<BipartiteEdge> edges_of(const Problem& problem, const LayeredRoutes& routes, size_t layer) {
  const Topology& topology = problem.topology();
  std::vector<BipartiteEdge> out;
  routes.for_each_of(layer, [&](ArcId arc, LayeredRoutes::Pair) {
    out.push_back({routes.mirrors().orbit(topology.tail(arc)), routes.mirrors().orbit(topology.head(arc))});
  });
  return out;
}

// By node and mirror image: where an arc is in it.
std::vector<std::vector<ArcId>> images_of_arcs(const Topology& topology, const Mirrors& mirrors) {
  std::vector<std::vector<ArcId>> out;
  for (const std::vector<uint32_t>& image : mirrors.images()) {
    std::vector<ArcId>& arcs = out.emplace_back();
    for (const ArcId arc : topology.arcs())
      arcs.push_back(*topology.find_arc(NodeId{image[index(topology.tail(arc))]},
                                        NodeId{image[index(topology.head(arc))]}));
  }
  return out;
}

Prediction predicted(const Problem& problem, const Routes& found) {
  if (!found) return {};
  const LayeredRoutes& routes = *found;
  const uint32_t orbits = routes.mirrors().count();
  uint64_t steps = 0;
  for (size_t h = 0; h < routes.num_layers(); ++h)
    steps += max_degree(orbits, orbits, edges_of(problem, routes, h));
  std::vector<uint64_t> hops(problem.topology().num_arcs(), 0);
  for (const ArcId arc : routes.hops()) ++hops[index(arc)];
  std::vector<uint64_t> loads(hops.size(), 0);
  for (const std::vector<ArcId>& image : images_of_arcs(problem.topology(), routes.mirrors()))
    for (size_t a = 0; a < hops.size(); ++a) loads[index(image[a])] += hops[a];
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  return {.steps = pieces * steps, .start_ups = pieces * steps, .busiest_link = pieces * busiest};
}

void push_layer(const Problem& problem, const LayeredRoutes& routes,
                const std::vector<std::vector<ArcId>>& images, size_t h, uint32_t piece, StepSink& sink) {
  const uint32_t orbits = routes.mirrors().count();
  const std::vector<BipartiteEdge> edges = edges_of(problem, routes, h);
  const std::vector<uint32_t> slots = edge_colouring(orbits, orbits, edges);
  std::vector<StepBuilder> steps(max_degree(orbits, orbits, edges));
  size_t i = 0;
  routes.for_each_of(h, [&](ArcId arc, LayeredRoutes::Pair pair) {
    StepBuilder& step = steps[slots[i++]];
    for (size_t m = 0; m < images.size(); ++m) {
      const std::vector<uint32_t>& node = routes.mirrors().images()[m];
      step.add(images[m][index(arc)],
               problem.collective().block(Rank{node[pair.source]}, Rank{node[pair.destination]}, piece));
    }
  });
  for (StepBuilder& step : steps) step.flush(sink);
}

void generate_along(const Problem& problem, const LayeredRoutes& routes, StepSink& sink) {
  const std::vector<std::vector<ArcId>> images = images_of_arcs(problem.topology(), routes.mirrors());
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    for (size_t h = 0; h < routes.num_layers(); ++h) push_layer(problem, routes, images, h, piece, sink);
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
