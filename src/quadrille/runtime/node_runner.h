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
#include "quadrille/runtime/letter.h"
#include "quadrille/runtime/node_buffers.h"
#include "quadrille/runtime/node_job.h"

namespace quadrille {

/// What a node is: its program, and its buffers if it is an endpoint.
struct NodeSeat {
  std::unique_ptr<LocalNode> program{};
  std::optional<NodeBuffers> buffers{};
};

/// All nodes must call it. The options' arrays have no meaning here.
[[nodiscard]] NodeResult run_node(NodeSeat seat, const JobOptions& options, NodePost& post);

/// One node's part of a problem that the program serves.
[[nodiscard]] NodeSeat seat_of(const LocalProgram& program, const Problem& problem, NodeId node);

/// Bytes of a node's input and output.
[[nodiscard]] double buffer_bytes(const NodeSeat& seat, const JobOptions& options);

}  // namespace quadrille
