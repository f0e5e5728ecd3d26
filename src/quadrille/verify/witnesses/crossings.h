// Crossings: blocks that must go into a group of nodes, or out of it, and how many steps of a plan cannot be those.
//
// A block cannot cross before it has come to where it can, and when it has crossed it is not where it is wanted. So
// blocks that all need `before` hops before they cross, and `after` hops afterwards, cross in all steps but the first
// `before` and the last `after`.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

inline constexpr uint32_t kNoGroup = UINT32_MAX;

class Crossings {
 public:
  void add(uint32_t before, uint32_t after, uint64_t blocks = 1);
  [[nodiscard]] uint64_t blocks() const { return blocks_; }
  /// Steps that they take where so many can cross in one; 0 if none can.
  [[nodiscard]] Rational steps(uint64_t in_a_step) const;

 private:
  uint64_t blocks_ = 0;
  std::map<uint32_t, uint64_t> by_before_;
  std::map<uint32_t, uint64_t> by_after_;
};

/// Nodes in groups, and hops from each node to where it can cross, and from where it has crossed to each node.
/// group[v] is a number, or kNoGroup for a node that belongs to none and is outside of all.
struct Ways {
  const std::vector<uint32_t>& group;
  const std::vector<uint32_t>& before;
  const std::vector<uint32_t>& after;
};

/// Blocks that somebody in group `g` wants, and somebody outside has (of a combining collective: a contribution to).
void add_entering(const Problem& problem, const Ways& ways, uint32_t g, Crossings& out);
/// The same for each of so many groups: a block that moves enters one of them.
void add_entering_each(const Problem& problem, const Ways& ways, uint32_t groups, Crossings& out);
/// Blocks that somebody in a group has, and somebody outside wants.
void add_leaving_each(const Problem& problem, const Ways& ways, uint32_t groups, Crossings& out);

}  // namespace quadrille
