// Fat tree room: in which steps branches and ports still have room, for messages that never wait.
//
//     FatTreeRoom room(problem, tree);
//     const uint32_t s = room.earliest(level, from, to);    // the first step in which it can depart
//     room.take(level, from, to, s);
//
// A message of level l that departs in step s takes the up branch above level i in step s + i and the down
// branch below level i+1 in step s + 2l - 1 - i, and a send port and a receive port at the branch's ends.
// Steps count from 0.
//
// Room is only ever taken, so a step that was too early for two subtrees stays too early: for every pair of
// nodes of a level the first step is kept in which the way between them over their ancestor is free.
// Searches start there, from the top of the tree to the leaves; from step 0, those on 1,024 leaves took 65
// times as long.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille {

class FatTreeRoom {
 public:
  FatTreeRoom(const Problem& problem, const FatTree& tree);

  [[nodiscard]] uint32_t earliest(uint32_t level, uint32_t from, uint32_t to);
  void take(uint32_t level, uint32_t from, uint32_t to, uint32_t step);

 private:
  // What is taken of an arc, or of a node's ports; as long as the last step in which anything is.
  struct Room {
    uint32_t capacity = 1;        // no more than taken can count
    std::vector<uint64_t> full;   // a bit per step
    std::vector<uint16_t> taken;  // per step; empty where the capacity is 1
  };
  struct Hop {
    Room* room;
    uint32_t offset;  // from the step of departure
  };

  void add_hop(ArcId arc, uint32_t offset);
  void set_hops(uint32_t level, uint32_t from, uint32_t to);
  [[nodiscard]] uint32_t first_free(size_t hops, uint32_t from_step) const;

  const Topology& topology_;
  const FatTree& tree_;
  std::vector<Room> arcs_;
  std::vector<Room> send_;                    // per node; empty where ports are not limited
  std::vector<Room> receive_;                 // per node; the same
  std::vector<Hop> hops_;                     // of the message in question, those next to the ancestor first
  std::vector<size_t> hops_above_;            // per level: how many of them are above nodes of that level
  std::vector<std::vector<uint32_t>> joint_;  // per level, from 1: the step kept for each pair of its nodes
};

}  // namespace quadrille
