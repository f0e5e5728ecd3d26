#include "quadrille/viewer/page_plan.h"

#include <string>
#include <utility>

namespace quadrille {

PagePlan page_plan(const Compiled& judged, const PageColumns& steps, const Verdict& verdict,
                   std::optional<uint64_t> message_bytes) {
  PagePlan out{.steps = steps, .verdict = &verdict, .algorithm = judged.head.algorithm};
  if (judged.verdict.passed()) {
    Bound bound = judged.least_steps();
    // One that took a search stands in the plan's head.
    for (const PlanBound& stated : judged.head.bounds) {
      if (!bound.evidence && stated.name == bound.name) bound.evidence = stated.witness;
    }
    out.bound = PageBound{.name = std::string(bound.name),
                          .value = bound.value,
                          .text = std::move(bound.witness),
                          .witness = std::move(bound.evidence)};
    if (judged.time)
      out.time = PageTime{.total = judged.time->total,
                          .least = judged.time->least,
                          .message_bytes = message_bytes.value_or(kDefaultMessageBytes)};
  }
  return out;
}

}  // namespace quadrille
