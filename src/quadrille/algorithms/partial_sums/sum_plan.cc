#include "quadrille/algorithms/partial_sums/sum_plan.h"

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {

uint32_t SumPlan::send(uint32_t step, ArcId arc, std::span<const uint32_t> parts, bool whole) {
  QUADRILLE_CHECK(step >= 1 && step <= steps_, "a message is sent in a step of its plan");
  messages_.push_back({step, arc, whole, parts_.size(), parts_.size() + parts.size()});
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  return static_cast<uint32_t>(messages_.size() - 1);
}

SumPlan SumPlan::without_pauses() const {
  std::vector<uint32_t> now(size_t{steps_} + 1, 0);
  for (const Message& message : messages_) now[message.step] = 1;
  for (size_t s = 1; s < now.size(); ++s) now[s] += now[s - 1];
  SumPlan out = *this;
  out.steps_ = now.back();
  for (Message& message : out.messages_) message.step = now[message.step];
  return out;
}

namespace {

// What happens to the sums of one node: what comes and what is sent, by steps.
struct NodeEvents {
  std::vector<uint32_t> in;
  std::vector<uint32_t> out;  // without those that send the whole sum
};

class SlotsOfNode {
 public:
  SlotsOfNode(const SumPlan& plan, const NodeEvents& events, bool has_own, std::vector<uint32_t>& to)
      : plan_(plan), events_(events), to_(to), members_(1) {
    if (has_own) members_.front().push_back(SumPlan::kOwn);
  }

  // Gives every message that comes its slot; false if there are not enough.
  [[nodiscard]] bool fill() {
    for (const uint32_t m : events_.in) {
      if (plan_.message(m).whole) {
        to_[m] = 0;
        continue;
      }
      size_t slot = 0;
      while (slot < members_.size() && !members_[slot].empty() && !stay_together(members_[slot].front(), m))
        ++slot;
      if (slot == members_.size()) members_.emplace_back();
      if (slot >= SumSlots::kCount) return false;
      members_[slot].push_back(m);
      to_[m] = static_cast<uint32_t>(slot);
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_part(uint32_t of, uint32_t part) const {
    const std::span<const uint32_t> parts = plan_.parts(plan_.message(of));
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
  // Whether, from the arrival of the later one on, each message that is sent has both or neither.
  [[nodiscard]] bool stay_together(uint32_t there, uint32_t coming) const {
    const uint32_t since = plan_.message(coming).step;
    return std::all_of(events_.out.begin(), events_.out.end(), [&](uint32_t m) {
      return plan_.message(m).step <= since || is_part(m, there) == is_part(m, coming);
    });
  }

  const SumPlan& plan_;
  const NodeEvents& events_;
  std::vector<uint32_t>& to_;
  std::vector<std::vector<uint32_t>> members_;  // per slot
};

bool by_step(const SumPlan& plan, uint32_t a, uint32_t b) {
  return plan.message(a).step < plan.message(b).step;
}

}  // namespace

std::optional<std::vector<SumSlots>> slots_of(const Topology& topology, const SumPlan& plan) {
  std::vector<NodeEvents> events(topology.num_nodes());
  for (uint32_t m = 0; m < plan.size(); ++m) {
    const SumPlan::Message& message = plan.message(m);
    events[index(topology.head(message.arc))].in.push_back(m);
    if (!message.whole) events[index(topology.tail(message.arc))].out.push_back(m);
  }
  std::vector<uint32_t> to(plan.size(), 0);
  const auto earlier = [&plan](uint32_t a, uint32_t b) { return by_step(plan, a, b); };
  for (const NodeId v : topology.nodes()) {
    NodeEvents& node = events[index(v)];
    std::stable_sort(node.in.begin(), node.in.end(), earlier);
    if (!SlotsOfNode(plan, node, topology.rank(v).has_value(), to).fill()) return std::nullopt;
  }
  std::vector<SumSlots> out(plan.size());
  for (uint32_t m = 0; m < plan.size(); ++m) {
    const SumPlan::Message& message = plan.message(m);
    out[m].to = to[m];
    if (message.whole) continue;
    out[m].from = 0;
    for (const uint32_t part : plan.parts(message))
      out[m].from |= 1U << (part == SumPlan::kOwn ? 0 : to[part]);
  }
  // Where all that a sender has is sent, nothing need be said.
  std::vector<uint32_t> held(topology.num_nodes(), 1);
  std::vector<uint32_t> order(plan.size());
  for (uint32_t m = 0; m < plan.size(); ++m) order[m] = m;
  std::stable_sort(order.begin(), order.end(),
                   [&plan](uint32_t a, uint32_t b) { return by_step(plan, a, b); });
  for (size_t first = 0, end = 0; first < order.size(); first = end) {
    for (; end < order.size() && plan.message(order[end]).step == plan.message(order[first]).step; ++end) {
      SumSlots& slots = out[order[end]];
      if (slots.from == held[index(topology.tail(plan.message(order[end]).arc))]) slots.from = SumSlots::kAll;
    }
    for (size_t i = first; i < end; ++i)
      held[index(topology.head(plan.message(order[i]).arc))] |= 1U << to[order[i]];
  }
  return out;
}

void push_sums(const Problem& problem, const SumPlan& plan, std::span<const SumSlots> slots, StepSink& sink) {
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  std::vector<uint32_t> order(plan.size());
  for (uint32_t m = 0; m < plan.size(); ++m) order[m] = m;
  std::stable_sort(order.begin(), order.end(),
                   [&plan](uint32_t a, uint32_t b) { return by_step(plan, a, b); });
  StepBuilder step;
  size_t next = 0;
  for (uint32_t s = 1; s <= plan.steps(); ++s) {
    for (; next < order.size() && plan.message(order[next]).step == s; ++next) {
      const SumPlan::Message& message = plan.message(order[next]);
      step.add({&message.arc, 1}, blocks, message.whole ? TransferOp::kCopy : TransferOp::kDefault,
               slots[order[next]]);
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
