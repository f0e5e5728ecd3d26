#include "quadrille/topology/queries/distances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "quadrille/topology/last_answers.h"

namespace quadrille {
namespace {

constexpr uint32_t kUnseen = std::numeric_limits<uint32_t>::max();

// Adjacency lists: those of the topology, or the same backwards.
struct Adjacency {
  std::vector<uint32_t> begin;
  std::vector<NodeId> next;
};

Adjacency backwards(const Topology& topology) {
  Adjacency out;
  out.begin.assign(size_t{topology.num_nodes()} + 1, 0);
  for (const NodeId head : topology.heads()) ++out.begin[index(head) + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.next.resize(topology.num_arcs());
  std::vector<uint32_t> cursor(out.begin.begin(), out.begin.end() - 1);
  for (const ArcId arc : topology.arcs()) out.next[cursor[index(topology.head(arc))]++] = topology.tail(arc);
  return out;
}

class Search {
 public:
  explicit Search(const Topology& topology) : topology_(topology), hops_(topology.num_nodes()) {
    queue_.reserve(topology.num_nodes());
  }

  std::span<const uint32_t> from(NodeId start) {
    run(start, [&](NodeId v, auto visit) {
      for (const ArcId arc : topology_.arcs_from(v)) visit(topology_.head(arc));
    });
    return hops_;
  }

  std::span<const uint32_t> from(NodeId start, const Adjacency& adjacency) {
    run(start, [&](NodeId v, auto visit) {
      for (uint32_t a = adjacency.begin[index(v)]; a < adjacency.begin[index(v) + 1]; ++a) {
        visit(adjacency.next[a]);
      }
    });
    return hops_;
  }

 private:
  template <typename ForNeighbours>
  void run(NodeId start, ForNeighbours for_neighbours) {
    std::fill(hops_.begin(), hops_.end(), kUnseen);
    queue_.assign(1, start);
    hops_[index(start)] = 0;
    // Where most are neighbours all are soon seen.
    for (size_t i = 0; i < queue_.size() && queue_.size() < hops_.size(); ++i) {
      const uint32_t next = hops_[index(queue_[i])] + 1;
      for_neighbours(queue_[i], [&](NodeId v) {
        if (hops_[index(v)] != kUnseen) return;
        hops_[index(v)] = next;
        queue_.push_back(v);
      });
    }
  }

  const Topology& topology_;
  std::vector<uint32_t> hops_;
  std::vector<NodeId> queue_;
};

}  // namespace

std::vector<uint32_t> distances_from(const Topology& topology, NodeId from) {
  Search search(topology);
  const std::span<const uint32_t> hops = search.from(from);
  return {hops.begin(), hops.end()};
}

std::vector<uint32_t> distances_to(const Topology& topology, NodeId to) {
  if (!topology.is_directed()) return distances_from(topology, to);
  Search search(topology);
  const std::span<const uint32_t> hops = search.from(to, backwards(topology));
  return {hops.begin(), hops.end()};
}

void for_each_distance_row(const Topology& topology,
                           const std::function<void(NodeId, std::span<const uint32_t>)>& row) {
  for_each_distance_row(
      topology, [](NodeId) { return true; }, row);
}

void for_each_distance_row(const Topology& topology, const std::function<bool(NodeId)>& wanted,
                           const std::function<void(NodeId, std::span<const uint32_t>)>& row) {
  Search search(topology);
  for (const NodeId from : topology.endpoints())
    if (wanted(from)) row(from, search.from(from));
}

Rank middle_rank(const Topology& topology) {
  if (topology.cayley() != nullptr) return Rank{0};
  std::vector<uint64_t> ways(topology.num_nodes(), 0);
  for_each_distance_row(topology, [&](NodeId from, std::span<const uint32_t> hops) {
    for (const NodeId to : topology.endpoints()) {
      ways[index(from)] += hops[index(to)];
      ways[index(to)] += hops[index(to)];
    }
  });
  const auto endpoints = topology.endpoints();
  const auto nearest = std::ranges::min_element(endpoints, {}, [&](NodeId v) { return ways[index(v)]; });
  return *topology.rank(*nearest);
}

uint64_t status(const Topology& topology, NodeId node) {
  const std::vector<uint32_t> hops = distances_from(topology, node);
  uint64_t sum = 0;
  for (const NodeId v : topology.endpoints()) sum += hops[index(v)];
  return sum;
}

uint32_t eccentricity(const Topology& topology, NodeId node) {
  const std::vector<uint32_t> hops = distances_from(topology, node);
  uint32_t furthest = 0;
  for (const NodeId v : topology.endpoints()) furthest = std::max(furthest, hops[index(v)]);
  return furthest;
}

namespace {

// Of 64 words of bits, how often each bit was set in those that were added; a bit of the numbers a word.
class BitCounts {
 public:
  void add(uint64_t bits) {
    for (size_t plane = 0; bits != 0; ++plane) {
      const uint64_t carry = planes_[plane] & bits;
      planes_[plane] ^= bits;
      bits = carry;
    }
  }
  /// Calls `use` with every bit that was set, and how often; then all are 0 again.
  template <typename Use>
  void take(Use use) {
    uint64_t set = 0;
    size_t last = 0;
    for (size_t plane = 0; plane < planes_.size(); ++plane) {
      set |= planes_[plane];
      if (planes_[plane] != 0) last = plane;
    }
    for (; set != 0; set &= set - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(set));
      uint64_t count = 0;
      for (size_t plane = 0; plane <= last; ++plane) count |= ((planes_[plane] >> bit) & 1U) << plane;
      use(bit, count);
    }
    std::fill_n(planes_.begin(), last + 1, 0);
  }

 private:
  std::array<uint64_t, 33> planes_{};
};

EndpointDistances searched_endpoint_distances(const Topology& topology) {
  constexpr size_t kAtOnce = 64;
  const std::span<const NodeId> endpoints = topology.endpoints();
  EndpointDistances out{std::vector<uint64_t>(endpoints.size(), 0),
                        std::vector<uint32_t>(endpoints.size(), 0)};
  std::vector<char> is_endpoint(topology.num_nodes(), 0);
  for (const NodeId v : endpoints) is_endpoint[index(v)] = 1;
  std::vector<uint64_t> seen(topology.num_nodes());
  std::vector<uint64_t> reached(topology.num_nodes(), 0);
  std::vector<uint64_t> next(topology.num_nodes(), 0);
  std::vector<NodeId> active;  // of whom a bit is in `reached`
  std::vector<NodeId> touched;
  BitCounts farther;  // endpoints that are reached in so many hops and no fewer
  for (size_t first = 0; first < endpoints.size(); first += kAtOnce) {
    const size_t last = std::min(endpoints.size(), first + kAtOnce);
    std::fill(seen.begin(), seen.end(), 0);
    active.assign(endpoints.begin() + static_cast<ptrdiff_t>(first),
                  endpoints.begin() + static_cast<ptrdiff_t>(last));
    for (size_t i = first; i < last; ++i)
      seen[index(endpoints[i])] = reached[index(endpoints[i])] = uint64_t{1} << (i - first);
    for (uint32_t hops = 1; !active.empty(); ++hops) {
      touched.clear();
      for (const NodeId v : active) {
        const uint64_t bits = std::exchange(reached[index(v)], 0);
        for (const ArcId arc : topology.arcs_from(v)) {
          uint64_t& there = next[index(topology.head(arc))];
          if (there == 0) touched.push_back(topology.head(arc));
          there |= bits;
        }
      }
      active.clear();
      for (const NodeId v : touched) {
        const uint64_t bits = std::exchange(next[index(v)], 0) & ~seen[index(v)];
        if (bits == 0) continue;
        seen[index(v)] |= bits;
        reached[index(v)] = bits;
        active.push_back(v);
        if (is_endpoint[index(v)] != 0) farther.add(bits);
      }
      farther.take([&](unsigned bit, uint64_t count) {
        out.eccentricity[first + bit] = hops;
        out.status[first + bit] += hops * count;
      });
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<const EndpointDistances> endpoint_distances(const Topology& topology) {
  // Bounds and cards ask the same.
  static LastAnswers<bool, std::shared_ptr<const EndpointDistances>> kept(4);
  return kept.of(topology, true, [&] {
    return std::make_shared<const EndpointDistances>(searched_endpoint_distances(topology));
  });
}

namespace {

// In a product without routers distances add up, so the status of a node is n times the sum of its
// coordinates' statuses over the factors' nodes.
DistanceSummary product_summary(const ProductStructure& product, uint32_t nodes) {
  DistanceSummary out;
  for (const Topology& factor : product.factors) {
    const DistanceSummary part = distance_summary(factor);
    const uint64_t copies = nodes / factor.num_nodes();
    out.diameter += part.diameter;
    out.min_status += copies * part.min_status;
    out.max_status += copies * part.max_status;
    out.average_status =
        out.average_status + Rational(int64_t{nodes / factor.num_nodes()}) * part.average_status;
  }
  if (nodes > 1) out.average_distance = out.average_status / Rational(int64_t{nodes} - 1);
  return out;
}

bool is_tree(const Topology& topology) {
  return !topology.is_directed() && uint64_t{topology.num_arcs()} + 2 == 2 * uint64_t{topology.num_nodes()};
}

// A walk over a link brings the endpoints on one side of it nearer by one, and takes the others one farther away.
DistanceSummary tree_summary(const Topology& topology) {
  const uint32_t n = topology.num_nodes();
  const uint64_t endpoints = topology.num_endpoints();
  std::vector<uint32_t> order{0};
  std::vector<uint32_t> parent(n, 0);
  order.reserve(n);
  for (size_t i = 0; i < order.size(); ++i) {
    for (const ArcId arc : topology.arcs_from(NodeId{order[i]})) {
      const auto next = static_cast<uint32_t>(index(topology.head(arc)));
      if (next == parent[order[i]]) continue;
      parent[next] = order[i];
      order.push_back(next);
    }
  }
  std::vector<uint64_t> below(n, 0);  // endpoints in the subtree
  for (const NodeId v : topology.endpoints()) below[index(v)] = 1;
  std::vector<uint64_t> status_of(n, 0);
  for (size_t i = n; i-- > 1;) {
    below[parent[order[i]]] += below[order[i]];
    status_of[0] += below[order[i]];
  }
  for (size_t i = 1; i < n; ++i)
    status_of[order[i]] = status_of[parent[order[i]]] + endpoints - 2 * below[order[i]];
  DistanceSummary out;
  out.min_status = std::numeric_limits<uint64_t>::max();
  Int128 total = 0;
  for (const NodeId v : topology.endpoints()) {
    out.min_status = std::min(out.min_status, status_of[index(v)]);
    out.max_status = std::max(out.max_status, status_of[index(v)]);
    total += status_of[index(v)];
  }
  // From any endpoint the farthest one is an end of a longest path.
  NodeId end = topology.endpoints().front();
  for (int turn = 0; turn < 2; ++turn) {
    const std::vector<uint32_t> hops = distances_from(topology, end);
    for (const NodeId v : topology.endpoints())
      if (hops[index(v)] > hops[index(end)]) end = v;
    out.diameter = hops[index(end)];
  }
  out.average_status = Rational::of(total, Int128{endpoints});
  if (endpoints > 1) out.average_distance = Rational::of(total, Int128{endpoints} * Int128{endpoints - 1});
  return out;
}

}  // namespace

DistanceSummary distance_summary(const Topology& topology) {
  if (topology.product() != nullptr && !topology.has_routers())
    return product_summary(*topology.product(), topology.num_nodes());
  if (is_tree(topology)) return tree_summary(topology);
  return searched_distance_summary(topology);
}

DistanceSummary searched_distance_summary(const Topology& topology) {
  DistanceSummary out;
  const Int128 endpoints = topology.num_endpoints();
  Int128 total = 0;
  out.min_status = std::numeric_limits<uint64_t>::max();
  const auto add = [&](uint64_t status, uint32_t eccentricity) {
    out.diameter = std::max(out.diameter, eccentricity);
    out.min_status = std::min(out.min_status, status);
    out.max_status = std::max(out.max_status, status);
    total += status;
  };
  if (topology.cayley() != nullptr && !topology.has_routers()) {
    add(status(topology, NodeId{0}), eccentricity(topology, NodeId{0}));
    total *= endpoints;
  } else {
    const std::shared_ptr<const EndpointDistances> all = endpoint_distances(topology);
    for (size_t r = 0; r < all->status.size(); ++r) add(all->status[r], all->eccentricity[r]);
  }
  out.average_status = Rational::of(total, endpoints);
  if (endpoints > 1) out.average_distance = Rational::of(total, endpoints * (endpoints - 1));
  return out;
}

}  // namespace quadrille
