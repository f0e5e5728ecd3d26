#include "quadrille/bounds/cut_bound.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace cut_bound_test {

TEST(CutBound, ASliceProvesWhatItsCutProves) {
  for (const char* spec :
       {"torus(4,3)", "mesh(2,5)", "product(ring(5),complete(3),line(2))", "product(fat_tree(2^2),ring(3))",
        "hypercube(3)", "product(fat_tree(2,2;exponential),line(3))"}) {
    const Topology net = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
        for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
          for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
            const Problem problem = standard_problem(
                net, kind, {.send = ports, .receive = kOnePort, .switching = switching, .duplex = duplex});
            for_each_structured_cut(
                net,
                [&](const Slice& slice) {
                  CutBound by_slice(problem, "x");
                  CutBound by_cut(problem, "x");
                  by_slice.hold(slice);
                  by_cut.hold(cut_of(net, slice));
                  const std::optional<Bound> a = by_slice.take();
                  const std::optional<Bound> b = by_cut.take();
                  ASSERT_EQ(a.has_value(), b.has_value()) << problem.title() << " " << slice.description;
                  if (!a) return;
                  EXPECT_EQ(a->value, b->value) << problem.title() << " " << slice.description;
                  EXPECT_EQ(a->witness, b->witness);
                },
                [](const Cut&) {});
          }
        }
      }
    }
  }
}

TEST(CutBound, ASingleNodeProvesWhatAllTheOthersProve) {
  for (const char* spec : {"mesh(2,3)", "complete(5)", "fat_tree(2,2;exponential)", "star(3)"}) {
    const Topology net = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
        for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
          const Problem problem =
              standard_problem(net, kind, {.send = ports, .receive = kOnePort, .switching = switching});
          for (const NodeId v : net.nodes()) {
            Cut cut{"it", std::vector<char>(net.num_nodes(), 0)};
            cut.side[index(v)] = 1;
            CutBound alone(problem, "x");
            alone.hold(cut);
            for (char& side : cut.side) side = side != 0 ? 0 : 1;
            CutBound others(problem, "x");
            others.hold(cut);
            const std::optional<Bound> a = alone.take();
            const std::optional<Bound> b = others.take();
            ASSERT_EQ(a.has_value(), b.has_value()) << problem.title() << " " << net.label(v);
            if (a) {
              EXPECT_EQ(a->value, b->value) << problem.title() << " " << net.label(v);
            }
          }
        }
      }
    }
  }
}

}  // namespace cut_bound_test
}  // namespace quadrille
