#include "quadrille/topology/families/torus.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace k_ary_n_cube_parts {
namespace {

constexpr std::string_view kSyntax = "k_ary_n_cube(k,n)";
constexpr std::string_view kSamples[] = {"k_ary_n_cube(1,2)", "k_ary_n_cube(4,2)", "k_ary_n_cube(3,2)",
                                         "k_ary_n_cube(2,3)", "k_ary_n_cube(6,1)"};

std::vector<uint64_t> sides_of(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  const uint64_t k = read_number(call, args[0], "side");
  return std::vector<uint64_t>(read_number(call, args[1], "number of dimensions", 1, kMaxDimensions), k);
}

TopologyFacts facts(const SpecCall& call) { return torus_facts(sides_of(call)); }
Topology build(const SpecCall& call) { return torus_topology(call, sides_of(call)); }
Topology outline(const SpecCall& call) { return torus_outline(call, sides_of(call)); }

}  // namespace
}  // namespace k_ary_n_cube_parts

namespace families {

extern const Family k_ary_n_cube;

constinit const Family k_ary_n_cube = {
    .name = "k_ary_n_cube",
    .summary = "the torus with n equal sides of k; another way to write torus(k^n), whose name it bears",
    .syntax = k_ary_n_cube_parts::kSyntax,
    .parameters = "k: side; n: number of dimensions",
    .numbering = "as in torus",
    .source = "as torus",
    .samples = k_ary_n_cube_parts::kSamples,
    .build = k_ary_n_cube_parts::build,
    .facts = k_ary_n_cube_parts::facts,
    .outline = k_ary_n_cube_parts::outline,
};

}  // namespace families

}  // namespace quadrille
