// Through ports: parted steps pass the judge, are as many as a node's messages ask for, and are predicted.
#include "quadrille/algorithms/packing/through_ports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_combining;
extern const Algorithm alltoall_combining_dimensions;
}  // namespace algorithms

namespace through_ports_test {
namespace {

Problem exchange_on(const std::string& spec, Ports send, Ports receive) {
  Model model;
  model.send = send;
  model.receive = receive;
  model.packets = Packets::kMany;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

void expect_predicted(const Algorithm& card, const Problem& problem, const Problem& wide) {
  const Preparation ready = prepare(card, problem);
  const Preparation with_all = prepare(card, wide);
  ASSERT_TRUE(ready.fits.applies) << problem.title() << ": " << ready.fits.reason;
  ASSERT_EQ(ready.plans.size(), with_all.plans.size());
  for (size_t i = 0; i < ready.plans.size(); ++i) {
    const Prediction predicted = ready.plans[i]->prediction();
    Plan plan;
    ready.plans[i]->generate(plan);
    const Verification out = verify(problem, std::move(plan));
    ASSERT_TRUE(out.verdict.passed()) << card.name << ": " << problem.title();
    EXPECT_EQ(out.verdict.figures.steps, predicted.steps) << problem.title();
    EXPECT_EQ(out.verdict.figures.start_ups, predicted.start_ups) << problem.title();
    EXPECT_EQ(out.verdict.figures.critical_blocks, predicted.critical_blocks) << problem.title();
    EXPECT_EQ(out.verdict.figures.busiest_link, predicted.busiest_link) << problem.title();
    const uint64_t wide_steps = *with_all.plans[i]->prediction().steps;
    EXPECT_GE(out.verdict.figures.steps, wide_steps) << problem.title();
    uint64_t links = 0;
    for (const NodeId v : problem.topology().nodes())
      links = std::max<uint64_t>(links, problem.topology().out_degree(v));
    EXPECT_LE(out.verdict.figures.steps, links * wide_steps) << problem.title();
  }
}

TEST(ThroughPorts, PartStepsAsTheirNodesNeed) {
  for (const char* spec : {"line(2)", "line(5)", "mesh(3,5)", "torus(4,4)", "generalized_petersen(5,2)",
                           "star(4)", "complete(6)", "fat_tree(2,3;exponential)", "tree(2^3)",
                           "random_regular(14,5;1)", "without(torus(3,4);\"link 0 1\")"}) {
    for (const auto& [send, receive] :
         {std::pair(kOnePort, kOnePort), std::pair(kOnePort, kAllPorts), std::pair(kAllPorts, kOnePort)}) {
      expect_predicted(algorithms::alltoall_combining, exchange_on(spec, send, receive),
                       exchange_on(spec, kAllPorts, kAllPorts));
    }
  }
  for (const char* spec : {"mesh(3,5)", "mesh(2,3,4)", "product(ring(4),line(3))", "mesh(6,6)"}) {
    for (const Ports ports : {kOnePort, Ports{2}, Ports{3}}) {
      expect_predicted(algorithms::alltoall_combining_dimensions, exchange_on(spec, ports, ports),
                       exchange_on(spec, kAllPorts, kAllPorts));
    }
  }
}

TEST(ThroughPorts, LeaveAloneWhatHasPortsEnough) {
  const Problem enough = exchange_on("torus(4,4)", Ports{4}, Ports{4});
  EXPECT_EQ(with_all_links(enough).model(), enough.model());
  const Problem few = exchange_on("torus(4,4)", Ports{3}, kAllPorts);
  EXPECT_TRUE(with_all_links(few).model().send.unlimited());
  Model worms = few.model();
  worms.switching = Switching::kWormhole;
  worms.packets = Packets::kOne;
  const Problem by_worms(few.topology(), few.collective(), worms);
  EXPECT_EQ(with_all_links(by_worms).model(), by_worms.model());
}

}  // namespace
}  // namespace through_ports_test
}  // namespace quadrille
