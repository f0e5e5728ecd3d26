#include "quadrille/algorithms/repair/repaired_plan.h"

#include <algorithm>

#include "quadrille/algorithms/repair/detours.h"
#include "quadrille/algorithms/repair/idle_filling.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr uint64_t kSeed = 13;
constexpr uint32_t kPasses = 2;         // over all blocks, each time that detours are sought
constexpr uint32_t kMostRounds = 12;    // of detours and slots
constexpr uint32_t kMostInVain = 2;     // rounds in a row that gain next to nothing
constexpr uint64_t kWorthwhile = 1000;  // what is gained by a round: more than one part in so many
constexpr uint64_t kGoodEnough = 100;   // one more step for so many is not improved on for long
constexpr float kOfIdle = 0.6F;         // of the idle slots of an arc, those that are hoped for at first
constexpr float kFirstEnd = 16;         // steps behind the plan, at first
constexpr float kOfEnd = 0.5F;          // of the steps behind the plan, those that an arc is to be used in

// The plan's steps without the blocks that are removed, and with those that are moved.
class Merging final : public StepSink {
 public:
  Merging(const LivingPart& part, const BlockSet& removed, const Plan& moved, StepSink& to)
      : part_(part), removed_(removed), moved_(moved), to_(to) {}

  void push(const StepView& step) override {
    for (size_t i = 0; i < step.all_arcs.size(); ++i) {
      if (!removed_.has(step.all_blocks[i])) add(step.all_arcs[i], step.all_blocks[i]);
    }
    end_step();
  }
  void finish() {
    while (t_ < moved_.num_steps()) end_step();
  }

 private:
  void add(ArcId arc, BlockId block) { step_.add(part_.left(arc), *part_.left(block)); }
  void end_step() {
    if (t_ < moved_.num_steps()) {
      const StepView step = moved_.step(t_);
      for (size_t i = 0; i < step.size(); ++i) add(step.all_arcs[i], step.all_blocks[i]);
    }
    ++t_;
    if (!step_.empty()) step_.flush(to_);
  }

  const LivingPart& part_;
  const BlockSet& removed_;
  const Plan& moved_;
  StepSink& to_;
  StepBuilder step_;
  size_t t_ = 0;
};

// How many of the blocks the busiest destination waits for, then how many the busiest origin sends: these cannot be spread over
// more than the links of a node. Origins may send early, and so count less.
std::pair<uint32_t, uint32_t> crowding(const LivingPart& part, std::span<const BlockId> blocks) {
  std::vector<uint32_t> from(part.topology().num_nodes(), 0);
  std::vector<uint32_t> to(from.size(), 0);
  std::pair<uint32_t, uint32_t> out{0, 0};
  for (const BlockId block : blocks) {
    out.first = std::max(out.first, ++to[index(part.whole().destination(block))]);
    out.second = std::max(out.second, ++from[index(part.whole().origin(block))]);
  }
  return out;
}

}  // namespace

RepairedPlan::RepairedPlan(std::vector<LivingPart> parts, ReplaySteps replay)
    : part_(parts.front()), replay_(std::move(replay)), removed_(part_.whole().collective().num_blocks()) {
  std::vector<HitBlocks> hit = find_hit_blocks(parts, replay_);
  size_t best = 0;
  for (size_t p = 1; p < parts.size(); ++p) {
    if (crowding(parts[p], hit[p].moved) < crowding(parts[best], hit[best].moved)) best = p;
  }
  part_ = parts[best];
  const IdleSlots idle(part_, hit[best], replay_);
  move(idle, hit[best].moved);
  removed_ = std::move(hit[best].removed);
  count_steps(idle);
}

// A slot that is idle is of use only if somebody is there who wants it; how many are is learnt: where blocks waited behind
// the plan's end, the room of the arc is what it has really carried before, and a part of the steps behind.
void RepairedPlan::move(const IdleSlots& idle, std::span<const BlockId> blocks) {
  Rng rng(kSeed);
  std::vector<float> room;
  for (const uint32_t slots : idle.of_arcs()) room.push_back(kOfIdle * static_cast<float>(slots) + kFirstEnd);
  moved_.steps = UINT32_MAX;
  uint32_t in_vain = 0;
  Detours detours;
  for (uint32_t round = 0; round < SearchLimits::work(kMostRounds) && in_vain < kMostInVain; ++round) {
    detours = round < 2 ? find_detours(part_, blocks, room, kPasses, rng)
                        : balance_detours(part_, blocks, room, detours);
    TimedPaths within = fill_idle(part_.whole(), idle, blocks, detours, 0);
    std::vector<uint32_t> before(room.size(), 0);
    std::vector<uint32_t> behind(room.size(), 0);
    for (size_t i = 0; i < within.arcs.size(); ++i)
      ++(within.step_of[i] < idle.steps() ? before : behind)[index(within.arcs[i])];
    TimedPaths after = fill_idle(part_.whole(), idle, blocks, detours, idle.steps());
    TimedPaths& shorter = after.steps < within.steps ? after : within;
    const bool is_better = round == 0 || shorter.steps + idle.steps() / kWorthwhile < moved_.steps;
    in_vain = is_better ? 0 : in_vain + 1;
    if (shorter.steps < moved_.steps) moved_ = std::move(shorter);
    const uint64_t end = moved_.steps - idle.steps();
    if (blocks.empty() || (round > 0 && end <= idle.steps() / kGoodEnough) || searches_are_stopped()) break;
    for (size_t a = 0; a < room.size(); ++a) {
      if (behind[a] > 0) room[a] = static_cast<float>(before[a]) + kOfEnd * static_cast<float>(end);
    }
  }
}

void RepairedPlan::count_steps(const IdleSlots& idle) {
  std::vector<char> sends(std::max<uint64_t>(moved_.steps, idle.steps()), 0);
  for (const uint32_t t : moved_.step_of) sends[t] = 1;
  steps_ = 0;
  for (size_t t = 0; t < sends.size(); ++t) {
    const uint64_t* row = idle.in_step(t);
    const uint64_t* all = idle.in_step(idle.steps());
    steps_ += sends[t] != 0 || !std::equal(row, row + idle.words(), all) ? 1 : 0;
  }
}

void RepairedPlan::generate(StepSink& sink) const {
  Plan moved;
  moved_.generate(moved);
  Merging merging(part_, removed_, moved, sink);
  replay_(merging);
  merging.finish();
}

}  // namespace quadrille
