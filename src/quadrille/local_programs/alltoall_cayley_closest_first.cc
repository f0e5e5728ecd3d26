// See node_invariant_queue.h.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/node_invariant_queue.h"

namespace quadrille::local_programs::alltoall_cayley_closest_first {

extern const LocalProgram card;

namespace {

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return node_invariant_queue(problem, self, QueueOrder::kClosest);
}

}  // namespace

constinit const LocalProgram card = {
    .name = "alltoall_cayley_closest_first",
    .rule = "forwards the message with the fewest hops left along the generator that one table names",
    .knows = "the table W of first hops, one entry per relative message",
    .node = node,
};

}  // namespace quadrille::local_programs::alltoall_cayley_closest_first
