#include "quadrille/algorithms/repair/hit_blocks.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/check.h"
#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

class Finder final : public StepSink {
 public:
  explicit Finder(std::span<const LivingPart> parts) : dead_(parts.front().topology().num_arcs(), 0) {
    QUADRILLE_CHECK(parts.size() <= 8, "a bit for each part");
    for (size_t p = 0; p < parts.size(); ++p) {
      out_.push_back({BlockSet(parts[p].whole().collective().num_blocks()), {}, 0});
      for (const ArcId arc : parts[p].topology().arcs()) {
        if (!parts[p].lives(arc)) dead_[index(arc)] = static_cast<uint8_t>(dead_[index(arc)] | (1U << p));
      }
    }
  }

  void push(const StepView& step) override {
    QUADRILLE_CHECK(step.is_unit(), "one block over one arc");
    for (size_t i = 0; i < step.all_arcs.size(); ++i) {
      for (uint32_t in = dead_[index(step.all_arcs[i])]; in != 0; in &= in - 1)
        add(static_cast<size_t>(std::countr_zero(in)), step.all_blocks[i]);
    }
    ++steps_;
  }
  void add(size_t part, BlockId block) {
    HitBlocks& hit = out_[part];
    if (hit.removed.has(block)) return;
    hit.removed.add(block);
    hit.moved.push_back(block);
  }
  // Once.
  std::vector<HitBlocks> found() {
    for (HitBlocks& hit : out_) hit.steps = steps_;
    return std::move(out_);
  }

 private:
  std::vector<uint8_t> dead_;  // for every arc a bit for each part
  std::vector<HitBlocks> out_;
  uint64_t steps_ = 0;
};

// Blocks from and to dead nodes have no place in the plan, whatever their way.
void add_those_of_the_dead(const LivingPart& part, size_t number, Finder& finder) {
  const Collective& collective = part.whole().collective();
  for (uint32_t dead = 0; dead < collective.num_ranks(); ++dead) {
    if (part.lives(part.topology().endpoint(Rank{dead}))) continue;
    for (uint32_t other = 0; other < collective.num_ranks(); ++other) {
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece) {
        finder.add(number, collective.block(Rank{dead}, Rank{other}, piece));
        finder.add(number, collective.block(Rank{other}, Rank{dead}, piece));
      }
    }
  }
}

// Notes who uses which lane.
class Occupation final : public StepSink {
 public:
  Occupation(const BlockSet& removed, const std::vector<uint32_t>& lanes_begin, size_t words, bool wide,
             std::vector<uint64_t>& idle)
      : removed_(removed), lanes_begin_(lanes_begin), words_(words), wide_(wide), idle_(idle) {
    if (wide_) used_.resize(lanes_begin.size(), 0);
  }

  void push(const StepView& step) override {
    uint64_t* row = idle_.data() + at_;
    at_ += words_;
    if (wide_) std::ranges::fill(used_, 0);
    for (size_t i = 0; i < step.all_arcs.size(); ++i) {
      if (removed_.has(step.all_blocks[i])) continue;
      const size_t arc = index(step.all_arcs[i]);
      const size_t lane = wide_ ? lanes_begin_[arc] + used_[arc]++ : arc;
      row[lane >> 6U] &= ~(uint64_t{1} << (lane & 63U));
    }
  }

 private:
  const BlockSet& removed_;
  const std::vector<uint32_t>& lanes_begin_;
  size_t words_;
  bool wide_;  // some arc has several lanes
  std::vector<uint64_t>& idle_;
  std::vector<uint32_t> used_;
  size_t at_ = 0;
};

}  // namespace

std::vector<HitBlocks> find_hit_blocks(std::span<const LivingPart> parts, const ReplaySteps& replay) {
  Finder finder(parts);
  replay(finder);
  for (size_t p = 0; p < parts.size(); ++p) add_those_of_the_dead(parts[p], p, finder);
  std::vector<HitBlocks> out = finder.found();
  for (size_t p = 0; p < parts.size(); ++p) {
    const Collective& collective = parts[p].whole().collective();
    std::erase_if(out[p].moved, [&](BlockId block) { return !parts[p].left(block); });
    std::ranges::sort(out[p].moved, [&](BlockId a, BlockId b) {
      const Rank to_a = collective.destination(a);
      const Rank to_b = collective.destination(b);
      return to_a != to_b ? to_a < to_b : a < b;
    });
  }
  return out;
}

IdleSlots::IdleSlots(const LivingPart& part, const HitBlocks& hit, const ReplaySteps& replay)
    : steps_(hit.steps), of_arcs_(part.topology().num_arcs(), 0) {
  const Topology& topology = part.topology();
  uint64_t lanes = 0;
  for (const uint32_t capacity : topology.capacities()) lanes += capacity;
  const uint64_t words = lanes / 64 + 1;
  require_memory(Int128{words} * Int128{steps_} * 8, "which slots of a plan are idle");
  lanes_begin_.reserve(topology.num_arcs() + 1);
  arc_of_lane_.reserve(lanes);
  living_.assign(words, 0);
  for (const ArcId arc : topology.arcs()) {
    lanes_begin_.push_back(static_cast<uint32_t>(arc_of_lane_.size()));
    for (uint32_t c = 0; c < topology.capacity(arc); ++c) {
      if (part.lives(arc)) living_[arc_of_lane_.size() >> 6U] |= uint64_t{1} << (arc_of_lane_.size() & 63U);
      arc_of_lane_.push_back(arc);
    }
  }
  lanes_begin_.push_back(static_cast<uint32_t>(arc_of_lane_.size()));
  idle_.reserve(words * steps_);
  for (uint64_t t = 0; t < steps_; ++t) idle_.insert(idle_.end(), living_.begin(), living_.end());
  Occupation occupation(hit.removed, lanes_begin_, words, lanes != topology.num_arcs(), idle_);
  replay(occupation);
  for (size_t i = 0; i < idle_.size(); ++i) {
    for (uint64_t bits = idle_[i]; bits != 0; bits &= bits - 1)
      ++of_arcs_[index(arc_of_lane_[i % words * 64 + static_cast<size_t>(std::countr_zero(bits))])];
  }
}

}  // namespace quadrille
