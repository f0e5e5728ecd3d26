#include "quadrille/schedule/plan_synchronisation.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille {
namespace {

constexpr std::string_view kLinks = "links";
constexpr std::string_view kLinksAndPorts = "links+ports";

std::string wrong_with_barrier(uint32_t step, uint64_t steps) {
  if (uint64_t{step} + 1 < steps) return {};
  return fmt::format("a barrier stands between two steps: after step {} there is none, the plan has {}",
                     uint64_t{step} + 1, steps);
}

std::string wrong_with_signal(const Signal& s, const Topology& topology, uint64_t steps) {
  for (const NodeId node : {s.from, s.to}) {
    if (index(node) < topology.num_nodes()) continue;
    return fmt::format("node {} does not exist: the nodes of {} are 0 to {}", index(node), topology.name(),
                       topology.num_nodes() - 1);
  }
  if (s.from == s.to) {
    return fmt::format("node {} knows itself when it is through with a step: a signal goes to another node",
                       index(s.from));
  }
  if (s.before_step <= s.after_step) {
    return fmt::format("a signal goes to a later step: node {} cannot wait before step {} for step {}",
                       index(s.to), uint64_t{s.before_step} + 1, uint64_t{s.after_step} + 1);
  }
  if (s.before_step >= steps) {
    return fmt::format("step {} does not exist: the plan has {}", uint64_t{s.before_step} + 1, steps);
  }
  return {};
}

}  // namespace

std::string_view apart_text(bool ports) { return ports ? kLinksAndPorts : kLinks; }

bool parse_apart(std::string_view text) {
  if (text == kLinks || text == kLinksAndPorts) return text == kLinksAndPorts;
  throw InputError(fmt::format("unknown word '{}' for what is kept apart; allowed are {}, {}",
                               plain_name(text), kLinks, kLinksAndPorts));
}

std::optional<SynchronisationMistake> find_mistake(const PlanSynchronisation& sync, const Topology& topology,
                                                   uint64_t steps) {
  for (size_t i = 0; i < sync.barriers.size(); ++i) {
    std::string wrong = wrong_with_barrier(sync.barriers[i], steps);
    if (wrong.empty() && i > 0 && sync.barriers[i] <= sync.barriers[i - 1]) {
      wrong = fmt::format("barriers are given in order, each once: after step {} comes after step {}",
                          sync.barriers[i - 1] + 1, sync.barriers[i] + 1);
    }
    if (!wrong.empty()) return SynchronisationMistake{false, i, std::move(wrong)};
  }
  for (size_t i = 0; i < sync.signals.size(); ++i) {
    std::string wrong = wrong_with_signal(sync.signals[i], topology, steps);
    if (!wrong.empty()) return SynchronisationMistake{true, i, std::move(wrong)};
  }
  return std::nullopt;
}

}  // namespace quadrille
