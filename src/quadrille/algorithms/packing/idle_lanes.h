// Idle lanes: links that carry several worms in a step, and a step that has fewer.
//
// A worm of many blocks goes along one lane of each link on its path, and the step takes as long as the longest worm. Where a
// path has a lane to spare on each of its links, and a port at both ends, the longest worm is parted in two that go side
// by side, again and again, until the longest one has no such lane.
//
//     IdleLanes lanes(problem);
//     lanes.add(path, blocks);    // every worm of a step
//     lanes.flush(step);          // the same blocks on the same paths, in more worms
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class IdleLanes {
 public:
  explicit IdleLanes(const Problem& problem);

  /// Spans are copied.
  void add(std::span<const ArcId> path, std::span<const BlockId> blocks);
  /// Adds what was added to the step, and forgets it.
  void flush(StepBuilder& step);

 private:
  struct Worm {
    size_t path_begin, path_end;
    size_t blocks_begin, blocks_end;
    uint32_t parts;
  };
  [[nodiscard]] std::span<const ArcId> path(const Worm& worm) const {
    return std::span(arcs_).subspan(worm.path_begin, worm.path_end - worm.path_begin);
  }
  void use(const Worm& worm, int32_t parts);
  [[nodiscard]] bool has_another(const Worm& worm) const;

  Topology topology_;
  Ports send_;
  Ports receive_;
  bool has_lanes_;
  std::vector<Worm> worms_{};
  std::vector<ArcId> arcs_{};
  std::vector<BlockId> blocks_{};
  std::vector<uint32_t> on_arc_{};  // worms of this step
  std::vector<uint32_t> sent_{};
  std::vector<uint32_t> received_{};
};

}  // namespace quadrille
