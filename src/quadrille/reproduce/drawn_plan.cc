#include "quadrille/reproduce/drawn_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/reproduce/judged.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

// More transfers than these are no drawing.
constexpr uint64_t kMostDrawn = 400;

Problem problem_of(const DrawnPlan& plan, uint64_t size) {
  return make_problem(parse_topology(plan.topology(size)), plan.collective, plan.model(), plan.root);
}

// What a transfer carries, as short as it can be said: nothing where there is one block; the destination of a message
// whose source is the sender, else both ends.
std::string load_of(const Problem& problem, const DrawnPlan& plan, std::span<const BlockId> blocks,
                    NodeId from) {
  const Collective& collective = problem.collective();
  if (collective.num_blocks() == 1) return "";
  if (plan.counts_blocks || blocks.size() > 4) return fmt::format(": {}", plural(blocks.size(), "block"));
  std::vector<std::string> names;
  for (const BlockId block : blocks) {
    const bool is_own = collective.flow() == Flow::kMove &&
                        (collective.kind() == CollectiveKind::kScatter || problem.origin(block) == from);
    names.push_back(is_own ? problem.topology().label(problem.destination(block))
                           : problem.block_label(block));
  }
  return ": " + join(names, " ");
}

}  // namespace

Sheet steps_of(const DrawnPlan& plan, uint64_t size) {
  const Problem problem = problem_of(plan, size);
  Sheet out{.title = fmt::format("{}, by {}", problem.title(), plan.algorithm),
            .columns = {{"step"}, {"transfers"}, {"from > to: what"}}};
  const Topology& topology = problem.topology();
  const StepRange range = plan.steps_drawn != nullptr ? plan.steps_drawn(size) : StepRange{};
  uint64_t number = 0;
  watch(problem, std::string(plan.algorithm), [&](const StepView& step) {
    ++number;
    if (number < range.first || number > range.last) return;
    std::vector<std::string> transfers;
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = topology.tail(step.arcs(t).front());
      transfers.push_back(fmt::format("{}>{}{}", topology.label(from),
                                      topology.label(topology.head(step.arcs(t).back())),
                                      load_of(problem, plan, step.blocks(t), from)));
    }
    out.rows.push_back({number, step.size(), join(transfers)});
  });
  return out;
}

Reproduction drawn(const DrawnPlan& plan, const Settings& settings) {
  const std::vector<uint64_t> sizes =
      settings.has("size") ? settings.whole("size") : std::vector<uint64_t>{0};
  Sheet summary{.columns = {{"network"}, {"steps"}, {"bound"}, {"transfers"}}};
  std::vector<uint64_t> small;
  for (const uint64_t size : sizes) {
    const Problem problem = problem_of(plan, size);
    const Judged figures = judged(problem, std::string(plan.algorithm));
    Cell steps = figures.steps_cell();
    if (plan.steps != nullptr) steps = steps.in_print(fmt::format("{}", plan.steps(size)), plan.misprint);
    summary.rows.push_back({problem.topology().name(), steps, least_steps(problem), figures.transfers});
    if (plan.steps_drawn != nullptr || figures.transfers <= kMostDrawn) small.push_back(size);
  }
  Reproduction out;
  out.sheets.push_back(std::move(summary));
  for (const uint64_t size : small) out.sheets.push_back(steps_of(plan, size));
  if (small.size() < sizes.size())
    out.notes.push_back(fmt::format("Plans of more than {} transfers are not written out.", kMostDrawn));
  return out;
}

}  // namespace quadrille
