#include "quadrille/transforms/mend_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/faults/faults.h"
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

// One block on its way over a path in a step.
struct Hop {
  uint32_t step;
  std::vector<ArcId> path;

  friend bool operator==(const Hop&, const Hop&) = default;
};

// Moves and copies of a plan, in the numbers of the network before the faults.
class Mender {
 public:
  Mender(const Problem& problem, const Plan& plan, const Faults& faults)
      : problem_(problem),
        topology_(problem.topology()),
        plan_(plan),
        machine_(problem),
        dead_node_(topology_.num_nodes(), 0),
        dead_arc_(topology_.num_arcs(), 0),
        end_(plan.num_steps()),
        hops_to_(topology_.num_nodes()),
        into_(topology_.num_nodes()) {
    for (const NodeId v : faults.nodes) dead_node_[index(v)] = 1;
    for (const ArcId arc : faults.arcs) dead_arc_[index(arc)] = 1;
    for (const ArcId arc : topology_.arcs()) {
      if (dead_node_[index(topology_.tail(arc))] != 0 || dead_node_[index(topology_.head(arc))] != 0)
        dead_arc_[index(arc)] = 1;
      if (dead_arc_[index(arc)] == 0) into_[index(topology_.head(arc))].push_back(arc);
    }
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
        copy(block);
      }
    }
    if (moves) exchange_slots();
    write(delta);
  }

 private:
  [[nodiscard]] bool is_dead(NodeId node) const { return dead_node_[index(node)] != 0; }
  [[nodiscard]] bool is_dead(std::span<const ArcId> path) const {
    return std::ranges::any_of(path, [&](ArcId arc) { return dead_arc_[index(arc)] != 0; });
  }

  // Nobody wants it any more, or nobody has it.
  [[nodiscard]] bool is_gone(BlockId block) const {
    if (is_dead(problem_.origin(block))) return true;
    return problem_.collective().flow() == Flow::kMove && is_dead(problem_.destination(block));
  }

  void find_hit_blocks() {
    hit_.assign(problem_.collective().num_blocks(), 0);
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        if (!is_dead(step.arcs(t))) continue;
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
        bool stays = false;
        for (const BlockId block : step.blocks(t)) {
          if (hit_[index(block)] == 0) {
            stays = true;
            continue;
          }
          const auto path = step.arcs(t);
          old_[block].push_back({static_cast<uint32_t>(s), {path.begin(), path.end()}});
        }
        if (stays) machine_.use(step.arcs(t), s);
      }
    }
    if (problem_.collective().flow() == Flow::kMove) return;
    // Of copies, what needs nothing from the dead stays.
    for (auto& [block, hops] : old_)
      if (!is_gone(block)) keep_undamaged(block, hops);
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
    std::optional<std::vector<Hop>> best = search(to, [&](ArcId arc) {
      return hops[index(topology_.tail(arc))] == hops[index(topology_.head(arc))] + 1;
    });
    if (!best || best->back().step >= end_) {
      std::optional<std::vector<Hop>> any =
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
    if (end_ <= fewest || model.switching != Switching::kPacket || !SlotExchange::knows(problem_)) return;
    const TimedPaths mended = all_paths();
    if (mended.arcs.size() > kMostHops) return;
    SlotExchange exchange(problem_, mended,
                          {.work = kMendingWork, .longer_by = kLongerBy, .dead = dead_arc_});
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
      for (const Hop& hop : hops) ways[index(block)].emplace_back(hop.step, hop.path.front());
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
      std::vector<Hop> out;
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

  // --- copies ------------------------------------------------------------------------------------------------------

  // When each node has the block, by hops that need nobody who lacks it; the others, in their order, are lost.
  void keep_undamaged(BlockId block, const std::vector<Hop>& hops) {
    std::vector<uint32_t> has(topology_.num_nodes(), kNever);
    has[index(problem_.origin(block))] = 0;
    std::vector<Hop> kept;
    for (const Hop& hop : hops) {
      if (is_dead(hop.path) || has[index(topology_.tail(hop.path.front()))] > hop.step) continue;
      has[index(topology_.head(hop.path.back()))] = hop.step + 1;
      machine_.use(hop.path, hop.step);
      kept.push_back(hop);
    }
    new_[block] = std::move(kept);
  }

  void copy(BlockId block) {
    std::vector<Hop>& kept = new_[block];
    std::vector<uint32_t> has(topology_.num_nodes(), kNever);
    has[index(problem_.origin(block))] = 0;
    for (const Hop& hop : kept) has[index(topology_.head(hop.path.back()))] = hop.step + 1;
    const std::vector<Hop> first = kept;
    const auto lacks = [&](NodeId v) { return !is_dead(v) && has[index(v)] == kNever; };
    const auto get = [&](NodeId v) {
      sources_.clear();
      for (const NodeId u : topology_.nodes())
        if (has[index(u)] != kNever) sources_.emplace_back(has[index(u)], u);
      const std::optional<std::vector<Hop>> way =
          search(v, [&](ArcId arc) { return lacks(topology_.head(arc)); });
      for (const Hop& hop : *way) has[index(topology_.head(hop.path.back()))] = hop.step + 1;
      take(block, *way);
    };
    // In the order in which it came before: what is sent on from those who have it again may stay.
    for (const Hop& hop : old_[block]) {
      if (std::ranges::find(first, hop) != first.end()) continue;
      const NodeId from = topology_.tail(hop.path.front());
      const NodeId to = topology_.head(hop.path.back());
      if (!lacks(to)) continue;
      if (!is_dead(hop.path) && has[index(from)] <= hop.step &&
          machine_.first_free(hop.path, hop.step) == hop.step) {
        has[index(to)] = hop.step + 1;
        take(block, {hop});
      } else if (topology_.rank(to)) {
        get(to);
      }
    }
    for (const NodeId v : topology_.endpoints())
      if (lacks(v)) get(v);
  }

  // --- ways ----------------------------------------------------------------------------------------------------------

  // The way from one of the sources, each from its time on, that arrives first, of those with the fewest hops; over arcs that
  // may be used.
  template <typename MayUse>
  std::optional<std::vector<Hop>> search(NodeId to, MayUse may_use) {
    struct Label {
      uint32_t at = kNever;
      uint32_t hops = 0;
      ArcId by = kNoArc;
      uint32_t step = 0;
    };
    std::map<NodeId, Label> labels;
    using Entry = std::pair<std::pair<uint32_t, uint32_t>, NodeId>;  // time and hops, node
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const auto& [time, node] : sources_) {
      labels[node] = {time, 0, kNoArc, 0};
      open.push({{time, 0}, node});
    }
    while (!open.empty()) {
      const auto [key, v] = open.top();
      open.pop();
      const Label now = labels[v];
      if (std::pair(now.at, now.hops) != key) continue;
      if (v == to) break;
      for (const ArcId arc : topology_.arcs_from(v)) {
        if (dead_arc_[index(arc)] != 0 || !may_use(arc)) continue;
        const auto step = static_cast<uint32_t>(machine_.first_free(std::span(&arc, 1), now.at));
        Label& there = labels[topology_.head(arc)];
        if (std::pair(there.at, there.hops) <= std::pair(step + 1, now.hops + 1)) continue;
        there = {step + 1, now.hops + 1, arc, step};
        open.push({{there.at, there.hops}, topology_.head(arc)});
      }
    }
    const auto end = labels.find(to);
    if (end == labels.end() || end->second.at == kNever) return std::nullopt;
    std::vector<Hop> out;
    for (NodeId v = to; labels[v].by != kNoArc; v = topology_.tail(labels[v].by))
      out.push_back({labels[v].step, {labels[v].by}});
    std::ranges::reverse(out);
    return out;
  }

  void take(BlockId block, const std::vector<Hop>& way) {
    for (const Hop& hop : way) {
      machine_.use(hop.path, hop.step);
      end_ = std::max<size_t>(end_, hop.step + 1);
      new_[block].push_back(hop);
    }
  }

  // What differs.
  void write(PlanDelta& delta) const {
    std::vector<std::vector<std::pair<BlockId, const Hop*>>> dropped(end_);
    std::vector<std::vector<std::pair<BlockId, const Hop*>>> added(end_);
    const std::vector<Hop> none;
    for (const auto& [block, hops] : old_) {
      const auto found = new_.find(block);
      const std::vector<Hop>& now = found == new_.end() ? none : found->second;
      for (const Hop& hop : hops)
        if (std::ranges::find(now, hop) == now.end()) dropped[hop.step].emplace_back(block, &hop);
      for (const Hop& hop : now)
        if (std::ranges::find(hops, hop) == hops.end()) added[hop.step].emplace_back(block, &hop);
    }
    StepBuilder builder;
    for (const auto& [steps, plan] : {std::pair{&dropped, &delta.dropped}, std::pair{&added, &delta.added}}) {
      for (const auto& step : *steps) {
        for (const auto& [block, hop] : step) builder.add(hop->path, std::span(&block, 1));
        builder.flush(*plan);
      }
    }
  }

  const Problem& problem_;
  const Topology& topology_;
  const Plan& plan_;
  StepReservations machine_;
  std::vector<char> dead_node_;
  std::vector<char> dead_arc_;
  size_t end_;  // steps so far
  std::vector<char> hit_;
  std::map<BlockId, std::vector<Hop>> old_;  // of hit blocks, in the order of the plan
  std::map<BlockId, std::vector<Hop>> new_;
  std::vector<std::vector<uint32_t>> hops_to_;
  std::vector<std::vector<ArcId>> into_;  // living
  std::vector<std::pair<uint32_t, NodeId>> sources_;
};

void require_mendable(const Problem& problem) {
  const Model& model = problem.model();
  const char* what = nullptr;
  if (problem.collective().kind() == CollectiveKind::kAllreduce) what = "an allreduce";
  if (!sends_single_packets(model) && model.switching != Switching::kWormhole)
    what = "a plan whose transfers share links";
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
  if (base.problem.collective().flow() != Flow::kCombine) {
    Mender(base.problem, base.plan, dead).mend(delta);
    return delta;
  }
  const Problem turned = reversed(base.problem);
  const Topology& whole = base.problem.topology();
  Faults dead_turned{.nodes = dead.nodes, .arcs = {}};
  for (const ArcId arc : dead.arcs)
    dead_turned.arcs.push_back(*turned.topology().find_arc(whole.head(arc), whole.tail(arc)));
  const Plan plan = reverse(base.problem, base.plan);
  PlanDelta of_turned;
  Mender(turned, plan, dead_turned).mend(of_turned);
  const size_t steps = std::max(plan.num_steps(), of_turned.added.num_steps());
  delta.later = static_cast<uint32_t>(steps - plan.num_steps());
  delta.dropped = backwards(turned, std::move(of_turned.dropped), steps);
  delta.added = backwards(turned, std::move(of_turned.added), steps);
  return delta;
}

}  // namespace quadrille
