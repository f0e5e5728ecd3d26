// Several groups at once: every group's collective planned, put together on the links that they share, judged as one, and held
// against what no plan of all of them can beat.
//
//     const GroupPlan made = plan_groups(net, {.send = kOnePort}, read_groups(net, text, kind, 1, "groups.txt"));
//     made.steps                          // of all together
//     made.bound                          // what they take at least
//     made.groups[0].schedule->plan()     // in steps that all groups count alike; on a network whose endpoints are the group
//
// A group that is linked among itself can do without the others: its nodes, and so its links and ports, are nobody else's, and
// all such groups run side by side at once. Else, or where that is faster, the others pass messages on, and transfers wait
// their turn on the links that plans have in common (transforms/plans_together.h). What several groups exchange is also planned as
// one problem (joint_exchange.h), what they copy, or add up, as one swarm (joint_copies.h), and all that they do along trees
// that are laid out together (joint_trees.h). Whichever takes fewer steps is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/compile/compile.h"
#include "quadrille/compile/groups/group_bound.h"
#include "quadrille/compile/groups/group_list.h"
#include "quadrille/model/model.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

struct PlannedGroup {
  RankGroup group;
  PlanHead head;             ///< the group's problem, and who made its plan
  bool alone = false;        ///< only its own nodes pass messages on
  uint64_t steps_alone = 0;  ///< of its plan before it was put together with others
  uint64_t bound = 0;        ///< of the group, had it the whole network
  std::optional<Schedule> schedule{};
};

struct GroupPlan {
  std::vector<PlannedGroup> groups;
  uint64_t steps = 0;
  GroupBound bound;
  Verdict together;  ///< of links and ports that they share; each group's plan has passed by itself
};

/// Throws InputError for a model in which transfers share links. Of the wishes the gap and the effort of searches count.
[[nodiscard]] GroupPlan plan_groups(const Topology& net, const Model& model,
                                    std::span<const RankGroup> groups, const Wishes& wishes = {});

}  // namespace quadrille
