// See product_a1_node.h.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/product_a1_node.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_product_a1;

namespace alltoall_product_a1_parts {
namespace {

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return product_a1_node(problem, self, CopiesOfB::kOneAfterAnother);
}

}  // namespace
}  // namespace alltoall_product_a1_parts

constinit const LocalProgram alltoall_product_a1 = {
    .name = "alltoall_product_a1",
    .rule =
        "passes messages along a path of the last factor when its copy has its turn, one pair of places after another, then exchanges in its copy of the others",
    .knows =
        "the paths of each factor that lead through its place there, the exchange of the first, and the round",
    .node = alltoall_product_a1_parts::node,
};

}  // namespace quadrille::local_programs
