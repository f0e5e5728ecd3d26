#include "quadrille/topology/topology_spec.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/typed_spec.h"

namespace quadrille {
namespace {

bool has_graph_ending(std::string_view text) {
  try {
    static_cast<void>(graph_format(text));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// No spec that can be read is taken for a file: this is only asked about others.
bool looks_like_a_file(std::string_view text) {
  if (text == "-") return true;  // standard input
  if (text.empty() || text.find_first_of("()\"\n") != std::string_view::npos ||
      text.find('\0') != std::string_view::npos)
    return false;
  std::error_code ignored;
  return has_graph_ending(text) || std::filesystem::is_regular_file(std::string(text), ignored);
}

}  // namespace

bool is_named_as_graph(std::string_view path) {
  return has_graph_ending(path) && !path.ends_with(".json") && !path.ends_with(".xml");
}

std::string typed_spec(std::string_view word, std::string_view source) {
  try {
    static_cast<void>(parse_spec(word, source));
  } catch (const SpecError&) {
    if (!looks_like_a_file(word)) throw;
    return fmt::format("file({})", in_quotes(word));
  }
  return std::string(word);
}

SpecCall parse_typed_spec(std::string_view spec, std::string_view source) {
  return parse_spec(typed_spec(spec, source), source);
}

Topology parse_topology(std::string_view spec, std::string_view source) {
  return build_topology(parse_typed_spec(spec, source));
}

Topology parse_topology_for_figures(std::string_view spec, std::string_view source) {
  return topology_for_figures(parse_typed_spec(spec, source));
}

}  // namespace quadrille
