#include "quadrille/topology/families/cayley_graphs/shuffle_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace butterfly_parts {
namespace {

constexpr std::string_view kSyntax = "butterfly(d)";
constexpr std::string_view kAliases[] = {"wrapped_butterfly"};
constexpr std::string_view kSamples[] = {"butterfly(1)", "butterfly(2)", "butterfly(3)", "butterfly(4)"};
constexpr uint64_t kMaxDimension = 100;

uint64_t dimension_of(const SpecCall& call) {
  return read_only_number(call, "dimension", kSyntax, 1, kMaxDimension);
}

TopologyFacts facts(const SpecCall& call) {
  const uint64_t d = dimension_of(call);
  const uint64_t degree = d == 1 ? 1 : d == 2 ? 3 : 4;
  TopologyFacts out = shuffle_network_facts("butterfly", d, degree);
  if (d < 3) return out;
  out.diameter = Int128{3 * d / 2};
  out.bisection = Bisection{
      .capacity = Int128{1} << d, .proved = true, .reason = "one bit of the word; Bornstein et al. 2001"};
  return out;
}

Topology build(const SpecCall& call) {
  return shuffle_network(call, "butterfly", dimension_of(call), {{0, 1}, {1, 1}});
}

}  // namespace
}  // namespace butterfly_parts

namespace families {

extern const Family butterfly;

constinit const Family butterfly = {
    .name = "butterfly",
    .summary =
        "the wrapped butterfly: d levels of 2^d nodes in a circle, each linked to two of the next level",
    .syntax = butterfly_parts::kSyntax,
    .parameters =
        "d: dimension, 1 to 100 (to 26 when the graph is built); d 2^d nodes; 4 links a node from d = 3 on, "
        "below that parallel ones count once",
    .numbering =
        "node (w,p), word w and level p, is w*d + p; it is linked to level p+1 straight on and in the word "
        "that differs in bit p",
    .source =
        "bisection: C. Bornstein, A. Litman, B. M. Maggs, R. K. Sitaraman, T. Yatzkar, On the bisection width "
        "and expansion of butterfly networks, Theory Comput. Syst. 34 (2001)",
    .aliases = butterfly_parts::kAliases,
    .samples = butterfly_parts::kSamples,
    .build = butterfly_parts::build,
    .facts = butterfly_parts::facts,
};

}  // namespace families

}  // namespace quadrille
