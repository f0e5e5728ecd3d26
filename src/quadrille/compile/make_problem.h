// A problem from what people say: the root by number or label, and refused where this machine could not
// follow its blocks.
//
//     make_problem(parse_topology("mesh(4,4)"), CollectiveKind::kBroadcast, {.send = kOnePort}, "(1,2)")
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/rational.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A standard collective over all endpoints. `root`: the node that has, or gets, all, by number or label;
/// empty: the first endpoint. Every block is split into so many pieces. Throws InputError for a root where
/// there is none to choose, and, with both numbers, where judge_bytes() is more than this machine has, or there are more
/// than 4,096 pieces, and blocks must be sent more often than 2^21 times.
[[nodiscard]] Problem make_problem(const Topology& topology, CollectiveKind kind, const Model& model = {},
                                   std::string_view root = {}, uint32_t pieces = 1);

/// alltoallv over all endpoints; counts of a file are read by read_counts(). Throws InputError as above.
[[nodiscard]] Problem make_problem(const Topology& topology, Counts counts, const Model& model = {});

/// The same for figures alone: where no judge of this machine could follow the blocks they are only counted, and
/// algorithms that need no ids, costs and bounds still answer. not_judged_here() says whether it is so.
[[nodiscard]] Problem make_problem_for_figures(const Topology& topology, CollectiveKind kind,
                                               const Model& model = {}, std::string_view root = {},
                                               uint32_t pieces = 1);

/// Why no plan of the problem can be made and judged on this machine; nothing where it can.
[[nodiscard]] std::optional<std::string> not_judged_here(const Problem& problem);

/// The memory, in bytes, in which the judge may come to keep where every block is.
[[nodiscard]] Int128 judge_bytes(const Problem& problem);

}  // namespace quadrille
