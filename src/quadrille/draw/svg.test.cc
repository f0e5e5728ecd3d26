#include "quadrille/draw/svg.h"

#include <gtest/gtest.h>

#include <limits>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "quadrille/base/value_error.h"
#include "quadrille/draw/colours.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace svg_test {

TEST(Svg, NumbersHaveTwoDecimalsAtMost) {
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(12.5), "12.5");
  EXPECT_EQ(svg_number(1.0 / 3), "0.33");
  EXPECT_EQ(svg_number(-0.004), "0");
  EXPECT_EQ(svg_number(-1.255), "-1.25");
  EXPECT_EQ(svg_number(0.05), "0.05");
  EXPECT_EQ(svg_number(-0.5), "-0.5");
}

TEST(Svg, IsWellFormedWhateverTheWords) {
  Svg page(100, 50);
  SvgPath path;
  path.move(1, 2).line(3.456, 4).close();
  page.stroke(path, {.dash = "2 1", .round = true});
  page.fill(path, "#fff", 0.5);
  page.open(1, 2, 0.5, 0.25, true);
  page.text(1, 2, "a <b> & \"c\"\n", {.bold = true, .halo = true});
  page.close();
  page.disc(1, 2, 3, "#fff", "#222", 0.6);
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(page.finish().c_str()));
  const pugi::xml_node svg = read.child("svg");
  EXPECT_STREQ(svg.attribute("width").value(), "100pt");
  EXPECT_STREQ(svg.attribute("viewBox").value(), "0 0 100 50");
  EXPECT_STREQ(svg.child("path").attribute("d").value(), "M1 2L3.46 4z");
  EXPECT_STREQ(svg.child("g").find_child_by_attribute("text", "x", "1").child_value(), "a <b> & \"c\" ");
}

TEST(Svg, APageHasASize) {
  EXPECT_EQ(error_of([] { Svg(0, 10); }),
            "a picture of 0 x 10 pt is not possible: up to 14400 pt either way");
}

TEST(Colours, GrowLighterAllTheWay) {
  double before = -1;
  for (int i = 0; i <= 50; ++i) {  // finer, rounding to whole channels shows
    const double light = luminance(cividis(i / 50.0));
    EXPECT_GT(light, before) << i;
    before = light;
  }
  EXPECT_EQ(to_hex(cividis(0)), "#00224e");
  EXPECT_EQ(to_hex(cividis(1)), "#fee838");
}

TEST(Svg, AWidthIsOneThatAPageCanHave) {
  for (const double wrong : {59.0, -5.0, 14401.0, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      require_width(wrong);
      ADD_FAILURE() << wrong;
    } catch (const ValueError& error) {
      EXPECT_EQ(error.value().of, "width");
      EXPECT_EQ(error.value().allowed, std::vector<std::string>{"60 to 14400"});
    }
  }
  require_width(60);
  require_width(14400);
}

TEST(Colours, ValuesAreDarkOnPaperAndEndsAreCut) {
  EXPECT_GT(luminance(value_colour(0)), luminance(value_colour(1)));
  EXPECT_LT(luminance(value_colour(0)), luminance(cividis(1)));
  EXPECT_EQ(value_colour(-1), value_colour(0));
  EXPECT_EQ(value_colour(7), value_colour(1));
}

}  // namespace svg_test
}  // namespace quadrille
