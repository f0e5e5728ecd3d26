#include "quadrille/compile/groups/joint_exchange.h"

#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/collective/counts.h"

namespace quadrille {
namespace {

// More are planned group by group alone.
constexpr uint64_t kMostJointBlocks = uint64_t{1} << 18U;

bool is_personalised(CollectiveKind kind) {
  return kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kScatter ||
         kind == CollectiveKind::kGather;
}

void add_counts(const RankGroup& group, std::vector<Counts::Entry>& entries) {
  const auto add = [&](Rank from, Rank to) {
    if (from != to) entries.push_back({from, to, group.pieces});
  };
  const Rank root = group.root.value_or(group.ranks.front());
  for (const Rank one : group.ranks) {
    if (group.kind == CollectiveKind::kScatter) add(root, one);
    if (group.kind == CollectiveKind::kGather) add(one, root);
    if (group.kind != CollectiveKind::kAlltoall) continue;
    for (const Rank other : group.ranks) add(one, other);
  }
}

}  // namespace

JointExchange::JointExchange(const Topology& net, std::span<const RankGroup> groups,
                             std::span<const Problem> problems)
    : problems_(problems), takes_part_(groups.size(), 0), group_of_(net.num_endpoints(), 0) {
  uint64_t blocks = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!is_personalised(groups[i].kind)) continue;
    takes_part_[i] = 1;
    ++size_;
    blocks += problems[i].collective().block_count();
    for (const Rank rank : groups[i].ranks) group_of_[index(rank)] = static_cast<uint32_t>(i);
  }
  // A worm might carry blocks of several groups, and belong to none of them.
  if (size_ < 2 || blocks > kMostJointBlocks || !sends_single_packets(problems[0].model())) return;
  std::vector<Counts::Entry> entries;
  std::optional<Model> model;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!has(i)) continue;
    add_counts(groups[i], entries);
    model = problems[i].model();
  }
  problem_.emplace(net, Collective::counted(Counts(net.num_endpoints(), std::move(entries))), *model);
}

std::vector<Plan> JointExchange::split(const Plan& plan) const {
  const Problem& joint = *problem_;
  std::vector<Plan> out(problems_.size());
  std::vector<StepBuilder> step_of(problems_.size());
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const uint32_t group = group_of_[index(joint.collective().origin(step.blocks(t).front()))];
      const Problem& own = problems_[group];
      blocks.clear();
      for (const BlockId block : step.blocks(t)) {
        QUADRILLE_CHECK(group_of_[index(joint.collective().origin(block))] == group, joint.title());
        const BlockName name = joint.block_name(block);
        const std::optional<BlockId> there =
            own.find_block(std::span<const uint32_t>(name.parts).first(own.collective().name_form().size));
        QUADRILLE_CHECK(there.has_value(), joint.block_label(block));
        blocks.push_back(*there);
      }
      step_of[group].add(step.arcs(t), blocks, step.op(t), step.slots_of(t));
    }
    for (size_t i = 0; i < out.size(); ++i) {
      if (step_of[i].empty()) continue;
      while (out[i].num_steps() < s) StepBuilder().flush(out[i]);
      step_of[i].flush(out[i]);
    }
  }
  return out;
}

}  // namespace quadrille
