#include "quadrille/transforms/concatenate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// Whose blocks are the pieces of the other.
enum class Pieces : uint8_t { kAlike, kOfWholeAreBlocks, kOfFirstAreBlocks, kOfSecondAreBlocks };

struct Pair {
  CollectiveKind first;
  CollectiveKind second;
  CollectiveKind whole;
  Pieces pieces;
};

constexpr std::array kPairs = {
    Pair{CollectiveKind::kReduce, CollectiveKind::kBroadcast, CollectiveKind::kAllreduce, Pieces::kAlike},
    Pair{CollectiveKind::kReduceScatter, CollectiveKind::kAllgather, CollectiveKind::kAllreduce,
         Pieces::kOfWholeAreBlocks},
    Pair{CollectiveKind::kReduce, CollectiveKind::kScatter, CollectiveKind::kReduceScatter,
         Pieces::kOfFirstAreBlocks},
    Pair{CollectiveKind::kScatter, CollectiveKind::kAllgather, CollectiveKind::kBroadcast,
         Pieces::kOfWholeAreBlocks},
    Pair{CollectiveKind::kGather, CollectiveKind::kBroadcast, CollectiveKind::kAllgather,
         Pieces::kOfSecondAreBlocks},
};

const Pair* find_pair(CollectiveKind first, CollectiveKind second) {
  for (const Pair& pair : kPairs) {
    if (pair.first == first && pair.second == second) return &pair;
  }
  return nullptr;
}

std::string known_pairs() {
  std::string out;
  for (const Pair& pair : kPairs)
    out += fmt::format("{}{} then {}", out.empty() ? "" : ", ", name_of(pair.first), name_of(pair.second));
  return out;
}

void require_same(bool same, std::string_view what, const Problem& first, const Problem& second) {
  if (same) return;
  throw InputError(
      fmt::format("{} and then {}: the {} of the two plans differ", first.title(), second.title(), what));
}

// What has come to whom; leaves out of every transfer what its receiver has, or gets in the same step.
class WithoutRepeats final : public StepSink {
 public:
  WithoutRepeats(const Problem& problem, StepSink& to)
      : topology_(problem.topology()),
        num_blocks_(problem.collective().num_blocks()),
        has_(size_t{topology_.num_nodes()} * num_blocks_, false),
        to_(to) {
    for (size_t b = 0; b < num_blocks_; ++b) has(problem.origin(id_at<BlockId>(b)), id_at<BlockId>(b)) = true;
  }

  void push(const StepView& step) override {
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId at = topology_.head(step.arcs(t).back());
      blocks_.clear();
      for (const BlockId block : step.blocks(t)) {
        if (has(at, block)) continue;
        has(at, block) = true;
        blocks_.push_back(block);
      }
      if (!blocks_.empty()) builder_.add(step.arcs(t), blocks_, step.op(t), step.slots_of(t));
    }
    builder_.flush(to_);
  }

 private:
  [[nodiscard]] std::vector<bool>::reference has(NodeId node, BlockId block) {
    return has_[index(node) * num_blocks_ + index(block)];
  }

  const Topology& topology_;
  size_t num_blocks_;
  std::vector<bool> has_;
  std::vector<BlockId> blocks_{};
  StepBuilder builder_{};
  StepSink& to_;
};

// What is added up is only copied from now on.
class AsCopies final : public StepSink {
 public:
  explicit AsCopies(StepSink& to) : to_(to) {}

  void push(const StepView& step) override {
    StepView out = step;
    ops_.resize(std::max(ops_.size(), step.size()), TransferOp::kCopy);
    out.ops = std::span<const TransferOp>(ops_).first(step.size());
    out.slots = {};
    to_.push(out);
  }

 private:
  std::vector<TransferOp> ops_{};
  StepSink& to_;
};

}  // namespace

Plan concatenate(const Plan& first, const Plan& second) {
  Plan out(first);
  second.replay(out);
  return out;
}

Problem concatenated(const Problem& first, const Problem& second) {
  const Collective& before = first.collective();
  const Collective& after = second.collective();
  require_same(first.topology().same_graph(second.topology()), "networks", first, second);
  // What was added up in order is only copied afterwards.
  Model model = second.model();
  model.combining = first.model().combining;
  require_same(first.model() == model, "models", first, second);
  if (before.root() && after.root()) require_same(before.root() == after.root(), "roots", first, second);
  const Pair* pair = find_pair(before.kind(), after.kind());
  if (pair == nullptr) {
    throw InputError(fmt::format("{} and then {} make no collective; known are {}", before.name(),
                                 after.name(), known_pairs()));
  }
  uint32_t pieces = before.pieces();
  if (pair->pieces == Pieces::kOfFirstAreBlocks) pieces = after.pieces();
  const uint32_t expected = pair->pieces == Pieces::kOfSecondAreBlocks ? before.num_blocks() : pieces;
  if (after.pieces() != expected ||
      (pair->pieces == Pieces::kOfFirstAreBlocks && before.pieces() != after.num_blocks())) {
    throw InputError(fmt::format("{} with {} piece(s) and then {} with {}: the second needs {}",
                                 before.name(), pieces, after.name(), after.pieces(), expected));
  }
  if (pair->pieces == Pieces::kOfWholeAreBlocks) pieces = before.num_blocks();
  return Problem(
      first.topology(),
      Collective::standard(pair->whole, before.num_ranks(), before.root().value_or(Rank{0}), pieces),
      first.model());
}

void concatenate(const Problem& first, const Problem& second,
                 const std::function<void(size_t, StepSink&)>& generate, StepSink& to) {
  const Problem whole = concatenated(first, second);
  if (whole.collective().flow() == Flow::kCopy) {
    WithoutRepeats sieve(whole, to);
    generate(0, sieve);
    generate(1, sieve);
    return;
  }
  generate(0, to);
  AsCopies copies(to);
  generate(1, copies);
}

Plan concatenate(const Problem& first, const Plan& first_plan, const Problem& second,
                 const Plan& second_plan) {
  Plan out;
  concatenate(
      first, second, [&](size_t i, StepSink& sink) { (i == 0 ? first_plan : second_plan).replay(sink); },
      out);
  return out;
}

}  // namespace quadrille
