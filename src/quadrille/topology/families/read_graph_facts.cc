#include "quadrille/topology/families/read_graph_facts.h"

#include <algorithm>

namespace quadrille {

TopologyFacts read_graph_facts(const Topology& net) {
  TopologyFacts out;
  out.spec = net.name();
  out.nodes = net.num_nodes();
  out.endpoints = net.num_endpoints();
  out.min_degree = net.num_nodes();
  out.max_degree = 0;
  for (const NodeId v : net.nodes()) {
    out.min_degree = std::min<Int128>(*out.min_degree, net.out_degree(v));
    out.max_degree = std::max<Int128>(*out.max_degree, net.out_degree(v));
  }
  Int128 one_way = 0;
  for (const ArcId arc : net.arcs()) one_way += net.reverse(arc) == kNoArc ? 1 : 0;
  out.links = (net.num_arcs() - one_way) / 2 + one_way;
  return out;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace quadrille
