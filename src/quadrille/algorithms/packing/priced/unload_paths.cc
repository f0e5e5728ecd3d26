#include "quadrille/algorithms/packing/priced/unload_paths.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/transforms/slots/path_resources.h"

namespace quadrille {
namespace {

// What a way costs: hardly ever is a longer one of use, since there is no room for its hops.
constexpr uint64_t kHop = 1024;
constexpr uint64_t kOverfull = 16;  // once; as much more each time that it stays so
constexpr uint64_t kTies = 4;       // drawn
// So many moves in vain, or as many as that for each block, are the last ones.
constexpr uint64_t kFewestInVain = 1000;
constexpr uint64_t kInVainOfABlock = 4;

class Unloading {
 public:
  Unloading(const Problem& problem, const std::vector<BlockId>& blocks, std::vector<std::vector<ArcId>> paths,
            uint64_t most)
      : problem_(problem),
        net_(problem.topology()),
        resources_(problem),
        blocks_(blocks),
        paths_(std::move(paths)),
        weight_(resources_.size(), 1),
        users_(resources_.size()),
        place_(resources_.size(), kNowhere),
        distance_(net_.num_nodes()),
        over_(net_.num_nodes(), kNoArc) {
    for (size_t r = 0; r < resources_.size(); ++r) room_.push_back(most * resources_.capacity(r));
    for (uint32_t i = 0; i < paths_.size(); ++i) take(i);
  }

  // `work`: links that are looked at.
  bool run(uint64_t work) {
    uint64_t all = 0;
    for (const uint64_t room : room_) all += room;
    if (used() > all) shorten();
    if (used() > all) return false;
    const uint64_t patience = std::max(kFewestInVain, kInVainOfABlock * blocks_.size());
    uint64_t in_vain = 0;
    size_t fewest = overfull_.size();
    while (!overfull_.empty() && looked_ < work && ++in_vain < patience && !searches_are_stopped()) {
      const size_t r = overfull_[rng_.below(overfull_.size())];
      const uint32_t i = users_[r][rng_.below(users_[r].size())];
      if (!move(i)) ++weight_[r];
      if (overfull_.size() < fewest) in_vain = 0;
      fewest = std::min(fewest, overfull_.size());
    }
    return overfull_.empty();
  }

  std::vector<std::vector<ArcId>> paths() && { return std::move(paths_); }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  [[nodiscard]] uint64_t used() const {
    uint64_t out = 0;
    for (const std::vector<uint32_t>& users : users_) out += users.size();
    return out;
  }

  // All go along shortest paths.
  void shorten() {
    hop_ = kHop * kHop;
    for (uint32_t i = 0; i < paths_.size(); ++i) move(i);
    hop_ = kHop;
  }

  // Whether it goes another way now.
  bool move(uint32_t i) {
    leave(i);
    find(problem_.origin(blocks_[i]), problem_.destination(blocks_[i]));
    const bool is_other = way_ != paths_[i];
    paths_[i] = way_;
    take(i);
    return is_other;
  }

  void take(uint32_t i) {
    for (const ArcId arc : paths_[i]) {
      resources_.of(arc, [&](size_t r) {
        users_[r].push_back(i);
        if (users_[r].size() == room_[r] + 1) {
          place_[r] = static_cast<uint32_t>(overfull_.size());
          overfull_.push_back(r);
        }
      });
    }
  }
  void leave(uint32_t i) {
    for (const ArcId arc : paths_[i]) {
      resources_.of(arc, [&](size_t r) {
        std::vector<uint32_t>& users = users_[r];
        *std::ranges::find(users, i) = users.back();
        users.pop_back();
        if (users.size() != room_[r]) return;
        overfull_[place_[r]] = overfull_.back();
        place_[overfull_.back()] = place_[r];
        place_[r] = kNowhere;
        overfull_.pop_back();
      });
    }
  }

  [[nodiscard]] uint64_t cost(ArcId arc) {
    uint64_t out = hop_ + rng_.below(kTies);
    resources_.of(arc, [&](size_t r) {
      if (users_[r].size() >= room_[r]) out += kOverfull * weight_[r];
    });
    return out;
  }

  void find(NodeId from, NodeId to) {
    std::ranges::fill(distance_, UINT64_MAX);
    distance_[index(from)] = 0;
    queue_ = {};
    queue_.emplace(0, from);
    while (queue_.top().second != to) {
      const auto [distance, u] = queue_.top();
      queue_.pop();
      if (distance != distance_[index(u)]) continue;
      looked_ += net_.arcs_from(u).size();
      for (const ArcId arc : net_.arcs_from(u)) {
        const NodeId v = net_.head(arc);
        const uint64_t then = distance + cost(arc);
        if (then >= distance_[index(v)]) continue;
        distance_[index(v)] = then;
        over_[index(v)] = arc;
        queue_.emplace(then, v);
      }
    }
    way_.clear();
    for (NodeId v = to; v != from; v = net_.tail(over_[index(v)])) way_.push_back(over_[index(v)]);
    std::ranges::reverse(way_);
  }

  const Problem& problem_;
  const Topology& net_;
  PathResources resources_;
  const std::vector<BlockId>& blocks_;
  std::vector<std::vector<ArcId>> paths_;
  Rng rng_{1};
  std::vector<uint64_t> room_{};  // per resource, as what follows
  std::vector<uint64_t> weight_;
  std::vector<std::vector<uint32_t>> users_;  // blocks
  std::vector<uint32_t> place_;               // among the overfull
  std::vector<size_t> overfull_{};
  std::vector<uint64_t> distance_;
  std::vector<ArcId> over_;
  std::vector<ArcId> way_{};
  uint64_t hop_ = kHop;
  uint64_t looked_ = 0;
  using Item = std::pair<uint64_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_{};
};

}  // namespace

bool unload_paths(const Problem& problem, const std::vector<BlockId>& blocks,
                  std::vector<std::vector<ArcId>>& paths, uint64_t most, uint64_t work) {
  Unloading unloading(problem, blocks, paths, most);
  if (!unloading.run(work)) return false;
  paths = std::move(unloading).paths();
  return true;
}

}  // namespace quadrille
