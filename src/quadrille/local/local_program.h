// LocalProgram: a card that lets an algorithm's nodes run by themselves.
//
// It has the name of the algorithm whose plan its nodes make: what they send, tick by tick, is what that plan
// has in its steps (a test holds every card to it). One program is one file, local_programs/<name>.cc, with one card of that name, and a line in
// local_programs/catalog.inc.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quadrille/base/catalog.h"
#include "quadrille/local/local_node.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct LocalProgram {
  std::string_view name{};   ///< of the algorithm
  std::string_view rule{};   ///< what a node does
  std::string_view knows{};  ///< what it knows besides its address
  /// Why its nodes cannot serve a problem that the algorithm applies to, as a fragment of a sentence; empty: they
  /// can. Null: always.
  std::string (*refuses)(const Problem&) = nullptr;
  /// Makes one node. It looks at the problem for its own part, and the node keeps nothing of it.
  std::unique_ptr<LocalNode> (*node)(const Problem&, NodeId) = nullptr;
  /// How many ticks a step of the plan has; blocks travel in the last of them only. Null: one.
  uint32_t (*ticks)(const Problem&) = nullptr;

  [[nodiscard]] uint32_t ticks_per_step(const Problem& problem) const {
    return ticks == nullptr ? 1 : ticks(problem);
  }
};

}  // namespace quadrille
