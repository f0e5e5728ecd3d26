// Every catalogued name, whatever it names: for list, explain and the generated pages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/value_error.h"
#include "quadrille/collective/collective.h"

namespace quadrille {

struct CatalogEntry {
  std::string name;
  std::string title;  ///< the name, or how it is written: "torus(n1,..,nd)"
  std::string summary;
};

struct Listing {
  std::string_view name;  ///< "topologies"
  std::vector<CatalogEntry> (*entries)();
};

/// topologies, collectives, algorithms, bounds, rules, costs, local programs, machines, exporters.
[[nodiscard]] std::span<const Listing> catalogs();

/// Every name of every catalog.
[[nodiscard]] std::vector<std::string> all_names();

/// The error for a catalog, or a name in any catalog, that does not exist.
[[nodiscard]] ValueError no_such_catalog(std::string_view given);
[[nodiscard]] ValueError no_such_name(std::string_view given);

/// All that have a name: the standard ones and alltoallv.
[[nodiscard]] std::span<const CollectiveKind> listed_collectives();

/// What a collective does, in one line.
[[nodiscard]] std::string_view summary_of(CollectiveKind kind);

}  // namespace quadrille
