// What given cuts prove: the blocks that must cross, over the transfers that can cross in one step.
//
// Any cut is a witness. What can cross is limited by the arcs of the cut and by the ports of the nodes on
// both its sides; with half-duplex links, what crosses one way and the other way shares them.
//
// Worms that cross begin at a port on one side and end at one on the other, and hold an arc of the cut; those
// of one step carry at most as many times the largest as there can be of them. So there a cut bounds the
// blocks on the critical path: N/8 times the longest side on a torus with an even one.
//
//     CutBound bound(problem);
//     for (const Cut& cut : cuts) bound.hold(cut);
//     const std::optional<Bound> best = bound.take();
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/queries/cuts.h"

namespace quadrille {

/// Keeps the best bound of the cuts that it is shown: on steps, or by worms on critical blocks.
class CutBound {
 public:
  /// The problem must outlive this; `name` is that of the bounds it makes.
  CutBound(const Problem& problem, std::string_view name);

  void hold(const Cut& cut);
  /// The same as of the cut that the slice stands for, in the time that the factor takes: a product is the
  /// same all along its other dimensions.
  void hold(const Slice& slice);
  /// Nothing if no cut had blocks to cross it.
  [[nodiscard]] std::optional<Bound> take();

 private:
  // What nodes of one coordinate are and can, together; what they can is limited by ports.
  struct Layer {
    uint64_t endpoints = 0;
    uint64_t sends = 0;
    uint64_t receives = 0;
  };

  // Blocks that must leave a side, and enter it, of which `inside` endpoints are.
  [[nodiscard]] Demand across(uint64_t inside, const std::function<bool(NodeId)>& is_inside) const;
  [[nodiscard]] uint64_t capacity(const Cut& cut, char from);
  [[nodiscard]] uint64_t capacity(NodeId alone, bool leaves);
  [[nodiscard]] uint64_t capacity_where_complete(uint64_t inside) const;
  [[nodiscard]] uint64_t capacity(const Slice& slice, char from);
  void measure_layers();
  void measure_layers_of_outline();
  [[nodiscard]] bool offer(const std::string& cut, uint64_t blocks, uint64_t capacity, std::string_view verb);

  const Problem& problem_;
  std::string_view name_;
  BlocksARound a_round_;
  std::vector<uint64_t> out_;
  std::vector<uint64_t> in_;
  std::optional<bool>
      is_complete_{};  // with a single link from everybody to everybody else; nothing before it was looked for
  NodeCapacities nodes_{};  // empty before the first cut of a single node
  uint64_t all_send_ = 0;
  uint64_t all_receive_ = 0;
  std::vector<std::vector<Layer>> layers_;  // by dimension and coordinate; empty before the first slice
  std::optional<Bound> best_;
  std::optional<Slice> best_slice_;  // of the best bound, if it has no evidence yet
};

}  // namespace quadrille
