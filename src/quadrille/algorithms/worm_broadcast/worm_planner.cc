#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/algorithms/worm_broadcast/worm_composition.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"
#include "quadrille/algorithms/worm_broadcast/worm_spread.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostPlacesToCut = 20'000;

// What doubling and dimension order say: worms that leave the places which agree with the root before a cut
// start on the ports of the dimensions before it. Two links are allowed for, even where there is one.
size_t floor_of(const GridShape& shape) {
  size_t least = 0;
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

std::string sides_of(const GridShape& shape) { return fmt::format("{}", fmt::join(shape.sides, " x ")); }

// A method that applies.
using Way = WormProspect;

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
    if (const StoredBroadcast* entry = find_stored_broadcast(shape, paired); entry != nullptr) {
      best.offer(
          {entry->steps(), fmt::format("stored {}", sides_of(shape)), [entry] { return entry->plan(); }});
    }
    if (shape.is_square_torus() && shape.sides.front() > 1)
      best.offer({worm_spans_steps(shape), "spans", [shape] { return worm_spans(shape); }});
    if (can_spread(shape) && best.could_improve(floor_of(shape))) {
      best.offer({worm_spread_steps(shape), "spread, align, expand", [shape] { return worm_spread(shape); }});
    }
    if (shape.all_circular()) compose_all(shape, best);
    for (size_t cut = 1; cut < shape.dimensions(); ++cut) split(shape, position, paired, cut, best);
    // Cutting a large grid takes long, and where there is another way it has not been better.
    if (best.empty() || (shape.num_places() <= kMostPlacesToCut && best.could_improve(floor_of(shape)))) {
      const auto blocks = std::make_shared<WormBlocks>(shape);
      best.offer({blocks->steps(blocks->whole(position)), "boxes",
                  [blocks, position] { return blocks->plan(position); }});
    }
    QUADRILLE_CHECK(!best.empty(), fmt::format("no plan for {}", shape.text()));
    return best.take();
  }

  void compose_all(const GridShape& shape, Best& best) {
    for (const StoredBroadcast& entry : worm_library()) {
      const std::optional<std::vector<uint32_t>> counts = blocks_of(shape, entry);
      if (!counts) continue;
      const GridShape blocks{*counts, std::vector<bool>(counts->size(), true)};
      if (!best.could_improve(floor_of(blocks) + entry.steps())) continue;
      const Way& outer = plan(blocks, std::vector<uint32_t>(counts->size(), 0), true);
      Way way{outer.steps + entry.steps(),
              fmt::format("{} inside ({})", sides_of(entry.shape()), outer.method),
              [shape, &outer, &entry] { return compose(shape, outer.make(), entry); }};
      bool whole_blocks = true;
      for (size_t d = 0; d < shape.dimensions(); ++d)
        whole_blocks = whole_blocks && blocks.sides[d] * entry.shape().sides[d] == shape.sides[d];
      if (whole_blocks) {
        best.offer(std::move(way));
      } else {
        best.offer_if_minimal(std::move(way));
      }
    }
  }

  // The first dimensions, then all grids of the others at once.
  void split(const GridShape& shape, const std::vector<uint32_t>& position, bool paired, size_t cut,
             Best& best) {
    const auto [first, second] = split_at(shape, cut);
    if (!best.could_improve(floor_of(first) + floor_of(second))) return;
    const auto middle = position.begin() + static_cast<std::ptrdiff_t>(cut);
    const std::vector<uint32_t> position_in_second(middle, position.end());
    const Way& before = plan(first, {position.begin(), middle}, paired);
    const Way& after = plan(second, position_in_second, paired);
    best.offer({before.steps + after.steps, fmt::format("{}, then {}", before.method, after.method),
                [shape, cut, position_in_second, &before, &after] {
                  return one_after_another(shape, cut, before.make(), after.make(), position_in_second);
                }});
  }

  std::map<Key, Way> known_;
};

}  // namespace

WormProspect find_worms(const GridShape& shape, const std::vector<uint32_t>& position) {
  count_work(Work::kSearching);
  const auto planner = std::make_shared<Planner>();
  const Way& way = planner->plan(shape, position, false);
  return {way.steps, way.method, [planner, &way] { return way.make(); }};
}

PlannedWorms plan_worms(const GridShape& shape, const std::vector<uint32_t>& position) {
  const WormProspect best = find_worms(shape, position);
  return {best.make(), best.method};
}

size_t planned_steps(const GridShape& shape, const std::vector<uint32_t>& position) {
  return find_worms(shape, position).steps;
}

PlannedWorms plan_worms_backwards(const GridShape& shape, const std::vector<uint32_t>& position) {
  const GridShape turned{{shape.sides.rbegin(), shape.sides.rend()},
                         {shape.circular.rbegin(), shape.circular.rend()}};
  PlannedWorms planned = plan_worms(turned, {position.rbegin(), position.rend()});
  planned.plan = with_dimensions_reversed(turned, planned.plan);
  return planned;
}

}  // namespace quadrille
