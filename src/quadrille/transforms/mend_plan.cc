#include "quadrille/transforms/mend_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/faults/faults.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/mending/earliest_way.h"
#include "quadrille/transforms/mending/mend_sums.h"
#include "quadrille/transforms/mending/mended_copies.h"
#include "quadrille/transforms/mending/shared_widths.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/slots/slot_exchange.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {
namespace mend_plan_parts {
namespace {

constexpr uint32_t kNever = UINT32_MAX;
// Where detours come behind the plan's end: slots that exchanges look at, hops that a way may be longer than the shortest one, and
// hops of the plan beyond which that is not tried.
constexpr uint64_t kMendingWork = 1'200'000'000;
constexpr uint32_t kLongerBy = 2;
constexpr uint64_t kMostHops = 4'000'000;

// Moves and copies of a plan, in the numbers of the network before the faults.
class Mender {
 public:
  enum class Read : uint8_t { kForwards, kBackwards };

  Mender(const Problem& problem, const Plan& plan, const Faults& faults, Read read)
      : problem_(problem),
        topology_(problem.topology()),
        plan_(plan),
        machine_(problem, widths_of(problem, plan)),
        read_(read),
        dead_(topology_, faults),
        copies_(topology_, dead_, machine_),
        end_(plan.num_steps()),
        hops_to_(topology_.num_nodes()),
        into_(topology_.num_nodes()) {
    for (const ArcId arc : topology_.arcs())
      if (!dead_.has(arc)) into_[index(topology_.head(arc))].push_back(arc);
  }

  void mend(PlanDelta& delta) {
    find_hit_blocks();
    reserve_and_collect();
    std::vector<BlockId> order;
    for (const auto& [block, hops] : old_) order.push_back(block);
    const bool moves = problem_.collective().flow() == Flow::kMove;
    if (moves) sort_by_distance(order);
    for (const BlockId block : order) {
      if (is_gone(block)) continue;
      if (moves) {
        move(block);
      } else {
        copies_.complete(origin_of(block), old_[block], new_[block]);
        if (read_ == Read::kBackwards) copies_.drop_dead_ends(new_[block]);
      }
    }
    if (moves) exchange_slots();
    bundles_.unpack(old_);
    bundles_.unpack(new_);
    write_changes(old_, new_, carries_many(problem_.model()), delta);
  }

 private:
  // Nobody wants it any more, or nobody has it.
  [[nodiscard]] bool is_gone(BlockId block) const {
    if (dead_.has(problem_.origin(block))) return true;
    return problem_.collective().flow() == Flow::kMove && dead_.has(problem_.destination(block));
  }
  [[nodiscard]] MendedCopies::Origin origin_of(BlockId block) const { return {problem_.origin(block), 0}; }

  void find_hit_blocks() {
    hit_.assign(problem_.collective().num_blocks(), 0);
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        if (!dead_.on(step.arcs(t))) continue;
        for (const BlockId block : step.blocks(t)) hit_[index(block)] = 1;
      }
    }
    for (size_t b = 0; b < hit_.size(); ++b)
      if (is_gone(id_at<BlockId>(b))) hit_[b] = 1;
  }

  // What is not hit keeps its place; the hops of what is are looked at anew.
  void reserve_and_collect() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        size_t stays = 0;
        for (const BlockId block : step.blocks(t)) {
          if (hit_[index(block)] == 0) {
            ++stays;
            continue;
          }
          const auto path = step.arcs(t);
          old_[block].push_back({.step = static_cast<uint32_t>(s),
                                 .path = {path.begin(), path.end()},
                                 .transfer = static_cast<uint32_t>(t)});
        }
        for (size_t i = counted(problem_, stays); i > 0; --i) machine_.use(step.arcs(t), s);
      }
    }
    if (problem_.model().switching == Switching::kWormhole)
      std::erase_if(old_,
                    [this](const auto& of) { return !bundles_.is_first(of.first, numbers_of(of.second)); });
    if (problem_.collective().flow() == Flow::kMove) return;
    // Of copies, what needs nothing from the dead stays.
    for (auto& [block, hops] : old_)
      if (!is_gone(block)) new_[block] = copies_.undamaged(origin_of(block), hops);
  }

  // --- moves -------------------------------------------------------------------------------------------------------

  void sort_by_distance(std::vector<BlockId>& order) {
    std::ranges::stable_sort(order, std::greater<>(), [&](BlockId block) {
      return is_gone(block) ? 0 : hops_to(problem_.destination(block))[index(problem_.origin(block))];
    });
  }

  const std::vector<uint32_t>& hops_to(NodeId target) {
    std::vector<uint32_t>& out = hops_to_[index(target)];
    if (!out.empty()) return out;
    out.assign(topology_.num_nodes(), kNever);
    out[index(target)] = 0;
    std::vector<NodeId> queue{target};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const ArcId arc : into_[index(queue[i])]) {
        const NodeId from = topology_.tail(arc);
        if (out[index(from)] != kNever) continue;
        out[index(from)] = out[index(queue[i])] + 1;
        queue.push_back(from);
      }
    }
    return out;
  }

  void move(BlockId block) {
    const NodeId from = problem_.origin(block);
    const NodeId to = problem_.destination(block);
    const std::vector<uint32_t>& hops = hops_to(to);
    sources_.assign(1, {0, from});
    std::optional<std::vector<MendedHop>> best = search(to, [&](ArcId arc) {
      return hops[index(topology_.tail(arc))] == hops[index(topology_.head(arc))] + 1;
    });
    if (!best || best->back().step >= end_) {
      std::optional<std::vector<MendedHop>> any =
          search(to, [&](ArcId arc) { return hops[index(topology_.head(arc))] != kNever; });
      if (any && (!best || any->back().step < best->back().step)) best = std::move(any);
    }
    take(block, *best);
  }

  // Where the plan has become longer: slots that others hold, who have other ways or times, for blocks behind its end. By halves,
  // since the fewest steps are not known.
  void exchange_slots() {
    auto fewest = static_cast<uint32_t>(plan_.num_steps());
    const Model& model = problem_.model();
    if (end_ <= fewest || !sends_single_packets(model) || !SlotExchange::knows(problem_)) return;
    const TimedPaths mended = all_paths();
    if (mended.arcs.size() > kMostHops) return;
    SlotExchange exchange(problem_, mended,
                          {.work = kMendingWork, .longer_by = kLongerBy, .dead = dead_.arcs()});
    std::optional<TimedPaths> best;
    for (auto steps = static_cast<uint32_t>(end_); fewest < steps && exchange.has_work_left();) {
      const uint32_t tried = fewest + (steps - fewest) / 2;
      if (std::optional<TimedPaths> shorter = exchange.within(tried)) {
        exchange.take(*shorter);
        best = std::move(shorter);
        steps = tried;
      } else {
        fewest = tried + 1;
      }
    }
    if (best) keep(mended, *best);
  }

  // Of all blocks that still go somewhere, in the order of their numbers.
  [[nodiscard]] TimedPaths all_paths() const {
    std::vector<std::vector<std::pair<uint32_t, ArcId>>> ways(problem_.collective().num_blocks());
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      for (size_t t = 0; t < step.size(); ++t)
        for (const BlockId block : step.blocks(t))
          if (hit_[index(block)] == 0) ways[index(block)].emplace_back(s, step.arcs(t).front());
    }
    for (const auto& [block, hops] : new_)
      for (const MendedHop& hop : hops) ways[index(block)].emplace_back(hop.step, hop.path.front());
    TimedPaths out;
    out.steps = static_cast<uint32_t>(end_);
    for (size_t b = 0; b < ways.size(); ++b) {
      if (ways[b].empty()) continue;
      out.blocks.push_back(id_at<BlockId>(b));
      for (const auto& [step, arc] : ways[b]) {
        out.arcs.push_back(arc);
        out.step_of.push_back(step);
      }
      out.begin.push_back(out.arcs.size());
    }
    return out;
  }

  void keep(const TimedPaths& before, const TimedPaths& now) {
    const auto hops_of = [](const TimedPaths& paths, size_t i) {
      std::vector<MendedHop> out;
      for (size_t h = paths.begin[i]; h < paths.begin[i + 1]; ++h)
        out.push_back({paths.step_of[h], {paths.arcs[h]}});
      return out;
    };
    for (size_t i = 0; i < now.size(); ++i) {
      if (std::ranges::equal(before.path(i), now.path(i)) &&
          std::ranges::equal(before.times(i), now.times(i)))
        continue;
      const BlockId block = now.blocks[i];
      if (hit_[index(block)] == 0) old_[block] = hops_of(before, i);
      new_[block] = hops_of(now, i);
    }
    end_ = std::max<size_t>(plan_.num_steps(), now.steps);
  }

  // --- ways ----------------------------------------------------------------------------------------------------------

  template <typename MayUse>
  std::optional<std::vector<MendedHop>> search(NodeId to, MayUse may_use) const {
    return earliest_way(topology_, dead_, machine_, sources_, to, may_use);
  }

  void take(BlockId block, const std::vector<MendedHop>& way) {
    for (const MendedHop& hop : way) {
      machine_.use(hop.path, hop.step);
      end_ = std::max<size_t>(end_, hop.step + 1);
      new_[block].push_back(hop);
    }
  }

  const Problem& problem_;
  const Topology& topology_;
  const Plan& plan_;
  StepReservations machine_;
  Read read_;
  DeadParts dead_;
  MendedCopies copies_;
  size_t end_;  // steps so far
  std::vector<char> hit_;
  HopsOfBlocks old_;  // of hit blocks, in the order of the plan
  HopsOfBlocks new_;
  Bundles bundles_;
  std::vector<std::vector<uint32_t>> hops_to_;
  std::vector<std::vector<ArcId>> into_;  // living
  std::vector<std::pair<uint32_t, NodeId>> sources_;
};

void require_mendable(const Problem& problem) {
  const Model& model = problem.model();
  const char* what = nullptr;
  if (model.queue_limit) what = "a plan with a limit on queues";
  if (model.chunks == Chunks::kInOrder || model.combining == Operator::kOrdered)
    what = "a plan that keeps an order";
  if (what != nullptr)
    throw InputError(
        fmt::format("{} is not mended; plan anew for the network that is left: plan --without", what));
}

// Padded at its end, so that its last step stays the last one when it is read backwards.
Plan backwards(const Problem& problem, Plan plan, size_t steps) {
  while (plan.num_steps() < steps) StepBuilder().flush(plan);
  return reverse(problem, plan);
}

}  // namespace
}  // namespace mend_plan_parts

PlanDelta mend_plan(const PlanFile& base, std::vector<std::string> faults) {
  using mend_plan_parts::backwards;
  using mend_plan_parts::Mender;
  using mend_plan_parts::require_mendable;
  require_mendable(base.problem);
  PlanDelta delta{.base = digest_of(base.problem, base.plan), .faults = std::move(faults)};
  const Faults dead = faults_of(base.problem.topology(), delta);
  static_cast<void>(with_delta({{base.problem}, {}}, delta));  // refuses what nothing can be left of
  if (base.problem.collective().kind() == CollectiveKind::kAllreduce) {
    mend_sums(base.problem, base.plan, dead, delta);
    return delta;
  }
  if (base.problem.collective().flow() != Flow::kCombine) {
    Mender(base.problem, base.plan, dead, Mender::Read::kForwards).mend(delta);
    return delta;
  }
  const Problem turned = reversed(base.problem);
  Faults dead_turned{.nodes = dead.nodes, .arcs = {}};
  const std::vector<ArcId> turned_arc = turned_arcs(base.problem.topology(), turned.topology());
  for (const ArcId arc : dead.arcs) dead_turned.arcs.push_back(turned_arc[index(arc)]);
  const Plan plan = reverse(base.problem, base.plan);
  PlanDelta of_turned;
  Mender(turned, plan, dead_turned, Mender::Read::kBackwards).mend(of_turned);
  const size_t steps = std::max(plan.num_steps(), of_turned.added.num_steps());
  delta.later = static_cast<uint32_t>(steps - plan.num_steps());
  delta.dropped = backwards(turned, std::move(of_turned.dropped), steps);
  delta.added = backwards(turned, std::move(of_turned.added), steps);
  return delta;
}

}  // namespace quadrille
