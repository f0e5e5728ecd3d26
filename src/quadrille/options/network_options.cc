#include "quadrille/options/network_options.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/topology/families/graph_words.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/topology/typed_spec.h"

namespace quadrille {
namespace {

// The graph that is read, perhaps within without(..) or a product.
const SpecCall* read_graph_in(const SpecCall& call) {
  if (call.name == "file" || call.name == "edges") return &call;
  for (const SpecSection& section : call.sections) {
    for (const Arg& arg : section.args) {
      if (arg.kind != ArgKind::kCall) continue;
      if (const SpecCall* inner = read_graph_in(arg.call[0])) return inner;
    }
  }
  return nullptr;
}

}  // namespace

std::string NetworkOptions::spec_of(const std::string& topology) const {
  if (switches.empty() && unit_bandwidth.empty()) {
    // What is no spec is said by whoever reads it, with what stands around it.
    try {
      return typed_spec(topology);
    } catch (const InputError&) {
      return topology;
    }
  }
  const std::string spec = typed_spec(topology);
  const SpecCall whole = parse_typed_spec(spec);
  const SpecCall* const graph = read_graph_in(whole);
  if (graph == nullptr) {
    throw InputError(fmt::format(
        "{}: it is said of a graph that is read, file(\"net.graphml\") or edges(\"a b, b c\"), and {} names none",
        switches.empty() ? "--unit" : "--switches", topology));
  }
  std::string words;
  const auto add = [&](std::string_view word, const std::string& value) {
    const bool is_first = words.empty() && graph->sections.size() == 1;
    words += (is_first ? ";" : ",") + in_quotes(fmt::format("{} {}", word, value));
  };
  for (const std::string& word : switches) add(kSwitchesWord, word);
  if (!unit_bandwidth.empty()) add(kUnitWord, unit_bandwidth);
  std::string out = spec;
  out.insert(graph->where.end - 1, words);
  return out;
}

void add_network_options(ArgumentParser& app, NetworkOptions& options) {
  constexpr const char* kOfFiles = "of a graph file";
  app.add_option("--switches", options.switches,
                 "of a graph file: who only forwards (type=switch); what capacity 1 carries")
      ->repeated()
      ->type_name("X")
      ->group(kOfFiles);
  app.add_option("--unit", options.unit_bandwidth, "what a link of capacity 1 carries: 100Gbit/s")
      ->type_name("X")
      ->group(kOfFiles)
      ->checked_by([](std::string_view value, std::string_view name) {
        if (const ExactBandwidth read = read_bandwidth(value); !read.wrong.empty())
          throw InputError(fmt::format("{}: '{}' is given: {}", name, value, read.wrong));
      });
}

}  // namespace quadrille
