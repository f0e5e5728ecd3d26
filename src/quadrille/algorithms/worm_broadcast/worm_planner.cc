#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/algorithms/worm_broadcast/worm_composition.h"
#include "quadrille/algorithms/worm_broadcast/worm_parts.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"
#include "quadrille/algorithms/worm_broadcast/worm_spread.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostPlacesToCut = 20'000;
constexpr uint64_t kMostPlacesOfMesh = 1 << 20;
// Of larger grids nobody lists the worms: what is known of them follows from small ones, and these must take a moment.
constexpr uint64_t kMostPlacesToList = 1 << 24;
constexpr uint64_t kMostPlacesToCutInHuge = 300;
constexpr uint64_t kMostPlacesToListInHuge = 2'000;

// Answers that are kept while anybody keeps, for whichever thread; whoever asks for what another one looks for waits for it.
template <typename Key, typename Answer>
class AnswersOfAll {
 public:
  template <typename Find>  // Answer find()
  [[nodiscard]] Answer of(const Key& key, Find find) {
    const std::shared_ptr<Slot> slot = slot_of(key);
    if (slot == nullptr) return find();
    const std::lock_guard lock(slot->mutex);
    if (!slot->answer) slot->answer.emplace(find());
    return *slot->answer;
  }
  void keep() {
    const std::lock_guard lock(mutex_);
    ++keepers_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--keepers_ == 0) slots_.clear();
  }

 private:
  struct Slot {
    std::mutex mutex{};
    std::optional<Answer> answer{};
  };

  std::shared_ptr<Slot> slot_of(const Key& key) {
    const std::lock_guard lock(mutex_);
    if (keepers_ == 0) return nullptr;
    std::shared_ptr<Slot>& slot = slots_[key];
    if (slot == nullptr) slot = std::make_shared<Slot>();
    return slot;
  }

  std::mutex mutex_{};
  uint32_t keepers_ = 0;
  std::map<Key, std::shared_ptr<Slot>> slots_{};
};

using GridAndPlace = std::tuple<std::vector<uint32_t>, std::vector<bool>, std::vector<uint32_t>>;

AnswersOfAll<std::pair<GridAndPlace, WormLimits>, WormProspect>& kept_worms() {
  static AnswersOfAll<std::pair<GridAndPlace, WormLimits>, WormProspect> kept;
  return kept;
}

// Of so many sends and steps.
AnswersOfAll<std::tuple<GridAndPlace, uint32_t, uint32_t>, std::optional<WormPlan>>& kept_parts() {
  static AnswersOfAll<std::tuple<GridAndPlace, uint32_t, uint32_t>, std::optional<WormPlan>> kept;
  return kept;
}

}  // namespace

// Worms that leave the places which agree with the root before a cut start on the ports of the dimensions before it. Two
// links are allowed for, even where there is one.
size_t fewest_worm_steps(const GridShape& shape, const WormLimits& limits) {
  size_t least = 0;
  if (limits.sends < 2 * shape.dimensions()) {
    for (uint64_t know = 1; know < shape.num_places(); ++least) know *= 1 + limits.sends;
  }
  for (size_t cut = shape.dimensions(); cut > 0; --cut) {
    uint64_t before = 0;
    uint64_t beyond = 0;
    uint64_t inside = 1;  // places that agree with the root before the cut
    for (size_t d = 0; d < shape.dimensions(); ++d) {
      if (shape.sides[d] > 1) (d < cut ? before : beyond) += 2;
      if (d >= cut) inside *= shape.sides[d];
    }
    const uint64_t others = shape.num_places() - inside;
    size_t steps = 0;
    uint64_t know = 1;
    for (uint64_t reached = 0; reached < others; ++steps) {
      reached += (before + beyond) * reached + before * know;
      know = std::min(inside, know + beyond * know);
    }
    least = std::max(least, steps);
  }
  return least;
}

namespace {

std::string sides_of(const GridShape& shape) { return fmt::format("{}", fmt::join(shape.sides, " x ")); }

// A method that applies.
using Way = WormProspect;

// The most worms that a place sends in a step.
uint32_t most_sends(const GridShape& shape, const WormPlan& plan) {
  uint32_t most = 0;
  for (const WormStep& step : plan) {
    std::vector<uint32_t> sends(shape.num_places(), 0);
    for (size_t w = 0; w < step.size(); ++w) most = std::max(most, ++sends[step.source(w)]);
  }
  return most;
}

// The best way so far; nobody is asked who cannot do better.
class Best {
 public:
  explicit Best(const GridShape& shape) : shape_(shape) {}

  [[nodiscard]] bool could_improve(size_t steps) const { return !found_ || steps < found_->steps; }
  /// A way that never goes the long way round.
  void offer(Way way) {
    if (could_improve(way.steps)) found_ = std::move(way);
  }
  /// One that has to be looked at.
  void offer_if_minimal(Way way) {
    if (!could_improve(way.steps)) return;
    WormPlan plan = way.make();
    if (!is_minimal(shape_, plan)) return;
    found_ = Way{plan.size(), std::move(way.method), [plan = std::move(plan)] { return plan; }};
  }
  [[nodiscard]] bool empty() const { return !found_; }
  [[nodiscard]] Way take() { return std::move(*found_); }

 private:
  const GridShape& shape_;
  std::optional<Way> found_;
};

class Planner {
 public:
  Planner(WormLimits limits, const GridShape& whole) : limits_(limits) {
    if (whole.num_places() <= kMostPlacesToList) return;
    most_to_cut_ = kMostPlacesToCutInHuge;
    most_to_list_ = kMostPlacesToListInHuge;
  }

  // `paired`: sides of 2 have two links, as they have among the blocks of a larger torus. What is returned
  // lives as long as the planner.
  const Way& plan(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    Key key{shape.sides, shape.circular, position, paired};
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    return known_.emplace(std::move(key), fewest(shape, position, paired)).first->second;
  }

 private:
  using Key = std::tuple<std::vector<uint32_t>, std::vector<bool>, std::vector<uint32_t>, bool>;

  Way fewest(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    Best best(shape);
    const bool all_ports = limits_.both_ways && limits_.sends >= 2 * shape.dimensions();
    if (const StoredBroadcast* entry = find_stored_broadcast(shape, paired);
        entry != nullptr && limits_.both_ways && sends_few(*entry)) {
      best.offer(
          {entry->steps(), fmt::format("stored {}", sides_of(shape)), [entry] { return entry->plan(); }});
    }
    if (all_ports && shape.is_square_torus() && shape.sides.front() > 1)
      best.offer({worm_spans_steps(shape), "spans", [shape] { return worm_spans(shape); }});
    if (all_ports && can_spread(shape) && could_improve(best, shape)) {
      best.offer({worm_spread_steps(shape), "spread, align, expand", [shape] { return worm_spread(shape); }});
    }
    const bool large = shape.num_places() > most_to_cut_;
    const bool cuts_rows = most_to_list_ == UINT64_MAX || shape.dimensions() == 1;
    if (!all_ports && !large && cuts_rows && could_improve(best, shape)) cut_row(shape, position, best);
    if (limits_.both_ways && shape.all_circular() && could_improve(best, shape))
      compose_all(shape, paired, best);
    if (!all_ports && large && cuts_rows && could_improve(best, shape)) cut_row(shape, position, best);
    for (size_t cut = 1; cut < shape.dimensions(); ++cut) split(shape, position, paired, cut, best);
    // Cutting a large grid takes long, and where there is another way it has not been better: but for the
    // one or two that serve a grid with fewer ports.
    const bool cut = all_ports || shape.all_circular() ? !large : shape.num_places() <= kMostPlacesOfMesh;
    if (best.empty() || (cut && could_improve(best, shape))) {
      const auto blocks = std::make_shared<WormBlocks>(shape, 0, limits_.sends);
      best.offer({blocks->steps(blocks->whole(position)), "boxes",
                  [blocks, position] { return blocks->plan(position); }});
    }
    QUADRILLE_CHECK(!best.empty(), fmt::format("no plan for {}", shape.text()));
    return best.take();
  }

  [[nodiscard]] bool could_improve(const Best& best, const GridShape& shape) const {
    return best.could_improve(fewest_worm_steps(shape, limits_));
  }

  [[nodiscard]] bool sends_few(const StoredBroadcast& entry) const {
    return limits_.sends >= 2 * entry.shape().dimensions() ||
           most_sends(entry.shape(), entry.plan()) <= limits_.sends;
  }

  // In two parts or three. With the fewest steps that there may be, or one more.
  void cut_row(const GridShape& shape, const std::vector<uint32_t>& position, Best& best) const {
    const uint32_t parts = std::min(limits_.sends, 2U) + 1;
    uint32_t steps = 0;
    for (uint64_t know = 1; know < shape.num_places(); ++steps) know *= parts;
    for (const uint32_t more : {0U, 1U}) {
      if (!best.could_improve(steps + more)) return;
      std::optional<WormPlan> plan =
          kept_parts().of({GridAndPlace{shape.sides, shape.circular, position}, parts - 1, steps + more},
                          [&] { return worm_parts(shape, position, parts - 1, steps + more); });
      if (!plan) continue;
      best.offer(
          {plan->size(), parts == 2 ? "halves" : "thirds", [plan = std::move(*plan)] { return plan; }});
      return;
    }
  }

  void compose_all(const GridShape& shape, bool paired, Best& best) {
    for (const StoredBroadcast& entry : worm_library()) {
      if (entry.shape().dimensions() == shape.dimensions() && sends_few(entry))
        compose_with(shape, paired, pattern_of(entry), best);
    }
    if (limits_.sends >= 2 * shape.dimensions()) return;
    for (const WormPattern& pattern : one_step_patterns(shape.dimensions(), limits_.sends))
      compose_with(shape, paired, pattern, best);
  }

  void compose_with(const GridShape& shape, bool paired, const WormPattern& pattern, Best& best) {
    const std::optional<std::vector<uint32_t>> counts = blocks_of(shape, pattern, paired);
    if (!counts) return;
    const GridShape blocks{*counts, std::vector<bool>(counts->size(), true)};
    if (!best.could_improve(fewest_worm_steps(blocks, limits_) + pattern.steps)) return;
    // Two blocks have two links between them, unless they are two nodes with one.
    bool blocks_paired = true;
    for (size_t d = 0; d < shape.dimensions(); ++d)
      blocks_paired = blocks_paired && (paired || blocks.sides[d] != 2 || shape.sides[d] > 2);
    const Way& outer = plan(blocks, std::vector<uint32_t>(counts->size(), 0), blocks_paired);
    Way way{outer.steps + pattern.steps, fmt::format("{} inside ({})", sides_of(pattern.shape), outer.method),
            [shape, &outer, pattern] { return compose(shape, outer.make(), pattern); }};
    bool whole_blocks = true;
    for (size_t d = 0; d < shape.dimensions(); ++d)
      whole_blocks = whole_blocks && blocks.sides[d] * pattern.shape.sides[d] == shape.sides[d];
    if (whole_blocks) {
      best.offer(std::move(way));
    } else if (shape.num_places() <= most_to_list_) {
      best.offer_if_minimal(std::move(way));
    }
  }

  // The first dimensions, then all grids of the others at once.
  void split(const GridShape& shape, const std::vector<uint32_t>& position, bool paired, size_t cut,
             Best& best) {
    const auto [first, second] = split_at(shape, cut);
    if (!best.could_improve(fewest_worm_steps(first, limits_) + fewest_worm_steps(second, limits_))) return;
    const auto middle = position.begin() + static_cast<std::ptrdiff_t>(cut);
    const std::vector<uint32_t> position_in_second(middle, position.end());
    const Way& before = plan(first, {position.begin(), middle}, paired);
    const Way& after = plan(second, position_in_second, paired);
    best.offer({before.steps + after.steps, fmt::format("{}, then {}", before.method, after.method),
                [shape, cut, position_in_second, &before, &after] {
                  return one_after_another(shape, cut, before.make(), after.make(), position_in_second);
                }});
  }

  WormLimits limits_;
  uint64_t most_to_cut_ = kMostPlacesToCut;
  uint64_t most_to_list_ = UINT64_MAX;
  std::map<Key, Way> known_;
};

}  // namespace

WormLimits send_limits(const Model& model) {
  return {model.send.unlimited() ? UINT32_MAX : model.send.count, model.duplex == Duplex::kFull};
}

WormLimits receive_limits(const Model& model) {
  return {model.receive.unlimited() ? UINT32_MAX : model.receive.count, model.duplex == Duplex::kFull};
}

SharedWorms::SharedWorms() {
  kept_worms().keep();
  kept_parts().keep();
}

SharedWorms::~SharedWorms() {
  kept_worms().leave();
  kept_parts().leave();
}

WormProspect find_worms(const GridShape& shape, const std::vector<uint32_t>& position, WormLimits limits) {
  if (limits.sends >= 2 * shape.dimensions()) limits.sends = UINT32_MAX;  // nobody has more links
  return kept_worms().of({GridAndPlace{shape.sides, shape.circular, position}, limits}, [&] {
    count_work(Work::kSearching);
    const auto planner = std::make_shared<Planner>(limits, shape);
    const Way& way = planner->plan(shape, position, false);
    // Of several threads one makes it at a time: boxes remember how they were cut.
    const auto making = std::make_shared<std::mutex>();
    return WormProspect{way.steps, way.method, [planner, making, &way] {
                          const std::lock_guard lock(*making);
                          return way.make();
                        }};
  });
}

PlannedWorms plan_worms(const GridShape& shape, const std::vector<uint32_t>& position, WormLimits limits) {
  const WormProspect best = find_worms(shape, position, limits);
  return {best.make(), best.method};
}

size_t planned_steps(const GridShape& shape, const std::vector<uint32_t>& position) {
  return find_worms(shape, position).steps;
}

PlannedWorms plan_worms_backwards(const GridShape& shape, const std::vector<uint32_t>& position,
                                  WormLimits limits) {
  const GridShape turned{{shape.sides.rbegin(), shape.sides.rend()},
                         {shape.circular.rbegin(), shape.circular.rend()}};
  PlannedWorms planned = plan_worms(turned, {position.rbegin(), position.rend()}, limits);
  planned.plan = with_dimensions_reversed(turned, planned.plan);
  return planned;
}

}  // namespace quadrille
