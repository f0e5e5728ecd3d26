#include <fmt/format.h>

#include "quadrille/topology/families/switched/random_regular_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace jellyfish_parts {
namespace {

constexpr std::string_view kSyntax = "jellyfish(s,r,p;seed)";
constexpr std::string_view kSamples[] = {"jellyfish(1,0,3)", "jellyfish(2,1,2)", "jellyfish(8,3,2;1)",
                                         "jellyfish(10,4,1;2)"};
constexpr uint64_t kMost = 1'000'000;

SwitchNetwork read(const SpecCall& call) {
  expect_sections(call, 1, 2, kSyntax);
  expect_arguments(call, 0, 3, kSyntax);
  if (call.sections.size() == 2) expect_arguments(call, 1, 1, kSyntax);
  const RegularGraph graph = read_regular_graph(call);
  const uint64_t hosts = read_number(call, call.sections[0].args[2], "number of hosts of a switch", 1, kMost);
  const uint64_t seed = read_seed(call);
  require_buildable(call, Int128{graph.nodes} * (hosts + 1),
                    Int128{graph.nodes} * (graph.degree + 2 * hosts));
  SwitchNetwork out;
  out.spec = fmt::format("jellyfish({},{},{};{})", graph.nodes, graph.degree, hosts, seed);
  out.switches = graph.nodes;
  out.hosts_each = hosts;
  out.links = random_regular_links(graph.nodes, graph.degree, seed);
  return out;
}

}  // namespace
}  // namespace jellyfish_parts

namespace families {

extern const Family jellyfish;

constinit const Family jellyfish = {
    .name = "jellyfish",
    .summary = "switches that form a random regular graph, with the same number of hosts on each",
    .syntax = jellyfish_parts::kSyntax,
    .parameters =
        "s: switches; r: links of a switch to others; p: hosts of a switch; seed: which of these graphs, the same on "
        "every machine (1 where none is given)",
    .numbering =
        "hosts first, switch by switch, then switches s0, s1, .., linked like random_regular(s,r;seed)",
    .source =
        "A. Singla, C.-Y. Hong, L. Popa, P. B. Godfrey, Jellyfish: networking data centers randomly, NSDI 2012",
    .samples = jellyfish_parts::kSamples,
    .build = [](const SpecCall& call) { return switch_network_topology(call, jellyfish_parts::read(call)); },
    .facts = [](const SpecCall& call) { return switch_network_facts(jellyfish_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
