// What data/lattice_designs holds: every design is one, and passes the judge.
#include "quadrille/algorithms/torus_classes/lattice_library.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/stored/spoilt_texts.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace lattice_library_test {

Topology network_of(const StoredLattice& stored) {
  std::string sides = std::to_string(stored.side());
  for (uint32_t d = 1; d < stored.dimensions(); ++d) sides += fmt::format(",{}", stored.side());
  return parse_topology(fmt::format("torus({})", sides));
}

// A tile of few nodes is judged in chunks for all links; one of all nodes in a chunk for each class of one node's.
void expect_passes(const StoredLattice& stored) {
  Model model;
  model.switching = Switching::kShared;
  const Topology net = network_of(stored);
  if (stored.near()) model.send = model.receive = Ports{net.out_degree(NodeId{0})};
  const TorusClasses torus = *TorusClasses::of(net);
  const LatticeDesign design = stored.design(torus);
  EXPECT_EQ(design.steps(), stored.steps()) << stored.entry().path();
  const Problem problem = standard_problem(net, CollectiveKind::kAllreduce, model, kNoNode,
                                           design.lattice.num_cosets() * torus.classes());
  const PreparedPlan plan =
      prepare(*algorithm_catalog().find("allreduce_lattice"), problem)
          .find(fmt::format("steps-{}{}", stored.steps(), stored.near() ? "-near" : ""));
  if (plan == nullptr) return;  // another one in fewer steps is as good
  Judge judge(problem);
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  ASSERT_TRUE(verdict.passed()) << stored.entry().path() << ": " << to_text(verdict.findings.front());
  EXPECT_EQ(verdict.figures.critical_blocks, stored.hops()) << stored.entry().path();
}

TEST(LatticeLibrary, EveryDesignPassesTheJudge) {
  for (const StoredLattice& stored : lattice_library())
    if (stored.tile() <= 32) expect_passes(stored);
}

TEST(LatticeLibrarySlow, EveryLargeDesignPassesTheJudge) {
  for (const StoredLattice& stored : lattice_library())
    if (stored.tile() > 32) expect_passes(stored);
}

// Vectors over a link, by start-ups.
TEST(LatticeLibrary, HasFewHopsOn16x16) {
  const std::map<uint64_t, double> most{{8, 0.6212},  {9, 0.5977},  {10, 0.5743}, {11, 0.5665}, {12, 0.5469},
                                        {13, 0.5508}, {14, 0.5333}, {15, 0.5352}, {16, 0.5274}};
  std::map<uint64_t, double> found;
  for (const StoredLattice& stored : lattice_library()) {
    if (!stored.near() && stored.side() == 16)
      found[stored.steps()] = static_cast<double>(stored.hops()) / (4 * stored.tile());
  }
  for (const auto& [steps, vectors] : most) EXPECT_LE(found.at(steps), vectors) << steps;
}

TEST(LatticeLibrary, AccidentsAreNoticed) {
  std::map<std::pair<uint32_t, uint32_t>, TorusClasses> tori;
  for (const StoredLattice& stored : lattice_library())
    tori.try_emplace({stored.side(), stored.dimensions()}, *TorusClasses::of(network_of(stored)));
  expect_spoilt_texts_are_refused(stored_lattice_kind(), 5, [&tori](const StoredEntry& entry) {
    const StoredLattice stored(entry);
    const auto torus = tori.find({stored.side(), stored.dimensions()});
    if (torus == tori.end()) return;
    EXPECT_EQ(stored.design(torus->second).load(torus->second), stored.hops());
  });
}

}  // namespace lattice_library_test
}  // namespace quadrille
