// Graphs from files of other programs: GraphML, GML, DOT, node-link JSON, METIS, what ibnetdiscover and nvidia-smi print, and
// lists of edges.
//
//     const Topology net = read_graph("file(\"net.gml\")", "net.gml", read_file("net.gml"),
//     GraphFormat::kGml);
//
// What counts in them: nodes and edges; whether edges are directed; of a node the attribute `endpoint` (true,
// false, 1, 0; without any, every node is an endpoint) and its name (`name`, else `label`, else `id`); of an
// edge `capacity` (a whole number, 1 if missing) or `bandwidth` ("100Gbit/s": the capacities are the ratios), and
// `latency` ("2us"); see topology/link_rates.h. Everything else is passed over, with a remark
// (Topology::remarks()). Parallel edges become one with the sum of their capacities. Nodes are numbered in the order of the file; in DOT and edge lists, which
// have no list of nodes, by name, numbers inside names by value: n2 before n10.
//
// An edge list has a line for each edge, "a b", "a b capacity", "a b bandwidth latency" or, as networkx writes it,
// "a b {'bandwidth': '100Gbit/s'}", names separated by blanks; edges go both ways; what follows a # is a comment.
//
// Refused: self loops, graphs without nodes, graphs that are not connected (strongly, if directed),
// capacities that are no whole numbers from 1 up, bandwidths that some links have and others not, and files that
// their format does not allow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

enum class GraphFormat { kGraphMl, kGml, kDot, kEdgeList, kNodeLink, kMetis, kIbnetdiscover, kNvidiaSmi };

/// What the user says of a file beyond what is in it.
struct GraphReading {
  /// Nodes that only forward: "type=switch", by an attribute; "spine3" or "spine*", by their names.
  std::vector<std::string> switches{};
  /// What a link of capacity 1 carries, "100Gbit/s"; empty: the largest bandwidth that all are multiples of.
  std::string unit_bandwidth{};
};

/// The format that a file's ending stands for: .graphml .xml, .gml, .dot .gv, .json, .metis .graph, .txt .edges .edgelist .csv, in
/// large letters, too. Throws InputError for any other.
[[nodiscard]] GraphFormat graph_format(std::string_view path);

/// The same with the content at hand: what programs print is recognised by it where the ending says nothing, or .txt, and in
/// standard input, "-", which may be a list of edges, too.
[[nodiscard]] GraphFormat graph_format(std::string_view path, std::string_view content);

/// The graph that `content` describes, called `name`; `source` is how errors call the file. Throws
/// InputError.
[[nodiscard]] Topology read_graph(const std::string& name, const std::string& source,
                                  const std::string& content, GraphFormat format,
                                  const GraphReading& reading = {});

}  // namespace quadrille
