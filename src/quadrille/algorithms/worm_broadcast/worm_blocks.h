// Worm blocks: broadcasting by cutting a grid into boxes.
//
// Whoever knows is responsible for the box of places around it. In a step it cuts the box into at most 2k+1
// boxes, keeps the one that it is in, and sends a worm to one place in each of the others. The only
// condition: the worm that leaves by the port of dimension l ends at a place that agrees with the sender in
// the dimensions before l and lies on that port's side in l; beyond l it may end anywhere. Worms of one
// sender then share no link, because their first links differ, and worms of different senders never leave
// their boxes: every such cutting is free of congestion.
//
// Which cutting is good is searched for: slabs are cut off one by one, as thick as they can be and still be
// served in one step less, the longest dimension first, with other orders tried within a fixed budget for
// each box. Equal boxes are planned once. The same grid always gives the same plan.
//
// Who may send fewer worms than it has ports makes fewer cuts, by whichever ports it likes.
//
// A box that spans a whole circle is a circle, and the place in it is put into its middle. No worm takes the
// long way round.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

/// The places of a box, as how many there are below and above a place in it in each dimension.
struct BoxAround {
  std::vector<int32_t> below{};
  std::vector<int32_t> above{};

  friend auto operator<=>(const BoxAround&, const BoxAround&) = default;
};

class WormBlocks {
 public:
  /// `free_ports` are ports by which a worm may go anywhere in its box, such as those of a dimension that is
  /// not cut. A place sends at most `sends` worms in a step.
  explicit WormBlocks(GridShape shape, uint32_t free_ports = 0, uint32_t sends = UINT32_MAX);

  /// All places, seen from one of them.
  [[nodiscard]] BoxAround whole(const std::vector<uint32_t>& position) const;
  /// Whether the search finds a way in so many steps. To try too few can take longest.
  [[nodiscard]] bool serves(const BoxAround& box, uint32_t steps) { return solve(box, steps) != nullptr; }
  /// The fewest steps that it finds.
  [[nodiscard]] uint32_t steps(const BoxAround& box);

  /// A worm of a plan: `free_port` counts from 1, 0 stands for the ports of the cut dimensions.
  struct Send {
    std::vector<int64_t> from;
    std::vector<int32_t> hops;
    uint32_t free_port = 0;
  };
  /// All places served from one of them, without repeats; the coordinates are 0 in circular dimensions.
  [[nodiscard]] WormPlan plan(const std::vector<uint32_t>& position);
  /// The sends of each step, from the place with these coordinates.
  [[nodiscard]] std::vector<std::vector<Send>> sends(const BoxAround& box,
                                                     const std::vector<int64_t>& position);

 private:
  // Slab `thickness` thick, cut off at the upper or lower end of a dimension; `hops` lead to the place that
  // is informed.
  struct Cut {
    size_t dimension = 0;
    bool upper = true;
    int32_t thickness = 0;
    std::vector<int32_t> hops{};
    uint32_t free_port = 0;
  };
  using Cuts = std::vector<Cut>;

  // The ports of one sender that are still free in this step.
  struct PortsLeft {
    std::vector<std::array<bool, 2>> own;  // of a dimension: up, down
    uint32_t free = 0;
    uint32_t sends = 0;  // that may still be made
  };

  struct Search {
    uint32_t steps = 0;
    uint32_t budget = 0;
    Cuts cuts{};
  };

  struct Flipped {
    BoxAround box{};
    std::vector<bool> mirrored{};
  };

  [[nodiscard]] Flipped canonical(const BoxAround& box) const;
  [[nodiscard]] const Cuts* solve(const BoxAround& box, uint32_t steps);
  bool search(const BoxAround& box, PortsLeft& ports, Search& state);
  bool cut_off(const BoxAround& box, size_t dimension, bool upper, PortsLeft& ports, Search& state);
  [[nodiscard]] std::optional<Cut> slab(const BoxAround& box, size_t dimension, bool upper, int32_t thickness,
                                        std::optional<std::pair<size_t, bool>> port,
                                        uint32_t free_port) const;
  [[nodiscard]] static BoxAround box_of(const BoxAround& box, const Cut& cut);
  [[nodiscard]] static BoxAround rest_of(const BoxAround& box, const Cut& cut);
  [[nodiscard]] uint64_t reach(uint32_t steps) const;
  void emit(const BoxAround& box, const std::vector<int64_t>& position, uint32_t steps, uint32_t first,
            std::vector<std::vector<Send>>& out);

  GridShape shape_;
  uint32_t free_ports_;
  uint32_t sends_;
  uint32_t budget_;  // orders of cuts that are tried for one box
  std::map<std::pair<uint32_t, BoxAround>, std::optional<Cuts>> known_;
};

/// The plan of a grid that is cut once.
[[nodiscard]] WormPlan worm_blocks(const GridShape& shape, const std::vector<uint32_t>& position);

}  // namespace quadrille
