// Fat tree flight: messages that never wait. Once a message has left its leaf it goes one branch a step, up
// to the lowest common ancestor and down again, so a schedule is nothing but the steps of departure.
//
//     FatTreeFlight flight(tree, sink);
//     flight.depart(level, from, to);      // in the step that is being made
//     flight.end_step();                   // everything in the air goes one hop
//     flight.land();                       // as many steps as are needed until nothing is in the air
//
// Whether the branches have room for everybody is for those who choose the departures. Memory: what is in the
// air.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/step.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille {

class FatTreeFlight {
 public:
  FatTreeFlight(const FatTree& tree, StepSink& sink);

  /// A message of an alltoall between leaves whose lowest common ancestor is on the level.
  void depart(uint32_t level, uint32_t from, uint32_t to);
  void end_step();
  void end_steps(uint64_t steps);
  void land();

 private:
  struct Message {
    uint32_t level;
    uint32_t from;
    uint32_t to;
  };

  const FatTree& tree_;
  StepSink& sink_;
  std::vector<std::vector<Message>> departed_;  // departed_[s % size]: in step s
  uint64_t step_ = 0;
  uint64_t last_landing_ = 0;  // the first step in which nothing is in the air any more
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
};

}  // namespace quadrille
