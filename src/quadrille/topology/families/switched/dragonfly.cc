#include <fmt/format.h>

#include "quadrille/topology/families/switched/global_links.h"
#include "quadrille/topology/families/switched/switch_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace dragonfly_parts {
namespace {

constexpr std::string_view kSyntax = "dragonfly(p,a,h[,g])";
constexpr std::string_view kSamples[] = {"dragonfly(0,1,1)",   "dragonfly(0,2,1)",  "dragonfly(1,2,1)",
                                         "dragonfly(0,4,2)",   "dragonfly(2,4,2)",  "dragonfly(0,4,2,5)",
                                         "dragonfly(1,2,2,2)", "dragonfly(0,3,1,3)"};
constexpr uint64_t kMost = 1'000'000;

SwitchNetwork read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  if (args.size() != 4) expect_arguments(call, 0, 3, kSyntax);
  const uint64_t hosts = read_number(call, args[0], "number of hosts of a router", 0, kMost);
  const uint64_t routers = read_number(call, args[1], "number of routers of a group", 1, kMost);
  const uint64_t global = read_number(call, args[2], "number of global links of a router", 1, kMost);
  const uint64_t most = most_groups(routers * global);
  const uint64_t groups = args.size() == 4 ? read_number(call, args[3], "number of groups", 2, most) : most;
  require_buildable(call, Int128{groups} * routers * (hosts + 1),
                    Int128{groups} * routers * (2 * hosts + routers - 1 + global));
  SwitchNetwork out;
  out.spec = groups == most ? fmt::format("dragonfly({},{},{})", hosts, routers, global)
                            : fmt::format("dragonfly({},{},{},{})", hosts, routers, global, groups);
  out.switches = groups * routers;
  out.hosts_each = hosts;
  const auto link = [&out](uint64_t a, uint64_t b) {
    out.links.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b)});
  };
  for (uint64_t x = 0; x < groups; ++x)
    for (uint64_t i = 0; i < routers; ++i)
      for (uint64_t j = i + 1; j < routers; ++j) link(x * routers + i, x * routers + j);
  for_each_global_link(groups, routers * global, [&](uint64_t x, uint64_t i, uint64_t y, uint64_t j) {
    link(x * routers + i / global, y * routers + j / global);
  });
  return out;
}

}  // namespace
}  // namespace dragonfly_parts

namespace families {

extern const Family dragonfly;

constinit const Family dragonfly = {
    .name = "dragonfly",
    .summary =
        "groups of routers, all linked within a group and every two groups linked by their global links",
    .syntax = dragonfly_parts::kSyntax,
    .parameters =
        "p: hosts of a router (0: the routers are the endpoints); a: routers of a group; h: global links of a router; "
        "g: groups, 2 to a h + 1 (the default, one link between every two groups; fewer share the links evenly)",
    .numbering =
        "hosts first, router by router, then routers s0, s1, .. group by group; global port i of a group, h of each "
        "router in turn, leads to the (i+1)th group after it",
    .source =
        "J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008",
    .samples = dragonfly_parts::kSamples,
    .build = [](const SpecCall& call) { return switch_network_topology(call, dragonfly_parts::read(call)); },
    .facts = [](const SpecCall& call) { return switch_network_facts(dragonfly_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
