#include "quadrille/compile/lending/by_time/timed_task.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/loan.h"

namespace quadrille {

TaskKey key_of(const TimedTask& task, Strength strength) {
  return {asked_key(task.problem, task.turned), task.bytes, task.pieces, strength};
}

TaskKey key_for_any_size(const TimedTask& task) {
  return key_of({task.problem, task.turned, 0, 0}, Strength::kOwn);
}

Problem with_plain_ports(const Problem& problem) {
  Model model = problem.model();
  if (model.switching != Switching::kShared) {
    model.send = without_needless_count(problem.topology(), problem.model(), true);
    model.receive = without_needless_count(problem.topology(), problem.model(), false);
  }
  return {problem.topology(), problem.collective(), model};
}

uint32_t port_count(const Problem& problem) {
  return std::max({1U, port_limit(problem.topology(), problem.model(), true),
                   port_limit(problem.topology(), problem.model(), false)});
}

bool is_asked_backwards(const Problem& problem) {
  return problem.collective().kind() != CollectiveKind::kAlltoall || problem.topology().is_directed() ||
         problem.model().send != problem.model().receive;
}

void TaskBounds::start(const TimedTask& task, double least) {
  least_ = least;
  if (asks_all_) (void)least_time_of(task, false);
}

const LeastTime& TaskBounds::least_time_of(const TimedTask& task, bool quick) {
  std::map<TaskKey, LeastTime>& bounds = quick ? quick_bounds_ : bounds_;
  const TaskKey key = key_for_any_size(task);
  const auto known = bounds.find(key);
  if (known != bounds.end()) return known->second;
  const std::vector<Bound> said = quick ? quick_bounds(task.problem) : all_bounds(task.problem);
  return bounds.emplace(key, LeastTime(task.problem, said)).first->second;
}

double TaskBounds::least_rounds_of(const TimedTask& task) const {
  const auto known = bounds_.find(key_for_any_size(task));
  return known == bounds_.end() ? 0 : known->second(task.bytes).rounds.to_double();
}

double TaskBounds::bound(const TimedTask& task, double enough) {
  if (!asks_all_) return least_;
  // Of these alone there is more to know, which takes long.
  const CollectiveKind kind = task.problem.collective().kind();
  if ((kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAllreduce) && enough != kNever &&
      !bounds_.contains(key_for_any_size(task))) {
    const double soon = least_time_of(task, true)(task.bytes).time;
    if (soon >= enough) return soon;
  }
  return least_time_of(task, false)(task.bytes).time;
}

}  // namespace quadrille
