// Group bound: what several groups take together at least.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "quadrille/base/rational.h"
#include "quadrille/compile/groups/group_list.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Proved for all groups together.
struct GroupBound {
  Rational value{};
  std::string witness{};
};

/// What the demands of all groups take at least: the longest of the groups, cuts that several of them cross, and all hops over
/// all links or ports. (Where several exchange blocks, plan_groups() asks all bounds for the whole exchange, too.)
[[nodiscard]] GroupBound bound_of_groups(const Topology& net, const Model& model,
                                         std::span<const RankGroup> groups, std::span<const uint64_t> bounds);

}  // namespace quadrille
