#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace among_parts {
namespace {

constexpr std::string_view kSyntax = "among(topology;\"ranks\") or among(topology;\"ranks\";no_relay)";
constexpr std::string_view kAliases[] = {"subset"};
constexpr std::string_view kSamples[] = {
    "among(torus(3,3);\"0-8:4\")", "among(torus(4,4);\"0-2,4-6\";no_relay)", "among(mesh(2,3);\"1,3,5\")",
    "among(fat_tree(2^3);\"0,5,6\")", "among(line(4);\"2\";no_relay)"};

Relay relay_of(const SpecCall& call) {
  if (call.sections.size() < 3) return Relay::kYes;
  expect_arguments(call, 2, 1, kSyntax);
  const Arg& arg = call.sections[2].args[0];
  if (arg.kind == ArgKind::kWord && arg.text == "relay") return Relay::kYes;
  if (arg.kind == ArgKind::kWord && arg.text == "no_relay") return Relay::kNo;
  throw call.error(arg.where,
                   fmt::format("relay (the others pass messages on) or no_relay is allowed: {}", kSyntax));
}

Topology build(const SpecCall& call) {
  expect_sections(call, 2, 3, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  expect_arguments(call, 1, 1, kSyntax);
  const Arg& of = call.sections[0].args[0];
  if (of.kind != ArgKind::kCall)
    throw call.error(of.where,
                     fmt::format("a topology like torus(4,4) is needed, not '{}'", call.quote(of.where)));
  const Topology whole = build_topology(of.call[0]);
  const Relay relay = relay_of(call);
  const Arg& given = call.sections[1].args[0];
  if (given.kind != ArgKind::kQuoted)
    throw call.error(given.where, fmt::format("ranks are given in quotes: {}", kSyntax));
  try {
    const std::vector<Rank> ranks = read_ranks(whole, given.text, "ranks");
    return among(whole, ranks, relay,
                 fmt::format("among({};{}{})", whole.name(), in_quotes(ranks_text(ranks)),
                             relay == Relay::kNo ? ";no_relay" : ""));
  } catch (const SpecError&) {
    throw;
  } catch (const InputError& error) {
    throw call.error(given.where, error.what());
  }
}

}  // namespace
}  // namespace among_parts

namespace families {

extern const Family among;

constinit const Family among = {
    .name = "among",
    .summary = "any topology of which some endpoints alone take part",
    .syntax = among_parts::kSyntax,
    .parameters =
        "ranks such as 0,3,8-15, every fourth 0-63:4, or labels; the other endpoints pass messages on as routers, "
        "with no_relay they are taken away",
    .numbering =
        "nodes in the order and with the labels that they had; rank i is the i-th of the ranks, ascending",
    .source = "",
    .aliases = among_parts::kAliases,
    .samples = among_parts::kSamples,
    .build = among_parts::build,
    .facts = [](const SpecCall& call) { return read_graph_facts(among_parts::build(call)); },
};

}  // namespace families

}  // namespace quadrille
