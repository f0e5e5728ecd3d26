// A plan that one of several has read is the same plan at all of them, and what cannot be read is everybody's error.
#include "quadrille/schedule/shared/shared_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/thread_crew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace shared_plan_test {
namespace {

struct Case {
  const char* spec;
  CollectiveKind kind;
  Model model;
  const char* algorithm;
};
const Case kCases[] = {
    {"torus(4,5)", CollectiveKind::kAlltoall, {}, "auto"},
    {"mesh(3,4)", CollectiveKind::kBroadcast, {.switching = Switching::kWormhole}, "auto"},
    {"torus(4,4)", CollectiveKind::kAllreduce, {.packets = Packets::kMany}, "auto"},
    {"fat_tree(2^3)", CollectiveKind::kAlltoall, {.switching = Switching::kShared}, "auto"},
    // Slots for partial sums, and copies.
    {"complete(6)", CollectiveKind::kAllreduce, {.send = kOnePort, .receive = kOnePort}, "auto"},
    // Steps enough for several rounds of handing out.
    {"torus(20,20)", CollectiveKind::kAlltoall, {.send = kOnePort, .receive = kOnePort}, "alltoall_cayley"},
};

PlanFile file_of(const Case& one) {
  const Problem problem = standard_problem(parse_topology(one.spec), one.kind, one.model);
  Compiled made = compile(problem, {.algorithm = one.algorithm});
  return {{made.head}, made.schedule->plan()};
}

TEST(SharedPlan, IsTheSameAtAll) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.spec);
    const PlanFile file = file_of(one);
    std::atomic<int> read = 0;
    std::atomic<int> same = 0;
    testing::ThreadCrew::run(3, [&](Crew& crew) {
      SharedPlan shared(crew, [&](PlanListener*) {
        ++read;
        return file;
      });
      Plan plan;
      if (shared.replay(plan) && shared.head() == file && plan == file.plan) ++same;
    });
    EXPECT_EQ(read, 1);
    EXPECT_EQ(same, 3);
  }
}

TEST(SharedPlan, IsJudgedAsByOneAlone) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.spec);
    const PlanFile file = file_of(one);
    const Compiled alone = judge_plan(PlanFile(file));
    for (const bool stored : {false, true}) {
      std::atomic<int> alike = 0;
      testing::ThreadCrew::run(2, [&](Crew& crew) {
        SharedPlan shared(crew, [&](PlanListener*) { return file; });
        const Compiled all = judge_plan(shared, {.stored = stored, .crew = &crew});
        if (all.good() && all.verdict.figures == alone.verdict.figures &&
            all.schedule.has_value() == stored && all.bounds.size() == alone.bounds.size())
          ++alike;
      });
      EXPECT_EQ(alike, 2);
    }
  }
}

// As in a file: process 0 never has all steps, and what it reads is the same.
TEST(SharedPlan, OfAFileIsHandedOutAsItIsRead) {
  for (const char* ending : {".plan", ".json"}) {
    for (const Case& one : kCases) {
      SCOPED_TRACE(fmt::format("{} {}", one.spec, ending));
      const PlanFile file = file_of(one);
      const std::string path = ::testing::TempDir() + "shared_plan_test" + ending;
      write_plan_file(path, file);
      std::atomic<int> same = 0;
      std::atomic<int> stored = 0;
      testing::ThreadCrew::run(3, [&](Crew& crew) {
        SharedPlan shared(crew, [&](PlanListener* listener) {
          PlanFile read = listener != nullptr ? read_plan_file(path, GraphFiles::kRefused, *listener)
                                              : read_plan_file(path);
          stored += static_cast<int>(read.plan.num_steps());
          return read;
        });
        Plan plan;
        if (shared.replay(plan) && shared.head() == file && plan == file.plan) ++same;
      });
      EXPECT_EQ(same, 3);
      EXPECT_EQ(stored, 0);
      std::filesystem::remove(path);
    }
  }
}

// The steps come first, and then what must be known before them; or the claims come last.
TEST(SharedPlan, AHeadThatIsCompleteOnlyInTheEndIsHeardOfAll) {
  constexpr std::string_view kNet =
      R"j("topology":{"spec":"ring(3)"},"collective":{"kind":"broadcast","root":0})j";
  constexpr std::string_view kSteps =
      R"j("steps":[[{"path":[0,1],"blocks":[[0]]},{"path":[0,2],"blocks":[[0]]}]])j";
  constexpr std::string_view kFormat = R"j("format":"quadrille-plan","version":1)j";
  constexpr std::string_view kClaims = R"j("claims":{"steps":1},"model":{"send_ports":"2"})j";
  for (const std::string& text : {fmt::format("{{{},{},{},{}}}", kFormat, kNet, kSteps, kClaims),
                                  fmt::format("{{{},{},{},{}}}", kFormat, kSteps, kNet, kClaims)}) {
    SCOPED_TRACE(text);
    const std::string path = ::testing::TempDir() + "shared_plan_late.json";
    write_file(path, text);
    const PlanFile file = read_plan_file(path);
    std::atomic<int> good = 0;
    testing::ThreadCrew::run(2, [&](Crew& crew) {
      SharedPlan shared(crew, [&](PlanListener* listener) {
        return listener != nullptr ? read_plan_file(path, GraphFiles::kRefused, *listener)
                                   : read_plan_file(path);
      });
      const Compiled judged = judge_plan(shared, {.crew = &crew});
      if (judged.good() && judged.head == file && shared.head().stated_figures.steps == 1U) ++good;
    });
    EXPECT_EQ(good, 2);
    std::filesystem::remove(path);
  }
}

TEST(SharedPlan, AMistakeBehindManyStepsIsEverybodysError) {
  const PlanFile file = file_of(kCases[0]);
  for (const char* ending : {".plan", ".json"}) {
    const std::string path = ::testing::TempDir() + "shared_plan_cut" + ending;
    std::string text = write_plan(file, plan_format_of(path));
    text.resize(text.size() - 20);
    text += "0>9999";
    write_file(path, text);
    const auto words = [](auto act) {
      try {
        act();
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string alone = words([&] { (void)read_plan_file(path); });
    ASSERT_NE(alone, "");
    std::atomic<int> same = 0;
    testing::ThreadCrew::run(3, [&](Crew& crew) {
      const std::string mine = words([&] {
        SharedPlan shared(crew, [&](PlanListener* listener) {
          return listener != nullptr ? read_plan_file(path, GraphFiles::kRefused, *listener)
                                     : read_plan_file(path);
        });
        (void)judge_plan(shared, {.crew = &crew});
      });
      if (mine == alone) ++same;
    });
    EXPECT_EQ(same, 3);
    std::filesystem::remove(path);
  }
}

// Does something to the file when the reader has passed its first steps.
class Meddling final : public PlanListener {
 public:
  Meddling(PlanListener& behind, std::function<void()> meddle)
      : behind_(behind), meddle_(std::move(meddle)) {}

  StepSink* steps_of(const PlanHead& head) override { return behind_.steps_of(head); }
  void passed(size_t offset) override {
    if (meddle_) std::exchange(meddle_, nullptr)();
    behind_.passed(offset);
  }

 private:
  PlanListener& behind_;
  std::function<void()> meddle_;
};

// Also where what is left of it would be a plan: it may be half of one and half of another.
TEST(SharedPlan, AFileThatIsCutShortOrWrittenToMeanwhileIsEverybodysError) {
  Case large = kCases[5];
  large.spec = "torus(20,20)";
  const PlanFile file = file_of(large);
  for (const char* ending : {".plan", ".json"}) {
    const std::string path = ::testing::TempDir() + "quadrille_shared_plan_cut" + ending;
    for (const bool cut : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}", ending, cut));
      write_plan_file(path, file);
      std::atomic<int> same = 0;
      testing::ThreadCrew::run(3, [&](Crew& crew) {
        std::string said;
        try {
          SharedPlan shared(crew, [&](PlanListener* listener) {
            Meddling meddling(*listener, [&] {
              if (cut)
                std::filesystem::resize_file(path, 4096);
              else
                std::ofstream(path, std::ios::app) << "\n";
            });
            return read_plan_file(path, GraphFiles::kRefused, meddling);
          });
          (void)judge_plan(shared, {.stored = false, .crew = &crew});
        } catch (const InputError& error) {
          said = error.what();
        }
        if (said ==
            fmt::format("{}: the file was {} while it was read", path, cut ? "cut short" : "written to"))
          ++same;
      });
      EXPECT_EQ(same, 3);
      std::filesystem::remove(path);
    }
  }
}

// A plan without steps cannot say between which of them there are signals.
TEST(SharedPlan, SaysToAllHowStepsAreKeptApart) {
  constexpr std::string_view kText =
      "quadrille-plan 1\ntopology line(3)\ncollective gather root=2\nmodel switching=wormhole\nbarrier after=1\n"
      "signal from=2 after=1 to=1 before=2\npriority step=2 level=1\nstep\n0>1>2: 0-2\nstep\n1>2: 1-2\n";
  const PlanFile file = read_plan(kText, "x");
  ASSERT_TRUE(file.synchronisation);
  for (const char* ending : {".plan", ".json"}) {
    const std::string path = ::testing::TempDir() + "quadrille_shared_plan_signals" + ending;
    write_plan_file(path, file);
    std::atomic<int> same = 0;
    testing::ThreadCrew::run(3, [&](Crew& crew) {
      SharedPlan shared(crew, [&](PlanListener* listener) {
        return listener != nullptr ? read_plan_file(path, GraphFiles::kRefused, *listener)
                                   : read_plan_file(path);
      });
      const Compiled judged = judge_plan(shared, {.crew = &crew});
      if (shared.head() == file && judged.synchronised) ++same;
    });
    EXPECT_EQ(same, 3) << ending;
    std::filesystem::remove(path);
  }
}

TEST(SharedPlan, WhatCannotBeReadIsEverybodysError) {
  std::atomic<int> refused = 0;
  testing::ThreadCrew::run(3, [&](Crew& crew) {
    try {
      const SharedPlan shared(crew, [](PlanListener*) { return read_plan_json("{", "net.json"); });
    } catch (const InputError& error) {
      if (std::string(error.what()).find("net.json") != std::string::npos) ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace shared_plan_test
}  // namespace quadrille
