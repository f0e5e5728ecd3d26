#include <fmt/format.h>

#include "quadrille/topology/families/switched/global_links.h"
#include "quadrille/topology/families/switched/switch_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace megafly_parts {
namespace {

constexpr std::string_view kSyntax = "megafly(p,l,s,h[,g])";
constexpr std::string_view kAliases[] = {"dragonfly_plus"};
constexpr std::string_view kSamples[] = {"megafly(1,1,1,1)", "megafly(1,2,2,1)", "megafly(2,2,2,1)",
                                         "megafly(1,2,2,2,3)"};
constexpr uint64_t kMost = 1'000'000;

// Leaves of all groups come first, since they have the hosts; then the spines.
SwitchNetwork read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  if (args.size() != 5) expect_arguments(call, 0, 4, kSyntax);
  const uint64_t hosts = read_number(call, args[0], "number of hosts of a leaf", 1, kMost);
  const uint64_t leaves = read_number(call, args[1], "number of leaves of a group", 1, kMost);
  const uint64_t spines = read_number(call, args[2], "number of spines of a group", 1, kMost);
  const uint64_t global = read_number(call, args[3], "number of global links of a spine", 1, kMost);
  const uint64_t most = most_groups(spines * global);
  const uint64_t groups = args.size() == 5 ? read_number(call, args[4], "number of groups", 2, most) : most;
  require_buildable(call, Int128{groups} * (Int128{leaves} * (hosts + 1) + spines),
                    Int128{groups} * (2 * Int128{leaves} * (hosts + spines) + Int128{spines} * global));
  SwitchNetwork out;
  out.spec = groups == most ? fmt::format("megafly({},{},{},{})", hosts, leaves, spines, global)
                            : fmt::format("megafly({},{},{},{},{})", hosts, leaves, spines, global, groups);
  out.switches = groups * (leaves + spines);
  out.hosts_each = hosts;
  out.with_hosts = groups * leaves;
  const auto link = [&out](uint64_t a, uint64_t b) {
    out.links.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b)});
  };
  const auto spine = [&](uint64_t group, uint64_t i) { return groups * leaves + group * spines + i; };
  for (uint64_t x = 0; x < groups; ++x)
    for (uint64_t i = 0; i < leaves; ++i)
      for (uint64_t j = 0; j < spines; ++j) link(x * leaves + i, spine(x, j));
  for_each_global_link(groups, spines * global, [&](uint64_t x, uint64_t i, uint64_t y, uint64_t j) {
    link(spine(x, i / global), spine(y, j / global));
  });
  return out;
}

}  // namespace
}  // namespace megafly_parts

namespace families {

extern const Family megafly;

constinit const Family megafly = {
    .name = "megafly",
    .summary =
        "groups of leaf and spine switches, every two groups linked by the global links of their spines",
    .syntax = megafly_parts::kSyntax,
    .parameters =
        "p: hosts of a leaf; l, s: leaves and spines of a group, each leaf linked to each spine; h: global links of a "
        "spine; g: groups, 2 to s h + 1 (the default)",
    .numbering =
        "hosts first, leaf by leaf, then the leaves s0, s1, .. group by group, then the spines; global ports as in "
        "dragonfly",
    .source =
        "M. Flajslik, E. Borch, M. A. Parker, Megafly: a topology for exascale systems, ISC 2018; A. Shpiner et al., "
        "Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017",
    .aliases = megafly_parts::kAliases,
    .samples = megafly_parts::kSamples,
    .build = [](const SpecCall& call) { return switch_network_topology(call, megafly_parts::read(call)); },
    .facts = [](const SpecCall& call) { return switch_network_facts(megafly_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
