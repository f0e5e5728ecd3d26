#include <fmt/format.h>

#include "quadrille/topology/families/switched/random_regular_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace random_regular_parts {
namespace {

constexpr std::string_view kSyntax = "random_regular(n,d;seed)";
constexpr std::string_view kSamples[] = {
    "random_regular(1,0)",   "random_regular(2,1)",    "random_regular(7,2;5)", "random_regular(8,3;1)",
    "random_regular(9,4;2)", "random_regular(10,8;3)", "random_regular(6,5;1)", "random_regular(24,3;7)"};

SwitchNetwork read(const SpecCall& call) {
  expect_sections(call, 1, 2, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  if (call.sections.size() == 2) expect_arguments(call, 1, 1, kSyntax);
  const RegularGraph graph = read_regular_graph(call);
  const uint64_t seed = read_seed(call);
  SwitchNetwork out;
  out.spec = fmt::format("random_regular({},{};{})", graph.nodes, graph.degree, seed);
  out.switches = graph.nodes;
  out.links = random_regular_links(graph.nodes, graph.degree, seed);
  return out;
}

}  // namespace
}  // namespace random_regular_parts

namespace families {

extern const Family random_regular;

constinit const Family random_regular = {
    .name = "random_regular",
    .summary = "a random graph in which every node has the same number of links",
    .syntax = random_regular_parts::kSyntax,
    .parameters =
        "n: nodes; d: links of a node, at least 2, less than n, n d even; seed: which of these graphs, the same on every "
        "machine (1 where none is given)",
    .numbering = "as drawn",
    .source =
        "pairs of ends, drawn at random and mended: B. Bollobas, A probabilistic proof of an asymptotic formula for the "
        "number of labelled regular graphs, European J. Combin. 1 (1980)",
    .samples = random_regular_parts::kSamples,
    .build =
        [](const SpecCall& call) { return switch_network_topology(call, random_regular_parts::read(call)); },
    .facts = [](const SpecCall& call) { return switch_network_facts(random_regular_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
