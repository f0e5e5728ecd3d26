// Graphs from files of other programs: GraphML, GML, DOT, and lists of edges.
//
//     const Topology net = read_graph("file(\"net.gml\")", "net.gml", read_file("net.gml"),
//     GraphFormat::kGml);
//
// What counts in them: nodes and edges; whether edges are directed; of a node the attribute `endpoint` (true,
// false, 1, 0; without any, every node is an endpoint) and its name (`name`, else `label`, else `id`); of an
// edge `capacity` (a whole number, 1 if missing). Everything else is passed over. Parallel edges become one
// with the sum of their capacities. Nodes are numbered in the order of the file; in DOT and edge lists, which
// have no list of nodes, by name, numbers inside names by value: n2 before n10.
//
// An edge list has a line for each edge, "a b" or "a b capacity", names separated by blanks; edges go both
// ways; what follows a # is a comment.
//
// Refused: self loops, graphs without nodes, graphs that are not connected (strongly, if directed),
// capacities that are no whole numbers from 1 up, and files that their format does not allow.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/topology/topology.h"

namespace quadrille {

enum class GraphFormat { kGraphMl, kGml, kDot, kEdgeList };

/// The format that a file's ending stands for: .graphml .xml, .gml, .dot .gv, .txt .edges .edgelist, in
/// large letters, too. Throws InputError for any other.
[[nodiscard]] GraphFormat graph_format(std::string_view path);

/// The graph that `content` describes, called `name`; `source` is how errors call the file. Throws
/// InputError.
[[nodiscard]] Topology read_graph(const std::string& name, const std::string& source,
                                  const std::string& content, GraphFormat format);

}  // namespace quadrille
