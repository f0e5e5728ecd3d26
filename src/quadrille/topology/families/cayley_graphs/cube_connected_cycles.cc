#include <algorithm>

#include "quadrille/topology/families/cayley_graphs/shuffle_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace cube_connected_cycles_parts {
namespace {

constexpr std::string_view kSyntax = "cube_connected_cycles(d)";
constexpr std::string_view kAliases[] = {"ccc"};
constexpr std::string_view kSamples[] = {"cube_connected_cycles(1)", "cube_connected_cycles(2)",
                                         "cube_connected_cycles(3)", "cube_connected_cycles(4)",
                                         "cube_connected_cycles(5)"};
constexpr uint64_t kMaxDimension = 100;

uint64_t dimension_of(const SpecCall& call) {
  return read_only_number(call, "dimension", kSyntax, 1, kMaxDimension);
}

TopologyFacts facts(const SpecCall& call) {
  const uint64_t d = dimension_of(call);
  TopologyFacts out = shuffle_network_facts("cube_connected_cycles", d, std::min<uint64_t>(d, 3));
  out.diameter = d == 1 ? 1 : d == 2 ? 4 : d == 3 ? 6 : Int128{2 * d + d / 2 - 2};
  out.bisection = Bisection{.capacity = Int128{1} << (d - 1),
                            .proved = true,
                            .reason = "one bit of the word; Bornstein et al. 2001"};
  return out;
}

Topology build(const SpecCall& call) {
  return shuffle_network(call, "cube_connected_cycles", dimension_of(call), {{0, 1}, {1, 0}});
}

}  // namespace
}  // namespace cube_connected_cycles_parts

namespace families {

extern const Family cube_connected_cycles;

constinit const Family cube_connected_cycles = {
    .name = "cube_connected_cycles",
    .summary = "a hypercube with a ring of d nodes in place of each node, one for each dimension",
    .syntax = cube_connected_cycles_parts::kSyntax,
    .parameters =
        "d: dimension, 1 to 100 (to 26 when the graph is built); d 2^d nodes; 3 links a node from d = 3 on",
    .numbering =
        "node (w,p), word w and position p, is w*d + p; it is linked to (w,p+1), (w,p-1) and to the word that "
        "differs in bit p",
    .source =
        "F. P. Preparata, J. Vuillemin, The cube-connected cycles, Comm. ACM 24 (1981); bisection: C. "
        "Bornstein, A. Litman, B. M. Maggs, R. K. Sitaraman, T. Yatzkar, On the bisection width and expansion "
        "of butterfly networks, Theory Comput. Syst. 34 (2001)",
    .aliases = cube_connected_cycles_parts::kAliases,
    .samples = cube_connected_cycles_parts::kSamples,
    .build = cube_connected_cycles_parts::build,
    .facts = cube_connected_cycles_parts::facts,
};

}  // namespace families

}  // namespace quadrille
