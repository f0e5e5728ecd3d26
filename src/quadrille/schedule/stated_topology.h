// StatedTopology: what a plan file says of its topology, before it is known whether that makes sense.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Whether a plan may name a topology that is read from a file of this machine: file("net.gml"), alone or in
/// a product. A stranger's plan may not: what is wrong with the file would be told in the file's own words.
enum class GraphFiles : uint8_t { kRefused, kAllowed };

/// Any part may be missing. A spec that parses names the topology, and whatever else is stated must agree
/// with it; without a spec, or with one that says nothing here (a stranger's name, a graph file that may not
/// be opened or is not at hand), the links are the topology.
struct StatedTopology {
  struct Link {
    uint32_t tail;
    uint32_t head;
    uint32_t capacity;
  };

  std::optional<std::string> spec{};
  std::optional<uint64_t> nodes{};
  std::optional<std::vector<NodeId>> endpoints{};
  /// Directed arcs.
  std::optional<std::vector<Link>> links{};

  /// The topology. Throws InputError: nothing is stated, the parts contradict each other, the links are no
  /// topology, the spec names a graph of more than 2^24 links that a file of `bytes` bytes cannot have a plan
  /// for, or one that only a file tells which may not be opened. `source` names the plan where a mistake in
  /// the spec is shown.
  [[nodiscard]] Topology resolve(std::string_view source, size_t bytes, GraphFiles files) const;

 private:
  [[nodiscard]] Topology from_links() const;
  void require_same_nodes(const Topology& named) const;
};

/// The name of a topology that has none in its file.
inline constexpr std::string_view kNamelessTopology = "graph";

/// True if the name alone gives the topology again, everywhere: the links need not be written. Names of files
/// do not.
[[nodiscard]] bool name_suffices(const Topology& topology);

}  // namespace quadrille
