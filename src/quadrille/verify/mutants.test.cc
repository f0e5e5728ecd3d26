#include "quadrille/verify/mutants.test.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/schedule/plan_text.h"

namespace quadrille::testing {
namespace {

bool exists(const Problem& problem, BlockId block) {
  return index(block) < problem.collective().num_blocks();
}

// The node where a path ends; kNoNode for a path that ends nowhere.
NodeId end_of(const Topology& net, const std::vector<ArcId>& path) {
  return path.empty() || path.back() == kNoArc ? kNoNode : net.head(path.back());
}

void lengthen(const Topology& net, std::vector<ArcId>& path, Rng& rng) {
  const NodeId end = end_of(net, path);
  if (end == kNoNode) return;
  const auto arcs = net.arcs_from(end);
  if (arcs.size() == 0) return;
  path.push_back(ArcId{static_cast<uint32_t>(index(*arcs.begin()) + rng.below(arcs.size()))});
}

void go_there_and_back(const Topology& net, std::vector<ArcId>& path) {
  if (end_of(net, path) == kNoNode) return;
  const ArcId last = path.back();
  path.push_back(net.reverse(last));
  path.push_back(last);
}

void turn_round(const Topology& net, std::vector<ArcId>& path) {
  std::reverse(path.begin(), path.end());
  for (ArcId& arc : path) arc = arc == kNoArc ? kNoArc : net.reverse(arc);
}

}  // namespace

LoosePlan loosen(const Plan& plan) {
  LoosePlan out(plan.num_steps());
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView view = plan.step(s);
    out[s].reserve(view.size() + 1);
    for (size_t t = 0; t < view.size(); ++t) {
      out[s].push_back({{view.arcs(t).begin(), view.arcs(t).end()},
                        {view.blocks(t).begin(), view.blocks(t).end()},
                        view.op(t),
                        view.slots_of(t)});
    }
  }
  return out;
}

Plan tighten(const LoosePlan& loose) {
  Plan plan;
  StepBuilder step;
  for (const auto& transfers : loose) {
    for (const LooseTransfer& t : transfers) step.add(t.path, t.blocks, t.op, t.slots);
    step.flush(plan);
  }
  return plan;
}

void mutate(Mutation mutation, const Problem& problem, LoosePlan& plan, Rng& rng) {
  const Topology& net = problem.topology();
  std::vector<size_t> busy;
  for (size_t s = 0; s < plan.size(); ++s) {
    if (!plan[s].empty()) busy.push_back(s);
  }
  if (busy.empty()) return;
  const size_t s = busy[rng.below(busy.size())];
  const size_t other = busy[rng.below(busy.size())];
  const size_t t = rng.below(plan[s].size());
  const auto place = plan[s].begin() + static_cast<std::ptrdiff_t>(t);
  LooseTransfer& victim = plan[s][t];
  LooseTransfer& partner = plan[other][rng.below(plan[other].size())];
  const auto any_block = BlockId{static_cast<uint32_t>(rng.below(problem.collective().num_blocks() + 1))};
  const auto any_arc = ArcId{static_cast<uint32_t>(rng.below(net.num_arcs()))};
  const bool coin = rng.below(2) == 0;
  // A second mutation may meet what the first has emptied.
  const size_t hop = victim.path.empty() ? 0 : rng.below(victim.path.size());
  const size_t load = victim.blocks.empty() ? 0 : rng.below(victim.blocks.size());
  switch (mutation) {
    case Mutation::kDrop:
      plan[s].erase(place);
      break;
    case Mutation::kDouble: {
      const LooseTransfer copy = victim;
      plan[coin ? s : other].push_back(copy);
      break;
    }
    case Mutation::kSwap:
      std::swap(victim, partner);
      break;
    case Mutation::kMove: {
      const LooseTransfer moved = victim;
      plan[s].erase(place);
      plan[rng.below(plan.size())].push_back(moved);
      break;
    }
    case Mutation::kReorder:
      std::swap(plan[s], plan[other]);
      break;
    case Mutation::kPause:
      plan.insert(plan.begin() + static_cast<std::ptrdiff_t>(s), LoosePlan::value_type());
      break;
    case Mutation::kForget:
      plan.erase(plan.begin() + static_cast<std::ptrdiff_t>(s));
      break;
    case Mutation::kReroute:
      if (!victim.path.empty()) victim.path[hop] = any_arc;
      break;
    case Mutation::kBreak:
      if (!victim.path.empty()) victim.path[hop] = kNoArc;
      break;
    case Mutation::kShorten:
      if (!victim.path.empty())
        victim.path.erase(coin ? victim.path.begin() : victim.path.begin() + std::ssize(victim.path) - 1);
      break;
    case Mutation::kLengthen:
      lengthen(net, victim.path, rng);
      break;
    case Mutation::kThereAndBack:
      go_there_and_back(net, victim.path);
      break;
    case Mutation::kBackwards:
      turn_round(net, victim.path);
      break;
    case Mutation::kRetarget:
      if (!victim.blocks.empty()) victim.blocks[load] = any_block;
      break;
    case Mutation::kOverload:
      victim.blocks.push_back(any_block);
      break;
    case Mutation::kSwapBlocks:
      std::swap(victim.blocks, partner.blocks);
      break;
    case Mutation::kSplit: {
      LooseTransfer part = victim;
      part.blocks.resize(part.blocks.size() / 2);
      victim.blocks.erase(victim.blocks.begin(), victim.blocks.begin() + std::ssize(part.blocks));
      plan[s].push_back(std::move(part));
      break;
    }
    case Mutation::kMerge: {
      const std::vector<BlockId> more = partner.blocks;
      victim.blocks.insert(victim.blocks.end(), more.begin(), more.end());
      if (coin && &partner != &victim) partner = victim;
      break;
    }
    case Mutation::kCopyFlag:
      victim.op = victim.op == TransferOp::kCopy ? TransferOp::kDefault : TransferOp::kCopy;
      break;
    case Mutation::kSendSlots:
      victim.slots.from = coin ? 1U << rng.below(4) : static_cast<uint32_t>(rng.below(16));
      break;
    case Mutation::kKeepInSlot:
      victim.slots.to = static_cast<uint32_t>(rng.below(coin ? 4 : 40));
      break;
    case Mutation::kEmpty:
      (coin ? victim.blocks.clear() : victim.path.clear());
      break;
  }
}

bool is_surely_wrong(Mutation mutation, const Problem& problem) {
  const Flow flow = problem.collective().flow();
  switch (mutation) {
    case Mutation::kBreak:
    case Mutation::kEmpty:
      return true;
    case Mutation::kThereAndBack:  // over a link that has no way back, or over the same arc twice
      return problem.model().switching != Switching::kShared;
    case Mutation::kDrop:
    case Mutation::kForget:
      return flow == Flow::kMove;
    case Mutation::kDouble:
      return flow == Flow::kMove || (flow == Flow::kCopy && !problem.topology().has_routers());
    default:
      return false;
  }
}

std::string text_of(const Problem& problem, const Plan& plan) {
  std::string out;
  LoosePlan loose = loosen(plan);
  for (size_t s = 0; s < loose.size(); ++s) {
    for (size_t t = 0; t < loose[s].size(); ++t) {
      LooseTransfer& transfer = loose[s][t];
      if (transfer.op == TransferOp::kCopy && problem.collective().flow() != Flow::kCombine) {
        out += fmt::format("# step {}, transfer {} is marked as a copy\n", s + 1, t + 1);
      }
      if (transfer.slots.from == 0 || transfer.slots.to >= SumSlots::kCount ||
          (transfer.slots != SumSlots{} && problem.collective().flow() != Flow::kCombine)) {
        out += fmt::format("# step {}, transfer {} sends slots {:x} into slot {}\n", s + 1, t + 1,
                           transfer.slots.from, transfer.slots.to);
        transfer.slots = {};
      }
      if (transfer.path.empty()) {
        out += fmt::format("# step {}, transfer {} has no path: one that does not exist stands for it\n",
                           s + 1, t + 1);
        transfer.path.push_back(kNoArc);
      }
      if (std::erase_if(transfer.blocks, [&](BlockId b) { return !exists(problem, b); }) > 0) {
        out += fmt::format("# step {}, transfer {} also carries a block that does not exist\n", s + 1, t + 1);
      }
    }
  }
  return write_plan_text({{problem}, tighten(loose)}) + out;
}

bool can_be_written(const Problem& problem, const Plan& plan) {
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      if (step.arcs(t).empty()) return false;
      if (step.op(t) == TransferOp::kCopy && problem.collective().flow() != Flow::kCombine) return false;
      const SumSlots slots = step.slots_of(t);
      if (slots != SumSlots{} && problem.collective().flow() != Flow::kCombine) return false;
      if (slots.from == 0 || slots.to >= SumSlots::kCount) return false;
      for (const BlockId block : step.blocks(t)) {
        if (!exists(problem, block)) return false;
      }
    }
  }
  return true;
}

}  // namespace quadrille::testing
