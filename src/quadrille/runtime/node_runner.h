// Node runner: one node of a local program over real bytes, every byte of its output checked.
//
// The node decides; the runner carries out: it keeps the bytes of what the node holds, writes letters of what
// it sends, waits for those whom it hears, and delivers what has arrived. A rank's share of the network is
// its program, its buffers, and the blocks that pass through.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "quadrille/local/local_node.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/letter.h"
#include "quadrille/runtime/node_buffers.h"

namespace quadrille {

/// What a node is: its program, and its buffers if it is an endpoint.
struct NodeSeat {
  std::unique_ptr<LocalNode> program{};
  std::optional<NodeBuffers> buffers{};
};

/// What one node did and found; the first five of one iteration, the others of all.
struct NodeResult {
  uint64_t messages = 0;     ///< letters with blocks
  uint64_t words = 0;        ///< letters without: null messages
  uint64_t bytes_sent = 0;   ///< of blocks
  uint64_t most_stored = 0;  ///< foreign blocks that lay here at once, between ticks
  uint64_t table_bytes = 0;
  uint64_t bytes_checked = 0;
  uint64_t wrong_bytes = 0;
  double seconds = 0;
};

/// All nodes must call it. The options' slices have no meaning here.
[[nodiscard]] NodeResult run_node(NodeSeat seat, const JobOptions& options, NodePost& post);

/// Bytes of a node's input and output.
[[nodiscard]] double buffer_bytes(const NodeSeat& seat, const JobOptions& options);

}  // namespace quadrille
