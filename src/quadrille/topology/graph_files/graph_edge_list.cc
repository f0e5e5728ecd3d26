// Lists of edges: "a b" or "a b capacity" a line.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

struct NaturalLess {
  bool operator()(std::string_view a, std::string_view b) const { return natural_less(a, b); }
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  constexpr std::string_view kBlank = " \t\r\v\f";
  for (size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    out.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlank, end);
  }
  return out;
}

struct NamedEdge {
  std::string_view tail;
  std::string_view head;
  uint32_t capacity = 1;
};

}  // namespace

GraphTables read_edge_list(const std::string& source, const std::string& content) {
  const std::string_view text = content;
  const auto offset_of = [&](std::string_view part) {
    return static_cast<size_t>(part.data() - text.data());
  };
  std::vector<NamedEdge> edges;
  std::map<std::string_view, uint32_t, NaturalLess> number;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find('#'));
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (words.size() == 1 || words.size() > 3) {
      throw input_error_at(source, text, offset_of(words[0]),
                           line.size() - (offset_of(words[0]) - offset_of(line)),
                           "an edge is two nodes and, if wanted, a capacity: 'a b' or 'a b 2'");
    }
    NamedEdge edge{words[0], words[1]};
    if (edge.tail == edge.head) {
      throw input_error_at(source, text, offset_of(words[1]), words[1].size(),
                           fmt::format("node {} is linked to itself", words[1]));
    }
    if (words.size() == 3) {
      try {
        edge.capacity = capacity_value("this edge", words[2]);
      } catch (const InputError& error) {
        throw input_error_at(source, text, offset_of(words[2]), words[2].size(), error.what());
      }
    }
    number.emplace(edge.tail, 0);
    number.emplace(edge.head, 0);
    edges.push_back(edge);
  }
  GraphTables out;
  for (auto& entry : number) {
    entry.second = static_cast<uint32_t>(out.nodes.size());
    out.nodes.push_back({std::string(entry.first)});
  }
  for (const NamedEdge& edge : edges) {
    out.edges.push_back({number.at(edge.tail), number.at(edge.head), edge.capacity});
  }
  return out;
}

}  // namespace quadrille
