#include "quadrille/topology/queries/node_names.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// At the commas that are not inside of brackets: labels have commas of their own.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    std::string_view part = text.substr(begin, i - begin);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    out.push_back(part);
    begin = i + 1;
  }
  return out;
}

std::optional<NodeId> look_up(const Topology& topology, std::string_view text, const NodeNumbers& numbers);

// "(1,2,3)": a node of each factor, without going through all nodes of the product.
std::optional<NodeId> look_up_coordinates(const Topology& product, std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const std::vector<std::string_view> parts = split(text.substr(1, text.size() - 2));
  const ProductStructure& structure = *product.product();
  if (parts.size() != structure.factors.size()) return std::nullopt;
  uint64_t node = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const NodeNumbers numbers(structure.factors[i], Numbers::kHere);
    const std::optional<NodeId> here = look_up(structure.factors[i], parts[i], numbers);
    if (!here) return std::nullopt;
    node += uint64_t{structure.strides[i]} * index(*here);
  }
  return id_at<NodeId>(node);
}

std::optional<NodeId> look_up(const Topology& topology, std::string_view text, const NodeNumbers& numbers) {
  const std::optional<uint32_t> value = number(text);
  if (value && *value < numbers.node_count()) return numbers.node(*value);
  if (topology.is_outline()) return look_up_coordinates(topology, text);
  for (const NodeId node : topology.nodes()) {
    if (topology.label(node) == text) return node;
  }
  return std::nullopt;
}

NodeId found(const Topology& topology, std::string_view text, std::string_view what,
             const NodeNumbers& numbers) {
  const std::optional<NodeId> node = look_up(topology, text, numbers);
  if (node) return *node;
  const uint32_t last = numbers.node_count() - 1;
  // Of a large network no program wants all names.
  RefusedValue value{
      .of = std::string(what), .given = std::string(text), .allowed = {fmt::format("0 to {}", last)}};
  constexpr uint32_t kMostListed = 64;
  if (topology.num_nodes() <= kMostListed)
    for (const NodeId each : topology.nodes()) {
      // Where a name is the number it has been said.
      if (std::string name = topology.label(each); name != fmt::format("{}", numbers.number_of(each)))
        value.allowed.push_back(std::move(name));
    }
  if (const std::optional<std::string> gone = numbers.gone(text))
    throw ValueError(fmt::format("{}: {}", what, *gone), std::move(value));
  throw ValueError(
      fmt::format("{}: {} has no node '{}'; give a number from 0 to {}, or a label such as '{}'", what,
                  topology.name(), text, last, topology.label(NodeId{topology.num_nodes() - 1})),
      std::move(value));
}

}  // namespace

NodeId find_node(const Topology& topology, std::string_view text, std::string_view what, Numbers numbers) {
  return found(topology, text, what, NodeNumbers(topology, numbers));
}

std::vector<NodeId> find_nodes(const Topology& topology, std::string_view text, std::string_view what,
                               Numbers numbers) {
  const NodeNumbers known(topology, numbers);
  std::vector<NodeId> out;
  for (const std::string_view part : split(text)) {
    const size_t dash = part.find('-');
    const std::optional<uint32_t> first =
        dash == std::string_view::npos ? std::nullopt : number(part.substr(0, dash));
    const std::optional<uint32_t> last = first ? number(part.substr(dash + 1)) : std::nullopt;
    if (!last) {
      out.push_back(found(topology, part, what, known));
      continue;
    }
    if (*last < *first) throw InputError(fmt::format("{}: the range {} ends before it starts", what, part));
    static_cast<void>(found(topology, part.substr(dash + 1), what, known));
    for (uint32_t v = *first; v <= *last; ++v)
      out.push_back(found(topology, fmt::format("{}", v), what, known));
  }
  return out;
}

}  // namespace quadrille
