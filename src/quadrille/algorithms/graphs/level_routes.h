// Level routes: a total exchange in few steps, each of which carries many blocks over a link.
//
// In every one of so many levels a block crosses one link or waits, so a level is a step, and what goes over one link
// in it is one message. A level lasts as long as its busiest link has blocks; the sum over the levels is to be small.
// It is the problem of balanced paths on the network drawn once for each level, with one difference: here each level
// has a busiest link of its own. So what a link costs in a level is its share of what the level would grow by.
//
//     const LevelRoutes routes(problem, 8);      // at least the diameter
//     routes.rounds();                           // blocks over the busiest links, added up
//
// A block is moved where another way is cheaper, by prices that grow steeper from pass to pass (after Garg and Koenemann
// 2007). On a Cayley graph one node's routes are everybody's, translated, and every link of a generator has as much to do; a
// large one begins with random shortest ways, which lie 1 to 6 % above the least, three passes less than 1 % (torus(256,256)
// 0.1 %).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class LevelRoutes {
 public:
  /// Of an alltoall in one piece, or of an alltoallv; `levels` is at least the largest distance that a block has to go.
  LevelRoutes(const Problem& problem, uint32_t levels);

  /// Whether the network is one of the large Cayley graphs on which blocks begin with shortest ways, spread over the levels, so
  /// that a few passes are enough, and more levels than the least hardly better.
  [[nodiscard]] static bool are_spread(const Topology& topology, uint32_t levels);

  /// Levels in which anything is sent.
  [[nodiscard]] uint32_t steps() const { return steps_; }
  /// Sum over the levels of the most blocks over one link, for each unit of its capacity.
  [[nodiscard]] uint64_t rounds() const { return rounds_; }
  /// Most blocks over one link in all levels.
  [[nodiscard]] uint64_t busiest_link() const { return busiest_link_; }
  void generate(const Problem& problem, StepSink& sink) const;
  /// Hops that it holds in memory.
  [[nodiscard]] size_t hops_kept() const { return hops_.size(); }

 private:
  friend class LevelPricing;

  void generate_level(const Problem& problem, uint32_t level, StepBuilder& step) const;

  uint32_t levels_;
  bool translated_;
  uint32_t steps_ = 0;
  uint64_t rounds_ = 0;
  uint64_t busiest_link_ = 0;
  // Of each block (of a Cayley graph: of those of the identity) and level the link, from 1 on, or 0: it waits. Links are
  // arcs; of a Cayley graph generators.
  std::vector<uint32_t> hops_;
};

}  // namespace quadrille
