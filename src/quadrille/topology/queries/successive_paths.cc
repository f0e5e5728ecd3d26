#include "quadrille/topology/queries/successive_paths.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint64_t kNoWay = UINT64_MAX;

// Blocks that arrive within so many steps.
uint64_t arrive(const std::vector<SuccessivePaths::Length>& lengths, uint64_t steps) {
  uint64_t sum = 0;
  for (const auto& [hops, capacity] : lengths) {
    if (steps >= hops) sum += capacity * (steps - hops + 1);
  }
  return sum;
}

constexpr uint64_t kMostWork = 60'000'000;  // ways looked at
constexpr uint64_t kLookWork = 10'000'000;  // ... to tell nodes apart

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 31U)) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 29U)) * 0xbf58476d1ce4e5b9U;
  return x ^ (x >> 32U);
}

// How each node looks from the root: at first its distance, then, again and again, who is around it. Nodes
// that differ may look alike for lack of effort; that costs nothing but the stronger of the two.
std::vector<uint64_t> looks_of(const Topology& topology, NodeId root, const std::vector<uint32_t>& hops) {
  const size_t nodes = topology.num_nodes();
  std::vector<uint64_t> looks(nodes);
  for (size_t v = 0; v < nodes; ++v) looks[v] = mixed(hops[v] + 1);
  looks[index(root)] = 0;
  std::vector<uint64_t> around(nodes);
  const auto count = [&] {
    std::vector<uint64_t> all = looks;
    std::ranges::sort(all);
    return static_cast<size_t>(std::unique(all.begin(), all.end()) - all.begin());
  };
  size_t kinds = count();
  for (uint64_t work = 0; work < kLookWork; work += topology.num_arcs() + nodes) {
    for (size_t v = 0; v < nodes; ++v) around[v] = mixed(looks[v]);
    for (const ArcId arc : topology.arcs()) {
      const size_t tail = index(topology.tail(arc));
      const size_t head = index(topology.head(arc));
      around[tail] += mixed(looks[head] + 3 * topology.capacity(arc));
      around[head] += mixed(looks[tail] + 5 * topology.capacity(arc) + 1);
    }
    looks.swap(around);
    const size_t now = count();
    if (now == kinds) break;
    kinds = now;
  }
  return looks;
}

// One endpoint of each look, the farthest ones first.
std::vector<NodeId> to_ask(const Topology& topology, NodeId root, const std::vector<uint32_t>& hops) {
  const std::vector<uint64_t> looks = looks_of(topology, root, hops);
  std::vector<NodeId> out;
  for (const NodeId v : topology.endpoints()) {
    if (v != root) out.push_back(v);
  }
  std::ranges::sort(
      out, [&](NodeId a, NodeId b) { return std::pair(looks[index(a)], a) < std::pair(looks[index(b)], b); });
  const auto looks_alike = [&](NodeId a, NodeId b) { return looks[index(a)] == looks[index(b)]; };
  out.erase(std::unique(out.begin(), out.end(), looks_alike), out.end());
  std::ranges::sort(
      out, [&](NodeId a, NodeId b) { return std::pair(hops[index(b)], a) < std::pair(hops[index(a)], b); });
  return out;
}

}  // namespace

SuccessivePaths::SuccessivePaths(const Topology& topology, NodeId root, bool backwards)
    : root_(static_cast<uint32_t>(index(root))),
      begin_(size_t{topology.num_nodes()} + 1, 0),
      ways_(size_t{topology.num_arcs()} * 2),
      capacity_(topology.num_arcs()),
      hops_(backwards ? distances_to(topology, root) : distances_from(topology, root)),
      flow_(topology.num_arcs(), 0),
      potential_(topology.num_nodes()),
      distance_(topology.num_nodes(), -1),
      parent_(topology.num_nodes()) {
  const auto tail = [&](ArcId arc) { return index(backwards ? topology.head(arc) : topology.tail(arc)); };
  const auto head = [&](ArcId arc) { return index(backwards ? topology.tail(arc) : topology.head(arc)); };
  for (const ArcId arc : topology.arcs()) {
    ++begin_[tail(arc)];
    ++begin_[head(arc)];
  }
  uint32_t sum = 0;
  for (uint32_t& begin : begin_) begin = std::exchange(sum, sum + begin);
  std::vector<uint32_t> next = begin_;
  for (const ArcId arc : topology.arcs()) {
    const auto number = static_cast<uint32_t>(index(arc));
    capacity_[number] = topology.capacity(arc);
    ways_[next[tail(arc)]++] = {static_cast<uint32_t>(head(arc)), number, false};
    ways_[next[head(arc)]++] = {static_cast<uint32_t>(tail(arc)), number, true};
  }
}

// The length of the shortest path that is left, if it is not above the limit. Dijkstra's search by reduced
// lengths, which are small whole numbers; the potentials are moved on as far as the target.
uint64_t SuccessivePaths::search(uint32_t target, uint64_t limit) {
  for (const uint32_t v : reached_) distance_[v] = -1;
  reached_.clear();
  const int64_t most = static_cast<int64_t>(limit) - potential_[target] + potential_[root_];
  if (most < 0) return kNoWay;
  for (auto& bucket : buckets_) bucket.clear();
  buckets_.resize(std::max(buckets_.size(), static_cast<size_t>(most) + 1));
  const auto reach = [&](uint32_t v, int64_t at) {
    if (distance_[v] < 0) reached_.push_back(v);
    distance_[v] = at;
    buckets_[static_cast<size_t>(at)].push_back(v);
  };
  reach(root_, 0);
  int64_t found = -1;
  for (int64_t at = 0; at <= most && found < 0; ++at) {
    auto& bucket = buckets_[static_cast<size_t>(at)];
    // The last one first: where many lead to the target, one of them is looked at, and not all that come before it.
    while (!bucket.empty()) {
      const uint32_t v = bucket.back();
      bucket.pop_back();
      if (distance_[v] != at) continue;
      if (v == target) {
        found = at;
        break;
      }
      work_ += begin_[v + 1] - begin_[v];
      for (uint32_t w = begin_[v]; w < begin_[v + 1]; ++w) {
        const Way& way = ways_[w];
        if (left(way) == 0) continue;
        const int64_t there = at + (way.back ? -1 : 1) + potential_[v] - potential_[way.to];
        if (there > most || (distance_[way.to] >= 0 && distance_[way.to] <= there)) continue;
        parent_[way.to] = {v, w};
        reach(way.to, there);
      }
    }
  }
  // Nodes that are not nearer than the target, or than the limit, are moved on by that.
  const int64_t horizon = found >= 0 ? found : most + 1;
  for (int64_t& potential : potential_) potential += horizon;
  for (const uint32_t v : reached_) {
    if (distance_[v] < horizon) potential_[v] -= horizon - distance_[v];
  }
  if (found < 0) return kNoWay;
  return static_cast<uint64_t>(potential_[target] - potential_[root_]);
}

uint64_t SuccessivePaths::add_path(uint32_t target, uint64_t most) {
  for (uint32_t v = target; v != root_; v = parent_[v].first)
    most = std::min(most, left(ways_[parent_[v].second]));
  for (uint32_t v = target; v != root_; v = parent_[v].first) {
    const Way& way = ways_[parent_[v].second];
    if (way.back) {
      flow_[way.arc] -= most;
    } else {
      if (flow_[way.arc] == 0) used_.push_back(way.arc);
      flow_[way.arc] += most;
    }
  }
  return most;
}

void SuccessivePaths::start(NodeId node) {
  for (const uint32_t arc : used_) flow_[arc] = 0;
  used_.clear();
  lengths_.clear();
  target_ = static_cast<uint32_t>(index(node));
  for (size_t v = 0; v < hops_.size(); ++v) potential_[v] = hops_[v];
}

uint64_t SuccessivePaths::quickest(NodeId node, uint64_t blocks, uint64_t enough) {
  start(node);
  steps_ = blocks == 0 || target_ == root_ ? 0 : kNoWay;
  // A path that takes as long as it all takes without it brings nothing sooner.
  while (steps_ > enough) {
    const uint64_t hops = search(target_, std::min<uint64_t>(steps_ - 1, hops_.size()));
    if (hops == kNoWay) break;
    lengths_.push_back({hops, add_path(target_, blocks)});
    uint64_t least = hops;
    uint64_t most = steps_ == kNoWay ? hops + blocks : steps_;
    while (least < most) {
      const uint64_t middle = least + (most - least) / 2;
      if (arrive(lengths_, middle) >= blocks) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    steps_ = most;
  }
  return steps_;
}

std::vector<uint32_t> SuccessivePaths::times() {
  std::vector<uint32_t> out(hops_.size(), 0);
  if (steps_ == 0) return out;
  // Who cannot be reached over what is left, however long it takes, may have any later time.
  std::vector<bool> is_reached(hops_.size(), false);
  std::vector<uint32_t> wave{root_};
  is_reached[root_] = true;
  for (size_t i = 0; i < wave.size(); ++i) {
    for (uint32_t w = begin_[wave[i]]; w < begin_[wave[i] + 1]; ++w) {
      if (left(ways_[w]) == 0 || is_reached[ways_[w].to]) continue;
      is_reached[ways_[w].to] = true;
      wave.push_back(ways_[w].to);
    }
  }
  const auto last = static_cast<int64_t>(steps_);
  const int64_t missing = last - potential_[target_] + potential_[root_];
  for (size_t v = 0; v < out.size(); ++v) {
    const int64_t time =
        potential_[v] - potential_[root_] + (is_reached[v] ? 0 : std::max<int64_t>(missing, 0));
    out[v] = static_cast<uint32_t>(std::clamp<int64_t>(time, 0, last));
  }
  return out;
}

uint64_t SuccessivePaths::disjoint(NodeId node, uint64_t most) {
  start(node);
  uint64_t paths = 0;
  while (paths < most && search(target_, hops_.size()) != kNoWay) paths += add_path(target_, most - paths);
  return paths;
}

namespace {

QuickestFlow find_quickest(const Topology& topology, NodeId root, bool backwards, uint64_t blocks) {
  SuccessivePaths flow(topology, root, backwards);
  std::vector<NodeId> asked = to_ask(topology, root, flow.hops());
  if (blocks == 1 && !asked.empty()) asked.resize(1);  // the farthest one
  QuickestFlow out;
  for (const NodeId v : asked) {
    if (out.steps > 0 && flow.work() > kMostWork) break;
    const uint64_t here = flow.quickest(v, blocks, out.steps);
    if (here > out.steps) out = {here, v};
  }
  return out;
}

}  // namespace

// Bounds, bounds in time and trees ask for the same few numbers of blocks, which take longer than all else on large networks.
QuickestFlow quickest_to_all(const Topology& topology, NodeId root, bool backwards, uint64_t blocks) {
  static LastAnswers<std::tuple<NodeId, bool, uint64_t>, QuickestFlow> kept(16);
  return kept.of(topology, {root, backwards, blocks},
                 [&] { return find_quickest(topology, root, backwards, blocks); });
}

}  // namespace quadrille
