#include "quadrille/bounds/kept/kept_bounds.h"

#include <gtest/gtest.h>

#include <atomic>

#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

std::atomic<int> asked = 0;

std::optional<Bound> count_and_say_nothing(const Problem& /*problem*/) {
  ++asked;
  return std::nullopt;
}

constexpr BoundCard kCounting = {.name = "counting", .evaluate = count_and_say_nothing};

Problem exchange(const Topology& topology, Model model = {}) {
  return standard_problem(topology, CollectiveKind::kAlltoall, model);
}

TEST(KeptBounds, AreAskedForOnceForEachProblem) {
  asked = 0;
  const Topology ring = parse_topology("ring(5)");
  const auto ask = [&](const Problem& problem) {
    EXPECT_EQ(KeptBounds::evaluate(kCounting, problem), std::nullopt);
    return asked.load();
  };
  EXPECT_EQ(ask(exchange(ring)), 1);
  EXPECT_EQ(ask(exchange(ring)), 2) << "nobody keeps";
  {
    const KeptBounds kept;
    EXPECT_EQ(ask(exchange(ring)), 3);
    {
      const KeptBounds inner;  // the first one counts
      EXPECT_EQ(ask(exchange(ring)), 3);
    }
    EXPECT_EQ(ask(exchange(ring)), 3);
    EXPECT_EQ(ask(exchange(ring, {.send = kOnePort})), 4);
    EXPECT_EQ(ask(standard_problem(ring, CollectiveKind::kAllgather)), 5);
    EXPECT_EQ(ask(exchange(parse_topology("ring(6)"))), 6);
    EXPECT_EQ(ask(exchange(ring, {.send = kOnePort})), 6);
  }
  EXPECT_EQ(ask(exchange(ring)), 7);
}

TEST(KeptBounds, AreAskedForOnceByTheThreadsOfAJob) {
  asked = 0;
  const Topology ring = parse_topology("ring(5)");
  KeptBounds kept;
  ASSERT_EQ(KeptBounds::of_this_thread(), &kept);
  const auto ask = [&] {
    const KeptBounds here(&kept);
    for (const Ports ports : {kOnePort, kAllPorts})
      EXPECT_EQ(KeptBounds::evaluate(kCounting, exchange(ring, {.send = ports})), std::nullopt);
  };
  both_at_once(ask, ask);
  EXPECT_EQ(asked, 2);
  ask();
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace quadrille
