#include "quadrille/topology/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/topology/complete_facts.h"
#include "quadrille/topology/queries/bisection.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/symmetry.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace topology_catalog_test {

// Every claim of every card, against a search, on every sample of its family.
struct Sample {
  const Family* family;
  std::string spec;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.spec; }

std::vector<Sample> all_samples() {
  std::vector<Sample> out;
  for (const Family* family : family_catalog()) {
    for (const std::string_view spec : family->samples) out.push_back({family, std::string(spec)});
  }
  return out;
}

void expect_figure(std::string_view name, std::optional<Int128> card, Int128 found) {
  EXPECT_EQ(to_string(card.value_or(found)), to_string(found)) << name;
}

class TopologyConformance : public ::testing::TestWithParam<Sample> {
 protected:
  Topology net_ = parse_topology(GetParam().spec);
  TopologyFacts facts_ = topology_facts(parse_spec(GetParam().spec, "test"));
};

TEST_P(TopologyConformance, ItsNameIsASpecOfTheSameGraph) {
  EXPECT_EQ(facts_.spec, net_.name());
  const Topology again = parse_topology(net_.name());
  EXPECT_TRUE(again.same_graph(net_));
  EXPECT_EQ(again.name(), net_.name());
}

TEST_P(TopologyConformance, SizesAndDegreesAreAsOnTheCard) {
  expect_figure("nodes", facts_.nodes, net_.num_nodes());
  expect_figure("endpoints", facts_.endpoints, net_.num_endpoints());
  if (!net_.is_directed()) {
    expect_figure("arcs", 2 * facts_.links, net_.num_arcs());
  }
  uint32_t least = net_.num_nodes();
  uint32_t most = 0;
  for (const NodeId v : net_.nodes()) {
    least = std::min(least, net_.out_degree(v));
    most = std::max(most, net_.out_degree(v));
  }
  expect_figure("min degree", facts_.min_degree, least);
  expect_figure("max degree", facts_.max_degree, most);
}

TEST_P(TopologyConformance, DistancesAreAsOnTheCard) {
  const DistanceSummary found = searched_distance_summary(net_);
  expect_figure("diameter", facts_.diameter, found.diameter);
  expect_figure("min status", facts_.min_status, found.min_status);
  expect_figure("max status", facts_.max_status, found.max_status);
  const auto text = [](const Rational& value) { return value.to_string(); };
  EXPECT_EQ(text(facts_.average_status.value_or(found.average_status)), text(found.average_status));
  EXPECT_EQ(text(facts_.average_distance().value_or(found.average_distance)), text(found.average_distance));
}

TEST_P(TopologyConformance, TheGroupIsTheOneOfTheCard) {
  const CayleyStructure* cayley = net_.cayley();
  EXPECT_EQ(facts_.group, cayley == nullptr ? "" : cayley->group->name());
  if (cayley == nullptr) return;
  EXPECT_EQ(facts_.node_symmetric, std::optional<bool>(true));
  for (const NodeId x : net_.nodes()) {
    for (size_t k = 0; k < cayley->generators.size(); ++k) {
      const uint32_t to = cayley->group->multiply(static_cast<uint32_t>(index(x)), cayley->generators[k]);
      EXPECT_EQ(net_.head(cayley->arc(x, k)), NodeId{to});
    }
  }
}

// Bisections that are called proved are the cheapest; others are at least the price of a cut.
TEST_P(TopologyConformance, BisectionAndSymmetryAreAsOnTheCard) {
  const TopologyFacts complete = complete_facts(parse_spec(GetParam().spec, "test"));
  ASSERT_TRUE(complete.bisection && complete.diameter && complete.average_status && complete.min_status);
  EXPECT_EQ(complete.node_symmetric, std::optional<bool>(is_node_symmetric(net_)));
  if (facts_.node_symmetric) {
    EXPECT_EQ(facts_.node_symmetric, complete.node_symmetric);
  }
  if (net_.num_endpoints() == 1) {
    EXPECT_EQ(to_string(complete.bisection->capacity), "0");
    return;
  }
  const std::optional<FoundBisection> exact = exact_bisection(net_);
  if (!exact) return;
  EXPECT_TRUE(complete.bisection->proved);
  EXPECT_EQ(to_string(complete.bisection->capacity), std::to_string(exact->capacity));
  if (!facts_.bisection) return;
  if (facts_.bisection->proved) {
    EXPECT_EQ(to_string(facts_.bisection->capacity), std::to_string(exact->capacity));
  } else {
    EXPECT_GE(facts_.bisection->capacity, Int128{exact->capacity});
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, TopologyConformance, ::testing::ValuesIn(all_samples()));

TEST(TopologyCatalog, IsSortedAndItsWordsAreUnique) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> words;
  for (const Family* family : family_catalog()) {
    names.push_back(family->name);
    words.push_back(family->name);
    words.insert(words.end(), family->aliases.begin(), family->aliases.end());
    EXPECT_TRUE(family->syntax.substr(0, family->name.size() + 1) == std::string(family->name) + "(");
    EXPECT_FALSE(family->summary.empty());
    EXPECT_FALSE(family->parameters.empty());
    EXPECT_FALSE(family->numbering.empty());
    if (family->name != "file") {
      EXPECT_GE(family->samples.size(), 2U);
    }
    EXPECT_EQ(family_catalog().find(family->name), family);
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(TopologyCatalog, ClosedFormsNeedNoGraph) {
  const TopologyFacts facts = topology_facts(parse_spec("torus(1000^3)", "test"));
  EXPECT_EQ(facts.spec, "torus(1000,1000,1000)");
  EXPECT_EQ(to_string(facts.nodes), "1000000000");
  EXPECT_EQ(to_string(*facts.diameter), "1500");
  EXPECT_EQ(to_string(*facts.min_status), "750000000000");
  EXPECT_EQ(to_string(facts.bisection->capacity), "2000000");
  EXPECT_TRUE(facts.bisection->proved);
}

}  // namespace topology_catalog_test
}  // namespace quadrille
