#include "quadrille/algorithms/graphs/worth_making.h"

#include <algorithm>
#include <limits>
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

WorthMaking::LessTime& less_time_now() {
  thread_local WorthMaking::LessTime time;
  return time;
}

}  // namespace

WorthMaking::WorthMaking(uint64_t fewer_than, bool in_passing)
    : WorthMaking(fewer_than, in_passing, less_time_now()) {}

WorthMaking::WorthMaking(uint64_t fewer_than, bool in_passing, const LessTime& time)
    : before_(fewer_than_now()), was_in_passing_(in_passing_now()), time_before_(less_time_now()) {
  fewer_than_now() = std::min(before_, fewer_than);
  in_passing_now() = was_in_passing_ || in_passing;
  less_time_now() = time;
}

WorthMaking::~WorthMaking() {
  fewer_than_now() = before_;
  in_passing_now() = was_in_passing_;
  less_time_now() = time_before_;
}

bool WorthMaking::is_any_of(uint64_t least_steps, uint64_t least_rounds) {
  if (least_steps >= fewer_than_now()) return false;
  const LessTime& time = less_time_now();
  return static_cast<double>(least_steps) * time.of_start_up +
             static_cast<double>(least_rounds) * time.of_round <
         time.than;
}

bool WorthMaking::is_asked_in_passing() { return in_passing_now(); }

bool WorthMaking::is_limited() {
  return fewer_than_now() != UINT64_MAX || less_time_now().than != std::numeric_limits<double>::infinity();
}

Preparation prepare_if_wanted(const Problem& problem, uint64_t (*least)(const Problem&),
                              Plan (*make)(const Problem&, uint64_t)) {
  const auto search = [make](const Problem& p, uint64_t steps) {
    count_work(Work::kSearching);
    return make(p, steps);
  };
  const auto wanted = [least, search](const Problem& p) -> std::optional<Plan> {
    const uint64_t steps = least(p);
    if (!WorthMaking::is_any_of_packets(steps)) return std::nullopt;
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
