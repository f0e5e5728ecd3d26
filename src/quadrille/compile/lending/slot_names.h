// Slot names: what nodes call the slots of partial sums, chosen such that sums which go over a link at a time can be one message.
//
// A message names the slots that it sends, and one that it goes to, for all of its blocks alike. What the slots of a block are called
// at a node is nobody else's business, so two blocks that a plan and its mirror image send over one link, into unlike slots, may be
// given like ones, as long as a name is free at the receiver; and a name that stands for nothing adds nothing to what is sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class SlotNames {
 public:
  explicit SlotNames(const Problem& problem) : problem_(problem) {}

  /// A step of transfers over one link each, with the names that its slots have now, as alike on each link as was found. Every transfer
  /// has one block. Valid until the next call; `step` itself as long as there are no slots.
  [[nodiscard]] StepView with_names(const StepView& step);

 private:
  static constexpr uint8_t kNone = 0xFF;
  struct Cell {
    Cell() {
      name.fill(kNone);
      name[0] = 0;
    }
    std::array<uint8_t, SumSlots::kCount> name{};  // of each slot of the plan
    uint32_t taken = 1;                            // a bit for each name that stands for a sum
  };
  // A block on its way.
  struct Item {
    ArcId arc;
    BlockId block;
    TransferOp op;
    SumSlots slots;         // by the plan's names; later by ours
    uint32_t held = 0;      // names that stand for sums at the sender
    bool is_fresh = false;  // into a slot of which there was nothing
  };

  [[nodiscard]] Cell& cell(NodeId node, BlockId block) {
    return cells_[index(node) * problem_.collective().num_blocks() + index(block)];
  }
  [[nodiscard]] Cell& receiver(const Item& item) {
    return cell(problem_.topology().head(item.arc), item.block);
  }
  [[nodiscard]] static uint32_t named(const Cell& cell, uint32_t slots);
  [[nodiscard]] std::vector<Item> items_of(const StepView& step);
  void name_arrivals(std::span<Item* const> of_arc);
  static void make_alike(std::span<Item* const> of_arc);

  const Problem& problem_;
  std::vector<Cell> cells_;  // per node and block, once there are slots
  StepBuilder named_;
};

}  // namespace quadrille
