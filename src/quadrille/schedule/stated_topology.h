// StatedTopology: what a plan file says of its topology, before it is known whether that makes sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Whether a plan may name a topology that is read from a file of this machine: file("net.gml"), alone or in
/// a product. A stranger's plan may not: what is wrong with the file would be told in the file's own words.
enum class GraphFiles : uint8_t { kRefused, kAllowed };

/// What is wrong with a topology, and in which part of what is stated: whoever has read it points there.
class StatedTopologyError : public InputError {
 public:
  enum class Part : uint8_t { kSpec, kNodes, kEndpoints, kLinks, kLabels };

  StatedTopologyError(Part part, const std::string& message, std::optional<size_t> which = {})
      : InputError(message), part_(part), which_(which) {}

  [[nodiscard]] Part part() const { return part_; }
  /// Which of the links or labels, where it is one.
  [[nodiscard]] std::optional<size_t> which() const { return which_; }

 private:
  Part part_;
  std::optional<size_t> which_;
};

/// Any part may be missing. A spec that parses names the topology, and whatever else is stated must agree
/// with it; without a spec, or with one that says nothing here (a stranger's name, a graph file that may not
/// be opened or is not at hand), the links are the topology. A call of a family that is no legal one, torus(0), is
/// refused, whatever the links.
struct StatedTopology {
  struct Link {
    uint32_t tail;
    uint32_t head;
    uint32_t capacity;
  };
  /// How people call a node.
  struct Label {
    uint32_t node;
    std::string text;
  };

  std::optional<std::string> spec{};
  std::optional<uint64_t> nodes{};
  std::optional<std::vector<NodeId>> endpoints{};
  /// Directed arcs.
  std::optional<std::vector<Link>> links{};
  /// Of some nodes or all; only where the links are the topology, since a spec names its nodes itself.
  std::vector<Label> labels{};

  /// The topology. Throws SpecError, where the spec stands in the plan `source` (`place` without a text: it
  /// is not written there as it is), for a mistake in it; else StatedTopologyError: nothing is stated, the
  /// parts contradict each other, the links are no topology, the spec names a graph of more than 2^24 links
  /// that a file of `bytes` bytes cannot have a plan for, or one that only a file tells which may not be
  /// opened.
  [[nodiscard]] Topology resolve(std::string_view source, SpecPlace place, size_t bytes,
                                 GraphFiles files) const;

 private:
  [[nodiscard]] Topology from_links() const;
  void require_no_labels(const Topology& named) const;
  void require_same_nodes(const Topology& named) const;
};

/// True if the name of a topology names a graph file, alone or in a product.
[[nodiscard]] bool names_a_file(const Topology& topology);

/// The names of the nodes that a plan file has to say: those of a topology whose name does not suffice, in order; none
/// where they are just the nodes' numbers.
[[nodiscard]] std::vector<std::string> labels_to_state(const Topology& topology);

/// The name of a topology that has none in its file.
inline constexpr std::string_view kNamelessTopology = "graph";

/// True if the name alone gives the topology again, everywhere: the links need not be written. Names of files
/// do not.
[[nodiscard]] bool name_suffices(const Topology& topology);

}  // namespace quadrille
