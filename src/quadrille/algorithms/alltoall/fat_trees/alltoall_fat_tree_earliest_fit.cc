// Total exchange on a fat tree in which no message waits, packed: every message departs in the first step in
// which its whole way is free.
//
// Messages are taken level after level, from the root down, and within a level in an order that spreads them
// over the branches: all leaves of a subtree in turn send to those of a sister, shifted by d, for each d.
// With unit capacities it meets the bound of the busiest branch wherever it was tried: the levels overlap,
// which alltoall_fat_tree_queue_free keeps apart. With other capacities it is never longer than that one
// where it was tried, and often near the bound.
//
// Ports are room like branches. With one send port, and one receive port or all, the busiest router is the
// bound (bounds/fat_trees/fat_tree_routers.cc); with one arity the plan has been longer than it by at most
// 4 steps, and by none from k = 4 on. So receptions that are limited, too, cost next to nothing.
//
// It keeps every message and every branch's steps in memory.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_flight.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/fat_trees/fat_tree_room.h"
#include "quadrille/algorithms/fat_trees/fat_tree_windows.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_fat_tree_earliest_fit;

namespace alltoall_fat_tree_earliest_fit_parts {
namespace {

constexpr uint32_t kMostLeaves = 4096;
constexpr uint64_t kMostBytes = uint64_t{1} << 30U;

// Up to this many leaves the prediction is counted out, which takes as long as making the plan; with unit
// capacities, one arity and all ports only so far.
constexpr uint32_t kMostCounted = 1024;
constexpr uint32_t kMostCountedThoughKnown = 128;

struct Departure {
  uint32_t step;
  uint32_t from;
  uint32_t to;
};

struct Timetable {
  std::vector<Departure> departures;  // in order of time
  uint64_t steps = 0;
};

class EarliestFit {
 public:
  explicit EarliestFit(const Problem& problem) : tree_(problem.topology()), room_(problem, tree_) {
    out_.departures.reserve(problem.collective().num_blocks());
    for (uint32_t l = tree_.height(); l > 0; --l) fit_level(l);
  }

  [[nodiscard]] Timetable take() && {
    std::sort(out_.departures.begin(), out_.departures.end(), [](const Departure& a, const Departure& b) {
      return std::tie(a.step, a.from, a.to) < std::tie(b.step, b.from, b.to);
    });
    return std::move(out_);
  }

 private:
  void fit_level(uint32_t level) {
    const uint32_t m = tree_.below(level - 1);
    const std::vector<uint32_t> leaf = leaves_in_turn(tree_, level - 1);
    for (uint32_t d = 0; d < m; ++d) {
      for (uint32_t s = 1; s < tree_.arity(level); ++s) {
        for (uint32_t u = 0; u < m; ++u) fit_everywhere(level, s, leaf[u], leaf[(u + d) % m]);
      }
    }
  }

  // One message of every subtree of the level.
  void fit_everywhere(uint32_t level, uint32_t sister, uint32_t from, uint32_t to) {
    const uint32_t m = tree_.below(level - 1);
    const uint32_t k = tree_.arity(level);
    for (uint32_t subtree = 0; subtree < tree_.leaves() / m; ++subtree) {
      const uint32_t other = subtree % k + sister < k ? subtree + sister : subtree + sister - k;
      Departure d{0, subtree * m + from, other * m + to};
      d.step = room_.earliest(level, d.from, d.to);
      room_.take(level, d.from, d.to, d.step);
      out_.departures.push_back(d);
      out_.steps = std::max(out_.steps, d.step + 2 * uint64_t{level});
    }
  }

  FatTree tree_;
  FatTreeRoom room_;
  Timetable out_;
};

// Of FatTreeRoom, if the plan is as long as the queue-free one, or as the busiest router needs: a bit for
// each step and arc or port, and a count where the capacity is not 1.
uint64_t bytes_of_room(const Problem& problem) {
  const FatTree tree(problem.topology());
  const uint64_t n = tree.leaves();
  uint64_t steps = 2 * uint64_t{tree.height()};
  uint64_t bits = 0;
  for (uint32_t l = 1; l <= tree.height(); ++l) {
    steps += level_exchange(tree, l).steps();
    bits += 2 * (n / tree.below(l - 1)) * (tree.capacity(l) == 1 ? 1 : 17);
  }
  for (const Ports& ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited()) continue;
    bits += uint64_t{problem.topology().num_nodes()} * (ports.count == 1 ? 1 : 17);
    for (uint32_t l = 1; l <= tree.height(); ++l)
      steps = std::max(steps, tree.below(l) * (2 * n - tree.below(l) - tree.below(l - 1)) / ports.count);
  }
  return steps * bits / 8;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = fits_fat_tree(problem); !fits.applies) return fits;
  const uint32_t n = problem.topology().num_endpoints();
  if (n <= kMostLeaves && bytes_of_room(problem) <= kMostBytes) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it keeps the steps of every branch in memory: at most {} leaves and 1 GiB, {} has {} leaves",
      kMostLeaves, problem.topology().name(), n));
}

Timetable timetable_of(const Problem& problem) {
  count_work(Work::kSearching);
  return EarliestFit(problem).take();
}

void generate(const Problem& problem, const Timetable& timetable, StepSink& sink) {
  const FatTree tree(problem.topology());
  FatTreeFlight flight(tree, sink);
  uint32_t step = 0;
  for (const Departure& d : timetable.departures) {
    flight.end_steps(d.step - step);
    step = d.step;
    flight.depart(tree.level(d.from, d.to), d.from, d.to);
  }
  flight.land();
}

Prediction predicted(const Problem& problem, Once<Timetable>& timetable) {
  const FatTree tree(problem.topology());
  const uint64_t n = tree.leaves();
  Prediction prediction{.busiest_link = 0, .queue = 0};
  for (uint32_t l = 0; l < tree.height(); ++l) {
    prediction.busiest_link = std::max(*prediction.busiest_link, tree.below(l) * (n - tree.below(l)));
  }
  const Model& model = problem.model();
  const bool is_known =
      tree.is_uniform() && tree.has_unit_capacities() && model.send.unlimited() && model.receive.unlimited();
  if (n <= (is_known ? kMostCountedThoughKnown : kMostCounted)) {
    prediction.steps = timetable.get().steps;
  } else if (is_known) {
    const uint64_t subtree = tree.below(tree.height() - 1);
    prediction.steps = subtree * (n - subtree) + 2 * uint64_t{tree.height()} - 1;
  }
  return prediction;
}

}  // namespace
}  // namespace alltoall_fat_tree_earliest_fit_parts

constinit const Algorithm alltoall_fat_tree_earliest_fit = {
    .name = "alltoall_fat_tree_earliest_fit",
    .collective = CollectiveKind::kAlltoall,
    .summary = "every message leaves in the first step in which its whole path through the fat tree is free",
    .source = "improves on section 6.3.3 of the collective communication dissertation 1996",
    .remarks =
        "fat trees of up to 4,096 leaves, any arities, capacities and ports; with unit capacities and all "
        "ports n^2(k-1)/k^2+2h-1 steps, which is optimal; with one port at most 4 above the optimum where "
        "tried",
    .applies = alltoall_fat_tree_earliest_fit_parts::applies,
    .prepare = by_search<alltoall_fat_tree_earliest_fit_parts::timetable_of,
                         alltoall_fat_tree_earliest_fit_parts::predicted,
                         alltoall_fat_tree_earliest_fit_parts::generate>,
};

}  // namespace quadrille::algorithms
