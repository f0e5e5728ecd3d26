// graphml: the network for networkx, igraph, Gephi, yEd and whoever else reads GraphML.
#include <fmt/format.h>

#include <iterator>

#include "quadrille/exporters/exporter.h"
#include "quadrille/exporters/network_edges.h"

namespace quadrille::exporters {
namespace graphml_parts {
namespace {

std::string write(const Topology& network) {
  const NetworkEdges links = network_edges(network);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "<key id=\"endpoint\" for=\"node\" attr.name=\"endpoint\" attr.type=\"boolean\"/>\n"
      "<key id=\"capacity\" for=\"edge\" attr.name=\"capacity\" attr.type=\"long\"/>\n"
      "<key id=\"bandwidth\" for=\"edge\" attr.name=\"bandwidth\" attr.type=\"string\"/>\n"
      "<key id=\"latency\" for=\"edge\" attr.name=\"latency\" attr.type=\"string\"/>\n";
  auto to = std::back_inserter(out);
  fmt::format_to(to, "<graph id=\"{}\" edgedefault=\"{}\">\n", xml_text(network.name()),
                 links.directed ? "directed" : "undirected");
  for (const NodeId node : network.nodes()) {
    fmt::format_to(to,
                   "<node id=\"n{}\"><data key=\"name\">{}</data><data key=\"endpoint\">{}</data></node>\n",
                   index(node), xml_text(network.label(node)), network.rank(node).has_value());
  }
  for (const NetworkEdge& edge : links.edges) {
    fmt::format_to(to, "<edge source=\"n{}\" target=\"n{}\">", index(edge.tail), index(edge.head));
    if (edge.bandwidth)
      fmt::format_to(to, "<data key=\"bandwidth\">{}</data>", *edge.bandwidth);
    else
      fmt::format_to(to, "<data key=\"capacity\">{}</data>", edge.capacity);
    if (edge.latency) fmt::format_to(to, "<data key=\"latency\">{}</data>", *edge.latency);
    out += "</edge>\n";
  }
  return out + "</graph>\n</graphml>\n";
}

}  // namespace
}  // namespace graphml_parts

extern const Exporter graphml;

constinit const Exporter graphml{.name = "graphml",
                                 .summary = "the network for networkx, igraph, Gephi, yEd",
                                 .extension = ".graphml",
                                 .write_network = graphml_parts::write};

}  // namespace quadrille::exporters
