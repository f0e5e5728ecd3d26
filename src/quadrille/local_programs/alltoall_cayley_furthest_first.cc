// See node_invariant_queue.h.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/node_invariant_queue.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_cayley_furthest_first;

namespace alltoall_cayley_furthest_first_parts {
namespace {

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return node_invariant_queue(problem, self, QueueOrder::kFurthest);
}

}  // namespace
}  // namespace alltoall_cayley_furthest_first_parts

constinit const LocalProgram alltoall_cayley_furthest_first = {
    .name = "alltoall_cayley_furthest_first",
    .rule = "forwards the message with the most hops left along the generator that one table names",
    .knows = "the table W of first hops, one entry per relative message",
    .node = alltoall_cayley_furthest_first_parts::node,
};

}  // namespace quadrille::local_programs
