// What holds for every table and figure: each printed value is computed, or its misprint is named.
#include "quadrille/reproduce/exhibit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quadrille/claims/claims.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/sample.test.h"

namespace quadrille {
namespace exhibit_test {

using ::testing::HasSubstr;

class EveryExhibit : public ::testing::TestWithParam<const Exhibit*> {};

TEST_P(EveryExhibit, computes_what_is_printed_or_names_the_misprint) {
  const Exhibit& card = *GetParam();
  const bool takes_long = card.name == "meshes.table1" || card.name == "2000.fig8";
  if (takes_long && !Sample::whole()) GTEST_SKIP() << "half a minute with sanitizers; in make test-slow";
  const Reproduction made = card.make(Settings(card.name, card.parameters, {}));
  EXPECT_FALSE(made.sheets.empty());
  for (const Sheet& sheet : made.sheets) {
    EXPECT_FALSE(sheet.rows.empty()) << sheet.title;
    for (size_t r = 0; r < sheet.rows.size(); ++r) {
      ASSERT_EQ(sheet.rows[r].size(), sheet.columns.size()) << sheet.title << ", row " << r;
      for (size_t c = 0; c < sheet.columns.size(); ++c) {
        const Cell& cell = sheet.rows[r][c];
        EXPECT_TRUE(cell.agrees() || !cell.misprint.empty())
            << sheet.title << ", row " << r << ", " << sheet.columns[c].name << ": " << cell.text(6)
            << ", printed " << cell.printed;
      }
    }
    if (!sheet.curves) continue;
    EXPECT_LT(sheet.curves->over, sheet.columns.size());
    for (const size_t column : sheet.curves->columns) EXPECT_LT(column, sheet.columns.size());
  }
}

TEST_P(EveryExhibit, is_an_item_of_its_paper) {
  const Exhibit& card = *GetParam();
  bool found = false;
  for (const Paper& paper : papers()) found |= paper.key == card.paper;
  EXPECT_TRUE(found) << card.paper;
  EXPECT_THAT(std::string(card.name), HasSubstr("."));
  EXPECT_FALSE(card.title.empty());
  EXPECT_FALSE(card.method.empty());
}

TEST_P(EveryExhibit, takes_the_papers_parameters_within_the_range_that_it_states) {
  for (const Parameter& parameter : GetParam()->parameters) {
    EXPECT_FALSE(parameter.printed.empty()) << parameter.name;
    const std::vector<Given> same{
        {std::string(parameter.name), {parameter.printed.begin(), parameter.printed.end()}}};
    EXPECT_EQ(error_of([&] { Settings(GetParam()->name, GetParam()->parameters, same); }), "no error");
  }
}

INSTANTIATE_TEST_SUITE_P(Exhibits, EveryExhibit, ::testing::ValuesIn(exhibits().begin(), exhibits().end()),
                         [](const auto& tested) {
                           std::string name(tested.param->name);
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
                           return name;
                         });

TEST(Exhibits, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const Exhibit* card : exhibits()) EXPECT_TRUE(names.insert(card->name).second) << card->name;
}

TEST(Exhibits, are_found_by_name_by_end_and_by_paper) {
  EXPECT_EQ(exhibits_named("1999.table3").front()->name, "1999.table3");
  EXPECT_EQ(exhibits_named("1999.figure9").front()->name, "1999.fig9");
  EXPECT_EQ(exhibits_named("1999.Fig9").front()->name, "1999.fig9");
  EXPECT_EQ(exhibits_named("fig11").front()->name, "1999.fig11");
  EXPECT_GE(exhibits_named("1999").size(), 6U);
  EXPECT_EQ(exhibits_named("wormhole_tori_1999").size(), exhibits_named("1999").size());
}

TEST(Exhibits, that_are_unknown_list_those_that_exist) {
  EXPECT_THAT(error_of([] { static_cast<void>(exhibits_named("1999.table33")); }),
              HasSubstr("did you mean '1999.table3'? there are"));
  EXPECT_THAT(error_of([] { static_cast<void>(exhibits_named("nothing")); }),
              HasSubstr("1999.table3, 1999.table4, 1999.table5"));
}

TEST(Exhibits, that_only_draw_a_network_say_where_it_is_shown) {
  EXPECT_EQ(
      error_of([] { static_cast<void>(exhibits_named("1996.Fig2.5")); }),
      "1996.fig2.5 draws an extended ring and prints no value that could be computed anew; see quadrille "
      "show \"extended_ring(14,2)\"");
  EXPECT_THAT(error_of([] { static_cast<void>(exhibits_named("fig5.1")); }), HasSubstr("a 4 x 3 torus"));
}

TEST(Exhibits, say_what_the_claims_say) {
  EXPECT_THAT(verdict_on(*exhibits().find("1999.table4")), HasSubstr("corrected: C64 has 8d-15 start-ups"));
}

}  // namespace exhibit_test
}  // namespace quadrille
