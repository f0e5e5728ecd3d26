#include <fmt/format.h>

#include "quadrille/base/files.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace file_parts {
namespace {

constexpr std::string_view kSyntax = "file(\"net.graphml\")";

Topology build(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& arg = call.sections[0].args[0];
  if (arg.kind != ArgKind::kQuoted) {
    throw call.error(arg.where, fmt::format("a file is named in quotes: {}", kSyntax));
  }
  try {
    const GraphFormat format = graph_format(arg.text);
    return read_graph(fmt::format("file({})", in_quotes(arg.text)), arg.text, read_file(arg.text), format);
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    // A message of several lines points into the file already.
    if (message.find('\n') != std::string_view::npos) throw SpecError(error);
    throw call.error(arg.where, message);
  }
}

}  // namespace
}  // namespace file_parts

namespace families {

extern const Family file;

constinit const Family file = {
    .name = "file",
    .summary = "any graph, from a file: GraphML, GML, DOT or a list of edges",
    .syntax = file_parts::kSyntax,
    .parameters =
        "a path that ends in .graphml .xml, .gml, .dot .gv, .txt .edges .edgelist; node attribute endpoint, "
        "edge attribute capacity",
    .numbering = "the order of the file; in DOT and edge lists by name, numbers by value",
    .source = "",
    .opens_files = true,
    .build = file_parts::build,
    .facts = [](const SpecCall& call) { return read_graph_facts(file_parts::build(call)); },
};

}  // namespace families

}  // namespace quadrille
