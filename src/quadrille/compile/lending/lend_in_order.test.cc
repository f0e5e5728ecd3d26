#include "quadrille/compile/lending/lend_in_order.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::lend_in_order_test {
namespace {

constexpr std::array kNetworks = {"line(1)",   "line(2)",       "line(5)",    "ring(3)",     "ring(6)",
                                  "mesh(2,3)", "torus(3,3)",    "torus(2,4)", "complete(5)", "hypercube(3)",
                                  "tree(2,2)", "fat_tree(2^2)", "star(3)"};

TEST(LendInOrder, EveryNetworkHasAPlanForEverySumThatIsOrdered) {
  for (const char* spec : kNetworks) {
    for (const CollectiveKind kind :
         {CollectiveKind::kReduce, CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce}) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
        for (const uint32_t ports : {0U, 1U}) {
          const Model model{
              .send = {ports}, .receive = {ports}, .switching = switching, .combining = Operator::kOrdered};
          const Problem problem = standard_problem(parse_topology(spec), kind, model);
          SCOPED_TRACE(problem.title() + ", " + describe(model));
          const Compiled made = compile(problem, {.stored = false});
          EXPECT_TRUE(made.verdict.passed()) << made.head.algorithm;
        }
      }
    }
  }
}

TEST(LendInOrder, ChunksComeInOrderWhereThatIsAskedFor) {
  for (const char* spec : {"line(4)", "ring(5)", "torus(3,3)", "complete(5)", "tree(2,2)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        const Model model{.switching = switching, .chunks = Chunks::kInOrder};
        const Problem problem = standard_problem(parse_topology(spec), kind, model, kNoNode, 3);
        SCOPED_TRACE(problem.title());
        const Compiled made = compile(problem, {.stored = false});
        EXPECT_TRUE(made.verdict.passed()) << made.head.algorithm;
      }
    }
  }
}

}  // namespace
}  // namespace quadrille::lend_in_order_test
