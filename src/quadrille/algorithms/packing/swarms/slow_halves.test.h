// Halves of allreduces that take long, and whether the judge passes any.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/swarms/halves_in_turn.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

// Piece by piece, level by level of a breadth-first tree: up to a root, and down again.
inline HalfSteps one_after_the_other(const Topology& net, uint32_t pieces) {
  HalfSteps out;
  for (uint32_t p = 0; p < pieces; ++p) {
    std::vector<std::vector<ArcId>> levels;
    std::vector<char> is_reached(net.num_nodes(), 0);
    std::vector<NodeId> level{net.endpoints()[p % net.num_endpoints()]};
    is_reached[index(level.front())] = 1;
    while (!level.empty()) {
      std::vector<ArcId> arcs;
      std::vector<NodeId> next;
      for (const NodeId u : level) {
        for (const ArcId arc : net.arcs_from(u)) {
          if (std::exchange(is_reached[index(net.head(arc))], 1) != 0) continue;
          arcs.push_back(arc);
          next.push_back(net.head(arc));
        }
      }
      if (!arcs.empty()) levels.push_back(arcs);
      level = next;
    }
    for (size_t l = levels.size(); l-- > 0;) {
      std::vector<HalfSend>& step = out.emplace_back();
      for (const ArcId arc : levels[l]) step.push_back({net.reverse(arc), p, false});
    }
    for (const std::vector<ArcId>& arcs : levels) {
      std::vector<HalfSend>& step = out.emplace_back();
      for (const ArcId arc : arcs) step.push_back({arc, p, true});
    }
  }
  return out;
}

inline bool is_passed(const Problem& problem, const HalfSteps& steps) {
  Plan plan;
  StepBuilder step;
  for (const std::vector<HalfSend>& sends : steps) {
    for (const HalfSend& send : sends)
      step.add(send.arc, BlockId{send.piece}, send.down ? TransferOp::kCopy : TransferOp::kDefault);
    step.flush(plan);
  }
  return verify(problem, plan).verdict.passed();
}

}  // namespace quadrille
