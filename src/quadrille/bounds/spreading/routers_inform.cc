// Routers inform: where endpoints have no links among themselves they hear from routers alone, and of these there are few.
//
// Doubling lets everybody who knows tell others. Behind switches whoever knows can tell a switch, and no more endpoints hear in a
// step than all switches that know can send to (topology/queries/spread_by_routers.h). The same backwards for who must hear of all.
#include <fmt/format.h>

#include <string>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/spread_by_routers.h"

namespace quadrille::bounds {

extern const BoundCard routers_inform;

namespace routers_inform_parts {
namespace {

constexpr uint64_t kMostSearched = uint64_t{1} << 22U;  // links, looked at from every endpoint

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kPacket || !topology.has_routers() || topology.is_outline() ||
      problem.collective().num_ranks() < 2)
    return std::nullopt;
  const CollectiveKind kind = problem.collective().kind();
  const bool only_informs = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  const bool only_hears = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  const std::optional<Rank> root = problem.collective().root();
  std::optional<Bound> best;
  const auto hold = [&](NodeId from, bool backwards) {
    const Ports ports = backwards ? problem.model().receive : problem.model().send;
    const uint64_t a_step = ports.unlimited() ? UINT64_MAX : ports.count;
    const uint32_t steps = steps_by_routers(topology, from, a_step, backwards);
    if (steps == 0 || (best && Rational(steps) <= best->value)) return;
    const std::string passing = plural(steps, "step");
    best = Bound{
        routers_inform.name, Rational(steps),
        backwards
            ? fmt::format("routers alone hear from endpoints, and {} pass until {} can have heard of all",
                          passing, topology.label(from))
            : fmt::format("endpoints hear from routers alone, and {} pass until all can have heard of {}",
                          passing, topology.label(from)),
        BoundOn::kSteps, InformedWitness{from, 1}};
  };
  uint64_t work = 0;
  for (const NodeId v : topology.endpoints()) {
    if (root && v != topology.endpoint(*root)) continue;
    if (!only_hears) hold(v, false);
    if (!only_informs) hold(v, true);
    if ((work += topology.num_arcs()) > kMostSearched) break;
  }
  return best;
}

}  // namespace
}  // namespace routers_inform_parts

constinit const BoundCard routers_inform = {
    .name = "routers_inform",
    .summary = "how fast one node's data can spread where endpoints hear from routers alone",
    .source = "counting; ours",
    .evaluate = routers_inform_parts::evaluate,
};

}  // namespace quadrille::bounds
