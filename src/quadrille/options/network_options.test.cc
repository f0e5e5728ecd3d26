#include "quadrille/options/network_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace network_options_test {

using ::testing::HasSubstr;

Problem problem_for(const std::vector<std::string>& words) {
  PlanSourceOptions options;
  ArgumentParser parser("a test");
  add_plan_source(parser, options);
  EXPECT_TRUE(parser.read(words));
  if (parser.count("--pieces") == 0) options.problem.bytes = "1K";
  return problem_of(plan_source(options, "plan", nullptr));
}

TEST(NetworkOptions, BecomePartOfTheSpec) {
  const NetworkOptions both{.switches = {"type=switch", "s\"1"}, .unit_bandwidth = "100Gbit/s"};
  EXPECT_EQ(both.spec_of("file(\"a.gml\")"),
            "file(\"a.gml\";\"switches type=switch\",\"switches s\\\"1\",\"unit 100Gbit/s\")");
  const NetworkOptions one{.unit_bandwidth = "1GB/s"};
  EXPECT_EQ(one.spec_of("without(file(\"a;)\");\"node 1\")"),
            "without(file(\"a;)\";\"unit 1GB/s\");\"node 1\")");
  EXPECT_EQ(one.spec_of("edges(\"a b\";\"switches a\")"), "edges(\"a b\";\"switches a\",\"unit 1GB/s\")");
  EXPECT_EQ(NetworkOptions{}.spec_of("no spec at all("), "no spec at all(");
  EXPECT_THAT(error_of([&] { (void)one.spec_of("torus(4)"); }),
              HasSubstr("--unit: it is said of a graph that is read, file(\"net.graphml\") or edges(\"a b, b "
                        "c\"), and torus(4) names none"));
  EXPECT_THAT(error_of([&] { (void)both.spec_of("torus(4)"); }), HasSubstr("--switches: it is said of"));
  EXPECT_THAT(error_of([] {
                (void)problem_for({"alltoall", "edges(\"a b\")", "--unit", "4"});
              }),
              HasSubstr("--unit: '4' is given: without a unit it may be anything"));
}

TEST(NetworkOptions, TimesFollowFromTheLinksUnlessTheyAreGiven) {
  const std::string rated = "edges(\"a b 100Gbit/s 2us, b c 400Gbit/s 500ns\")";
  const auto costs = [](std::vector<std::string> words) {
    words.insert(words.begin(), "alltoall");
    return problem_for(words).model().cost;
  };
  const CostConstants links{.ts = 2, .tx = 8e-5, .in_microseconds = true};
  EXPECT_EQ(costs({rated}), links);
  // Without a message's size they are known, too.
  EXPECT_EQ(costs({rated, "--pieces", "1"}), links);
  // What capacity 1 carries is what a byte takes.
  EXPECT_EQ(costs({rated, "--unit", "50Gbit/s"}),
            (CostConstants{.ts = 2, .tx = 1.6e-4, .in_microseconds = true}));
  EXPECT_EQ(costs({rated, "--ts", "7us"}), (CostConstants{.ts = 7, .tx = 8e-5, .in_microseconds = true}));
  EXPECT_EQ(costs({rated, "--ts", "7"}), (CostConstants{.ts = 7, .tx = 8e-5, .in_microseconds = true}));
  EXPECT_EQ(costs({rated, "--tx", "1ns/B"}), (CostConstants{.ts = 2, .tx = 1e-3, .in_microseconds = true}));
  EXPECT_EQ(costs({rated, "--machine", "t3d"}), find_machine("t3d").cost);
  EXPECT_EQ(costs({rated, "--loggp", "1us,1us,1us,1ns/B"}),
            costs({"ring(3)", "--loggp", "1us,1us,1us,1ns/B"}));
  // Latencies alone leave bytes to the usual machine, and bandwidths alone the start-up.
  EXPECT_EQ(costs({"edges(\"a b 3us\")"}),
            (CostConstants{.ts = 3, .tx = default_machine().cost.tx, .in_microseconds = true}));
  EXPECT_EQ(costs({"edges(\"a b 1GB/s\")"}), (CostConstants{.ts = 1, .tx = 1e-3, .in_microseconds = true}));
  // Of a faulty network those of the links that are left.
  EXPECT_EQ(costs({"edges(\"a b 100Gbit/s 2us, b c 400Gbit/s 500ns, a c 400Gbit/s 500ns\")", "--without",
                   "link a b"}),
            (CostConstants{.ts = 0.5, .tx = 8e-5, .in_microseconds = true}));
}

}  // namespace network_options_test
}  // namespace quadrille
