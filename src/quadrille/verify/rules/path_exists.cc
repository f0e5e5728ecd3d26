#include "quadrille/verify/rules/path_exists.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard path_exists;
const RuleCard path_exists{
    .name = "path_exists",
    .summary = "every hop of a transfer is a link of the topology, and starts where the hop before ends",
    .details = "A transfer without a path is reported here and takes no part in the other rules.",
};

bool is_path(const Topology& topology, std::span<const ArcId> arcs) {
  for (size_t i = 0; i < arcs.size(); ++i) {
    if (index(arcs[i]) >= topology.num_arcs()) return false;
    if (i > 0 && topology.head(arcs[i - 1]) != topology.tail(arcs[i])) return false;
  }
  return true;
}

void report_broken_path(const Topology& topology, std::span<const ArcId> arcs, uint64_t step,
                        uint64_t transfer, Findings& findings) {
  for (size_t i = 0; i < arcs.size(); ++i) {
    if (index(arcs[i]) >= topology.num_arcs()) {
      findings.add(path_exists, step, transfer, {.node = i == 0 ? kNoNode : topology.head(arcs[i - 1])}, [&] {
        if (i == 0) return fmt::format("hop 1 of its path is no link of {}", topology.name());
        return fmt::format("hop {} of its path, from {}, is no link of {}", i + 1,
                           topology.label(topology.head(arcs[i - 1])), topology.name());
      });
      return;
    }
    if (i > 0 && topology.head(arcs[i - 1]) != topology.tail(arcs[i])) {
      findings.add(path_exists, step, transfer, {.node = topology.tail(arcs[i]), .arc = arcs[i]}, [&] {
        return fmt::format("hop {} of its path starts at {}, but hop {} ends at {}", i + 1,
                           topology.label(topology.tail(arcs[i])), i,
                           topology.label(topology.head(arcs[i - 1])));
      });
      return;
    }
  }
}

}  // namespace quadrille::rules
