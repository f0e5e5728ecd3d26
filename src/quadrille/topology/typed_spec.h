// What people type where a topology belongs: a spec, or the name of a graph file.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// The spec that a word means that the user has typed: itself, or file("net.dot") for the bare name of a file that is there or ends as
/// graph files do, and for "-", standard input. Throws InputError as parse_spec() does.
[[nodiscard]] std::string typed_spec(std::string_view word, std::string_view source = "topology");

/// Whether a file is called as graphs are and plans are not: net.dot, net.graphml, links.txt.
[[nodiscard]] bool is_named_as_graph(std::string_view path);

}  // namespace quadrille
