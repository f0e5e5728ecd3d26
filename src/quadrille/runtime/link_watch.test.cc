// Whether what is stated is obeyed, as seen from the links: with the right synchronisation no two steps ever
// meet on one, however ranks are delayed; without it they do.
#include "quadrille/runtime/link_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/step_gate.h"
#include "quadrille/runtime/thread_transport.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
}  // namespace algorithms

namespace {

using std::chrono::microseconds;
using ::testing::HasSubstr;

Schedule made_by(const Algorithm& card, std::string_view spec) {
  const Model model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model);
  Plan plan;
  card.plan_for(problem)->generate(plan);
  return testing::judged(problem, std::move(plan));
}

Schedule read_schedule(std::string_view text) {
  PlanFile file = read_plan(text, "x.plan");
  return testing::judged(file.problem, std::move(file.plan));
}

constexpr std::string_view kBusyLink =
    "quadrille-plan 1\ntopology line(3)\ncollective gather root=2\nmodel switching=wormhole\n"
    "step\n0>1>2: 0-2\nstep\n1>2: 1-2\n";

// A transport that dawdles: before a wait as long as it is told to.
class Dawdling final : public Transport {
 public:
  Dawdling(Transport& inner, std::function<void(Rank)> dawdle) : inner_(inner), dawdle_(std::move(dawdle)) {}

  [[nodiscard]] Rank rank() const override { return inner_.rank(); }
  [[nodiscard]] uint32_t num_ranks() const override { return inner_.num_ranks(); }
  Request start_send(Rank to, std::span<const ConstBytes> from) override {
    return inner_.start_send(to, from);
  }
  Request start_receive(Rank from, std::span<const Bytes> into, const Reduction* reduction) override {
    return inner_.start_receive(from, into, reduction);
  }
  void wait(std::span<const Request> requests) override {
    dawdle_(rank());
    inner_.wait(requests);
  }
  void barrier() override { inner_.barrier(); }
  void give_up() noexcept override { inner_.give_up(); }

 private:
  Transport& inner_;
  std::function<void(Rank)> dawdle_;
};

struct Watched {
  LinkMeetings meetings;
  uint64_t wrong_bytes = 0;
};

// Runs with every rank delayed at random.
Watched run_delayed(const Schedule& schedule, const PlanSynchronisation& sync, bool slices, uint64_t seed) {
  const JobOptions options{.block_bytes = 5, .iterations = 2};
  const ArrayLayout arrays = slices ? lay_out_arrays(schedule) : ArrayLayout{};
  const Program program = checked_program(schedule, slices ? &arrays : nullptr, &sync);
  const BufferLayout layout(program.collective);
  LinkWatch watch(schedule, program, sync);
  std::atomic<uint64_t> wrong = 0;
  run_threads(static_cast<uint32_t>(program.ranks.size()), [&](Transport& transport) {
    Rng rng(seed * 1000 + index(transport.rank()));
    Dawdling dawdling(transport, [&](Rank) {
      if (rng.below(3) == 0) std::this_thread::sleep_for(microseconds(rng.below(400)));
    });
    const std::unique_ptr<Transport> watched = watch.watch(dawdling);
    wrong += run_rank(program, layout, options, *watched).wrong_bytes;
  });
  return {watch.meetings(), wrong};
}

PlanSynchronisation found(const Schedule& schedule, StateAs as) {
  return stated(synchronise(schedule, {}), {}, as);
}

TEST(LinkWatch, StepsNeverMeetWhereWhatIsStatedIsObeyedHoweverRanksAreDelayed) {
  uint64_t seed = 0;
  for (const std::string_view spec : {"line(5)", "mesh(2,3)", "mesh(4,4)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities}) {
      for (const bool slices : {false, true}) {
        for (int repeat = 0; repeat < 3; ++repeat) {
          const Watched watched = run_delayed(schedule, found(schedule, as), slices, ++seed);
          EXPECT_EQ(watched.meetings.conflicts, 0U) << spec;
          EXPECT_EQ(watched.wrong_bytes, 0U) << spec;
          if (as != StateAs::kPriorities) {
            EXPECT_EQ(watched.meetings.pushed_aside, 0U);
          }
        }
      }
    }
  }
}

// Node 2 does not take what node 0 sends it before node 1 has been seen to wait for its own message, or so
// long that it is clear that it will not.
LinkMeetings hold_node_2(const PlanSynchronisation& sync, microseconds patience) {
  const Schedule schedule = read_schedule(kBusyLink);
  const JobOptions options{.block_bytes = 5};
  const Program program = checked_program(schedule, nullptr, &sync);
  LinkWatch watch(schedule, program, sync);
  const BufferLayout layout(program.collective);
  run_threads(3, [&](Transport& transport) {
    const std::unique_ptr<Transport> watched = watch.watch(transport);
    Dawdling dawdling(*watched, [&](Rank rank) {
      if (rank != Rank{2}) return;
      const auto end = std::chrono::steady_clock::now() + patience;
      const auto none = [&] { return watch.meetings() == LinkMeetings{}; };
      while (none() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(microseconds(200));
    });
    EXPECT_EQ(run_rank(program, layout, options, dawdling).wrong_bytes, 0U);
  });
  return watch.meetings();
}

TEST(LinkWatch, WithoutItsSignalAPlanGoesWrong) {
  const std::vector<Signal> signal = {{NodeId{2}, 0, NodeId{1}, 1}};
  EXPECT_EQ(hold_node_2({.signals = signal}, microseconds(30'000)), LinkMeetings{});
  EXPECT_EQ(hold_node_2({.barriers = {0}}, microseconds(30'000)), LinkMeetings{});
  EXPECT_EQ(hold_node_2({}, microseconds(5'000'000)), (LinkMeetings{.conflicts = 1}));
  // Told to the wrong node, or too early to mean anything.
  EXPECT_EQ(hold_node_2({.signals = {{NodeId{2}, 0, NodeId{0}, 1}}}, microseconds(5'000'000)),
            (LinkMeetings{.conflicts = 1}));
}

TEST(LinkWatch, AMoreUrgentMessagePushesALaterOneAside) {
  EXPECT_EQ(hold_node_2({.priorities = {{.step = 1, .level = 2}}}, microseconds(5'000'000)),
            (LinkMeetings{.pushed_aside = 1}));
  // The other way round nothing gives way.
  EXPECT_EQ(hold_node_2({.priorities = {{.step = 0, .level = 2}}}, microseconds(5'000'000)),
            (LinkMeetings{.conflicts = 1}));
}

TEST(LinkWatch, ReceivePortsAreKeptApartWhereTheyAreFew) {
  // Two messages end in node 1, over links of their own.
  const std::string two = "step\n0>1: 0-1\nstep\n2>1: 2-1\n";
  const std::string head = "quadrille-plan 1\ntopology line(3)\ncollective gather root=1\nmodel ";
  for (const bool one_port : {true, false}) {
    for (const bool ports : {true, false}) {
      const Schedule schedule = read_schedule(head + (one_port ? "receive=1\n" : "receive=all\n") + two);
      const Program program = checked_program(schedule);
      LinkWatch watch(schedule, program, {.ports = ports});
      ThreadHub hub(3);
      const std::vector<std::byte> block(3);
      const std::vector<ConstBytes> from = {block};
      const std::unique_ptr<Transport> inner0 = hub.transport(Rank{0});
      const std::unique_ptr<Transport> inner2 = hub.transport(Rank{2});
      (void)watch.watch(*inner0)->start_send(Rank{1}, from);
      (void)watch.watch(*inner2)->start_send(Rank{1}, from);
      EXPECT_EQ(watch.meetings().conflicts, one_port && ports ? 1U : 0U);
      hub.give_up();
      inner0->give_up();
      inner2->give_up();
    }
  }
}

TEST(LinkWatch, RoutersAreRefused) {
  const Schedule schedule = testing::switch_allreduce(3);
  EXPECT_THAT(error_of([&] { (void)run_on_threads(schedule, {.watch_links = true}); }),
              HasSubstr("cannot be watched: what its routers pass on is no one message"));
}

TEST(LinkWatch, AnErrorOfOneRankReleasesThoseThatLetOthersPass) {
  const Schedule schedule = read_schedule(kBusyLink);
  const PlanSynchronisation sync{.priorities = {{.step = 1, .level = 2}}};
  const Program program = checked_program(schedule, nullptr, &sync);
  LinkWatch watch(schedule, program, sync);
  const BufferLayout layout(program.collective);
  const auto run = [&] {
    run_threads(3, [&](Transport& transport) {
      const std::unique_ptr<Transport> watched = watch.watch(transport);
      try {
        if (transport.rank() == Rank{2}) throw InputError("enough");
        (void)run_rank(program, layout, {.block_bytes = 5}, *watched);
      } catch (...) {
        watched->give_up();
        throw;
      }
    });
  };
  EXPECT_EQ(error_of(run), "enough");
}

// --- jobs -------------------------------------------------------------------------------------------------

TEST(ObeyingJob, CountsItsNullMessagesAndBarriers) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities}) {
    const PlanSynchronisation sync = found(schedule, as);
    const JobResult job = run_on_threads(schedule, {.block_bytes = 7, .synchronisation = sync});
    EXPECT_TRUE(job.correct());
    EXPECT_EQ(job.null_messages, sync.signals.size());
    EXPECT_EQ(job.barriers, sync.barriers.size());
    EXPECT_EQ(job.meetings.has_value(), as == StateAs::kPriorities);
    if (job.meetings) {
      EXPECT_EQ(job.meetings->conflicts, 0U);
    }
  }
  EXPECT_EQ(null_messages(found(schedule, StateAs::kSignals), 16), 64U);
  EXPECT_EQ(null_messages(found(schedule, StateAs::kBarriers), 16), 3U * 16 * 4);
  EXPECT_EQ(null_messages(found(schedule, StateAs::kPriorities), 16), 0U);
}

TEST(ObeyingJob, WhereThereAreNoPrioritiesSignalsKeepApartWhatTheyDid) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  const PlanSynchronisation sync = without_priorities(schedule, found(schedule, StateAs::kPriorities));
  EXPECT_EQ(sync, found(schedule, StateAs::kSignals));
  const PlanSynchronisation barriers = found(schedule, StateAs::kBarriers);
  EXPECT_EQ(without_priorities(schedule, barriers), barriers);
}

// --- those who have no program ----------------------------------------------------------------------------

// Three nodes that know only their part: node 0 sends to 2 in step 1, node 1 in step 2, when it is told to.
TEST(StepGate, KeepsTheStepsOfThoseWhoDecideAsTheyGo) {
  const Topology net = parse_topology("line(3)");
  for (const PlanSynchronisation& sync : {PlanSynchronisation{.signals = {{NodeId{2}, 0, NodeId{1}, 1}}},
                                          PlanSynchronisation{.barriers = {0}}}) {
    std::atomic<bool> first_is_over = false;
    std::atomic<uint64_t> told = 0;
    run_threads(3, [&](Transport& transport) {
      const uint64_t me = index(transport.rank());
      StepGate gate(events_by_rank(sync, net, RanksAre::kNodes)[me], transport);
      std::byte block{};
      const std::vector<ConstBytes> from = {ConstBytes(&block, 1)};
      const std::vector<Bytes> into = {Bytes(&block, 1)};
      for (uint32_t step = 0; step < 2; ++step) {
        gate.enter(step);
        if (me == step) {
          EXPECT_EQ(first_is_over.load(), step == 1);
          transport.wait(std::array{transport.start_send(Rank{2}, from)});
        }
        if (me != 2) continue;
        const Request heard = transport.start_receive(Rank{step}, into);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        transport.wait(std::array{heard});
        first_is_over = true;
      }
      gate.finish();
      told += gate.null_messages();
    });
    EXPECT_EQ(told.load(), sync.signals.size());
  }
}

}  // namespace
}  // namespace quadrille
