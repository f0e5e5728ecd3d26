#include "quadrille/algorithms/repair/repaired_plan.h"

#include <algorithm>

#include "quadrille/algorithms/repair/new_ways.h"

namespace quadrille {
namespace {

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

RepairedPlan::RepairedPlan(std::vector<LivingPart> parts, HealthyPlan plan)
    : part_(parts.front()), plan_(std::move(plan)), removed_(part_.whole().collective().num_blocks()) {
  std::vector<HitBlocks> hit = find_hit_blocks(parts, plan_);
  size_t best = 0;
  for (size_t p = 1; p < parts.size(); ++p) {
    if (crowding(parts[p], hit[p].moved) < crowding(parts[best], hit[best].moved)) best = p;
  }
  part_ = parts[best];
  const IdleSlots idle(part_, hit[best], plan_);
  move(idle, hit[best].moved);
  removed_ = std::move(hit[best].removed);
  count_steps(idle);
}

void RepairedPlan::move(const IdleSlots& idle, std::span<const BlockId> blocks) {
  moved_ = find_new_ways(part_, idle, blocks);
}

void RepairedPlan::count_steps(const IdleSlots& idle) {
  std::vector<char> sends(std::max<uint64_t>(moved_.steps, idle.steps()), 0);
  for (const uint32_t t : moved_.step_of) sends[t] = 1;
  steps_ = 0;
  has_short_form_ = plan_.brief != nullptr;
  for (size_t t = 0; t < sends.size(); ++t) {
    const uint64_t* row = idle.in_step(t);
    const uint64_t* all = idle.in_step(idle.steps());
    const bool is_used = sends[t] != 0 || !std::equal(row, row + idle.words(), all);
    steps_ += is_used ? 1 : 0;
    // Moves of which nothing is left would be a step in which nothing is sent.
    if (!is_used && has_short_form_ && t < idle.steps() && !plan_.brief->in_step(t).empty())
      has_short_form_ = false;
  }
}

void RepairedPlan::generate_short(MendedSink& sink, const Plan& moved) const {
  const Topology& whole = part_.topology();
  std::vector<NodeId> original;
  for (const NodeId v : whole.nodes()) {
    if (!part_.lives(v)) continue;
    original.resize(std::max(original.size(), index(part_.left(v)) + 1), kNoNode);
    original[index(part_.left(v))] = v;
  }
  const std::vector<BlockId> removed = removed_.list();
  sink.begin_mended({whole, original, removed});
  StepBuilder step;
  for (size_t t = 0; t < std::max<size_t>(plan_.brief->steps(), moved.num_steps()); ++t) {
    const std::span<const SymmetricMove> moves =
        t < plan_.brief->steps() ? plan_.brief->in_step(t) : std::span<const SymmetricMove>();
    if (t < moved.num_steps()) {
      const StepView there = moved.step(t);
      for (size_t i = 0; i < there.size(); ++i)
        step.add(part_.left(there.all_arcs[i]), *part_.left(there.all_blocks[i]));
    }
    if (!moves.empty() || !step.empty()) sink.push_mended(moves, step.view());
    step.clear();
  }
}

void RepairedPlan::generate(StepSink& sink) const {
  Plan moved;
  moved_.generate(moved);
  if (MendedSink* brief = sink.mended(); brief != nullptr && has_short_form_)
    return generate_short(*brief, moved);
  Merging merging(part_, removed_, moved, sink);
  plan_.replay(merging);
  merging.finish();
}

}  // namespace quadrille
