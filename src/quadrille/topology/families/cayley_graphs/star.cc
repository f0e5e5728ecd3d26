#include <utility>

#include "quadrille/topology/families/cayley_graphs/permutation_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace star_parts {
namespace {

constexpr std::string_view kSyntax = "star(n)";
constexpr std::string_view kSamples[] = {"star(1)", "star(2)", "star(3)", "star(4)", "star(5)"};

uint64_t symbols_of(const SpecCall& call) {
  return read_only_number(call, "number of symbols", kSyntax, 1, kMaxSymbols);
}

// Over all nodes the distances sum up to n! (n + 2/n + H_n - 4).
TopologyFacts facts(const SpecCall& call) {
  const uint64_t n = symbols_of(call);
  TopologyFacts out = permutation_network_facts("star", n);
  Int128 status = checked_product(out.nodes, n, "total distance") - 4 * out.nodes + 2 * (out.nodes / n);
  for (uint64_t k = 1; k <= n; ++k) status += out.nodes / k;
  set_symmetric(out, *out.min_degree, Int128{3 * (n - 1) / 2}, status, out.group);
  return out;
}

Permutation exchange(uint64_t symbols, uint64_t i) {
  Permutation out = identity_permutation(static_cast<uint32_t>(symbols));
  std::swap(out[0], out[i]);
  return out;
}

Topology build(const SpecCall& call) { return permutation_network(call, "star", symbols_of(call), exchange); }

}  // namespace
}  // namespace star_parts

namespace families {

extern const Family star;

constinit const Family star = {
    .name = "star",
    .summary = "permutations, linked where the first symbol is exchanged with another",
    .syntax = star_parts::kSyntax,
    .parameters = "n: number of symbols, 1 to 25 (to 12 when the graph is built); n! nodes",
    .numbering = "lexicographic order of the permutations",
    .source =
        "S. B. Akers, B. Krishnamurthy, A group-theoretic model for symmetric interconnection networks, IEEE "
        "Trans. Comput. 38 (1989)",
    .samples = star_parts::kSamples,
    .build = star_parts::build,
    .facts = star_parts::facts,
};

}  // namespace families

}  // namespace quadrille
