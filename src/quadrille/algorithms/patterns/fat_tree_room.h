// Fat tree room: in which steps the branches still have room, for messages that never wait.
//
//     FatTreeRoom room(tree);
//     const uint32_t s = room.earliest(level, from, to);    // the first step in which it can depart
//     room.take(level, from, to, s);
//
// A message of level l that departs in step s takes the up branch above level i in step s + i and the down
// branch below level i+1 in step s + 2l - 1 - i. Steps count from 0.
//
// Room is only ever taken, so a step that was too early for two subtrees stays too early: for every pair of
// nodes of a level the first step is kept in which the branches from them up to their ancestor are all free.
// Searches start there, from the top of the tree to the leaves; from step 0, those on 1,024 leaves took 65
// times as long.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille {

class FatTreeRoom {
 public:
  FatTreeRoom(const Topology& topology, const FatTree& tree);

  [[nodiscard]] uint32_t earliest(uint32_t level, uint32_t from, uint32_t to);
  void take(uint32_t level, uint32_t from, uint32_t to, uint32_t step);

 private:
  // What is taken of one arc; as long as the last step in which anything is.
  struct Arc {
    uint32_t capacity = 1;        // no more than taken can count
    std::vector<uint64_t> full;   // a bit per step
    std::vector<uint16_t> taken;  // per step; empty where the capacity is 1
  };
  struct Hop {
    Arc* arc;
    uint32_t offset;  // from the step of departure
  };

  void set_hops(uint32_t level, uint32_t from, uint32_t to);
  [[nodiscard]] uint32_t first_free(size_t hops, uint32_t from_step) const;

  const FatTree& tree_;
  std::vector<Arc> arcs_;
  std::vector<Hop> hops_;                     // of the message in question, those next to the ancestor first
  std::vector<std::vector<uint32_t>> joint_;  // per level, from 1: the step kept for each pair of its nodes
};

}  // namespace quadrille
