#include <fmt/format.h>

#include "quadrille/topology/families/directed/digit_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace generalized_kautz_parts {
namespace {

constexpr std::string_view kSyntax = "generalized_kautz(n,d)";
constexpr std::string_view kAliases[] = {"imase_itoh"};
constexpr std::string_view kSamples[] = {"generalized_kautz(5,2)", "generalized_kautz(7,3)",
                                         "generalized_kautz(12,2)"};

DigitGraph read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  const uint64_t nodes = read_number(call, args[0], "number of nodes", 2);
  const uint64_t degree = read_number(call, args[1], "number of arcs of a node", 2, nodes);
  DigitGraph out;
  out.spec = fmt::format("generalized_kautz({},{})", nodes, degree);
  out.rule = DigitRule::kKautz;
  out.nodes = Int128{nodes};
  out.degree = degree;
  return out;
}

}  // namespace
}  // namespace generalized_kautz_parts

namespace families {

extern const Family generalized_kautz;

constinit const Family generalized_kautz = {
    .name = "generalized_kautz",
    .summary = "directed: a Kautz graph of any number of nodes, of diameter at most ceil(log_d n)",
    .syntax = generalized_kautz_parts::kSyntax,
    .parameters = "n: nodes; d: arcs of a node, 2 to n, loops and equal arcs left out",
    .numbering = "node u has arcs to -d u - 1, .., -d u - d, modulo n",
    .source =
        "M. Imase, M. Itoh, Design to minimize diameter on building-block network, IEEE Trans. Comput. 30 (1981)",
    .aliases = generalized_kautz_parts::kAliases,
    .samples = generalized_kautz_parts::kSamples,
    .build =
        [](const SpecCall& call) { return digit_graph_topology(call, generalized_kautz_parts::read(call)); },
    .facts =
        [](const SpecCall& call) { return digit_graph_facts(call, generalized_kautz_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
