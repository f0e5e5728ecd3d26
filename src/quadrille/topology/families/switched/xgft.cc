#include <fmt/format.h>

#include "quadrille/topology/families/switched/folded_clos.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace xgft_parts {
namespace {

constexpr std::string_view kSyntax = "xgft(m1,..,mh;w1,..,wh[;c1,..,ch])";
constexpr std::string_view kSamples[] = {"xgft(3;1)", "xgft(2,3;1,2)", "xgft(2,2,4;1,2,2)",
                                         "xgft(4,2;1,2;1,2)", "xgft(3,2,2;2,1,3)"};
constexpr uint64_t kMaxCapacity = 0xffffffffU;

std::vector<uint64_t> read_levels(const SpecCall& call, size_t section, std::string_view what, uint64_t most,
                                  size_t levels) {
  std::vector<uint64_t> out = read_numbers(call, section, what, 1, most);
  if (levels != 0 && out.size() != levels) {
    throw call.error(call.sections[section].where,
                     fmt::format("{} numbers for {} levels; one per level is needed", out.size(), levels));
  }
  return out;
}

FoldedClos read(const SpecCall& call) {
  expect_sections(call, 2, 3, kSyntax);
  FoldedClos out;
  out.children = read_levels(call, 0, "number of children", kMaxSize, 0);
  out.parents = read_levels(call, 1, "number of parents", kMaxSize, out.children.size());
  out.capacity.assign(out.children.size(), 1);
  const std::vector<uint64_t> ones = out.capacity;
  if (call.sections.size() == 3)
    out.capacity = read_levels(call, 2, "capacity", kMaxCapacity, out.children.size());
  out.spec = fmt::format("xgft({};{}{})", levels_text(out.children), levels_text(out.parents),
                         out.capacity == ones ? "" : ";" + levels_text(out.capacity));
  return out;
}

}  // namespace
}  // namespace xgft_parts

namespace families {

extern const Family xgft;

constinit const Family xgft = {
    .name = "xgft",
    .summary = "an extended generalised fat tree: levels of switches, each node with several parents",
    .syntax = xgft_parts::kSyntax,
    .parameters =
        "m1,..,mh: children of a node of level 1, .., h; w1,..,wh: parents of a node of level 0, .., h-1; c1,..,ch: "
        "capacity of a link below a node of that level (1)",
    .numbering =
        "hosts from left to right, then switches level by level upwards, subtree by subtree; switch i of level l is i@l",
    .source = "S. R. Ohring, M. Ibel, S. K. Das, M. J. Kumar, On generalized fat trees, IPPS 1995",
    .samples = xgft_parts::kSamples,
    .build = [](const SpecCall& call) { return folded_clos_topology(call, xgft_parts::read(call)); },
    .facts = [](const SpecCall& call) { return folded_clos_facts(xgft_parts::read(call)); },
};

}  // namespace families

}  // namespace quadrille
