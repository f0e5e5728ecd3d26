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
  [[nodiscard]] uint64_t steps() const { return steps_; }
  // Once.
  std::vector<HitBlocks> found(uint64_t steps) {
    for (HitBlocks& hit : out_) hit.steps = steps;
    return std::move(out_);
  }

 private:
  std::vector<uint8_t> dead_;  // for every arc a bit for each part
  std::vector<HitBlocks> out_;
  uint64_t steps_ = 0;
};

// The same, of what one node does: over a dead arc goes a block for each move along its generator.
void look_at_moves(const LivingPart& part, size_t number, const OneNodesMoves& moves, Finder& finder) {
  const CayleyStructure& cayley = *part.topology().cayley();
  for (const NodeId x : part.topology().nodes()) {
    for (size_t k = 0; k < cayley.generators.size(); ++k) {
      if (part.lives(cayley.arc(x, k))) continue;
      for (const OneNodesMoves::Timed& one : moves.along(k))
        finder.add(number, block_at(part.whole(), one.move, x));
    }
  }
}

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

std::vector<BlockId> BlockSet::list() const {
  std::vector<BlockId> out;
  for (size_t w = 0; w < bits_.size(); ++w) {
    for (uint64_t bits = bits_[w]; bits != 0; bits &= bits - 1)
      out.push_back(id_at<BlockId>(w * 64 + static_cast<size_t>(std::countr_zero(bits))));
  }
  return out;
}

std::vector<HitBlocks> find_hit_blocks(std::span<const LivingPart> parts, const HealthyPlan& plan) {
  Finder finder(parts);
  if (plan.brief != nullptr) {
    for (size_t p = 0; p < parts.size(); ++p) look_at_moves(parts[p], p, *plan.brief, finder);
  } else {
    plan.replay(finder);
  }
  for (size_t p = 0; p < parts.size(); ++p) add_those_of_the_dead(parts[p], p, finder);
  std::vector<HitBlocks> out = finder.found(plan.brief != nullptr ? plan.brief->steps() : finder.steps());
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

IdleSlots::IdleSlots(const LivingPart& part, const HitBlocks& hit, const HealthyPlan& plan)
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
  if (plan.brief != nullptr) {
    take_moves(part, hit, *plan.brief);
  } else {
    Occupation occupation(hit.removed, lanes_begin_, words, lanes != topology.num_arcs(), idle_);
    plan.replay(occupation);
  }
  for (size_t i = 0; i < idle_.size(); ++i) {
    for (uint64_t bits = idle_[i]; bits != 0; bits &= bits - 1)
      ++of_arcs_[index(arc_of_lane_[i % words * 64 + static_cast<size_t>(std::countr_zero(bits))])];
  }
}

// The lanes of all nodes at once, along each generator as many as there are moves; then removed blocks give theirs back.
void IdleSlots::take_moves(const LivingPart& part, const HitBlocks& hit, const OneNodesMoves& moves) {
  const Topology& topology = part.topology();
  const CayleyStructure& cayley = *topology.cayley();
  const Group& group = *cayley.group;
  std::vector<std::vector<uint64_t>>
      lanes;                  // the first of all arcs of a generator, the second of all..; as bits
  std::vector<size_t> first;  // of a generator
  for (size_t k = 0; k < cayley.generators.size(); ++k) {
    first.push_back(lanes.size());
    lanes.resize(lanes.size() + topology.capacity(cayley.arc(NodeId{0}, k)),
                 std::vector<uint64_t>(words(), 0));
    for (const NodeId x : topology.nodes()) {
      const ArcId arc = cayley.arc(x, k);
      for (uint32_t c = 0; c < topology.capacity(arc); ++c) {
        const size_t lane = lanes_begin_[index(arc)] + c;
        lanes[first[k] + c][lane >> 6U] |= uint64_t{1} << (lane & 63U);
      }
    }
  }
  std::vector<uint32_t> used(first.size());
  for (size_t s = 0; s < steps_; ++s) {
    std::ranges::fill(used, 0);
    uint64_t* row = idle_.data() + s * words();
    for (const SymmetricMove& move : moves.in_step(s)) {
      const std::vector<uint64_t>& taken = lanes[first[move.generator] + used[move.generator]++];
      for (size_t w = 0; w < taken.size(); ++w) row[w] &= ~taken[w];
    }
  }
  for (const BlockId block : hit.removed.list()) {
    const auto from = static_cast<uint32_t>(index(part.whole().origin(block)));
    for (const OneNodesMoves::Timed& one : moves.of(block)) {
      const ArcId arc = cayley.arc(NodeId{group.multiply(from, one.move.moved)}, one.move.generator);
      if (!part.lives(arc)) continue;
      uint64_t* row = idle_.data() + one.step * words();
      size_t lane = lanes_begin_[index(arc)];
      while (((row[lane >> 6U] >> (lane & 63U)) & 1U) != 0) ++lane;  // lanes are alike
      row[lane >> 6U] |= uint64_t{1} << (lane & 63U);
    }
  }
}

}  // namespace quadrille
