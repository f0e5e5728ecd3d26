// PlanSynchronisation: what a plan file says of how its steps are kept apart on a machine without a common
// clock, where a node starts its next step as soon as its own sends and receives are over.
//
//     PlanSynchronisation sync;
//     sync.signals.push_back({NodeId{2}, 0, NodeId{1}, 1});  // node 1 starts step 1 after node 2's step 0
//
// Three things can be stated, alone or together: barriers, at which all nodes wait for all others; signals
// from one node to another; and priorities, by which messages push each other aside. It is only stated, as
// the plan is only proposed; check_synchronisation() in program/ says whether it is enough. Steps are 0-based
// here, and counted from 1 in files and in what people read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// `to` may start step `before_step` only when `from` is through with step `after_step` and all before it.
struct Signal {
  NodeId from = kNoNode;
  uint32_t after_step = 0;
  NodeId to = kNoNode;
  uint32_t before_step = 0;
  friend bool operator==(const Signal&, const Signal&) = default;
};

/// How urgent messages are: 1 before all others. Where two want one link, or one receive port, the more
/// urgent one goes; if the other one holds it already, it is pushed aside, and goes on when the more urgent
/// one has passed. Of the messages of a step from one node to another, or, without nodes, of all messages of
/// the step that have no priority of their own.
struct Priority {
  uint32_t step = 0;
  uint32_t level = 1;
  NodeId from = kNoNode;  ///< both nodes or none
  NodeId to = kNoNode;

  [[nodiscard]] bool of_whole_step() const { return from == kNoNode; }
  friend bool operator==(const Priority&, const Priority&) = default;
};

struct PlanSynchronisation {
  /// Whether receive ports, where the model limits them, are kept apart too, or only links.
  bool ports = true;
  std::vector<uint32_t> barriers{};  ///< after these steps, ascending
  std::vector<Signal> signals{};
  std::vector<Priority> priorities{};  ///< what none is stated for has level 1

  friend bool operator==(const PlanSynchronisation&, const PlanSynchronisation&) = default;
};

/// What is kept apart, as both forms write it.
[[nodiscard]] std::string_view apart_text(bool ports);
/// Throws InputError for other words.
[[nodiscard]] bool parse_apart(std::string_view text);

/// The levels of all messages, to look up.
class PriorityTable {
 public:
  explicit PriorityTable(std::span<const Priority> priorities);

  /// Whether all messages have the same.
  [[nodiscard]] bool empty() const { return priorities_.empty(); }
  [[nodiscard]] uint32_t level(uint32_t step, NodeId from, NodeId to) const;

 private:
  std::vector<Priority> priorities_;  // by step and nodes
};

enum class SynchronisedBy : uint8_t { kBarrier, kSignal, kPriority };

/// Something that makes no sense in a plan: a node, step or message that does not exist, a signal to an
/// earlier step or to its own sender, barriers out of order, one message with two priorities.
struct SynchronisationMistake {
  SynchronisedBy what = SynchronisedBy::kBarrier;
  size_t index = 0;  ///< which
  std::string message{};
};

/// The first mistake, if there is one.
[[nodiscard]] std::optional<SynchronisationMistake> find_mistake(const PlanSynchronisation& sync,
                                                                 const Topology& topology, const Plan& plan);

}  // namespace quadrille
