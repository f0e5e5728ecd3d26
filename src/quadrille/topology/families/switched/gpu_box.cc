#include <fmt/format.h>

#include "quadrille/topology/families/switched/folded_clos.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace gpu_box_parts {
namespace {

constexpr std::string_view kSyntax = "gpu_box(g,s[;c])";
constexpr std::string_view kSamples[] = {"gpu_box(1,1)", "gpu_box(2,1)", "gpu_box(8,6)", "gpu_box(8,6;2)",
                                         "gpu_box(5,2)"};
constexpr uint64_t kMost = 1'000'000;

// Every accelerator below every switch: one level of a fat tree with several parents.
FoldedClos read(const SpecCall& call) {
  expect_sections(call, 1, 2, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  if (call.sections.size() == 2) expect_arguments(call, 1, 1, kSyntax);
  const uint64_t gpus = read_number(call, call.sections[0].args[0], "number of accelerators", 1, kMost);
  const uint64_t switches = read_number(call, call.sections[0].args[1], "number of switches", 1, kMost);
  const uint64_t links = call.sections.size() == 2 ? read_number(call, call.sections[1].args[0],
                                                                 "number of links to a switch", 1, kMost)
                                                   : 1;
  return {.spec = links == 1 ? fmt::format("gpu_box({},{})", gpus, switches)
                             : fmt::format("gpu_box({},{};{})", gpus, switches, links),
          .children = {gpus},
          .parents = {switches},
          .capacity = {links}};
}

}  // namespace
}  // namespace gpu_box_parts

namespace families {

extern const Family gpu_box;

constinit const Family gpu_box = {
    .name = "gpu_box",
    .summary = "accelerators in one box, each linked to each of its switches",
    .syntax = gpu_box_parts::kSyntax,
    .parameters =
        "g: accelerators; s: switches; c: links between an accelerator and a switch (1). A baseboard of a DGX-2 is "
        "gpu_box(8,6), a DGX A100 gpu_box(8,6;2)",
    .numbering = "accelerators first, then the switches; switch i is i@1",
    .source = "NVIDIA NVSwitch technical overview (2018) and DGX A100 system architecture (2020)",
    .samples = gpu_box_parts::kSamples,
    .build = [](const SpecCall& call) { return folded_clos_topology(call, gpu_box_parts::read(call)); },
    .facts = [](const SpecCall& call) { return folded_clos_facts(gpu_box_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
