// Joint copies: the blocks that several groups copy, or add up, moved as one swarm over the whole network.
//
//     const std::optional<std::vector<Plan>> plans = copy_jointly(net, problems, 14);
//     // (*plans)[i] is for problems[i], in less than 14 steps; together they keep the rules, in steps that all of them count alike
//
// In every step each node takes as many blocks as its links bring: first those that its own group wants, the scarcest ones
// first, then blocks of others that it can pass on, the nearest to somebody who lacks them first. Who takes what over which link
// is settled by augmenting paths (packing/swarms/block_swarm.h says why that is as good as any choice). What nobody turned out to need is
// left out, and the shortest of a few tries is kept. Reductions are copies on the reversed network, read backwards.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// `problems` are those of the groups, on the nodes and arcs of `net`. Nothing where fewer than two groups copy, or some copy and
/// some add up, or exchange blocks; where packets go by several, ports are few or links carry one way at a time; where the work
/// would take minutes; or where no try takes fewer than `fewer_than` steps.
[[nodiscard]] std::optional<std::vector<Plan>> copy_jointly(const Topology& net,
                                                            std::span<const Problem> problems,
                                                            size_t fewer_than);

}  // namespace quadrille
