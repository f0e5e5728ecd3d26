// Node job: a collective by nodes that decide for themselves (local/local_node.h), on real buffers, every
// byte of the result checked. No plan is made, and nobody sees more than its own part.
//
//     const NodeJobResult result = run_nodes_on_threads(program, problem, {.block_bytes = 1024});
//     if (!result.correct()) ...
//
// Every node has a thread, routers too. Each makes its own program and its own buffers in that thread.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/local/local_program.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// What one node did and found; the first five of one iteration, the others of all.
struct NodeResult {
  uint64_t messages = 0;     ///< letters with blocks
  uint64_t words = 0;        ///< letters without: null messages
  uint64_t bytes_sent = 0;   ///< of blocks
  uint64_t most_stored = 0;  ///< foreign blocks that lay here at once, between ticks
  uint64_t table_bytes = 0;
  uint64_t bytes_checked = 0;
  uint64_t wrong_bytes = 0;
  std::vector<double> times{};  ///< of each iteration, in seconds
};

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

}  // namespace quadrille
