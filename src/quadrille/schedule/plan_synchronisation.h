// PlanSynchronisation: what a plan file says of how its steps are kept apart on a machine without a common
// clock, where a node starts its next step as soon as its own sends and receives are over.
//
//     PlanSynchronisation sync;
//     sync.signals.push_back({NodeId{2}, 0, NodeId{1}, 1});  // node 1 starts step 1 after node 2's step 0
//
// Two things can be stated, alone or together: barriers, at which all nodes wait for all others, and signals
// from one node to another. It is only stated, as the plan is only proposed; check_synchronisation() in
// program/ says whether it is enough. Steps are 0-based here, and counted from 1 in files and in what people
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/ids.h"
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

struct PlanSynchronisation {
  /// Whether receive ports, where the model limits them, are kept apart too, or only links.
  bool ports = true;
  std::vector<uint32_t> barriers{};  ///< after these steps, ascending
  std::vector<Signal> signals{};

  friend bool operator==(const PlanSynchronisation&, const PlanSynchronisation&) = default;
};

/// What is kept apart, as both forms write it.
[[nodiscard]] std::string_view apart_text(bool ports);
/// Throws InputError for other words.
[[nodiscard]] bool parse_apart(std::string_view text);

/// Something that makes no sense in a plan of so many steps: a node or step that does not exist, a signal to
/// an earlier step or to its own sender, barriers out of order.
struct SynchronisationMistake {
  bool is_signal = false;  ///< or a barrier
  size_t index = 0;        ///< which
  std::string message{};
};

/// The first mistake, if there is one.
[[nodiscard]] std::optional<SynchronisationMistake> find_mistake(const PlanSynchronisation& sync,
                                                                 const Topology& topology, uint64_t steps);

}  // namespace quadrille
