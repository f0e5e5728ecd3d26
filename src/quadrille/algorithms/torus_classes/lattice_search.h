// The search for lattice designs (lattice_designs.h): which lattices to try, and how long to look for the levels of a tile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "quadrille/algorithms/torus_classes/lattice_designs.h"

namespace quadrille {

/// How many lattices are tried for each number of steps: at a glance, and the best of these for longer.
struct LatticeSearchEffort {
  uint64_t glance = uint64_t{1} << 18U;  ///< nodes moved to other levels, for all nodes of a tile
  size_t glances = 6;
  uint64_t search = uint64_t{1} << 22U;
  size_t searches = 2;
  uint32_t starts = 1;       ///< of each
  uint64_t per_node = 1024;  ///< moves for each node of a tile, at most
};

class LatticeSearch {
 public:
  LatticeSearch(TorusClasses torus, bool near);
  ~LatticeSearch();
  LatticeSearch(const LatticeSearch&) = delete;
  LatticeSearch& operator=(const LatticeSearch&) = delete;

  /// Numbers of steps with which anything may be found, rising.
  [[nodiscard]] std::vector<uint64_t> steps() const;
  /// The best design found in exactly so many steps. Deterministic.
  [[nodiscard]] std::optional<LatticeDesign> find(uint64_t steps, const LatticeSearchEffort& effort) const;

 private:
  struct Candidates;
  std::unique_ptr<Candidates> candidates_;
};

}  // namespace quadrille
