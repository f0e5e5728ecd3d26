#include "quadrille/algorithms/packing/timed/kept_paths.h"

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

// In all: paths take memory.
constexpr size_t kMostHopsKept = size_t{1} << 23U;
constexpr size_t kMostKeptPaths = 64;

KeptPaths*& keeper() {
  thread_local KeptPaths* kept = nullptr;
  return kept;
}

// What balanced paths depend on.
bool is_same_search(const Problem& a, const Problem& b) {
  return a.model().send == b.model().send && a.model().receive == b.model().receive &&
         a.model().duplex == b.model().duplex && a.collective() == b.collective() &&
         a.topology().same_graph(b.topology());
}

}  // namespace

KeptPaths::KeptPaths() : is_first_(keeper() == nullptr) {
  if (is_first_) keeper() = this;
}

KeptPaths::~KeptPaths() {
  if (is_first_) keeper() = nullptr;
}

const TimedPaths* KeptPaths::find(const Problem& problem) {
  if (keeper() == nullptr) return nullptr;
  const SearchWishes& wishes = SearchLimits::now();
  const uint64_t good_enough = good_enough_steps(problem, 0);
  for (const std::unique_ptr<const Entry>& entry : keeper()->entries_) {
    // A search that came down to a bound is over, whatever the other one knows.
    const bool is_over = entry->gap <= 0 && entry->paths.steps <= entry->good_enough;
    if (entry->gap == wishes.gap && entry->effort == wishes.effort &&
        (entry->good_enough == good_enough || is_over) && is_same_search(entry->problem, problem))
      return &entry->paths;
  }
  return nullptr;
}

void KeptPaths::keep(const Problem& problem, const TimedPaths& paths) {
  if (keeper() == nullptr || paths.arcs.size() > kMostHopsKept - keeper()->hops_ ||
      keeper()->entries_.size() >= kMostKeptPaths || searches_are_stopped())
    return;
  keeper()->hops_ += paths.arcs.size();
  const SearchWishes& wishes = SearchLimits::now();
  keeper()->entries_.push_back(std::make_unique<const Entry>(
      Entry{problem, wishes.gap, wishes.effort, good_enough_steps(problem, 0), paths}));
}

}  // namespace quadrille
