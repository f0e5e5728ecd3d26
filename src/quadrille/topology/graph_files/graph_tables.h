// A graph as files give it, before it is a topology: what the readers of the single formats hand over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {

struct GraphTables {
  static constexpr uint32_t kNone = 0xffffffffU;

  struct Node {
    std::string name;  ///< may be empty
    std::optional<bool> endpoint{};
    /// What else the file says of it: attribute and value, in the order of the file.
    std::vector<std::pair<std::string, std::string>> others{};
  };
  struct Edge {
    uint32_t tail = 0;
    uint32_t head = 0;
    uint32_t capacity = 1;
    bool has_capacity = false;   ///< the edge itself says so, no default
    uint32_t bandwidth = kNone;  ///< which of `bandwidths`
    uint32_t latency = kNone;    ///< which of `latencies`
    size_t place = 0;            ///< of its first byte in the file, plus 1; 0: not known
  };
  /// What edges of one bandwidth, or latency, share.
  struct Bandwidths {
    std::vector<Int128> microbits{};  ///< a second
    std::map<std::string, uint32_t, std::less<>> known{};
  };
  struct Latencies {
    std::vector<double> microseconds{};
    std::map<std::string, uint32_t, std::less<>> known{};
  };

  bool directed = false;
  bool endpoint_by_default = false;  ///< some nodes say nothing of it themselves
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  Bandwidths bandwidths{};
  Latencies latencies{};
  /// Attributes of edges that mean nothing here, and how many edges have them.
  std::map<std::string, uint64_t, std::less<>> edge_others{};
  /// What the user should know of how it was read, a sentence each.
  std::vector<std::string> remarks{};
};

/// Takes what an edge says: sets its bandwidth or latency, or counts the attribute among those that mean nothing here.
/// Returns what is wrong with the value, to go on after the name of the edge: "has bandwidth '0Gbit/s': it moves nothing;
/// .."; "" if all is well. Empty values say nothing.
[[nodiscard]] std::string take_edge_attribute(GraphTables& tables, GraphTables::Edge& edge,
                                              std::string_view name, std::string_view value);

/// One per format; `source` is how errors call the file. They throw InputError.
[[nodiscard]] GraphTables read_graphml(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_gml(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_dot(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_node_link(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_metis(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_ibnetdiscover(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_nvidia_smi(const std::string& source, const std::string& content);
[[nodiscard]] GraphTables read_edge_list(const std::string& source, const std::string& content);

/// The value of an attribute `endpoint` or `capacity`; `where` says whose it is.
[[nodiscard]] bool endpoint_value(std::string_view where, std::string_view value);
[[nodiscard]] uint32_t capacity_value(std::string_view where, std::string_view value);
[[nodiscard]] uint32_t capacity_value(std::string_view where, double value);

/// Names before each other as people sort them: numbers inside names by value, "n2" before "n10".
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace quadrille
