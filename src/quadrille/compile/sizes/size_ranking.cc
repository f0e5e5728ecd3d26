#include "quadrille/compile/sizes/size_ranking.h"

#include <algorithm>
#include <utility>

#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {
namespace {

// Equal but for rounding.
constexpr double kAlike = 1e-9;

}  // namespace

bool is_known(const Problem& problem, const SizedPlan& plan) {
  return (!hops_cost(problem) || plan.hops) && (!rearranging_costs(problem) || plan.rearranged) &&
         (!messages_cost(problem) || plan.further_messages);
}

std::string_view family_of(const SizedPlan& plan) {
  const std::string_view name = plan.algorithm;
  const bool is_lent = name.find_first_of("(+") != std::string_view::npos;
  return is_lent ? name : name.substr(0, name.find(':'));
}

SizeRanking::SizeRanking(const Problem& problem, std::vector<SizedPlan>& plans)
    : problem_(problem), plans_(plans) {
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].model_only) built_.push_back(i);
  }
}

SizeRanking::Key SizeRanking::key(size_t plan, uint64_t bytes) const {
  const SizedPlan& p = plans_[plan];
  return {!p.prepared && !is_known(problem_, p), p.time(problem_.model().cost, bytes), p.effort, p.pieces};
}

void SizeRanking::sort(std::vector<size_t>& order, uint64_t bytes, std::optional<size_t> chosen) const {
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return key(a, bytes) < key(b, bytes); });
  if (!chosen) return;
  const auto at = std::ranges::find(order, *chosen);
  if (at == order.end()) return;
  const double time = plans_[*chosen].time(problem_.model().cost, bytes);
  const auto first = std::ranges::find_if(
      order, [&](size_t i) { return plans_[i].time(problem_.model().cost, bytes) >= time * (1 - kAlike); });
  if (first < at) std::rotate(first, at, at + 1);
}

bool SizeRanking::is_open(const std::optional<size_t>& plan) const { return plan && plans_[*plan].prepared; }

SizeRanking::Best SizeRanking::best_for(uint64_t bytes, std::optional<size_t> chosen) {
  std::vector<size_t> order = built_;
  while (true) {
    sort(order, bytes, chosen);
    Best out;
    if (!order.empty()) out.best = order.front();
    const auto next = std::ranges::find_if(
        order, [&](size_t i) { return plans_[i].algorithm != plans_[order.front()].algorithm; });
    if (next != order.end()) out.next = *next;
    if (!is_open(out.best) && !is_open(out.next)) return out;
    measure(is_open(out.best) ? *out.best : *out.next);
  }
}

std::optional<size_t> SizeRanking::best_of(std::string_view algorithm, uint64_t bytes) {
  std::vector<size_t> order;
  for (const size_t i : built_) {
    if (plans_[i].algorithm == algorithm) order.push_back(i);
  }
  if (order.empty()) return std::nullopt;
  while (true) {
    sort(order, bytes);
    if (!is_open(order.front())) return order.front();
    measure(order.front());
  }
}

std::vector<size_t> SizeRanking::best_of_each(uint64_t bytes, std::optional<size_t> chosen) {
  std::vector<size_t> order = built_;
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].model_only) order.push_back(i);
  }
  while (true) {
    sort(order, bytes, chosen);
    std::vector<size_t> out;
    std::optional<size_t> open;
    for (const size_t i : order) {
      const bool known = std::ranges::any_of(
          out, [&](size_t other) { return family_of(plans_[other]) == family_of(plans_[i]); });
      if (known) continue;
      out.push_back(i);
      if (!open && plans_[i].prepared) open = i;
    }
    if (!open) return out;
    measure(*open);
  }
}

void SizeRanking::drop(size_t plan) { std::erase(built_, plan); }

void SizeRanking::measure(size_t plan) {
  SizedPlan& p = plans_[plan];
  const PreparedPlan prepared = std::exchange(p.prepared, nullptr);
  if (!prepared) return;
  const Choice choice{.plan = prepared, .made_of = p.algorithm};
  ArrayMeter meter(prepared->problem());
  const MeasuredCost measured = meter(choice);
  if (!p.hops) p.hops = measured.critical_hops;
  if (!p.rearranged) p.rearranged = measured.rearranged;
  if (!p.further_messages) p.further_messages = measured.further_messages;
}

}  // namespace quadrille
