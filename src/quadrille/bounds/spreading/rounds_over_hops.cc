#include "quadrille/bounds/spreading/rounds_over_hops.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Whose message gets to all; backwards: to whom that of all does. In an allreduce all do: of one of those who are farthest from another.
NodeId origin_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (const std::optional<Rank> root = problem.collective().root()) return topology.endpoint(*root);
  const std::vector<uint32_t>& hops = endpoint_distances(topology)->eccentricity;
  return topology.endpoint(Rank{static_cast<uint32_t>(std::ranges::max_element(hops) - hops.begin())});
}

}  // namespace

RoundsOverHops::RoundsOverHops(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Model& model = problem.model();
  const CollectiveKind kind = problem.collective().kind();
  const bool backwards = kind == CollectiveKind::kReduce;
  const bool spreads = kind == CollectiveKind::kBroadcast || backwards || kind == CollectiveKind::kAllreduce;
  if (!spreads || takes_paths(model) || problem.collective().num_ranks() < 2) return;
  const NodeCapacities links = node_capacities(topology);
  const BlocksARound a_round(problem);
  const auto sent = [&](NodeId v) { return a_round(model.send, links.out[index(v)]); };
  const auto received = [&](NodeId v) { return a_round(model.receive, links.in[index(v)]); };
  const NodeId origin = origin_of(problem);
  const std::vector<uint32_t> hops =
      backwards ? distances_to(topology, origin) : distances_from(topology, origin);
  for (const NodeId v : topology.endpoints()) {
    if (hops[index(v)] < 2) continue;
    const auto messages = static_cast<double>(backwards ? std::max(sent(v), received(origin))
                                                        : std::max(sent(origin), received(v)));
    const auto same = std::ranges::find(far_, messages, &Far::a_round);
    if (same == far_.end()) {
      far_.push_back({hops[index(v)], messages});
    } else {
      same->hops = std::max<uint64_t>(same->hops, hops[index(v)]);
    }
  }
}

double RoundsOverHops::in_steps(uint64_t steps) const {
  double most = 0;
  for (const Far& far : far_) {
    if (steps < far.hops) return std::numeric_limits<double>::infinity();
    const auto rows = static_cast<double>((steps + far.hops - 2) / (far.hops - 1));
    most = std::max(most, rows / (rows - 1) / far.a_round);
  }
  return most;
}

RoundsOverHops::Least RoundsOverHops::least(uint64_t fewest, double least_rounds, double step_time,
                                            double message_time) const {
  constexpr uint64_t kMostRows = 1024;  // with more of them rounds are as few as whatever the steps
  Least out{fewest, least_rounds, static_cast<double>(fewest) * step_time + least_rounds * message_time};
  if (far_.empty()) return out;
  out.time = std::numeric_limits<double>::infinity();
  const auto look_at = [&](uint64_t steps, double rounds) {
    rounds = std::max(rounds, least_rounds);
    const double time = static_cast<double>(steps) * step_time + rounds * message_time;
    if (time < out.time) out = {steps, rounds, time};
  };
  uint64_t last = fewest;
  for (const Far& far : far_) {
    fewest = std::max(fewest, far.hops);
    last = std::max(last, kMostRows * (far.hops - 1));
  }
  // Rounds get fewer where a node's steps begin a row more.
  look_at(fewest, in_steps(fewest));
  for (const Far& far : far_) {
    for (uint64_t rows = 1; rows < kMostRows; ++rows) {
      const uint64_t steps = rows * (far.hops - 1) + 1;
      if (steps <= fewest) continue;
      if (static_cast<double>(steps) * step_time + least_rounds * message_time >= out.time) break;
      look_at(steps, in_steps(steps));
    }
  }
  look_at(last, 0);
  return out;
}

}  // namespace quadrille
