// Dense integer identifiers.
//
// Nodes, arcs, ranks and blocks are numbered 0, 1, 2, ... without gaps, so that whatever is known about them
// lies in plain arrays beside them: std::vector<uint32_t> load(topology.num_arcs()), read at
// load[index(arc)]. The four kinds are different types: a node cannot be passed where an arc is meant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace quadrille {

/// A node of a topology, an endpoint or a router: 0 .. num_nodes()-1.
enum class NodeId : uint32_t {};
/// A directed arc of a topology: 0 .. num_arcs()-1, sorted by tail and then by head.
enum class ArcId : uint32_t {};
/// A participant of a collective, 0 .. num_ranks()-1: the i-th endpoint of the topology is rank i.
enum class Rank : uint32_t {};
/// A block of a collective: 0 .. num_blocks()-1.
enum class BlockId : uint32_t {};

inline constexpr NodeId kNoNode{std::numeric_limits<uint32_t>::max()};
inline constexpr ArcId kNoArc{std::numeric_limits<uint32_t>::max()};

/// The largest number of nodes, arcs or blocks: the last value of 32 bits is kept to mean "none".
inline constexpr uint64_t kMaxIds = std::numeric_limits<uint32_t>::max();

/// The position of an id in an array.
template <typename Id>
[[nodiscard]] constexpr size_t index(Id id) {
  return static_cast<size_t>(id);
}

/// The id at a position; the caller knows that the position is in range.
template <typename Id, typename Integer>
[[nodiscard]] constexpr Id id_at(Integer position) {
  return Id{static_cast<uint32_t>(position)};
}

/// A half-open range of consecutive ids, for range-for: for (ArcId a : topology.arcs_from(v)).
template <typename Id>
class IdRange {
 public:
  class Iterator {
   public:
    explicit constexpr Iterator(uint32_t at) : at_(at) {}
    constexpr Id operator*() const { return Id{at_}; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    uint32_t at_;
  };

  constexpr IdRange(uint32_t first, uint32_t last) : first_(first), last_(last) {}
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] constexpr Iterator end() const { return Iterator(last_); }
  [[nodiscard]] constexpr uint32_t size() const { return last_ - first_; }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }
  [[nodiscard]] constexpr Id operator[](uint32_t i) const { return Id{first_ + i}; }

 private:
  uint32_t first_;
  uint32_t last_;
};

}  // namespace quadrille
