#include "quadrille/topology/families/cayley_graphs/shuffle_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/cayley/shuffle_group.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {

Topology shuffle_network(const SpecCall& call, std::string_view family, uint64_t d,
                         const std::vector<std::pair<uint32_t, uint32_t>>& generators) {
  const Int128 nodes = Int128{d} << d;
  require_buildable(call, nodes, nodes * Int128{2 * generators.size()});
  const auto bits = static_cast<uint32_t>(d);
  const auto group = shuffle_group(bits);
  std::vector<uint32_t> elements;
  for (const auto& [word, position] : generators) {
    const uint32_t g = word * bits + position % bits;
    for (const uint32_t element : {g, group->inverse(g)}) {
      if (element != 0) elements.push_back(element);
    }
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  TopologyBuilder builder(spec_text(family, {d}), group->order());
  builder.cayley(group, std::move(elements));
  return builder.build();
}

TopologyFacts shuffle_network_facts(std::string_view family, uint64_t d, uint64_t degree) {
  TopologyFacts out;
  out.spec = spec_text(family, {d});
  out.nodes = out.endpoints = Int128{d} << d;
  out.links = out.nodes * Int128{degree} / 2;
  set_symmetric(out, Int128{degree}, std::nullopt, std::nullopt, fmt::format("Z_2^{} : Z_{}", d, d));
  return out;
}

}  // namespace quadrille
