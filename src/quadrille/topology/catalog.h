// The catalog of topology families: every card of catalog.inc, by name.
//
//     for (const Family* family : family_catalog()) fmt::print("{}: {}\n", family->name, family->summary);
//     const TopologyFacts facts = topology_facts(parse_spec("torus(4,4)", "topology"));
#pragma once

#include <optional>

#include "quadrille/base/catalog.h"
#include "quadrille/topology/family.h"

namespace quadrille {

/// All cards, sorted by name; find() knows their aliases, too.
[[nodiscard]] const Catalog<Family>& family_catalog();
/// The card of a call; throws a SpecError with the nearest name and the list of all for an unknown one.
[[nodiscard]] const Family& family_of(const SpecCall& call);

/// The first call in a call, itself perhaps, that would open a file of this machine; null where none does. An
/// unknown family opens none.
[[nodiscard]] const SpecCall* call_that_opens_a_file(const SpecCall& call);

/// What a call names. Throws InputError with a caret; so does everything below.
[[nodiscard]] Topology build_topology(const SpecCall& call);
/// For figures alone: in outline (topology/products/outline.h) where it has more than kMostArcsForFigures arcs and its
/// family can; else as build_topology().
[[nodiscard]] Topology topology_for_figures(const SpecCall& call);
/// In outline, whatever its size; nothing where its family must list its links.
[[nodiscard]] std::optional<Topology> topology_outline(const SpecCall& call);
/// Its closed forms.
[[nodiscard]] TopologyFacts topology_facts(const SpecCall& call);

}  // namespace quadrille
