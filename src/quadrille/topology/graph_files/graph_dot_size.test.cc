#include "quadrille/topology/graph_files/graph_dot_size.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/graph_files/graph_reader.h"

namespace quadrille {
namespace graph_dot_size_test {

TEST(StatedDotEdges, AreCountedWithoutReadingTheGraph) {
  EXPECT_EQ(stated_dot_edges(""), 0U);
  EXPECT_EQ(stated_dot_edges("graph { a; b }"), 0U);
  EXPECT_EQ(stated_dot_edges("graph g { a -- b -- c; c -- a [capacity=2] d }"), 3U);
  EXPECT_EQ(stated_dot_edges("digraph { a -> b:port:ne -> c }"), 2U);
  EXPECT_EQ(stated_dot_edges("graph { rankdir=LR; node [shape=box]; a -- b }"), 1U);
  EXPECT_EQ(stated_dot_edges("graph { \"a -- b\" -- c /* d -- e */ // f -- g\n# h -- i\n}"), 1U);
}

TEST(StatedDotEdges, OfGroupsAreProducts) {
  EXPECT_EQ(stated_dot_edges("graph { {a b c} -- {d e} }"), 6U);
  EXPECT_EQ(stated_dot_edges("graph { {a b a b} -- {d e} -- f }"), 6U);
  EXPECT_EQ(stated_dot_edges("graph { subgraph A {a b c} subgraph B {d e} subgraph A -- subgraph B }"), 6U);
  EXPECT_EQ(stated_dot_edges("graph { {a -- b {c d}} -- {e; f [label=\"g -- h\"]} }"), 9U);
}

TEST(StatedDotEdges, AnyBytesHaveSomeNumber) {
  for (const char* text :
       {"{", "}", "graph {", "graph { a -- ", "graph { subgraph", "graph { a [", "graph { \"",
        "graph { a = ", "graph { a : ", "graph { -- -- }", "graph { { { } -- } }"}) {
    (void)stated_dot_edges(text);
  }
}

TEST(StatedDotEdges, AreNotReadWhereTheyAreTooMany) {
  const auto group = [](char name) {
    std::string out;
    for (int i = 0; i < 30'000; ++i) out += fmt::format("{}{};", name, i);
    return out;
  };
  const std::string text =
      fmt::format("graph {{ subgraph A {{{}}} -- subgraph B {{{}}} -- subgraph C {{{}}} }}", group('a'),
                  group('b'), group('c'));
  EXPECT_EQ(stated_dot_edges(text), 1'800'000'000U);
  try {
    (void)read_graph("x", "x.dot", text, GraphFormat::kDot);
    FAIL() << "more than most machines have";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                ::testing::MatchesRegex(
                    "x.dot states 1800000000 edges and needs about [0-9]+ GiB; this .*[0-9]+ GiB.*"));
  }
}

TEST(DotSize, ManyEdgesMustBeWrittenOneByOne) {
  // 9,000,000 edges in 40 KB: they would fit, but nobody would wait for them.
  std::string from;
  std::string to;
  for (int i = 0; i < 3'000; ++i) {
    from += fmt::format("a{};", i);
    to += fmt::format("b{};", i);
  }
  const std::string text = fmt::format("graph {{ {{{}}} -- {{{}}} }}", from, to);
  try {
    (void)read_graph("x", "x.dot", text, GraphFormat::kDot);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        fmt::format("x.dot states 9000000 edges in {} bytes: of edges that are written as products, like "
                    "{{a b}} -- {{c d}}, at most 4194304 are read",
                    text.size()));
  }
}

}  // namespace graph_dot_size_test
}  // namespace quadrille
