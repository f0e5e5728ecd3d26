#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "quadrille/base/files.h"
#include "quadrille/topology/families/graph_words.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace file_parts {
namespace {

constexpr std::string_view kSyntax = "file(\"net.graphml\")";
constexpr std::string_view kFullSyntax =
    "file(\"net.graphml\"[;\"switches type=switch\",\"unit 100Gbit/s\"])";

// A stream is read once, and a spec may be built again.
const std::string& standard_input() {
  static const std::string kAll = read_stream(std::cin, "standard input");
  return kAll;
}

Topology build(const SpecCall& call) {
  const GraphReading reading = graph_words(call, kFullSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& arg = call.sections[0].args[0];
  if (arg.kind != ArgKind::kQuoted) {
    throw call.error(arg.where, fmt::format("a file is named in quotes: {}", kSyntax));
  }
  try {
    const bool is_stream = arg.text == "-";
    std::error_code ignored;
    if (!is_stream && !std::filesystem::is_regular_file(arg.text, ignored))
      static_cast<void>(graph_format(arg.text));
    const std::string content = is_stream ? standard_input() : read_file(arg.text);
    const std::string source = is_stream ? "standard input" : arg.text;
    return build_read_graph(call, source, content, graph_format(arg.text, content), reading);
  } catch (const SpecError&) {
    throw;
  } catch (const InputError& error) {
    throw call.error(arg.where, error.what());
  }
}

}  // namespace
}  // namespace file_parts

namespace families {

extern const Family file;

constinit const Family file = {
    .name = "file",
    .summary =
        "any graph, from a file: GraphML, GML, DOT, node-link JSON, METIS, edges, ibnetdiscover, nvidia-smi",
    .syntax = file_parts::kFullSyntax,
    .parameters =
        "a path that ends in .graphml .xml, .gml, .dot .gv, .json (node-link), .metis .graph, .txt .edges .edgelist .csv; what "
        "ibnetdiscover or nvidia-smi topo -m printed, in a file of any name; - is standard input; node attribute endpoint, "
        "edge attributes capacity, bandwidth and latency; switches: nodes that only forward, by an attribute's value or "
        "by name; unit: what a link of capacity 1 carries",
    .numbering = "the order of the file; in DOT and edge lists by name, numbers by value",
    .source = "",
    .opens_files = true,
    .build = file_parts::build,
    .facts = [](const SpecCall& call) { return read_graph_facts(file_parts::build(call)); },
};

}  // namespace families

}  // namespace quadrille
