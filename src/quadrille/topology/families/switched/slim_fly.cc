// The graphs of McKay, Miller and Siran: two copies of the plane over a field of q elements; points (x, y) of the first
// are linked to (m, c) of the second iff y = m x + c, and within a column by the differences of one of two sets.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/families/switched/finite_field.h"
#include "quadrille/topology/families/switched/switch_network.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace slim_fly_parts {
namespace {

constexpr std::string_view kSyntax = "slim_fly(q[,p])";
constexpr std::string_view kSamples[] = {"slim_fly(3)",   "slim_fly(4)", "slim_fly(5)", "slim_fly(3,2)",
                                         "slim_fly(5,4)", "slim_fly(7)", "slim_fly(8)", "slim_fly(9)"};
constexpr uint64_t kMostElements = 4096;
constexpr uint64_t kMost = 1'000'000;

// Differences within a column: of the first copy (even powers), and of the second.
std::vector<uint32_t> differences(const FiniteField& field, bool first) {
  const uint32_t q = field.size();
  std::vector<uint32_t> out;
  const uint32_t parity = first ? 0 : 1;
  if (q % 4 != 3) {
    for (uint32_t e = parity; e < q; e += 2) out.push_back(field.power(e));
  } else {
    const uint32_t w = (q + 1) / 4;
    for (uint32_t e = parity; e <= 2 * w - 2 + parity; e += 2) out.push_back(field.power(e));
    for (uint32_t e = 2 * w - 1 + parity; e <= 4 * w - 3 + parity; e += 2) out.push_back(field.power(e));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

SwitchNetwork read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  if (args.size() != 2) expect_arguments(call, 0, 1, kSyntax);
  const auto q =
      static_cast<uint32_t>(read_number(call, args[0], "number of elements of the field", 3, kMostElements));
  const uint64_t hosts =
      args.size() == 2 ? read_number(call, args[1], "number of hosts of a router", 0, kMost) : 0;
  const std::optional<FiniteField> field = FiniteField::of(q);
  if (!field || q % 4 == 2) {
    throw call.error(args[0].where,
                     fmt::format("there is no field of {} elements: q is a power of a prime, from 3 on "
                                 "(3, 4, 5, 7, 8, 9, 11, ..)",
                                 q));
  }
  const Int128 switches = 2 * Int128{q} * q;
  require_buildable(call, switches * (hosts + 1), switches * (2 * hosts + (3 * q + 1) / 2));
  SwitchNetwork out;
  out.spec = hosts == 0 ? fmt::format("slim_fly({})", q) : fmt::format("slim_fly({},{})", q, hosts);
  out.switches = static_cast<uint64_t>(switches);
  out.hosts_each = hosts;
  for (const bool first : {true, false}) {
    const uint32_t base = first ? 0 : q * q;
    for (const uint32_t difference : differences(*field, first)) {
      for (uint32_t y = 0; y < q; ++y) {
        const uint32_t z = field->add(y, difference);
        for (uint32_t x = 0; x < q && y < z; ++x) out.links.push_back({base + x * q + y, base + x * q + z});
      }
    }
  }
  for (uint32_t x = 0; x < q; ++x)
    for (uint32_t y = 0; y < q; ++y)
      for (uint32_t m = 0; m < q; ++m)
        out.links.push_back({x * q + y, q * q + m * q + field->subtract(y, field->multiply(m, x))});
  return out;
}

TopologyFacts facts(const SpecCall& call) {
  const SwitchNetwork network = read(call);
  TopologyFacts out = switch_network_facts(network);
  out.diameter = network.hosts_each == 0 ? 2 : 4;
  return out;
}

}  // namespace
}  // namespace slim_fly_parts

namespace families {

extern const Family slim_fly;

constinit const Family slim_fly = {
    .name = "slim_fly",
    .summary = "2 q^2 routers of about 3 q / 2 links, no two further apart than two hops",
    .syntax = slim_fly_parts::kSyntax,
    .parameters =
        "q: a power of a prime, 3 to 4096; p: hosts of a router (without: the routers are the endpoints); (3 q - d) / 2 "
        "links a router, where q is d more than a multiple of 4, d = -1, 0 or 1",
    .numbering =
        "router (x,y) of the first plane is x q + y, (m,c) of the second q^2 + m q + c; hosts, if any, come first",
    .source =
        "M. Besta, T. Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014; the graphs are B. D. "
        "McKay, M. Miller, J. Siran, A note on large graphs of diameter two and given maximum degree, J. Combin. Theory B "
        "74 (1998)",
    .samples = slim_fly_parts::kSamples,
    .build = [](const SpecCall& call) { return switch_network_topology(call, slim_fly_parts::read(call)); },
    .facts = slim_fly_parts::facts,
};

}  // namespace families

}  // namespace quadrille
