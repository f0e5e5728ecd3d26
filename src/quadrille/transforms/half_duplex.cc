#include "quadrille/transforms/half_duplex.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "quadrille/transforms/compact_steps.h"

namespace quadrille {
namespace {

// A transfer of a step, which may have become a copy.
struct Draft {
  size_t transfer = 0;
  TransferOp op = TransferOp::kDefault;
};

// Parts a step into few in which no link is used both ways, none if it cannot be done. A set of parts is a
// word of bits.
class Parting {
 public:
  Parting(const Problem& half, bool keeps_sums_apart)
      : problem_(half), keeps_sums_apart_(keeps_sums_apart), parts_of_(half.topology().num_arcs(), 0) {}

  [[nodiscard]] bool part(const StepView& step, StepSink& sink) {
    drafts_.clear();
    for (size_t t = 0; t < step.size(); ++t) drafts_.push_back({t, step.op(t)});
    if (problem_.collective().flow() == Flow::kCombine && !order(step)) return false;
    const bool fits = spread(step);
    for (const ArcId arc : step.all_arcs) parts_of_[index(arc)] = 0;
    if (!fits) return false;
    // An empty step is a step, and stays one.
    if (parts_.empty()) parts_.resize(1);
    for (StepBuilder& part : parts_) part.flush(sink);
    return true;
  }

 private:
  [[nodiscard]] uint64_t key(NodeId node, BlockId block) const {
    return uint64_t{index(node)} * problem_.collective().num_blocks() + index(block);
  }
  [[nodiscard]] NodeId from(const StepView& step, size_t t) const {
    return problem_.topology().tail(step.arcs(t).front());
  }
  [[nodiscard]] NodeId to(const StepView& step, size_t t) const {
    return problem_.topology().head(step.arcs(t).back());
  }

  // What a node has of a block, in this step of a reduction: whoever sends it and whoever adds to it.
  struct Held {
    std::vector<size_t> readers;
    std::vector<size_t> writers;
  };

  // Whoever sends what a node has before those who change it. Of two nodes that exchange the same blocks, and
  // receive them from nobody else, the second sends the sum. False where there is a circle that is no such
  // exchange.
  [[nodiscard]] bool order(const StepView& step) {
    held_.clear();
    for (size_t t = 0; t < step.size(); ++t) {
      for (const BlockId block : step.blocks(t)) {
        held_[key(from(step, t), block)].readers.push_back(t);
        held_[key(to(step, t), block)].writers.push_back(t);
      }
    }
    // before[t]: those that wait for t; waits[t]: for how many t waits.
    std::vector<std::vector<size_t>> before(step.size());
    std::vector<size_t> waits(step.size(), 0);
    for (size_t t = 0; t < step.size(); ++t) {
      for (const BlockId block : step.blocks(t)) {
        for (const size_t reader : held_[key(to(step, t), block)].readers) {
          if (exchange(step, reader, t)) {
            // The lower one goes first, whoever reads and whoever writes.
            drafts_[std::max(reader, t)].op = TransferOp::kCopy;
            if (reader > t) continue;
          }
          before[reader].push_back(t);
          ++waits[t];
        }
      }
    }
    for (size_t t = 0; t < step.size(); ++t) {
      if (drafts_[t].op == step.op(t)) continue;
      // The copy after what it copies.
      const size_t first = held_[key(from(step, t), step.blocks(t).front())].writers.front();
      before[first].push_back(t);
      ++waits[t];
    }
    return sort(before, waits);
  }

  [[nodiscard]] bool exchange(const StepView& step, size_t a, size_t b) {
    if (keeps_sums_apart_) return false;  // a copy would replace the other sums, too
    if (from(step, a) != to(step, b) || to(step, a) != from(step, b)) return false;
    if (step.op(a) != TransferOp::kDefault || step.op(b) != TransferOp::kDefault) return false;
    if (!std::ranges::equal(step.blocks(a), step.blocks(b))) return false;
    return std::ranges::all_of(step.blocks(a), [&](BlockId block) {
      return held_[key(to(step, a), block)].writers.size() == 1 &&
             held_[key(to(step, b), block)].writers.size() == 1;
    });
  }

  [[nodiscard]] bool sort(const std::vector<std::vector<size_t>>& before, std::vector<size_t>& waits) {
    std::vector<Draft> sorted;
    sorted.reserve(drafts_.size());
    after_.assign(drafts_.size(), {});
    for (size_t t = 0; t < drafts_.size(); ++t)
      if (waits[t] == 0) sorted.push_back(drafts_[t]);
    for (size_t i = 0; i < sorted.size(); ++i) {
      const size_t t = sorted[i].transfer;
      for (const size_t next : before[t]) {
        after_[next].push_back(t);
        if (--waits[next] == 0) sorted.push_back(drafts_[next]);
      }
    }
    std::swap(drafts_, sorted);
    return drafts_.size() == sorted.size();
  }

  // Each into the first part in which nothing comes towards it. False where there is none.
  [[nodiscard]] bool spread(const StepView& step) {
    parts_.clear();
    const bool combines = problem_.collective().flow() == Flow::kCombine;
    if (combines) part_of_.assign(step.size(), 0);
    for (const Draft& draft : drafts_) {
      const size_t t = draft.transfer;
      uint64_t taken = 0;
      for (const ArcId arc : step.arcs(t)) {
        const ArcId back = problem_.topology().reverse(arc);
        if (back != kNoArc) taken |= parts_of_[index(back)];
      }
      if (combines) taken |= too_early(t, draft.op != step.op(t));
      if (~taken == 0) return false;
      const auto part = static_cast<size_t>(std::countr_zero(~taken));
      for (const ArcId arc : step.arcs(t)) {
        const ArcId back = problem_.topology().reverse(arc);
        if (back != kNoArc && (parts_of_[index(back)] >> part & 1U) != 0) return false;  // its own way back
        parts_of_[index(arc)] |= uint64_t{1} << part;
      }
      if (combines) part_of_[t] = part;
      if (part >= parts_.size()) parts_.resize(part + 1);
      parts_[part].add(step.arcs(t), step.blocks(t), draft.op, step.slots_of(t));
    }
    return true;
  }

  // The parts before those that it comes after; a copy is after what it copies, the others may be with it.
  [[nodiscard]] uint64_t too_early(size_t t, bool copies) const {
    size_t earliest = 0;
    for (const size_t other : after_[t]) earliest = std::max(earliest, part_of_[other] + (copies ? 1 : 0));
    return earliest >= 64 ? ~uint64_t{0} : (uint64_t{1} << earliest) - 1;
  }

  const Problem& problem_;
  bool keeps_sums_apart_;
  std::vector<uint64_t> parts_of_;  // per arc: in which parts of the step it is used
  std::vector<Draft> drafts_;
  std::unordered_map<uint64_t, Held> held_;  // looked up only
  std::vector<std::vector<size_t>> after_;   // per transfer: those that it comes after
  std::vector<size_t> part_of_;
  std::vector<StepBuilder> parts_;
};

Problem with_duplex(const Problem& problem, Duplex duplex) {
  Model model = problem.model();
  model.duplex = duplex;
  return {problem.topology(), problem.collective(), model};
}

}  // namespace

Problem with_full_duplex(const Problem& problem) { return with_duplex(problem, Duplex::kFull); }
Problem with_half_duplex(const Problem& problem) { return with_duplex(problem, Duplex::kHalf); }

std::optional<Plan> on_half_duplex_links(const Problem& half, const Plan& full) {
  Plan parted;
  bool slots = false;
  for (size_t s = 0; s < full.num_steps(); ++s) slots = slots || !full.step(s).slots.empty();
  Parting parting(half, slots);
  for (size_t s = 0; s < full.num_steps(); ++s)
    if (!parting.part(full.step(s), parted)) return std::nullopt;
  Plan out = compact_steps(half, parted);
  // Shared arcs are never full: only the steps in two keep both directions apart.
  if (half.collective().flow() == Flow::kCombine || shares_arcs(half.model())) return out;
  // Without the steps in two the order among those that meet is another one, at times a better one.
  Plan other = compact_steps(half, full);
  return other.num_steps() < out.num_steps() ? std::move(other) : std::move(out);
}

void OneWayAtATime::push(const StepView& step) {
  for (size_t t = 0; t < step.size(); ++t) {
    const ArcId arc = step.arcs(t).front();
    const ArcId back = topology_.reverse(arc);
    const bool waits = back != kNoArc && used_[index(back)] != 0;
    if (!waits) used_[index(arc)] = 1;
    (waits ? second_ : first_).add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
  }
  for (const ArcId arc : step.all_arcs) used_[index(arc)] = 0;
  first_.flush(sink_);
  second_.flush(sink_);
}

}  // namespace quadrille
