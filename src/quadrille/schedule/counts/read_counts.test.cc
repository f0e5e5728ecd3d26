#include "quadrille/schedule/counts/read_counts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base/random.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace read_counts_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Endpoints 0, 1 and 3; node 2 routes.
Topology switched() {
  TopologyBuilder builder("switched", 4);
  for (const uint32_t v : {0U, 1U, 3U}) builder.link(NodeId{v}, NodeId{2});
  builder.endpoints({NodeId{0}, NodeId{1}, NodeId{3}});
  return builder.build();
}

Counts read(std::string_view text, std::string_view spec = "ring(4)") {
  return read_counts(parse_topology(spec), text, "c");
}

std::string error_in(std::string_view text, std::string_view spec = "ring(4)") {
  return error_of([&] { (void)read(text, spec); });
}

// 0-1: 3, 2-2: 1, 3-0: 2.
const Counts& example() {
  static const Counts counts(4, {{Rank{0}, Rank{1}, 3}, {Rank{2}, Rank{2}, 1}, {Rank{3}, Rank{0}, 2}});
  return counts;
}

TEST(ReadCounts, SaysTheSameOfEveryForm) {
  const std::string_view dense = "0 3 0 0\n0 0 0 0\n0 0 1 0\n2 0 0 0\n";
  EXPECT_EQ(read(dense), example());
  EXPECT_EQ(read("# who to whom\n\n 0, 3 ,0,0\n0,0,0,0\r\n0,0,1,0\n2,0,0,0"), example());
  EXPECT_EQ(read("0;3;0;0\n0;0;0;0\n0;0;1;0\n2;0;0;0\n"), example());
  EXPECT_EQ(read("0 3.0 0 0\n0 0 0 0\n0 0 1.000e+00 0\n2 0 0 0\n"), example());
  EXPECT_EQ(read("from to count\n0 1 3\n3 0 2  # back\n2 2 1\n1 3 0\n"), example());
  EXPECT_EQ(read("0 1 3\n3 0 2\n2 2 1\n"), example());
  EXPECT_EQ(read("From,To,Count\n0,1,3\n3,0,2\n2,2,1\n"), example());
  EXPECT_EQ(read("\"0\"\t\"1\"\t3\n3\t0\t2\n2\t2\t1"), example());
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer general\n% remark\n4 4 3\n1 2 3\n4 1 2\n3 3 1\n"),
            example());
  EXPECT_EQ(read("%%matrixmarket MATRIX Array Real General\n4 4\n0\n0\n0\n2\n3 0 0 0\n0 0 1 0 0 0 0 0\n"),
            example());
}

TEST(ReadCounts, SaysHowItReadThreeNumbersALineOfThreeNodes) {
  const auto remarks = [](std::string_view text, const Topology& topology) {
    std::vector<std::string> out;
    (void)read_counts(topology, text, "c", &out);
    return out;
  };
  const Topology ring = parse_topology("ring(3)");
  EXPECT_THAT(
      remarks("0 1 2\n1 2 5\n2 0 1\n", ring),
      ElementsAre("c: three lines of three numbers were read as a matrix, a line for each sender; where they "
                  "are: from, to, count, the first line must say: from,to,count"));
  EXPECT_THAT(remarks("0 1 2\n\n1 2 5\n", ring),
              ElementsAre(StartsWith("c: 2 lines of three numbers were read as")));
  EXPECT_THAT(remarks("0,1,2\n", ring),
              ElementsAre(StartsWith("c: 1 line of three numbers was read as: from, to")));
  // Endpoints of a network of four nodes.
  EXPECT_THAT(remarks("0 1 2\n1 3 5\n3 0 1\n", switched()), ElementsAre(HasSubstr("as a matrix")));
  // One reading alone: a node 7, a pair twice, four lines, a header, another size.
  EXPECT_THAT(remarks("0 7 2\n1 2 5\n2 0 1\n", ring), IsEmpty());
  EXPECT_THAT(remarks("0 1 2\n0 1 5\n2 0 1\n", ring), IsEmpty());
  EXPECT_THAT(remarks("0 1 2\n1 2 5\n2 0 1\n2 1 1\n", ring), IsEmpty());
  EXPECT_THAT(remarks("from,to,count\n0,1,2\n1,2,5\n2,0,1\n", ring), IsEmpty());
  EXPECT_THAT(remarks("0 1 2\n1 2 5\n2 0 1\n", parse_topology("ring(4)")), IsEmpty());
}

TEST(ReadCounts, KnowsHeadersAndColumnsOfNames) {
  const Topology ring = parse_topology("ring(4)");
  const auto entries = [&](const std::string& text) {
    const Counts counts = read_counts(ring, text, "c.csv");
    return std::vector<Counts::Entry>(counts.entries().begin(), counts.entries().end());
  };
  const auto expected = entries("from to count\n0 1 5\n2 3 1\n");
  const auto same = [&](const std::string& text) {
    return std::ranges::equal(entries(text), expected, [](const Counts::Entry& a, const Counts::Entry& b) {
      return a.from == b.from && a.to == b.to && a.count == b.count;
    });
  };
  EXPECT_TRUE(same("src,dst,count\n0,1,5\n2,3,1\n"));
  EXPECT_TRUE(same("source,destination,bytes\n0,1,5\n2,3,1\n"));
  EXPECT_TRUE(same("Count;To;From\n5;1;0\n1;3;2\n"));
  EXPECT_TRUE(same(",0,1,2,3\n0,0,5,0,0\n1,0,0,0,0\n2,0,0,0,1\n3,0,0,0,0\n"));
  // Rows in any order.
  EXPECT_TRUE(same(",0,1,2,3\n2,0,0,0,1\n1,0,0,0,0\n0,0,5,0,0\n3,0,0,0,0\n"));
  const auto error = [&](const std::string& text) { return error_of([&] { (void)entries(text); }); };
  EXPECT_THAT(error(",0,1,2,3\n0,0,5,0,0\n"), HasSubstr("the matrix has 1 row and 4 columns"));
  EXPECT_THAT(error(",0,1,2,3\n4,0,5,0,0\n"), HasSubstr("no column is called '4' as this row is"));
  EXPECT_THAT(error(",0,1,2,3\n0,0,5,0,0\n0,0,5,0,0\n"), HasSubstr("a second row is called '0'"));
  EXPECT_THAT(error(",a,1,2,3\n"), HasSubstr("ring(4) has no node 'a'"));
}

TEST(ReadCounts, NumbersAreThoseOfTheWholeNetwork) {
  const Topology left = parse_topology("without(ring(5);\"node 0\")");
  const Counts counts = read_counts(left, "from to count\n4 1 2\n", "c.txt");
  EXPECT_EQ(counts.entries()[0].from, Rank{3});
  EXPECT_EQ(counts.entries()[0].to, Rank{0});
  EXPECT_THAT(error_of([&] { (void)read_counts(left, "from to count\n0 1 2\n", "c.txt"); }),
              HasSubstr("node 0 is not left of without(ring(5);\"node 0\")"));
}

TEST(ReadCounts, MirrorsWhatIsSymmetric) {
  const Counts both(3, {{Rank{0}, Rank{1}, 1}, {Rank{1}, Rank{0}, 1}, {Rank{2}, Rank{2}, 1}});
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", "ring(3)"), both);
  EXPECT_EQ(read("%%MatrixMarket matrix array integer symmetric\n3 3\n0 1 0\n0 0\n1\n", "ring(3)"), both);
}

TEST(ReadCounts, KnowsNodesByTheirLabels) {
  const Counts counts = read("(1,0) (0,1) 4\n\"(0,0)\",\"(1,1)\",2\n", "mesh(2,2)");
  EXPECT_EQ(counts, Counts(4, {{Rank{2}, Rank{1}, 4}, {Rank{0}, Rank{3}, 2}}));
}

TEST(ReadCounts, TakesAMatrixOfEndpointsOrOfNodes) {
  const Topology net = switched();
  const Counts wanted(3, {{Rank{0}, Rank{2}, 5}, {Rank{2}, Rank{1}, 1}});
  EXPECT_EQ(read_counts(net, "0 0 5\n0 0 0\n0 1 0\n", "c"), wanted);
  EXPECT_EQ(read_counts(net, "0 0 0 5\n0 0 0 0\n0 0 0 0\n0 1 0 0\n", "c"), wanted);
  EXPECT_EQ(read_counts(net, "0 3 5\n3 1 1\n", "c"), wanted);
  EXPECT_EQ(read_counts(net, "from to count\n0 3 5\n3 1 1\n0 0 0\n", "c"), wanted);
  EXPECT_THAT(error_of([&] { (void)read_counts(net, "0 0 0 5\n0 0 0 0\n0 1 0 0\n0 0 0 0\n", "c"); }),
              ::testing::AllOf(StartsWith("c:3:3: "), HasSubstr("node 2 of switched only routes")));
  EXPECT_THAT(error_of([&] { (void)read_counts(net, "0 3 1\n0 2 1\n", "c"); }), StartsWith("c:2:1: "));
}

TEST(ReadCounts, OfNothingIsAHeaderOrAMatrixOfNoughts) {
  EXPECT_EQ(read("from to count\n").num_blocks(), 0U);
  EXPECT_EQ(read("0 0\n0 0\n", "line(2)").num_blocks(), 0U);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer general\n4 4 0\n").num_blocks(), 0U);
  EXPECT_EQ(read("7\n", "line(1)").num_blocks(), 7U);
  EXPECT_THAT(error_in("# nothing\n"), HasSubstr("the file holds no counts"));
}

TEST(ReadCounts, SaysWhereAMistakeIs) {
  struct Row {
    std::string_view text;
    std::string_view place;
    std::string_view words;
  };
  const std::vector<Row> rows = {
      {"0 1 3\n1 2 -4\n", "c:2:5: ", "cannot be negative"},
      {"0 1 3\n1 2 1.5\n", "c:2:5: ", "a whole number of blocks, not 1.5"},
      {"0 1 3\n1 2 x\n", "c:2:5: ", "'x' is no count"},
      {"0 1 3\n1 2 nan\n", "c:2:5: ", "'nan' is no count"},
      {"0 1 3\n1 4 1\n", "c:2:3: ", "has no node '4'; give a number from 0 to 3"},
      {"0 1 3\n1 2 4294967295\n", "c:2:5: ", "at most 4294967294"},
      {"0 1 3\n1 2 1e99\n", "c:2:5: ", "at most"},
      {"0 1 3\n1 2\n", "c:2:3: ", "from, to, count; this one has 2 fields"},
      {"0 1 3\n2 3 1\n0 1 3\n", "c:3:1: ", "a second count from 0 to 1"},
      {"0 1\n", "c:1:1: ", "a line of 2 fields: ring(4) has 4 endpoints"},
      {"0 0 0 0\n0 0 0 0\n0 0 0\n0 0 0 0\n", "c:3:5: ", "row 3 has 3 counts, and the rows before it have 4"},
      {"0 0 0 0\n0 0 0 0\n0 0 0 0\n", "c:4:1: ", "3 rows and 4 columns"},
      {"0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n", "c:5:1: ", "a row too many"},
      {"0 0 0 0\n0 0 -1 0\n", "c:2:5: ", "cannot be negative"},
      {"0,0,,0\n", "c:1:5: ", "a count is missing"},
      {"%%MatrixMarket matrix coordinate complex general\n", "c:1:34: ", "'complex'"},
      {"%%MatrixMarket matrix coordinate integer skew-symmetric\n", "c:1:42: ", "general or symmetric"},
      {"%%MatrixMarket vector\n", "c:1:1: ", "the first line of Matrix Market"},
      {"%%MatrixMarket matrix array pattern general\n", "c:1:29: ", "an array has values"},
      {"%%MatrixMarket matrix coordinate integer general\n", "c:2:1: ", "the size of the matrix is missing"},
      {"%%MatrixMarket matrix coordinate integer general\n4 4\n", "c:2:1: ", "rows, columns and entries"},
      {"%%MatrixMarket matrix coordinate integer general\n5 5 1\n1 1 1\n", "c:2:1: ", "a matrix of 5 x 5"},
      {"%%MatrixMarket matrix coordinate integer general\n4 4 1\n0 1 1\n", "c:3:1: ", "1 to 4"},
      {"%%MatrixMarket matrix coordinate integer general\n4 4 1\n1 1 1\n2 2 1\n", "c:4:1: ", "too many"},
      {"%%MatrixMarket matrix coordinate integer general\n4 4 2\n1 1 1\n",
       "c:4:1: ", "2 entries were announced"},
      {"%%MatrixMarket matrix coordinate real general\n4 4 1\n1 2 .5\n", "c:3:5: ", "whole number"},
      {"%%MatrixMarket matrix coordinate integer general\n4 4 2\n1 2 1\n1 2 1\n",
       "c:4:1: ", "a second count"},
      {"%%MatrixMarket matrix array integer general\n4 4\n1 2 3\n",
       "c:4:1: ", "missing from row 4 of column 1"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(error_in(row.text), ::testing::AllOf(StartsWith(row.place), HasSubstr(row.words)))
        << row.text;
  }
  EXPECT_THAT(error_in("0 1 4000000000\n1 0 4000000000\n"),
              HasSubstr("c: the counts add up to 8000000000 blocks"));
}

TEST(ReadCounts, ReadsBackWhatIsWrittenInAnyForm) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const uint32_t n = 2 + static_cast<uint32_t>(seed);
    const Counts counts = mixed_counts(n, 5, seed);
    std::string sparse = "from to count\n";
    std::string market = fmt::format("%%MatrixMarket matrix coordinate integer general\n{0} {0} {1}\n", n,
                                     counts.entries().size());
    for (const Counts::Entry& e : counts.entries()) {
      sparse += fmt::format("{} {} {}\n", index(e.from), index(e.to), e.count);
      market += fmt::format("{} {} {}\n", index(e.from) + 1, index(e.to) + 1, e.count);
    }
    std::string dense;
    std::string array = fmt::format("%%MatrixMarket matrix array integer general\n{0} {0}\n", n);
    for (uint32_t s = 0; s < n; ++s) {
      for (uint32_t t = 0; t < n; ++t) {
        dense += fmt::format("{}{}", t == 0 ? "" : ",", counts.count(Rank{s}, Rank{t}));
        array += fmt::format("{}\n", counts.count(Rank{t}, Rank{s}));
      }
      dense += "\n";
    }
    const std::string spec = fmt::format("complete({})", n);
    for (const std::string& text : {sparse, market, dense, array})
      EXPECT_EQ(read(text, spec), counts) << text;
  }
}

// Any bytes are counts or a refusal.
TEST(ReadCounts, RefusesOrReadsWhateverItIsGiven) {
  Rng rng(5);
  constexpr std::string_view kPieces[] = {"0 ",          "1 ",
                                          "3\n",         ",",
                                          "\n",          "-",
                                          "1e9",         "%%MatrixMarket matrix ",
                                          "coordinate ", "integer ",
                                          "general\n",   "array ",
                                          "#",           "from to count\n",
                                          "\"",          "(",
                                          "x",           "\0",
                                          "2 2 1\n"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t i = rng.below(14); i > 0; --i) text += kPieces[rng.below(std::size(kPieces))];
    try {
      EXPECT_LE(read(text, "line(2)").num_ranks(), 2U);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("c:"));
    }
  }
}

}  // namespace read_counts_test
}  // namespace quadrille
