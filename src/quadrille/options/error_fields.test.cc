#include "quadrille/options/error_fields.h"

#include <gtest/gtest.h>

#include <map>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace error_fields_test {

ErrorFields fields(const std::string& message, const std::map<std::string, std::string>& given = {},
                   const std::optional<RefusedValue>& value = {}) {
  return error_fields(message, value, [&](std::string_view name, std::string_view) {
    const auto at = given.find(std::string(name));
    return at == given.end() ? std::nullopt : std::optional(at->second);
  });
}

TEST(ErrorFields, ASentenceIsAllThereIs) {
  const ErrorFields plain = fields("no such thing: none");
  EXPECT_EQ(plain.sentence, "no such thing: none");
  EXPECT_FALSE(plain.place);
  EXPECT_EQ(plain.excerpt, "");
  EXPECT_FALSE(plain.refused);
}

TEST(ErrorFields, APlaceIsTakenApart) {
  const InputError at = input_error_at("C:a.plan", "one\ntwo three\n", 8, 5, "what is: this");
  const ErrorFields placed = fields(at.what());
  EXPECT_EQ(placed.sentence, "what is: this");
  ASSERT_TRUE(placed.place);
  EXPECT_EQ(placed.place->source, "C:a.plan");
  EXPECT_EQ(placed.place->line, 2U);
  EXPECT_EQ(placed.place->column, 5U);
  EXPECT_EQ(placed.excerpt, "  two three\n      ^~~~~");
  EXPECT_FALSE(placed.refused);
}

TEST(ErrorFields, APlaceInAnArgumentIsOfItsValue) {
  const InputError at = input_error_at("topology", "torus(4,x)", 8, 1, "the side is a number");
  const ErrorFields placed = fields(at.what(), {{"topology", "torus(4,x)"}});
  ASSERT_TRUE(placed.refused);
  EXPECT_EQ(placed.refused->of, "topology");
  EXPECT_EQ(placed.refused->given, "torus(4,x)");
}

TEST(ErrorFields, TheOptionThatAMessageBeginsWithIsRefused) {
  for (const std::string message :
       {"--gap is 'x'; no", "--gap: 'x' is no number", "--gap x: nothing has one"}) {
    const ErrorFields said = fields(message, {{"--gap", "x"}});
    ASSERT_TRUE(said.refused) << message;
    EXPECT_EQ(said.refused->of, "--gap");
    EXPECT_EQ(said.refused->given, "x");
  }
  EXPECT_FALSE(fields("--gap and --effort: one of them", {{"--gap", "x"}}).refused);
  EXPECT_FALSE(fields("--gap: missing").refused);
  const RefusedValue known{.of = "--gap", .given = "y", .allowed = {"3%"}};
  EXPECT_EQ(fields("--gap is 'x'; no", {{"--gap", "x"}}, known).refused->given, "y");
}

}  // namespace error_fields_test
}  // namespace quadrille
