// Lattice designs: how an allreduce on a torus collects, exchanges and spreads, in how many steps.
//
// A tile has one node of every coset of a lattice H. Sums of tiles are collected down a level tree of the tile; the owners
// of a coset exchange them; and the results go out as the sums came. The owners exchange in one step, each with all
// others; or through lattices one in another, {0} in H1 in H2 .. in H: after a step that adds a node of every coset of the
// lattice before, an owner has the sum of all tiles of the next one. With m nodes to a tile a link carries
// (2 hops of the tree + hops of the exchanges) / (2d m) of the vector, where all sides are equal.
//
// Near designs send no more messages than a node has links, in any step; there are none where sides differ.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/torus_classes/level_tree.h"
#include "quadrille/algorithms/torus_classes/torus_lattice.h"

namespace quadrille {

struct LatticeDesign {
  TorusLattice lattice;
  std::vector<std::vector<uint32_t>> exchanges{};  ///< step by step: displacements from every owner
  LevelTree tile{};

  [[nodiscard]] uint64_t steps() const { return 2 * uint64_t{tile.levels} + exchanges.size(); }
  /// What a link of the busiest group carries of one chunk of every coset and class.
  [[nodiscard]] uint64_t load(const TorusClasses& torus) const;
};

/// The best ones known, by rising steps and falling volume: stored ones (lattice_library.h), or what a search of a second
/// finds. They stay where they are.
[[nodiscard]] const std::vector<LatticeDesign>& lattice_designs(const TorusClasses& torus, bool near);

}  // namespace quadrille
