#include <fmt/format.h>

#include "quadrille/topology/families/directed/digit_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace kautz_parts {
namespace {

constexpr std::string_view kSyntax = "kautz(d,n)";
constexpr std::string_view kSamples[] = {"kautz(1,2)", "kautz(2,1)", "kautz(2,2)", "kautz(2,3)",
                                         "kautz(3,2)"};
constexpr uint64_t kMostDegree = 1'000'000;

DigitGraph read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  const uint64_t degree = read_number(call, args[0], "number of arcs of a node", 1, kMostDegree);
  const uint64_t length = read_number(call, args[1], "length of a word");
  DigitGraph out;
  out.spec = fmt::format("kautz({},{})", degree, length);
  out.rule = DigitRule::kKautz;
  out.nodes = degree == 1 ? Int128{2} : word_count(call, degree, length) / degree * (degree + 1);
  out.degree = degree;
  // Words of two letters in turn are linked both ways.
  out.links = out.nodes * degree - Int128{degree} * (degree + 1) / 2;
  out.diameter = degree == 1 ? Int128{1} : Int128{length};
  return out;
}

}  // namespace
}  // namespace kautz_parts

namespace families {

extern const Family kautz;

constinit const Family kautz = {
    .name = "kautz",
    .summary =
        "directed: words of n of d + 1 letters, no letter twice running, each with an arc to the words one letter on",
    .syntax = kautz_parts::kSyntax,
    .parameters =
        "d: arcs of a node, at least 1; n: length of a word, which is the diameter; d^n + d^(n-1) nodes",
    .numbering = "node u has arcs to -d u - 1, .., -d u - d, modulo the number of nodes",
    .source =
        "W. H. Kautz, Bounds on directed (d,k) graphs (1968); the numbering is M. Imase, M. Itoh, Design to minimize diameter on building-block network, IEEE Trans. Comput. 30 (1981)",
    .samples = kautz_parts::kSamples,
    .build = [](const SpecCall& call) { return digit_graph_topology(call, kautz_parts::read(call)); },
    .facts = [](const SpecCall& call) { return digit_graph_facts(call, kautz_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
