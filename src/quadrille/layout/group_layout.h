// Groups: networks that are made of parts, each drawn by itself on its place in a picture of the whole.
#pragma once

#include <optional>
#include <vector>

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// Which nodes stand together: a number for each, 0, 1, .. by lowest node.
using NodeGroups = std::vector<uint32_t>;

/// Groups of nodes that are linked closely, at least half of all pairs within them, so that far fewer links lead across than chance would
/// have (modularity above 0.3; looked for by Louvain's method: Blondel and others 2008). Nothing where there are none.
[[nodiscard]] std::optional<NodeGroups> close_groups(const Topology& topology);

/// Of a Cayley graph: the cycles of one generator, or of two that are their own inverses, whichever are nearest to as long as there are
/// many. Nothing where there are none.
[[nodiscard]] std::optional<std::vector<std::vector<NodeId>>> cayley_cycles(const Topology& topology);

/// Every group on a circle, all of these on a circle. Members stand in the order given, each circle turned, or, where `free`, in whichever
/// order brings them to the side that their links leave.
[[nodiscard]] NetworkLayout group_layout(const Topology& topology, std::vector<std::vector<NodeId>> groups,
                                         bool free);

/// Of a network like a Slim Fly: two halves of q columns of q nodes, numbered column by column; links lead to the same column, and to one
/// node of every column of the other half. Nothing for others.
[[nodiscard]] std::optional<std::vector<std::vector<NodeId>>> columns_of_two_halves(const Topology& topology);

/// Every column on a circle, those of a half in a row, one half above the other.
[[nodiscard]] NetworkLayout two_rows_layout(const Topology& topology,
                                            const std::vector<std::vector<NodeId>>& columns);

/// A product: the picture of the later factors on every place of the picture of the earlier ones.
[[nodiscard]] NetworkLayout product_layout(const Topology& topology, const ProductStructure& product);

/// The members of each group, by number.
[[nodiscard]] std::vector<std::vector<NodeId>> members_of(const NodeGroups& groups);

}  // namespace quadrille
