#include "quadrille/algorithms/repair/new_ways.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/repair/earliest_ways.h"
#include "quadrille/algorithms/repair/free_slots.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr size_t kTurns = 8;       // in which each destination gets a part of its blocks
constexpr uint32_t kAside = 2;     // hops more that a block goes rather than make the plan longer
constexpr uint32_t kLongerBy = 8;  // hops that the last ones may go more than they must
constexpr uint64_t kSoonerWork = 2'000'000'000;  // arcs that are looked at for the last ones
constexpr uint32_t kMostInVain = 3;
constexpr uint32_t kTimes = 24;  // that the last ones are placed in another order

class NewWays {
 public:
  NewWays(const LivingPart& part, const IdleSlots& idle, std::span<const BlockId> moved)
      : part_(part), idle_(idle), moved_(moved), ways_(moved.size()) {
    uint32_t behind = enough_behind();
    have_behind(behind);
    auto soon = static_cast<uint32_t>(idle_.steps());
    for (size_t turn = 0; turn < kTurns; ++turn) {
      std::span<const uint32_t> hops;
      LivingDistances distances(part_);
      NodeId target = kNoNode;
      for (size_t i = 0; i < moved_.size(); ++i) {
        if (turn_of(i) != turn) continue;
        if (to(i) != target) {
          target = to(i);
          hops = distances.to(target);
        }
        while (!place_soon(i, hops, soon)) have_behind(behind *= 2);
        soon = std::max(soon, ways_[i].back().step + 1);
      }
    }
  }

  // As long as that ends sooner, all that would end in the last steps find other ways.
  void end_sooner() {
    const auto plan = static_cast<uint32_t>(idle_.steps());
    uint32_t parts = 4;
    for (uint32_t in_vain = 0; in_vain < kMostInVain && end() > plan && !searches_are_stopped();) {
      if (search_->work() > SearchLimits::work(kSoonerWork)) break;
      const uint32_t by = (end() - plan + parts - 1) / parts;
      if (end_before(end() - by)) {
        in_vain = 0;
      } else {
        ++in_vain;
        parts *= 4;
      }
    }
  }

  [[nodiscard]] TimedPaths take() const {
    TimedPaths out;
    out.blocks.assign(moved_.begin(), moved_.end());
    for (const Way& way : ways_) {
      for (const EarliestWays::Hop& hop : way) {
        out.arcs.push_back(hop.arc);
        out.step_of.push_back(hop.step);
      }
      out.begin.push_back(out.arcs.size());
    }
    out.steps = std::max(end(), static_cast<uint32_t>(idle_.steps()));
    return out;
  }

 private:
  using Way = std::vector<EarliestWays::Hop>;

  // As if everything went behind the plan, over all arcs alike.
  [[nodiscard]] uint32_t enough_behind() const {
    LivingDistances distances(part_);
    std::span<const uint32_t> hops;
    uint64_t all = 0;
    for (size_t i = 0; i < moved_.size(); ++i) {
      if (i == 0 || to(i) != to(i - 1)) hops = distances.to(to(i));
      all += hops[index(from(i))];
    }
    return 64 + static_cast<uint32_t>(all / (idle_.of_arcs().size() + 1));
  }

  // So many steps behind the plan; whoever has a way keeps it.
  void have_behind(uint32_t behind) {
    slots_.emplace(idle_, behind);
    search_.emplace(part_, *slots_);
    for (size_t i = 0; i < ways_.size(); ++i) take_slots(i);
  }

  // Before `soon`, or as little behind it as there is a way.
  bool place_soon(size_t i, std::span<const uint32_t> hops, uint32_t soon) {
    for (const uint32_t longer_by : {0U, kAside, kLongerBy})
      if (place(i, hops, longer_by, soon)) return true;
    for (uint32_t later = 1; soon + later < slots_->end(); later *= 2)
      if (place(i, hops, kLongerBy, soon + later)) return true;
    return place(i, hops, kLongerBy, slots_->end());
  }

  // Blocks of one origin and of one destination are spread over all turns.
  [[nodiscard]] size_t turn_of(size_t i) const { return (index(moved_[i]) * 0x9E3779B97F4A7C15U) >> 61U; }
  [[nodiscard]] NodeId from(size_t i) const { return part_.whole().origin(moved_[i]); }
  [[nodiscard]] NodeId to(size_t i) const { return part_.whole().destination(moved_[i]); }

  bool place(size_t i, std::span<const uint32_t> hops, uint32_t longer_by, uint32_t before) {
    const std::span<const EarliestWays::Hop> way = search_->find(from(i), to(i), hops, longer_by, before);
    if (way.empty()) return false;
    ways_[i].assign(way.begin(), way.end());
    take_slots(i);
    return true;
  }
  void take_slots(size_t i) {
    for (const EarliestWays::Hop& hop : ways_[i]) slots_->take(hop.arc, hop.step);
  }
  void give_back(size_t i) {
    for (const EarliestWays::Hop& hop : ways_[i]) slots_->give_back(hop.arc, hop.step);
  }

  [[nodiscard]] uint32_t end() const {
    uint32_t last = 0;
    for (const Way& way : ways_)
      if (!way.empty()) last = std::max(last, way.back().step + 1);
    return last;
  }

  // The late ones give up their slots, and get others or the same again. Whoever finds none is the first to choose the next time.
  bool end_before(uint32_t before) {
    std::vector<size_t> late;
    std::vector<Way> old;
    for (size_t i = 0; i < ways_.size(); ++i) {
      if (ways_[i].empty() || ways_[i].back().step < before) continue;
      late.push_back(i);
      give_back(i);
      old.push_back(std::exchange(ways_[i], {}));
    }
    const std::vector<size_t> all = late;
    for (uint32_t time = 0; time < kTimes; ++time) {
      const size_t placed = place_before(late, before);
      if (placed == late.size()) return true;
      for (size_t k = 0; k < placed; ++k) {
        give_back(late[k]);
        ways_[late[k]].clear();
      }
      std::rotate(late.begin(), late.begin() + static_cast<ptrdiff_t>(placed),
                  late.begin() + static_cast<ptrdiff_t>(placed) + 1);
    }
    for (size_t k = 0; k < all.size(); ++k) {
      ways_[all[k]] = std::move(old[k]);
      take_slots(all[k]);
    }
    return false;
  }

  // How many find ways, until one does not.
  size_t place_before(const std::vector<size_t>& blocks, uint32_t before) {
    LivingDistances distances(part_);
    std::span<const uint32_t> hops;
    NodeId target = kNoNode;
    for (size_t k = 0; k < blocks.size(); ++k) {
      if (to(blocks[k]) != target) {
        target = to(blocks[k]);
        hops = distances.to(target);
      }
      if (!place(blocks[k], hops, kLongerBy, before)) return k;
    }
    return blocks.size();
  }

  const LivingPart& part_;
  const IdleSlots& idle_;
  std::span<const BlockId> moved_;
  std::vector<Way> ways_;
  std::optional<FreeSlots> slots_;
  std::optional<EarliestWays> search_;
};

}  // namespace

TimedPaths find_new_ways(const LivingPart& part, const IdleSlots& idle, std::span<const BlockId> moved) {
  NewWays ways(part, idle, moved);
  ways.end_sooner();
  return ways.take();
}

}  // namespace quadrille
