#include <fmt/format.h>

#include "quadrille/topology/families/complete_tree.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace tree_parts {
namespace {

constexpr std::string_view kSyntax = "tree(k1,..,kh)";
constexpr std::string_view kSamples[] = {"tree(1)",   "tree(2)",   "tree(4)",     "tree(1,1)",  "tree(2^2)",
                                         "tree(2^3)", "tree(3^2)", "tree(4,1,2)", "tree(2,3,1)"};

CompleteTree read_tree(const SpecCall& call) {
  CompleteTree out;
  out.arity = read_only_numbers(call, "arity", kSyntax);
  out.capacity.assign(out.arity.size(), 1);
  out.spec = fmt::format("tree({})", levels_text(out.arity));
  return out;
}

TopologyFacts facts(const SpecCall& call) { return complete_tree_facts(read_tree(call)); }
Topology build(const SpecCall& call) { return complete_tree_topology(call, read_tree(call)); }

}  // namespace
}  // namespace tree_parts

namespace families {

extern const Family tree;

constinit const Family tree = {
    .name = "tree",
    .summary = "a complete tree, every node a processor",
    .syntax = tree_parts::kSyntax,
    .parameters =
        "k1,..,kh: children of a node of level 1, .., h, leaves being level 0; tree(2^4) is tree(2,2,2,2)",
    .numbering = "level by level from the leaves upwards, left to right; node i of level l is i@l",
    .source = "",
    .samples = tree_parts::kSamples,
    .build = tree_parts::build,
    .facts = tree_parts::facts,
};

}  // namespace families

}  // namespace quadrille
