#include "quadrille/bounds/cut_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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

// Links of complete networks are not looked at one by one: what is said is what their sum says.
TEST(CutBound, OfACompleteNetworkCountsWhatItsLinksAddUpTo) {
  const auto limited = [](Ports ports, uint64_t links) {
    return ports.unlimited() ? links : std::min<uint64_t>(ports.count, links);
  };
  for (const uint32_t n : {3U, 6U, 7U}) {
    const Topology net = parse_topology("complete(" + std::to_string(n) + ")");
    for (const Ports send : {kOnePort, Ports{2}, kAllPorts}) {
      for (const Ports receive : {kOnePort, Ports{2}, kAllPorts}) {
        for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
          const Problem problem = standard_problem(
              net, CollectiveKind::kAlltoall, {.send = send, .receive = receive, .switching = switching});
          for (uint32_t inside = 2; inside + 2 <= n; ++inside) {
            Cut cut{"it", std::vector<char>(n, 0)};
            std::fill_n(cut.side.begin(), inside, char{1});
            uint64_t least = 0;  // of both ways
            for (const char from : {char{1}, char{0}}) {
              uint64_t crossing = 0;
              uint64_t sends = 0;
              uint64_t receives = 0;
              for (const NodeId v : net.nodes()) {
                const bool is_from = cut.side[index(v)] == from;
                uint64_t across = 0;
                for (const ArcId arc : net.arcs_from(v))
                  across += (cut.side[index(net.head(arc))] == from) != is_from ? 1 : 0;
                crossing += is_from ? across : 0;
                const uint64_t links = switching == Switching::kPacket ? across : net.out_degree(v);
                (is_from ? sends : receives) += limited(is_from ? send : receive, links);
              }
              const uint64_t here = std::min({crossing, sends, receives});
              least = least == 0 ? here : std::min(least, here);
            }
            CutBound bound(problem, "x");
            bound.hold(cut);
            const std::optional<Bound> said = bound.take();
            ASSERT_TRUE(said.has_value());
            EXPECT_EQ(said->value, Rational::of(uint64_t{inside} * (n - inside), least))
                << problem.title() << inside;
          }
        }
      }
    }
  }
}

}  // namespace cut_bound_test
}  // namespace quadrille
