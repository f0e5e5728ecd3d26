#include "quadrille/reproduce/simulated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/reproduce/judged.h"

namespace quadrille {
namespace simulated_test {
namespace {

using ::testing::HasSubstr;

Reproduction simulated(const char* name, const std::vector<Given>& given = {}) {
  const Exhibit& card = *exhibits().find(name);
  return reproduce_simulated(card, Settings(card.name, card.parameters, given));
}

std::vector<Cell> simulated_cells(const Reproduction& made) {
  std::vector<Cell> out;
  for (const Sheet& sheet : made.sheets) {
    for (const auto& row : sheet.rows) {
      for (const Cell& cell : row) {
        if (cell.simulated) out.push_back(cell);
      }
    }
  }
  return out;
}

TEST(SimulatedExhibits, StepsOfPacketsAreSteps) {
  for (const char* name : {"1996.fig3.4", "1996.fig4.4", "1996.fig6.3"}) {
    const Reproduction made = simulated(name);
    const std::vector<Cell> cells = simulated_cells(made);
    EXPECT_GE(cells.size(), 2U) << name;
    for (const Cell& cell : cells) EXPECT_DOUBLE_EQ(*cell.simulated, *cell.number()) << name;
    EXPECT_THAT(made.notes.back(), HasSubstr("All take what the formula says")) << name;
  }
}

TEST(SimulatedExhibits, WormsTakeTheWayOfTheirHeadsBesides) {
  const Reproduction made = simulated("1999.table3", {{"size", {4}}});
  bool found = false;
  for (const auto& row : made.sheets[0].rows) {
    if (row[1].text(0) != "T4") continue;
    found = true;
    // 10 steps in which the longest ways are 26 hops together, blocks of 64 flits.
    EXPECT_DOUBLE_EQ(row[3].simulated.value(), 1152 + 26.0 / 64);
    EXPECT_EQ(row[3].printed, "1002.67");
    EXPECT_FALSE(row[2].simulated);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(made.notes.back(), HasSubstr("with it they take what it says, to the cycle"));
  EXPECT_TRUE(made.sheets[0].is_simulated(3));
  EXPECT_FALSE(made.sheets[0].is_simulated(2));
}

TEST(SimulatedExhibits, FormulasHaveNothingToSimulate) {
  const Reproduction made = simulated("1999.table5");
  EXPECT_TRUE(simulated_cells(made).empty());
  EXPECT_THAT(made.notes.back(), HasSubstr("Simulated: nothing"));
}

TEST(SimulatedExhibits, NothingIsSimulatedUnlessAsked) {
  const Exhibit& card = *exhibits().find("1996.fig4.4");
  EXPECT_TRUE(simulated_cells(card.make(Settings(card.name, card.parameters, {}))).empty());
  EXPECT_FALSE(SimulatingScope::is_open());
}

}  // namespace
}  // namespace simulated_test
}  // namespace quadrille
