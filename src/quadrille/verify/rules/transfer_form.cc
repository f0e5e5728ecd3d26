#include "quadrille/verify/rules/transfer_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/verify/rules/path_exists.h"

namespace quadrille::rules {

extern const RuleCard transfer_form;
const RuleCard transfer_form{
    .name = "transfer_form",
    .summary =
        "a transfer takes a path and carries blocks of the collective: one arc and one block in packet "
        "switching, one arc and any number of blocks with many packets",
    .details =
        "Worms take at least one arc and carry at least one block. Only a reduction has transfers "
        "that replace what the receiver has (copy), or that speak of slots, of which there are 32: they send some, "
        "and what comes goes into one.",
};

JudgedStep TransferForm::admit(const StepView& step, uint32_t number, Findings& findings) {
  if (all_well_formed(step)) return {step, number, {}};
  kept_.clear();
  original_.clear();
  for (size_t t = 0; t < step.size(); ++t) {
    if (!check(step, number, t, findings)) continue;
    kept_.add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
    original_.push_back(static_cast<uint32_t>(t));
  }
  return {kept_.view(), number, original_};
}

// A few maxima settle a good step: the loops run at the speed of memory.
bool TransferForm::all_well_formed(const StepView& step) const {
  const bool unit = step.is_unit();
  if (unit && step.all_arcs.size() != step.all_blocks.size()) return false;
  if (!unit && sends_single_packets(problem_.model())) return false;
  if (!step.ops.empty() && problem_.collective().flow() != Flow::kCombine) return false;
  if (!step.slots.empty() && problem_.collective().flow() != Flow::kCombine) return false;
  for (const SumSlots& slots : step.slots) {
    if (slots.from == 0 || slots.to >= SumSlots::kCount) return false;
  }
  uint32_t largest_arc = 0;
  for (const ArcId arc : step.all_arcs) largest_arc = std::max(largest_arc, static_cast<uint32_t>(arc));
  uint32_t largest_block = 0;
  for (const BlockId block : step.all_blocks)
    largest_block = std::max(largest_block, static_cast<uint32_t>(block));
  if (step.size() == 0) return true;
  if (largest_arc >= problem_.topology().num_arcs() || largest_block >= problem_.collective().num_blocks()) {
    return false;
  }
  if (unit) return true;
  const size_t most_arcs = takes_paths(problem_.model()) ? SIZE_MAX : 1;
  for (size_t t = 0; t < step.size(); ++t) {
    const auto path = step.arcs(t);
    if (path.empty() || path.size() > most_arcs || step.blocks(t).empty() ||
        !is_path(problem_.topology(), path))
      return false;
  }
  return true;
}

bool TransferForm::check(const StepView& step, uint32_t number, size_t t, Findings& findings) const {
  const auto arcs = step.arcs(t);
  const auto blocks = step.blocks(t);
  const auto wrong = [&](auto message) {
    findings.add(transfer_form, number - 1, t, {}, message);
    return false;
  };
  if (arcs.empty()) return wrong([] { return std::string("it has no path"); });
  if (blocks.empty()) return wrong([] { return std::string("it carries no block"); });
  if (!takes_paths(problem_.model()) && carries_many(problem_.model()) && arcs.size() > 1) {
    return wrong([&] { return fmt::format("it takes {} arcs; in packet switching it is one", arcs.size()); });
  }
  if (sends_single_packets(problem_.model()) && (arcs.size() > 1 || blocks.size() > 1)) {
    return wrong([&] {
      return fmt::format("it takes {} arc{} and carries {} block{}; in packet switching it is one and one",
                         arcs.size(), arcs.size() == 1 ? "" : "s", blocks.size(),
                         blocks.size() == 1 ? "" : "s");
    });
  }
  const uint32_t num_blocks = problem_.collective().num_blocks();
  for (const BlockId block : blocks) {
    if (index(block) >= num_blocks) {
      return wrong(
          [&] { return fmt::format("block {} does not exist; there are {}", index(block), num_blocks); });
    }
  }
  if (step.op(t) == TransferOp::kCopy && problem_.collective().flow() != Flow::kCombine) {
    return wrong([&] { return fmt::format("a copy has no meaning in {}", problem_.collective().name()); });
  }
  const SumSlots slots = step.slots_of(t);
  if (slots != SumSlots{} && problem_.collective().flow() != Flow::kCombine)
    return wrong([&] { return fmt::format("slots have no meaning in {}", problem_.collective().name()); });
  if (slots.from == 0) return wrong([] { return std::string("it sends no slot"); });
  if (slots.to >= SumSlots::kCount) {
    return wrong([&] {
      return fmt::format("slot {} does not exist; they are 0 to {}", slots.to, SumSlots::kCount - 1);
    });
  }
  if (!is_path(problem_.topology(), arcs)) {
    report_broken_path(problem_.topology(), arcs, number - 1, t, findings);
    return false;
  }
  return true;
}

}  // namespace quadrille::rules
