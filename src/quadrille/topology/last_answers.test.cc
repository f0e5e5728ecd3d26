#include "quadrille/topology/last_answers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "quadrille/base/search_limits.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace last_answers_test {

TEST(LastAnswers, AreFoundOnceForANetworkAndAKey) {
  LastAnswers<int, std::string> kept(2);
  int found = 0;
  const auto ask = [&](const char* spec, int key) {
    const Topology net = parse_topology(spec);
    return kept.of(net, key, [&] {
      ++found;
      return net.name() + std::to_string(key);
    });
  };
  EXPECT_EQ(ask("ring(4)", 1), "ring(4)1");
  EXPECT_EQ(ask("ring(4)", 1), "ring(4)1");
  EXPECT_EQ(found, 1) << "the same graph, made again";
  EXPECT_EQ(ask("ring(4)", 2), "ring(4)2");
  EXPECT_EQ(ask("ring(5)", 2), "ring(5)2");
  EXPECT_EQ(found, 3);
  EXPECT_EQ(ask("ring(4)", 2), "ring(4)2");
  EXPECT_EQ(found, 3) << "two are kept";
  EXPECT_EQ(ask("ring(4)", 1), "ring(4)1");
  EXPECT_EQ(found, 4) << "and no more";
}

TEST(LastAnswers, OfALargeNetworkStandAlone) {
  LastAnswers<int, int> kept(4);
  int found = 0;
  const auto ask = [&](const Topology& net, int key) { return kept.of(net, key, [&] { return ++found; }); };
  const Topology small = parse_topology("ring(4)");
  const Topology large = parse_topology("complete(600)");
  EXPECT_EQ(ask(small, 0), 1);
  EXPECT_EQ(ask(large, 0), 2);
  EXPECT_EQ(ask(large, 1), 3);
  EXPECT_EQ(ask(large, 0), 2);
  EXPECT_EQ(ask(small, 0), 4) << "it went when the large one came";
}

TEST(LastAnswers, WhatFailsIsAskedAgain) {
  LastAnswers<int, int> kept(1);
  const Topology net = parse_topology("ring(4)");
  EXPECT_THROW((void)kept.of(net, 0, []() -> int { throw std::runtime_error("not now"); }),
               std::runtime_error);
  EXPECT_EQ(kept.of(net, 0, [] { return 7; }), 7);
}

TEST(LastAnswers, WhatIsFoundOnceSearchesAreStoppedIsNotKept) {
  LastAnswers<int, int> kept(1);
  int found = 0;
  const auto ask = [&] { return kept.of(parse_topology("ring(4)"), 0, [&] { return ++found; }); };
  stop_searches();
  EXPECT_EQ(ask(), 1);
  let_searches_run();
  EXPECT_EQ(ask(), 2);
  EXPECT_EQ(ask(), 2);
}

TEST(LastAnswers, ThreadsWaitForWhoeverIsFindingIt) {
  LastAnswers<int, int> kept(1);
  const Topology net = parse_topology("ring(4)");
  std::atomic<int> found = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_EQ(kept.of(net, 0,
                        [&] {
                          std::this_thread::yield();
                          return ++found;
                        }),
                1);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 1);
}

}  // namespace last_answers_test
}  // namespace quadrille
