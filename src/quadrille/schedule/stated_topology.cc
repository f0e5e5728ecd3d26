#include "quadrille/schedule/stated_topology.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

[[noreturn]] void contradiction(const Topology& named, std::string_view what) {
  throw InputError(fmt::format("this is a plan for another topology: {}", what, named.name()));
}

std::string arc_text(const Topology& topology, uint32_t arc) {
  const ArcId a{arc};
  return fmt::format("{}>{} of capacity {}", index(topology.tail(a)), index(topology.head(a)),
                     topology.capacity(a));
}

// Both lists of arcs are sorted: the first difference tells most.
void require_same_arcs(const Topology& named, const Topology& linked) {
  const uint32_t common = std::min(named.num_arcs(), linked.num_arcs());
  uint32_t a = 0;
  while (a < common && named.tails()[a] == linked.tails()[a] && named.heads()[a] == linked.heads()[a] &&
         named.capacities()[a] == linked.capacities()[a]) {
    ++a;
  }
  if (a == named.num_arcs() && a == linked.num_arcs()) return;
  contradiction(named, fmt::format("arc {} of {} is {}, in the list of links it is {}", a, named.name(),
                                   a < named.num_arcs() ? arc_text(named, a) : "missing",
                                   a < linked.num_arcs() ? arc_text(linked, a) : "missing"));
}

void require_same_endpoints(const Topology& named, std::vector<NodeId> listed) {
  std::sort(listed.begin(), listed.end());
  if (std::ranges::equal(named.endpoints(), listed)) return;
  std::vector<NodeId> different;
  std::ranges::set_symmetric_difference(named.endpoints(), listed, std::back_inserter(different));
  if (different.empty()) throw InputError("an endpoint is listed twice");
  const NodeId node = different.front();
  const bool ours = std::ranges::binary_search(named.endpoints(), node);
  contradiction(named,
                fmt::format("node {} is {} of {}, but {} in the list of endpoints", index(node),
                            ours ? "an endpoint" : "no endpoint", named.name(), ours ? "not" : "it is"));
}

}  // namespace

Topology StatedTopology::from_links() const {
  uint64_t count = nodes.value_or(1);
  if (!nodes) {
    for (const Link& link : *links) count = std::max<uint64_t>({count, link.tail + 1ULL, link.head + 1ULL});
  }
  // Refused before anything is stored for the nodes, so that a short file cannot ask for much memory.
  if (count > links->size() + 1) {
    throw InputError(fmt::format("{} nodes cannot be connected by {} arc(s): at least {} are needed{}", count,
                                 links->size(), count - 1,
                                 nodes ? "" : " (give \"nodes\" if numbers are left out)"));
  }
  TopologyBuilder builder(spec ? plain_name(*spec) : std::string(kNamelessTopology), count);
  builder.reserve_arcs(links->size());
  for (const Link& link : *links) builder.arc(NodeId{link.tail}, NodeId{link.head}, link.capacity);
  if (endpoints) builder.endpoints(*endpoints);
  return builder.build();
}

Topology StatedTopology::resolve(std::string_view source) const {
  if (!spec && !links) throw InputError("the topology is missing: give its spec, or its links");
  if (!spec) return from_links();
  std::optional<Topology> named;
  try {
    named = parse_topology(*spec, fmt::format("{}: topology", source));
  } catch (const InputError&) {
    if (!links) throw;
    return from_links();
  }
  if (nodes && *nodes != named->num_nodes()) {
    contradiction(
        *named, fmt::format("{} has {} nodes, the file says {}", named->name(), named->num_nodes(), *nodes));
  }
  if (endpoints) require_same_endpoints(*named, *endpoints);
  if (links) require_same_arcs(*named, from_links());
  return *named;
}

bool name_suffices(const Topology& topology) {
  if (topology.name().find("file(") != std::string::npos) return false;
  try {
    return parse_topology(topology.name()).same_graph(topology);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace quadrille
