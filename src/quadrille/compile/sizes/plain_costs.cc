#include "quadrille/compile/sizes/plain_costs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "quadrille/compile/lending/loan.h"

namespace quadrille {

std::vector<Problem> with_plain_costs(const Problem& problem) {
  const Model& model = problem.model();
  const uint32_t messages = std::max(
      {port_limit(problem.topology(), model, true), port_limit(problem.topology(), model, false), 1U});
  std::vector<Problem> out;
  for (const double further : {model.cost.to * (messages - 1), 0.0}) {
    Model plain = model;
    plain.cost.ts += plain.cost.tl + further;
    plain.cost.tl = plain.cost.to = plain.cost.rho = 0;
    out.emplace_back(problem.topology(), problem.collective(), plain);
    if (further == 0) break;
  }
  return out;
}

Choice handed_to(const Problem& problem, const Choice& choice) {
  Choice out{choice.algorithm, "", choice.prediction, choice.member, {}, {}, choice.made_of};
  out.plan = std::make_shared<Prepared>(
      problem, [prediction = choice.prediction](const Problem&) { return prediction; },
      [plan = choice.plan](const Problem&, StepSink& sink) { plan->generate(sink); }, choice.plan->effort(),
      choice.member);
  return out;
}

}  // namespace quadrille
