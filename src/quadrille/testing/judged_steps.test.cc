#include "quadrille/testing/judged_steps.test.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

Model ports(uint32_t send, uint32_t receive) {
  Model model;
  model.send = Ports{send};
  model.receive = Ports{receive};
  return model;
}

Model ports(uint32_t count) { return ports(count, count); }

Problem worms_on(std::string_view spec, Model model) {
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

namespace {

// What was predicted, or what was measured where nothing was.
Figures predicted_of(const Prediction& prediction, const Figures& measured) {
  Figures out = measured;
  out.steps = prediction.steps.value_or(measured.steps);
  out.start_ups = prediction.start_ups.value_or(measured.start_ups);
  out.busiest_link = prediction.busiest_link.value_or(measured.busiest_link);
  out.critical_hops = prediction.critical_hops.value_or(measured.critical_hops);
  out.critical_blocks = prediction.critical_blocks.value_or(measured.critical_blocks);
  return out;
}

}  // namespace

uint64_t judged_steps(const Algorithm& card, const Problem& problem) {
  SCOPED_TRACE(std::string(card.name) + ", " + problem.title());
  const Preparation ready = prepare(card, problem);
  EXPECT_TRUE(ready.fits.applies) << ready.fits.reason;
  if (!ready.fits.applies) return 0;
  const PreparedPlan plan = cheapest(ready.plans);
  const Prediction prediction = plan->prediction();
  Judge judge(problem, {.threads = 1, .queues = prediction.queue.has_value()});
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << to_text(verdict.findings.front());
  if (!verdict.passed()) return 0;
  const Figures& measured = verdict.figures;
  const Figures predicted = predicted_of(prediction, measured);
  EXPECT_EQ(predicted.steps, measured.steps);
  EXPECT_EQ(predicted.start_ups, measured.start_ups);
  EXPECT_EQ(predicted.busiest_link, measured.busiest_link);
  EXPECT_EQ(predicted.critical_blocks, measured.critical_blocks);
  EXPECT_EQ(predicted.critical_hops, measured.critical_hops);
  if (prediction.queue) {
    EXPECT_EQ(*prediction.queue, verdict.queues->link);
    EXPECT_EQ(prediction.queue_incoming.value_or(verdict.queues->incoming), verdict.queues->incoming);
  }
  return predicted == measured ? measured.steps : 0;
}

}  // namespace quadrille
