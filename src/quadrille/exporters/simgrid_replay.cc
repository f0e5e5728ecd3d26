#include "quadrille/exporters/simgrid_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/model/machine.h"

namespace quadrille {

std::string SimgridReplay::host(NodeId node) { return fmt::format("h-{}", index(node)); }

SimgridReplay simgrid_replay(const ScheduleToExport& what) {
  const CostConstants& cost = what.schedule.problem().model().cost;
  SimgridReplay out{.traffic = traffic_of(what.schedule, {.block_bytes = 1, .flit_bytes = 1}), .cost = cost};
  if (cost == CostConstants{}) out.cost = default_machine().cost;
  if (!out.cost.in_microseconds)
    throw InputError("simgrid: SimGrid counts seconds; give --ts, --tx and --tl with units, or a --machine");
  if (out.cost.tx <= 0) throw InputError("simgrid: SimGrid needs links of some bandwidth; give --tx");
  if (out.cost.rho > 0 || out.cost.to > 0)
    throw InputError(
        "simgrid: a trace says nothing of memory that is rearranged and of the overhead of further messages; leave "
        "out --rho, --to and --loggp");
  const Topology& network = out.traffic.network;
  const auto is_router = [&network](NodeId v) { return !network.rank(v).has_value(); };
  const bool routers_act = std::ranges::any_of(out.traffic.messages, [&](const TrafficMessage& m) {
    return is_router(m.source) || is_router(m.destination);
  });
  out.rank_of.assign(network.num_nodes(), UINT32_MAX);
  for (const NodeId v : network.nodes()) {
    if (is_router(v) && !routers_act) continue;
    out.rank_of[index(v)] = static_cast<uint32_t>(out.ranks.size());
    out.ranks.push_back(v);
  }
  return out;
}

}  // namespace quadrille
