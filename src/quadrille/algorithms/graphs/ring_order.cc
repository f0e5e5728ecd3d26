#include "quadrille/algorithms/graphs/ring_order.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>

#include "quadrille/base/random.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

using Order = std::vector<NodeId>;

constexpr size_t kMostMoves = 50'000;

bool is_walk(const Topology& topology, const Order& order, bool closed) {
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    if (!topology.find_arc(order[i], order[i + 1])) return false;
  }
  return !closed || order.size() == 1 || topology.find_arc(order.back(), order.front()).has_value();
}

Order own_numbers(const Topology& topology) {
  Order order(topology.num_nodes());
  for (size_t i = 0; i < order.size(); ++i) order[i] = id_at<NodeId>(i);
  return order;
}

std::optional<Order> powers_of_a_generator(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) return std::nullopt;
  for (const uint32_t g : cayley->generators) {
    Order order{NodeId{0}};
    for (uint32_t x = g; x != 0; x = cayley->group->multiply(x, g)) order.push_back(NodeId{x});
    if (order.size() == topology.num_nodes()) return order;
  }
  return std::nullopt;
}

// The product's structure, its factors in any order of speed.
class Snake {
 public:
  Snake(const ProductStructure& product, std::vector<size_t> dimensions, const std::vector<Order>& walks)
      : product_(product), dimensions_(std::move(dimensions)), walks_(walks) {}

  [[nodiscard]] size_t size() const {
    size_t n = 1;
    for (const size_t i : dimensions_) n *= walks_[i].size();
    return n;
  }

  /// What the i-th stop of the reflected walk through all these dimensions adds to a node's number.
  [[nodiscard]] uint32_t at(size_t i) const {
    uint32_t number = 0;
    for (const size_t d : dimensions_) {
      const size_t n = walks_[d].size();
      const size_t turn = i / n;
      const size_t place = turn % 2 == 0 ? i % n : n - 1 - i % n;
      number += static_cast<uint32_t>(index(walks_[d][place])) * product_.strides[d];
      i = turn;
    }
    return number;
  }

 private:
  const ProductStructure& product_;
  std::vector<size_t> dimensions_;  // fastest first
  const std::vector<Order>& walks_;
};

std::vector<size_t> other_dimensions(const ProductStructure& product, size_t left_out) {
  std::vector<size_t> out;
  for (size_t i = product.factors.size(); i-- > 0;) {
    if (i != left_out) out.push_back(i);
  }
  return out;
}

std::optional<std::vector<Order>> factor_walks(const ProductStructure& product) {
  std::vector<Order> walks;
  for (const Topology& factor : product.factors) {
    std::optional<Order> walk = path_order(factor);
    if (!walk) return std::nullopt;
    walks.push_back(*std::move(walk));
  }
  return walks;
}

// Down the rows, to and fro between the columns 1 and last, and back up column 0.
Order comb(size_t rows, size_t columns, const auto& node) {
  Order order;
  order.reserve(rows * columns);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = 1; i < columns; ++i) order.push_back(node(row, row % 2 == 0 ? i : columns - i));
  }
  for (size_t row = rows; row-- > 0;) order.push_back(node(row, 0));
  return order;
}

// With an even number of rows the comb ends beside column 0. With an odd number it ends in the last column,
// which is beside column 0 if the columns are a ring.
std::optional<Order> product_ring(const ProductStructure& product) {
  std::optional<std::vector<Order>> walks = factor_walks(product);
  if (!walks) return std::nullopt;
  for (size_t d = 0; d < walks->size(); ++d) {
    const Snake rest(product, other_dimensions(product, d), *walks);
    if ((*walks)[d].size() % 2 != 0 || rest.size() < 2) continue;
    return comb((*walks)[d].size(), rest.size(), [&](size_t row, size_t column) {
      return NodeId{static_cast<uint32_t>(index((*walks)[d][row])) * product.strides[d] + rest.at(column)};
    });
  }
  for (size_t d = 0; d < walks->size(); ++d) {
    const std::optional<Order> ring = ring_order(product.factors[d]);
    if (!ring || ring->size() < 2) continue;
    const Snake rest(product, other_dimensions(product, d), *walks);
    return comb(rest.size(), ring->size(), [&](size_t row, size_t column) {
      return NodeId{static_cast<uint32_t>(index((*ring)[column])) * product.strides[d] + rest.at(row)};
    });
  }
  return std::nullopt;
}

std::optional<Order> product_path(const ProductStructure& product) {
  const std::optional<std::vector<Order>> walks = factor_walks(product);
  if (!walks) return std::nullopt;
  const Snake all(product, other_dimensions(product, product.factors.size()), *walks);
  Order order(all.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = NodeId{all.at(i)};
  return order;
}

// A walk in a bipartite graph goes to and fro between its sides: a closed one meets both equally often, an
// open one up to one node more on one side. An odd mesh is refused by this, without a search.
bool sides_allow(const Topology& topology, bool closed) {
  std::vector<char> side(topology.num_nodes(), -1);
  std::vector<NodeId> queue{NodeId{0}};
  side[0] = 0;
  size_t first = 1;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const ArcId arc : topology.arcs_from(queue[i])) {
      const NodeId v = topology.head(arc);
      if (side[index(v)] == side[index(queue[i])]) return true;  // not bipartite
      if (side[index(v)] != -1) continue;
      side[index(v)] = static_cast<char>(1 - side[index(queue[i])]);
      first += side[index(v)] == 0 ? 1 : 0;
      queue.push_back(v);
    }
  }
  const size_t second = queue.size() - first;
  const size_t difference = first > second ? first - second : second - first;
  return difference <= (closed ? 0U : 1U);
}

// Depth first, next the neighbour with the fewest ways on; deterministic, and gives up after kMostMoves.
class WalkSearch {
 public:
  WalkSearch(const Topology& topology, bool closed)
      : topology_(topology), closed_(closed), visited_(topology.num_nodes(), 0) {}

  std::optional<Order> from(NodeId start) {
    enter(start);
    while (!order_.empty()) {
      if (order_.size() == topology_.num_nodes() &&
          (!closed_ || order_.size() == 1 || topology_.find_arc(order_.back(), order_.front())))
        return order_;
      std::vector<NodeId>& next = choices_.back();
      if (next.empty()) {
        visited_[index(order_.back())] = 0;
        order_.pop_back();
        choices_.pop_back();
        continue;
      }
      if (++moves_ > kMostMoves) return std::nullopt;
      const NodeId v = next.back();
      next.pop_back();
      enter(v);
    }
    return std::nullopt;
  }

 private:
  void enter(NodeId v) {
    visited_[index(v)] = 1;
    order_.push_back(v);
    std::vector<NodeId> next;
    for (const ArcId arc : topology_.arcs_from(v)) {
      if (visited_[index(topology_.head(arc))] == 0) next.push_back(topology_.head(arc));
    }
    // The best is at the back.
    std::stable_sort(next.begin(), next.end(),
                     [this](NodeId a, NodeId b) { return ways_on(a) > ways_on(b); });
    choices_.push_back(std::move(next));
  }

  [[nodiscard]] size_t ways_on(NodeId v) const {
    size_t count = 0;
    for (const ArcId arc : topology_.arcs_from(v)) count += visited_[index(topology_.head(arc))] == 0 ? 1 : 0;
    return count;
  }

  const Topology& topology_;
  bool closed_;
  std::vector<char> visited_;
  Order order_;
  std::vector<std::vector<NodeId>> choices_;
  size_t moves_ = 0;
};

// Where a walk cannot go on, its end is linked to a node on it, and what comes after that is gone backwards: then the walk has another
// end (Posa 1976). Random networks of thousands of nodes have a ring that is found so. Links must go both ways.
class TurnedWalk {
 public:
  TurnedWalk(const Topology& topology, bool closed) : topology_(topology), closed_(closed) {}

  std::optional<Order> find() {
    const size_t nodes = topology_.num_nodes();
    size_t ends = 0;  // nodes of one link
    for (const NodeId v : topology_.nodes()) ends += topology_.out_degree(v) < 2 ? 1 : 0;
    if (topology_.is_directed() || ends > (closed_ ? 0U : 2U)) return std::nullopt;
    place_.assign(nodes, kNowhere);
    append(NodeId{0});
    const size_t most = std::min(nodes * nodes * kTurnsForEach, kMostTurned);
    while (turned_ < most) {
      if (walk_.size() == nodes && (!closed_ || topology_.find_arc(walk_.back(), walk_.front())))
        return walk_;
      if (grow()) continue;
      if (is_stuck_for_long() && walk_.size() < nodes) {
        turn_after(0, false);
        continue;
      }
      const NodeId next = topology_.head(random_arc(walk_.back()));
      turn_after(place_[index(next)], true);
    }
    return std::nullopt;
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;
  static constexpr size_t kTurnsForEach = 128;
  static constexpr size_t kMostTurned = size_t{1} << 27U;

  void append(NodeId v) {
    place_[index(v)] = static_cast<uint32_t>(walk_.size());
    walk_.push_back(v);
  }

  [[nodiscard]] ArcId random_arc(NodeId v) {
    const auto arcs = topology_.arcs_from(v);
    return ArcId{static_cast<uint32_t>(index(*arcs.begin()) + rng_.below(arcs.size()))};
  }

  // To the neighbour off the walk that has the fewest others there.
  bool grow() {
    NodeId best = kNoNode;
    size_t fewest = SIZE_MAX;
    for (const ArcId arc : topology_.arcs_from(walk_.back())) {
      const NodeId next = topology_.head(arc);
      if (place_[index(next)] != kNowhere) continue;
      size_t ways = 0;
      for (const ArcId on : topology_.arcs_from(next))
        ways += place_[index(topology_.head(on))] == kNowhere ? 1 : 0;
      if (ways < fewest) {
        fewest = ways;
        best = next;
      }
    }
    if (best == kNoNode) return false;
    append(best);
    turns_in_vain_ = 0;
    return true;
  }

  // Then the other end has its turn.
  [[nodiscard]] bool is_stuck_for_long() { return ++turns_in_vain_ % topology_.num_nodes() == 0; }

  void turn_after(uint32_t place, bool after) {
    const size_t begin = place + (after ? 1 : 0);
    std::reverse(walk_.begin() + static_cast<ptrdiff_t>(begin), walk_.end());
    for (size_t i = begin; i < walk_.size(); ++i) place_[index(walk_[i])] = static_cast<uint32_t>(i);
    turned_ += walk_.size() - begin + 1;
  }

  const Topology& topology_;
  bool closed_;
  Order walk_{};
  std::vector<uint32_t> place_{};
  size_t turned_ = 0;  // nodes, of all turns
  size_t turns_in_vain_ = 0;
  Rng rng_{1};
};

std::optional<Order> searched(const Topology& topology, bool closed) {
  if (std::optional<Order> order = WalkSearch(topology, closed).from(NodeId{0})) return order;
  return TurnedWalk(topology, closed).find();
}

// Every card on placed ranks asks for the walk through its network, in every number of pieces and for every lender: it is
// looked for once. What is found depends on the graph alone, so it does not matter who asked first.
std::optional<Order> searched_once(const Topology& topology, bool closed) {
  struct Walk {
    Topology topology;
    bool closed;
    std::optional<Order> order;
  };
  constexpr size_t kMostKept = 8;
  constexpr uint32_t kMostNodes = 4096;  // of networks that are kept in memory for that
  if (topology.num_nodes() > kMostNodes) return searched(topology, closed);
  static std::mutex mutex;
  static std::deque<Walk> kept;
  const std::lock_guard lock(mutex);
  for (const Walk& walk : kept)
    if (walk.closed == closed && walk.topology.same_graph(topology)) return walk.order;
  kept.push_front({topology, closed, searched(topology, closed)});
  if (kept.size() > kMostKept) kept.pop_back();
  return kept.front().order;
}

}  // namespace

std::optional<Order> ring_order(const Topology& topology) {
  count_work(Work::kSearching);
  if (Order order = own_numbers(topology); is_walk(topology, order, true)) return order;
  if (std::optional<Order> order = powers_of_a_generator(topology)) return order;
  if (const ProductStructure* product = topology.product()) {
    if (std::optional<Order> order = product_ring(*product); order && is_walk(topology, *order, true))
      return order;
  }
  if (topology.num_nodes() > 1 && !sides_allow(topology, true)) return std::nullopt;
  return searched_once(topology, true);
}

std::optional<Order> path_order(const Topology& topology) {
  if (Order order = own_numbers(topology); is_walk(topology, order, false)) return order;
  if (std::optional<Order> order = ring_order(topology)) return order;
  if (const ProductStructure* product = topology.product()) {
    if (std::optional<Order> order = product_path(*product); order && is_walk(topology, *order, false))
      return order;
  }
  if (!sides_allow(topology, false)) return std::nullopt;
  return searched_once(topology, false);
}

bool has_product_ring(const ProductStructure& product) {
  size_t large = 0;  // factors of two nodes and more
  bool some_even = false;
  bool some_ring = false;
  for (const Topology& factor : product.factors) {
    if (!path_order(factor)) return false;
    const uint32_t nodes = factor.num_nodes();
    large += nodes > 1 ? 1 : 0;
    some_even = some_even || nodes % 2 == 0;
    some_ring = some_ring || (nodes > 1 && ring_order(factor));
  }
  return (some_even && large > 1) || some_ring;
}

}  // namespace quadrille
