// The links of a network as files of graphs have them: what several exporters write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct NetworkEdge {
  NodeId tail{0};
  NodeId head{0};
  uint32_t capacity = 1;
  /// "12500MB/s", "2us": where the network has them. A reader of ours takes the capacity from the bandwidth.
  std::optional<std::string> bandwidth{};
  std::optional<std::string> latency{};
};

struct NetworkEdges {
  bool directed = false;  ///< some link has no way back that is as good; else each link is here once
  std::vector<NetworkEdge> edges{};
};

[[nodiscard]] NetworkEdges network_edges(const Topology& network);

/// With &, <, > and quotes as XML has them, and without characters that XML has not.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace quadrille
