#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/families/graph_words.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace edges_parts {
namespace {

constexpr std::string_view kSyntax = "edges(\"a b, b c, ..\")";
constexpr std::string_view kFullSyntax = "edges(\"a b, b c, ..\"[;\"switches b*\",\"unit 100Gbit/s\"])";
// The second is the one of figure 3.4(b) of the 1996 dissertation, where the best scatter is no tree.
constexpr std::string_view kSamples[] = {"edges(\"0 1\")", "edges(\"v a, v b, a c, b c, c d, c e\")",
                                         "edges(\"a b 2, b c, c a 3, c d\")"};

Topology build(const SpecCall& call) {
  const GraphReading reading = graph_words(call, kFullSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& arg = call.sections[0].args[0];
  if (arg.kind != ArgKind::kQuoted) {
    throw call.error(arg.where, fmt::format("the edges are given in quotes: {}", kSyntax));
  }
  std::string lines = arg.text;
  std::replace(lines.begin(), lines.end(), ',', '\n');
  return build_read_graph(call, "edges", lines, GraphFormat::kEdgeList, reading);
}

}  // namespace
}  // namespace edges_parts

namespace families {

extern const Family edges;

constinit const Family edges = {
    .name = "edges",
    .summary = "any small graph, edge by edge",
    .syntax = edges_parts::kFullSyntax,
    .parameters =
        "edges with commas between them, each two node names and, if wanted, a capacity, or a bandwidth and a "
        "latency: edges(\"a b, b c 2\"), edges(\"a b 100Gbit/s 2us\"); the rest as of file",
    .numbering = "by name, numbers inside names by value",
    .source = "",
    .samples = edges_parts::kSamples,
    .build = edges_parts::build,
    .facts = [](const SpecCall& call) { return read_graph_facts(edges_parts::build(call)); },
};

}  // namespace families

}  // namespace quadrille
