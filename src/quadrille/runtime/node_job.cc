#include "quadrille/runtime/node_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/runtime/node_runner.h"
#include "quadrille/runtime/thread_post.h"

namespace quadrille {

void NodeJobResult::add(const NodeResult& node) {
  all.messages += node.messages;
  all.words += node.words;
  all.bytes_sent += node.bytes_sent;
  all.bytes_checked += node.bytes_checked;
  all.wrong_bytes += node.wrong_bytes;
  all.most_stored = std::max(all.most_stored, node.most_stored);
  all.table_bytes = std::max(all.table_bytes, node.table_bytes);
  all.times.resize(node.times.size(), 0);
  for (size_t i = 0; i < node.times.size(); ++i) all.times[i] = std::max(all.times[i], node.times[i]);
}

NodeJobResult run_nodes_on_threads(const LocalProgram& program, const Problem& problem,
                                   const JobOptions& options) {
  const Topology& topology = problem.topology();
  const uint32_t nodes = topology.num_nodes();
  if (nodes > kMaxThreadRanks) {
    throw InputError(
        fmt::format("{} nodes are too many for threads of one process; at most {}", nodes, kMaxThreadRanks));
  }
  // What is under way is about as much as what has not arrived.
  double bytes = 0;
  for (const NodeId v : topology.endpoints()) {
    const NodeSeat seat{nullptr, NodeBuffers(problem.collective(), *topology.rank(v))};
    bytes += buffer_bytes(seat, options);
  }
  require_memory(bytes, memory_limit(), options);

  std::vector<NodeResult> found(nodes);
  run_nodes(nodes, [&](NodePost& post) {
    found[index(post.self())] = run_node(seat_of(program, problem, post.self()), options, post);
  });
  NodeJobResult result{.nodes = nodes, .routers = nodes - topology.num_endpoints()};
  for (const NodeResult& node : found) result.add(node);
  return result;
}

}  // namespace quadrille
