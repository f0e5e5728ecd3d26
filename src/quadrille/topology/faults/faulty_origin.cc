#include "quadrille/topology/faults/faulty_origin.h"

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/faults/faults.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {

std::optional<FaultyOrigin> faulty_origin(const Topology& topology, OriginFiles files) {
  if (!topology.name().starts_with("without(")) return std::nullopt;
  // What stands in a plan file was read from there already: nothing is opened for a second look at a name.
  const SpecCall call = parse_spec(topology.name(), "topology");
  if (files == OriginFiles::kRefused && call_that_opens_a_file(call) != nullptr) return std::nullopt;
  Topology whole = build_topology(call.sections[0].args[0].call[0]);
  Faults faults;
  for (const Arg& arg : call.sections[1].args) add_fault(whole, arg.text, faults);
  FaultyNetwork left = without(whole, faults, topology.name());
  if (!left.topology.same_graph(topology)) return std::nullopt;
  return FaultyOrigin{std::move(whole), std::move(left.original)};
}

}  // namespace quadrille
