// simgrid-platform: the network as SimGrid's platform file, every route written down. SimGrid's own tori send all that goes
// half-way round an even ring the same way; here messages go where the plan sends them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "quadrille/base/input_error.h"
#include "quadrille/exporters/simgrid_replay.h"

namespace quadrille::exporters {
namespace simgrid_platform_parts {
namespace {

std::vector<ArcId> path_of(const Traffic& traffic, const TrafficMessage& m) {
  std::vector<ArcId> out;
  NodeId here = m.source;
  for (uint64_t i = m.path; !traffic.hops[i].is_end(); ++i) {
    out.push_back(traffic.network.arcs_from(here)[traffic.hops[i].position()]);
    here = traffic.network.head(out.back());
  }
  return out;
}

// Of every arc the first of those with which it shares a link.
std::vector<uint32_t> links_of(const Traffic& traffic) {
  const Topology& network = traffic.network;
  std::vector<uint32_t> out(network.num_arcs());
  for (const ArcId arc : network.arcs()) {
    out[index(arc)] = static_cast<uint32_t>(index(arc));
    if (!traffic.half_duplex) continue;
    if (const ArcId other = network.reverse(arc); other != kNoArc)
      out[index(arc)] = static_cast<uint32_t>(std::min(index(arc), index(other)));
  }
  return out;
}

std::string write(const ScheduleToExport& what) {
  const SimgridReplay replay = simgrid_replay(what);
  const Traffic& traffic = replay.traffic;
  const Topology& network = traffic.network;
  // SimGrid has one route from a host to another one.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<ArcId>> routes;
  for (const TrafficMessage& m : traffic.messages) {
    std::vector<ArcId> path = path_of(traffic, m);
    const auto [at, is_new] = routes.try_emplace(
        {replay.rank_of[index(m.source)], replay.rank_of[index(m.destination)]}, std::move(path));
    if (!is_new && at->second != path_of(traffic, m))
      throw InputError(fmt::format(
          "simgrid-platform: the plan sends from {} to {} by two ways (the second in step {}), and SimGrid "
          "has one route from a host to another",
          network.label(m.source), network.label(m.destination), m.step + 1));
  }
  const std::vector<uint32_t> link_of = links_of(traffic);
  std::string out =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"network\" routing=\"Full\">\n";
  auto to = std::back_inserter(out);
  for (const NodeId v : replay.ranks)
    fmt::format_to(to, "<host id=\"{}\" speed=\"1Gf\"/>\n", SimgridReplay::host(v));
  for (const ArcId arc : network.arcs()) {
    if (link_of[index(arc)] != index(arc)) continue;
    fmt::format_to(to, "<link id=\"l-{}\" bandwidth=\"{}Bps\" latency=\"{}s\" sharing_policy=\"SHARED\"/>\n",
                   index(arc), network.capacity(arc) * 1e6 / replay.cost.tx, replay.cost.tl * 1e-6);
  }
  for (const auto& [ends, path] : routes) {
    fmt::format_to(to, "<route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">",
                   SimgridReplay::host(replay.ranks[ends.first]),
                   SimgridReplay::host(replay.ranks[ends.second]));
    for (const ArcId arc : path) fmt::format_to(to, "<link_ctn id=\"l-{}\"/>", link_of[index(arc)]);
    out += "</route>\n";
  }
  return out + "</zone>\n</platform>\n";
}

}  // namespace
}  // namespace simgrid_platform_parts

extern const Exporter simgrid_platform;

constinit const Exporter simgrid_platform{
    .name = "simgrid-platform",
    .summary = "the network with the plan's routes, as SimGrid's platform file",
    .extension = ".xml",
    .write = simgrid_platform_parts::write};

}  // namespace quadrille::exporters
