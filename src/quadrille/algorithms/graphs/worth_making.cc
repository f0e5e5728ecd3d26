#include "quadrille/algorithms/graphs/worth_making.h"

#include <algorithm>
#include <optional>

#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

uint64_t& fewer_than_now() {
  thread_local uint64_t steps = UINT64_MAX;
  return steps;
}

bool& in_passing_now() {
  thread_local bool in_passing = false;
  return in_passing;
}

}  // namespace

WorthMaking::WorthMaking(uint64_t fewer_than, bool in_passing)
    : before_(fewer_than_now()), was_in_passing_(in_passing_now()) {
  fewer_than_now() = std::min(before_, fewer_than);
  in_passing_now() = was_in_passing_ || in_passing;
}

WorthMaking::~WorthMaking() {
  fewer_than_now() = before_;
  in_passing_now() = was_in_passing_;
}

bool WorthMaking::is_any_of(uint64_t least_steps) { return least_steps < fewer_than_now(); }

bool WorthMaking::is_asked_in_passing() { return in_passing_now(); }

bool WorthMaking::is_limited() { return fewer_than_now() != UINT64_MAX; }

Preparation prepare_if_wanted(const Problem& problem, uint64_t (*least)(const Problem&),
                              Plan (*make)(const Problem&, uint64_t)) {
  const auto search = [make](const Problem& p, uint64_t steps) {
    count_work(Work::kSearching);
    return make(p, steps);
  };
  const auto wanted = [least, search](const Problem& p) -> std::optional<Plan> {
    const uint64_t steps = least(p);
    if (!WorthMaking::is_any_of(steps)) return std::nullopt;
    return search(p, steps);
  };
  const auto predicted = [](const Problem&, const std::optional<Plan>& plan) -> Prediction {
    if (!plan) return {};
    return {.steps = plan->num_steps(), .start_ups = plan->num_steps(), .measured = true};
  };
  const auto generate = [least, search](const Problem& p, const std::optional<Plan>& plan, StepSink& sink) {
    plan ? plan->replay(sink) : search(p, least(p)).replay(sink);
  };
  return Preparation::of(sharing(problem, wanted, predicted, generate, Effort::kMuch));
}

}  // namespace quadrille
