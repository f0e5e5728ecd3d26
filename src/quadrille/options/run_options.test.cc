#include "quadrille/options/run_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace run_options_test {

using ::testing::HasSubstr;

// What the words of a line ask for.
class Line {
 public:
  explicit Line(const std::vector<std::string>& words) {
    add_run_options(parser_, options);
    EXPECT_TRUE(parser_.read(words));
  }
  RunOptions options{};

 private:
  ArgumentParser parser_{"a test"};
};

TEST(RunOptions, WordsBecomeWishes) {
  const Line line({"alltoall", "ring(4)", "--bytes", "7", "--slices", "--queues", "any", "--algorithm", "x"});
  const Wishes wishes = line.options.wishes();
  EXPECT_EQ(wishes.bytes, 7U);
  EXPECT_EQ(wishes.algorithm, "x");
  EXPECT_TRUE(wishes.arrays);
  EXPECT_TRUE(wishes.queues);
  EXPECT_TRUE(wishes.stored);
  Compiled judged{.head = {.problem = standard_problem(parse_topology("ring(4)"), CollectiveKind::kAlltoall)},
                  .reason = {},
                  .verdict = {}};
  EXPECT_EQ(line.options.job(judged).arrays, nullptr);
  judged.arrays.emplace();
  EXPECT_EQ(line.options.job(judged).arrays, &*judged.arrays);
  EXPECT_EQ(line.options.job(judged).block_bytes, 7U);
}

// What an option of the model changes, so that it cannot be lost on the way.
TEST(RunOptions, EveryOptionOfTheProblemReachesIt) {
  const Line line({"broadcast",   "mesh(3,3)", "--send-ports", "1",     "--receive-ports", "2",
                   "--switching", "wormhole",  "--duplex",     "half",  "--routing",       "dimension_order",
                   "--ts",        "2",         "--tx",         "3",     "--rho",           "5",
                   "--queues",    "6",         "--root",       "(1,1)", "--pieces",        "7",
                   "--tl",        "4"});
  const PlanSource source = plan_source(line.options.source, "run", nullptr);
  const Problem& problem = problem_of(source);
  const Model expected{.send = kOnePort,
                       .receive = {2},
                       .switching = Switching::kWormhole,
                       .duplex = Duplex::kHalf,
                       .routing = Routing::kDimensionOrder,
                       .cost = {2, 3, 4, 5},
                       .queue_limit = 6};
  EXPECT_EQ(problem.model(), expected);
  EXPECT_EQ(problem.collective().root(), Rank{4});
  EXPECT_EQ(problem.collective().pieces(), 7U);
}

TEST(RunOptions, TimesHaveUnits) {
  const auto costs = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"alltoall", "ring(4)"});
    return problem_of(plan_source(Line(words).options.source, "run", nullptr)).model().cost;
  };
  EXPECT_EQ(costs({}), CostConstants{});
  EXPECT_EQ(costs({"--ts", "2", "--tx", "0.5"}), (CostConstants{.ts = 2, .tx = 0.5}));
  EXPECT_EQ(costs({"--bytes", "1K"}), default_machine().cost);
  EXPECT_EQ(costs({"--bytes", "1K", "--tx", "0.5"}), (CostConstants{.tx = 0.5}));
  // One unit makes microseconds of all.
  EXPECT_EQ(costs({"--ts", "2", "--tx", "1ns/B", "--tl", "80ns", "--rho", "8GB/s"}),
            (CostConstants{.ts = 2, .tx = 1e-3, .tl = 0.08, .rho = 1.25e-4, .in_microseconds = true}));
  EXPECT_EQ(costs({"--ts", "3ms", "--bytes", "1K"}),
            (CostConstants{.ts = 3000, .tx = default_machine().cost.tx, .in_microseconds = true}));
}

TEST(RunOptions, LogGPIsAllThatItSays) {
  const auto costs = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"alltoall", "ring(4)", "--bytes", "1K"});
    return problem_of(plan_source(Line(words).options.source, "run", nullptr)).model().cost;
  };
  EXPECT_EQ(costs({"--to", "2us"}),
            (CostConstants{.ts = 1, .tx = default_machine().cost.tx, .to = 2, .in_microseconds = true}));
  EXPECT_EQ(costs({"--loggp", "4,1,2,0.5", "--tl", "3"}),
            (CostConstants{.ts = 6, .tx = 0.5, .tl = 3, .to = 2}));
  for (const char* const other : {"--machine", "--ts", "--tx", "--to"}) {
    const std::string value = std::string_view(other) == "--machine" ? "t3d" : "1";
    try {
      (void)costs({"--loggp", "4,1,2,0.5", other, value});
      FAIL() << other;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find(std::string("--loggp and ") + other), 0U) << error.what();
    }
  }
}

TEST(RunOptions, AMachineHasConstantsAndOthersReplaceThem) {
  const auto costs = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"alltoall", "ring(4)", "--machine", "tpu_v4"});
    return problem_of(plan_source(Line(words).options.source, "run", nullptr)).model().cost;
  };
  EXPECT_EQ(costs({}), find_machine("tpu_v4").cost);
  EXPECT_EQ(costs({"--ts", "3"}), (CostConstants{.ts = 3, .tx = 1.0 / 50000, .in_microseconds = true}));
  EXPECT_EQ(costs({"--tx", "25GB/s", "--bytes", "1M"}),
            (CostConstants{.ts = 2, .tx = 4e-5, .in_microseconds = true}));
}

TEST(RunOptions, BytesAreThoseOfAMessageInHoweverManyPieces) {
  const Line line({"broadcast", "ring(4)", "--bytes", "1000", "--pieces", "3"});
  EXPECT_EQ(line.options.wishes().bytes, 1000U);
  EXPECT_FALSE(line.options.wishes().any_pieces);
  const PlanSource source = plan_source(line.options.source, "run", nullptr);
  EXPECT_EQ(line.options.job(problem_of(source)).block_bytes, 334U);
  EXPECT_EQ(message_text(problem_of(source), 1000), "blocks of 1,000 bytes in 3 pieces of 334 (padded by 2)");
  EXPECT_EQ(message_text(problem_of(source), 999), "blocks of 999 bytes in 3 pieces of 333");

  EXPECT_TRUE(Line({"broadcast", "ring(4)", "--bytes", "1000"}).options.wishes().any_pieces);
  EXPECT_TRUE(
      Line({"broadcast", "ring(4)", "--bytes", "1K", "--pieces", "auto"}).options.wishes().any_pieces);
  EXPECT_FALSE(Line({"broadcast", "ring(4)"}).options.wishes().any_pieces);
  EXPECT_EQ(Line({"broadcast", "ring(4)"}).options.wishes().bytes, std::nullopt);
  EXPECT_EQ(error_of([] {
              const Line bad({"broadcast", "ring(4)", "--pieces", "auto"});
              (void)plan_source(bad.options.source, "run", nullptr);
            }),
            "--pieces auto: how many take least time depends on the size of messages; give --bytes, too");
}

TEST(RunOptions, WhatKeepsTheStepsApartIsAWordOfFive) {
  const std::vector<std::string> problem = {"alltoall", "line(4)", "--switching", "wormhole",
                                            "--ports",  "one",     "--algorithm", "alltoall_mesh"};
  const auto obeyed = [&](const std::string& how) {
    std::vector<std::string> words = problem;
    if (!how.empty()) words.insert(words.end(), {"--sync", how});
    const Line line(words);
    const Compiled made = compile(plan_source(line.options.source, "run", nullptr), line.options.wishes());
    return line.options.job(made).synchronisation;
  };
  EXPECT_EQ(obeyed(""), std::nullopt);
  EXPECT_EQ(obeyed("stated"), std::nullopt);
  EXPECT_EQ(obeyed("none"), std::nullopt);
  EXPECT_EQ(obeyed("barriers").value().barriers.size(), 2U);
  EXPECT_GT(obeyed("signals").value().signals.size(), 0U);
  EXPECT_GT(obeyed("priorities").value().priorities.size(), 0U);
  EXPECT_EQ(error_of([&] { (void)obeyed("signal"); }),
            "--sync is 'signal'; allowed are stated, none, barriers, signals, priorities");
}

TEST(RunOptions, WhatAFileStatesIsCheckedAndObeyedUnlessItIsPassedOver) {
  const auto read = [](const std::string& path, GraphFiles) {
    return read_plan(
        "quadrille-plan 1\ntopology line(3)\ncollective gather root=2\nmodel switching=wormhole\n"
        "signal from=2 after=1 to=0 before=2\nstep\n0>1>2: 0-2\nstep\n1>2: 1-2\n",
        path);
  };
  const Line stated({"--plan", "x.plan"});
  EXPECT_FALSE(compile(plan_source(stated.options.source, "run", read), stated.options.wishes()).good());
  const Line none({"--plan", "x.plan", "--sync", "none"});
  const Compiled judged = compile(plan_source(none.options.source, "run", read), none.options.wishes());
  EXPECT_TRUE(judged.good());
  EXPECT_EQ(none.options.job(judged).synchronisation, std::nullopt);
  const Line found({"--plan", "x.plan", "--sync", "signals"});
  EXPECT_EQ(found.options.job(judged).synchronisation.value().signals,
            (std::vector<Signal>{{NodeId{2}, 0, NodeId{1}, 1}}));
}

TEST(RunOptions, QueuesAreCountedByEitherLink) {
  const Line line({"allgather", "fat_tree(3^2)", "--queues", "1", "--queues-per", "incoming"});
  const Model model = problem_of(plan_source(line.options.source, "run", nullptr)).model();
  EXPECT_EQ(model.queue_limit, 1U);
  EXPECT_EQ(model.queues_per, QueuesPer::kIncoming);
  const auto refused = [](const std::vector<std::string>& words) {
    return error_of([&] { (void)plan_source(Line(words).options.source, "run", nullptr); });
  };
  EXPECT_EQ(refused({"allgather", "fat_tree(3^2)", "--queues-per", "incoming"}),
            "--queues-per says what --queues N counts: give a number, too");
  EXPECT_EQ(refused({"allgather", "fat_tree(3^2)", "--queues", "1", "--queues-per", "node"}),
            "unknown link to count queues by 'node'; allowed are outgoing, incoming");
}

TEST(RunOptions, WithoutAPlanAndAProblemThereIsNothingToDo) {
  const Line line({"alltoall"});
  try {
    static_cast<void>(plan_source(line.options.source, "run", nullptr));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("what to run? give a COLLECTIVE and a TOPOLOGY, or a plan's FILE"));
  }
}

TEST(RunOptions, AWordThatIsAFileIsThePlan) {
  const std::string path = ::testing::TempDir() + "a_word_that_is_a_file.plan";
  write_file(path, "anything");
  const auto taken = [](const std::vector<std::string>& words) {
    Line line(words);
    line.options.source.take_plan_word();
    return line.options.source;
  };
  EXPECT_EQ(taken({path}).plan, path);
  EXPECT_EQ(taken({path}).problem.collective, "");
  EXPECT_EQ(taken({"-"}).plan, "-");
  EXPECT_EQ(taken({"alltoall"}).plan, "") << "a collective, whatever files there are";
  EXPECT_EQ(taken({"no_such"}).plan, "");
  EXPECT_EQ(taken({"no_such.plan"}).plan, "no_such.plan") << "only a plan has such a name";
  EXPECT_EQ(taken({path, "ring(4)"}).plan, "") << "two words are a problem";
  EXPECT_EQ(taken({path, "--plan", "other.plan"}).plan, "other.plan");
  const Line typo({"no_such"});
  try {
    static_cast<void>(plan_source(typo.options.source, "run", nullptr));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'no_such' is neither a collective nor a plan"));
  }
}

TEST(RunOptions, AFileKnowsItsProblem) {
  const auto read = [](const std::string& path, GraphFiles) {
    return read_plan(
        "quadrille-plan 1\ntopology ring(2)\ncollective broadcast root=0\nmodel send=1 receive=1\n"
        "step\n0>1: 0\n",
        path);
  };
  const Line good({"broadcast", "ring(2)", "--ports", "one", "--plan", "x.plan"});
  const Compiled judged = compile(plan_source(good.options.source, "run", read), good.options.wishes());
  EXPECT_TRUE(judged.good());
  EXPECT_EQ(maker_of(good.options.source, judged), "x.plan");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"alltoall", "ring(2)"},
                                                {"broadcast", "ring(3)"},
                                                {"--ports", "all"},
                                                {"--algorithm", "auto"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--plan", "x.plan"});
    const Line bad(all);
    EXPECT_THROW(static_cast<void>(plan_source(bad.options.source, "run", read)), InputError) << words[0];
  }
}

}  // namespace run_options_test
}  // namespace quadrille
