#include "quadrille/algorithms/packing/worms/worm_packing.h"

#include <algorithm>
#include <numeric>

#include "quadrille/algorithms/packing/priced/paths_at_least.h"

namespace quadrille {
namespace {

// Up to so many ranks every worm has several ways, beyond it two; they are kept if they have few enough arcs.
constexpr uint32_t kSeveral = 128;
constexpr uint32_t kMostWays = 8;
constexpr size_t kMostKept = size_t{1} << 23U;
// Packed again so often in a row without a step less, it is time to stop.
constexpr uint32_t kPatience = 40;
// Of few worms: of 2,200 packings of 16 on 16 nodes that came to a step less 97 did so within 20.
constexpr size_t kFewWorms = 32;
constexpr uint32_t kPatienceWithFew = 20;
// Whether few worms go in one step is tried first, so often.
constexpr uint32_t kMostLooks = 500;

}  // namespace

WormPacking::WormPacking(const Problem& problem, uint32_t sharing)
    : problem_(problem),
      ways_(problem, problem.collective().num_ranks() <= kSeveral ? kMostWays : 2),
      reservations_(problem, sharing),
      disjoint_(problem.topology(), problem.model().duplex == Duplex::kHalf) {}

void WormPacking::start(std::vector<Worm> worms) {
  worms_ = std::move(worms);
  step_.assign(worms_.size(), 0);
  chosen_.assign(worms_.size(), 0);
  rng_ = Rng(1);
  order_.resize(worms_.size());
  std::iota(order_.begin(), order_.end(), 0U);
}

void WormPacking::pack_along(std::vector<Worm> worms, const std::vector<std::span<const ArcId>>& given,
                             uint64_t budget) {
  start(std::move(worms));
  first_way_.clear();
  way_ends_.clear();
  kept_ways_.clear();
  for (size_t w = 0; w < worms_.size(); ++w) {
    first_way_.push_back(way_ends_.size());
    kept_ways_.insert(kept_ways_.end(), given[w].begin(), given[w].end());
    way_ends_.push_back(kept_ways_.size());
    ways_.find(worms_[w].from, worms_[w].to, 0, scratch_);
    if (std::ranges::equal(scratch_, given[w])) continue;
    kept_ways_.insert(kept_ways_.end(), scratch_.begin(), scratch_.end());
    way_ends_.push_back(kept_ways_.size());
  }
  first_way_.push_back(way_ends_.size());
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return given[a].size() > given[b].size(); });
  ways_in_use_ = 2;
  pack_in_order();
  improve(budget);
}

void WormPacking::pack(std::vector<Worm> worms, uint64_t budget) {
  start(std::move(worms));
  keep_ways(1);
  const auto length = [this](uint32_t w) { return ways_.length(worms_[w].from, worms_[w].to); };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return length(a) > length(b); });
  ways_in_use_ = 1;
  const std::vector<uint32_t> longest_first = order_;
  pack_in_order();
  improve(budget);
  if (ways_.most() == 1) return;
  ways_in_use_ = ways_.most();
  if (num_steps() <= least_steps()) return;
  keep_ways(ways_.most());
  const std::vector<uint32_t> one_way_order = order_;
  const size_t one_way_steps = num_steps();
  order_ = longest_first;
  pack_in_order();
  if (one_way_steps < num_steps()) {
    order_ = one_way_order;
    std::fill(chosen_.begin(), chosen_.end(), uint8_t{0});
    pack_in_order();
  }
  if (num_steps() == 2 && settles_few() && least_steps() == 1 && settle_one_step()) return;
  improve(budget);
}

bool WormPacking::settles_few() const { return settles_soon_ && worms_.size() <= kFewWorms; }

// Two steps are few: whether one will do is found out, as a rule.
bool WormPacking::settle_one_step() {
  disjoint_.clear();
  for (uint32_t worm = 0; worm < worms_.size(); ++worm) {
    for (uint32_t w = 0; w < num_ways(worm); ++w) disjoint_.add_way(way(worm, w));
    disjoint_.next_worm();
  }
  const DisjointWays::Answer answer = disjoint_.can_all_go(kMostLooks);
  if (answer != DisjointWays::Answer::kYes) return answer == DisjointWays::Answer::kNo;
  chosen_.assign(disjoint_.chosen().begin(), disjoint_.chosen().end());
  std::fill(step_.begin(), step_.end(), 0);
  sort_by_step();
  return true;
}

void WormPacking::improve(uint64_t budget) {
  const size_t least = least_steps();
  const uint32_t patience = settles_few() ? kPatienceWithFew : kPatience;
  const uint64_t start = reservations_.work();
  for (uint32_t idle = 0; idle < patience && num_steps() > least && reservations_.work() - start < budget;
       ++idle) {
    const size_t before = num_steps();
    reorder();
    pack_in_order();
    if (num_steps() < before) idle = 0;
  }
}

std::span<const uint32_t> WormPacking::step(size_t s) const {
  const size_t begin = s == 0 ? 0 : step_ends_[s - 1];
  return std::span(order_).subspan(begin, step_ends_[s] - begin);
}

std::span<const ArcId> WormPacking::path(uint32_t worm) { return way(worm, chosen_[worm]); }

// No packing takes fewer steps: the ports, or one step, or the busiest link where each of few worms has one way.
size_t WormPacking::least_steps() {
  const Model& model = problem_.model();
  std::vector<size_t> sent(problem_.collective().num_ranks(), 0);
  std::vector<size_t> received(sent.size(), 0);
  size_t least = worms_.empty() ? 0 : 1;
  const auto count = [&](std::vector<size_t>& by_rank, Rank rank, Ports ports) {
    const size_t worms = ++by_rank[index(rank)];
    if (!ports.unlimited()) least = std::max(least, (worms + ports.count - 1) / ports.count);
  };
  for (const Worm& worm : worms_) {
    count(sent, worm.from, model.send);
    count(received, worm.to, model.receive);
  }
  if (ways_in_use_ > 1 || !settles_few()) return least;
  std::vector<size_t> load(problem_.topology().num_arcs(), 0);
  for (uint32_t worm = 0; worm < worms_.size(); ++worm) {
    for (const ArcId arc : path(worm)) {
      const size_t capacity = problem_.topology().capacity(arc);
      least = std::max(least, (++load[index(arc)] + capacity - 1) / capacity);
    }
  }
  return least;
}

void WormPacking::keep_ways(uint32_t most) {
  first_way_.clear();
  way_ends_.clear();
  kept_ways_.clear();
  size_t arcs = 0;
  for (const Worm& worm : worms_)
    arcs += size_t{std::min(most, ways_.count(worm.from, worm.to))} * ways_.length(worm.from, worm.to);
  if (arcs > kMostKept) return;
  for (const Worm& worm : worms_) {
    const size_t first = way_ends_.size();
    first_way_.push_back(first);
    const uint32_t ways = std::min(most, ways_.count(worm.from, worm.to));
    for (uint32_t w = 0; w < ways; ++w) {
      ways_.find(worm.from, worm.to, w, scratch_);
      bool known = false;
      for (size_t i = first; i < way_ends_.size() && !known; ++i) {
        const size_t begin = i == 0 ? 0 : way_ends_[i - 1];
        known =
            std::equal(scratch_.begin(), scratch_.end(), kept_ways_.begin() + static_cast<ptrdiff_t>(begin),
                       kept_ways_.begin() + static_cast<ptrdiff_t>(way_ends_[i]));
      }
      if (known) continue;
      kept_ways_.insert(kept_ways_.end(), scratch_.begin(), scratch_.end());
      way_ends_.push_back(kept_ways_.size());
    }
  }
  first_way_.push_back(way_ends_.size());
}

uint32_t WormPacking::num_ways(uint32_t worm) const {
  if (first_way_.empty()) return ways_.count(worms_[worm].from, worms_[worm].to);
  return static_cast<uint32_t>(first_way_[worm + 1] - first_way_[worm]);
}

std::span<const ArcId> WormPacking::way(uint32_t worm, uint32_t w) {
  if (first_way_.empty()) {
    ways_.find(worms_[worm].from, worms_[worm].to, w, scratch_);
    return scratch_;
  }
  const size_t i = first_way_[worm] + w;
  const size_t begin = i == 0 ? 0 : way_ends_[i - 1];
  return std::span(kept_ways_).subspan(begin, way_ends_[i] - begin);
}

// The way that it has comes first, so that it stays in a step that it was in.
void WormPacking::place(uint32_t worm) {
  const uint32_t ways = std::min(ways_in_use_, num_ways(worm));
  const uint32_t old = chosen_[worm];
  uint32_t best = reservations_.first_step(way(worm, old), ReservationTable::kNever);
  for (uint32_t w = 0; w < ways; ++w) {
    if (w == old) continue;
    const uint32_t step = reservations_.first_step(way(worm, w), best);
    if (step == best) continue;
    best = step;
    chosen_[worm] = static_cast<uint8_t>(w);
  }
  reservations_.take(path(worm), best);
  step_[worm] = best;
}

void WormPacking::pack_in_order() {
  reservations_.clear();
  for (const uint32_t worm : order_) place(worm);
  sort_by_step();
}

void WormPacking::sort_by_step() {
  step_ends_.clear();
  for (const uint32_t step : step_) {
    if (step >= step_ends_.size()) step_ends_.resize(size_t{step} + 1, 0);
    ++step_ends_[step];
  }
  size_t sum = 0;
  for (size_t& each : step_ends_) {
    const size_t begin = sum;
    sum += each;
    each = begin;
  }
  std::vector<uint32_t> sorted(order_.size());
  for (const uint32_t worm : order_) sorted[step_ends_[step_[worm]]++] = worm;
  order_.swap(sorted);
}

void WormPacking::reorder() {
  std::vector<size_t> steps(num_steps());
  std::iota(steps.begin(), steps.end(), size_t{0});
  const size_t kind = rng_.below(10);
  if (kind < 5) {
    std::reverse(steps.begin(), steps.end());
  } else if (kind < 8) {
    rng_.shuffle(steps);
  } else {
    std::stable_sort(steps.begin(), steps.end(),
                     [this](size_t a, size_t b) { return step(a).size() > step(b).size(); });
  }
  std::vector<uint32_t> order;
  order.reserve(order_.size());
  for (const size_t s : steps) order.insert(order.end(), step(s).begin(), step(s).end());
  order_.swap(order);
}

// All links alone, and the ports of one rank.
uint64_t worm_rounds_at_least(const Problem& exchange) {
  Model links;
  links.duplex = exchange.model().duplex;
  const uint64_t others = exchange.collective().num_ranks() - 1;
  uint64_t rounds = paths_at_least(standard_problem(exchange.topology(), CollectiveKind::kAlltoall, links));
  for (const Ports ports : {exchange.model().send, exchange.model().receive})
    if (!ports.unlimited()) rounds = std::max(rounds, (others + ports.count - 1) / ports.count);
  return rounds * exchange.collective().pieces();
}

}  // namespace quadrille
