#include "quadrille/program/synchronisation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Plays every order in which the transfers of a small schedule can start and end, and looks whether two that
// conflict are ever under way together. It shares nothing with what it checks.
class AllInterleavings {
 public:
  AllInterleavings(const Schedule& schedule, bool ports) {
    const Topology& net = schedule.problem().topology();
    const bool half = schedule.problem().model().duplex == Duplex::kHalf;
    for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const auto path = step.arcs(t);
        worms_.push_back({net.tail(path.front()), net.head(path.back()), s, {path.begin(), path.end()}});
      }
    }
    EXPECT_LE(worms_.size(), 32U);
    for (size_t i = 0; i < worms_.size(); ++i) {
      for (size_t j = 0; j < worms_.size(); ++j) {
        bool meet = ports && worms_[i].to == worms_[j].to;
        for (const ArcId arc : worms_[i].path) {
          meet = meet || std::ranges::find(worms_[j].path, arc) != worms_[j].path.end();
          meet =
              meet || (half && std::ranges::find(worms_[j].path, net.reverse(arc)) != worms_[j].path.end());
        }
        if (i != j && meet) worms_[i].meets |= uint64_t{1} << j;
        if (worms_[j].step < worms_[i].step && touches(j, worms_[i].from)) {
          worms_[i].waits_for |= uint64_t{1} << j;
        }
      }
    }
  }

  [[nodiscard]] bool is_safe(const std::vector<Signal>& signals, const std::vector<uint32_t>& barriers) {
    waits_.clear();
    for (const Worm& worm : worms_) {
      uint64_t waits = worm.waits_for;
      for (size_t j = 0; j < worms_.size(); ++j) {
        for (const Signal& s : signals) {
          if (s.to == worm.from && s.before_step <= worm.step && worms_[j].step <= s.after_step &&
              touches(j, s.from)) {
            waits |= uint64_t{1} << j;
          }
        }
        for (const uint32_t barrier : barriers) {
          if (worms_[j].step <= barrier && barrier < worm.step) waits |= uint64_t{1} << j;
        }
      }
      waits_.push_back(waits);
    }
    return explore();
  }

 private:
  struct Worm {
    NodeId from;
    NodeId to;
    size_t step;
    std::vector<ArcId> path;
    uint64_t meets = 0;
    uint64_t waits_for = 0;
  };

  [[nodiscard]] bool touches(size_t worm, NodeId v) const {
    return worms_[worm].from == v || worms_[worm].to == v;
  }

  // A state is which worms have started (upper half) and which have ended.
  [[nodiscard]] bool explore() const {
    std::unordered_set<uint64_t> seen{0};
    std::vector<uint64_t> stack{0};
    while (!stack.empty()) {
      const uint64_t state = stack.back();
      stack.pop_back();
      const uint64_t started = state >> 32U;
      const uint64_t ended = state & UINT32_MAX;
      for (size_t i = 0; i < worms_.size(); ++i) {
        const uint64_t bit = uint64_t{1} << i;
        uint64_t next = state;
        if ((started & bit) == 0 && (waits_[i] & ~ended) == 0) {
          if ((worms_[i].meets & started & ~ended) != 0) return false;
          next = state | bit << 32U;
        } else if ((started & bit) != 0 && (ended & bit) == 0) {
          next = state | bit;
        }
        if (seen.insert(next).second) stack.push_back(next);
      }
      EXPECT_LT(seen.size(), 2000000U);
      if (seen.size() >= 2000000U) return false;
    }
    return true;
  }

  std::vector<Worm> worms_;
  std::vector<uint64_t> waits_;
};

Schedule made_by(const Algorithm& card, std::string_view spec) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model);
  Plan plan;
  card.generate(problem, plan);
  return testing::judged(problem, std::move(plan));
}

// Everything that is said keeps conflicts apart, and nothing less does.
void expect_exact(const Schedule& schedule, bool ports) {
  SCOPED_TRACE(fmt::format("{}, ports {}", schedule.problem().title(), ports));
  const Synchronisation sync = synchronise(schedule, {.ports = ports});
  AllInterleavings all(schedule, ports);
  EXPECT_TRUE(all.is_safe(sync.signals, {}));
  EXPECT_TRUE(all.is_safe({}, sync.barriers));
  EXPECT_EQ(all.is_safe({}, {}), sync.unordered == 0);
  for (size_t i = 0; i < sync.signals.size(); ++i) {
    std::vector<Signal> without = sync.signals;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(all.is_safe(without, {})) << "signal " << i << " is not needed";
  }
  for (size_t i = 0; i < sync.barriers.size(); ++i) {
    std::vector<uint32_t> without = sync.barriers;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(all.is_safe({}, without)) << "barrier " << i << " is not needed";
  }
}

TEST(Synchronisation, AllInterleavingsOfSmallMeshesAreSafeAndNoSignalIsTooMuch) {
  for (const std::string_view spec : {"line(3)", "line(4)", "line(5)", "mesh(2,2)", "mesh(2,3)"}) {
    for (const bool ports : {true, false}) {
      expect_exact(made_by(algorithms::alltoall_mesh, spec), ports);
      expect_exact(made_by(algorithms::alltoall_direct, spec), ports);
    }
  }
}

TEST(Synchronisation, AWrongSignalIsFoundToo) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "line(4)");
  const std::vector<Signal> good = synchronise(schedule, {}).signals;
  ASSERT_FALSE(good.empty());
  AllInterleavings all(schedule, true);
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<Signal> bad = good;
    bad[i].to = NodeId{(static_cast<uint32_t>(index(bad[i].to)) + 1) % 4};  // it tells somebody else
    EXPECT_FALSE(all.is_safe(bad, {})) << i;
    bad = good;
    bad[i].before_step = static_cast<uint32_t>(schedule.plan().num_steps());  // too late
    EXPECT_FALSE(all.is_safe(bad, {})) << i;
  }
}

TEST(Synchronisation, HalfDuplexLinksConflictInBothDirections) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.duplex = Duplex::kHalf;
  const Problem problem = standard_problem(parse_topology("line(4)"), CollectiveKind::kAlltoall, model);
  Plan plan;
  algorithms::alltoall_mesh.generate(problem, plan);
  const Schedule half = testing::judged(problem, std::move(plan));
  expect_exact(half, true);
  expect_exact(half, false);
}

TEST(Synchronisation, ATransferThatItsSenderHasToWaitForAnywayNeedsNothing) {
  // Down a line, one node after the other.
  const Problem problem = standard_problem(parse_topology("line(4)"), CollectiveKind::kBroadcast);
  Plan plan;
  StepBuilder step;
  for (uint32_t v = 0; v < 3; ++v) {
    step.add(*problem.topology().find_arc(NodeId{v}, NodeId{v + 1}), BlockId{0});
    step.flush(plan);
  }
  const Synchronisation sync = synchronise(testing::judged(problem, std::move(plan)), {});
  EXPECT_EQ(sync.conflicts, 0U);
  EXPECT_THAT(sync.barriers, IsEmpty());
  EXPECT_EQ(sync.priority_levels, 1U);
}

TEST(Synchronisation, AWormOverABusyLinkWaitsForASignal) {
  // 0 -> 2 in step 1, 1 -> 2 in step 2: nothing tells node 1 that the link is free.
  Model model;
  model.switching = Switching::kWormhole;
  const Problem problem =
      standard_problem(parse_topology("line(3)"), CollectiveKind::kGather, model, NodeId{2});
  Plan plan;
  StepBuilder step;
  const ArcId first = *problem.topology().find_arc(NodeId{0}, NodeId{1});
  const ArcId second = *problem.topology().find_arc(NodeId{1}, NodeId{2});
  step.add(std::vector<ArcId>{first, second}, std::vector<BlockId>{BlockId{0}});
  step.flush(plan);
  step.add(second, BlockId{1});
  step.flush(plan);
  const Schedule schedule = testing::judged(problem, std::move(plan));
  const Synchronisation sync = synchronise(schedule, {});
  EXPECT_EQ(sync.conflicts, 1U);
  EXPECT_EQ(sync.unordered, 1U);
  EXPECT_THAT(sync.barriers, ElementsAre(0U));
  EXPECT_THAT(sync.signals, ElementsAre(Signal{NodeId{2}, 0, NodeId{1}, 1}));
  EXPECT_EQ(sync.priority_levels, 2U);
  expect_exact(schedule, true);
}

TEST(Synchronisation, TheMeshExchangeNeedsFewerSignalsThanConflicts) {
  const Synchronisation sync = synchronise(made_by(algorithms::alltoall_mesh, "mesh(6,6)"), {});
  EXPECT_EQ(sync.conflicts, 294U);
  EXPECT_EQ(sync.barriers.size(), 3U);
  EXPECT_EQ(sync.signals.size(), 144U);
}

}  // namespace
}  // namespace quadrille
