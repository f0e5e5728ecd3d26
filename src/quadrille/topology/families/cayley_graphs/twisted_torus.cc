#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/cayley/sheared_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace twisted_torus_parts {
namespace {

constexpr std::string_view kSyntax = "twisted_torus(n1,..,nd;t1,..,t(d-1))";
constexpr std::string_view kSamples[] = {"twisted_torus(2,4;2)",     "twisted_torus(3,5;2)",
                                         "twisted_torus(4,8;4)",     "twisted_torus(2,2,4;2,2)",
                                         "twisted_torus(3,4,6;1,3)", "twisted_torus(1,7;2)"};

struct TwistedTorus {
  std::string spec;
  Int128 nodes = 1;
  std::vector<uint32_t> sides;
  std::vector<uint32_t> shifts;
};

TwistedTorus read(const SpecCall& call) {
  expect_sections(call, 2, 2, kSyntax);
  const std::vector<uint64_t> sides = read_numbers(call, 0, "side", 1, 0xffffffffU);
  const std::vector<uint64_t> shifts = read_numbers(call, 1, "twist", 0, sides.back() - 1);
  if (shifts.size() + 1 != sides.size()) {
    throw call.error(call.sections[1].where,
                     fmt::format("{} twists for {} sides; one for each side but the last is needed",
                                 shifts.size(), sides.size()));
  }
  TwistedTorus out;
  out.spec = fmt::format("twisted_torus({};{})", fmt::join(sides, ","), fmt::join(shifts, ","));
  for (const uint64_t side : sides) out.nodes = checked_product(out.nodes, Int128{side}, "number of nodes");
  out.sides.assign(sides.begin(), sides.end());
  out.shifts.assign(shifts.begin(), shifts.end());
  require_buildable(call, out.nodes, out.nodes * Int128{2 * sides.size()});
  return out;
}

// One step in each dimension, both ways; steps that lead to the same node are one.
std::vector<uint32_t> generators_of(const TwistedTorus& torus, const Group& group) {
  std::vector<uint32_t> out;
  uint32_t place = 1;
  for (size_t i = torus.sides.size(); i-- > 0;) {
    const uint32_t length = torus.sides.back();
    // A side of one node: the step comes round at once, and is the twist alone.
    const bool last = i + 1 == torus.sides.size();
    const uint32_t step = torus.sides[i] > 1 ? place : last ? 0 : (length - torus.shifts[i]) % length;
    for (const uint32_t element : {step, group.inverse(step)})
      if (element != 0) out.push_back(element);
    place *= torus.sides[i];
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Topology build(const SpecCall& call) {
  const TwistedTorus torus = read(call);
  const auto group = sheared_group(torus.sides, torus.shifts);
  TopologyBuilder builder(torus.spec, static_cast<uint64_t>(torus.nodes));
  builder.cayley(group, generators_of(torus, *group));
  return builder.build();
}

TopologyFacts facts(const SpecCall& call) {
  const TwistedTorus torus = read(call);
  const auto group = sheared_group(torus.sides, torus.shifts);
  TopologyFacts out;
  out.spec = torus.spec;
  out.nodes = out.endpoints = torus.nodes;
  const Int128 degree{generators_of(torus, *group).size()};
  out.links = torus.nodes * degree / 2;
  set_symmetric(out, degree, std::nullopt, std::nullopt, group->name());
  return out;
}

}  // namespace
}  // namespace twisted_torus_parts

namespace families {

extern const Family twisted_torus;

constinit const Family twisted_torus = {
    .name = "twisted_torus",
    .summary = "a torus whose wrap-around links in one dimension also move the last coordinate",
    .syntax = twisted_torus_parts::kSyntax,
    .parameters =
        "n1,..,nd: sides; ti: by how much the link from the start of dimension i round to its end moves the last coordinate, 0 "
        "to nd - 1. twisted_torus(4,4,8;4,4) is a twisted slice of a TPU v4",
    .numbering = "coordinates in row-major order, the last one fastest",
    .source =
        "J. M. Camara et al., Twisted torus topologies for enhanced interconnection networks, IEEE Trans. Parallel Distrib. "
        "Syst. 21 (2010); N. P. Jouppi et al., TPU v4, ISCA 2023",
    .samples = twisted_torus_parts::kSamples,
    .build = twisted_torus_parts::build,
    .facts = twisted_torus_parts::facts,
};

}  // namespace families

}  // namespace quadrille
