#include "quadrille/algorithms/trees/cores/doubling_core.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <utility>

#include "quadrille/algorithms/trees/one_port_matchings.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille {
namespace doubling_core_parts {
namespace {

constexpr uint64_t kWork = 2'500'000;  // arcs looked at, about, for cores of a size
constexpr uint64_t kMostTries = 400;   // of a size
constexpr size_t kCores = 96;          // that are grown, of a size
constexpr size_t kCoresTried = 12;     // those from which nobody is far
constexpr uint32_t kMostDoublings = 10;
constexpr uint32_t kLooksToGrow = 4'000;

// Corners of a hypercube, dimension by dimension.
class Growing {
 public:
  Growing(const Topology& net, Rng& rng) : net_(net), rng_(rng), is_in_(net.num_nodes(), 0) {}

  // From a node on; fewer dimensions where no more are found.
  std::vector<NodeId> grown(NodeId first, uint32_t doublings) {
    core_ = {first};
    is_in_[index(first)] = 1;
    for (uint32_t d = 0; d < doublings; ++d) {
      image_.clear();
      left_ = kLooksToGrow;
      if (!extend()) break;
      core_.insert(core_.end(), image_.begin(), image_.end());
    }
    for (const NodeId v : core_) is_in_[index(v)] = 0;
    return core_;
  }

 private:
  // Gives the next node of the core a neighbour, and all after it.
  bool extend() {
    const size_t i = image_.size();
    if (i == core_.size()) return true;
    std::vector<NodeId> neighbours;
    for (const ArcId arc : net_.arcs_from(core_[i])) neighbours.push_back(net_.head(arc));
    rng_.shuffle(neighbours);
    for (const NodeId v : neighbours) {
      if (left_ == 0) return false;
      --left_;
      if (is_in_[index(v)] != 0 || !fits(v, i)) continue;
      is_in_[index(v)] = 1;
      image_.push_back(v);
      if (extend()) return true;
      image_.pop_back();
      is_in_[index(v)] = 0;
    }
    return false;
  }
  [[nodiscard]] bool fits(NodeId v, size_t i) const {
    for (size_t bit = 1; bit <= i; bit *= 2)
      if ((i & bit) != 0 && !net_.find_arc(v, image_[i ^ bit])) return false;
    return true;
  }

  const Topology& net_;
  Rng& rng_;
  std::vector<char> is_in_;
  std::vector<NodeId> core_{};
  std::vector<NodeId> image_{};
  uint32_t left_ = 0;
};

// How far the farthest endpoint is, and all of them together.
std::pair<uint32_t, uint64_t> far_from(const Topology& net, const std::vector<NodeId>& core) {
  std::vector<uint32_t> hops(net.num_nodes(), UINT32_MAX);
  std::vector<NodeId> queue = core;
  for (const NodeId v : core) hops[index(v)] = 0;
  std::pair<uint32_t, uint64_t> out{0, 0};
  for (size_t i = 0; i < queue.size(); ++i) {
    const NodeId v = queue[i];
    if (net.rank(v)) out = {hops[index(v)], out.second + hops[index(v)]};
    for (const ArcId arc : net.arcs_from(v)) {
      const NodeId w = net.head(arc);
      if (hops[index(w)] != UINT32_MAX) continue;
      hops[index(w)] = hops[index(v)] + 1;
      queue.push_back(w);
    }
  }
  return out;
}

// Children in their best order, those first whose subtrees take longest.
void set_steps(const Topology& net, uint32_t ports, CoreBroadcast& made) {
  std::vector<std::vector<ArcId>> below(net.num_nodes());
  for (const NodeId v : net.nodes())
    if (const ArcId arc = made.informed_over[index(v)]; arc != kNoArc)
      below[index(net.tail(arc))].push_back(arc);
  std::vector<NodeId> order = made.core;
  for (size_t i = 0; i < order.size(); ++i)
    for (const ArcId arc : below[index(order[i])]) order.push_back(net.head(arc));
  std::vector<uint32_t> takes(net.num_nodes(), 0);
  for (size_t i = order.size(); i-- > 0;) {
    std::vector<ArcId>& children = below[index(order[i])];
    std::ranges::stable_sort(children, std::greater<>(),
                             [&](ArcId arc) { return takes[index(net.head(arc))]; });
    for (size_t c = 0; c < children.size(); ++c)
      takes[index(order[i])] = std::max(
          takes[index(order[i])], static_cast<uint32_t>(c / ports) + 1 + takes[index(net.head(children[c]))]);
  }
  made.step.assign(net.num_nodes(), 0);
  made.steps = 0;
  for (const NodeId v : order) {
    const std::vector<ArcId>& children = below[index(v)];
    for (size_t c = 0; c < children.size(); ++c) {
      uint32_t& step = made.step[index(net.head(children[c]))];
      step = made.step[index(v)] + static_cast<uint32_t>(c / ports) + 1;
      made.steps = std::max(made.steps, step);
    }
  }
}

// Those of so many nodes from which nobody is far.
std::vector<std::vector<NodeId>> near_cores(const Topology& net, uint32_t doublings, Rng& rng) {
  Growing growing(net, rng);
  std::vector<std::pair<std::pair<uint32_t, uint64_t>, std::vector<NodeId>>> found;
  for (size_t i = 0; i < kCores; ++i) {
    std::vector<NodeId> core =
        growing.grown(NodeId{static_cast<uint32_t>(rng.below(net.num_nodes()))}, doublings);
    if (core.size() == size_t{1} << doublings) found.emplace_back(far_from(net, core), std::move(core));
  }
  std::ranges::sort(found);
  std::vector<std::vector<NodeId>> out;
  for (auto& [far, core] : found)
    if (out.size() < kCoresTried && (out.empty() || out.back() != core)) out.push_back(std::move(core));
  return out;
}

// Steps after a core of so many nodes, of which as many know, and at least one more hears in each port and step.
uint32_t least_steps(const Topology& net, uint64_t know, uint32_t ports) {
  uint32_t steps = 0;
  for (; know < net.num_endpoints(); know *= uint64_t{ports} + 1) ++steps;
  return steps;
}

std::optional<CoreBroadcast> search(const Topology& topology, uint32_t ports, uint32_t before) {
  count_work(Work::kSearching);
  constexpr WhoFirst kWays[] = {{}, {true, false, 0}, {false, true, 0}, {true, true, 0}};
  std::optional<CoreBroadcast> best;
  uint32_t to_beat = before;
  Rng rng(5);
  for (uint32_t doublings = 1; doublings <= kMostDoublings; ++doublings) {
    if (uint64_t{1} << doublings > topology.num_endpoints() || searches_are_stopped()) break;
    if (2 * least_steps(topology, uint64_t{1} << doublings, ports) + doublings >= to_beat) continue;
    const std::vector<std::vector<NodeId>> cores = near_cores(topology, doublings, rng);
    if (cores.empty()) break;
    const uint64_t work = uint64_t{topology.num_arcs()} * std::max(1U, to_beat / 2);
    const uint64_t tries = std::clamp<uint64_t>(kWork / work, cores.size(), kMostTries);
    for (uint64_t i = 0; i < tries && !searches_are_stopped(); ++i) {
      CoreBroadcast made{.core = cores[i % cores.size()], .informed_over = {}, .step = {}};
      const WhoFirst& first = kWays[i / cores.size() % std::size(kWays)];
      made.informed_over = inform_from(topology, made.core, rng, ports, first);
      set_steps(topology, ports, made);
      if (made.allreduce_steps() >= to_beat) continue;
      to_beat = made.allreduce_steps();
      best = std::move(made);
      if (2 * least_steps(topology, uint64_t{1} << doublings, ports) + doublings >= to_beat) break;
    }
  }
  return best;
}

}  // namespace
}  // namespace doubling_core_parts

uint32_t CoreBroadcast::doublings() const { return static_cast<uint32_t>(std::countr_zero(core.size())); }

std::optional<CoreBroadcast> best_core_broadcast(const Topology& topology, uint32_t ports, uint32_t before) {
  // Machines of one packet and of many ask for the same one.
  using Kept = std::shared_ptr<const std::optional<CoreBroadcast>>;
  static LastAnswers<std::pair<uint32_t, uint32_t>, Kept> kept(4);
  return *kept.of(topology, {ports, before}, [&] {
    return std::make_shared<const std::optional<CoreBroadcast>>(
        doubling_core_parts::search(topology, ports, before));
  });
}

}  // namespace quadrille
