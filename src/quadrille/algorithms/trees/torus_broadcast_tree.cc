#include "quadrille/algorithms/trees/torus_broadcast_tree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// How a node of a group is reached from its parent: one up or down in one of the group's dimensions.
struct Move {
  size_t dimension = 0;
  bool up = true;
};

// Trees found by search, by node in row-major order: the dimension of the move that informs it, x, y or z, a
// capital letter where it goes down.
constexpr std::string_view kThreeCubed = ".zZyyzyYYxxxyxxxXYXXzXXXyXy";
// 3 x 3 x 6. Between plane 0 and its neighbours only the root informs: plane 1 in step 1, plane 5 in step 2.
constexpr std::string_view kThreeThreeSix = ".zzzzZyyyzyyYYYYZYxXxxxxxyyyxyXxzZZxXXzzZXYyXXyyYXYYZX";
constexpr int kSix = 6;

Move move_of(char letter) {
  const bool up = letter >= 'a';
  return {static_cast<size_t>(up ? letter - 'x' : letter - 'X'), up};
}

// The coordinate relative to the root's, the short way: -floor((n-1)/2) .. floor(n/2).
int signed_offset(uint32_t offset, uint32_t side) {
  return offset > side / 2 ? static_cast<int>(offset) - static_cast<int>(side) : static_cast<int>(offset);
}

using Offsets = std::array<int, 3>;  // of the dimensions of a group

Move in_ring(const Offsets& at) { return {0, at[0] > 0}; }

// `p` and `q`: how far the two rings reach.
Move in_odd_pair(const Offsets& at, int p, int q) {
  if (at[1] == 0) return {0, at[0] > 0 || at[0] == -p};
  if (at[1] == -q && std::abs(at[0]) == p) return {0, at[0] > 0};
  return {1, at[1] > 0};
}

Move in_three_cubed(const Offsets& at) {
  const auto digit = [](int offset) { return static_cast<size_t>((offset + 3) % 3); };
  return move_of(kThreeCubed[(digit(at[0]) * 3 + digit(at[1])) * 3 + digit(at[2])]);
}

Move in_three_three_even(const Offsets& at, int half) {
  const int drawn_out = half - kSix / 2;  // copies of the root's plane on each side of it
  const auto digit = [](int offset, int side) { return static_cast<size_t>((offset + side) % side); };
  int z = at[2];
  if (std::abs(z) <= drawn_out) {
    if (z != 0 && at[0] == 0 && at[1] == 0) return {2, z > 0};
    z = 0;
  } else {
    z -= z > 0 ? drawn_out : -drawn_out;
  }
  return move_of(kThreeThreeSix[(digit(at[0], 3) * 3 + digit(at[1], 3)) * kSix + digit(z, kSix)]);
}

Move last_move(std::span<const uint32_t> sides, const Offsets& at) {
  const auto reach = [&](size_t i) { return static_cast<int>(sides[i] / 2); };
  if (sides.size() == 1) return in_ring(at);
  if (sides.size() == 2) return in_odd_pair(at, reach(0), reach(1));
  return sides[2] == 3 ? in_three_cubed(at) : in_three_three_even(at, reach(2));
}

uint64_t steps_of_group(std::span<const uint32_t> sides) {
  uint64_t diameter = 0;
  for (const uint32_t side : sides) diameter += side / 2;
  if (sides.size() == 1) return diameter + sides[0] % 2;
  return sides.size() == 3 && sides[2] == 3 ? diameter + 2 : diameter + 1;
}

std::vector<uint32_t> sides_of(const std::vector<size_t>& group, const std::vector<uint32_t>& sides) {
  std::vector<uint32_t> out;
  for (const size_t i : group) out.push_back(sides[i]);
  return out;
}

// Takes the last of a list.
size_t take(std::vector<size_t>& list) {
  const size_t last = list.back();
  list.pop_back();
  return last;
}

}  // namespace

std::vector<std::vector<size_t>> torus_broadcast_groups(const std::vector<uint32_t>& sides) {
  std::vector<size_t> threes;
  std::vector<size_t> odd;    // from 5 on
  std::vector<size_t> large;  // even, from 6 on
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] % 2 == 0) {
      if (sides[i] >= kSix)
        large.push_back(i);
      else
        groups.push_back({i});
    } else {
      (sides[i] == 3 ? threes : odd).push_back(i);
    }
  }
  // A pair of odd sides saves a step, if not both are 3; the threes that are left save one with an even side.
  while (!threes.empty() && !odd.empty()) groups.push_back({take(odd), take(threes)});
  while (odd.size() >= 2) {
    const size_t a = take(odd);
    const size_t b = take(odd);
    groups.push_back({a, b});
  }
  while (threes.size() >= 2 && !large.empty()) {
    const size_t a = take(threes);
    const size_t b = take(threes);
    groups.push_back({a, b, take(large)});
  }
  while (threes.size() >= 3) {
    const size_t a = take(threes);
    const size_t b = take(threes);
    groups.push_back({a, b, take(threes)});
  }
  for (const std::vector<size_t>* rest : {&odd, &threes, &large}) {
    for (const size_t i : *rest) groups.push_back({i});
  }
  return groups;
}

uint64_t torus_broadcast_steps(const std::vector<uint32_t>& sides) {
  uint64_t steps = 0;
  for (const std::vector<size_t>& group : torus_broadcast_groups(sides))
    steps += steps_of_group(sides_of(group, sides));
  return steps;
}

SpanningTree torus_broadcast_tree(const Topology& topology, const TorusShape& torus, NodeId root) {
  const std::vector<std::vector<size_t>> groups = torus_broadcast_groups(torus.sides);
  const auto coordinate = [&](NodeId v, size_t i) {
    return static_cast<uint32_t>(index(v)) / torus.strides[i] % torus.sides[i];
  };
  std::vector<std::vector<uint32_t>> group_sides;
  group_sides.reserve(groups.size());
  for (const std::vector<size_t>& group : groups) group_sides.push_back(sides_of(group, torus.sides));

  std::vector<ArcId> informed_over(topology.num_nodes(), kNoArc);
  for (const NodeId v : topology.nodes()) {
    // The last group in which it differs from the root is the one that informs it.
    for (size_t g = groups.size(); g-- > 0;) {
      Offsets at{};
      for (size_t k = 0; k < groups[g].size(); ++k) {
        const size_t i = groups[g][k];
        const uint32_t side = torus.sides[i];
        at[k] = signed_offset((coordinate(v, i) + side - coordinate(root, i)) % side, side);
      }
      if (at == Offsets{}) continue;
      const Move move = last_move(group_sides[g], at);
      const size_t i = groups[g][move.dimension];
      // Backwards from v to its parent, and that arc's reverse.
      const ArcId back = topology.cayley()->arc(v, move.up ? torus.down[i] : torus.up[i]);
      informed_over[index(v)] = topology.reverse(back);
      break;
    }
  }
  return tree_of_arcs(topology, root, informed_over);
}

}  // namespace quadrille
