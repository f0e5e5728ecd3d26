#include "quadrille/compile/lending/slot_names.h"

#include <algorithm>
#include <bit>
#include <map>

namespace quadrille {

uint32_t SlotNames::named(const Cell& cell, uint32_t slots) {
  if (slots == SumSlots::kAll) return slots;
  uint32_t out = 0;
  for (uint32_t s = 0; s < SumSlots::kCount; ++s)
    if ((slots >> s & 1U) != 0 && cell.name[s] != kNone) out |= 1U << cell.name[s];
  return out;
}

std::vector<SlotNames::Item> SlotNames::items_of(const StepView& step) {
  std::vector<Item> out;
  for (size_t t = 0; t < step.size(); ++t) {
    const ArcId arc = step.arcs(t).front();
    for (const BlockId block : step.blocks(t)) {
      const Cell& sender = cell(problem_.topology().tail(arc), block);
      const SumSlots slots = step.slots_of(t);
      out.push_back({arc, block, step.op(t), {named(sender, slots.from), slots.to}, sender.taken});
    }
  }
  return out;
}

// A slot into which nothing has come gets a name that is free: what others over the arc are called, or else what the plan calls it, or
// else any, if it can be one that is free for all of them.
void SlotNames::name_arrivals(std::span<Item* const> of_arc) {
  std::vector<Item*> fresh;
  std::vector<uint8_t> others;
  uint32_t free_for_all = UINT32_MAX;
  for (Item* item : of_arc) {
    const Cell& there = receiver(*item);
    if (const uint8_t name = there.name[item->slots.to]; name != kNone) {
      others.push_back(name);
    } else {
      fresh.push_back(item);
      free_for_all &= ~there.taken;
    }
  }
  for (Item* item : fresh) {
    Cell& there = receiver(*item);
    uint8_t& name = there.name[item->slots.to];
    const auto is_free = [&](uint8_t other) { return (there.taken >> other & 1U) == 0; };
    const auto like = std::ranges::find_if(others, is_free);
    if (like != others.end()) {
      name = *like;
    } else {
      const uint32_t choice = free_for_all != 0 ? free_for_all : ~there.taken;
      const bool is_own = (choice >> item->slots.to & 1U) != 0;
      name = static_cast<uint8_t>(is_own ? item->slots.to : static_cast<uint32_t>(std::countr_zero(choice)));
      others.push_back(name);
    }
    there.taken |= 1U << name;
    item->is_fresh = true;
  }
}

// What is copied into an empty slot may as well be added to it, and names of nothing be sent with the others.
void SlotNames::make_alike(std::span<Item* const> of_arc) {
  const bool are_copies =
      std::ranges::all_of(of_arc, [](const Item* item) { return item->op == TransferOp::kCopy; });
  for (Item* item : of_arc)
    if (!are_copies && item->is_fresh) item->op = TransferOp::kDefault;
  for (const Item* item : of_arc) {
    std::vector<Item*> alike;
    std::ranges::copy_if(of_arc, std::back_inserter(alike), [&](const Item* other) {
      return other->op == item->op && other->slots.to == item->slots.to;
    });
    uint32_t all = 0;
    for (const Item* other : alike) all |= other->slots.from;
    const bool adds_nothing = std::ranges::all_of(
        alike, [&](const Item* other) { return (all & other->held) == (other->slots.from & other->held); });
    if (!adds_nothing) continue;
    for (Item* other : alike) other->slots.from = all;
  }
}

StepView SlotNames::with_names(const StepView& step) {
  if (cells_.empty()) {
    if (step.slots.empty()) return step;
    cells_.resize(problem_.topology().num_nodes() * size_t{problem_.collective().num_blocks()});
  }
  // Who sends reads what was there before the step.
  std::vector<Item> items = items_of(step);
  std::map<ArcId, std::vector<Item*>> on_arc;
  for (Item& item : items) {
    on_arc[item.arc].push_back(&item);
    // A copy into slot 0 leaves no other.
    if (item.op == TransferOp::kCopy && item.slots.to == 0) receiver(item) = Cell();
  }
  // Who has a link for himself takes what is left.
  for (const bool is_alone : {false, true})
    for (const auto& [arc, of_arc] : on_arc)
      if ((of_arc.size() == 1) == is_alone) name_arrivals(of_arc);
  for (Item& item : items) item.slots.to = receiver(item).name[item.slots.to];
  for (const auto& [arc, of_arc] : on_arc) make_alike(of_arc);
  named_.clear();
  for (const Item& item : items) named_.add({&item.arc, 1}, {&item.block, 1}, item.op, item.slots);
  return named_.view();
}

}  // namespace quadrille
