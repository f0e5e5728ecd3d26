#include "quadrille/program/obey_synchronisation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/program/synchronisation_events.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
extern const Algorithm alltoall_wormhole_t1;
}  // namespace algorithms

namespace {

using ::quadrille::testing::made_by;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PlanSynchronisation found(const Schedule& schedule, StateAs as) {
  return stated(synchronise(schedule, {}), {}, as);
}

Program obeying(const Schedule& schedule, const PlanSynchronisation& sync) {
  Program program = lower(schedule);
  obey(program, sync, schedule.problem().topology());
  return program;
}

// Plays the programs with one message held back: everything else that can happen does, and only when nothing
// is left the message arrives. Whatever of another step shares a link or port with it has then met it,
// unless it had to wait. A second opinion on what programs do, from their actions alone.
class HeldBack {
 public:
  HeldBack(const Schedule& schedule, const Program& program, const PlanSynchronisation& sync)
      : program_(program), priorities_(sync.priorities) {
    const Problem& problem = schedule.problem();
    const Topology& net = problem.topology();
    const bool ports = sync.ports && !problem.model().receive.unlimited();
    std::map<std::tuple<uint32_t, NodeId, NodeId>, std::vector<size_t>> links;
    for (uint32_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const auto path = step.arcs(t);
        const NodeId to = net.head(path.back());
        auto& mine = links[{s, net.tail(path.front()), to}];
        for (const ArcId arc : path) mine.push_back(index(arc));
        if (ports) mine.push_back(net.num_arcs() + index(to));
      }
    }
    for (const RankProgram& rank : program.ranks) {
      for (const Action& action : rank.actions) {
        if (action.kind != ActionKind::kSend) continue;
        Message message{.step = action.step, .from = rank.rank, .to = action.peer};
        if (action.begin != action.end) {
          const NodeId from = net.endpoint(rank.rank);
          const NodeId to = net.endpoint(action.peer);
          message.level = priorities_.level(action.step, from, to);
          message.links = links.at({action.step, from, to});
        }
        messages_.push_back(std::move(message));
      }
    }
  }

  // Whether any message that is held back is met by one that does not give way.
  [[nodiscard]] bool goes_wrong() {
    for (size_t m = 0; m < messages_.size(); ++m) {
      if (!messages_[m].links.empty() && is_met(m)) return true;
    }
    return false;
  }

 private:
  struct Message {
    uint32_t step = 0;
    Rank from{0};
    Rank to{0};
    uint32_t level = 1;
    std::vector<size_t> links{};
    bool started = false;
    bool over = false;
  };
  struct State {
    size_t at = 0;
    std::vector<size_t> requests{};  // the message of each
  };

  // The k-th of one rank to another.
  [[nodiscard]] size_t find(Rank from, Rank to, size_t ordinal) const {
    for (size_t m = 0; m < messages_.size(); ++m) {
      if (messages_[m].from == from && messages_[m].to == to && ordinal-- == 0) return m;
    }
    return messages_.size();
  }

  bool is_met(size_t held) {
    for (Message& m : messages_) m.started = m.over = false;
    std::vector<State> states(program_.ranks.size());
    std::map<std::pair<Rank, Rank>, size_t> sent;
    std::map<std::pair<Rank, Rank>, size_t> received;
    bool met = false;
    for (bool moved = true; moved;) {
      moved = false;
      size_t at_barrier = 0;
      for (const RankProgram& rank : program_.ranks) {
        State& state = states[index(rank.rank)];
        while (state.at < rank.actions.size()) {
          const Action& action = rank.actions[state.at];
          if (action.kind == ActionKind::kBarrier) {
            ++at_barrier;
            break;
          }
          if (action.kind == ActionKind::kWait) {
            bool ready = true;
            for (const uint32_t request : rank.requests_of(action))
              ready = ready && messages_[state.requests[request]].over;
            if (!ready) break;
          } else if (action.kind == ActionKind::kSend) {
            const std::pair pair(rank.rank, action.peer);
            const size_t m = find(pair.first, pair.second, sent[pair]++);
            state.requests.push_back(m);
            messages_[m].started = true;
            met = met || meets(m, held);
            messages_[m].over = m != held;
          } else if (starts_request(action.kind)) {
            const std::pair pair(action.peer, rank.rank);
            state.requests.push_back(find(pair.first, pair.second, received[pair]++));
          }
          ++state.at;
          moved = true;
        }
      }
      if (at_barrier == program_.ranks.size()) {
        for (State& state : states) ++state.at;
        moved = true;
      }
      if (!moved && messages_[held].started && !messages_[held].over) {
        messages_[held].over = true;
        moved = true;
      }
    }
    for (const RankProgram& rank : program_.ranks)
      EXPECT_EQ(states[index(rank.rank)].at, rank.actions.size()) << "nothing goes on";
    return met;
  }

  [[nodiscard]] bool meets(size_t m, size_t held) const {
    const Message& a = messages_[m];
    const Message& b = messages_[held];
    if (m == held || !b.started || b.over || a.step == b.step) return false;
    const Message& earlier = a.step < b.step ? a : b;
    const Message& later = a.step < b.step ? b : a;
    if (!priorities_.empty() && earlier.level < later.level) return false;
    return std::ranges::any_of(a.links, [&](size_t link) { return std::ranges::count(b.links, link) > 0; });
  }

  const Program& program_;
  PriorityTable priorities_;
  std::vector<Message> messages_;  // of each rank in the order of its sends
};

bool goes_wrong(const Schedule& schedule, const PlanSynchronisation& sync) {
  const Program program = obeying(schedule, sync);
  return HeldBack(schedule, program, sync).goes_wrong();
}

constexpr std::string_view kBusyLink =
    "quadrille-plan 1\ntopology line(3)\ncollective gather root=2\nmodel switching=wormhole\n"
    "step\n0>1>2: 0-2\nstep\nstep\n1>2: 1-2\n";

Schedule read_schedule(std::string_view text) {
  PlanFile file = read_plan(text, "x.plan");
  return testing::judged(file.problem, std::move(file.plan));
}

std::vector<std::string> actions_of(const RankProgram& rank) {
  std::vector<std::string> out;
  for (const Action& action : rank.actions) out.push_back(to_text(rank, action));
  return out;
}

TEST(ObeySynchronisation, ASignalIsANullMessageBetweenTheStepsThatItKeepsApart) {
  const Program program = obeying(read_schedule(kBusyLink), {.signals = {{NodeId{2}, 0, NodeId{1}, 2}}});
  EXPECT_THAT(actions_of(program.ranks[1]), ElementsAre("step 1: receive nothing from 2", "step 2: wait #0",
                                                        "step 3: send input[0] to 2", "step 3: wait #1"));
  EXPECT_THAT(actions_of(program.ranks[2]),
              ElementsAre("step 1: receive output[0] from 0", "step 1: copy output[2] from input[0]",
                          "step 1: wait #0", "step 1: send nothing to 1", "step 3: receive output[1] from 1",
                          "step 3: wait #2", "step 3: wait #1"));
  EXPECT_EQ(program.num_messages(), 2U);
  EXPECT_EQ(program.num_null_messages(), 1U);
  EXPECT_EQ(program.num_barriers(), 0U);
}

TEST(ObeySynchronisation, AtABarrierAllRanksMeetThoseWithoutWorkToo) {
  const Program program = obeying(read_schedule(kBusyLink), {.barriers = {1}});
  EXPECT_THAT(actions_of(program.ranks[0]),
              ElementsAre("step 1: send input[0] to 2", "step 1: wait #0", "step 2: barrier"));
  EXPECT_THAT(actions_of(program.ranks[1]),
              ElementsAre("step 2: barrier", "step 3: send input[0] to 2", "step 3: wait #0"));
  EXPECT_EQ(program.num_barriers(), 1U);
}

TEST(ObeySynchronisation, WhatIsFoundIsObeyedAndWithoutOneSignalOrBarrierAnOrderGoesWrong) {
  for (const std::string_view spec : {"line(4)", "mesh(2,3)", "mesh(4,4)", "mesh(3,5)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities}) {
      const PlanSynchronisation good = found(schedule, as);
      const Program program = obeying(schedule, good);
      EXPECT_THAT(check_program(program, 3), IsEmpty());
      EXPECT_EQ(program.num_null_messages(), good.signals.size());
      EXPECT_EQ(program.num_barriers(), good.barriers.size());
      EXPECT_FALSE(goes_wrong(schedule, good)) << spec;
      const size_t most = 6;
      for (size_t i = 0; i < std::min(most, good.signals.size()); ++i) {
        PlanSynchronisation less = good;
        less.signals.erase(less.signals.begin() + static_cast<ptrdiff_t>(i));
        EXPECT_TRUE(goes_wrong(schedule, less)) << spec << " without signal " << i;
      }
      for (size_t i = 0; i < good.barriers.size(); ++i) {
        PlanSynchronisation less = good;
        less.barriers.erase(less.barriers.begin() + static_cast<ptrdiff_t>(i));
        EXPECT_TRUE(goes_wrong(schedule, less)) << spec << " without barrier " << i;
      }
    }
    EXPECT_TRUE(goes_wrong(schedule, {})) << spec;
  }
}

TEST(ObeySynchronisation, TheGatherScatterTreeOfThePaperGoesWrongWithoutItsBarriers) {
  for (const std::string_view spec : {"ring(8)", "torus(4,4)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_wormhole_t1, spec);
    if (synchronise(schedule, {}).unordered == 0) continue;
    EXPECT_TRUE(goes_wrong(schedule, {})) << spec;
    for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities})
      EXPECT_FALSE(goes_wrong(schedule, found(schedule, as))) << spec;
  }
}

// Programs do what the check of the statement says, however it is spoilt.
TEST(ObeySynchronisation, ProgramsGoWrongExactlyWhereTheCheckSaysSo) {
  Rng rng(11);
  int wrong = 0;
  int right = 0;
  for (const std::string_view spec : {"line(4)", "mesh(2,2)", "mesh(2,3)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    const auto steps = static_cast<uint32_t>(schedule.plan().num_steps());
    for (int i = 0; i < 40; ++i) {
      PlanSynchronisation sync = found(schedule, i % 2 == 0 ? StateAs::kSignals : StateAs::kPriorities);
      for (Signal& s : sync.signals) {
        if (rng.below(8) == 0) s.after_step = static_cast<uint32_t>(rng.below(s.before_step));
      }
      std::erase_if(sync.signals, [&](const Signal&) { return rng.below(20) == 0; });
      for (Priority& p : sync.priorities) {
        if (rng.below(8) == 0) p.level = 1 + static_cast<uint32_t>(rng.below(p.level + 1));
      }
      if (steps > 1 && rng.below(5) == 0)
        sync.barriers.push_back(static_cast<uint32_t>(rng.below(steps - 1)));
      const bool passes = check_synchronisation(schedule, sync, {}).passed();
      EXPECT_EQ(goes_wrong(schedule, sync), !passes) << spec << " " << i;
      ++(passes ? right : wrong);
    }
  }
  EXPECT_GE(wrong, 20);
  EXPECT_GE(right, 5);
}

TEST(ObeySynchronisation, EveryScheduleKeepsItsProgramsInOrderWithAnySignals) {
  Rng rng(3);
  uint64_t seed = 0;
  for (const Topology& net : testing::small_topologies()) {
    if (net.num_endpoints() < 2) continue;
    for (const CollectiveKind kind : kCollectiveKinds) {
      const Schedule schedule = testing::random_schedule(standard_problem(net, kind), ++seed);
      const auto steps = static_cast<uint32_t>(schedule.plan().num_steps());
      if (steps < 2) continue;
      PlanSynchronisation sync;
      for (int i = 0; i < 12; ++i) {
        const auto from = rng.below(net.num_endpoints());
        const auto to = (from + 1 + rng.below(net.num_endpoints() - 1)) % net.num_endpoints();
        const auto before = static_cast<uint32_t>(1 + rng.below(steps - 1));
        sync.signals.push_back(
            {net.endpoints()[from], static_cast<uint32_t>(rng.below(before)), net.endpoints()[to], before});
      }
      for (uint32_t s = 0; s + 1 < steps; s += 2) sync.barriers.push_back(s);
      EXPECT_THAT(check_program(obeying(schedule, sync), 3), IsEmpty()) << schedule.problem().title();
    }
  }
}

TEST(ObeySynchronisation, NobodySendsTheSignalOfARouter) {
  const Schedule schedule = testing::switch_allreduce(3);
  Program program = lower(schedule);
  const std::string message = error_of([&] {
    obey(program, {.signals = {{NodeId{3}, 0, NodeId{0}, 1}}}, schedule.problem().topology());
  });
  EXPECT_THAT(message, HasSubstr("a router: routers run no program here"));
  EXPECT_THAT(message, HasSubstr("run it with --sync barriers, or none"));
}

// --- programs that are spoilt -----------------------------------------------------------------------------

std::string first_finding(const Program& program) {
  const std::vector<Finding> findings = check_program(program, 1);
  return findings.empty() ? "none" : to_text(findings.front());
}

TEST(SpoiltSynchronisation, ANullMessageThatNobodyHearsIsFound) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "line(4)");
  const Program good = obeying(schedule, found(schedule, StateAs::kSignals));
  size_t spoilt = 0;
  for (size_t r = 0; r < good.ranks.size(); ++r) {
    for (size_t a = 0; a < good.ranks[r].actions.size(); ++a) {
      const Action& action = good.ranks[r].actions[a];
      if (action.kind != ActionKind::kReceive || action.begin != action.end) continue;
      Program bad = good;
      bad.ranks[r].actions[a].peer = Rank{static_cast<uint32_t>((index(action.peer) + 1) % 4)};
      EXPECT_NE(first_finding(bad), "none");
      ++spoilt;
    }
  }
  EXPECT_GT(spoilt, 0U);
}

TEST(SpoiltSynchronisation, ABarrierThatOneRankMissesIsFound) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "line(4)");
  Program bad = obeying(schedule, found(schedule, StateAs::kBarriers));
  std::erase_if(bad.ranks[2].actions, [](const Action& a) { return a.kind == ActionKind::kBarrier; });
  EXPECT_THAT(first_finding(bad), HasSubstr("[matched] rank 2 comes to 0 barriers, rank 0 to"));
}

TEST(SpoiltSynchronisation, ARankThatMeetsTheOthersBeforeItSendsIsFoundWaitingInACircle) {
  // Rank 1 waits for rank 0's signal before the barrier, and rank 0 sends it after: nobody moves.
  Program program = lower(testing::direct_alltoall(2));
  const auto send = [](Rank to) { return Action{.kind = ActionKind::kSend, .peer = to, .step = 0}; };
  program.ranks[0].actions.insert(program.ranks[0].actions.begin(),
                                  {{.kind = ActionKind::kBarrier}, send(Rank{1})});
  const auto first = static_cast<uint32_t>(program.ranks[0].requests.size());
  for (uint32_t& request : program.ranks[0].requests) ++request;
  program.ranks[0].requests.push_back(0);
  program.ranks[0].actions.push_back({.kind = ActionKind::kWait, .begin = first, .end = first + 1});
  for (uint32_t& request : program.ranks[1].requests) ++request;
  const auto second = static_cast<uint32_t>(program.ranks[1].requests.size());
  program.ranks[1].requests.push_back(0);
  program.ranks[1].actions.insert(program.ranks[1].actions.begin(),
                                  {{.kind = ActionKind::kReceive, .peer = Rank{0}},
                                   {.kind = ActionKind::kWait, .begin = second, .end = second + 1},
                                   {.kind = ActionKind::kBarrier}});
  const std::string finding = first_finding(program);
  EXPECT_THAT(finding, HasSubstr("[no_cyclic_wait]"));
  EXPECT_THAT(finding, HasSubstr("rank 0 waits for rank 1"));
  EXPECT_THAT(finding, HasSubstr("rank 1 waits for rank 0"));
}

TEST(SynchronisationEvents, RoutersHaveTheirOwnWhereTheyRun) {
  const Schedule schedule = testing::switch_allreduce(3);
  const auto events = events_by_rank({.barriers = {0}, .signals = {{NodeId{3}, 0, NodeId{0}, 1}}},
                                     schedule.problem().topology(), RanksAre::kNodes);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_THAT(events[3], ElementsAre(SynchronisationEvent{1, EventKind::kTell, Rank{0}},
                                     SynchronisationEvent{1, EventKind::kMeet}));
  EXPECT_THAT(events[0], ElementsAre(SynchronisationEvent{1, EventKind::kListen, Rank{3}},
                                     SynchronisationEvent{1, EventKind::kMeet},
                                     SynchronisationEvent{1, EventKind::kAwait, Rank{3}}));
}

}  // namespace
}  // namespace quadrille
