// Groups: collectives that disjoint sets of ranks of one network do at the same time.
//
//     read_groups(net, "alltoall 0-7\nbroadcast 8-15 root=9 pieces=4\n", {}, "groups.txt")
//     grid_groups(net, CollectiveKind::kAllreduce, "rows")        // one group for each row of a torus
//
// A group is a line of a file: what it does, who, and what belongs to it. Ranks are those of the network, or labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective/collective.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct RankGroup {
  CollectiveKind kind = CollectiveKind::kAlltoall;
  std::vector<Rank> ranks;     ///< of the network, ascending
  std::optional<Rank> root{};  ///< of the network; empty: the first of the group
  uint32_t pieces = 1;         ///< how many blocks it sends where another sends one: its size
  uint32_t line = 0;           ///< of the file; 0: it comes from none
};

/// Lines "[COLLECTIVE] RANKS [root=NODE] [pieces=P]"; a line that names no collective does `otherwise`; what follows a # is a
/// remark. Throws InputError with the line: for words that mean nothing, no rank or just one, one that does not exist or is
/// named twice, a root outside of its group, and a rank of two groups, with both lines.
[[nodiscard]] std::vector<RankGroup> read_groups(const Topology& net, std::string_view text,
                                                 CollectiveKind otherwise, uint32_t pieces,
                                                 std::string_view source);

/// The parts of a product that differ in some coordinates alone: "rows" (the last), "columns" (the first), "planes" (all but
/// the first), or numbers of dimensions, counted from 0: "0,2" or "dimensions 0,2". A product without links is one, and so is what a file
/// numbers otherwise. Nothing for other words. Throws InputError where the network is no product of so many factors.
[[nodiscard]] std::optional<std::vector<RankGroup>> grid_groups(const Topology& net, std::string_view words,
                                                                CollectiveKind kind, uint32_t pieces);

}  // namespace quadrille
