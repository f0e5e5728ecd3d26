#include <fmt/format.h>

#include "quadrille/topology/families/directed/digit_graph.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace de_bruijn_parts {
namespace {

constexpr std::string_view kSyntax = "de_bruijn(d,n)";
constexpr std::string_view kSamples[] = {"de_bruijn(2,1)", "de_bruijn(2,3)", "de_bruijn(3,2)",
                                         "de_bruijn(2,4)"};
constexpr uint64_t kMostDegree = 1'000'000;

DigitGraph read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  const uint64_t digits = read_number(call, args[0], "number of digits", 2, kMostDegree);
  const uint64_t length = read_number(call, args[1], "length of a word");
  DigitGraph out;
  out.spec = fmt::format("de_bruijn({},{})", digits, length);
  out.nodes = word_count(call, digits, length);
  out.degree = digits;
  // A loop at every word of one digit; words of two digits in turn are linked both ways.
  out.links = (out.nodes - 1) * digits - Int128{digits} * (digits - 1) / 2;
  out.diameter = Int128{length};
  return out;
}

}  // namespace
}  // namespace de_bruijn_parts

namespace families {

extern const Family de_bruijn;

constinit const Family de_bruijn = {
    .name = "de_bruijn",
    .summary =
        "directed: words of n digits, each with an arc to the words got by dropping its first digit and adding one",
    .syntax = de_bruijn_parts::kSyntax,
    .parameters =
        "d: digits, at least 2; n: length of a word, at least 1; d^n nodes, d arcs a node but for loops",
    .numbering = "word x1..xn in base d",
    .source = "N. G. de Bruijn, A combinatorial problem, Proc. Kon. Ned. Akad. Wetensch. 49 (1946)",
    .samples = de_bruijn_parts::kSamples,
    .build = [](const SpecCall& call) { return digit_graph_topology(call, de_bruijn_parts::read(call)); },
    .facts = [](const SpecCall& call) { return digit_graph_facts(call, de_bruijn_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
