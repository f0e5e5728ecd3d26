#include "quadrille/transforms/compact_steps.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace quadrille {
namespace {

constexpr uint64_t kBitsOfWord = 64;
// Pairs of a node and a block up to which their times lie in one array.
constexpr uint64_t kMostDense = uint64_t{1} << 23U;

// Something that takes so many transfers a step: an arc, the ports of a node.
class Resource {
 public:
  explicit Resource(uint32_t limit) : limit_(limit) {}

  // Bit i of word w: it takes no more in step 64 w + i.
  [[nodiscard]] uint64_t full_in(size_t word) const { return word < full_.size() ? full_[word] : 0; }

  void close(size_t step) {
    const size_t word = step / kBitsOfWord;
    if (word >= full_.size()) full_.resize(word + 1, 0);
    full_[word] |= uint64_t{1} << (step % kBitsOfWord);
  }

  void use(size_t step) {
    if (limit_ == Ports::kAll) return;
    if (limit_ > 1) {
      if (step >= used_.size()) used_.resize(step + 1, 0);
      if (++used_[step] < limit_) return;
    }
    close(step);
  }

  [[nodiscard]] bool is_full(size_t step) const {
    return (full_in(step / kBitsOfWord) >> (step % kBitsOfWord) & 1U) != 0;
  }

 private:
  uint32_t limit_;              // Ports::kAll: none
  std::vector<uint64_t> full_;  // beyond its end nothing is full
  std::vector<uint32_t> used_;  // only where the limit is more than one
};

// What of the machine every step of the new plan uses.
class Machine {
 public:
  explicit Machine(const Problem& problem) : topology_(problem.topology()) {
    const Model& model = problem.model();
    half_duplex_ = model.duplex == Duplex::kHalf;
    resources_.reserve(topology_.num_arcs() + size_t{2} * topology_.num_nodes());
    for (const ArcId arc : topology_.arcs()) resources_.emplace_back(topology_.capacity(arc));
    for (const Ports ports : {model.send, model.receive})
      resources_.insert(resources_.end(), topology_.num_nodes(), Resource(ports.count));
  }

  // The first step from that one on in which the path is free.
  [[nodiscard]] size_t first_free(std::span<const ArcId> path, size_t from) const {
    const Resource& sending = sender(path);
    const Resource& receiving = receiver(path);
    uint64_t wanted = ~uint64_t{0} << (from % kBitsOfWord);
    for (size_t word = from / kBitsOfWord;; ++word) {
      uint64_t full = sending.full_in(word) | receiving.full_in(word);
      for (const ArcId arc : path) full |= resources_[index(arc)].full_in(word);
      if (const uint64_t open = ~full & wanted; open != 0)
        return word * kBitsOfWord + static_cast<size_t>(std::countr_zero(open));
      wanted = ~uint64_t{0};
    }
  }

  void use(std::span<const ArcId> path, size_t step) {
    for (const ArcId arc : path) {
      resources_[index(arc)].use(step);
      if (const ArcId back = topology_.reverse(arc); half_duplex_ && back != kNoArc)
        resources_[index(back)].close(step);
    }
    sender(path).use(step);
    receiver(path).use(step);
  }

 private:
  [[nodiscard]] size_t sender_of(std::span<const ArcId> path) const {
    return topology_.num_arcs() + index(topology_.tail(path.front()));
  }
  [[nodiscard]] size_t receiver_of(std::span<const ArcId> path) const {
    return topology_.num_arcs() + topology_.num_nodes() + index(topology_.head(path.back()));
  }
  [[nodiscard]] const Resource& sender(std::span<const ArcId> path) const {
    return resources_[sender_of(path)];
  }
  [[nodiscard]] const Resource& receiver(std::span<const ArcId> path) const {
    return resources_[receiver_of(path)];
  }
  [[nodiscard]] Resource& sender(std::span<const ArcId> path) { return resources_[sender_of(path)]; }
  [[nodiscard]] Resource& receiver(std::span<const ArcId> path) { return resources_[receiver_of(path)]; }

  const Topology& topology_;
  bool half_duplex_ = false;
  std::vector<Resource> resources_;  // arcs, send ports, receive ports
};

// For a block at a node: the first step that may read it, add to it, or replace it.
struct Times {
  uint32_t read = 0;
  uint32_t add = 0;
  uint32_t replace = 0;
};

// By node and block; of blocks that move, which have one holder at a time, by block.
class TimesTable {
 public:
  explicit TimesTable(const Problem& problem)
      : blocks_(problem.collective().num_blocks()), moves_(problem.collective().flow() == Flow::kMove) {
    const uint64_t size = moves_ ? blocks_ : blocks_ * problem.topology().num_nodes();
    if (moves_ || size <= kMostDense) dense_.resize(size);
  }

  [[nodiscard]] Times& at(NodeId node, BlockId block) {
    const uint64_t key = moves_ ? index(block) : index(node) * blocks_ + index(block);
    return dense_.empty() ? sparse_[key] : dense_[key];
  }

 private:
  uint64_t blocks_;
  bool moves_;
  std::vector<Times> dense_;
  std::unordered_map<uint64_t, Times> sparse_;  // looked up only, never walked: the order does not matter
};

class Compactor {
 public:
  Compactor(const Problem& problem, const Plan& plan)
      : problem_(problem), plan_(plan), machine_(problem), times_(problem) {
    step_of_.reserve(plan.num_transfers());
  }

  [[nodiscard]] Plan compact() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      if (problem_.collective().flow() == Flow::kCombine && reads_what_it_writes(step)) {
        place_together(step);
        continue;
      }
      for (size_t t = 0; t < step.size(); ++t) {
        const size_t at = machine_.first_free(step.arcs(t), earliest(step, t));
        take(step, t, at);
        note(step, t, at);
      }
    }
    return in_order();
  }

 private:
  [[nodiscard]] NodeId from(const StepView& step, size_t t) const {
    return problem_.topology().tail(step.arcs(t).front());
  }
  [[nodiscard]] NodeId to(const StepView& step, size_t t) const {
    return problem_.topology().head(step.arcs(t).back());
  }
  [[nodiscard]] bool adds(const StepView& step, size_t t) const {
    return problem_.collective().flow() == Flow::kCombine && step.op(t) == TransferOp::kDefault;
  }

  // Whether a node sends, in the step, a block that it also receives: what it sends is what it had before.
  [[nodiscard]] bool reads_what_it_writes(const StepView& step) {
    const uint64_t blocks = problem_.collective().num_blocks();
    written_.clear();
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t)) written_.insert(index(to(step, t)) * blocks + index(block));
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t))
        if (written_.contains(index(from(step, t)) * blocks + index(block))) return true;
    return false;
  }

  [[nodiscard]] size_t earliest(const StepView& step, size_t t) {
    size_t at = 0;
    for (const BlockId block : step.blocks(t)) {
      const Times& there = times_.at(to(step, t), block);
      at = std::max<size_t>(
          {at, times_.at(from(step, t), block).read, adds(step, t) ? there.add : there.replace});
    }
    return at;
  }

  void take(const StepView& step, size_t t, size_t at) {
    machine_.use(step.arcs(t), at);
    step_of_.push_back(static_cast<uint32_t>(at));
    steps_ = std::max(steps_, at + 1);
  }

  void note(const StepView& step, size_t t, size_t at) {
    const auto now = static_cast<uint32_t>(at);
    for (const BlockId block : step.blocks(t)) {
      // The sender's block may be changed from this step on: a step reads the state before it.
      Times& here = times_.at(from(step, t), block);
      here.add = std::max(here.add, now);
      here.replace = std::max(here.replace, now);
      Times& there = times_.at(to(step, t), block);
      there.read = std::max(there.read, now + 1);
      there.add = std::max(there.add, adds(step, t) ? now : now + 1);
      there.replace = std::max(there.replace, now + 1);
    }
  }

  // Nodes that exchange their contributions to a block must do so at once: in a new step after all others,
  // which is none later than the old one.
  void place_together(const StepView& step) {
    size_t at = 0;
    for (size_t t = 0; t < step.size(); ++t) at = std::max(at, earliest(step, t));
    at = std::max(at, steps_);
    for (size_t t = 0; t < step.size(); ++t) take(step, t, at);
    for (size_t t = 0; t < step.size(); ++t) note(step, t, at);
  }

  // The transfers of a step in the order of the old plan.
  [[nodiscard]] Plan in_order() const {
    std::vector<uint64_t> next(steps_ + 1, 0);
    for (const uint32_t step : step_of_) ++next[step + 1];
    for (size_t s = 0; s < steps_; ++s) next[s + 1] += next[s];
    const std::vector<uint64_t> begin = next;
    struct Old {
      uint32_t step;
      uint32_t transfer;
    };
    std::vector<Old> sorted(step_of_.size());
    size_t k = 0;
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const size_t size = plan_.step(s).size();
      for (size_t t = 0; t < size; ++t, ++k)
        sorted[next[step_of_[k]]++] = {static_cast<uint32_t>(s), static_cast<uint32_t>(t)};
    }
    Plan out;
    StepBuilder builder;
    for (size_t s = 0; s < steps_; ++s) {
      if (begin[s] == begin[s + 1]) continue;
      for (uint64_t i = begin[s]; i < begin[s + 1]; ++i) {
        const StepView step = plan_.step(sorted[i].step);
        const size_t t = sorted[i].transfer;
        builder.add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
      }
      builder.flush(out);
    }
    return out;
  }

  const Problem& problem_;
  const Plan& plan_;
  Machine machine_;
  TimesTable times_;
  std::vector<uint32_t> step_of_;  // of every transfer, in the order of the plan
  size_t steps_ = 0;
  std::unordered_set<uint64_t> written_;
};

// Steps in which arcs are shared are full only where somebody says how many rounds they may take.
Plan without_empty_steps(const Plan& plan) {
  Plan out;
  for (size_t s = 0; s < plan.num_steps(); ++s)
    if (plan.step(s).size() > 0) out.push(plan.step(s));
  return out;
}

}  // namespace

Plan compact_steps(const Problem& problem, const Plan& plan) {
  if (shares_arcs(problem.model())) return without_empty_steps(plan);
  return Compactor(problem, plan).compact();
}

}  // namespace quadrille
