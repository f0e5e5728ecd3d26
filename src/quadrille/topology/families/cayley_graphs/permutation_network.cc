#include "quadrille/topology/families/cayley_graphs/permutation_network.h"

#include <fmt/format.h>

#include "quadrille/topology/spec_arguments.h"

namespace quadrille {

Int128 factorial(uint64_t n) {
  Int128 out = 1;
  for (uint64_t i = 2; i <= n; ++i) out = checked_product(out, i, "number of nodes");
  return out;
}

TopologyFacts permutation_network_facts(std::string_view family, uint64_t symbols) {
  TopologyFacts out;
  out.spec = spec_text(family, {symbols});
  out.nodes = out.endpoints = factorial(symbols);
  out.links = checked_product(out.nodes, Int128{symbols - 1}, "number of links") / 2;
  set_symmetric(out, Int128{symbols - 1}, std::nullopt, std::nullopt, fmt::format("S_{}", symbols));
  return out;
}

Topology permutation_network(const SpecCall& call, std::string_view family, uint64_t symbols,
                             Permutation (*generator)(uint64_t symbols, uint64_t i)) {
  const Int128 nodes = factorial(symbols);
  require_buildable(call, nodes, nodes * Int128{symbols - 1});
  const auto group = symmetric_group(static_cast<uint32_t>(symbols));
  std::vector<uint32_t> generators;
  for (uint64_t i = 1; i < symbols; ++i) generators.push_back(*group->element(generator(symbols, i)));
  TopologyBuilder builder(spec_text(family, {symbols}), group->order());
  builder.cayley(group, std::move(generators));
  return builder.build();
}

}  // namespace quadrille
