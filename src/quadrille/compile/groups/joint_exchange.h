// Joint exchange: what several groups exchange, as one alltoallv on the whole network, so that whoever plans it sees all of it.
//
//     const JointExchange joint(net, groups, problems);
//     const Plan plan = ...;                       // for joint.problem()
//     joint.split(plan)[i]                         // for problems[i], in steps that all count alike
//
// Alltoall, scatter and gather have blocks of one origin and one destination, and no pair of ranks belongs to two groups: which
// group a block is of, its ends say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/compile/groups/group_list.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class JointExchange {
 public:
  /// `problems` are those of the groups, on the nodes and arcs of `net`, which must outlive it.
  JointExchange(const Topology& net, std::span<const RankGroup> groups, std::span<const Problem> problems);

  /// Nothing where fewer than two groups exchange blocks, there are too many of those, or they are not packets.
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
  [[nodiscard]] bool has(size_t group) const { return takes_part_[group] != 0; }
  /// How many groups it has.
  [[nodiscard]] size_t size() const { return size_; }
  /// A plan for each group; for those that it has not, one without steps. Behind its last transfer a plan ends.
  [[nodiscard]] std::vector<Plan> split(const Plan& plan) const;

 private:
  std::span<const Problem> problems_;
  std::vector<char> takes_part_;
  size_t size_ = 0;
  std::vector<uint32_t> group_of_;  // of each rank
  std::optional<Problem> problem_;
};

}  // namespace quadrille
