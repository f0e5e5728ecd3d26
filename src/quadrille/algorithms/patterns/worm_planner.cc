#include "quadrille/algorithms/patterns/worm_planner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "quadrille/algorithms/patterns/ring_strips.h"
#include "quadrille/algorithms/patterns/worm_blocks.h"
#include "quadrille/algorithms/patterns/worm_composition.h"
#include "quadrille/algorithms/patterns/worm_spans.h"
#include "quadrille/algorithms/patterns/worm_spread.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostPlacesToCut = 20'000;

// What doubling says.
size_t floor_of(const GridShape& shape) {
  uint64_t growth = 1;
  for (size_t d = 0; d < shape.dimensions(); ++d) growth += 2;
  return steps_to_reach(growth, shape.num_places());
}

std::string sides_of(const GridShape& shape) { return fmt::format("{}", fmt::join(shape.sides, " x ")); }

// The best plan so far; nobody is asked who cannot do better.
class Best {
 public:
  explicit Best(const GridShape& shape) : shape_(shape) {}

  [[nodiscard]] bool could_improve(size_t steps) const { return !found_ || steps < found_->plan.size(); }
  template <typename Make>
  void offer(size_t steps, Make make) {
    if (!could_improve(steps)) return;
    PlannedWorms made = make();
    if (is_minimal(shape_, made.plan)) found_ = std::move(made);
  }
  [[nodiscard]] bool empty() const { return !found_; }
  [[nodiscard]] PlannedWorms take() { return std::move(*found_); }

 private:
  const GridShape& shape_;
  std::optional<PlannedWorms> found_;
};

class Planner {
 public:
  // `paired`: sides of 2 have two links, as they have among the blocks of a larger torus.
  const PlannedWorms& plan(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    const auto at = known_.find(shape.sides);
    if (at != known_.end()) return at->second;
    return known_.emplace(shape.sides, fewest(shape, position, paired)).first->second;
  }

 private:
  PlannedWorms fewest(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    Best best(shape);
    if (const StoredBroadcast* entry = find_stored_broadcast(shape, paired); entry != nullptr) {
      best.offer(entry->plan.size(), [&] {
        return PlannedWorms{entry->plan, fmt::format("stored {}", sides_of(shape))};
      });
    }
    if (shape.is_square_torus() && shape.sides.front() > 1)
      best.offer(worm_spans_steps(shape), [&] { return PlannedWorms{worm_spans(shape), "spans"}; });
    if (can_spread(shape) && best.could_improve(floor_of(shape))) {
      best.offer(worm_spread_steps(shape), [&] {
        return PlannedWorms{worm_spread(shape), "spread, align, expand"};
      });
    }
    if (shape.all_circular()) compose_all(shape, best);
    // Cutting a large grid takes long, and where there is another way it has not been better.
    if (best.empty() || (shape.num_places() <= kMostPlacesToCut && best.could_improve(floor_of(shape)))) {
      WormBlocks blocks(shape);
      best.offer(blocks.steps(blocks.whole(position)), [&] {
        return PlannedWorms{blocks.plan(position), "boxes"};
      });
    }
    QUADRILLE_CHECK(!best.empty(), fmt::format("no plan for {}", shape.text()));
    return best.take();
  }

  void compose_all(const GridShape& shape, Best& best) {
    for (const StoredBroadcast& entry : worm_library()) {
      const std::optional<std::vector<uint32_t>> counts = blocks_of(shape, entry);
      if (!counts) continue;
      const GridShape blocks{*counts, std::vector<bool>(counts->size(), true)};
      if (!best.could_improve(floor_of(blocks) + entry.plan.size())) continue;
      const PlannedWorms& outer = plan(blocks, std::vector<uint32_t>(counts->size(), 0), true);
      best.offer(outer.plan.size() + entry.plan.size(), [&] {
        return PlannedWorms{compose(shape, outer.plan, entry),
                            fmt::format("{} inside ({})", sides_of(entry.shape), outer.method)};
      });
    }
  }

  std::map<std::vector<uint32_t>, PlannedWorms> known_;
};

}  // namespace

PlannedWorms plan_worms(const GridShape& shape, const std::vector<uint32_t>& position) {
  return Planner().plan(shape, position, false);
}

PlannedWorms plan_worms_backwards(const GridShape& shape, const std::vector<uint32_t>& position) {
  const GridShape turned{{shape.sides.rbegin(), shape.sides.rend()},
                         {shape.circular.rbegin(), shape.circular.rend()}};
  PlannedWorms planned = plan_worms(turned, {position.rbegin(), position.rend()});
  planned.plan = with_dimensions_reversed(turned, planned.plan);
  return planned;
}

}  // namespace quadrille
