#include "quadrille/base/json/json_cursor.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace json_cursor_test {

using std::string_view_literals::operator""sv;

std::string text_of(std::string_view json) { return JsonCursor(json, "x").string("a name"); }
std::string refusal(std::string_view json) {
  return error_of([&] { static_cast<void>(text_of(json)); });
}

TEST(JsonCursor, ReadsWhatItIsAskedFor) {
  JsonCursor in(R"( { "list": [1, 22,333] , "yes": true, "word": "b" } )", "x");
  std::vector<uint32_t> list;
  bool yes = false;
  size_t word = 0;
  const std::array keys{"word"sv, "list"sv, "yes"sv, "other"sv};
  const uint32_t seen = in.object("it", keys, 3, [&](size_t key) {
    if (key == 0) word = in.word("word", std::array{"a"sv, "b"sv});
    if (key == 1) in.array("list", [&] { list.push_back(in.number("an element")); });
    if (key == 2) yes = in.boolean("yes");
  });
  in.end();
  EXPECT_EQ(seen, 7U);
  EXPECT_EQ(list, (std::vector<uint32_t>{1, 22, 333}));
  EXPECT_TRUE(yes);
  EXPECT_EQ(word, 1U);
}

TEST(JsonCursor, ResolvesEscapes) {
  EXPECT_EQ(text_of(R"("a\"\\\/\b\f\n\r\t")"), "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(text_of(R"("\u0041\u00e9\u20AC\ud83c\udf0d")"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8d");
  EXPECT_EQ(text_of("\"\xc3\xa9\""), "\xc3\xa9");
}

TEST(JsonCursor, SaysWhereATextIsWrong) {
  EXPECT_EQ(refusal("12"), "x:1:1: a name is a text in quotes\n  12\n  ^");
  EXPECT_EQ(refusal(R"("ab)"), "x:1:4: a name: its quote is not closed\n  \"ab\n     ^");
  EXPECT_EQ(refusal("\"a\nb\"").substr(0, 6), "x:1:3:");
  EXPECT_EQ(refusal(R"("\x")"), "x:1:3: no escape begins with this character\n  \"\\x\"\n    ^");
  EXPECT_EQ(refusal(R"("\u12g4")").substr(0, 47), "x:1:6: four hexadecimal digits follow \\u\n  \"\\u1");
  for (const char* half : {R"("\ud83c")", R"("\udf0d")", R"("\ud83c\u0041")"})
    EXPECT_NE(refusal(half).find("half of a character's code is missing"), std::string::npos) << half;
}

TEST(JsonCursor, NumbersAreWholeAndSmall) {
  for (const char* bad : {"-1", "1.5", "1e3", "01", "4294967296", "99999999999999999999999", "x", ""}) {
    const std::string said = error_of([&] { static_cast<void>(JsonCursor(bad, "x").number("it")); });
    EXPECT_NE(said.find("it is a whole number from 0 to 4294967295"), std::string::npos) << bad;
  }
  EXPECT_EQ(JsonCursor("4294967295", "x").number("it"), UINT32_MAX);
  EXPECT_EQ(JsonCursor("0", "x").number("it"), 0U);
}

TEST(JsonCursor, HoldsObjectsToTheirKeys) {
  const std::array keys{"a"sv, "b"sv};
  const auto said = [&](std::string_view json) {
    const std::string all = error_of([&] {
      JsonCursor in(json, "x");
      static_cast<void>(in.object("it", keys, 1, [&](size_t) { static_cast<void>(in.number("a value")); }));
      in.end();
    });
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(said("[]"), "x:1:1: it is an object: '{' is missing here");
  EXPECT_EQ(said("{}"), "x:1:1: it: 'a' is missing");
  EXPECT_EQ(said(R"({"b": 1})"), "x:1:1: it: 'a' is missing");
  EXPECT_EQ(said(R"({"a": 1, "a": 2})"), "x:1:10: it: 'a' comes twice");
  EXPECT_EQ(said(R"({"c": 1})"), "x:1:2: it: a key cannot be 'c'; allowed are a, b");
  EXPECT_EQ(said(R"({"a" 1})"), "x:1:6: it: ':' is missing here");
  EXPECT_EQ(said(R"({"a": 1 "b": 2})"), "x:1:9: it: ',' is missing here");
  EXPECT_EQ(said(R"({"a": 1,})"), "x:1:9: it: a key is a text in quotes");
  EXPECT_EQ(said(R"({"a": 1} 2)"), "x:1:10: nothing may follow here");
  EXPECT_EQ(said(R"({"a": 1)"), "x:1:8: it: ',' is missing here");
}

}  // namespace json_cursor_test
}  // namespace quadrille
