// Sum plan: an allreduce as messages, each the sum of what came to its sender in some earlier messages.
//
//     SumPlan plan(topology, 2);
//     const uint32_t heard = plan.send(1, to_us, own);            // step, arc, parts
//     plan.send(2, onwards, std::vector{SumPlan::kOwn, heard});
//     plan.send(2, back, {}, true);                                // the whole sum, which replaces
//
// A node keeps apart what it will send apart, each in a slot (SumSlots), and adds up what stays together. Which
// slot that is, is worked out when the plan is written down: messages share a slot at their receiver if they are
// sent on together from then on, or not at all. So a plan along a tree needs none, and most need few.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class SumPlan {
 public:
  /// The part of a message that is its sender's own contribution.
  static constexpr uint32_t kOwn = UINT32_MAX;

  struct Message {
    uint32_t step;  ///< from 1 on
    ArcId arc;
    bool whole;  ///< a copy of the complete sum
    size_t first_part;
    size_t end_part;
  };

  explicit SumPlan(uint32_t steps) : steps_(steps) {}

  /// A message with these parts, each kOwn or the number of a message to its sender in an earlier step; or the
  /// whole sum. Returns its number.
  uint32_t send(uint32_t step, ArcId arc, std::span<const uint32_t> parts, bool whole = false);

  /// The same without steps in which nothing is sent.
  [[nodiscard]] SumPlan without_pauses() const;

  [[nodiscard]] uint32_t steps() const { return steps_; }
  [[nodiscard]] size_t size() const { return messages_.size(); }
  [[nodiscard]] const Message& message(size_t m) const { return messages_[m]; }
  [[nodiscard]] std::span<const uint32_t> parts(const Message& message) const {
    return std::span(parts_).subspan(message.first_part, message.end_part - message.first_part);
  }

 private:
  uint32_t steps_;
  std::vector<Message> messages_;
  std::vector<uint32_t> parts_;
};

/// The slots of every message, in the order of their numbers; nothing where a node would need more than there are.
[[nodiscard]] std::optional<std::vector<SumSlots>> slots_of(const Topology& topology, const SumPlan& plan);

/// Pushes the steps: every message carries all blocks of the problem.
void push_sums(const Problem& problem, const SumPlan& plan, std::span<const SumSlots> slots, StepSink& sink);

}  // namespace quadrille
