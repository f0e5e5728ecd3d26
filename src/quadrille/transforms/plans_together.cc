#include "quadrille/transforms/plans_together.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {
namespace plans_together_parts {
namespace {

// Which step of which plan.
struct Turn {
  uint32_t plan;
  uint32_t step;
  uint32_t left;  // steps of the plan from this one on
};

// In which order steps are put into the common ones; each keeps the order of every plan.
enum class Order : uint8_t { kMostLeftFirst, kSideBySide, kLongestPlanFirst };
constexpr std::array kOrders = {Order::kMostLeftFirst, Order::kSideBySide, Order::kLongestPlanFirst};

std::vector<Turn> turns_of(std::span<const PlanOfGroup> plans, Order order) {
  std::vector<Turn> out;
  for (size_t p = 0; p < plans.size(); ++p) {
    const size_t steps = plans[p].plan->num_steps();
    for (size_t s = 0; s < steps; ++s)
      out.push_back({static_cast<uint32_t>(p), static_cast<uint32_t>(s), static_cast<uint32_t>(steps - s)});
  }
  std::ranges::stable_sort(out, [&](const Turn& a, const Turn& b) {
    if (order == Order::kMostLeftFirst) return a.left > b.left;
    if (order == Order::kSideBySide) return a.step < b.step;
    return a.left + a.step > b.left + b.step;
  });
  return out;
}

class Merger {
 public:
  explicit Merger(std::span<const PlanOfGroup> plans)
      : plans_(plans),
        machine_(*plans[0].problem),
        read_(plans.size()),
        last_(plans.size(), 0),
        at_(plans.size()) {
    for (size_t p = 0; p < plans.size(); ++p) at_[p].resize(plans[p].plan->num_steps());
  }

  // The step of each transfer of each step of each plan.
  void place(std::span<const Turn> turns) {
    for (const Turn& turn : turns) {
      const StepView step = plans_[turn.plan].plan->step(turn.step);
      at_[turn.plan][turn.step].resize(step.size());
      if (plans_[turn.plan].problem->collective().flow() == Flow::kCombine) {
        place_whole(turn, step);
      } else {
        place_each(turn, step);
      }
    }
  }

  [[nodiscard]] size_t steps() const { return *std::ranges::max_element(last_); }

  [[nodiscard]] std::vector<Plan> plans() const {
    std::vector<Plan> out(plans_.size());
    for (size_t p = 0; p < plans_.size(); ++p) {
      // Steps of the old plan and transfers of each, by their new step.
      std::vector<std::vector<std::pair<uint32_t, uint32_t>>> sent(last_[p]);
      for (size_t s = 0; s < at_[p].size(); ++s)
        for (size_t t = 0; t < at_[p][s].size(); ++t)
          sent[at_[p][s][t]].emplace_back(static_cast<uint32_t>(s), static_cast<uint32_t>(t));
      StepBuilder builder;
      for (const auto& transfers : sent) {
        for (const auto& [s, t] : transfers) {
          const StepView step = plans_[p].plan->step(s);
          builder.add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
        }
        builder.flush(out[p]);
      }
    }
    return out;
  }

 private:
  [[nodiscard]] uint64_t key(uint32_t plan, NodeId node, BlockId block) const {
    return index(node) * uint64_t{plans_[plan].problem->collective().num_blocks()} + index(block);
  }

  // Moves and copies: a block leaves a node after it came there.
  void place_each(const Turn& turn, const StepView& step) {
    const Topology& topology = plans_[turn.plan].problem->topology();
    auto& read = read_[turn.plan];
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = topology.tail(step.arcs(t).front());
      size_t earliest = 0;
      for (const BlockId block : step.blocks(t)) {
        const auto came = read.find(key(turn.plan, from, block));
        if (came != read.end()) earliest = std::max<size_t>(earliest, came->second);
      }
      take(turn, step, t, machine_.first_free(step.arcs(t), earliest));
    }
    // What came in this step is sent on in a later one.
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId to = topology.head(step.arcs(t).back());
      for (const BlockId block : step.blocks(t)) {
        uint32_t& when = read[key(turn.plan, to, block)];
        when = std::max(when, at_[turn.plan][turn.step][t] + 1);
      }
    }
  }

  // What is added up depends on what was there before: a step stays together, and after the one before it.
  void place_whole(const Turn& turn, const StepView& step) {
    size_t at = last_[turn.plan];
    while (!machine_.fits(step, at)) ++at;
    for (size_t t = 0; t < step.size(); ++t) take(turn, step, t, at);
    last_[turn.plan] = at + 1;
  }

  void take(const Turn& turn, const StepView& step, size_t t, size_t at) {
    machine_.use(step.arcs(t), at);
    at_[turn.plan][turn.step][t] = static_cast<uint32_t>(at);
    if (plans_[turn.plan].problem->collective().flow() != Flow::kCombine)
      last_[turn.plan] = std::max(last_[turn.plan], at + 1);
  }

  std::span<const PlanOfGroup> plans_;
  StepReservations machine_;
  // By plan: for a block at a node, the first step that may send it. Looked up only: the order does not matter.
  std::vector<std::unordered_map<uint64_t, uint32_t>> read_;
  std::vector<size_t> last_;  // by plan: behind its last step so far
  std::vector<std::vector<std::vector<uint32_t>>> at_;
};

}  // namespace
}  // namespace plans_together_parts

std::vector<Plan> plans_together(std::span<const PlanOfGroup> plans) {
  using plans_together_parts::kOrders;
  using plans_together_parts::Merger;
  using plans_together_parts::Order;
  using plans_together_parts::turns_of;
  if (plans.empty()) return {};
  QUADRILLE_CHECK(!shares_arcs(plans[0].problem->model()), "arcs that transfers may share are never full");
  std::vector<Plan> best;
  size_t fewest = 0;
  for (const Order order : kOrders) {
    Merger merger(plans);
    merger.place(turns_of(plans, order));
    if (!best.empty() && merger.steps() >= fewest) continue;
    fewest = merger.steps();
    best = merger.plans();
  }
  return best;
}

}  // namespace quadrille
