#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/faults/faults.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace without_parts {
namespace {

constexpr std::string_view kSyntax = "without(topology;\"link A B\",\"node A\",..)";
constexpr std::string_view kAliases[] = {"faulty"};
constexpr std::string_view kSamples[] = {
    "without(torus(3,3);\"link (0,0) (0,1)\")", "without(mesh(3,3);\"node (1,1)\")",
    "without(hypercube(3);\"link 0 1\",\"link 2 3\",\"node 7\")", "without(complete(3);\"arc 0 1\")",
    "without(fat_tree(3);\"node 1\")"};
constexpr size_t kMostNamed = 4;

// Whoever is cut off without being dead has to be named: a plan that leaves a rank out unasked would be no answer.
void require_whole(const SpecCall& call, const Topology& healthy, const FaultyNetwork& left) {
  if (left.cut_off.empty()) return;
  std::string named;
  std::string words;
  for (size_t i = 0; i < std::min(left.cut_off.size(), kMostNamed); ++i) {
    const std::string label = healthy.label(left.cut_off[i]);
    named += fmt::format("{}{}", i == 0 ? "" : ", ", label);
    words += fmt::format("{}\"node {}\"", i == 0 ? "" : ",", label);
  }
  const bool more = left.cut_off.size() > kMostNamed;
  throw call.error(
      call.sections[1].where,
      fmt::format("this cuts off {}{} from the others; to plan for those that are left, add {}{}", named,
                  more ? fmt::format(" and {} more", left.cut_off.size() - kMostNamed) : "", words,
                  more ? ",.." : ""));
}

Topology build(const SpecCall& call) {
  expect_sections(call, 2, 2, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& of = call.sections[0].args[0];
  if (of.kind != ArgKind::kCall)
    throw call.error(of.where,
                     fmt::format("a topology like torus(4,4) is needed, not '{}'", call.quote(of.where)));
  const Topology healthy = build_topology(of.call[0]);
  Faults faults;
  std::string name = fmt::format("without({};", healthy.name());
  for (const Arg& arg : call.sections[1].args) {
    if (arg.kind != ArgKind::kQuoted)
      throw call.error(arg.where, fmt::format("a fault is given in quotes: {}", kSyntax));
    try {
      add_fault(healthy, arg.text, faults);
    } catch (const InputError& error) {
      throw call.error(arg.where, error.what());
    }
    name += fmt::format("{}{}", name.back() == ';' ? "" : ",", in_quotes(arg.text));
  }
  if (faults.empty()) throw call.error(call.where, fmt::format("no fault is named: {}", kSyntax));
  try {
    const FaultyNetwork left = without(healthy, faults, name + ")");
    require_whole(call, healthy, left);
    return left.topology;
  } catch (const SpecError&) {
    throw;
  } catch (const InputError& error) {
    throw call.error(call.sections[1].where, error.what());
  }
}

}  // namespace
}  // namespace without_parts

namespace families {

extern const Family without;

constinit const Family without = {
    .name = "without",
    .summary = "any topology with links or nodes that are out of order",
    .syntax = without_parts::kSyntax,
    .parameters =
        "faults, nodes by number or label: link A B takes both directions away, arc A B one, node A the node and its links",
    .numbering = "the nodes that are left, in the order and with the labels that they had",
    .source = "",
    .aliases = without_parts::kAliases,
    .samples = without_parts::kSamples,
    .build = without_parts::build,
    .facts = [](const SpecCall& call) { return read_graph_facts(without_parts::build(call)); },
};

}  // namespace families

}  // namespace quadrille
