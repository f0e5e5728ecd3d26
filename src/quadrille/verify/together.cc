#include "quadrille/verify/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/rule.h"

namespace quadrille {
namespace together_parts {
namespace {

// The rules that look at links and ports, whatever is sent.
constexpr std::array<std::string_view, 5> kSharedRules = {"half_duplex", "link_capacity", "receive_ports",
                                                          "send_ports", "worms_disjoint"};

bool same_links(const Topology& a, const Topology& b) {
  return a.num_nodes() == b.num_nodes() && std::ranges::equal(a.tails(), b.tails()) &&
         std::ranges::equal(a.heads(), b.heads()) && std::ranges::equal(a.capacities(), b.capacities());
}

// Whether what holds in one step of the two is the same; constants of time and sums are each group's own.
bool same_machine(const Model& a, const Model& b) {
  return a.send == b.send && a.receive == b.receive && a.switching == b.switching && a.packets == b.packets &&
         a.duplex == b.duplex;
}

void require_disjoint(std::span<const Schedule* const> schedules) {
  const Topology& first = schedules[0]->problem().topology();
  std::vector<size_t> group(first.num_nodes(), SIZE_MAX);
  for (size_t i = 0; i < schedules.size(); ++i) {
    const Problem& problem = schedules[i]->problem();
    if (!same_links(problem.topology(), first))
      throw InputError(fmt::format("plans run together on one network: {} is not {}",
                                   problem.topology().name(), first.name()));
    if (!same_machine(problem.model(), schedules[0]->problem().model()))
      throw InputError(fmt::format("plans run together by one model: {}, but {}",
                                   describe(schedules[0]->problem().model()), describe(problem.model())));
    for (const NodeId v : problem.topology().endpoints()) {
      if (group[index(v)] != SIZE_MAX)
        throw InputError(fmt::format(
            "plans run together among disjoint ranks: {} takes part in number {} and in number {}",
            problem.topology().label(v), group[index(v)] + 1, i + 1));
      group[index(v)] = i;
    }
  }
}

}  // namespace
}  // namespace together_parts

Verdict verify_together(std::span<const Schedule* const> schedules, size_t max_findings) {
  using together_parts::kSharedRules;
  using together_parts::require_disjoint;
  Verdict out;
  if (schedules.empty()) return out;
  require_disjoint(schedules);
  const Problem& problem = schedules[0]->problem();
  std::vector<std::unique_ptr<StepRule>> rules;
  for (const std::string_view name : kSharedRules) {
    const RuleCard* const card = rule_catalog().find(name);
    QUADRILLE_CHECK(card != nullptr && card->in_a_step != nullptr, fmt::format("rule {}", name));
    if (std::unique_ptr<StepRule> rule = card->in_a_step(problem)) rules.push_back(std::move(rule));
  }

  size_t steps = 0;
  for (const Schedule* schedule : schedules) steps = std::max(steps, schedule->plan().num_steps());
  Findings findings(max_findings);
  Figures& figures = out.figures;
  std::vector<uint64_t> carried(problem.topology().num_arcs(), 0);
  StepBuilder all;
  for (size_t s = 0; s < steps; ++s) {
    size_t most_blocks = 0;
    size_t most_hops = 0;
    for (const Schedule* schedule : schedules) {
      if (s >= schedule->plan().num_steps()) continue;
      const StepView step = schedule->plan().step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const auto path = step.arcs(t);
        const auto blocks = step.blocks(t);
        // Blocks are numbered in each group by itself, and no rule here looks at them.
        all.add(path, blocks);
        for (const ArcId arc : path) carried[index(arc)] += blocks.size();
        figures.block_hops += path.size() * blocks.size();
        most_blocks = std::max(most_blocks, blocks.size());
        most_hops = std::max(most_hops, path.size());
      }
    }
    figures.transfers += all.size();
    figures.start_ups += all.empty() ? 0 : 1;
    figures.critical_blocks += most_blocks;
    figures.critical_hops += most_hops;
    const JudgedStep judged{.view = all.view(), .number = static_cast<uint32_t>(s + 1)};
    for (const std::unique_ptr<StepRule>& rule : rules) rule->check(judged, findings);
    all.clear();
  }
  figures.steps = steps;
  const auto busiest = std::ranges::max_element(carried);
  if (busiest != carried.end() && *busiest > 0) {
    figures.busiest_link = *busiest;
    figures.busiest_arc = id_at<ArcId>(busiest - carried.begin());
  }
  out.findings = findings.first();
  out.total_findings = findings.total();
  return out;
}

}  // namespace quadrille
