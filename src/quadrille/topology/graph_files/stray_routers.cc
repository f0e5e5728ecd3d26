#include "quadrille/topology/graph_files/stray_routers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr size_t kMostNamed = 4;

std::vector<char> reached(const GraphTables& tables, uint32_t from, bool forwards) {
  std::vector<std::vector<uint32_t>> next(tables.nodes.size());
  for (const GraphTables::Edge& edge : tables.edges) {
    if (forwards || !tables.directed) next[edge.tail].push_back(edge.head);
    if (!forwards || !tables.directed) next[edge.head].push_back(edge.tail);
  }
  std::vector<char> out(tables.nodes.size(), 0);
  out[from] = 1;
  std::vector<uint32_t> queue{from};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const uint32_t to : next[queue[i]]) {
      if (std::exchange(out[to], char{1}) == 0) queue.push_back(to);
    }
  }
  return out;
}

}  // namespace

void leave_out_stray_routers(GraphTables& tables, const std::string& source) {
  const auto takes_part = [](const GraphTables::Node& node) { return node.endpoint.value_or(false); };
  const auto first = std::ranges::find_if(tables.nodes, takes_part);
  if (first == tables.nodes.end()) return;
  const auto from = static_cast<uint32_t>(first - tables.nodes.begin());
  const std::vector<char> there = reached(tables, from, true);
  const std::vector<char> back = reached(tables, from, false);
  std::vector<uint32_t> number(tables.nodes.size(), GraphTables::kNone);
  std::vector<GraphTables::Node> kept;
  std::vector<std::string> named;
  size_t strays = 0;
  for (uint32_t v = 0; v < tables.nodes.size(); ++v) {
    if (takes_part(tables.nodes[v]) || (there[v] != 0 && back[v] != 0)) {
      number[v] = static_cast<uint32_t>(kept.size());
      kept.push_back(tables.nodes[v]);
    } else if (++strays <= kMostNamed) {
      named.push_back(tables.nodes[v].name.empty() ? fmt::format("{}", v) : tables.nodes[v].name);
    }
  }
  if (strays == 0) return;
  // Nodes without names are called by their numbers in the file.
  for (uint32_t v = 0; v < tables.nodes.size(); ++v) {
    if (number[v] != GraphTables::kNone && kept[number[v]].name.empty())
      kept[number[v]].name = fmt::format("{}", v);
  }
  tables.nodes = std::move(kept);
  std::erase_if(tables.edges, [&](const GraphTables::Edge& edge) {
    return number[edge.tail] == GraphTables::kNone || number[edge.head] == GraphTables::kNone;
  });
  for (GraphTables::Edge& edge : tables.edges) {
    edge.tail = number[edge.tail];
    edge.head = number[edge.head];
  }
  tables.remarks.push_back(fmt::format(
      "{}: {} without a way to the endpoints and back {} left out: {}{}", source, plural(strays, "router"),
      strays == 1 ? "is" : "are", join(named),
      strays > kMostNamed ? fmt::format(" and {} more", with_thousands(strays - kMostNamed)) : ""));
}

}  // namespace quadrille
