// All-port broadcast by worms on a torus as a formula: is there one within so many steps?
//
// The variables are not worms, of which there are many, but what each node does with its links in each step:
// whether a worm starts over a link, goes straight on, turns into a later dimension, or ends. Clauses say
// that a used link has one reason and one continuation, that a worm starts only where the message is, that
// nobody goes on in a circle farther than half of it, and that whoever knows after a step knew before or had
// a worm end there. The formula has a solution exactly when there is a broadcast from node 0 in which all
// worms correct their coordinates first to last, the short way round; where both ways are equally long either
// may be taken. A circle of two nodes has one link.
//
//     const WormBroadcast in_three({10, 10}, 3);
//     const SearchAnswer answer = solve(in_three.formula(), {.conflicts = 1'000'000});
//     if (answer.satisfiable()) use(in_three.worms(answer));
//
// Reflecting a coordinate makes a broadcast out of a broadcast, so in step 1 the source uses the port down in
// a dimension only if it uses the port up. Two further conditions help to find large broadcasts, and exclude
// others: that a broadcast is its own image when all coordinates change sign, and that nobody sends at some
// coordinates (so that the broadcast can be a part of larger ones, see
// algorithms/worm_broadcast/worm_composition.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "quadrille/search/formula.h"
#include "quadrille/search/solve.h"

namespace quadrille {

/// What a solution must have beyond being a broadcast.
struct WormConditions {
  bool mirrored = false;                       ///< its own image in the origin
  std::vector<std::vector<uint32_t>> quiet{};  ///< per dimension coordinates at which nobody sends
};

class WormBroadcast {
 public:
  WormBroadcast(std::vector<uint32_t> sides, uint32_t steps, WormConditions conditions = {});

  [[nodiscard]] const Formula& formula() const { return formula_; }

  /// How a node hears: in which step, counted from 1, and the hops of the worm.
  struct Heard {
    uint32_t step = 0;
    std::vector<int32_t> hops{};
  };
  /// Per node, in row-major order; nothing for node 0. Only for a solution.
  [[nodiscard]] std::vector<Heard> worms(const SearchAnswer& solution) const;

 private:
  enum class What : int { kKnows, kUsed, kStarts, kStraight, kTurns, kEnds };
  /// One way along a dimension.
  struct Way {
    size_t dimension = 0;
    bool up = true;
    friend bool operator==(const Way&, const Way&) = default;
  };

  [[nodiscard]] uint32_t next(uint32_t node, Way way) const;
  [[nodiscard]] uint32_t before(uint32_t node, Way way) const { return next(node, {way.dimension, !way.up}); }
  [[nodiscard]] uint32_t mirrored(uint32_t node) const;
  [[nodiscard]] uint32_t coordinate(uint32_t node, size_t dimension) const;
  [[nodiscard]] bool is_quiet(uint32_t node) const;
  [[nodiscard]] Way mirrored(Way way) const;

  using Key = std::array<uint32_t, 5>;
  [[nodiscard]] Key key(What what, uint32_t step, uint32_t node, size_t way, size_t turn) const;
  int variable(What what, uint32_t step, uint32_t node, size_t way = 0, size_t turn = 0);
  [[nodiscard]] bool holds(const SearchAnswer& solution, What what, uint32_t step, uint32_t node,
                           size_t way = 0, size_t turn = 0) const;

  void link_out_has_one_reason(uint32_t step, uint32_t node, size_t way);
  void link_in_goes_on_once(uint32_t step, uint32_t node, size_t way);
  void takes_the_short_way(uint32_t step, uint32_t node, size_t way);
  void knows_from_somewhere(uint32_t step, uint32_t node);
  void source_prefers_up();
  [[nodiscard]] Heard trace(const SearchAnswer& solution, uint32_t step, uint32_t node, size_t way) const;

  std::vector<uint32_t> sides_;
  uint32_t steps_;
  WormConditions conditions_;
  uint32_t nodes_ = 1;
  std::vector<Way> ways_;
  Formula formula_;
  std::map<Key, int> variables_;
};

}  // namespace quadrille
