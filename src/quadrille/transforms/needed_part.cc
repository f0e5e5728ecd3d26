#include "quadrille/transforms/needed_part.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/without_waste.h"

namespace quadrille {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// Pairs of a node and a block.
template <typename T>
class ByNodeAndBlock {
 public:
  ByNodeAndBlock(const Problem& problem, T value)
      : blocks_(problem.collective().num_blocks()), at_(problem.topology().num_nodes() * blocks_, value) {}

  [[nodiscard]] typename std::vector<T>::reference at(NodeId node, BlockId block) {
    return at_[index(node) * blocks_ + index(block)];
  }

 private:
  uint64_t blocks_;
  std::vector<T> at_;
};

// One transfer of a step, and one of the blocks that it carries.
struct Carried {
  NodeId from;
  NodeId to;
  BlockId block;
  TransferOp op;
};

// Asks of every block of every transfer, forwards or backwards in time, within a step in its order.
class Asking {
 public:
  Asking(const Problem& problem, const Plan& plan) : topology_(problem.topology()), plan_(plan) {
    first_.reserve(plan.num_steps() + 1);
    first_.push_back(0);
    for (size_t s = 0; s < plan.num_steps(); ++s)
      first_.push_back(first_.back() + plan.step(s).all_blocks.size());
    kept_.assign(first_.back(), 0);
  }

  template <typename Keep>
  void in_order(Keep keep) {
    for (size_t s = 0; s < plan_.num_steps(); ++s) of_step(s, keep);
  }
  // `before` is told of every step before it is asked.
  template <typename Before, typename Keep>
  void backwards(Before before, Keep keep) {
    for (size_t s = plan_.num_steps(); s-- > 0;) {
      before(s);
      of_step(s, keep);
    }
  }

  // What is kept, under new names.
  [[nodiscard]] Plan kept(const std::function<BlockId(BlockId)>& renamed) const {
    Plan out;
    StepBuilder builder;
    std::vector<BlockId> blocks;
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      size_t i = first_[s];
      for (size_t t = 0; t < step.size(); ++t) {
        blocks.clear();
        for (const BlockId block : step.blocks(t))
          if (kept_[i++] != 0) blocks.push_back(renamed(block));
        if (!blocks.empty()) builder.add(step.arcs(t), blocks, step.op(t));
      }
      if (!builder.empty()) builder.flush(out);
    }
    return out;
  }

 private:
  template <typename Keep>
  void of_step(size_t s, Keep keep) {
    const StepView step = plan_.step(s);
    size_t i = first_[s];
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = topology_.tail(step.arcs(t).front());
      const NodeId to = topology_.head(step.arcs(t).back());
      for (const BlockId block : step.blocks(t))
        kept_[i++] = keep(Carried{from, to, block, step.op(t)}) ? 1 : 0;
    }
  }

  const Topology& topology_;
  const Plan& plan_;
  std::vector<size_t> first_;  // per step, of what is carried
  std::vector<char> kept_;
};

Plan blocks_of_root(const Problem& whole, const Plan& plan, const Problem& part) {
  const Collective& all = whole.collective();
  const Collective& some = part.collective();
  const Rank root = *some.root();
  const uint32_t pieces = all.pieces();
  const bool to_root = some.kind() == CollectiveKind::kGather;
  Asking asking(whole, plan);
  asking.in_order([&](const Carried& carried) {
    return (to_root ? all.destination(carried.block) : all.origin(carried.block)) == root;
  });
  return asking.kept([&](BlockId block) {
    const auto piece = static_cast<uint32_t>(index(block) % pieces);
    if (some.kind() == CollectiveKind::kBroadcast) return id_at<BlockId>(piece);
    return some.block(to_root ? all.origin(block) : all.destination(block), piece);
  });
}

Plan first_of_every_rank(const Problem& whole, const Plan& plan, const Problem& part) {
  const Collective& all = whole.collective();
  const Collective& some = part.collective();
  const uint32_t pieces = all.pieces();
  const auto renamed = [&](BlockId block) {
    return some.block(all.origin(block), static_cast<uint32_t>(index(block) % pieces));
  };
  ByNodeAndBlock<bool> has(part, false);
  for (size_t b = 0; b < some.num_blocks(); ++b)
    has.at(part.origin(id_at<BlockId>(b)), id_at<BlockId>(b)) = true;
  Asking asking(whole, plan);
  asking.in_order([&](const Carried& carried) {
    auto there = has.at(carried.to, renamed(carried.block));
    if (there) return false;
    there = true;
    return true;
  });
  return asking.kept(renamed);
}

// From the root back to where every block came from. An endpoint gets a block once; a router may again, and what
// it sends came in an earlier step.
Plan ways_to_root(const Problem& whole, const Plan& plan, const Problem& part) {
  const NodeId root = whole.topology().endpoint(*part.collective().root());
  struct Wanted {
    NodeId at;
    size_t before;  // the step
  };
  std::vector<Wanted> wanted(whole.collective().num_blocks(), Wanted{root, plan.num_steps()});
  size_t now = 0;
  Asking asking(whole, plan);
  asking.backwards(
      [&](size_t step) { now = step; },
      [&](const Carried& carried) {
        Wanted& block = wanted[index(carried.block)];
        if (carried.to != block.at || now >= block.before || whole.origin(carried.block) == block.at)
          return false;
        block = {carried.from, now};
        return true;
      });
  return asking.kept([](BlockId block) { return block; });
}

// Of every node the way on which its contribution comes to the root. Where sums are copied, a node may send what it
// has on several of them: read backwards they are a broadcast in which some hear twice, and the first time is enough.
std::optional<Plan> sum_of_root(const Problem& whole, const Plan& plan, const Problem& part) {
  bool apart = false;  // sums lie in slots; on their ways, too, all can be added up
  for (size_t s = 0; s < plan.num_steps(); ++s) apart = apart || !plan.step(s).slots.empty();
  ByNodeAndBlock<uint32_t> wanted_from(whole, kNobody);  // the last step in which it is sent on, or kept
  const NodeId root = whole.topology().endpoint(*part.collective().root());
  for (size_t b = 0; b < whole.collective().num_blocks(); ++b)
    wanted_from.at(root, id_at<BlockId>(b)) = static_cast<uint32_t>(plan.num_steps());
  Asking asking(whole, plan);
  uint32_t now = 0;
  bool copied = false;
  std::vector<Carried> kept;  // of the step
  asking.backwards(
      [&](size_t step) {
        // A copy takes the place of what was there; what is sent in its step was there before it.
        for (const Carried& carried : kept)
          if (carried.op == TransferOp::kCopy && !apart) wanted_from.at(carried.to, carried.block) = kNobody;
        for (const Carried& carried : kept) {
          auto& there = wanted_from.at(carried.from, carried.block);
          if (there == kNobody) there = now;
        }
        kept.clear();
        now = static_cast<uint32_t>(step);
      },
      [&](const Carried& carried) {
        const uint32_t wanted = wanted_from.at(carried.to, carried.block);
        if (wanted == kNobody || wanted <= now) return false;
        copied = copied || carried.op == TransferOp::kCopy;
        kept.push_back(carried);
        return true;
      });
  if (!copied && !apart) return asking.kept([](BlockId block) { return block; });
  Plan sums;
  StepBuilder builder;
  const Plan all = asking.kept([](BlockId block) { return block; });
  for (size_t s = 0; s < all.num_steps(); ++s) {
    const StepView step = all.step(s);
    for (size_t t = 0; t < step.size(); ++t) builder.add(step.arcs(t), step.blocks(t));
    if (!builder.empty()) builder.flush(sums);
  }
  const Problem broadcast = reversed(part);
  const Plan heard = reverse(part, sums);
  ByNodeAndBlock<bool> has(broadcast, false);
  for (size_t b = 0; b < broadcast.collective().num_blocks(); ++b) has.at(root, id_at<BlockId>(b)) = true;
  Asking first(broadcast, heard);
  first.in_order([&](const Carried& carried) {
    auto there = has.at(carried.to, carried.block);
    if (there) return false;
    there = true;
    return true;
  });
  return reverse(broadcast, without_waste(broadcast, first.kept([](BlockId block) { return block; })));
}

}  // namespace

bool holds(CollectiveKind whole, CollectiveKind part) {
  switch (whole) {
    case CollectiveKind::kAlltoall:
      return part == CollectiveKind::kScatter || part == CollectiveKind::kGather ||
             part == CollectiveKind::kAllgather;
    case CollectiveKind::kAllgather:
      return part == CollectiveKind::kBroadcast || part == CollectiveKind::kGather;
    case CollectiveKind::kAllreduce:
      return part == CollectiveKind::kReduce;
    default:
      return false;
  }
}

std::optional<Plan> needed_part(const Problem& whole, const Plan& plan, const Problem& part) {
  const CollectiveKind easy = part.collective().kind();
  if (!holds(whole.collective().kind(), easy)) {
    throw InputError(
        fmt::format("{} is no part of {}: it holds another collective's", part.title(), whole.title()));
  }
  if (whole.collective().kind() == CollectiveKind::kAllreduce) return sum_of_root(whole, plan, part);
  if (easy == CollectiveKind::kAllgather) return first_of_every_rank(whole, plan, part);
  if (whole.collective().kind() == CollectiveKind::kAllgather && easy == CollectiveKind::kGather)
    return ways_to_root(whole, plan, part);
  return blocks_of_root(whole, plan, part);
}

}  // namespace quadrille
