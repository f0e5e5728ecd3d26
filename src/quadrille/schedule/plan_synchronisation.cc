#include "quadrille/schedule/plan_synchronisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

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

std::tuple<uint32_t, NodeId, NodeId> key_of(const Priority& p) { return {p.step, p.from, p.to}; }

// Who sends whom something in a step. What is broken in a bad plan is for the judge.
std::vector<std::pair<NodeId, NodeId>> messages_of(const StepView& step, const Topology& topology) {
  std::vector<std::pair<NodeId, NodeId>> out;
  for (size_t t = 0; t < step.size(); ++t) {
    const auto path = step.arcs(t);
    const auto exists = [&](ArcId arc) { return index(arc) < topology.num_arcs(); };
    if (path.empty() || !exists(path.front()) || !exists(path.back())) continue;
    out.emplace_back(topology.tail(path.front()), topology.head(path.back()));
  }
  std::ranges::sort(out);
  return out;
}

std::string wrong_with_priority(const Priority& p, const Plan& plan) {
  if (p.step >= plan.num_steps()) {
    return fmt::format("step {} does not exist: the plan has {}", uint64_t{p.step} + 1, plan.num_steps());
  }
  if (p.level == 0) return "levels are counted from 1, the most urgent";
  if ((p.from == kNoNode) != (p.to == kNoNode))
    return "a priority is for a whole step, or for what one node sends another in it: 'from' and 'to'";
  return {};
}

// Step by step, so that each is looked at once.
std::optional<SynchronisationMistake> mistake_in_priorities(std::span<const Priority> priorities,
                                                            const Topology& topology, const Plan& plan) {
  std::vector<size_t> order;
  for (size_t i = 0; i < priorities.size(); ++i) {
    std::string wrong = wrong_with_priority(priorities[i], plan);
    if (!wrong.empty()) return SynchronisationMistake{SynchronisedBy::kPriority, i, std::move(wrong)};
    order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](size_t i) { return key_of(priorities[i]); });
  std::optional<SynchronisationMistake> first;
  const auto found = [&](size_t i, std::string message) {
    if (!first || i < first->index)
      first = SynchronisationMistake{SynchronisedBy::kPriority, i, std::move(message)};
  };
  std::vector<std::pair<NodeId, NodeId>> messages;
  for (size_t i = 0; i < order.size(); ++i) {
    const Priority& p = priorities[order[i]];
    const Priority* before = i == 0 ? nullptr : &priorities[order[i - 1]];
    if (before == nullptr || before->step != p.step) messages = messages_of(plan.step(p.step), topology);
    if (before != nullptr && key_of(*before) == key_of(p)) {
      found(order[i], fmt::format("a second priority for {} step {}",
                                  p.of_whole_step() ? "all of" : "the same message of", p.step + 1));
    } else if (!p.of_whole_step() && !std::ranges::binary_search(messages, std::pair(p.from, p.to))) {
      found(order[i],
            fmt::format("node {} sends node {} nothing in step {}", index(p.from), index(p.to), p.step + 1));
    }
  }
  return first;
}

}  // namespace

PriorityTable::PriorityTable(std::span<const Priority> priorities)
    : priorities_(priorities.begin(), priorities.end()) {
  std::ranges::sort(priorities_, {}, key_of);
}

uint32_t PriorityTable::level(uint32_t step, NodeId from, NodeId to) const {
  for (const auto& key : {std::tuple(step, from, to), std::tuple(step, kNoNode, kNoNode)}) {
    const auto at = std::ranges::lower_bound(priorities_, key, {}, key_of);
    if (at != priorities_.end() && key_of(*at) == key) return at->level;
  }
  return 1;
}

std::string_view apart_text(bool ports) { return ports ? kLinksAndPorts : kLinks; }

bool parse_apart(std::string_view text) {
  if (text == kLinks || text == kLinksAndPorts) return text == kLinksAndPorts;
  throw InputError(fmt::format("unknown word '{}' for what is kept apart; allowed are {}, {}",
                               plain_name(text), kLinks, kLinksAndPorts));
}

std::optional<SynchronisationMistake> find_mistake(const PlanSynchronisation& sync, const Topology& topology,
                                                   const Plan& plan) {
  const uint64_t steps = plan.num_steps();
  for (size_t i = 0; i < sync.barriers.size(); ++i) {
    std::string wrong = wrong_with_barrier(sync.barriers[i], steps);
    if (wrong.empty() && i > 0 && sync.barriers[i] <= sync.barriers[i - 1]) {
      wrong = fmt::format("barriers are given in order, each once: after step {} comes after step {}",
                          sync.barriers[i - 1] + 1, sync.barriers[i] + 1);
    }
    if (!wrong.empty()) return SynchronisationMistake{SynchronisedBy::kBarrier, i, std::move(wrong)};
  }
  for (size_t i = 0; i < sync.signals.size(); ++i) {
    std::string wrong = wrong_with_signal(sync.signals[i], topology, steps);
    if (!wrong.empty()) return SynchronisationMistake{SynchronisedBy::kSignal, i, std::move(wrong)};
  }
  return mistake_in_priorities(sync.priorities, topology, plan);
}

}  // namespace quadrille
