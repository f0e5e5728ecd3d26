#include "quadrille/topology/topology_spec.h"

#include "quadrille/topology/catalog.h"

namespace quadrille {

Topology parse_topology(std::string_view spec, std::string_view source) {
  return build_topology(parse_spec(spec, source));
}

}  // namespace quadrille
