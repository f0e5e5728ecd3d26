// The text form of topologies: "torus(8,8,4)", the same on the command line, in files, tests and docs.
#pragma once

#include <string_view>

#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The topology that a spec names; docs/topology_specs.md has the grammar. Throws InputError with a caret
/// under the mistake; `source` is how the error calls the text.
[[nodiscard]] Topology parse_topology(std::string_view spec, std::string_view source = "topology");

/// The same for figures alone: large products in outline (topology_for_figures()).
[[nodiscard]] Topology parse_topology_for_figures(std::string_view spec,
                                                  std::string_view source = "topology");

/// The spec taken apart, as parse_topology() does, for what the user has typed: the bare name of a file is the
/// graph in it (typed_spec.h).
[[nodiscard]] SpecCall parse_typed_spec(std::string_view spec, std::string_view source = "topology");

}  // namespace quadrille
