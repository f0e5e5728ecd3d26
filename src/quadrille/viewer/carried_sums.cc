#include "quadrille/viewer/carried_sums.h"

#include "quadrille/topology/topology.h"

namespace quadrille {

CarriedSums::CarriedSums(const Problem& problem) : blocks_(problem.collective().num_blocks()) {
  const Topology& network = problem.topology();
  if (problem.collective().flow() != Flow::kCombine || blocks_ == 0 ||
      network.num_nodes() > kMostSums / blocks_)
    return;
  in_first_slot_.assign(network.num_nodes() * blocks_, 0);
  for (const NodeId node : network.endpoints())
    for (uint64_t b = 0; b < blocks_; ++b) in_first_slot_[index(node) * blocks_ + b] = 1;
}

uint32_t& CarriedSums::at(uint64_t sum, uint32_t slot) {
  if (slot == 0) return in_first_slot_[sum];
  slots_in_use_[sum] |= 1U << slot;
  return in_other_slots_[sum * SumSlots::kCount + slot];
}

uint32_t CarriedSums::held(NodeId node, BlockId block) const {
  return in_slots(index(node) * blocks_ + index(block), SumSlots::kAll);
}

uint32_t CarriedSums::in_slots(uint64_t sum, uint32_t slots) const {
  uint32_t out = (slots & 1U) != 0 ? in_first_slot_[sum] : 0;
  const auto used = slots_in_use_.find(sum);
  if (used == slots_in_use_.end()) return out;
  for (uint32_t slot = 1; slot < SumSlots::kCount; ++slot)
    if (((used->second & slots) >> slot & 1U) != 0) out += in_other_slots_.at(sum * SumSlots::kCount + slot);
  return out;
}

void CarriedSums::send(const StepView& step, size_t transfer, NodeId from, NodeId to,
                       std::vector<uint32_t>& of_blocks) {
  of_blocks.clear();
  const SumSlots slots = step.slots_of(transfer);
  for (const BlockId block : step.blocks(transfer)) {
    const uint64_t sent = index(from) * blocks_ + index(block);
    const uint32_t contributions = in_slots(sent, slots.from);
    of_blocks.push_back(contributions);
    arrivals_.push_back({.sum = index(to) * blocks_ + index(block),
                         .slot = slots.to,
                         .contributions = contributions,
                         .replaces = step.op(transfer) == TransferOp::kCopy});
  }
}

void CarriedSums::end_step() {
  for (const Arrival& one : arrivals_) {
    if (!one.replaces) {
      at(one.sum, one.slot) += one.contributions;
      continue;
    }
    if (one.slot == 0) {
      if (const auto used = slots_in_use_.find(one.sum); used != slots_in_use_.end()) {
        for (uint32_t slot = 1; slot < SumSlots::kCount; ++slot)
          if (used->second >> slot & 1U) at(one.sum, slot) = 0;
      }
    }
    at(one.sum, one.slot) = one.contributions;
  }
  arrivals_.clear();
}

}  // namespace quadrille
