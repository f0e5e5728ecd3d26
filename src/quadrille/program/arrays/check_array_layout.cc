#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "quadrille/program/arrays/array_layout.h"

namespace quadrille {
namespace {

// Replays the schedule in the arrays, slot by slot.
class LayoutChecker {
 public:
  LayoutChecker(const Schedule& schedule, const ArrayLayout& layout, size_t max_findings)
      : problem_(schedule.problem()),
        plan_(schedule.plan()),
        layout_(layout),
        max_findings_(max_findings),
        arrays_(problem_.collective().num_ranks()) {}

  std::vector<Finding> run() {
    if (layout_.slices.size() != plan_.num_steps() || layout_.slice_blocks.size() != plan_.num_steps()) {
      add("slice", Finding::kAtEnd, Finding::kAtEnd,
          fmt::format("there are slices for {} steps; the plan has {}", layout_.slices.size(),
                      plan_.num_steps()));
      return std::move(findings_);
    }
    start();
    size_t next = 0;
    for (size_t s = 0; s < plan_.num_steps() || next < layout_.arrangements.size(); ++s) {
      for (; next < layout_.arrangements.size() && layout_.arrangements[next].before_step <= s; ++next) {
        arrange(layout_.arrangements[next], s);
      }
      if (s >= plan_.num_steps()) break;
      take_step(s);
    }
    return std::move(findings_);
  }

 private:
  using Slot = std::pair<uint8_t, uint32_t>;  // half, position
  using Array = std::map<Slot, BlockId>;

  void add(std::string_view rule, uint64_t step, uint64_t transfer, std::string message) {
    if (findings_.size() < max_findings_) findings_.push_back({rule, step, transfer, std::move(message)});
  }

  // The blocks of each rank before the first arrangement: in slots that no slice can name.
  void start() {
    const Collective& collective = problem_.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const Rank origin = collective.origin(BlockId{b});
      if (origin != collective.destination(BlockId{b}))
        arrays_[index(origin)].emplace(Slot{2, b}, BlockId{b});
    }
  }

  void arrange(const Arrangement& arrangement, size_t step) {
    if (arrangement.ranks.size() != arrays_.size() || arrangement.before_step != step) {
      add("arrangement", step, Finding::kAtEnd, "it is not for all ranks, or not in order");
      return;
    }
    for (size_t r = 0; r < arrays_.size(); ++r) {
      std::set<BlockId> held;
      for (const auto& entry : arrays_[r]) held.insert(entry.second);
      Array array;
      std::set<BlockId> placed;
      for (const ArrangedBlock& block : arrangement.ranks[r]) {
        placed.insert(block.block);
        if (!exists(block.slot) || !array.emplace(slot_of(block.slot, 0), block.block).second) {
          add("arrangement", step, Finding::kAtEnd,
              fmt::format("rank {}: block {} gets a slot that does not exist or is taken", r,
                          problem_.block_label(block.block)));
        }
      }
      if (placed != held || placed.size() != arrangement.ranks[r].size()) {
        add("arrangement", step, Finding::kAtEnd,
            fmt::format("rank {} holds {} blocks; {} are arranged, or others", r, held.size(),
                        arrangement.ranks[r].size()));
      }
      arrays_[r] = std::move(array);
    }
  }

  void take_step(size_t s) {
    const StepView step = plan_.step(s);
    if (layout_.slices[s].size() != step.size()) {
      add("slice", s, Finding::kAtEnd,
          fmt::format("{} slices for {} transfers", layout_.slices[s].size(), step.size()));
      return;
    }
    // All transfers read the arrays as they were, and what is being read may not be written.
    std::vector<std::vector<BlockId>> carried(step.size());
    std::vector<std::set<Slot>> reading(arrays_.size());
    size_t begin = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      carried[t] = read(s, t, begin, reading);
      begin += layout_.slices[s][t].count;
    }
    for (size_t t = 0; t < step.size(); ++t) {
      const size_t from = rank_at(problem_.topology().tail(step.arcs(t).front()));
      for (uint32_t i = 0; i < layout_.slices[s][t].count; ++i) {
        arrays_[from].erase(slot_of(layout_.slices[s][t].from, i));
      }
    }
    for (size_t t = 0; t < step.size(); ++t) write(s, t, carried[t], reading);
  }

  std::vector<BlockId> read(size_t s, size_t t, size_t begin, std::vector<std::set<Slot>>& reading) {
    const StepView step = plan_.step(s);
    const ArraySlice& slice = layout_.slices[s][t];
    const size_t from = rank_at(problem_.topology().tail(step.arcs(t).front()));
    std::vector<BlockId> out;
    for (uint32_t i = 0; i < slice.count; ++i) {
      const Slot slot = slot_of(slice.from, i);
      reading[from].insert(slot);
      const auto at = arrays_[from].find(slot);
      if (at != arrays_[from].end()) out.push_back(at->second);
      const bool written = begin + i < layout_.slice_blocks[s].size();
      if (at == arrays_[from].end() || !written || layout_.slice_blocks[s][begin + i] != at->second) {
        add("slice", s, t,
            fmt::format("position {} of the sender's array has not the block that the slice names",
                        slot.second));
        return out;
      }
    }
    std::vector<BlockId> sorted = out;
    std::ranges::sort(sorted);
    std::vector<BlockId> wanted(step.blocks(t).begin(), step.blocks(t).end());
    std::ranges::sort(wanted);
    if (sorted != wanted) {
      add("slice", s, t,
          fmt::format("its slice has {} blocks; the transfer carries {}, or others", sorted.size(),
                      wanted.size()));
    }
    return out;
  }

  void write(size_t s, size_t t, const std::vector<BlockId>& blocks,
             const std::vector<std::set<Slot>>& reading) {
    const ArraySlice& slice = layout_.slices[s][t];
    const size_t to = rank_at(problem_.topology().head(plan_.step(s).arcs(t).back()));
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      const Slot slot = slot_of(slice.to, i);
      const bool free = arrays_[to].emplace(slot, blocks[i]).second;
      if (!free || reading[to].contains(slot) || !exists({slot.second, slot.first})) {
        add("landing", s, t,
            fmt::format("position {} of the receiver's array is not free, or being sent from", slot.second));
        return;
      }
    }
  }

  [[nodiscard]] bool exists(const ArraySlot& slot) const {
    return slot.position < layout_.positions && slot.half <= 1;
  }
  [[nodiscard]] static Slot slot_of(const ArraySlot& first, uint32_t i) {
    return {first.half, first.position + i};
  }
  [[nodiscard]] size_t rank_at(NodeId v) const { return index(*problem_.topology().rank(v)); }

  const Problem& problem_;
  const Plan& plan_;
  const ArrayLayout& layout_;
  size_t max_findings_;
  std::vector<Array> arrays_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_array_layout(const Schedule& schedule, const ArrayLayout& layout,
                                        size_t max_findings) {
  return LayoutChecker(schedule, layout, max_findings).run();
}

}  // namespace quadrille
