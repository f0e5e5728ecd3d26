// Node job: a collective by nodes that decide for themselves (local/local_node.h), on real buffers, every
// byte of the result checked. No plan is made, and nobody sees more than its own part.
//
//     const NodeJobResult result = run_nodes_on_threads(program, problem, {.block_bytes = 1024});
//     if (!result.correct()) ...
//
// Every node has a thread, routers too. Each makes its own program and its own buffers in that thread.
#pragma once

#include <cstdint>

#include "quadrille/local/local_program.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/node_runner.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct NodeJobResult {
  uint32_t nodes = 0;
  uint32_t routers = 0;
  /// Added up over all nodes; but most_stored and table_bytes of the node that has most, and the time of the
  /// slowest.
  NodeResult all{};

  [[nodiscard]] bool correct() const { return all.wrong_bytes == 0; }
  void add(const NodeResult& node);
};

/// Only for problems that the program serves. Throws InputError for more than kMaxThreadRanks nodes, or more
/// bytes than the machine has.
[[nodiscard]] NodeJobResult run_nodes_on_threads(const LocalProgram& program, const Problem& problem,
                                                 const JobOptions& options);

/// One node's part.
[[nodiscard]] NodeSeat seat_of(const LocalProgram& program, const Problem& problem, NodeId node);

}  // namespace quadrille
