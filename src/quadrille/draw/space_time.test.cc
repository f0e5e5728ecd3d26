#include "quadrille/draw/space_time.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/golden_file.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace space_time_test {

SpaceTime small() {
  SpaceTime out{.groups = {{"up", 2}, {"down", 1}}, .end = 4, .scale = {.name = "blocks", .largest = 2}};
  out.cells = {{0, 0, 1, 1}, {0, 1, 2, 1}, {1, 1, 2, 2}, {2, 3, 4, 1}};
  return out;
}

TEST(SpaceTime, RunsOfOneColourAreOneCell) {
  const std::string svg = space_time_svg(small());
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(svg.c_str()));
  const pugi::xml_node cells = read.child("svg").child("g");
  EXPECT_STREQ(cells.first_child().attribute("d").value(), "M0 0H2v1H0zM3 2H4v1H3z");
  EXPECT_STREQ(cells.last_child().attribute("d").value(), "M1 1H2v1H1z");
}

TEST(SpaceTime, ADiagramIsAsItWas) { expect_golden("testdata/draw/space_time.svg", space_time_svg(small())); }

TEST(SpaceTime, WithCharacters) {
  EXPECT_EQ(space_time_text(small()),
            "  up 11..\n"
            "     .2..\n"
            "down ...1\n"
            "     step: 1 to 4; digits: blocks\n");
}

TEST(SpaceTime, MoreThanFitsIsPutTogetherAsMeanOrGreatest) {
  SpaceTime much{
      .groups = {{"links", 1000}}, .end = 100'000, .scale = {.name = "busy", .largest = 1, .whole = false}};
  // Every other row is busy all the time, one of the others once.
  for (uint32_t row = 0; row < 1000; row += 2) much.cells.push_back({row, 0, 100'000, 1});
  much.mean = true;
  EXPECT_EQ(space_time_text(much, 20, 2).substr(0, 20), "links 55555555555555");
  much.mean = false;
  EXPECT_EQ(space_time_text(much, 20, 2).substr(0, 20), "links 99999999999999");
  EXPECT_LT(space_time_svg(much).size(), 20'000U);
}

TEST(SpaceTime, TimesMayBeAnything) {
  SpaceTime times{.groups = {{"links", 1}},
                  .end = 2.5,
                  .time_name = "time (us)",
                  .in_steps = false,
                  .scale = {.name = ""}};
  times.cells = {{0, 0.5, 1.25, 1}};
  EXPECT_EQ(space_time_text(times, 16, 5), "links ..111.....\n      time (us): 0 to 2.5\n");
  const std::string svg = space_time_svg(times);
  EXPECT_NE(svg.find(">time (us)<"), std::string::npos);
  EXPECT_NE(svg.find(">2.5<"), std::string::npos);
}

TEST(SpaceTime, WhatDoesNotExistIsRefused) {
  SpaceTime wrong = small();
  wrong.cells.push_back({3, 0, 1, 1});
  EXPECT_EQ(error_of([&] { return space_time_svg(wrong); }), "a cell is in row 4 of 3");
  wrong = small();
  wrong.cells.push_back({0, 3, 5, 1});
  EXPECT_EQ(error_of([&] { return space_time_svg(wrong); }),
            "a cell lasts from 3 to 5; time goes from 0 to 4");
  EXPECT_EQ(error_of([] { return space_time_svg({}); }),
            "a space-time diagram of nothing: it has no rows, or no time");
}

TEST(SpaceTime, RowsOfLinksAreThoseOfTheLayout) {
  const Topology net = parse_topology("torus(3,3)");
  const NetworkLayout layout = layout_of(net);
  const LinkRows rows = link_rows(layout);
  ASSERT_EQ(rows.groups.size(), 4U);
  for (const SpaceTime::Group& group : rows.groups) EXPECT_EQ(group.rows, 9U);
  EXPECT_EQ(rows.groups[0].name, "y+");
  const std::vector<ArcId> order = rows_of(layout);
  for (uint32_t r = 0; r < order.size(); ++r) EXPECT_EQ(rows.row[index(order[r])], r);
}

}  // namespace space_time_test
}  // namespace quadrille
