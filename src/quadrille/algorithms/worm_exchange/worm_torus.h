// Ring schedules lifted into tori: total exchange of worms, dimension after dimension, on lines that may be
// split into classes.
//
// Composition. A stage in dimension k runs a ring schedule on every line of that dimension; the ring block
// (a,b) stands for all blocks that are now at a and whose target has coordinate b. So where a block is in
// dimension k depends on the coordinates k of its source and target alone, and what a worm carries is a
// product of one list of coordinate pairs for each dimension. Nothing is stored but those lists: n^2 pairs
// for a side of n.
//
// Classes. With dilation h the nodes c, c+h, c+2h, .. of a line are a ring of their own, one of h classes.
// First, hops within a line lead every block to the classes of its target. Then the group of a node, the sum
// of its coordinates modulo h, decides which dimension it works in: on any line the nodes of one group are
// one class, so classes that share a line never work in it at the same time.
//
//     WormTorus torus(shape, 2);
//     torus.hop(0, 1, HopWay::kUp); torus.hop(1, 1, HopWay::kUp);   // blocks to the class of their target
//     torus.exchange({{{0, recipe}}, {{1, recipe}}});               // group 0 along x, group 1 along y
//     torus.exchange({{{1, recipe}}, {{0, recipe}}});
//     torus.cost(); torus.generate(problem, sink);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/worm_exchange/worm_ring.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

enum class HopWay : uint8_t {
  kUp,
  kByParity,  ///< even coordinates up, odd ones down
};

class WormTorus {
 public:
  /// As many groups as classes; 1: whole lines. The sides are multiples of it.
  WormTorus(TorusShape shape, uint32_t groups);

  /// What a group does in a stage: a dimension and a ring schedule, or nothing.
  struct Work {
    size_t dimension = 0;
    RingRecipe recipe{};
    bool up = true;  ///< false: the mirror image of the recipe
  };
  using WorkOfGroups = std::vector<std::optional<Work>>;

  /// One phase: blocks whose number of places to the class of their target has bit `distance` go that far.
  /// `distance` is a power of two.
  void hop(size_t dimension, uint32_t distance, HopWay way);
  /// One phase: all blocks that are not in the class of their target go one up.
  void creep(size_t dimension);
  /// One phase in which groups 2i and 2i+1 modulo `distance` hop in dimension `first` + i, the former up, the
  /// latter down; distance/2 dimensions at once.
  void hop_by_groups(size_t first, uint32_t distance);
  /// As many phases as the longest of the ring schedules. All blocks must be in the classes of their targets.
  void exchange(const WorkOfGroups& groups);

  /// Start-ups, and blocks of one piece on the critical path.
  [[nodiscard]] WormCost cost() const;
  /// Links of the longest worm of each phase, added up.
  [[nodiscard]] uint64_t critical_hops() const;
  void generate(const Problem& problem, StepSink& sink) const;

 private:
  // The coordinate pairs (of source and target) of the blocks at each coordinate.
  using Holdings = std::vector<std::vector<RingBlock>>;

  // By coordinate and target: the sources of the pairs there.
  class Sources {
   public:
    Sources() = default;
    Sources(const Holdings& held, uint32_t side);
    [[nodiscard]] std::span<const uint16_t> of(uint32_t coordinate, uint32_t target) const;

   private:
    uint32_t side_ = 0;
    std::vector<uint32_t> begin_{};
    std::vector<uint16_t> sources_{};
  };

  // What can be done in one dimension from some state on.
  struct Track {
    size_t dimension;
    size_t before;  // of states_[dimension]
    size_t after;
    bool hops;
    RingSchedule hop;  // one phase, on the whole line
    // Of an exchange: on the ring of a class.
    Work work;
    RingPhases ring;
    Sources sources;

    [[nodiscard]] size_t num_phases() const { return hops ? hop.num_phases() : ring.size(); }
  };
  struct Stage {
    std::vector<std::optional<size_t>> track_of_group;
  };
  class Emitter;

  [[nodiscard]] uint32_t offset(uint32_t coordinate, uint32_t target) const;
  template <typename Moves, typename Goes>
  size_t add_hops(size_t dimension, size_t before, uint32_t distance, Moves moves, Goes goes_up);
  size_t exchange_track(const Work& work, size_t before);
  [[nodiscard]] RingSchedule moves(const Track& track, size_t p, bool keeps_blocks = true) const;
  void push_stage(std::vector<std::optional<size_t>> tracks);
  [[nodiscard]] uint32_t line(size_t dimension) const { return shape_.sides[dimension]; }

  TorusShape shape_;
  uint32_t groups_;
  uint32_t num_nodes_;
  std::vector<std::vector<Holdings>> states_;  // by dimension
  std::vector<std::vector<size_t>> current_;   // state by group and dimension, after the last stage
  std::vector<std::vector<std::vector<size_t>>> states_in_stage_;
  std::vector<Track> tracks_;
  std::vector<Stage> stages_;
};

}  // namespace quadrille
