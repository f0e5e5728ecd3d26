// What the families of switches are drawn from: fields, global links, random regular graphs, folded Clos networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/topology/families/switched/finite_field.h"
#include "quadrille/topology/families/switched/global_links.h"
#include "quadrille/topology/families/switched/random_regular_graph.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace switched_test {
namespace {

TEST(FiniteField, ObeysTheAxioms) {
  for (const uint32_t q : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 16U, 25U, 27U}) {
    const std::optional<FiniteField> field = FiniteField::of(q);
    ASSERT_TRUE(field) << q;
    for (uint32_t a = 0; a < q; ++a) {
      EXPECT_EQ(field->add(a, 0), a);
      EXPECT_EQ(field->multiply(a, 1), a);
      EXPECT_EQ(field->multiply(a, 0), 0U);
      std::set<uint32_t> products;
      for (uint32_t b = 0; b < q; ++b) {
        EXPECT_EQ(field->add(field->subtract(a, b), b), a);
        products.insert(field->multiply(a, b));
        for (uint32_t c = 0; c < q; ++c)
          ASSERT_EQ(field->multiply(a, field->add(b, c)),
                    field->add(field->multiply(a, b), field->multiply(a, c)))
              << q;
      }
      EXPECT_EQ(products.size(), a == 0 ? 1U : q);
    }
  }
}

TEST(FiniteField, HasAPowerOfAPrimeOfElements) {
  for (const uint32_t q : {0U, 1U, 6U, 10U, 12U, 15U, 36U, 100U}) EXPECT_FALSE(FiniteField::of(q)) << q;
}

// Every group uses each port at most once, and as many meet every other group as the ports allow, one more or less.
TEST(GlobalLinks, JoinGroupsEvenly) {
  for (uint64_t ports = 1; ports <= 9; ++ports) {
    for (uint64_t groups = 2; groups <= most_groups(ports); ++groups) {
      std::map<std::pair<uint64_t, uint64_t>, uint64_t> links;
      std::set<std::pair<uint64_t, uint64_t>> used;
      for_each_global_link(groups, ports, [&](uint64_t x, uint64_t i, uint64_t y, uint64_t j) {
        ASSERT_LT(x, y);
        EXPECT_TRUE(used.insert({x, i}).second);
        EXPECT_TRUE(used.insert({y, j}).second);
        EXPECT_LT(std::max(i, j), ports);
        ++links[{x, y}];
      });
      const uint64_t whole = ports / (groups - 1);
      for (uint64_t x = 0; x < groups; ++x) {
        for (uint64_t y = x + 1; y < groups; ++y) {
          const uint64_t found = links[{x, y}];
          EXPECT_TRUE(found == whole || found == whole + 1) << ports << " " << groups;
        }
      }
      // A port stays free only where an odd number of ends is left over.
      EXPECT_GE(used.size() + groups, groups * ports);
    }
  }
}

TEST(RandomRegular, HasTheSameNumberOfLinksEverywhereAndIsTheSameForASeed) {
  for (const auto& [nodes, degree] : std::vector<std::pair<uint64_t, uint64_t>>{{1, 0},
                                                                                {2, 1},
                                                                                {3, 2},
                                                                                {4, 3},
                                                                                {5, 2},
                                                                                {6, 3},
                                                                                {9, 6},
                                                                                {10, 7},
                                                                                {50, 3},
                                                                                {40, 39},
                                                                                {41, 38},
                                                                                {300, 6}}) {
    for (const uint64_t seed : {1U, 2U, 99U}) {
      const std::vector<SwitchLink> links = random_regular_links(nodes, degree, seed);
      std::vector<uint64_t> degrees(nodes, 0);
      std::set<std::pair<uint32_t, uint32_t>> pairs;
      for (const SwitchLink& link : links) {
        ++degrees[link.a];
        ++degrees[link.b];
        EXPECT_NE(link.a, link.b);
        EXPECT_TRUE(pairs.insert({std::min(link.a, link.b), std::max(link.a, link.b)}).second);
      }
      EXPECT_EQ(degrees, std::vector<uint64_t>(nodes, degree));
      const std::vector<SwitchLink> again = random_regular_links(nodes, degree, seed);
      EXPECT_TRUE(
          std::equal(links.begin(), links.end(), again.begin(), again.end(),
                     [](const SwitchLink& a, const SwitchLink& b) { return a.a == b.a && a.b == b.b; }));
    }
  }
  EXPECT_FALSE(parse_topology("random_regular(30,3;1)").same_graph(parse_topology("random_regular(30,3;2)")));
}

TEST(FoldedClos, IsTheFatTreeOfEqualSwitches) {
  const Topology clos = parse_topology("clos(4)");
  EXPECT_TRUE(clos.same_graph(parse_topology("xgft(2,2,4;1,2,2)")));
  EXPECT_TRUE(parse_topology("clos(3,2,4)").same_graph(parse_topology("xgft(2,4;1,3)")));
  EXPECT_TRUE(parse_topology("xgft(4,2;1,1;1,4)").same_graph(parse_topology("fat_tree(4,2;exponential)")));
  // Hosts 0 to 15, edge switches 16 to 23, aggregation 24 to 31, core 32 to 35: host 5 is on the first edge switch of pod
  // 1, and core switch 2 a + j is above the aggregation switches number a.
  EXPECT_TRUE(clos.find_arc(NodeId{5}, NodeId{18}));
  for (uint32_t pod = 0; pod < 4; ++pod)
    for (uint32_t a = 0; a < 2; ++a)
      for (uint32_t j = 0; j < 2; ++j)
        EXPECT_TRUE(clos.find_arc(NodeId{24 + 2 * pod + a}, NodeId{32 + 2 * a + j}));
}

TEST(TwistedTorus, IsATorusWhereNothingIsTwisted) {
  EXPECT_TRUE(parse_topology("twisted_torus(4,6;0)").same_graph(parse_topology("torus(4,6)")));
  EXPECT_TRUE(parse_topology("twisted_torus(3,4,5;0,0)").same_graph(parse_topology("torus(3,4,5)")));
  const Topology twisted = parse_topology("twisted_torus(3,5;2)");
  EXPECT_TRUE(twisted.find_arc(NodeId{0}, NodeId{2 * 5 + 2}));
  EXPECT_FALSE(twisted.find_arc(NodeId{0}, NodeId{2 * 5}));
}

TEST(SwitchFamilies, SayWhatIsWrong) {
  const auto error_of = [](const std::string& spec) {
    try {
      static_cast<void>(parse_topology(spec));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"slim_fly(6)", "there is no field of 6 elements"},
      {"slim_fly(2)", "3"},
      {"dragonfly(1,2,1,4)", "number of groups"},
      {"dragonfly(1,2)", "dragonfly(p,a,h[,g])"},
      {"megafly(0,1,1,1)", "number of hosts of a leaf"},
      {"clos(5)", "half of a switch's ports lead up"},
      {"clos(1,2)", "clos(k) or clos(m,n,r)"},
      {"xgft(2,2;1)", "1 numbers for 2 levels"},
      {"random_regular(5,3)", "nodes times links must be even"},
      {"random_regular(4,4)", "fewer links than nodes"},
      {"jellyfish(4,3,0)", "number of hosts of a switch"},
      {"twisted_torus(4,4;1,1)", "2 twists for 2 sides"},
      {"twisted_torus(4,4;4)", "twist"},
      {"de_bruijn(1,3)", "number of digits"},
      {"kautz(4,40)", "more nodes than"},
      {"kautz(2,40)", "kautz"}};
  for (const auto& [spec, words] : wrong)
    EXPECT_NE(error_of(spec).find(words), std::string::npos) << spec << error_of(spec);
}

}  // namespace
}  // namespace switched_test
}  // namespace quadrille
