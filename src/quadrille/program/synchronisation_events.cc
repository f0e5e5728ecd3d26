#include "quadrille/program/synchronisation_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

Rank rank_of(const Topology& topology, NodeId node, RanksAre ranks) {
  if (ranks == RanksAre::kNodes) return id_at<Rank>(index(node));
  if (const std::optional<Rank> rank = topology.rank(node)) return *rank;
  throw InputError(
      fmt::format("the plan states a signal of {}, a router: routers run no program here, so that nobody "
                  "could send it; run it with --sync barriers, or none",
                  topology.label(node)));
}

}  // namespace

std::vector<std::vector<SynchronisationEvent>> events_by_rank(const PlanSynchronisation& sync,
                                                              const Topology& topology, RanksAre ranks) {
  const size_t count = ranks == RanksAre::kNodes ? topology.num_nodes() : topology.num_endpoints();
  std::vector<std::vector<SynchronisationEvent>> out(count);
  // Both ends of all signals of two ranks have them in this order.
  std::vector<Signal> signals = sync.signals;
  std::ranges::sort(signals, {},
                    [](const Signal& s) { return std::tuple(s.after_step, s.from, s.to, s.before_step); });
  std::vector<uint32_t> heard(count, 0);
  for (const Signal& s : signals) {
    const Rank from = rank_of(topology, s.from, ranks);
    const Rank to = rank_of(topology, s.to, ranks);
    const uint32_t message = heard[index(to)]++;
    out[index(from)].push_back({s.after_step + 1, EventKind::kTell, to});
    out[index(to)].push_back({s.after_step + 1, EventKind::kListen, from, message});
    out[index(to)].push_back({s.before_step, EventKind::kAwait, from, message});
  }
  for (std::vector<SynchronisationEvent>& mine : out) {
    for (const uint32_t after : sync.barriers) mine.push_back({after + 1, EventKind::kMeet});
    std::ranges::stable_sort(mine, {},
                             [](const SynchronisationEvent& e) { return std::tuple(e.before_step, e.kind); });
  }
  return out;
}

}  // namespace quadrille
