#include "quadrille/topology/graph_files/graph_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

constexpr size_t kMostValues = 6;

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// How a graph looks on paper, and how its parts are called.
constexpr std::array<std::string_view, 36> kDrawing = {
    "bgcolor",  "bb",       "color",         "comment", "fillcolor", "fixedsize", "fontcolor",
    "fontname", "fontsize", "graphics",      "group",   "headport",  "height",    "id",
    "key",      "label",    "labelgraphics", "layer",   "lp",        "margin",    "penwidth",
    "pos",      "rank",     "rects",         "rotate",  "shape",     "sides",     "splines",
    "style",    "tailport", "tooltip",       "width",   "x",         "xlabel",    "y",
    "z"};

// Words for nodes that only forward.
constexpr std::array<std::string_view, 8> kSwitchWords = {"switch", "Switch", "SWITCH", "router",
                                                          "Router", "leaf",   "spine",  "tor"};

// * stands for any text, ? for one character.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

using Values = std::map<std::string, uint64_t, std::less<>>;

// "switch (4), host (16)": the most frequent first.
std::string values_text(const Values& values) {
  std::vector<std::pair<std::string, uint64_t>> sorted(values.begin(), values.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> out;
  for (const auto& [value, count] : sorted) {
    if (out.size() == kMostValues) {
      out.push_back(fmt::format("{} more", sorted.size() - kMostValues));
      break;
    }
    out.push_back(fmt::format("{} ({})", value, with_thousands(count)));
  }
  return join(out);
}

std::map<std::string, Values, std::less<>> node_attributes(const GraphTables& tables) {
  std::map<std::string, Values, std::less<>> out;
  for (const GraphTables::Node& node : tables.nodes) {
    for (const auto& [name, value] : node.others) ++out[name][value];
  }
  return out;
}

std::string node_name(const GraphTables& tables, size_t node) {
  return tables.nodes[node].name.empty() ? fmt::format("{}", node) : tables.nodes[node].name;
}

void nothing_found(const GraphTables& tables, const std::string& source, const std::string& word,
                   std::string_view attribute) {
  const auto known = node_attributes(tables);
  const auto fail = [&](const std::string& why, std::vector<std::string> allowed) {
    throw ValueError(fmt::format("switches '{}': no node of {} {}", word, source, why),
                     {.of = "switches", .given = word, .allowed = std::move(allowed)});
  };
  if (attribute.empty()) {
    const std::string name = node_name(tables, tables.nodes.size() - 1);
    fail(fmt::format(
             "is called so; give a name, as {}, a pattern such as '{}*', or an attribute and its value, "
             "such as type=switch",
             name, name.substr(0, 1)),
         {});
  }
  if (const auto of = known.find(attribute); of != known.end()) {
    std::vector<std::string> allowed;
    for (const auto& [value, count] : of->second) allowed.push_back(fmt::format("{}={}", attribute, value));
    fail(fmt::format("has that value; of {} there are {}", attribute, values_text(of->second)),
         std::move(allowed));
  }
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  fail(fmt::format("has an attribute '{}'; {}", attribute,
                   names.empty() ? std::string("they have none") : fmt::format("there are {}", join(names))),
       names);
}

}  // namespace

void mark_switches(GraphTables& tables, const std::string& source, const std::vector<std::string>& switches) {
  if (switches.empty()) return;
  std::vector<char> is_switch(tables.nodes.size(), 0);
  for (const std::string& word : switches) {
    const size_t equals = word.find('=');
    const std::string_view attribute =
        equals == std::string::npos ? std::string_view() : std::string_view(word).substr(0, equals);
    const std::string_view value =
        equals == std::string::npos ? std::string_view() : std::string_view(word).substr(equals + 1);
    bool any = false;
    for (size_t v = 0; v < tables.nodes.size(); ++v) {
      const auto& others = tables.nodes[v].others;
      const bool found =
          matches(word, node_name(tables, v)) ||
          (equals != std::string::npos && std::any_of(others.begin(), others.end(), [&](const auto& other) {
             return other.first == attribute && other.second == value;
           }));
      if (!found) continue;
      any = true;
      is_switch[v] = 1;
    }
    if (!any) nothing_found(tables, source, word, attribute);
  }
  const bool marked = std::any_of(tables.nodes.begin(), tables.nodes.end(),
                                  [](const GraphTables::Node& node) { return node.endpoint.has_value(); });
  bool left = false;
  for (size_t v = 0; v < tables.nodes.size(); ++v) {
    std::optional<bool>& endpoint = tables.nodes[v].endpoint;
    endpoint = is_switch[v] == 0 && (!marked || endpoint.value_or(false));
    left = left || *endpoint;
  }
  if (!left)
    throw InputError(fmt::format("switches {}: no endpoint of {} is left", join(switches, " "), source));
}

std::string remark_on_attributes(const GraphTables& tables, const std::string& source,
                                 const std::vector<std::string>& switches) {
  const auto is_used = [&](std::string_view attribute) {
    return std::any_of(switches.begin(), switches.end(), [&](std::string_view word) {
      return word.size() > attribute.size() && word[attribute.size()] == '=' && word.starts_with(attribute);
    });
  };
  std::vector<std::string> of_edges;
  for (const auto& [name, count] : tables.edge_others) {
    if (!is_one_of(kDrawing, name)) of_edges.push_back(fmt::format("{} ({})", name, with_thousands(count)));
  }
  std::vector<std::string> of_nodes;
  std::vector<std::string> hints;
  for (const auto& [name, values] : node_attributes(tables)) {
    if (is_one_of(kDrawing, name) || is_used(name)) continue;
    uint64_t count = 0;
    for (const auto& [value, nodes] : values) {
      count += nodes;
      if (switches.empty() && is_one_of(kSwitchWords, value))
        hints.push_back(fmt::format("--switches {}={} makes {} of {} nodes routers, which only forward", name,
                                    value, with_thousands(nodes), with_thousands(tables.nodes.size())));
    }
    of_nodes.push_back(fmt::format("{} ({})", name, with_thousands(count)));
  }
  if (of_edges.empty() && of_nodes.empty()) return "";
  if (!of_edges.empty() && tables.bandwidths.microbits.empty())
    hints.emplace_back(
        "a link says what it carries by capacity (such as 2) or bandwidth (such as 100Gbit/s), and how long it "
        "takes by latency (such as 2us)");
  std::vector<std::string> parts;
  if (!of_edges.empty()) parts.push_back("of edges " + join(of_edges));
  if (!of_nodes.empty()) parts.push_back("of nodes " + join(of_nodes));
  std::string out = fmt::format("{}: these attributes mean nothing here: {}", source, join(parts, "; "));
  for (const std::string& hint : hints) out += "\n  " + hint;
  return out;
}

}  // namespace quadrille
