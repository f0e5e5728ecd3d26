#include "quadrille/topology/topology_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "quadrille/base/text.h"
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

// A name that stands alone: one that is no family's is wrong without parentheses, too.
void require_family(std::string_view word, std::string_view source) {
  if (word.empty() || !is_letter(word[0]) ||
      !std::ranges::all_of(word, [](char c) { return is_letter(c) || is_digit(c); }))
    return;
  const SpecCall call{.name = std::string(word),
                      .name_where = {0, word.size()},
                      .where = {0, word.size()},
                      .sections = {},
                      .text = std::make_shared<SpecText>(SpecText{std::string(source), std::string(word)})};
  static_cast<void>(family_of(call));
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
    if (!looks_like_a_file(word)) {
      require_family(word, source);
      throw;
    }
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
