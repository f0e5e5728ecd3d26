#include "quadrille/base/json/json.h"

#include <gtest/gtest.h>

#include "quadrille/base/check.h"

namespace quadrille {
namespace json_test {

TEST(Json, prints_members_in_the_order_in_which_they_were_set) {
  Json json = Json::object();
  json.set("z", 1).set("a", true).set("none", Json()).set("text", "x\"y").set("half", 0.5);
  EXPECT_EQ(
      json.text(),
      "{\n  \"z\": 1,\n  \"a\": true,\n  \"none\": null,\n  \"text\": \"x\\\"y\",\n  \"half\": 0.5\n}\n");
}

TEST(Json, indents_what_lies_inside) {
  Json inner = Json::array();
  inner.push(Json::object()).push(Json::array().push(0.5));
  EXPECT_EQ(Json::object().set("rows", inner).text(),
            "{\n  \"rows\": [\n    {},\n    [\n      0.5\n    ]\n  ]\n}\n");
}

TEST(Json, prints_arrays_empty_ones_too) {
  Json json = Json::array();
  EXPECT_EQ(json.text(), "[]\n");
  json.push(-1).push(UINT64_MAX);
  EXPECT_EQ(json.text(), "[\n  -1,\n  18446744073709551615\n]\n");
}

TEST(Json, keeps_what_a_number_cannot_hold_as_text) {
  Json json = Json::array();
  json.push(Rational::of(32, 15)).push(Int128{1} << 100U).push(Int128{7});
  EXPECT_EQ(json.text(), "[\n  \"32/15\",\n  \"1267650600228229401496703205376\",\n  7\n]\n");
}

TEST(Json, repairs_text_that_is_not_utf8) {
  const std::string broken = "a\xff";
  EXPECT_EQ(Json(broken).text(), "\"a\xef\xbf\xbd\"\n");
}

TEST(Json, is_an_object_or_an_array_before_it_takes_parts) {
  Json json = Json::array();
  EXPECT_THROW(json.set("a", 1), InternalError);
  Json object = Json::object();
  EXPECT_THROW(object.push(1), InternalError);
  object.set("a", 1);
  EXPECT_THROW(object.set("a", 2), InternalError) << "a key comes once";
}

TEST(Json, is_looked_into_by_paths_of_keys_and_places) {
  Json inner = Json::object();
  inner.set("name", "x, y").set("whole", 3);
  Json json = Json::object();
  json.set("list", Json::array().push(1).push(std::move(inner))).set("none", Json()).set("good", false);
  const auto cell = [&](std::string_view path) {
    const Json* found = json.at(path);
    return found == nullptr ? "nothing there" : found->cell();
  };
  EXPECT_EQ(cell("list/0"), "1");
  EXPECT_EQ(cell("list/1/name"), "x, y");
  EXPECT_EQ(cell("list/1/whole"), "3");
  EXPECT_EQ(cell("good"), "no");
  EXPECT_EQ(cell("none"), "");
  for (const char* path : {"list/2", "list/-1", "list/x", "other", "good/deeper", "list/1/name/0", "/"})
    EXPECT_EQ(cell(path), "nothing there") << path;
}

}  // namespace json_test
}  // namespace quadrille
