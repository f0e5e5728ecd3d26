// Nodes that run by themselves, as threads: what they deliver is right, and what they send is as much as in
// lockstep.
#include "quadrille/runtime/node_job.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/local/lockstep.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/runtime/thread_post.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace node_job_test {

const Model kWorms = {.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
const Model kAllPortWorms = {.switching = Switching::kWormhole};

struct Row {
  const char* program;
  const char* network;
  Model model = {};
  uint32_t pieces = 1;
};

void expect_right(const Row& row, const JobOptions& options) {
  SCOPED_TRACE(std::string(row.program) + " on " + row.network);
  const LocalProgram& program = *local_program_catalog().find(row.program);
  const Problem problem =
      standard_problem(parse_topology(row.network), algorithm_catalog().find(row.program)->collective,
                       row.model, kNoNode, row.pieces);
  const NodeJobResult job = run_nodes_on_threads(program, problem, options);
  CountingSink sink;
  const LockstepFigures expected = run_in_lockstep(program, problem, sink);
  EXPECT_EQ(job.all.wrong_bytes, 0U);
  EXPECT_GT(job.all.bytes_checked, 0U);
  EXPECT_EQ(job.all.messages, expected.messages);
  EXPECT_EQ(job.all.words, expected.words);
  EXPECT_EQ(job.all.table_bytes, expected.table_bytes);
  EXPECT_EQ(job.nodes, problem.topology().num_nodes());
}

TEST(NodeJob, EveryProgramDeliversEveryByte) {
  for (const Row& row : {Row{"broadcast_extended_ring", "extended_ring(14,2)", ports(1), 3},
                         {"alltoall_line", "line(6)"},
                         {"alltoall_ring", "ring(7)", {}, 2},
                         {"alltoall_cayley", "torus(4,4)", ports(1)},
                         {"alltoall_cayley_furthest_first", "star(4)", ports(1)},
                         {"alltoall_cayley_closest_first", "ring(9)", ports(1), 2},
                         {"alltoall_hypercube", "hypercube(4)", ports(1)},
                         {"alltoall_product", "mesh(3,4)", ports(1)},
                         {"alltoall_product_a1_parallel", "torus(3,3)", ports(1)},
                         {"alltoall_product_a3", "torus(3,3)", {}, 2},
                         {"broadcast_fat_tree", "fat_tree(3^2)", ports(1)},
                         {"alltoall_fat_tree_queues", "fat_tree(2^3)", ports(1, 0)},
                         {"allgather_fat_tree_queues", "fat_tree(3^2)", ports(1, 0)},
                         {"allgather_fat_tree_one_buffer", "fat_tree(2^3)"},
                         {"alltoall_wormhole_t1", "torus(8,6)", kWorms},
                         {"broadcast_spans", "torus(6,6)", kAllPortWorms, 2}}) {
    expect_right(row, {.block_bytes = 100, .iterations = 2});
  }
}

TEST(NodeJob, BlocksMayBeEmpty) {
  expect_right({"alltoall_ring", "ring(5)"}, {.block_bytes = 1});
  const NodeJobResult job = run_nodes_on_threads(
      *local_program_catalog().find("alltoall_ring"),
      standard_problem(parse_topology("ring(5)"), CollectiveKind::kAlltoall), {.block_bytes = 0});
  EXPECT_EQ(job.all.bytes_sent, 0U);
  EXPECT_GT(job.all.messages, 0U);
}

TEST(NodeJob, ARouterWithOneBufferABranchNeverHoldsMore) {
  const NodeJobResult job = run_nodes_on_threads(
      *local_program_catalog().find("allgather_fat_tree_one_buffer"),
      standard_problem(parse_topology("fat_tree(4^2)"), CollectiveKind::kAllgather), {.block_bytes = 8});
  EXPECT_LE(job.all.most_stored, 5U);  // four children and the parent
  EXPECT_EQ(job.routers, 5U);
}

TEST(NodeJob, TooManyNodesAreRefused) {
  EXPECT_EQ(error_of([] {
              static_cast<void>(run_nodes_on_threads(
                  *local_program_catalog().find("broadcast_extended_ring"),
                  standard_problem(parse_topology("ring(5000)"), CollectiveKind::kBroadcast), {}));
            }),
            "5000 nodes are too many for threads of one process; at most 4096");
}

TEST(NodeJob, WhoFailsReleasesTheOthers) {
  EXPECT_EQ(error_of([] {
              run_nodes(8, [](NodePost& post) {
                if (post.self() == NodeId{3}) throw InputError("node 3 cannot");
                if (post.self() == NodeId{4}) post.meet();
                static_cast<void>(post.receive(NodeId{3}));
              });
            }),
            "node 3 cannot");
}

}  // namespace node_job_test
}  // namespace quadrille
