#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/files.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/graph_reader.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

constexpr std::string_view kSyntax = "file(\"net.graphml\")";

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

Topology build(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& arg = call.sections[0].args[0];
  if (arg.kind != ArgKind::kQuoted) {
    throw call.error(arg.where, fmt::format("a file is named in quotes: {}", kSyntax));
  }
  try {
    const GraphFormat format = graph_format(arg.text);
    return read_graph(fmt::format("file({})", quoted(arg.text)), arg.text, read_file(arg.text), format);
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    // A message of several lines points into the file already.
    if (message.find('\n') != std::string_view::npos) throw SpecError(error);
    throw call.error(arg.where, message);
  }
}

// Nothing is known about a file before it is read; distances and cuts are left to search.
TopologyFacts facts(const SpecCall& call) {
  const Topology net = build(call);
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

}  // namespace

constinit const Family families::file = {
    .name = "file",
    .summary = "any graph, from a file: GraphML, GML, DOT or a list of edges",
    .syntax = kSyntax,
    .parameters =
        "a path that ends in .graphml .xml, .gml, .dot .gv, .txt .edges .edgelist; node attribute endpoint, "
        "edge "
        "attribute capacity",
    .numbering = "the order of the file; in DOT and edge lists by name, numbers by value",
    .source = "",
    .build = build,
    .facts = facts,
};

}  // namespace quadrille
