#include "quadrille/algorithms/packing/timed/kept_paths.h"

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/model/needless_ports.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// In all: paths take memory.
constexpr size_t kMostHopsKept = size_t{1} << 23U;
constexpr size_t kMostKeptPaths = 64;
constexpr size_t kMostKeptFigures = 256;

KeptPaths*& keeper() {
  thread_local KeptPaths* kept = nullptr;
  return kept;
}

// Of so few blocks a machine whose ports are as many as its links is the one with all ports; of more it is asked as well, since its
// blocks are put in order otherwise.
constexpr uint64_t kFewBlocks = 400;

Ports ports_that_count(const Problem& problem, bool send) {
  const Topology& net = problem.topology();
  const Ports ports = send ? problem.model().send : problem.model().receive;
  if (ports.unlimited() || problem.collective().num_blocks() > kFewBlocks) return ports;
  return without_needless_count(ports, send ? most_links_out(net) : most_links_in(net));
}

// What balanced paths depend on.
bool is_same_search(const Problem& a, const Problem& b) {
  return a.model().duplex == b.model().duplex && a.collective() == b.collective() &&
         ports_that_count(a, true) == ports_that_count(b, true) &&
         ports_that_count(a, false) == ports_that_count(b, false) && a.topology().same_graph(b.topology());
}

// By time, whoever asks a swarm in passing is given as many tries; but a stream has fewer, for its many numbers of pieces.
bool is_swarm_hastened(const Problem& problem) {
  const bool is_in_passing = WorthMaking::is_asked_in_passing();
  if (problem.collective().root()) return is_in_passing || WorthMaking::is_by_time();
  return is_in_passing && !WorthMaking::is_by_time();
}

// Routes of a Cayley graph are said by its generators.
bool is_same_graph(const Topology& a, const Topology& b) {
  return a.cayley() == b.cayley() && a.same_graph(b);
}

}  // namespace

KeptPaths::KeptPaths() : KeptPaths(nullptr) {}

KeptPaths::KeptPaths(KeptPaths* of_job) : is_first_(keeper() == nullptr) {
  if (is_first_) keeper() = of_job == nullptr ? this : of_job;
}

KeptPaths::~KeptPaths() {
  if (is_first_) keeper() = nullptr;
}

KeptPaths* KeptPaths::of_this_thread() { return keeper(); }

// Several threads keep in any order, so that what is found must not depend on it: of searches that would do the one that was
// to come down farthest.
const TimedPaths* KeptPaths::find(const Problem& problem) {
  KeptPaths* const here = keeper();
  if (here == nullptr) return nullptr;
  const SearchWishes& wishes = SearchLimits::now();
  const uint64_t good_enough = good_enough_steps(problem, 0);
  const std::lock_guard lock(here->mutex_);
  const Entry* found = nullptr;
  for (const std::unique_ptr<const Entry>& entry : here->entries_) {
    // A search that came down to a bound is over, whatever the other one knows.
    const bool is_over = entry->gap <= 0 && entry->paths.steps <= entry->good_enough;
    if (entry->gap != wishes.gap || entry->effort != wishes.effort ||
        entry->in_passing != WorthMaking::is_asked_in_passing() ||
        (entry->good_enough > good_enough && !is_over) || !is_same_search(entry->problem, problem))
      continue;
    if (entry->good_enough == good_enough) return &entry->paths;
    if (found == nullptr || entry->good_enough < found->good_enough) found = entry.get();
  }
  return found == nullptr ? nullptr : &found->paths;
}

void KeptPaths::keep(const Problem& problem, const TimedPaths& paths) {
  KeptPaths* const here = keeper();
  if (here == nullptr || searches_are_stopped()) return;
  const uint64_t good_enough = good_enough_steps(problem, 0);
  const std::lock_guard lock(here->mutex_);
  if (paths.arcs.size() > kMostHopsKept - here->hops_ || here->entries_.size() >= kMostKeptPaths) return;
  here->hops_ += paths.arcs.size();
  const SearchWishes& wishes = SearchLimits::now();
  here->entries_.push_back(std::make_unique<const Entry>(
      Entry{problem, wishes.gap, wishes.effort, WorthMaking::is_asked_in_passing(), good_enough, paths}));
}

std::shared_ptr<const Plan> KeptPaths::swarm(const Problem& problem, uint64_t good_enough) {
  KeptPaths* const here = keeper();
  if (here == nullptr) return nullptr;
  const SearchWishes& wishes = SearchLimits::now();
  const std::lock_guard lock(here->mutex_);
  for (const Swarm& known : here->swarms_) {
    if (known.gap == wishes.gap && known.effort == wishes.effort && known.good_enough == good_enough &&
        known.is_hastened == is_swarm_hastened(problem) && is_same_search(known.problem, problem))
      return known.plan;
  }
  return nullptr;
}

void KeptPaths::keep_swarm(const Problem& problem, uint64_t good_enough, const Plan& plan) {
  KeptPaths* const here = keeper();
  if (here == nullptr || searches_are_stopped()) return;
  const std::lock_guard lock(here->mutex_);
  if (plan.num_transfers() > kMostHopsKept - here->hops_ || here->swarms_.size() >= kMostKeptPaths) return;
  here->hops_ += plan.num_transfers();
  const SearchWishes& wishes = SearchLimits::now();
  here->swarms_.push_back({problem, wishes.gap, wishes.effort, is_swarm_hastened(problem), good_enough,
                           std::make_shared<const Plan>(plan)});
}

std::shared_ptr<const LevelRoutes> KeptPaths::level_routes(const Problem& problem, uint32_t levels) {
  const Topology& topology = problem.topology();
  KeptPaths* const here = keeper();
  if (here != nullptr) {
    const std::lock_guard lock(here->mutex_);
    for (const Levels& known : here->levels_) {
      if (known.levels == levels && known.problem.collective() == problem.collective() &&
          is_same_graph(known.problem.topology(), topology))
        return known.routes;
    }
  }
  count_work(Work::kSearching);
  auto routes = std::make_shared<const LevelRoutes>(problem, levels);
  const size_t hops = routes->hops_kept();
  if (here == nullptr) return routes;
  const std::lock_guard lock(here->mutex_);
  if (hops > kMostHopsKept - here->hops_ || here->levels_.size() >= kMostKeptPaths) return routes;
  here->hops_ += hops;
  here->levels_.push_back({problem, levels, routes});
  return routes;
}

std::optional<Prediction> KeptPaths::figures(const Problem& problem, Maker maker, std::string_view member) {
  KeptPaths* const here = keeper();
  if (here == nullptr) return std::nullopt;
  const std::lock_guard lock(here->mutex_);
  for (const Figures& known : here->figures_) {
    if (known.maker == maker && known.member == member && known.problem.model() == problem.model() &&
        known.problem.collective() == problem.collective() &&
        is_same_graph(known.problem.topology(), problem.topology()))
      return known.figures;
  }
  return std::nullopt;
}

void KeptPaths::keep_figures(const Problem& problem, Maker maker, std::string_view member,
                             const Prediction& figures) {
  KeptPaths* const here = keeper();
  if (here == nullptr) return;
  const std::lock_guard lock(here->mutex_);
  if (here->figures_.size() < kMostKeptFigures)
    here->figures_.push_back({problem, maker, std::string(member), figures});
}

}  // namespace quadrille
