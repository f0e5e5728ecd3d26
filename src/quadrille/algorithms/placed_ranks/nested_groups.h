// Nested groups: ranks in ever smaller groups that lie near each other.
//
// Groups are boxes in a grid of ranks (rank_sides.h); elsewhere they are cut out, again and again, between two ranks that
// are far apart, by which of them is nearer. Members have places in their groups; those of one place, in groups next to each other,
// are about as far from each other as the groups.
//
//     const NestedGroups groups(topology, sides_of(topology));
//     for (const GroupLevel& level : groups.levels(4, 0)) level.member(level.group_of[v], level.place_of[u]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/algorithms/graphs/group_sizes.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct GroupLevel {
  uint32_t groups = 0;
  uint32_t places = 0;  ///< as many as the largest group has members; in smaller ones a member has several
  std::vector<uint32_t> group_of{};  ///< by rank
  std::vector<uint32_t> place_of{};  ///< by rank: one of its places
  std::vector<uint32_t> members{};   ///< groups x places

  [[nodiscard]] uint32_t member(uint32_t group, uint32_t place) const {
    return members[size_t{group} * places + place];
  }
};

class NestedGroups {
 public:
  /// Of a network whose ranks are numbered row by row in a grid with such sides, or, with one side, in none.
  NestedGroups(const Topology& topology, std::vector<uint32_t> sides);

  [[nodiscard]] const std::vector<uint32_t>& sides() const { return sides_; }

  /// Ways to nest them that differ in which dimension is cut first, where the grid is as long in all of them.
  [[nodiscard]] uint32_t classes() const { return classes_; }
  /// So many levels, of such sizes that blocks take few hops (graphs/group_sizes.h).
  [[nodiscard]] std::vector<GroupLevel> levels(uint32_t count, uint32_t klass) const;
  using Group = std::vector<uint32_t>;
  /// A group in so many parts, or fewer if it has no more members: along the longest side of a box, again and again. Members
  /// in the same order have nearly the same place.
  [[nodiscard]] std::vector<Group> parts_of(Group group, uint32_t parts) const;
  /// These hops, nearly.
  [[nodiscard]] double hops_in(uint32_t count) const { return sizes_->best(count).hops; }

 private:
  [[nodiscard]] uint32_t hops(uint32_t from, uint32_t to) const { return hops_[size_t{from} * ranks_ + to]; }
  [[nodiscard]] bool is_grid() const { return sides_.size() > 1; }
  [[nodiscard]] uint32_t place(uint32_t rank, size_t dimension) const;
  [[nodiscard]] GroupSizes boxes_of_grid() const;
  [[nodiscard]] GroupSizes balls() const;
  [[nodiscard]] GroupLevel boxes(const GroupSizes::Size& size, uint32_t klass) const;
  [[nodiscard]] GroupLevel level_of(const std::vector<Group>& groups) const;
  void slice(Group group, uint32_t slices, std::vector<Group>& out) const;
  // Nearly equal parts.
  void cut(Group group, uint32_t parts, std::vector<Group>& out) const;

  uint32_t ranks_;
  std::vector<uint32_t> sides_;
  std::vector<uint32_t> strides_;
  uint32_t classes_ = 1;
  std::vector<uint16_t> hops_;  // between ranks
  std::optional<GroupSizes> sizes_;
};

}  // namespace quadrille
