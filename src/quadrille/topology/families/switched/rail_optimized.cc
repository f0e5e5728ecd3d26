#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace rail_optimized_parts {
namespace {

constexpr std::string_view kSyntax = "rail_optimized(b,g,s[;c])";
constexpr std::string_view kSamples[] = {"rail_optimized(1,2,0)", "rail_optimized(2,2,0)",
                                         "rail_optimized(3,4,2)", "rail_optimized(2,4,1;3)"};
constexpr uint64_t kMost = 1'000'000;

struct Rails {
  std::string spec;
  uint64_t boxes;
  uint64_t gpus;
  uint64_t spines;
  uint64_t inside;  // capacity of a link to the box's own switch
};

Rails read(const SpecCall& call) {
  expect_sections(call, 1, 2, kSyntax);
  expect_arguments(call, 0, 3, kSyntax);
  if (call.sections.size() == 2) expect_arguments(call, 1, 1, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  Rails out{};
  out.boxes = read_number(call, args[0], "number of boxes", 1, kMost);
  out.gpus = read_number(call, args[1], "number of accelerators of a box", 1, kMost);
  out.spines = read_number(call, args[2], "number of spine switches", 0, kMost);
  out.inside = call.sections.size() == 2
                   ? read_number(call, call.sections[1].args[0], "capacity inside a box", 1, kMost)
                   : 1;
  out.spec = fmt::format("rail_optimized({},{},{}{})", out.boxes, out.gpus, out.spines,
                         out.inside == 1 ? "" : fmt::format(";{}", out.inside));
  return out;
}

TopologyFacts facts_of(const Rails& rails) {
  TopologyFacts out;
  out.spec = rails.spec;
  out.endpoints = Int128{rails.boxes} * rails.gpus;
  out.nodes = out.endpoints + rails.boxes + rails.gpus + rails.spines;
  out.links = 2 * out.endpoints + Int128{rails.gpus} * rails.spines;
  const uint64_t rail = rails.boxes + rails.spines;
  out.min_degree = Int128{std::min({uint64_t{2}, rails.gpus, rail})};
  if (rails.spines > 0) out.min_degree = std::min(*out.min_degree, Int128{rails.gpus});
  out.max_degree = Int128{std::max({uint64_t{2}, rails.gpus, rail})};
  return out;
}

Topology build(const SpecCall& call) {
  const Rails rails = read(call);
  const TopologyFacts facts = facts_of(rails);
  require_buildable(call, facts.nodes, 2 * facts.links);
  TopologyBuilder builder(rails.spec, static_cast<uint64_t>(facts.nodes));
  const auto node = [](uint64_t number) { return NodeId{static_cast<uint32_t>(number)}; };
  const uint64_t hosts = rails.boxes * rails.gpus;
  const uint64_t first_rail = hosts + rails.boxes;
  const uint64_t first_spine = first_rail + rails.gpus;
  std::vector<NodeId> endpoints;
  std::vector<std::string> labels;
  for (uint64_t i = 0; i < hosts; ++i) {
    endpoints.push_back(node(i));
    labels.push_back(fmt::format("{}.{}", i / rails.gpus, i % rails.gpus));
    builder.link(node(i), node(hosts + i / rails.gpus), static_cast<uint32_t>(rails.inside));
    builder.link(node(i), node(first_rail + i % rails.gpus));
  }
  for (uint64_t box = 0; box < rails.boxes; ++box) labels.push_back(fmt::format("box{}", box));
  for (uint64_t rail = 0; rail < rails.gpus; ++rail) {
    labels.push_back(fmt::format("rail{}", rail));
    for (uint64_t spine = 0; spine < rails.spines; ++spine)
      builder.link(node(first_rail + rail), node(first_spine + spine));
  }
  for (uint64_t spine = 0; spine < rails.spines; ++spine) labels.push_back(fmt::format("spine{}", spine));
  builder.endpoints(std::move(endpoints));
  builder.labels(std::move(labels));
  return builder.build();
}

}  // namespace
}  // namespace rail_optimized_parts

namespace families {

extern const Family rail_optimized;

constinit const Family rail_optimized = {
    .name = "rail_optimized",
    .summary = "boxes of accelerators with a switch inside; accelerator i of every box is on rail switch i",
    .syntax = rail_optimized_parts::kSyntax,
    .parameters =
        "b: boxes; g: accelerators of a box, and rails; s: spine switches that join the rails (0: rails only); c: capacity "
        "of an accelerator's link to the switch of its box (1), against 1 to its rail",
    .numbering = "accelerator i of box x is x g + i and is called x.i; then box0, .., rail0, .., spine0, ..",
    .source =
        "NVIDIA DGX SuperPOD reference architecture (2023); without spines: W. Wang, M. Ghobadi, K. Shakeri, Y. Zhang, N. "
        "Hasani, Rail-only, arXiv 2307.12169 (2023)",
    .samples = rail_optimized_parts::kSamples,
    .build = rail_optimized_parts::build,
    .facts =
        [](const SpecCall& call) { return rail_optimized_parts::facts_of(rail_optimized_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
