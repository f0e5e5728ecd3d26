#include "quadrille/compile/comparison/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/sizes/timed_plans.h"

namespace quadrille {
namespace {

// In messages.
double volume(const FrontierPoint& point) {
  return static_cast<double>(point.blocks) / static_cast<double>(point.pieces);
}

// How much a start-up must cost, in the time of a message, for one to be as good as the other.
double ratio(const FrontierPoint& fewer_starts, const FrontierPoint& more_starts) {
  return (volume(fewer_starts) - volume(more_starts)) /
         static_cast<double>(more_starts.start_ups - fewer_starts.start_ups);
}

void find_ranges(std::vector<FrontierPoint>& points) {
  for (FrontierPoint& p : points) {
    p.from = 0.0;
    p.to = std::numeric_limits<double>::infinity();
    for (const FrontierPoint& other : points) {
      if (other.start_ups > p.start_ups) p.from = std::max(p.from, ratio(p, other));
      if (other.start_ups < p.start_ups) p.to = std::min(p.to, ratio(other, p));
    }
  }
}

// What `auto` takes where it goes by time, for some ratio of a start-up to the time of a message: of what is lent, too, the
// points that some ratio asks for. Between two of them that is asked which is the best where both are as good, and what takes
// less there than they do is a third one, or there is none.
class AskedByRatio {
 public:
  // So many ratios, as a rule, are a dozen points.
  static constexpr size_t kMostAsked = 40;

  // `known`: what is known already, so that only what takes less is looked for.
  AskedByRatio(const Problem& one, std::span<const Bound> bounds, unsigned threads,
               std::vector<SizedPlan> known)
      : priced_(with_constants(one)),
        least_(priced_, bounds),
        chosen_(priced_, least_, threads),
        found_(std::move(known)) {}

  // Those that are known, too.
  std::vector<SizedPlan> points() {
    const std::optional<SizedPlan> small = ask(1);
    const std::optional<SizedPlan> large = ask(uint64_t{1} << kLargest);
    if (small && large) between(*small, *large);
    while (const std::optional<uint64_t> bytes = next_size()) ask(*bytes);
    return std::move(found_);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // Between the numbers of pieces of plans that take so much longer there may be a faster one.
  static constexpr double kWorthALook = 1.25;
  // A start-up takes as long as so many bytes.
  static constexpr int kStartUp = 25;
  static constexpr int kLargest = 2 * kStartUp;

  static Problem with_constants(const Problem& one) {
    Model model = one.model();
    model.cost = {.ts = std::ldexp(1.0, kStartUp), .tx = 1.0};
    return {one.topology(), one.collective(), model};
  }
  static double volume_of(const SizedPlan& plan) {
    return static_cast<double>(plan.rounds) / static_cast<double>(plan.pieces);
  }
  [[nodiscard]] double time_of_best(uint64_t bytes) const {
    double out = kInfinity;
    for (const SizedPlan& plan : found_) out = std::min(out, plan.time(priced_.model().cost, bytes));
    return out;
  }

  // What is chosen for that size; where nothing takes less than what is known, that.
  std::optional<SizedPlan> ask(uint64_t bytes) {
    const bool is_first = asked_.empty();
    asked_.push_back(bytes);
    const double known = is_first ? kInfinity : time_of_best(bytes);
    if (known > least_(bytes).time) {
      if (std::optional<SizedPlan> plan = chosen_(bytes, known * kWorthALook)) {
        static_cast<void>(place_of(*plan, found_));
        return plan;
      }
    }
    if (found_.empty()) return std::nullopt;
    return *std::ranges::min_element(
        found_, {}, [&](const SizedPlan& plan) { return plan.time(priced_.model().cost, bytes); });
  }

  void between(const SizedPlan& small, const SizedPlan& large) {
    if (asked_.size() >= kMostAsked) return;
    const std::optional<uint64_t> bytes = alike_at(small, large);
    if (!bytes || std::ranges::find(asked_, *bytes) != asked_.end()) return;
    const size_t known = found_.size();
    const std::optional<SizedPlan> third = ask(*bytes);
    const auto time = [&](const SizedPlan& plan) { return plan.time(priced_.model().cost, *bytes); };
    if (!third || (found_.size() == known && time(*third) >= time(large) * (1 - 1e-9))) return;
    between(small, *third);
    between(*third, large);
  }

  // Both take as long then; nothing where that is for no size.
  static std::optional<uint64_t> alike_at(const SizedPlan& small, const SizedPlan& large) {
    const double volumes = volume_of(small) - volume_of(large);
    if (large.start_ups <= small.start_ups || volumes <= 0) return std::nullopt;
    const auto start_ups = static_cast<double>(large.start_ups - small.start_ups);
    const double bytes = std::ldexp(start_ups / volumes, kStartUp);
    if (bytes < 1 || bytes > std::ldexp(1.0, kLargest)) return std::nullopt;
    return static_cast<uint64_t>(bytes);
  }

  // For which two plans that follow each other, each of them the best for some ratio, are as good: that one which was not asked and is
  // farthest above the bound.
  [[nodiscard]] std::optional<uint64_t> next_size() const {
    if (asked_.size() >= kMostAsked) return std::nullopt;
    const std::vector<const SizedPlan*> hull = best_for_some_ratio();
    std::optional<uint64_t> out;
    double most = 0;
    for (size_t i = 1; i < hull.size(); ++i) {
      const std::optional<uint64_t> size = alike_at(*hull[i - 1], *hull[i]);
      if (!size) continue;
      const double above = hull[i]->time(priced_.model().cost, *size) / least_(*size).time;
      if (above <= most || std::ranges::find(asked_, *size) != asked_.end()) continue;
      most = above;
      out = size;
    }
    return out;
  }

  // The lower convex hull of start-ups and volume, by rising start-ups and falling volume.
  [[nodiscard]] std::vector<const SizedPlan*> best_for_some_ratio() const {
    std::vector<const SizedPlan*> plans;
    for (const SizedPlan& plan : found_) plans.push_back(&plan);
    std::ranges::sort(plans, {}, [](const SizedPlan* p) { return std::pair(p->start_ups, volume_of(*p)); });
    std::vector<const SizedPlan*> hull;
    const auto slope = [](const SizedPlan& a, const SizedPlan& b) {
      return (volume_of(a) - volume_of(b)) / static_cast<double>(b.start_ups - a.start_ups);
    };
    for (const SizedPlan* plan : plans) {
      if (!hull.empty() && volume_of(*plan) >= volume_of(*hull.back()) * (1 - 1e-12)) continue;
      while (hull.size() > 1 && slope(*hull.back(), *plan) >= slope(*hull[hull.size() - 2], *hull.back()))
        hull.pop_back();
      hull.push_back(plan);
    }
    return hull;
  }

  Problem priced_;
  LeastTime least_;
  ChosenByTime chosen_;
  std::vector<SizedPlan> found_;
  std::vector<uint64_t> asked_{};
};

// What is lent joins the members of families, in one piece like them, where it is better than they are.
void add_lent(const Problem& problem, std::span<const Bound> bounds, unsigned threads,
              std::vector<FrontierPoint>& points) {
  for (const SizedPlan& lent : AskedByRatio(problem, bounds, threads, {}).points()) {
    if (lent.pieces == 1)
      points.push_back({.algorithm = lent.algorithm, .start_ups = lent.start_ups, .blocks = lent.rounds});
  }
  std::ranges::stable_sort(points, {},
                           [](const FrontierPoint& p) { return std::pair(p.start_ups, p.blocks); });
  uint64_t blocks = UINT64_MAX;
  std::erase_if(points, [&](const FrontierPoint& p) {
    return p.blocks >= std::exchange(blocks, std::min(blocks, p.blocks));
  });
}

// In as many pieces as is good.
Frontier frontier_of_sizes(const Problem& problem, unsigned threads) {
  const uint32_t given = problem.collective().pieces();
  const Problem one = given == 1 ? problem : in_pieces(problem, 1);
  const bool measures = is_measured_soon(problem);
  std::vector<SizedPlan> plans =
      sized_plans(one, threads,
                  {.own_pieces_only = given == 1 && is_large_for_sizes(problem) && !measures,
                   .pieces = given == 1 ? std::nullopt : std::optional(given),
                   .measures = measures});
  std::erase_if(plans, [](const SizedPlan& plan) { return plan.model_only; });
  const std::vector<Bound> bounds = all_bounds(one);
  if (given == 1) plans = AskedByRatio(one, bounds, threads, std::move(plans)).points();
  if (plans.empty()) throw nothing_is_timed(problem);
  const auto volume_of = [](const SizedPlan& plan) {
    return static_cast<double>(plan.rounds) / static_cast<double>(plan.pieces);
  };
  std::stable_sort(plans.begin(), plans.end(), [&](const SizedPlan& a, const SizedPlan& b) {
    return std::tuple(a.start_ups, volume_of(a), a.effort, a.pieces) <
           std::tuple(b.start_ups, volume_of(b), b.effort, b.pieces);
  });
  const TimeBound least = least_time(one, 1, bounds);
  Frontier out{{}, best_of(bounds), {}, true};
  for (const Bound& bound : bounds) {
    if (bound.name == least.rounds_by && bound.value == least.rounds) out.blocks = bound;
  }
  double volume_so_far = std::numeric_limits<double>::infinity();
  for (const SizedPlan& plan : plans) {
    if (volume_of(plan) >= volume_so_far * (1 - 1e-12)) continue;
    volume_so_far = volume_of(plan);
    const double bound = least.rounds.to_double();
    out.points.push_back({.algorithm = plan.algorithm,
                          .start_ups = plan.start_ups,
                          .blocks = plan.rounds,
                          .pieces = plan.pieces,
                          .over_bound = bound > 0 ? volume_of(plan) / bound : 0.0});
  }
  find_ranges(out.points);
  return out;
}

}  // namespace

bool trades_two_figures(const Problem& problem) {
  return takes_paths(problem.model()) && problem.collective().kind() == CollectiveKind::kAlltoall;
}

Frontier frontier(const Problem& problem, unsigned threads) {
  if (!trades_two_figures(problem)) return frontier_of_sizes(problem, threads);
  const std::vector<Bound> bounds = all_bounds(problem);
  Frontier out{{}, best_of(bounds), best_of(bounds, BoundOn::kCriticalBlocks)};
  const auto least = out.blocks.value.ceil();
  for (const Choice& choice : pareto_front(problem)) {
    FrontierPoint& point = out.points.emplace_back();
    point.algorithm = choice.name();
    point.start_ups = *choice.prediction.start_ups;
    point.blocks = *choice.prediction.critical_blocks;
  }
  if (problem.collective().pieces() == 1) add_lent(problem, bounds, threads, out.points);
  for (FrontierPoint& point : out.points) {
    if (least > 0) point.over_bound = static_cast<double>(point.blocks) / static_cast<double>(least);
  }
  find_ranges(out.points);
  return out;
}

}  // namespace quadrille
