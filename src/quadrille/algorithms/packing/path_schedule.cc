#include "quadrille/algorithms/packing/path_schedule.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/round_paths.h"
#include "quadrille/algorithms/packing/timed/even_rounds.h"
#include "quadrille/algorithms/packing/timed/host_windows.h"
#include "quadrille/algorithms/packing/timed/path_tries.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

// Hops that all tries together may take.
constexpr uint64_t kScheduleWork = 60'000'000;
constexpr int kScheduleRounds = 4;
constexpr uint32_t kMostNodesOfBoth = 512;  // of orders of links, where ports are few
// Times that a schedule is disturbed, hops of all of them, and how many hops it should have.
constexpr uint64_t kMostShakes = 300;
constexpr uint64_t kShakeWork = 50'000'000;
constexpr uint64_t kFewestHopsShaken = 4'000;
constexpr uint64_t kMostHopsShaken = 1'000'000;
// Rounds of hosts with one link: orders that are tried, blocks that they have together, steps of a window, and blocks times links
// between routers.
constexpr uint64_t kFewestOrders = 3;
constexpr uint64_t kMostOrders = 24;
constexpr uint64_t kBlocksOfAllOrders = 150'000;
constexpr uint32_t kRoundWindow = 16;
constexpr uint64_t kRoundTries = 3'000;  // to exchange two of an order
constexpr uint64_t kShakesOfAnOrder = 10;
constexpr uint64_t kRoundWork = 100'000'000;
// Windows between hosts' links: hosts and hops that are worth it (of fewer hosts orders come to the same), links that are looked
// at for each hop, starts, and how far above the least the first one begins.
constexpr uint32_t kFewestHostsInWindows = 8;
constexpr uint64_t kMostHopsInWindows = 100'000;
constexpr uint64_t kWindowWorkPerHop = 6'000;
constexpr uint64_t kMostStartsInWindows = 8;
constexpr uint32_t kFirstInWindows = 3;
// Where plans are compared by time: above the bound, one part in so many is not worth the longest search of all.
constexpr uint64_t kNearInWindows = 32;

// The latest first backward, and so on, as long as that is shorter.
template <typename IsDone>
void forward_and_backward(const Problem& problem, PathTries& tries, PathSchedule now, PathSchedule& best,
                          uint64_t& tried, IsDone is_done) {
  for (int round = 0; round < kScheduleRounds && !is_done(); ++round) {
    const auto latest_first = [](PathSchedule& schedule) {
      std::vector<uint32_t> keys(schedule.step_of);
      for (uint32_t& key : keys) key = schedule.steps - key;
      return keys;
    };
    PathSchedule back = tries.run(Direction::kBackward, latest_first(now), 0);
    PathSchedule next = tries.run(Direction::kForward, latest_first(back), 0);
    tried += 2;
    const bool better = next.steps < now.steps;
    if (next.steps < best.steps) {
      best = next;
      tell_found(problem, best.steps);
    }
    now = std::move(next);
    if (!better) break;
  }
}

PathSchedule best_of_tries(const Problem& problem, const PricedPaths& paths) {
  PathSchedule best;
  if (paths.size() == 0) return best;
  PathTries tries(problem, paths);
  const uint64_t tries_left = SearchLimits::work(kScheduleWork) / (paths.num_hops() + 1) + 1;
  uint64_t tried = 0;
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  const auto is_done = [&] {
    return best.steps == paths.busiest() || best.steps <= good_enough || tried >= tries_left ||
           searches_are_stopped();
  };
  const auto improve = [&](PathSchedule now) {
    forward_and_backward(problem, tries, std::move(now), best, tried, is_done);
  };
  // Of a large network every try takes seconds: the one that is the better as a rule comes first, and alone.
  const bool is_large = problem.topology().num_nodes() > kMostNodesOfBoth;
  tries.serve_tight_links_first(is_large && tries.has_choice_of_links());
  best = tries.run(Direction::kForward, tries.by_hops_left(Direction::kForward), 0);
  ++tried;
  tell_found(problem, best.steps);
  PathSchedule longest_first = best;
  if (!is_done() && !is_large && tries.has_choice_of_links()) {
    tries.serve_tight_links_first(true);
    PathSchedule tight_first = tries.run(Direction::kForward, tries.by_hops_left(Direction::kForward), 0);
    ++tried;
    if (tight_first.steps < best.steps) {
      best = tight_first;
      longest_first = std::move(tight_first);
      tell_found(problem, best.steps);
    } else {
      tries.serve_tight_links_first(false);
    }
  }
  for (const int64_t pull : {2, 8, 30}) {
    if (is_done()) break;
    PathSchedule pulled = tries.run(Direction::kForward, tries.by_hops_left(Direction::kForward), pull);
    ++tried;
    if (pulled.steps < best.steps) best = std::move(pulled);
    tell_found(problem, best.steps);
  }
  if (!is_done()) improve(best);
  if (!is_done()) improve(std::move(longest_first));
  return best;
}

TimedPaths timed(const PricedPaths& paths, PathSchedule schedule) {
  TimedPaths out;
  out.steps = schedule.steps;
  out.step_of = std::move(schedule.step_of);
  out.arcs.reserve(paths.num_hops());
  for (size_t i = 0; i < paths.size(); ++i) {
    out.blocks.push_back(paths.block(i));
    out.arcs.insert(out.arcs.end(), paths.path(i).begin(), paths.path(i).end());
    out.begin.push_back(out.arcs.size());
  }
  return out;
}

// Whether hosts with one link each are the limit of these paths, and the links between routers are not.
bool are_hosts_the_limit(const Problem& problem, const PricedPaths& paths) {
  const Model& model = problem.model();
  if (!model.send.unlimited() || !model.receive.unlimited() || model.duplex == Duplex::kHalf ||
      !are_hosts_of_one_link(problem.topology()))
    return false;
  uint64_t work = 0;
  std::vector<uint64_t> load(problem.topology().num_arcs(), 0);
  for (size_t i = 0; i < paths.size(); ++i)
    for (const ArcId arc : paths.path(i)) ++load[index(arc)];
  uint64_t between = 0;
  for (const ArcId arc : problem.topology().arcs()) {
    if (problem.topology().rank(problem.topology().tail(arc)) ||
        problem.topology().rank(problem.topology().head(arc)))
      continue;
    between = std::max(between, load[index(arc)] / problem.topology().capacity(arc));
    ++work;
  }
  return between < paths.busiest() && work * paths.size() <= kRoundWork;
}

// The best one with its order disturbed a little, forward and backward again: of many that are about as good some are better.
void shake(const Problem& problem, const PricedPaths& paths, PathSchedule& best, uint64_t most) {
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  const auto is_done = [&] {
    return best.steps == paths.busiest() || best.steps <= good_enough || searches_are_stopped();
  };
  const uint64_t times = SearchLimits::work(kShakeWork) / (paths.num_hops() + 1);
  PathTries tries(problem, paths);
  Rng rng{1};
  PathSchedule now = best;
  for (uint64_t time = 0; time < std::min(times, SearchLimits::work(most)) && !is_done(); ++time) {
    const uint32_t by = now.steps / 32 + 2;
    std::vector<uint32_t> keys(now.step_of);
    for (uint32_t& key : keys) key += static_cast<uint32_t>(rng.below(by));
    PathSchedule next = tries.run(Direction::kForward, keys, 0);
    uint64_t tried = 0;
    forward_and_backward(problem, tries, next, next, tried, is_done);
    if (next.steps > now.steps) continue;
    if (next.steps < best.steps) best = next;
    now = std::move(next);
  }
}

// In rounds, in several orders; the paths are those that suit the rounds.
void try_rounds(const Problem& problem, const PricedPaths& paths, PathSchedule& best, PricedPaths& of_best) {
  EvenRounds rounds(problem, paths);
  const uint64_t ranks = problem.collective().num_ranks();
  Rng rng{1};
  const uint64_t orders =
      std::clamp(SearchLimits::work(kBlocksOfAllOrders) / (paths.size() + 1), kFewestOrders, kMostOrders);
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  for (uint64_t order = 0; order < orders && best.steps > good_enough && !searches_are_stopped(); ++order) {
    const std::vector<uint32_t> round = rounds.found(rng, std::min(kRoundTries, 4 * ranks * ranks));
    PricedPaths spread = spread_over_rounds(problem, paths, round, kRoundWindow);
    if (spread.busiest() >= best.steps) continue;
    PathTries tries(problem, spread);
    std::vector<uint32_t> keys;
    keys.reserve(spread.num_hops());
    for (size_t i = 0; i < spread.size(); ++i) keys.insert(keys.end(), spread.path(i).size(), round[i]);
    PathSchedule found = tries.run(Direction::kForward, keys, 0);
    uint64_t tried = 0;
    forward_and_backward(problem, tries, found, found, tried,
                         [&] { return found.steps == spread.busiest() || searches_are_stopped(); });
    shake(problem, spread, found, kShakesOfAnOrder);
    if (found.steps >= best.steps) continue;
    best = std::move(found);
    of_best = std::move(spread);
  }
}

// Windows between the links of hosts, where these are as short as links between routers are.
std::optional<TimedPaths> in_windows(const Problem& problem, const PricedPaths& paths, uint32_t most) {
  if (paths.num_hops() > kMostHopsInWindows || problem.collective().num_ranks() < kFewestHostsInWindows ||
      !HostWindows::knows(problem))
    return std::nullopt;
  const auto good_enough = static_cast<uint32_t>(good_enough_steps(problem, paths.least()));
  std::optional<TimedPaths> best;
  uint64_t work = SearchLimits::work(kWindowWorkPerHop) * paths.num_hops();
  for (uint64_t start = 1; start <= kMostStartsInWindows && work > 0 && !searches_are_stopped(); ++start) {
    HostWindows windows(problem, paths, most, work, start);
    if (windows.least_steps() < paths.busiest() + 2) break;
    const uint32_t fewest = std::max(windows.least_steps(), good_enough);
    uint32_t steps = best ? best->steps - 1 : std::min(most, fewest + kFirstInWindows + fewest / 40);
    for (; steps >= fewest; --steps) {
      std::optional<TimedPaths> found = windows.within(steps);
      if (!found) break;
      best = std::move(found);
      tell_found(problem, steps);
      if (WorthMaking::is_by_time() && steps <= fewest + fewest / kNearInWindows) return best;
    }
    if (steps < fewest) break;
    work = windows.work_left();
  }
  return best;
}

// Disturbing pays where what is short is not a port, and takes too long on networks that are planned in a moment.
bool is_worth_shaking(const Problem& problem, const PricedPaths& paths) {
  const Model& model = problem.model();
  return model.send.unlimited() && model.receive.unlimited() &&
         (paths.num_hops() >= kFewestHopsShaken || are_hosts_of_one_link(problem.topology())) &&
         paths.num_hops() <= kMostHopsShaken;
}

}  // namespace

TimedPaths ordered_paths(const Problem& problem, const PricedPaths& paths) {
  return timed(paths, best_of_tries(problem, paths));
}

TimedPaths schedule_paths(const Problem& problem, const PricedPaths& paths) {
  PathSchedule best = best_of_tries(problem, paths);
  if (best.steps <= paths.busiest() + 1) return timed(paths, std::move(best));
  if (std::optional<TimedPaths> found = in_windows(problem, paths, best.steps - 1)) return *std::move(found);
  PricedPaths of_best = paths;
  if (are_hosts_the_limit(problem, paths)) try_rounds(problem, paths, best, of_best);
  if (is_worth_shaking(problem, of_best)) shake(problem, of_best, best, kMostShakes);
  return timed(of_best, std::move(best));
}

}  // namespace quadrille
