// What a spec says of a graph that is read beyond the graph itself: file("net.gml";"switches type=switch","unit
// 100Gbit/s"). The words are those of the options of the command line, so that a plan's file names the same network.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {

inline constexpr std::string_view kSwitchesWord = "switches";
inline constexpr std::string_view kUnitWord = "unit";

/// The second section of the call, if it has one. Throws SpecError.
[[nodiscard]] GraphReading graph_words(const SpecCall& call, std::string_view syntax);

/// The canonical spec of such a graph: "file" or "edges", what is in its quotes, and what is said besides.
[[nodiscard]] std::string graph_spec(std::string_view family, std::string_view quoted,
                                     const GraphReading& reading);

/// The graph of `content`; mistakes in it are shown where the spec names it.
[[nodiscard]] Topology build_read_graph(const SpecCall& call, std::string_view source,
                                        const std::string& content, GraphFormat format,
                                        const GraphReading& reading);

}  // namespace quadrille
