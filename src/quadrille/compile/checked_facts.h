// Closed forms of a topology, held against a search where the graph is small.
#pragma once

#include <optional>
#include <string>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct CheckedFacts {
  TopologyFacts facts;
  std::optional<Topology> graph{};  ///< where it was small enough to build
  std::string how{};                ///< for people: "closed forms, each checked by a search"
};

/// Throws InputError for a spec that names nothing; a closed form that a search contradicts is an
/// InternalError.
[[nodiscard]] CheckedFacts checked_facts(const SpecCall& call);

}  // namespace quadrille
