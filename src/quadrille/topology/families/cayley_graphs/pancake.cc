#include <algorithm>

#include "quadrille/topology/families/cayley_graphs/permutation_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace pancake_parts {
namespace {

constexpr std::string_view kSyntax = "pancake(n)";
constexpr std::string_view kSamples[] = {"pancake(1)", "pancake(2)", "pancake(3)", "pancake(4)",
                                         "pancake(5)"};

// How many flips sort n pancakes at worst: found by computer, no formula is known. OEIS A058986.
constexpr int kFlips[] = {0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15};

uint64_t symbols_of(const SpecCall& call) {
  return read_only_number(call, "number of symbols", kSyntax, 1, kMaxSymbols);
}

TopologyFacts facts(const SpecCall& call) {
  const uint64_t n = symbols_of(call);
  TopologyFacts out = permutation_network_facts("pancake", n);
  if (n <= std::size(kFlips)) out.diameter = kFlips[n - 1];
  return out;
}

Permutation flip(uint64_t symbols, uint64_t i) {
  Permutation out = identity_permutation(static_cast<uint32_t>(symbols));
  std::reverse(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  return out;
}

Topology build(const SpecCall& call) { return permutation_network(call, "pancake", symbols_of(call), flip); }

}  // namespace
}  // namespace pancake_parts

namespace families {

extern const Family pancake;

constinit const Family pancake = {
    .name = "pancake",
    .summary = "permutations, linked where the first two or more symbols are reversed",
    .syntax = pancake_parts::kSyntax,
    .parameters = "n: number of symbols, 1 to 25 (to 12 when the graph is built); n! nodes",
    .numbering = "lexicographic order of the permutations",
    .source = "diameter: OEIS A058986, found by search",
    .samples = pancake_parts::kSamples,
    .build = pancake_parts::build,
    .facts = pancake_parts::facts,
};

}  // namespace families

}  // namespace quadrille
