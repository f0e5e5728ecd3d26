#include "quadrille/algorithms/torus_classes/level_hubs.h"

#include <algorithm>
#include <cstddef>

#include "quadrille/algorithms/torus_classes/cooling.h"
#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr Cooling kHubCooling{.hot = kCertain * 2 / 3, .cold = kCertain / 1000};
// Hops that a hub moves at once.
constexpr uint32_t kNextTo = 2;

struct Hub {
  uint32_t node;
  uint32_t level;
};

// A set of hubs, the root among them, and how long their tree is. Hubs have places, which stay as others come and go; what has
// changed since the last keep() can be undone.
class Hubs {
 public:
  Hubs(std::span<const uint32_t> hops, uint32_t size, uint32_t levels)
      : size_(size), levels_(levels), level_(size, 0), owner_(size, 0) {
    hops_.reserve(hops.size());
    for (const uint32_t h : hops) hops_.push_back(static_cast<uint16_t>(h));
    clear();
  }

  void clear() {
    hubs_.assign(1, {0, 0});
    edges_.assign(1, {});
    present_.assign(1, 0);
    free_.clear();
    above_ = longer_ = 0;
    for (uint32_t v = 0; v < size_; ++v) {
      level_[v] = hops_[v];
      owner_[v] = 0;
      above_ += above(level_[v]);
    }
    keep();
  }

  /// Places of all hubs; the first is the root's.
  [[nodiscard]] const std::vector<uint16_t>& present() const { return present_; }
  [[nodiscard]] const Hub& hub(uint16_t place) const { return hubs_[place]; }
  [[nodiscard]] uint64_t hops() const { return size_ - 1 + above_ + longer_; }
  /// Of each node, the last one at most.
  [[nodiscard]] std::vector<uint32_t> levels() const {
    std::vector<uint32_t> out(size_, 0);
    for (uint32_t v = 1; v < size_; ++v) out[v] = std::min<uint32_t>(level_[v], levels_);
    return out;
  }

  void add(const Hub& hub) {
    auto place = static_cast<uint16_t>(hubs_.size());
    if (free_.empty()) {
      hubs_.emplace_back();
      edges_.emplace_back();
    } else {
      place = free_.back();
      free_.pop_back();
    }
    hubs_[place] = hub;
    insert(place);
    added_.push_back(place);
    const uint16_t* const hops = &hops_[size_t{hub.node} * size_];
    const auto level = static_cast<uint16_t>(hub.level);
    const auto here = [&](uint32_t v) { return static_cast<uint16_t>(hops[v] + level); };
    for_nodes([&](uint32_t v) { return here(v) < level_[v]; }, [&](uint32_t v) { set(v, here(v), place); });
    find_edge(place);
    for (const uint16_t other : present_) {
      if (other == 0 || hubs_[other].level <= hub.level) continue;
      const int32_t long_by = edge(hubs_[other], hub);
      if (long_by < edges_[other].hops) set_edge(other, {long_by, place});
    }
  }

  void remove(uint16_t place) {
    erase(place);
    removed_.push_back(place);
    set_edge(place, {});
    for_nodes([&](uint32_t v) { return owner_[v] == place; }, [&](uint32_t v) { find_owner(v); });
    for (const uint16_t other : present_)
      if (other != 0 && edges_[other].from == place) find_edge(other);
  }

  void keep() {
    free_.insert(free_.end(), removed_.begin(), removed_.end());
    added_.clear();
    removed_.clear();
    nodes_before_.clear();
    edges_before_.clear();
  }

  void undo() {
    for (; !nodes_before_.empty(); nodes_before_.pop_back()) {
      const auto& [v, level, owner] = nodes_before_.back();
      above_ = above_ + above(level) - above(level_[v]);
      level_[v] = level;
      owner_[v] = owner;
    }
    for (; !edges_before_.empty(); edges_before_.pop_back()) {
      const auto& [place, before] = edges_before_.back();
      longer_ = longer_ + before.longer() - edges_[place].longer();
      edges_[place] = before;
    }
    for (const uint16_t place : added_) {
      erase(place);
      free_.push_back(place);
    }
    for (const uint16_t place : removed_) insert(place);
    added_.clear();
    removed_.clear();
  }

 private:
  static constexpr uint32_t kAtOnce = 64;
  static constexpr uint16_t kNobody = UINT16_MAX;
  // From the nearest node of a lower level; of the root, and of places without a hub, none.
  struct Edge {
    int32_t hops = 0;
    uint16_t from = kNobody;  // the hub whose levels that node has

    // Than one hop. A node that has its level, or a lower one, without being a hub is one too many.
    [[nodiscard]] uint64_t longer() const {
      return from == kNobody ? 0 : static_cast<uint64_t>(std::max(1, hops - 1));
    }
  };
  struct NodeBefore {
    uint32_t node;
    uint16_t level;
    uint16_t owner;
  };
  struct EdgeBefore {
    uint16_t place;
    Edge edge;
  };

  [[nodiscard]] uint32_t between(uint32_t a, uint32_t b) const { return hops_[size_t{a} * size_ + b]; }
  [[nodiscard]] uint32_t above(uint16_t level) const { return level > levels_ ? level - levels_ : 0; }
  // Around a hub lie nodes of all levels between its own and the other's.
  [[nodiscard]] int32_t edge(const Hub& to, const Hub& from) const {
    return static_cast<int32_t>(between(to.node, from.node)) -
           static_cast<int32_t>(to.level - 1 - from.level);
  }

  // Few are: several are asked at once whether any is.
  template <typename Is, typename Change>
  void for_nodes(const Is& is, const Change& change) {
    for (uint32_t first = 0; first < size_; first += kAtOnce) {
      const uint32_t last = std::min(size_, first + kAtOnce);
      uint16_t any = 0;
      for (uint32_t v = first; v < last; ++v) any |= static_cast<uint16_t>(is(v));
      for (uint32_t v = first; any != 0 && v < last; ++v)
        if (is(v)) change(v);
    }
  }

  void insert(uint16_t place) { present_.push_back(place); }
  void erase(uint16_t place) {
    *std::ranges::find(present_, place) = present_.back();
    present_.pop_back();
  }

  void set(uint32_t v, uint16_t level, uint16_t owner) {
    nodes_before_.push_back({v, level_[v], owner_[v]});
    above_ = above_ + above(level) - above(level_[v]);
    level_[v] = level;
    owner_[v] = owner;
  }
  void set_edge(uint16_t place, Edge edge) {
    edges_before_.push_back({place, edges_[place]});
    longer_ = longer_ + edge.longer() - edges_[place].longer();
    edges_[place] = edge;
  }

  void find_owner(uint32_t v) {
    const uint16_t* const hops = &hops_[size_t{v} * size_];  // as far there as back
    uint32_t level = UINT32_MAX;
    uint16_t owner = 0;
    for (const uint16_t place : present_) {
      const uint32_t here = hops[hubs_[place].node] + hubs_[place].level;
      if (here >= level) continue;
      level = here;
      owner = place;
    }
    set(v, static_cast<uint16_t>(level), owner);
  }
  void find_edge(uint16_t place) {
    Edge nearest{INT32_MAX, 0};
    for (const uint16_t other : present_) {
      if (hubs_[other].level >= hubs_[place].level) continue;
      const int32_t here = edge(hubs_[place], hubs_[other]);
      if (here < nearest.hops) nearest = {here, other};
    }
    set_edge(place, nearest);
  }

  uint32_t size_;
  uint32_t levels_;
  std::vector<uint16_t> hops_{};
  std::vector<Hub> hubs_{};    // per place
  std::vector<Edge> edges_{};  // per place
  std::vector<uint16_t> present_{};
  std::vector<uint16_t> free_{};
  std::vector<uint16_t> level_;  // per node
  std::vector<uint16_t> owner_;  // per node: the place of a hub
  uint64_t above_ = 0;           // levels that nodes are too high
  uint64_t longer_ = 0;          // edges to hubs
  std::vector<uint16_t> added_{};
  std::vector<uint16_t> removed_{};
  std::vector<NodeBefore> nodes_before_{};
  std::vector<EdgeBefore> edges_before_{};
};

class HubSearch {
 public:
  HubSearch(std::span<const uint32_t> hops, uint32_t size, uint32_t levels)
      : size_(size), levels_(levels), hubs_(hops, size, levels), next_to_(size) {
    for (uint32_t v = 0; v < size; ++v) {
      for (uint32_t w = 1; w < size; ++w)
        if (w != v && hops[size_t{v} * size + w] <= kNextTo) next_to_[v].push_back(w);
    }
  }

  [[nodiscard]] std::vector<uint32_t> find(HubSearchEffort effort) {
    best_ = hubs_.levels();
    best_hops_ = hubs_.hops();
    for (uint32_t seed = 1; seed <= effort.starts && size_ > 1; ++seed) find(seed, effort.moves);
    return best_;
  }

 private:
  void find(uint64_t seed, uint64_t moves) {
    Rng rng(seed);
    hubs_.clear();
    for (uint64_t move = 0; move < moves; ++move) {
      const uint64_t before = hubs_.hops();
      change(rng);
      const uint64_t now = hubs_.hops();
      if (now > before && !kHubCooling.keeps(now - before, move, moves, rng)) {
        hubs_.undo();
        continue;
      }
      hubs_.keep();
      if (now >= best_hops_) continue;
      best_ = hubs_.levels();
      best_hops_ = now;
    }
  }

  // One more, one less, one elsewhere or in another level.
  void change(Rng& rng) {
    const auto anywhere = [&] {
      return Hub{static_cast<uint32_t>(1 + rng.below(size_ - 1)),
                 static_cast<uint32_t>(1 + rng.below(levels_))};
    };
    const size_t kind = rng.below(8);
    const std::vector<uint16_t>& present = hubs_.present();
    if (kind == 0 || present.size() == 1) {
      hubs_.add(anywhere());
      return;
    }
    const uint16_t place = present[1 + rng.below(present.size() - 1)];
    if (kind == 1) {
      hubs_.remove(place);
      return;
    }
    Hub hub = kind == 2 ? anywhere() : hubs_.hub(place);
    if (kind >= 4) {
      const std::vector<uint32_t>& next = next_to_[hub.node];
      if (next.empty()) return;
      hub.node = next[rng.below(next.size())];
    }
    if (kind == 3 || kind == 4) {
      hub.level = rng.below(2) == 0 ? hub.level + 1 : hub.level - 1;
      if (hub.level < 1 || hub.level > levels_) return;
    }
    hubs_.add(hub);
    hubs_.remove(place);
  }

  uint32_t size_;
  uint32_t levels_;
  Hubs hubs_;
  std::vector<std::vector<uint32_t>> next_to_;
  std::vector<uint32_t> best_{};
  uint64_t best_hops_ = UINT64_MAX;
};

}  // namespace

std::vector<uint32_t> levels_by_hubs(std::span<const uint32_t> hops, uint32_t size, uint32_t levels,
                                     HubSearchEffort effort) {
  return HubSearch(hops, size, levels).find(effort);
}

}  // namespace quadrille
