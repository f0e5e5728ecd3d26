// Up-and-down trees: an allreduce in pieces over many trees at once, on links that are alike both ways.
//
// Each piece has a tree: its sums go up to the root, and the whole comes down again, so it takes each link of the tree once
// in either direction. The trees together are to use all links alike: they are grown one after the other along links that are cheap,
// a link costs the more the more trees it is in, and each tree is pulled out and grown anew a few times
// (fractional packings of spanning trees, after Nash-Williams and Tutte 1961). Where nodes differ in their links, the
// corners of a mesh, up to twice as much goes over the fullest link if every node collects and spreads its
// share of the pieces.
//
// Where nodes have fewer ports than links, a tree takes a node's ports as often as it has links there, and whoever is in many
// trees, or has many links in one, is dear.
//
// Then who waits for a link is served in order of what is still to come after it in its tree, and pieces are staggered: those of late
// pieces that go up use the links that early pieces, which come down, leave idle. A timetable read backwards is one, too, since
// what went down goes up: made again in that order, to and fro, it gets shorter (forward-backward scheduling). With all
// ports what comes down may leave its tree in the end (packing/swarms/halves_in_turn.h), and pieces negotiate about what a step less
// would take (packing/priced/negotiated_halves.h).
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// No allreduce takes fewer steps: nodes with few links, each apart, and the rest as one are parts that every piece must
/// connect, in both directions.
[[nodiscard]] uint64_t least_up_and_down_steps(const Problem& allreduce);

/// Single packets, any ports, full duplex, undirected.
[[nodiscard]] Plan up_and_down_trees(const Problem& allreduce);

}  // namespace quadrille
