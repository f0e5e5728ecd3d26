#include <fmt/format.h>

#include "quadrille/topology/families/directed/digit_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace generalized_de_bruijn_parts {
namespace {

constexpr std::string_view kSyntax = "generalized_de_bruijn(n,d)";
constexpr std::string_view kSamples[] = {"generalized_de_bruijn(5,2)", "generalized_de_bruijn(6,3)",
                                         "generalized_de_bruijn(12,2)"};

DigitGraph read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  const uint64_t nodes = read_number(call, args[0], "number of nodes", 2);
  const uint64_t degree = read_number(call, args[1], "number of arcs of a node", 2, nodes);
  DigitGraph out;
  out.spec = fmt::format("generalized_de_bruijn({},{})", nodes, degree);
  out.nodes = Int128{nodes};
  out.degree = degree;
  return out;
}

}  // namespace
}  // namespace generalized_de_bruijn_parts

namespace families {

extern const Family generalized_de_bruijn;

constinit const Family generalized_de_bruijn = {
    .name = "generalized_de_bruijn",
    .summary = "directed: a de Bruijn graph of any number of nodes",
    .syntax = generalized_de_bruijn_parts::kSyntax,
    .parameters = "n: nodes; d: arcs of a node, 2 to n, loops and equal arcs left out",
    .numbering = "node u has arcs to d u, .., d u + d - 1, modulo n",
    .source =
        "S. M. Reddy, D. K. Pradhan, J. G. Kuhl, Directed graphs with minimal and maximal connectivity (1980)",
    .samples = generalized_de_bruijn_parts::kSamples,
    .build =
        [](const SpecCall& call) {
          return digit_graph_topology(call, generalized_de_bruijn_parts::read(call));
        },
    .facts =
        [](const SpecCall& call) { return digit_graph_facts(call, generalized_de_bruijn_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
