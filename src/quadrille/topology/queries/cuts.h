// Cuts: two sides of a topology, and the capacity of the arcs between them.
//
// A cut bounds every schedule: what must cross it takes at least data / capacity steps. Which cuts are worth
// looking at follows from the structure: slices of a product, subtrees of a tree, the first k nodes of a ring
// or a line, single nodes. structured_cuts lists these, each as an explicit witness that anyone can check:
//
//     for (const Cut& cut : structured_cuts(net)) {
//       const CutCapacity across = capacity_across(net, cut);   // exact, there and back
//     }
//
// Where the structure says that cuts are alike (translations of a Cayley graph, subtrees of one level) only
// some of them are listed; long lines are cut at every node up to kAllPrefixes and at evenly spread ones
// beyond.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Lines of up to this length are cut at every node.
inline constexpr uint32_t kAllPrefixes = 128;
/// Up to this many nodes every single node is a cut; beyond, one of each kind (role and capacities).
inline constexpr uint32_t kAllSingleNodes = 1024;

struct Cut {
  std::string description;  ///< "nodes 0 to 3 of 8 in dimension 1", "the subtree below 0@2", "node (0,0)"
  std::vector<char> side;   ///< per node, 0 or 1; both occur
};

struct CutCapacity {
  uint64_t out = 0;  ///< of the arcs from side 1 to side 0
  uint64_t in = 0;   ///< of the arcs from side 0 to side 1
};

[[nodiscard]] CutCapacity capacity_across(const Topology& topology, const std::vector<char>& side);
[[nodiscard]] CutCapacity capacity_across(const Topology& topology, const Cut& cut);

/// The candidate cuts, one at a time: in large graphs all together are many times the size of the graph.
void for_each_structured_cut(const Topology& topology, const std::function<void(const Cut&)>& visit);
/// A cut of a product by one coordinate: in a large one it is much smaller than the cut that it stands for.
struct Slice {
  size_t dimension = 0;
  std::string description;  ///< as that of the cut
  std::vector<char> side;   ///< per node of the factor
};

/// The cut that a slice stands for.
[[nodiscard]] Cut cut_of(const Topology& product, const Slice& slice);

/// The same cuts in the same order, those of a product by one coordinate as slices. Of an outline there are slices alone.
void for_each_structured_cut(const Topology& topology, const std::function<void(const Slice&)>& visit_slice,
                             const std::function<void(const Cut&)>& visit);
[[nodiscard]] std::vector<Cut> structured_cuts(const Topology& topology);

}  // namespace quadrille
