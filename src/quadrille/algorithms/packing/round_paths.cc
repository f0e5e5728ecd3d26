#include "quadrille/algorithms/packing/round_paths.h"

#include <algorithm>
#include <numeric>

#include "quadrille/base/random.h"

namespace quadrille {

class RoundSpreading {
 public:
  RoundSpreading(const Problem& problem, const PricedPaths& paths, const std::vector<uint32_t>& round,
                 uint32_t window)
      : problem_(problem), topology_(problem.topology()), paths_(paths), round_(round), window_(window) {
    for (size_t i = 0; i < paths.size(); ++i) {
      routes_.emplace_back(paths.path(i).begin(), paths.path(i).end());
      most_hops_ = std::max(most_hops_, routes_.back().size());
      rounds_ = std::max(rounds_, round[i] + 1);
    }
    ++most_hops_;
    windows_ = (rounds_ + static_cast<uint32_t>(most_hops_)) / window + 1;
    load_.assign(size_t{topology_.num_arcs()} * windows_, 0);
    in_all_.assign(topology_.num_arcs(), 0);
    most_in_all_ = std::max<uint64_t>(paths.busiest(), 1);
    // A slot's price doubles with every eighth of the window that is taken already.
    for (uint32_t taken = 0; taken <= kMostTaken * window; ++taken) {
      const uint32_t eighths = taken * 8 / window;
      const uint32_t rest = taken * 8 % window;
      price_.push_back((uint64_t{16} << eighths) + ((uint64_t{16} << eighths) * rest) / window);
    }
    cost_.resize((most_hops_ + 1) * topology_.num_nodes());
    came_.resize(cost_.size());
    hops_to_.resize(topology_.num_endpoints());
    ends_here_.assign(topology_.num_nodes(), 0);
    for (const NodeId end : topology_.endpoints()) ends_here_[index(end)] = 1;
  }

  PricedPaths run() {
    std::vector<uint32_t> order(routes_.size());
    std::iota(order.begin(), order.end(), 0U);
    for (size_t i = 0; i < routes_.size(); ++i) change(i, 1);
    for (int pass = 0; pass < kPasses; ++pass) {
      rng_.shuffle(order);
      for (const uint32_t i : order) reroute(i);
    }
    PricedPaths out;
    out.blocks_ = paths_.blocks_;
    out.least_ = paths_.least_;
    out.begin_.assign(1, 0);
    std::vector<uint64_t> load(topology_.num_arcs(), 0);
    for (const std::vector<ArcId>& route : routes_) {
      out.arcs_.insert(out.arcs_.end(), route.begin(), route.end());
      out.begin_.push_back(out.arcs_.size());
      for (const ArcId arc : route) {
        ++load[index(arc)];
        const uint64_t capacity = topology_.capacity(arc);
        out.busiest_ = std::max(out.busiest_, (load[index(arc)] + capacity - 1) / capacity);
      }
    }
    return out;
  }

 private:
  static constexpr int kPasses = 3;
  static constexpr uint32_t kMostTaken = 3;  // windows
  static constexpr uint64_t kFreePart = 85;  // of what the busiest host has to do, per cent

  [[nodiscard]] uint32_t window_of(uint32_t step) const { return std::min(step / window_, windows_ - 1); }
  [[nodiscard]] size_t slot(ArcId arc, uint32_t window) const { return index(arc) * windows_ + window; }
  void change(size_t i, int by) {
    uint32_t step = round_[i];
    for (const ArcId arc : routes_[i]) {
      load_[slot(arc, window_of(step++))] += static_cast<uint32_t>(by);
      in_all_[index(arc)] += static_cast<uint32_t>(by);
    }
  }
  [[nodiscard]] uint64_t price(ArcId arc, uint32_t window) const {
    const uint32_t load = load_[slot(arc, window)];
    const uint32_t capacity = topology_.capacity(arc);
    const uint32_t taken = capacity == 1 ? load : load / capacity;
    return price_[std::min<size_t>(taken, price_.size() - 1)] + price_in_all(arc);
  }

  // A link that has as much to do in all as hosts have is no way for more: from 85 per cent on its price doubles with each.
  [[nodiscard]] uint64_t price_in_all(ArcId arc) const {
    const uint64_t load = uint64_t{in_all_[index(arc)]} / topology_.capacity(arc);
    const uint64_t free = most_in_all_ * kFreePart / 100;
    if (load < free) return 0;
    return uint64_t{1} << std::min<uint64_t>((load - free) * 100 / most_in_all_, 16);
  }

  // Links lead both ways (are_hosts_of_one_link()).
  const std::vector<uint16_t>& hops_from_all_to(NodeId target) {
    std::vector<uint16_t>& hops = hops_to_[index(*topology_.rank(target))];
    if (!hops.empty()) return hops;
    hops.assign(topology_.num_nodes(), UINT16_MAX);
    hops[index(target)] = 0;
    std::vector<NodeId> reached{target};
    for (size_t n = 0; n < reached.size(); ++n) {
      for (const ArcId arc : topology_.arcs_from(reached[n])) {
        uint16_t& there = hops[index(topology_.head(arc))];
        if (there != UINT16_MAX) continue;
        there = static_cast<uint16_t>(hops[index(reached[n])] + 1);
        reached.push_back(topology_.head(arc));
      }
    }
    return hops;
  }

  // The cheapest way by hops: the h-th is taken in the h-th step of the block.
  void reroute(size_t i) {
    const size_t nodes = topology_.num_nodes();
    const NodeId source = problem_.origin(paths_.block(i));
    const NodeId target = problem_.destination(paths_.block(i));
    change(i, -1);
    const size_t most = std::min(most_hops_, routes_[i].size() + 1);
    const std::vector<uint16_t>& hops_to = hops_from_all_to(target);
    std::fill_n(cost_.begin(), (most + 1) * nodes, UINT64_MAX);
    cost_[index(source)] = 0;
    reached_.assign(1, source);
    uint64_t least = UINT64_MAX;
    size_t hops = 0;
    for (size_t h = 0; h < most; ++h) {
      next_.clear();
      const uint64_t* here = &cost_[h * nodes];
      uint64_t* there = &cost_[(h + 1) * nodes];
      const uint32_t window = window_of(round_[i] + static_cast<uint32_t>(h));
      for (const NodeId v : reached_) {
        for (const ArcId arc : topology_.arcs_from(v)) {
          const NodeId w = topology_.head(arc);
          if ((ends_here_[index(w)] != 0 && w != target) || h + 1 + hops_to[index(w)] > most) continue;
          const uint64_t cost = here[index(v)] + price(arc, window);
          if (cost >= there[index(w)] || cost >= least) continue;
          if (there[index(w)] == UINT64_MAX && w != target) next_.push_back(w);
          there[index(w)] = cost;
          came_[(h + 1) * nodes + index(w)] = arc;
        }
      }
      if (there[index(target)] < least) {
        least = there[index(target)];
        hops = h + 1;
      }
      reached_.swap(next_);
    }
    routes_[i].resize(hops);
    NodeId at = target;
    for (size_t h = hops; h > 0; --h) {
      routes_[i][h - 1] = came_[h * nodes + index(at)];
      at = topology_.tail(routes_[i][h - 1]);
    }
    change(i, 1);
  }

  const Problem& problem_;
  const Topology& topology_;
  const PricedPaths& paths_;
  const std::vector<uint32_t>& round_;
  uint32_t window_;
  uint32_t windows_ = 0;
  uint32_t rounds_ = 0;
  size_t most_hops_ = 0;
  Rng rng_{1};
  std::vector<std::vector<ArcId>> routes_{};
  std::vector<uint32_t> load_{};
  std::vector<uint32_t> in_all_{};  // per link
  uint64_t most_in_all_ = 1;
  std::vector<uint64_t> price_{};
  std::vector<uint64_t> cost_{};
  std::vector<ArcId> came_{};
  std::vector<std::vector<uint16_t>> hops_to_{};  // of each endpoint, once somebody has asked
  std::vector<uint8_t> ends_here_{};              // of a node: passes nothing on
  std::vector<NodeId> reached_{};
  std::vector<NodeId> next_{};
};

bool are_hosts_of_one_link(const Topology& topology) {
  if (!topology.has_routers() || topology.is_directed()) return false;
  for (const NodeId e : topology.endpoints()) {
    if (topology.out_degree(e) != 1 || topology.rank(topology.head(topology.arcs_from(e)[0]))) return false;
  }
  return true;
}

PricedPaths spread_over_rounds(const Problem& problem, const PricedPaths& paths,
                               const std::vector<uint32_t>& round, uint32_t window) {
  return RoundSpreading(problem, paths, round, window).run();
}

}  // namespace quadrille
