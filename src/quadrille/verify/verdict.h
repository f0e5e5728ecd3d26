// Verdict: what the judge says of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/verify/finding.h"

namespace quadrille {

/// What the judge measured on the way. Only meaningful for a plan that passed.
struct Figures {
  uint64_t steps = 0;       ///< empty ones included
  uint64_t start_ups = 0;   ///< steps in which something is sent
  uint64_t transfers = 0;   ///< over all steps
  uint64_t block_hops = 0;  ///< blocks times arcs, over all transfers
  /// Rounds: sum over the steps of the most blocks in one transfer; where transfers may share arcs, of the
  /// most blocks over one arc for each unit of its capacity.
  uint64_t critical_blocks = 0;
  uint64_t critical_hops = 0;  ///< sum over the steps of the most hops of one transfer
  uint64_t busiest_link = 0;   ///< most blocks over one arc, over the whole plan
  ArcId busiest_arc = kNoArc;  ///< the first such arc
  /// Most messages that a node starts, or ends, in a step. Counted where transfers may share arcs, or messages
  /// cost (CostConstants::to); elsewhere arcs and ports limit them, and it is 0.
  uint64_t messages = 0;
  /// Sum over the steps of the most messages that a node starts, or ends, beyond its first; counted where they are.
  uint64_t further_messages = 0;

  friend bool operator==(const Figures&, const Figures&) = default;
  friend void fields(auto& io, Figures& all) {
    io(all.steps, all.start_ups, all.transfers, all.block_hops, all.critical_blocks, all.critical_hops,
       all.busiest_link, all.busiest_arc, all.messages, all.further_messages);
  }
};

/// The longest queues of a plan; verify/queue_meter.h says what a queue is. Of equals the first arc or node,
/// at its first step (0-based).
struct QueueFigures {
  uint64_t link = 0;   ///< most blocks that wait for one link at the end of a step; 0: queue-free
  ArcId arc = kNoArc;  ///< that link
  uint64_t link_step = 0;
  uint64_t incoming = 0;        ///< most blocks that came on one link and wait, for whatever link
  ArcId incoming_arc = kNoArc;  ///< that link
  uint64_t incoming_step = 0;
  uint64_t node = 0;  ///< most blocks that wait at one node
  NodeId at = kNoNode;
  uint64_t node_step = 0;

  friend bool operator==(const QueueFigures&, const QueueFigures&) = default;
};

struct Verdict {
  /// The first findings in order of step, transfer and rule, up to the cap that was asked for.
  std::vector<Finding> findings;
  /// How many there are in all.
  uint64_t total_findings = 0;
  Figures figures;
  /// If it was asked for.
  std::optional<QueueFigures> queues{};
  /// All steps are the same at all nodes, and were judged at one (symmetric/symmetric_judge.h).
  bool at_one_node = false;
  /// So were those of the network without its faults; these blocks go other ways, and were followed one by one
  /// (symmetric/mended_judge.h).
  std::optional<uint64_t> mended{};

  [[nodiscard]] bool passed() const { return total_findings == 0; }
};

}  // namespace quadrille
