#include "quadrille/compile/groups/plan_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/groups/joint_copies.h"
#include "quadrille/compile/groups/joint_exchange.h"
#include "quadrille/compile/groups/joint_trees.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/transforms/plans_together.h"
#include "quadrille/verify/together.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace plan_groups_parts {
namespace {

std::string name_of_part(const Topology& net, const RankGroup& group, Relay relay) {
  return fmt::format("among({};\"{}\"{})", net.name(), ranks_text(group.ranks),
                     relay == Relay::kNo ? ";no_relay" : "");
}

Problem problem_on(const Topology& part, const Topology& net, const RankGroup& group, const Model& model) {
  Rank root{0};
  if (group.root)
    root = id_at<Rank>(std::ranges::lower_bound(group.ranks, *group.root) - group.ranks.begin());
  Model own = model;
  if (Collective::standard(group.kind, 2).flow() != Flow::kCombine) own.combining = Operator::kCommutative;
  QUADRILLE_CHECK(part.num_endpoints() == group.ranks.size(), net.name());
  return {part, Collective::standard(group.kind, part.num_endpoints(), root, group.pieces), own};
}

// Of so many nodes, times groups, what all groups do is planned as one first, and each by itself only where that cannot be had;
// and bounds of each are those that take a moment.
constexpr uint64_t kFewNodesTimesGroups = 2'048;

// Where everybody can do without relays, they are tried on no larger networks: each group costs a plan of its own there.
constexpr uint32_t kMostNodesToTryRelays = 512;

enum class Way : uint8_t { kAlone, kRelayed, kShorter };

uint64_t bound_of(const Problem& problem, bool in_a_moment) {
  const Bound bound = in_a_moment ? best_of(quick_bounds(problem)) : best_bound(problem);
  return static_cast<uint64_t>(std::max<int64_t>(0, bound.value.ceil()));
}

// A plan that was made once serves every group that looks the same: the rows of a torus.
struct Made {
  Problem problem;
  Plan plan;
  std::string algorithm;
};

class Planner {
 public:
  explicit Planner(const Wishes& wishes) : wishes_{.gap = wishes.gap, .effort = wishes.effort} {}

  [[nodiscard]] Compiled plan(const Problem& problem) const { return compile(problem, wishes_); }
  const Made& of(const Problem& problem) {
    for (const Made& known : made_)
      if (known.problem.topology().same_graph(problem.topology()) &&
          known.problem.collective() == problem.collective() && known.problem.model() == problem.model())
        return known;
    const Compiled compiled = plan(problem);
    made_.push_back({problem, compiled.schedule->plan(), compiled.head.algorithm});
    return made_.back();
  }

 private:
  Wishes wishes_;
  std::vector<Made> made_;
};

// The plan of a part of the network, on the whole: rank i of the group is rank i of the part.
Plan on_whole(const Topology& part, const Topology& whole, std::span<const NodeId> node, const Plan& plan) {
  Plan out;
  StepBuilder builder;
  std::vector<ArcId> path;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      path.clear();
      for (const ArcId arc : step.arcs(t)) {
        const auto there = whole.find_arc(node[index(part.tail(arc))], node[index(part.head(arc))]);
        QUADRILLE_CHECK(there.has_value(), part.name());
        path.push_back(*there);
      }
      builder.add(path, step.blocks(t), step.op(t), step.slots_of(t));
    }
    builder.flush(out);
  }
  return out;
}

struct Candidate {
  Plan plan;
  std::string algorithm;
  bool alone = false;
};

// The group by itself: only where no node that is not its own is needed, so that no other group is in its way.
std::optional<Candidate> alone(const Topology& net, const Model& model, const RankGroup& group,
                               Planner& planner) {
  if (net.has_routers()) return std::nullopt;
  try {
    const Topology part = among(net, group.ranks, Relay::kNo, name_of_part(net, group, Relay::kNo));
    std::vector<NodeId> nodes;
    for (const Rank rank : group.ranks) nodes.push_back(net.endpoint(rank));
    const Made& made = planner.of(problem_on(part, net, group, model));
    return Candidate{on_whole(part, net, nodes, made.plan), made.algorithm, true};
  } catch (const InputError&) {
    return std::nullopt;  // not linked among themselves, or no plan for the model there
  }
}

struct Together {
  std::vector<Plan> plans;
  std::vector<const Candidate*> chosen;
  size_t steps = 0;
};

// All that the groups exchange as one problem, what it takes at least, and its plan, when that was made.
struct Joint {
  JointExchange exchange;
  std::vector<Candidate> candidates{};
};

// One plan for all groups that exchange, with the others between, where it takes fewer steps than `best`.
void plan_jointly(Joint& joint, const Planner& planner, std::span<const Problem> problems,
                  std::vector<const Candidate*> others, std::optional<Together>& best) {
  const Compiled compiled = planner.plan(*joint.exchange.problem());
  std::vector<PlanOfGroup> all{{&*joint.exchange.problem(), &compiled.schedule->plan()}};
  for (size_t i = 0; i < problems.size(); ++i)
    if (!joint.exchange.has(i)) all.push_back({&problems[i], &others[i]->plan});
  std::vector<Plan> merged = plans_together(all);
  Together found;
  found.plans = joint.exchange.split(merged[0]);
  size_t next = 1;
  for (size_t i = 0; i < problems.size(); ++i) {
    if (!joint.exchange.has(i)) found.plans[i] = std::move(merged[next++]);
    found.steps = std::max(found.steps, found.plans[i].num_steps());
  }
  if (best && best->steps <= found.steps) return;
  joint.candidates.resize(problems.size());
  for (size_t i = 0; i < problems.size(); ++i) {
    joint.candidates[i] = {found.plans[i], compiled.head.algorithm, false};
    found.chosen.push_back(joint.exchange.has(i) ? &joint.candidates[i] : others[i]);
  }
  best = std::move(found);
}

// Plans of all groups that were made as one.
void take_jointly(std::optional<std::vector<Plan>> plans, const std::string& name,
                  std::vector<Candidate>& candidates, std::optional<Together>& best) {
  if (!plans) return;
  Together found;
  candidates.clear();
  candidates.reserve(plans->size());
  for (const Plan& plan : *plans) {
    candidates.push_back({plan, name, false});
    found.chosen.push_back(&candidates.back());
    found.steps = std::max(found.steps, plan.num_steps());
  }
  found.plans = std::move(*plans);
  if (!best || found.steps < best->steps) best = std::move(found);
}

Together together(std::span<const Problem> problems, std::vector<const Candidate*> chosen) {
  std::vector<PlanOfGroup> all;
  for (size_t i = 0; i < problems.size(); ++i) all.push_back({&problems[i], &chosen[i]->plan});
  Together out{plans_together(all), std::move(chosen), 0};
  for (const Plan& plan : out.plans) out.steps = std::max(out.steps, plan.num_steps());
  return out;
}

}  // namespace
}  // namespace plan_groups_parts

GroupPlan plan_groups(const Topology& net, const Model& model, std::span<const RankGroup> groups,
                      const Wishes& wishes) {
  using plan_groups_parts::alone;
  using plan_groups_parts::bound_of;
  using plan_groups_parts::Candidate;
  using plan_groups_parts::Joint;
  using plan_groups_parts::kFewNodesTimesGroups;
  using plan_groups_parts::kMostNodesToTryRelays;
  using plan_groups_parts::Made;
  using plan_groups_parts::name_of_part;
  using plan_groups_parts::plan_jointly;
  using plan_groups_parts::Planner;
  using plan_groups_parts::problem_on;
  using plan_groups_parts::take_jointly;
  using plan_groups_parts::Together;
  using plan_groups_parts::together;
  using plan_groups_parts::Way;
  if (shares_arcs(model))
    throw InputError(
        "--groups: several groups are planned where links are taken by one transfer at a time: --switching packet with one "
        "packet, or wormhole");
  if (model.queue_limit)
    throw InputError("--groups: queues of several groups together are not limited; leave out --queues");

  GroupPlan out;
  std::vector<Problem> problems;
  std::vector<std::optional<Candidate>> by_themselves;
  std::vector<uint64_t> bounds;
  Planner planner(wishes);
  const bool are_many = uint64_t{net.num_nodes()} * groups.size() > kFewNodesTimesGroups;
  for (const RankGroup& group : groups) {
    const Topology part = among(net, group.ranks, Relay::kYes, name_of_part(net, group, Relay::kYes));
    problems.push_back(problem_on(part, net, group, model));
    bounds.push_back(bound_of(problems.back(), are_many));
    by_themselves.push_back(alone(net, model, group, planner));
  }
  out.bound = bound_of_groups(net, model, groups, bounds);
  Joint joint{JointExchange(net, groups, problems)};
  if (joint.exchange.problem()) {
    const Bound bound = best_bound(*joint.exchange.problem());
    if (out.bound.value.ceil() < bound.value.ceil())
      out.bound = {bound.value, fmt::format("{}, of what {} groups exchange as one: {}", bound.name,
                                            joint.exchange.size(), bound.witness)};
  }
  JointTrees trees(net, problems);
  if (const GroupBound bound = trees.bound(); out.bound.value.ceil() < bound.value.ceil()) out.bound = bound;
  const auto least = static_cast<size_t>(out.bound.value.ceil());

  // All who can by themselves; unless that is as good as it gets, with relays all, or those whom they serve.
  const bool all_alone = std::ranges::all_of(by_themselves, [](const auto& own) { return own.has_value(); });
  std::vector<std::optional<Candidate>> relayed(groups.size());
  const auto with_relays = [&](size_t i) {
    if (!relayed[i]) {
      const Made& made = planner.of(problems[i]);
      relayed[i] = Candidate{made.plan, made.algorithm, false};
    }
    return &*relayed[i];
  };
  std::optional<Together> best;
  std::vector<Candidate> copies;
  std::vector<Candidate> along_trees;
  const auto plan_as_one = [&] {
    if (joint.exchange.problem() && (best ? best->steps > least : joint.exchange.size() == groups.size()))
      plan_jointly(joint, planner, problems,
                   best ? best->chosen : std::vector<const Candidate*>(groups.size()), best);
    const auto fewer_than = [&] { return best ? best->steps : SIZE_MAX; };
    if (fewer_than() > least)
      take_jointly(copy_jointly(net, problems, fewer_than()), "joint_copies", copies, best);
    if (fewer_than() > least)
      take_jointly(trees.plans(fewer_than(), least), "joint_trees", along_trees, best);
  };
  if (are_many && !all_alone) plan_as_one();
  if (!best) {
    for (const Way way : {Way::kAlone, Way::kRelayed, Way::kShorter}) {
      if (best && (best->steps <= least || (all_alone && net.num_nodes() > kMostNodesToTryRelays))) break;
      std::vector<const Candidate*> chosen;
      for (size_t i = 0; i < groups.size(); ++i) {
        const Candidate* const own = by_themselves[i] ? &*by_themselves[i] : nullptr;
        const bool take = own != nullptr && way != Way::kRelayed &&
                          (way == Way::kAlone || own->plan.num_steps() <= with_relays(i)->plan.num_steps());
        chosen.push_back(take ? own : with_relays(i));
      }
      Together found = together(problems, std::move(chosen));
      if (!best || found.steps < best->steps) best = std::move(found);
    }
    plan_as_one();
  }

  std::vector<const Schedule*> schedules;
  out.steps = best->steps;
  for (size_t i = 0; i < groups.size(); ++i) {
    Verification judged = verify(problems[i], std::move(best->plans[i]));
    QUADRILLE_CHECK(judged.schedule.has_value(), judged.verdict.findings.empty()
                                                     ? problems[i].title()
                                                     : to_text(judged.verdict.findings[0]));
    PlannedGroup& planned =
        out.groups.emplace_back(PlannedGroup{.group = groups[i], .head = PlanHead{.problem = problems[i]}});
    planned.head.algorithm = best->chosen[i]->algorithm;
    planned.head.stated_figures.steps = judged.schedule->figures().steps;
    planned.alone = best->chosen[i]->alone;
    planned.steps_alone = best->chosen[i]->plan.num_steps();
    planned.bound = bounds[i];
    planned.schedule = std::move(judged.schedule);
  }
  for (const PlannedGroup& planned : out.groups) schedules.push_back(&*planned.schedule);
  out.together = verify_together(schedules);
  QUADRILLE_CHECK(out.together.passed(),
                  out.together.findings.empty() ? "" : to_text(out.together.findings[0]));
  QUADRILLE_CHECK(out.steps >= least, fmt::format("{} steps, bound {}", out.steps, least));
  return out;
}

}  // namespace quadrille
