#include "quadrille/algorithms/cayley/ways_in_steps.h"

#include <algorithm>
#include <numeric>

#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostTried = 4'000'000;  // hops, in all tries
constexpr uint32_t kMostTries = 40;

// Which generators commute with each: a hop along one may come before a hop along the other, or after it. Beyond 64
// generators none is said to.
std::vector<uint64_t> commuting(const CayleyStructure& cayley) {
  const std::vector<uint32_t>& generators = cayley.generators;
  std::vector<uint64_t> out(generators.size(), 0);
  if (generators.size() > 64) return out;
  for (size_t a = 0; a < out.size(); ++a) {
    for (size_t b = 0; b < out.size(); ++b) {
      if (cayley.group->multiply(generators[a], generators[b]) ==
          cayley.group->multiply(generators[b], generators[a]))
        out[a] |= uint64_t{1} << b;
    }
  }
  return out;
}

// One pass. Backwards, the last hops come first: what is made then is read from its end.
class Ordering {
 public:
  Ordering(const RelativeWays& ways, const StepRoom& room, std::span<const uint64_t> commuting,
           bool backwards)
      : room_(room), commuting_(commuting), backwards_(backwards), rest_(ways.loads(room.capacity.size())) {
    hops_.reserve(ways.total());
    uint32_t longest = 0;
    for (uint32_t m = 0; m < ways.count(); ++m) {
      const auto hops = ways.hops(m);
      if (backwards) {
        hops_.insert(hops_.end(), hops.begin(), hops.end());
      } else {
        hops_.insert(hops_.end(), hops.rbegin(), hops.rend());
      }
      begin_.push_back(hops_.size() - hops.size());
      left_.push_back(static_cast<uint32_t>(hops.size()));
      longest = std::max(longest, left_[m]);
    }
    waiting_.assign(rest_.size(), std::vector<std::vector<uint32_t>>(longest + 1));
    top_.assign(rest_.size(), 0);
  }

  HopSteps run(std::span<const uint32_t> messages) {
    for (const uint32_t m : messages) wait(m);
    HopSteps out;
    out.reserve(hops_.size());
    std::vector<uint32_t> order(rest_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<RelativeHop> step;
    for (uint64_t hops = hops_.size(); hops > 0; hops -= step.size()) {
      std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
        return rest_[a] * room_.capacity[b] > rest_[b] * room_.capacity[a];
      });
      step.clear();
      for (const uint32_t k : order) {
        for (uint32_t i = 0; i < room_.capacity[k] && step.size() < room_.ports && take(k, step); ++i)
          continue;
      }
      for (const RelativeHop& hop : step) wait(hop.message);
      out.add(step);
    }
    return backwards_ ? out.reversed() : out;
  }

 private:
  // At all generators along which it may go next.
  void wait(uint32_t m) {
    uint64_t others = ~uint64_t{0};
    uint64_t seen = 0;
    for (uint32_t i = left_[m]; i-- > 0;) {
      const uint16_t k = hops_[begin_[m] + i];
      const uint64_t bit = commuting_[k] == 0 ? 0 : uint64_t{1} << k;
      if (i + 1 == left_[m] || (others & bit & ~seen) != 0) {
        waiting_[k][left_[m]].push_back(m);
        top_[k] = std::max(top_[k], left_[m]);
      }
      seen |= bit;
      others &= commuting_[k];
      if ((others & ~seen) == 0) break;
    }
  }

  // The message that has most hops left. Those that have gone elsewhere are not there any more.
  bool take(uint32_t k, std::vector<RelativeHop>& step) {
    for (uint32_t& top = top_[k]; top > 0; --top) {
      std::vector<uint32_t>& here = waiting_[k][top];
      while (!here.empty()) {
        const uint32_t m = here.back();
        here.pop_back();
        if (left_[m] != top) continue;
        uint16_t* const end = hops_.data() + begin_[m] + left_[m];
        uint16_t* hop = end - 1;
        while (*hop != k) --hop;
        std::rotate(hop, hop + 1, end);
        --left_[m];
        --rest_[k];
        step.push_back({m, k});
        return true;
      }
    }
    return false;
  }

  const StepRoom& room_;
  std::span<const uint64_t> commuting_;
  bool backwards_;
  std::vector<uint16_t> hops_{};  // of each message, the next at the end
  std::vector<uint64_t> begin_{};
  std::vector<uint32_t> left_{};                               // hops, by message
  std::vector<uint64_t> rest_;                                 // hops, by generator
  std::vector<std::vector<std::vector<uint32_t>>> waiting_{};  // by generator and hops left
  std::vector<uint32_t> top_{};  // by generator: no message that waits has more hops left
};

}  // namespace

HopSteps HopSteps::reversed() const {
  HopSteps out;
  out.reserve(hops_.size());
  for (uint64_t t = count(); t-- > 0;) out.add(step(t));
  return out;
}

HopSteps ways_in_steps(const CayleyStructure& cayley, const RelativeWays& ways, const StepRoom& room) {
  const uint64_t least = room.steps(ways.loads(cayley.generators.size()));
  const std::vector<uint64_t> commute = commuting(cayley);
  std::vector<uint32_t> messages(ways.count());
  std::iota(messages.begin(), messages.end(), 0U);
  Rng rng(1);
  const uint64_t tries =
      std::clamp<uint64_t>(SearchLimits::work(kMostTried) / (ways.total() + 1), 1, kMostTries);
  HopSteps best;
  for (uint64_t i = 0; i < tries; ++i) {
    if (i > 0) rng.shuffle(messages);
    HopSteps made = Ordering(ways, room, commute, i % 2 == 1).run(messages);
    if (i == 0 || made.count() < best.count()) best = std::move(made);
    if (best.count() <= least || searches_are_stopped()) break;
  }
  return best;
}

}  // namespace quadrille
