#include "quadrille/compile/sizes/decide_by_measure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/compile/make_problem.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace decide_by_measure_test {

// What a plan takes, as it is judged.
double time_on(const char* spec, CollectiveKind kind, Ports ports, Switching switching,
               const CostConstants& cost, uint64_t bytes) {
  Model model{.send = ports, .receive = ports, .switching = switching, .cost = cost};
  if (switching == Switching::kPacket) model.packets = Packets::kMany;
  const Problem problem = make_problem(parse_topology(spec), kind, model);
  const Wishes wishes{.bytes = bytes, .any_pieces = true};
  EXPECT_TRUE(is_decided_by_measure(problem, wishes));
  const Compiled made = compile(problem, wishes);
  EXPECT_TRUE(made.time && (cost.rho == 0 || made.time->rearrangement)) << made.head.algorithm;
  return made.time->total;
}

// Whatever it is that costs beside start-ups and bytes.
TEST(DecideByMeasure, WeakerMachinesAreNoFaster) {
  const CostConstants base{.ts = 1, .tx = 8e-5, .in_microseconds = true};
  CostConstants further = base;
  further.to = 1;
  CostConstants rearranged = base;
  rearranged.rho = 5e-4;
  CostConstants far = base;
  far.tl = 0.5;
  constexpr double kEqual = 1 + 1e-9;
  struct Question {
    const char* spec;
    CollectiveKind kind;
    CostConstants cost;
  };
  for (const Question& question : {Question{"ring(5)", CollectiveKind::kScatter, further},
                                   Question{"mesh(2,3)", CollectiveKind::kAlltoall, rearranged},
                                   Question{"line(4)", CollectiveKind::kGather, far}}) {
    const auto time = [&](Ports ports, Switching switching) {
      return time_on(question.spec, question.kind, ports, switching, question.cost, 4096);
    };
    const double of_packets = time(kAllPorts, Switching::kPacket);
    const double of_worms = time(kAllPorts, Switching::kWormhole);
    const double of_shared = time(kAllPorts, Switching::kShared);
    EXPECT_LE(of_worms, of_packets * kEqual) << question.spec;
    EXPECT_LE(of_shared, of_worms * kEqual) << question.spec;
    EXPECT_LE(of_shared, time(kOnePort, Switching::kShared) * kEqual) << question.spec;
  }
}

}  // namespace decide_by_measure_test
}  // namespace quadrille
