#include "quadrille/topology/queries/bisection.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Exchanging pairs costs nodes^2; beyond this the start cuts are taken as they are.
constexpr uint32_t kImprovedNodes = 512;

uint64_t cost_of(const Topology& topology, const Cut& cut) {
  const CutCapacity across = capacity_across(topology, cut);
  return std::min(across.out, across.in);
}

// Assigns nodes in breadth-first order, so that links are decided early. What is spent on decided links, plus
// for each undecided node the cheaper of its two sides, cannot be undercut.
class BranchAndBound {
 public:
  BranchAndBound(const Topology& topology, uint64_t known, uint64_t work)
      : topology_(topology),
        n_(topology.num_nodes()),
        best_(known),
        work_(work),
        side_(n_, 2),
        weight_(size_t{n_} * n_, 0) {
    for (const ArcId arc : topology.arcs()) {
      weight_[index(topology.tail(arc)) * n_ + index(topology.head(arc))] += topology.capacity(arc);
    }
    const std::vector<uint32_t> hops = distances_from(topology, NodeId{0});
    for (uint32_t v = 0; v < n_; ++v) order_.push_back(v);
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return hops[a] < hops[b]; });
    for (uint32_t v = 0; v < n_; ++v) counts_.push_back(topology.rank(NodeId{v}) ? 1 : 0);
    most_ = (topology.num_endpoints() + 1) / 2;
  }

  // The sides of a cheaper bisection, or nothing; `complete` tells whether the search was.
  std::vector<char> run(bool& complete) {
    descend(0, 0, 0, 0, 0);
    complete = work_ > 0;
    return found_;
  }
  uint64_t best() const { return best_; }

 private:
  // Least cost that the undecided nodes still bring, in each direction: an arc may be on only one side's
  // bill.
  uint64_t still_to_pay(size_t depth, bool out) const {
    uint64_t sum = 0;
    for (size_t i = depth; i < n_; ++i) {
      uint64_t on_one = 0;   // paid when the node goes to side 1
      uint64_t on_zero = 0;  // paid when it goes to side 0
      for (size_t j = 0; j < depth; ++j) {
        const uint64_t there = weight_[size_t{order_[i]} * n_ + order_[j]];
        const uint64_t back = weight_[size_t{order_[j]} * n_ + order_[i]];
        if (side_[order_[j]] == 0) {
          on_one += out ? there : back;
        } else {
          on_zero += out ? back : there;
        }
      }
      sum += std::min(on_one, on_zero);
    }
    return sum;
  }

  void descend(size_t depth, uint32_t ones, uint32_t zeros, uint64_t out, uint64_t in) {
    if (work_ == 0) return;
    --work_;
    if (depth == n_) {
      if (std::min(out, in) < best_) {
        best_ = std::min(out, in);
        found_.assign(side_.begin(), side_.end());
      }
      return;
    }
    if (std::min(out + still_to_pay(depth, true), in + still_to_pay(depth, false)) >= best_) return;
    const uint32_t v = order_[depth];
    for (const char side : {char{0}, char{1}}) {
      if (depth == 0 && side == 1) break;  // the other half is the mirror image
      const uint32_t more_ones = ones + (side == 1 ? counts_[v] : 0);
      const uint32_t more_zeros = zeros + (side == 0 ? counts_[v] : 0);
      if (more_ones > most_ || more_zeros > most_) continue;
      uint64_t more_out = out;
      uint64_t more_in = in;
      for (size_t j = 0; j < depth; ++j) {
        const uint32_t u = order_[j];
        if (side_[u] == side) continue;
        const uint64_t there = weight_[size_t{v} * n_ + u];
        const uint64_t back = weight_[size_t{u} * n_ + v];
        more_out += side == 1 ? there : back;
        more_in += side == 1 ? back : there;
      }
      side_[v] = side;
      descend(depth + 1, more_ones, more_zeros, more_out, more_in);
      side_[v] = 2;
    }
  }

  const Topology& topology_;
  size_t n_;
  uint64_t best_;
  uint64_t work_;
  std::vector<char> side_;
  std::vector<uint64_t> weight_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> counts_;
  std::vector<char> found_;
  uint32_t most_ = 0;
};

bool halves(const Topology& topology, const std::vector<char>& side) {
  uint32_t ones = 0;
  for (const NodeId v : topology.endpoints()) ones += side[index(v)] != 0 ? 1 : 0;
  return ones == topology.num_endpoints() / 2 || ones == (topology.num_endpoints() + 1) / 2;
}

// The nodes in an order, up to the one that completes half of the endpoints.
Cut first_half(const Topology& topology, const std::vector<uint32_t>& order, std::string description) {
  Cut cut{std::move(description), std::vector<char>(topology.num_nodes(), 0)};
  uint32_t left = topology.num_endpoints() / 2;
  for (const uint32_t v : order) {
    const bool endpoint = topology.rank(NodeId{v}).has_value();
    if (endpoint && left == 0) continue;
    cut.side[v] = 1;
    if (endpoint) --left;
  }
  return cut;
}

// Exchanges the pair of nodes (of the same role) that saves most, as long as one does.
void improve(const Topology& topology, Cut& cut) {
  if (topology.num_nodes() > kImprovedNodes || topology.is_directed()) return;
  const uint32_t n = topology.num_nodes();
  bool changed = false;
  for (uint32_t round = 0; round < n; ++round) {
    // gain[v]: what moving v alone to the other side saves.
    std::vector<int64_t> gain(n, 0);
    for (const ArcId arc : topology.arcs()) {
      const size_t v = index(topology.tail(arc));
      const int64_t c = topology.capacity(arc);
      gain[v] += cut.side[v] != cut.side[index(topology.head(arc))] ? c : -c;
    }
    int64_t most = 0;
    uint32_t first = n;
    uint32_t second = n;
    for (uint32_t v = 0; v < n; ++v) {
      const bool endpoint = topology.rank(NodeId{v}).has_value();
      if (!endpoint && gain[v] > most) {
        most = gain[v];
        first = second = v;
      }
      if (cut.side[v] == 0 || !endpoint) continue;
      for (const NodeId w : topology.endpoints()) {
        if (cut.side[index(w)] != 0) continue;
        const std::optional<ArcId> arc = topology.find_arc(NodeId{v}, w);
        const int64_t saved = gain[v] + gain[index(w)] - (arc ? 2 * int64_t{topology.capacity(*arc)} : 0);
        if (saved > most) {
          most = saved;
          first = v;
          second = static_cast<uint32_t>(index(w));
        }
      }
    }
    if (most == 0) break;
    cut.side[first] = cut.side[first] == 0 ? 1 : 0;
    if (second != first) cut.side[second] = cut.side[second] == 0 ? 1 : 0;
    changed = true;
  }
  if (changed) cut.description += ", improved by exchanging nodes";
}

FoundBisection best_start(const Topology& topology) {
  std::optional<FoundBisection> best;
  const auto consider = [&](Cut cut) {
    if (!halves(topology, cut.side)) return;
    improve(topology, cut);
    const uint64_t cost = cost_of(topology, cut);
    if (!best || cost < best->capacity) best = FoundBisection{cost, std::move(cut), false};
  };
  for_each_structured_cut(topology, consider);
  std::vector<uint32_t> order(topology.num_nodes());
  for (uint32_t v = 0; v < order.size(); ++v) order[v] = v;
  consider(first_half(topology, order, "the first half of the nodes"));
  const std::vector<uint32_t> hops = distances_from(topology, NodeId{0});
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return hops[a] < hops[b]; });
  consider(first_half(topology, order, fmt::format("the half nearest to {}", topology.label(NodeId{0}))));
  return *best;
}

}  // namespace

std::optional<FoundBisection> exact_bisection(const Topology& topology, uint64_t work) {
  if (topology.num_endpoints() < 2 || topology.num_nodes() > kExactBisectionNodes) return std::nullopt;
  FoundBisection best = best_start(topology);
  BranchAndBound search(topology, best.capacity, work);
  bool complete = false;
  std::vector<char> side = search.run(complete);
  if (!complete) return std::nullopt;
  best.proved = true;
  if (!side.empty()) {
    best.capacity = search.best();
    best.cut = Cut{"found by search", std::move(side)};
  }
  return best;
}

std::optional<FoundBisection> best_known_bisection(const Topology& topology) {
  if (topology.num_endpoints() < 2) return std::nullopt;
  if (std::optional<FoundBisection> exact = exact_bisection(topology)) return exact;
  return best_start(topology);
}

}  // namespace quadrille
