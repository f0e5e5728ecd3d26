#include "quadrille/algorithms/worm_exchange/worm_front.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "quadrille/algorithms/worm_exchange/found_worms.h"
#include "quadrille/base/threads/thread_team.h"

namespace quadrille {
namespace {

// Beyond it a direct exchange costs more start-ups than anybody wants, and its packing takes long.
constexpr uint32_t kLongestDirect = 24;
// Beyond it fewer members are tried: each one is made to know its cost.
constexpr uint32_t kLongestInFull = 256;

std::vector<RingRecipe> family(uint32_t n) {
  std::vector<RingRecipe> out;
  if (n <= kLongestDirect) out.push_back({.form = RingForm::kDirect});
  for (const FoundCost& found : found_ring_costs(n))
    out.push_back({.form = RingForm::kFound, .start_ups = found.start_ups});
  if (n < 4) return out;
  const uint32_t in_octave = n <= kLongestInFull ? 16 : 2;
  for (const bool lazy : {false, true}) {
    out.push_back({.form = RingForm::kTree, .lazy = lazy});
    for (const uint32_t sparsest : {3U, 4U}) {
      if (sparsest <= n / 2) out.push_back({.form = RingForm::kTree, .evenly = sparsest, .lazy = lazy});
    }
    for (uint32_t level = 1; (uint32_t{4} << level) <= n; ++level)
      out.push_back({.form = RingForm::kRotation, .level = level, .lazy = lazy});
    for (uint32_t k = 3; k <= n / 2; k += std::max(1U, std::bit_floor(k) / in_octave))
      out.push_back({.form = RingForm::kRotation, .evenly = k, .lazy = lazy});
    // On a power of two no level is uneven.
    if (std::has_single_bit(n) || n > kLongestInFull) break;
  }
  return out;
}

std::vector<RingOption> made_front(uint32_t length) {
  if (length == 1) return {ring_option(1, {})};
  const std::vector<RingRecipe> recipes = family(length);
  std::vector<RingOption> out(recipes.size());
  ThreadTeam team(length > kLongestInFull ? std::max(1U, std::thread::hardware_concurrency()) : 1U);
  team.for_each(recipes.size(), [&](size_t i) { out[i] = ring_option(length, recipes[i]); });
  keep_front(out);
  return out;
}

}  // namespace

RingOption ring_option(uint32_t length, const RingRecipe& recipe) {
  const RingSchedule schedule = ring_schedule(length, recipe, false);
  RingOption out{recipe, schedule.cost(), {}, {}};
  for (size_t p = 0; p < schedule.num_phases(); ++p) {
    out.loads.push_back(schedule.largest(p));
    out.lengths.push_back(schedule.longest(p));
  }
  return out;
}

std::vector<RingOption> ring_front(uint32_t length) {
  // Several machines are asked for one plan (a weaker one may lend it), and a long ring takes seconds.
  static std::mutex mutex;
  static std::optional<std::pair<uint32_t, std::vector<RingOption>>> longest;
  const bool is_long = length > kLongestInFull;
  if (is_long) {
    const std::lock_guard lock(mutex);
    if (longest && longest->first == length) return longest->second;
  }
  std::vector<RingOption> made = made_front(length);
  if (is_long) {
    const std::lock_guard lock(mutex);
    longest.emplace(length, made);
  }
  return made;
}

}  // namespace quadrille
