// Worm planner: the plan with the fewest steps that any of the methods here knows for a torus or a mesh.
//
// Asked are, in this order: the library of small tori, spans, spread-align-expand, every entry of the library
// as the inner part of a composition whose outer part is planned the same way, the first dimensions and then
// the others, each planned the same way, and cutting boxes (worm_broadcast/worm_blocks.h; on more than 20,000
// places only where nothing else applies). The first plan with the fewest steps that takes the short way
// round everywhere wins. All of it is bounded: boxes are cut within a fixed number of tries each, and
// compositions have at most log_2 of the longest side levels. The same grid always gets the same plan.
//
// Where a place may send fewer worms than it has links, p, the methods for all ports fall away, and others
// come: the row cut in two or three parts (worm_broadcast/worm_parts.h), boxes with p cuts, entries of the
// library in which nobody sends more, and compositions with patterns of one step: three nodes in a row, or 2
// x 2 with three worms, so that
//
//     p = 1: ceil(log_2 N)    p = 2: ceil(log_3 N)    p = 3, n x n: ceil(log_2 n) = ceil(log_4 N)
//
// In half duplex there are the row and the boxes alone: their worms use a link one way at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_library.h"
#include "quadrille/model/model.h"

namespace quadrille {

/// The best plan before it is made: most who ask want to know the steps only.
struct WormProspect {
  size_t steps = 0;
  /// "boxes", "2 x 2 inside (stored 20 x 20)", "stored 3 x 3 x 3, then boxes".
  std::string method{};
  std::function<WormPlan()> make{};
};

/// What a place and a link may do in a step.
struct WormLimits {
  uint32_t sends = UINT32_MAX;  ///< worms that a place sends; as many as it has links unless given
  bool both_ways = true;        ///< a link carries two worms, one each way; false: half duplex

  friend auto operator<=>(const WormLimits&, const WormLimits&) = default;
};

/// From the place, without repeats; the coordinates are 0 in circular dimensions.
[[nodiscard]] WormProspect find_worms(const GridShape& shape, const std::vector<uint32_t>& position,
                                      WormLimits limits = {});

/// No plan of such worms has fewer steps, by doubling and by dimension order.
[[nodiscard]] size_t fewest_worm_steps(const GridShape& shape, const WormLimits& limits);

/// What the model allows to who informs, and backwards to who is informed.
[[nodiscard]] WormLimits send_limits(const Model& model);
[[nodiscard]] WormLimits receive_limits(const Model& model);

/// While one lives, what is looked for is kept, and not looked for again, on whichever thread: cards of one problem, of its reversed
/// one, of machines with other ports, and lenders ask for the same plans.
class SharedWorms {
 public:
  SharedWorms();
  ~SharedWorms();
  SharedWorms(const SharedWorms&) = delete;
  SharedWorms& operator=(const SharedWorms&) = delete;
};

struct PlannedWorms {
  WormPlan plan{};
  std::string method{};
};
[[nodiscard]] PlannedWorms plan_worms(const GridShape& shape, const std::vector<uint32_t>& position,
                                      WormLimits limits = {});
/// The steps of that plan, mostly without making it.
[[nodiscard]] size_t planned_steps(const GridShape& shape, const std::vector<uint32_t>& position);
/// For a gather, which runs backwards: its worms correct coordinates last to first.
[[nodiscard]] PlannedWorms plan_worms_backwards(const GridShape& shape, const std::vector<uint32_t>& position,
                                                WormLimits limits = {});

}  // namespace quadrille
