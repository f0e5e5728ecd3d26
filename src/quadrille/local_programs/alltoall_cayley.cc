// See node_invariant_queue.h.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/node_invariant_queue.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_cayley;

namespace alltoall_cayley_parts {
namespace {

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return node_invariant_queue(problem, self, QueueOrder::kWindow);
}

}  // namespace
}  // namespace alltoall_cayley_parts

constinit const LocalProgram alltoall_cayley = {
    .name = "alltoall_cayley",
    .rule =
        "forwards the head of its queue along the generator that one table names; own messages join a window "
        "of 16",
    .knows = "the table W of first hops, one entry per relative message",
    .node = alltoall_cayley_parts::node,
};

}  // namespace quadrille::local_programs
