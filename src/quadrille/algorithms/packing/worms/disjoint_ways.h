// Disjoint ways: whether worms that have a few ways each can all go in one step, found or refuted by trying.
//
// The worm with fewest ways that are still free comes next, and a branch ends where one has none. On networks of up to 128
// arcs of one lane a set of arcs is two words, and a refutation takes as a rule a few dozen looks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class DisjointWays {
 public:
  /// With links of half duplex the arc back is taken, too.
  DisjointWays(const Topology& topology, bool half_duplex);

  void clear();
  /// Of the worm that came last; `next_worm()` begins one.
  void add_way(std::span<const ArcId> way);
  void next_worm() { ends_.push_back(ways_.size()); }

  enum class Answer : uint8_t { kYes, kNo, kUnknown };
  /// Unknown after so many looks, and on networks that do not fit.
  [[nodiscard]] Answer can_all_go(uint32_t most_looks);
  /// Of each worm, where they can.
  [[nodiscard]] std::span<const uint8_t> chosen() const { return chosen_; }

 private:
  struct Arcs {
    uint64_t low = 0;
    uint64_t high = 0;
    void add(size_t arc) { (arc < 64 ? low : high) |= uint64_t{1} << arc % 64; }
    [[nodiscard]] bool meets(const Arcs& other) const {
      return (low & other.low) != 0 || (high & other.high) != 0;
    }
    [[nodiscard]] Arcs with(const Arcs& other) const { return {low | other.low, high | other.high}; }
  };
  struct Way {
    Arcs takes;   // its arcs
    Arcs blocks;  // and those that others may not take any more
  };

  bool place_rest(const Arcs& blocked, size_t placed);

  const Topology topology_;
  bool half_duplex_;
  bool fits_;
  std::vector<Way> ways_;
  std::vector<size_t> ends_;
  std::vector<uint8_t> chosen_;
  std::vector<bool> is_placed_;
  uint32_t looks_left_ = 0;
};

}  // namespace quadrille
