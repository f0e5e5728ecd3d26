#include "quadrille/algorithms/worm_broadcast/path_growing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// Arcs looked at, in all, before the best so far is taken.
constexpr uint64_t kMostGrown = uint64_t{1} << 25U;
// Of few nodes that many, for each two, are worth looking at.
constexpr uint64_t kMostGrownOfTwo = 1U << 10U;

class Growing {
 public:
  Growing(const Topology& topology, const std::vector<NodeId>& roots, Ports send)
      : topology_(topology),
        roots_(roots),
        ports_(send.count),
        most_work_(std::min(kMostGrown, kMostGrownOfTwo * topology.num_nodes() * topology.num_nodes())),
        paths_(topology, false, work_) {
    for (const NodeId v : topology.nodes()) links_.push_back(links_at_once(topology, v, ports_));
    is_endpoint_.assign(topology.num_nodes(), 0);
    for (const NodeId v : topology.endpoints()) is_endpoint_[index(v)] = 1;
  }

  BroadcastWorms improve(BroadcastWorms best) {
    const size_t least = fewest_steps_of_growth(topology_, roots_, Ports{ports_});
    while (best.size() > least) {
      const size_t steps = best.size() - 1;
      const uint64_t most = most_work_ - (most_work_ - std::min(work_, most_work_)) / 8;
      if (!grow_in(steps, by_links(), most) && !grow_in(steps, by_links_and_haste(best), most_work_)) break;
      best = needed(std::move(told_));
    }
    return best;
  }

 private:
  using Weights = std::vector<uint64_t>;  // per node
  static constexpr uint64_t kOfLink = 64;
  static constexpr uint32_t kTriesToComeNear = 64;

  [[nodiscard]] Weights by_links() const {
    Weights out;
    for (const uint32_t links : links_) out.push_back(kOfLink * links);
    return out;
  }

  [[nodiscard]] Weights by_links_and_haste(const BroadcastWorms& known) const {
    Weights out = by_links();
    for (size_t s = 0; s < known.size(); ++s) {
      for (const WormPath& worm : known[s])
        out[index(topology_.head(worm.back()))] += 4 * kOfLink * (known.size() - s);
    }
    return out;
  }

  // Without the worms to routers that tell nobody.
  [[nodiscard]] BroadcastWorms needed(BroadcastWorms steps) const {
    std::vector<char> is_needed = is_endpoint_;
    for (size_t s = steps.size(); s-- > 0;) {
      std::erase_if(steps[s],
                    [&](const WormPath& worm) { return is_needed[index(topology_.head(worm.back()))] == 0; });
      for (const WormPath& worm : steps[s]) is_needed[index(topology_.tail(worm.front()))] = 1;
    }
    return steps;
  }

  // Whether all are told in so many steps; then `told_` says how.
  bool grow_in(size_t steps, Weights best, uint64_t most_work) {
    Rng rng(steps);
    size_t fewest_left = SIZE_MAX;
    std::vector<char> beyond;
    Weights weights = best;
    for (uint32_t tries = 0; work_ < most_work; ++tries) {
      if (tries == kTriesToComeNear && fewest_left > topology_.num_endpoints() / 8) break;
      const size_t left = grow(steps, weights);
      if (left == 0) return true;
      if (left <= fewest_left) {
        fewest_left = left;
        best = weights;
        beyond = beyond_;
      }
      weights = raised(best, beyond, tries % 4, rng);
    }
    return false;
  }

  // Of those beyond reach all rise, or one of four, or of sixteen; or one of sixteen of anyone.
  Weights raised(Weights weights, const std::vector<char>& beyond, uint32_t how, Rng& rng) const {
    constexpr std::array<size_t, 4> kOneOf{1, 4, 16, 16};
    for (size_t v = 0; v < weights.size(); ++v) {
      if ((beyond[v] != 0 || how == 3) && rng.below(kOneOf[how]) == 0)
        weights[v] += rng.below(how == 0 ? kOfLink / 4 : kOfLink) * links_[v];
    }
    return weights;
  }

  // How many endpoints are left untold.
  size_t grow(size_t steps, const Weights& weights) {
    told_.clear();
    knows_.assign(topology_.num_nodes(), 0);
    crowd_ = roots_;
    for (const NodeId v : roots_) knows_[index(v)] = 1;
    order_.clear();
    for (const NodeId v : topology_.nodes()) order_.push_back(v);
    std::ranges::stable_sort(order_, std::ranges::greater(), [&](NodeId v) { return weights[index(v)]; });
    size_t left = 0;
    for (size_t s = 0; s < steps; ++s) left = tell(s + 1 == steps);
    return left;
  }

  // One step: those of most weight first, in the last one only endpoints. How many of these are left untold.
  size_t tell(bool is_last) {
    paths_.clear();
    beyond_.assign(topology_.num_nodes(), 0);
    for (const NodeId v : crowd_) paths_.let_know(v);
    std::vector<NodeId> told;
    size_t left = 0;
    for (const NodeId v : order_) {
      if (knows_[index(v)] != 0 || (is_last && is_endpoint_[index(v)] == 0)) continue;
      if (beyond_[index(v)] == 0 && paths_.tell(v, crowd_, ports_)) {
        told.push_back(v);
        continue;
      }
      left += is_endpoint_[index(v)] != 0 ? 1 : 0;
      if (beyond_[index(v)] != 0) continue;
      for (const NodeId w : topology_.nodes())
        if (!paths_.was_seen(w)) beyond_[index(w)] = 1;
    }
    told_.push_back(paths_.worms(crowd_));
    for (const NodeId v : told) {
      knows_[index(v)] = 1;
      crowd_.push_back(v);
    }
    return left;
  }

  const Topology& topology_;
  const std::vector<NodeId>& roots_;
  uint32_t ports_;
  uint64_t work_ = 0;
  uint64_t most_work_;
  CrowdPaths paths_;
  std::vector<uint32_t> links_{};  // per node, that it can use at once
  std::vector<char> is_endpoint_{};
  // Of the last growth:
  BroadcastWorms told_{};
  std::vector<NodeId> crowd_{};
  std::vector<NodeId> order_{};
  std::vector<char> knows_{};
  std::vector<char> beyond_{};  // nobody who knows has a way left to it
};

}  // namespace

uint32_t fewest_steps_of_growth(const Topology& topology, const std::vector<NodeId>& roots, Ports send) {
  std::vector<char> is_untold(topology.num_nodes(), 1);
  uint64_t tell = 0;  // in the next step
  for (const NodeId v : roots) {
    is_untold[index(v)] = 0;
    tell += links_at_once(topology, v, send.count);
  }
  std::vector<uint32_t> links;
  for (const NodeId v : topology.nodes())
    if (is_untold[index(v)] != 0) links.push_back(links_at_once(topology, v, send.count));
  std::ranges::sort(links, std::ranges::greater());
  uint64_t left = 0;
  for (const NodeId v : topology.endpoints()) left += is_untold[index(v)] != 0 ? 1 : 0;
  uint32_t steps = 0;
  size_t next = 0;
  while (left > 0 && tell > 0) {
    ++steps;
    left -= std::min(left, tell);
    for (uint64_t told = tell; told > 0 && next < links.size(); --told) tell += links[next++];
  }
  return steps;
}

BroadcastWorms grow_along_paths(const Topology& topology, const std::vector<NodeId>& roots, Ports send,
                                BroadcastWorms known) {
  return Growing(topology, roots, send).improve(std::move(known));
}

}  // namespace quadrille
