// Living part: a network, and what is left of it, as a repair sees them: everything keeps the numbers that it had in the
// whole network, dead arcs are marked, and what is sent at last is translated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/topology/faults/faulty_origin.h"

namespace quadrille {

class LivingPart {
 public:
  /// `left` is a problem on what is left of the network of `whole`; `original` says which node was which.
  LivingPart(Problem whole, const Problem& left, std::span<const NodeId> original);

  [[nodiscard]] const Problem& whole() const { return whole_; }
  [[nodiscard]] const Topology& topology() const { return whole_.topology(); }
  [[nodiscard]] bool lives(ArcId arc) const { return arcs_[index(arc)] != kNoArc; }
  [[nodiscard]] bool lives(NodeId node) const { return nodes_[index(node)] != kNoNode; }
  /// Numbers in what is left; of what lives.
  [[nodiscard]] ArcId left(ArcId arc) const { return arcs_[index(arc)]; }
  [[nodiscard]] NodeId left(NodeId node) const { return nodes_[index(node)]; }
  /// Nothing where an end of the block is dead. For collectives whose blocks have one origin and one destination.
  [[nodiscard]] std::optional<BlockId> left(BlockId block) const;
  /// Arcs into a node; living ones and dead ones.
  [[nodiscard]] std::span<const ArcId> arcs_to(NodeId node) const;

 private:
  Problem whole_;
  Collective collective_left_;
  std::vector<NodeId> nodes_;
  std::vector<ArcId> arcs_;
  std::vector<uint32_t> ranks_;  // of each rank, its rank in what is left; UINT32_MAX: dead
  std::vector<uint32_t> into_begin_;
  std::vector<ArcId> into_;
};

/// The same faults, seen from every side: of a product with equal factors its dimensions may change places. At most `most`
/// parts; the first one with everything in its place.
[[nodiscard]] std::vector<LivingPart> symmetric_parts(const Problem& whole, const Problem& left,
                                                      std::span<const NodeId> original, size_t most);

/// Distances over living arcs to one node after another.
///
///     LivingDistances distances(part);
///     const std::span<const uint32_t> hops = distances.to(target);     // until the next call
///
/// A product adds up the distances in its factors, and looks only where arcs are missing.
class LivingDistances {
 public:
  explicit LivingDistances(const LivingPart& part);

  [[nodiscard]] std::span<const uint32_t> to(NodeId target);

 private:
  void add_up(NodeId target);
  void search(NodeId target);
  void mend();
  [[nodiscard]] bool is_led_on(NodeId node) const;

  const LivingPart& part_;
  std::vector<std::vector<uint32_t>> in_factor_;  // [factor][to * size + from]
  std::vector<NodeId> hurt_;                      // nodes that have lost an arc
  std::vector<uint32_t> hops_;
  std::vector<uint32_t> longer_;  // scratch: distances of a factor more
  std::vector<char> broken_;
  std::vector<NodeId> queue_;
};

}  // namespace quadrille
