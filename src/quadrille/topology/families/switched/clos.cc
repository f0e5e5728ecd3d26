#include <fmt/format.h>

#include "quadrille/topology/families/switched/folded_clos.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace clos_parts {
namespace {

constexpr std::string_view kSyntax = "clos(k) or clos(m,n,r)";
constexpr std::string_view kAliases[] = {"folded_clos", "k_ary_fat_tree"};
constexpr std::string_view kSamples[] = {"clos(2)", "clos(4)", "clos(1,2,2)", "clos(2,2,3)", "clos(4,4,2)"};

FoldedClos read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  FoldedClos out;
  if (args.size() == 3) {
    const uint64_t spines = read_number(call, args[0], "number of spine switches");
    const uint64_t hosts = read_number(call, args[1], "number of hosts of a leaf switch");
    const uint64_t leaves = read_number(call, args[2], "number of leaf switches");
    out.children = {hosts, leaves};
    out.parents = {1, spines};
    out.spec = fmt::format("clos({},{},{})", spines, hosts, leaves);
  } else {
    expect_arguments(call, 0, 1, kSyntax);
    const uint64_t ports = read_number(call, args[0], "number of ports of a switch", 2);
    if (ports % 2 != 0)
      throw call.error(args[0].where,
                       fmt::format("{} ports: half of a switch's ports lead up, so k is even", ports));
    out.children = {ports / 2, ports / 2, ports};
    out.parents = {1, ports / 2, ports / 2};
    out.spec = fmt::format("clos({})", ports);
  }
  out.capacity.assign(out.children.size(), 1);
  return out;
}

}  // namespace
}  // namespace clos_parts

namespace families {

extern const Family clos;

constinit const Family clos = {
    .name = "clos",
    .summary = "a folded Clos network: three levels of equal switches, or leaves and spines",
    .syntax = clos_parts::kSyntax,
    .parameters =
        "k: ports of every switch, even: k^3/4 hosts, k pods of k/2 edge and k/2 aggregation switches, k^2/4 core switches; "
        "or m spines, n hosts of a leaf, r leaves",
    .numbering =
        "hosts from left to right, then switches level by level upwards, pod by pod; switch i of level l is i@l; core "
        "switch a k/2 + j is above the aggregation switches number a of all pods",
    .source =
        "M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008; "
        "C. Clos, A study of non-blocking switching networks, Bell Syst. Tech. J. 32 (1953)",
    .aliases = clos_parts::kAliases,
    .samples = clos_parts::kSamples,
    .build = [](const SpecCall& call) { return folded_clos_topology(call, clos_parts::read(call)); },
    .facts = [](const SpecCall& call) { return folded_clos_facts(clos_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
