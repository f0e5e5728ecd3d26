// Dissemination: what one node has must reach all endpoints, and how many can have been informed by the end
// of a step.
//
// A node that sends to at most s others in a step informs, over all paths of length l that begin at the root,
// at most s^l C(t,l) nodes in t steps: on each path the l transfers are in different steps, in order, and
// each is one of s. So over paths of length d or more at most the sum of these from l = d to t.
//
// A broadcast by packets is dissemination. A reduction is the same backwards in time and direction: what
// counts is then who has been heard of, and how many a node can hear from in a step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct Dissemination {
  NodeId root{};
  std::vector<uint32_t>
      hops;              ///< per node: distance from the root (to it, in a reduction); empty of an outline
  Ports ports{};         ///< of the informers
  uint64_t fan_out = 1;  ///< the most nodes that any node can inform in a step
  /// Steps that must pass before the last piece of the block can leave the root.
  uint64_t head_start = 0;
  bool backwards = false;

  /// beyond[d]: endpoints at distance d or more; beyond[0] is all of them.
  [[nodiscard]] std::vector<uint64_t> beyond(const Topology& topology) const;
  /// "inform", or "hear of" in a reduction.
  [[nodiscard]] std::string_view verb() const { return backwards ? "hear of" : "inform"; }
  /// What to add to a witness about the head start: nothing if there is none.
  [[nodiscard]] std::string head_start_text() const;
};

/// The problem as one of dissemination: a broadcast or a reduction by packets among two ranks or more.
[[nodiscard]] std::optional<Dissemination> as_dissemination(const Problem& problem);

/// min(limit, fan_out^l C(t,l)).
[[nodiscard]] uint64_t informed_over_paths_of(uint64_t fan_out, uint64_t l, uint64_t t, uint64_t limit);
/// min(limit, the sum of these for all lengths from `from` to t).
[[nodiscard]] uint64_t informed_over_paths_from(uint64_t fan_out, uint64_t from, uint64_t t, uint64_t limit);

}  // namespace quadrille
