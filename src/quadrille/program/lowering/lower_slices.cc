#include "quadrille/program/lowering/lower_slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/buffer_layout.h"

namespace quadrille {
namespace {

class SliceLowering {
 public:
  SliceLowering(const Schedule& schedule, const ArrayLayout& layout)
      : problem_(schedule.problem()),
        plan_(schedule.plan()),
        layout_(layout),
        buffers_(problem_.collective()),
        out_{problem_.collective(), std::vector<RankProgram>(buffers_.num_ranks())},
        slots_(problem_.collective().num_blocks(), 0),
        started_(buffers_.num_ranks(), 0),
        waits_(buffers_.num_ranks()) {
    if (uint64_t{layout.positions} * 4 > UINT32_MAX) {
      throw InputError(fmt::format("arrays of {} blocks are too large to run", layout.positions));
    }
  }

  Program run() {
    set_up();
    size_t next = 0;
    for (uint32_t s = 0; s < plan_.num_steps(); ++s) {
      for (; next < layout_.arrangements.size() && layout_.arrangements[next].before_step == s; ++next) {
        arrange(next);
      }
      take_step(s);
    }
    deliver();
    return std::move(out_);
  }

 private:
  void set_up() {
    for (uint32_t r = 0; r < buffers_.num_ranks(); ++r) {
      RankProgram& rank = out_.ranks[r];
      rank.rank = Rank{r};
      rank.input_slots = buffers_.input_slots(rank.rank);
      rank.output_slots = buffers_.output_slots(rank.rank);
      rank.scratch_slots = (layout_.arrangements.size() > 1 ? 4 : 2) * layout_.positions;
    }
    const Collective& collective = problem_.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const BlockId block{b};
      const Rank origin = collective.origin(block);
      if (origin != collective.destination(block)) continue;
      copy(index(origin), 0, {Buffer::kOutput, buffers_.output_slot(block), 1},
           {Buffer::kInput, buffers_.input_slot(block), 1});
    }
  }

  // Two arrays in turn: a copy never overwrites what it still has to read.
  void arrange(size_t number) {
    const Arrangement& arrangement = layout_.arrangements[number];
    array_ = static_cast<uint32_t>(number % 2);
    for (size_t r = 0; r < arrangement.ranks.size(); ++r) {
      for (const ArrangedBlock& block : arrangement.ranks[r]) {
        const SlotRun source = number == 0 ? SlotRun{Buffer::kInput, buffers_.input_slot(block.block), 1}
                                           : SlotRun{Buffer::kScratch, slots_[index(block.block)], 1};
        slots_[index(block.block)] = slot(block.slot);
        copy(r, arrangement.before_step, {Buffer::kScratch, slots_[index(block.block)], 1}, source);
      }
    }
  }

  void take_step(uint32_t s) {
    const StepView step = plan_.step(s);
    const Topology& topology = problem_.topology();
    for (const ActionKind kind : {ActionKind::kReceive, ActionKind::kSend}) {
      const BlockId* blocks = layout_.slice_blocks[s].data();
      for (size_t t = 0; t < step.size(); ++t) {
        const Rank from = *topology.rank(topology.tail(step.arcs(t).front()));
        const Rank to = *topology.rank(topology.head(step.arcs(t).back()));
        const ArraySlice& slice = layout_.slices[s][t];
        const bool sends = kind == ActionKind::kSend;
        start(sends ? from : to, sends ? to : from, s, kind, sends ? slice.from : slice.to,
              {blocks, blocks + slice.count});
        blocks += slice.count;
      }
    }
    const BlockId* block = layout_.slice_blocks[s].data();
    for (const ArraySlice& slice : layout_.slices[s]) {
      for (uint32_t i = 0; i < slice.count; ++i) slots_[index(*block++)] = slot(slice.to) + i;
    }
    for (size_t r = 0; r < out_.ranks.size(); ++r) wait(r, s);
  }

  void start(Rank rank, Rank peer, uint32_t step, ActionKind kind, ArraySlot first,
             std::span<const BlockId> blocks) {
    RankProgram& program = out_.ranks[index(rank)];
    Action action{kind, peer, step};
    action.begin = static_cast<uint32_t>(program.runs.size());
    action.end = action.begin + 1;
    action.blocks_begin = static_cast<uint32_t>(program.blocks.size());
    program.runs.push_back({Buffer::kScratch, slot(first), static_cast<uint32_t>(blocks.size())});
    program.blocks.insert(program.blocks.end(), blocks.begin(), blocks.end());
    program.actions.push_back(action);
    waits_[index(rank)].push_back(started_[index(rank)]++);
  }

  void wait(size_t rank, uint32_t step) {
    if (waits_[rank].empty()) return;
    RankProgram& program = out_.ranks[rank];
    Action action{ActionKind::kWait, Rank{0}, step};
    action.begin = static_cast<uint32_t>(program.requests.size());
    program.requests.insert(program.requests.end(), waits_[rank].begin(), waits_[rank].end());
    action.end = static_cast<uint32_t>(program.requests.size());
    program.actions.push_back(action);
    waits_[rank].clear();
  }

  void deliver() {
    const uint32_t last = plan_.num_steps() == 0 ? 0 : static_cast<uint32_t>(plan_.num_steps() - 1);
    for (uint32_t r = 0; r < buffers_.num_ranks(); ++r) {
      for (const BlockId block : buffers_.output_blocks(Rank{r})) {
        if (problem_.collective().origin(block) == Rank{r}) continue;
        copy(r, last, {Buffer::kOutput, buffers_.output_slot(block), 1},
             {Buffer::kScratch, slots_[index(block)], 1});
      }
    }
  }

  // A copy of one slot, joined to the last one where it continues both of its runs.
  void copy(size_t rank, uint32_t step, SlotRun target, SlotRun source) {
    RankProgram& program = out_.ranks[rank];
    if (!program.actions.empty()) {
      const Action& last = program.actions.back();
      if (last.kind == ActionKind::kCopy && last.step == step) {
        SlotRun& last_target = program.runs[last.begin];
        SlotRun& last_source = program.runs[last.begin + 1];
        if (follows(last_target, target) && follows(last_source, source)) {
          ++last_target.count;
          ++last_source.count;
          return;
        }
      }
    }
    Action action{ActionKind::kCopy, Rank{0}, step};
    action.begin = static_cast<uint32_t>(program.runs.size());
    action.end = action.begin + 2;
    program.runs.push_back(target);
    program.runs.push_back(source);
    program.actions.push_back(action);
  }

  static bool follows(const SlotRun& run, const SlotRun& next) {
    return run.buffer == next.buffer && run.first + run.count == next.first;
  }
  [[nodiscard]] uint32_t slot(ArraySlot at) const {
    return (2 * array_ + at.half) * layout_.positions + at.position;
  }

  const Problem& problem_;
  const Plan& plan_;
  const ArrayLayout& layout_;
  BufferLayout buffers_;
  Program out_;
  std::vector<uint32_t> slots_;               // per block: where it lies in its holder's scratch
  std::vector<uint32_t> started_;             // per rank: sends and receives so far
  std::vector<std::vector<uint32_t>> waits_;  // per rank: those of the step
  uint32_t array_ = 0;
};

}  // namespace

Program lower_slices(const Schedule& schedule, const ArrayLayout& layout) {
  return SliceLowering(schedule, layout).run();
}

}  // namespace quadrille
