// node-link: the network as networkx's node_link_graph() takes it, with the key `edges` of its newer versions; older ones
// want link="edges".
#include <fmt/format.h>

#include <iterator>

#include "quadrille/base/json/json_text.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/exporters/network_edges.h"

namespace quadrille::exporters {
namespace node_link_parts {
namespace {

std::string write(const Topology& network) {
  const NetworkEdges links = network_edges(network);
  std::string out =
      fmt::format("{{\"directed\": {}, \"multigraph\": false, \"graph\": {{\"name\": {}}},\n\"nodes\": [",
                  links.directed, json_string(network.name()));
  auto to = std::back_inserter(out);
  for (const NodeId node : network.nodes()) {
    fmt::format_to(to, "{}\n{{\"id\": {}, \"name\": {}, \"endpoint\": {}}}", index(node) == 0 ? "" : ",",
                   index(node), json_string(network.label(node)), network.rank(node).has_value());
  }
  out += "],\n\"edges\": [";
  bool first = true;
  for (const NetworkEdge& edge : links.edges) {
    fmt::format_to(to, "{}\n{{\"source\": {}, \"target\": {}", first ? "" : ",", index(edge.tail),
                   index(edge.head));
    first = false;
    if (edge.bandwidth)
      fmt::format_to(to, ", \"bandwidth\": {}", json_string(*edge.bandwidth));
    else
      fmt::format_to(to, ", \"capacity\": {}", edge.capacity);
    if (edge.latency) fmt::format_to(to, ", \"latency\": {}", json_string(*edge.latency));
    out += "}";
  }
  return out + "]}\n";
}

}  // namespace
}  // namespace node_link_parts

extern const Exporter node_link;

constinit const Exporter node_link{.name = "node-link",
                                   .summary = "the network as JSON for networkx and d3",
                                   .extension = ".json",
                                   .write_network = node_link_parts::write};

}  // namespace quadrille::exporters
