// Node numbers: what a number means that a user gives for a node, or a rank, of a network that has lost some.
//
//     const NodeNumbers numbers(parse_topology("without(torus(4,4);\"node 0\")"), Numbers::kWhole);
//     numbers.node(5)                  // (1,1), node 4 of those that are left
//     numbers.gone("0")                // "node 0, (0,0), is not left of ..."
//
// Whoever names a node by number means the network that he knows: a fault must not shift what he says. Nodes of a plan, and of
// its file, are numbered without gaps as ever. What the network was its name says, and that is read again; ranks of among(..)
// are counted anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Numbers of the whole network, of which the name may be that of a file that is opened once more; or of this one.
enum class Numbers : uint8_t { kWhole, kHere };

class NodeNumbers {
 public:
  NodeNumbers(const Topology& topology, Numbers numbers);

  /// How many numbers, or ranks, there are to choose from.
  [[nodiscard]] uint32_t node_count() const { return lacks_some_ ? node_count_ : topology_.num_nodes(); }
  [[nodiscard]] uint32_t rank_count() const {
    return ranks_.empty() ? topology_.num_endpoints() : rank_count_;
  }
  /// The node, or the rank, with that number; nothing where it is gone or never was.
  [[nodiscard]] std::optional<NodeId> node(uint64_t number) const;
  [[nodiscard]] std::optional<Rank> rank(uint64_t number) const;
  /// The number of a node, or of a rank.
  [[nodiscard]] uint32_t number_of(NodeId node) const;
  [[nodiscard]] uint32_t number_of(Rank rank) const;
  /// "node 0, (0,0), is not left of ..." for a number or label of a node that is gone; nothing for other words.
  [[nodiscard]] std::optional<std::string> gone(std::string_view name) const;

 private:
  Topology topology_;
  bool lacks_some_ = false;
  uint32_t node_count_ = 0;
  uint32_t rank_count_ = 0;
  std::vector<uint32_t> nodes_{};  // of each node, its number in the whole network; ascending
  std::vector<uint32_t> ranks_{};  // of each endpoint, its rank there; ascending; empty: as they are
  std::vector<uint32_t> gone_{};   // numbers of those that are gone; ascending
  std::vector<std::string> gone_labels_{};
};

}  // namespace quadrille
