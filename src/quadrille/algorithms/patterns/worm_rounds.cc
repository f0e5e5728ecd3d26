#include "quadrille/algorithms/patterns/worm_rounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 26U;

}  // namespace

WormRounds::WormRounds(const Problem& problem, StepSink& sink)
    : problem_(problem), sink_(sink), hops_(problem.topology(), problem.model().routing), use_(problem) {}

void WormRounds::round(std::vector<Worm> worms) {
  const auto length = [this](const Worm& worm) {
    return hops_.length(worm.to, problem_.topology().endpoint(worm.from));
  };
  std::stable_sort(worms.begin(), worms.end(),
                   [&](const Worm& a, const Worm& b) { return length(a) > length(b); });
  while (!worms.empty()) {
    std::erase_if(worms, [this](const Worm& worm) { return try_send(worm); });
    use_.next_step();
    step_.flush(sink_);
  }
}

bool WormRounds::try_send(const Worm& worm) {
  const Topology& topology = problem_.topology();
  const NodeId end = topology.endpoint(worm.to);
  path_.clear();
  for (NodeId v = topology.endpoint(worm.from); v != end; v = topology.head(path_.back()))
    path_.push_back(hops_.arc(worm.to, v));
  if (!use_.take(path_)) return false;
  step_.add(path_, worm.blocks);
  return true;
}

Applicability rounds_of_worms(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it is for wormhole switching: a worm may carry many blocks over a whole path");
  const Topology& topology = problem.topology();
  const uint64_t entries = uint64_t{topology.num_nodes()} * topology.num_endpoints();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it keeps every next hop in memory: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), topology.name(),
                                       with_thousands(entries)));
}

}  // namespace quadrille
