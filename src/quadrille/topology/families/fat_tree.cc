#include <fmt/format.h>

#include "quadrille/topology/families/complete_tree.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace fat_tree_parts {
namespace {

constexpr std::string_view kSyntax = "fat_tree(k1,..,kh;constant|exponential|c1,..,ch)";
constexpr std::string_view kSamples[] = {"fat_tree(4)",
                                         "fat_tree(2^2)",
                                         "fat_tree(2^3)",
                                         "fat_tree(3^2)",
                                         "fat_tree(4,2)",
                                         "fat_tree(2^3;exponential)",
                                         "fat_tree(3,2;exponential)",
                                         "fat_tree(2,3;1,2)",
                                         "fat_tree(2,2,3;2,2,3)"};
constexpr uint64_t kMaxCapacity = 0xffffffffU;

std::vector<uint64_t> exponential(const SpecCall& call, const std::vector<uint64_t>& arity) {
  std::vector<uint64_t> out;
  Int128 capacity = 1;
  for (const uint64_t k : arity) {
    if (capacity > Int128{kMaxCapacity}) {
      throw call.error(call.sections[1].where,
                       fmt::format("the capacity of level {} is {}; at most {} is possible", out.size() + 1,
                                   to_string(capacity), kMaxCapacity));
    }
    out.push_back(static_cast<uint64_t>(capacity));
    capacity = capacity * k;
  }
  return out;
}

// The argument that speaks of a level: 2^3 speaks of three.
const Arg& argument_of(const SpecSection& given, size_t level) {
  size_t arg = 0;
  for (size_t levels = 0; arg + 1 < given.args.size(); ++arg) {
    levels += given.args[arg].kind == ArgKind::kPower ? given.args[arg].second : 1;
    if (levels >= level) break;
  }
  return given.args[arg];
}

void require_growth(const SpecCall& call, const std::vector<uint64_t>& capacity) {
  for (size_t l = 1; l < capacity.size(); ++l) {
    if (capacity[l] >= capacity[l - 1]) continue;
    throw call.error(
        argument_of(call.sections[1], l + 1).where,
        fmt::format("the capacity of level {} is {}, less than {} below it: a fat tree may stay as "
                    "wide towards its root or grow, not shrink",
                    l + 1, capacity[l], capacity[l - 1]));
  }
}

std::vector<uint64_t> read_capacities(const SpecCall& call, const std::vector<uint64_t>& arity) {
  std::vector<uint64_t> constant(arity.size(), 1);
  if (call.sections.size() == 1) return constant;
  const SpecSection& pattern = call.sections[1];
  if (pattern.args.size() == 1 && pattern.args[0].kind == ArgKind::kWord) {
    const Arg& word = pattern.args[0];
    if (word.text == "constant") return constant;
    if (word.text == "exponential") return exponential(call, arity);
    throw call.error(word.where,
                     fmt::format("unknown capacity pattern '{}'; write constant, exponential or one "
                                 "capacity per level, leaves first",
                                 word.text));
  }
  std::vector<uint64_t> out = read_numbers(call, 1, "capacity", 1, kMaxCapacity);
  if (out.size() != arity.size()) {
    throw call.error(pattern.where, fmt::format("{} capacities for {} levels; one per level is needed",
                                                out.size(), arity.size()));
  }
  require_growth(call, out);
  return out;
}

CompleteTree read_tree(const SpecCall& call) {
  expect_sections(call, 1, 2, kSyntax);
  CompleteTree out;
  out.arity = read_numbers(call, 0, "arity", 2);
  out.capacity = read_capacities(call, out.arity);
  out.routers = true;
  out.spec = fmt::format("fat_tree({}", levels_text(out.arity));
  if (out.capacity != std::vector<uint64_t>(out.arity.size(), 1)) {
    bool doubling = true;
    for (size_t l = 0; l < out.capacity.size(); ++l) {
      doubling = doubling && out.capacity[l] == (l == 0 ? 1 : out.capacity[l - 1] * out.arity[l - 1]);
    }
    out.spec += doubling ? ";exponential" : fmt::format(";{}", levels_text(out.capacity));
  }
  out.spec += ')';
  return out;
}

TopologyFacts facts(const SpecCall& call) { return complete_tree_facts(read_tree(call)); }
Topology build(const SpecCall& call) { return complete_tree_topology(call, read_tree(call)); }

}  // namespace
}  // namespace fat_tree_parts

namespace families {

extern const Family fat_tree;

constinit const Family fat_tree = {
    .name = "fat_tree",
    .summary = "a complete tree whose leaves are processors, with wider links towards the root if wanted",
    .syntax = fat_tree_parts::kSyntax,
    .parameters =
        "k1,..,kh: children of a node of level 1, .., h, at least 2 (2^4 is 2,2,2,2); c1,..,ch: capacity of a "
        "link below a node of that level, never less than that of the level below; constant (the default) is "
        "1 everywhere, exponential is as many as leaves below the link",
    .numbering =
        "leaves 0..n-1 from left to right, then routers level by level upwards; router i of level l is i@l",
    .source =
        "C. E. Leiserson, Fat-trees: universal networks for hardware-efficient supercomputing, IEEE Trans. "
        "Comput. 34 (1985)",
    .samples = fat_tree_parts::kSamples,
    .build = fat_tree_parts::build,
    .facts = fat_tree_parts::facts,
};

}  // namespace families

}  // namespace quadrille
