#include "quadrille/compile/groups/joint_copies.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace joint_copies_parts {
namespace {

constexpr uint64_t kMostStepWork = uint64_t{1} << 22U;  // blocks times arcs
constexpr uint64_t kTriesWork = 200'000'000;            // the same, of all steps of all tries
constexpr uint32_t kMostTries = 12;

struct JointSend {
  ArcId arc;
  uint32_t block;
};
using JointSteps = std::vector<std::vector<JointSend>>;

// A block of some group.
struct JointBlock {
  uint32_t group;
  BlockId own;
};

class JointSwarm {
 public:
  JointSwarm(const Topology& net, std::span<const Problem> problems, uint64_t seed) : net_(net), rng_(seed) {
    for (uint32_t g = 0; g < problems.size(); ++g)
      for (uint32_t b = 0; b < problems[g].collective().num_blocks(); ++b) blocks_.push_back({g, BlockId{b}});
    const size_t entries = blocks_.size() * net.num_nodes();
    has_.assign(entries, 0);
    lacks_.assign(entries, 0);
    far_.assign(entries, kNever);
    holders_.assign(blocks_.size(), 1);
    lacking_.assign(blocks_.size(), 0);
    into_ = arcs_into(net);
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const Problem& problem = problems[blocks_[b].group];
      for (const NodeId v : problem.topology().endpoints()) {
        if (v == problem.origin(blocks_[b].own)) {
          has_[at(v, b)] = 1;
        } else {
          lacks_[at(v, b)] = 1;
          ++lacking_[b];
          ++missing_;
        }
      }
    }
    wanted_ = lacks_;
  }

  [[nodiscard]] uint64_t step_work() const { return blocks_.size() * uint64_t{net_.num_arcs()}; }
  [[nodiscard]] const JointBlock& block(uint32_t b) const { return blocks_[b]; }

  // Nothing where it takes `fewer_than` steps or more.
  std::optional<JointSteps> run(size_t fewer_than, uint64_t& work) {
    JointSteps out;
    while (missing_ > 0) {
      if (out.size() + 1 >= fewer_than) return std::nullopt;
      for (uint32_t b = 0; b < blocks_.size(); ++b) look_round(b);
      std::vector<JointSend>& step = out.emplace_back();
      for (const NodeId v : net_.nodes()) serve(v, step);
      for (const JointSend& send : step) {
        const size_t here = at(net_.head(send.arc), send.block);
        has_[here] = 1;
        ++holders_[send.block];
        if (lacks_[here] == 0) continue;
        lacks_[here] = 0;
        --lacking_[send.block];
        --missing_;
      }
      work -= std::min(work, step_work());
    }
    leave_out_needless(out);
    return out;
  }

 private:
  static constexpr uint16_t kNever = UINT16_MAX;
  static constexpr uint64_t kOfOthers = uint64_t{1} << 48U;

  [[nodiscard]] size_t at(NodeId v, uint32_t b) const { return size_t{b} * net_.num_nodes() + index(v); }

  // How far from every node the nearest is that lacks the block: breadth first, against the arcs.
  void look_round(uint32_t b) {
    if (lacking_[b] == 0) return;
    uint16_t* const far = &far_[size_t{b} * net_.num_nodes()];
    std::fill_n(far, net_.num_nodes(), kNever);
    reached_.clear();
    for (const NodeId v : net_.nodes()) {
      if (lacks_[at(v, b)] == 0) continue;
      far[index(v)] = 0;
      reached_.push_back(v);
    }
    for (size_t i = 0; i < reached_.size(); ++i) {
      const uint16_t next = static_cast<uint16_t>(far[index(reached_[i])] + 1);
      for (const ArcId arc : into_[index(reached_[i])]) {
        const NodeId u = net_.tail(arc);
        if (far[index(u)] != kNever) continue;
        far[index(u)] = next;
        reached_.push_back(u);
      }
    }
  }

  void serve(NodeId v, std::vector<JointSend>& step) {
    channels_.clear();
    for (const ArcId arc : into_[index(v)]) channels_.insert(channels_.end(), net_.capacity(arc), arc);
    order_.clear();
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const size_t here = at(v, b);
      if (lacking_[b] == 0 || has_[here] != 0 || far_[here] == kNever) continue;
      uint64_t near = 0;
      for (const ArcId arc : into_[index(v)]) near += has_[at(net_.tail(arc), b)] != 0 ? 1U : 0U;
      if (near == 0) continue;
      const uint64_t scarce = (near * 8 + holders_[b]) * 4 + rng_.below(16);
      order_.emplace_back(lacks_[here] != 0 ? scarce : kOfOthers + (uint64_t{far_[here]} << 32U) + scarce, b);
    }
    std::sort(order_.begin(), order_.end());
    taken_.assign(channels_.size(), UINT32_MAX);
    size_t matched = 0;
    for (const auto& [score, block] : order_) {
      if (matched == channels_.size()) break;
      tried_.assign(channels_.size(), 0);
      if (place(block)) ++matched;
    }
    for (size_t i = 0; i < channels_.size(); ++i)
      if (taken_[i] != UINT32_MAX) step.push_back({channels_[i], taken_[i]});
  }
  bool place(uint32_t block) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (tried_[i] != 0 || has_[at(net_.tail(channels_[i]), block)] == 0) continue;
      tried_[i] = 1;
      if (taken_[i] != UINT32_MAX && !place(taken_[i])) continue;
      taken_[i] = block;
      return true;
    }
    return false;
  }

  void leave_out_needless(JointSteps& steps) const {
    std::vector<char> needed = wanted_;
    for (size_t s = steps.size(); s-- > 0;) {
      std::erase_if(steps[s],
                    [&](const JointSend& send) { return needed[at(net_.head(send.arc), send.block)] == 0; });
      for (const JointSend& send : steps[s]) needed[at(net_.tail(send.arc), send.block)] = 1;
    }
  }

  const Topology& net_;
  Rng rng_;
  std::vector<JointBlock> blocks_{};
  std::vector<std::vector<ArcId>> into_{};
  // By block and node.
  std::vector<char> has_{};
  std::vector<char> lacks_{};   // wants it for itself
  std::vector<char> wanted_{};  // lacked it at first
  std::vector<uint16_t> far_{};
  std::vector<uint64_t> holders_{};  // per block
  std::vector<uint32_t> lacking_{};  // per block: nodes
  uint64_t missing_ = 0;
  std::vector<NodeId> reached_{};
  std::vector<ArcId> channels_{};
  std::vector<std::pair<uint64_t, uint32_t>> order_{};
  std::vector<uint32_t> taken_{};
  std::vector<char> tried_{};
};

bool is_copy(CollectiveKind kind) {
  return kind == CollectiveKind::kAllgather || kind == CollectiveKind::kBroadcast;
}
bool is_sum(CollectiveKind kind) {
  return kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kReduce;
}

// Steps in which nothing of a group is sent stay, so that all count alike; with `to_the_end` those behind its last one, too.
std::vector<Plan> plans_of(const JointSwarm& swarm, const JointSteps& steps, size_t groups, bool to_the_end) {
  std::vector<Plan> out(groups);
  std::vector<StepBuilder> builder(groups);
  for (size_t s = 0; s < steps.size(); ++s) {
    for (const JointSend& send : steps[s])
      builder[swarm.block(send.block).group].add(send.arc, swarm.block(send.block).own);
    for (size_t g = 0; g < groups; ++g) {
      if (builder[g].empty() && !to_the_end) continue;
      while (out[g].num_steps() < s) StepBuilder().flush(out[g]);
      builder[g].flush(out[g]);
    }
  }
  return out;
}

std::optional<std::vector<Plan>> copied(const Topology& net, std::span<const Problem> problems,
                                        size_t fewer_than, bool to_the_end) {
  std::optional<std::vector<Plan>> best;
  uint64_t work = SearchLimits::work(kTriesWork);
  for (uint32_t i = 0; i < kMostTries && work > 0 && !(best && searches_are_stopped()); ++i) {
    JointSwarm swarm(net, problems, i);
    if (swarm.step_work() > kMostStepWork) break;
    const std::optional<JointSteps> found = swarm.run(fewer_than, work);
    if (!found) continue;
    fewer_than = found->size();
    best = plans_of(swarm, *found, problems.size(), to_the_end);
  }
  return best;
}

Plan without_idle_end(const Plan& plan) {
  size_t steps = plan.num_steps();
  while (steps > 0 && plan.step(steps - 1).size() == 0) --steps;
  Plan out;
  for (size_t s = 0; s < steps; ++s) out.push(plan.step(s));
  return out;
}

}  // namespace
}  // namespace joint_copies_parts

std::optional<std::vector<Plan>> copy_jointly(const Topology& net, std::span<const Problem> problems,
                                              size_t fewer_than) {
  using joint_copies_parts::copied;
  using joint_copies_parts::is_copy;
  using joint_copies_parts::is_sum;
  using joint_copies_parts::without_idle_end;
  if (problems.size() < 2) return std::nullopt;
  const auto all = [&](bool (*is)(CollectiveKind)) {
    return std::ranges::all_of(problems, [&](const Problem& p) { return is(p.collective().kind()); });
  };
  const bool sums = all(is_sum);
  if (!sums && !all(is_copy)) return std::nullopt;
  for (const Problem& problem : problems) {
    const Model& model = problem.model();
    if (!sends_single_packets(model) || model.duplex == Duplex::kHalf || !model.send.unlimited() ||
        !model.receive.unlimited() || model.combining == Operator::kOrdered ||
        model.chunks != Chunks::kAnyOrder)
      return std::nullopt;
  }
  if (!sums) return copied(net, problems, fewer_than, false);
  std::vector<Problem> copies;
  for (const Problem& problem : problems) copies.push_back(reversed(problem));
  const Topology turned = transposed(net);
  std::optional<std::vector<Plan>> plans = copied(turned, copies, fewer_than, true);
  if (!plans) return std::nullopt;
  for (size_t i = 0; i < problems.size(); ++i)
    (*plans)[i] = without_idle_end(reverse(copies[i], (*plans)[i]));
  return plans;
}

}  // namespace quadrille
