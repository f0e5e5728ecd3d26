#include "quadrille/compile/array_meter.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/program/arrays/packed_messages.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
MeasuredCost ArrayMeter::operator()(const Choice& choice) {
  if (problem_.topology().num_nodes() > kMostNodesOfArrays) return {};
  ScheduleBuilder builder(problem_, {.queues = queues_});
  choice.generate(builder);
  Verification judged = builder.finish();
  if (!judged.schedule) return {};
  std::optional<ArrayLayout> arrays;
  std::optional<uint64_t> rearranged;
  if (rearranging_costs(problem_)) {
    if (!why_no_array_layout(*judged.schedule)) arrays = checked_arrays(*judged.schedule);
    rearranged = total(arrays ? arrays->rearranged_before() : packed_before(*judged.schedule));
  }
  const MeasuredCost measured{
      rearranged, judged.verdict.figures.critical_hops,
      messages_cost(problem_) ? std::optional(judged.verdict.figures.further_messages) : std::nullopt};
  made_[choice.name()] = std::make_shared<const LaidOutPlan>(
      LaidOutPlan{std::move(judged.verdict), std::move(*judged.schedule), std::move(arrays)});
  return measured;
}

std::shared_ptr<const LaidOutPlan> ArrayMeter::made(const Choice& choice) const {
  const auto at = made_.find(choice.name());
  return at == made_.end() ? nullptr : at->second;
}

std::vector<RearrangedBefore> rearranged_before(const Schedule& schedule) {
  return why_no_array_layout(schedule) ? packed_before(schedule)
                                       : checked_arrays(schedule).rearranged_before();
}

ArrayLayout checked_arrays(const Schedule& schedule) {
  ArrayLayout layout = lay_out_arrays(schedule);
  const std::vector<Finding> findings = check_array_layout(schedule, layout, 1);
  QUADRILLE_CHECK(findings.empty(), fmt::format("the arrays of {} are wrong: {}", schedule.problem().title(),
                                                to_text(findings.front())));
  return layout;
}

}  // namespace quadrille
