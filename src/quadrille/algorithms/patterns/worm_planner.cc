#include "quadrille/algorithms/patterns/worm_planner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "quadrille/algorithms/patterns/worm_blocks.h"
#include "quadrille/algorithms/patterns/worm_composition.h"
#include "quadrille/algorithms/patterns/worm_spans.h"
#include "quadrille/algorithms/patterns/worm_spread.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostPlacesToCut = 40'000;

class Planner {
 public:
  // `paired`: sides of 2 have two links, as they have among the blocks of a larger torus.
  const PlannedWorms& plan(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    const auto at = known_.find(shape.sides);
    if (at != known_.end()) return at->second;
    return known_.emplace(shape.sides, fewest(shape, position, paired)).first->second;
  }

 private:
  struct Offer {
    size_t steps = 0;
    std::function<PlannedWorms()> make;
  };

  PlannedWorms fewest(const GridShape& shape, const std::vector<uint32_t>& position, bool paired) {
    std::vector<Offer> offers = direct_offers(shape, paired);
    if (shape.all_circular()) add_compositions(shape, offers);
    // Cutting a large grid takes long, and where there is another way it has not been better.
    if (offers.empty() || shape.num_places() <= kMostPlacesToCut) offers.push_back(boxes(shape, position));
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer& a, const Offer& b) { return a.steps < b.steps; });
    for (const Offer& offer : offers) {
      PlannedWorms made = offer.make();
      if (is_minimal(shape, made.plan)) return made;
    }
    QUADRILLE_CHECK(false, fmt::format("no plan for {}", shape.text()));
    return {};
  }

  static Offer boxes(const GridShape& shape, const std::vector<uint32_t>& position) {
    const auto blocks = std::make_shared<WormBlocks>(shape);
    return {blocks->steps(blocks->whole(position)), [blocks, &position] {
              return PlannedWorms{blocks->plan(position), "boxes"};
            }};
  }

  static std::vector<Offer> direct_offers(const GridShape& shape, bool paired) {
    std::vector<Offer> offers;
    if (const StoredBroadcast* entry = find_stored_broadcast(shape, paired); entry != nullptr) {
      offers.push_back({entry->plan.size(), [entry] {
                          return PlannedWorms{entry->plan, fmt::format("stored {}", sides_of(entry->shape))};
                        }});
    }
    if (shape.is_square_torus() && shape.sides.front() > 1) {
      offers.push_back({worm_spans_steps(shape), [&shape] {
                          return PlannedWorms{worm_spans(shape), "spans"};
                        }});
    }
    if (can_spread(shape)) {
      offers.push_back({worm_spread_steps(shape), [&shape] {
                          return PlannedWorms{worm_spread(shape), "spread, align, expand"};
                        }});
    }
    return offers;
  }

  void add_compositions(const GridShape& shape, std::vector<Offer>& offers) {
    for (const StoredBroadcast& entry : worm_library()) {
      const std::optional<std::vector<uint32_t>> counts = blocks_of(shape, entry);
      if (!counts) continue;
      const GridShape blocks{*counts, std::vector<bool>(counts->size(), true)};
      const PlannedWorms& outer = plan(blocks, std::vector<uint32_t>(counts->size(), 0), true);
      offers.push_back({outer.plan.size() + entry.plan.size(), [&shape, &entry, &outer] {
                          return PlannedWorms{
                              compose(shape, outer.plan, entry),
                              fmt::format("{} inside ({})", sides_of(entry.shape), outer.method)};
                        }});
    }
  }

  static std::string sides_of(const GridShape& shape) {
    return fmt::format("{}", fmt::join(shape.sides, " x "));
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
