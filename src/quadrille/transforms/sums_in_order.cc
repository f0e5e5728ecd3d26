#include "quadrille/transforms/sums_in_order.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quadrille {
namespace {

constexpr uint64_t kMostCells = uint64_t{1} << 24U;  // nodes times blocks

// Ranks first .. last in a slot.
struct Part {
  uint32_t slot;
  uint32_t first;
  uint32_t last;
};

struct SumArrival {
  size_t cell;
  uint32_t slot;
  bool copy;
  uint32_t first;
  uint32_t last;
};

// What every node has of every block, slot by slot, as long as all of it is of consecutive ranks.
class Followed {
 public:
  explicit Followed(const Problem& problem)
      : problem_(problem),
        cells_(problem.topology().num_nodes() * size_t{problem.collective().num_blocks()}) {
    for (uint32_t rank = 0; rank < problem.collective().num_ranks(); ++rank) {
      const NodeId node = problem.topology().endpoint(Rank{rank});
      for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b)
        cells_[cell(node, BlockId{b})].push_back({0, rank, rank});
    }
  }

  // Whether it still is.
  bool take(const StepView& step) {
    arrivals_.clear();
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = problem_.topology().tail(step.arcs(t).front());
      const NodeId to = problem_.topology().head(step.arcs(t).back());
      const SumSlots slots = step.slots_of(t);
      for (const BlockId block : step.blocks(t)) {
        if (!sum_up(cells_[cell(from, block)], slots.from)) return false;
        arrivals_.push_back({cell(to, block), slots.to, step.op(t) == TransferOp::kCopy, parts_.front().first,
                             parts_.back().last});
      }
    }
    std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const SumArrival& a, const SumArrival& b) {
      return std::pair(a.cell, a.slot) < std::pair(b.cell, b.slot);
    });
    for (size_t i = 0; i < arrivals_.size();) {
      size_t end = i + 1;
      while (end < arrivals_.size() && arrivals_[end].cell == arrivals_[i].cell &&
             arrivals_[end].slot == arrivals_[i].slot)
        ++end;
      if (!arrive({arrivals_.begin() + static_cast<std::ptrdiff_t>(i),
                   arrivals_.begin() + static_cast<std::ptrdiff_t>(end)}))
        return false;
      i = end;
    }
    return true;
  }

 private:
  [[nodiscard]] size_t cell(NodeId node, BlockId block) const {
    return index(node) * problem_.collective().num_blocks() + index(block);
  }

  // Leaves the parts in order; whether there are some, and one begins where the other ends.
  [[nodiscard]] bool are_consecutive() {
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.first < b.first; });
    for (size_t i = 1; i < parts_.size(); ++i)
      if (parts_[i].first != parts_[i - 1].last + 1) return false;
    return !parts_.empty();
  }

  bool sum_up(const std::vector<Part>& held, uint32_t slots) {
    parts_.clear();
    for (const Part& part : held)
      if ((slots >> part.slot & 1U) != 0) parts_.push_back(part);
    return are_consecutive();
  }

  // What came into one slot.
  bool arrive(std::span<const SumArrival> came) {
    std::vector<Part>& held = cells_[came.front().cell];
    const uint32_t slot = came.front().slot;
    const bool copy = came.front().copy;
    parts_.clear();
    for (const SumArrival& arrival : came) parts_.push_back({slot, arrival.first, arrival.last});
    for (const Part& part : held)
      if (!copy && part.slot == slot) parts_.push_back(part);
    if (!are_consecutive()) return false;
    std::erase_if(held, [&](const Part& part) { return part.slot == slot || (copy && slot == 0); });
    held.push_back({slot, parts_.front().first, parts_.back().last});
    return true;
  }

  const Problem& problem_;
  std::vector<std::vector<Part>> cells_;
  std::vector<Part> parts_{};
  std::vector<SumArrival> arrivals_{};
};

}  // namespace

bool sums_in_order(const Problem& problem, const Plan& plan) {
  if (uint64_t{problem.topology().num_nodes()} * problem.collective().num_blocks() > kMostCells) return false;
  Followed followed(problem);
  for (size_t s = 0; s < plan.num_steps(); ++s)
    if (!followed.take(plan.step(s))) return false;
  return true;
}

Problem without_order(const Problem& problem) {
  Model model = problem.model();
  model.combining = Operator::kCommutative;
  return {problem.topology(), problem.collective(), model};
}

}  // namespace quadrille
