// Lattice library: designs that a search found, stored in data/lattice_designs.
//
// An entry (stored/stored_entry.h) has the sides of its torus, all equal; its steps; `messages near`, where no node sends
// more messages in a step than it has links, or `messages any`; the nodes of a tile and the hops of the design, of which
// follows what goes over a link. Its data are lines
//
//     exchange 36              displacements, in the order of the steps
//     level 0>1 0>8 0>56       edges of the tile's tree, level by level
//
// with the nodes numbered as in the torus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithms/torus_classes/lattice_designs.h"
#include "quadrille/stored/stored_entry.h"

namespace quadrille {

class StoredLattice {
 public:
  /// Reads the head. Throws InternalError for anything else than the form above.
  explicit StoredLattice(StoredEntry entry);

  [[nodiscard]] uint32_t side() const { return side_; }
  [[nodiscard]] uint32_t dimensions() const { return dimensions_; }
  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] bool near() const { return near_; }
  [[nodiscard]] uint32_t tile() const { return tile_; }
  [[nodiscard]] uint64_t hops() const { return hops_; }
  [[nodiscard]] bool is_for(const TorusClasses& torus) const;
  /// Throws InternalError for data that is no such design: a coset that is left out or there twice, a node that sends
  /// before it has anything, other figures than the head's.
  [[nodiscard]] LatticeDesign design(const TorusClasses& torus) const;
  [[nodiscard]] const StoredEntry& entry() const { return entry_; }

 private:
  StoredEntry entry_;
  uint32_t side_ = 0;
  uint32_t dimensions_ = 0;
  uint64_t steps_ = 0;
  bool near_ = false;
  uint32_t tile_ = 0;
  uint64_t hops_ = 0;
};

[[nodiscard]] const std::vector<StoredLattice>& lattice_library();
[[nodiscard]] const StoredKind& stored_lattice_kind();
/// The data of an entry.
[[nodiscard]] std::string write_lattice(const LatticeDesign& design);

}  // namespace quadrille
