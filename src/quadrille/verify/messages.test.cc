// Which transfers of a step are new messages, held against a look at all before them.
#include "quadrille/verify/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace messages_test {

TEST(Messages, OfEqualPathsTheFirstIsNew) {
  const Topology net = parse_topology("torus(4,4)");
  const Problem problem =
      standard_problem(net, CollectiveKind::kAllgather, {.switching = Switching::kShared});
  Messages messages(problem);
  Rng rng{5};
  for (uint32_t number = 1; number <= 200; ++number) {
    // Few paths, many of them more than once, of one to four arcs; next to each other, and apart.
    std::vector<std::vector<ArcId>> paths(1 + rng.below(12));
    for (std::vector<ArcId>& path : paths) {
      auto at = NodeId{static_cast<uint32_t>(rng.below(2))};
      for (uint64_t hops = 1 + rng.below(4); hops > 0; --hops) {
        const auto out = net.arcs_from(at);
        path.push_back(out[static_cast<uint32_t>(rng.below(2))]);
        at = net.head(path.back());
      }
    }
    std::vector<std::vector<ArcId>> taken;
    std::vector<ArcId> arcs;
    std::vector<uint32_t> arcs_end;
    std::vector<BlockId> blocks;
    for (uint64_t t = rng.below(60); t > 0; --t) {
      const std::vector<ArcId>& path = paths[rng.below(paths.size())];
      taken.push_back(path);
      arcs.insert(arcs.end(), path.begin(), path.end());
      arcs_end.push_back(static_cast<uint32_t>(arcs.size()));
      blocks.push_back(BlockId{0});
    }
    const JudgedStep step{
        {.all_arcs = arcs, .arcs_end = arcs_end, .all_blocks = blocks, .blocks_end = {}, .ops = {}}, number};
    messages.look_at(step);
    for (size_t t = 0; t < taken.size(); ++t) {
      const auto end = taken.begin() + static_cast<std::ptrdiff_t>(t);
      EXPECT_EQ(messages.is_new(t), std::find(taken.begin(), end, taken[t]) == end) << number << ", " << t;
    }
  }
}

}  // namespace messages_test
}  // namespace quadrille
