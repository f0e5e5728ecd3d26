// A problem from what people say: the root by number or label, and refused where this machine could not
// follow its blocks.
//
//     make_problem(parse_topology("mesh(4,4)"), CollectiveKind::kBroadcast, {.send = kOnePort}, "(1,2)")
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A standard collective over all endpoints. `root`: the node that has, or gets, all, by number or label;
/// empty: the first endpoint. Every block is split into so many pieces. Throws InputError for a root where
/// there is none to choose, and, with both numbers, where judge_bytes() is more than this machine has.
[[nodiscard]] Problem make_problem(const Topology& topology, CollectiveKind kind, const Model& model = {},
                                   std::string_view root = {}, uint32_t pieces = 1);

/// The memory, in bytes, in which the judge may come to keep where every block is.
[[nodiscard]] Int128 judge_bytes(const Problem& problem);

}  // namespace quadrille
