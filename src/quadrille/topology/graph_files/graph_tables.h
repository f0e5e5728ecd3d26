// A graph as files give it, before it is a topology: what the readers of the single formats hand over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

struct GraphTables {
  struct Node {
    std::string name;  ///< may be empty
    std::optional<bool> endpoint{};
  };
  struct Edge {
    uint32_t tail = 0;
    uint32_t head = 0;
    uint32_t capacity = 1;
  };
  bool directed = false;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// One per format; `source` is how errors call the file. They throw InputError.
[[nodiscard]] GraphTables read_graphml(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_gml(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_dot(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_edge_list(const std::string& source, const std::string& content);

/// The value of an attribute `endpoint` or `capacity`; `where` says whose it is.
[[nodiscard]] bool endpoint_value(std::string_view where, std::string_view value);
[[nodiscard]] uint32_t capacity_value(std::string_view where, std::string_view value);
[[nodiscard]] uint32_t capacity_value(std::string_view where, double value);

/// Names before each other as people sort them: numbers inside names by value, "n2" before "n10".
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace quadrille
