// The largest flow through a network of arcs with capacities.
//
//     FlowNetwork network;
//     const uint32_t middle = network.add_node();
//     network.add_arc(FlowNetwork::kSource, middle, 3);
//     network.add_arc(middle, FlowNetwork::kSink, 2);
//     network.flow_of(2);                        // {2, 2}; flow_of(3) is nothing
//
// Method: paths are filled one after another without looking for the shortest, which in a network that leads
// from step to step finds nearly all; the rest by blocking flows of ever longer paths (Dinic 1970).
// Deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace quadrille {

class FlowSearch;

class FlowNetwork {
 public:
  static constexpr uint32_t kSource = 0;
  static constexpr uint32_t kSink = 1;

  [[nodiscard]] uint32_t add_node() { return num_nodes_++; }
  void add_arc(uint32_t from, uint32_t to, uint64_t capacity) { arcs_.push_back({from, to, capacity}); }
  [[nodiscard]] size_t num_arcs() const { return arcs_.size(); }

  /// The flow over every arc, in the order in which they were added, of a flow of `wanted` from the source to
  /// the sink; nothing if the largest is smaller.
  [[nodiscard]] std::optional<std::vector<uint64_t>> flow_of(uint64_t wanted) const;
  /// Per node, whether it is on the source's side of a cut through which less than that can go; nothing if the largest flow is as
  /// large.
  [[nodiscard]] std::optional<std::vector<char>> cut_below(uint64_t wanted) const;

 private:
  friend class FlowSearch;
  struct Arc {
    uint32_t from;
    uint32_t to;
    uint64_t capacity;
  };
  uint32_t num_nodes_ = 2;
  std::vector<Arc> arcs_{};
};

/// A flow whose end moves: what came to the last one is led on to the next, over a few short paths where they are near each other.
/// The cuts are those that `cut_below` finds, whatever was asked before.
///
///     MovingFlow flow(network);                   // with an arc of capacity 0 to the sink from whoever may be an end
///     flow.cut_below(std::array{middle}, 3);
class MovingFlow {
 public:
  explicit MovingFlow(const FlowNetwork& network);
  ~MovingFlow();
  MovingFlow(const MovingFlow&) = delete;
  MovingFlow& operator=(const MovingFlow&) = delete;

  /// FlowNetwork::cut_below where arcs from these nodes alone lead to the sink, as wide as wanted.
  [[nodiscard]] std::optional<std::vector<char>> cut_below(std::span<const uint32_t> ends, uint64_t wanted);

 private:
  std::unique_ptr<FlowSearch> search_;
  std::vector<uint32_t> ends_{};  // of the last flow
};

}  // namespace quadrille
