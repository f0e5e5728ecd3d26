// See node_invariant_queue.h.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/node_invariant_queue.h"

namespace quadrille::local_programs::alltoall_cayley {

extern const LocalProgram card;

namespace {

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return node_invariant_queue(problem, self, QueueOrder::kWindow);
}

}  // namespace

constinit const LocalProgram card = {
    .name = "alltoall_cayley",
    .rule =
        "forwards the head of its queue along the generator that one table names; own messages join a window "
        "of 16",
    .knows = "the table W of first hops, one entry per relative message",
    .node = node,
};

}  // namespace quadrille::local_programs::alltoall_cayley
