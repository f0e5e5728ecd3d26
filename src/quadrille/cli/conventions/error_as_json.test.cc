#include "quadrille/cli/conventions/error_as_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace error_as_json_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::string as_json(const std::string& message, const std::vector<std::string>& words = {},
                    const std::optional<RefusedValue>& value = {}) {
  return error_as_json(message, 2, words, value);
}

TEST(ErrorAsJson, HasThePlaceInParts) {
  EXPECT_EQ(as_json("no such thing"), "{\n  \"error\": \"no such thing\",\n  \"status\": 2\n}\n");
  const InputError at = input_error_at("C:a.plan", "one\ntwo three\n", 8, 5, "what is: this");
  EXPECT_EQ(
      as_json(at.what()),
      "{\n  \"error\": \"what is: this\",\n  \"source\": \"C:a.plan\",\n  \"line\": 2,\n  \"column\": 5,\n"
      "  \"excerpt\": \"  two three\\n      ^~~~~\",\n  \"status\": 2\n}\n");
  EXPECT_THAT(as_json("a: b: c"), HasSubstr("\"error\": \"a: b: c\""));
  EXPECT_THAT(as_json(""), HasSubstr("\"error\": \"\""));
  EXPECT_THAT(as_json("several lines\n  of one sentence"), HasSubstr("lines\\n  of one sentence\""));
}

TEST(ErrorAsJson, SaysWhatIsRefusedAndWhatIsAllowed) {
  EXPECT_EQ(as_json("unknown switching 'x'; allowed are a, b", {"plan", "--switching", "x"},
                    RefusedValue{.of = "switching", .given = "x", .allowed = {"a", "b"}}),
            "{\n  \"error\": \"unknown switching 'x'; allowed are a, b\",\n  \"argument\": \"--switching\",\n"
            "  \"given\": \"x\",\n  \"allowed\": [\n    \"a\",\n    \"b\"\n  ],\n  \"status\": 2\n}\n");
  EXPECT_THAT(as_json("unknown", {}, RefusedValue{.of = "collective", .given = "x"}),
              HasSubstr("\"argument\": \"collective\""));
}

TEST(ErrorAsJson, FindsTheOptionThatAMessageBeginsWith) {
  const std::string units = "--bytes: 'Q' is no unit\n  4Q\n   ^";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"plan", "--bytes", "4Q"}, std::vector<std::string>{"--bytes=4Q"}}) {
    EXPECT_THAT(as_json(units, words), HasSubstr("\"argument\": \"--bytes\",\n  \"given\": \"4Q\""));
    EXPECT_THAT(as_json(units, words), HasSubstr("\"excerpt\": \"  4Q\\n   ^\""));
  }
  EXPECT_THAT(as_json("-o,--output: no", {"-o", "x"}), HasSubstr("\"given\": \"x\""));
  EXPECT_THAT(as_json("--gap is 'x'; no", {"--gap", "x"}), HasSubstr("\"argument\": \"--gap\""));
  EXPECT_THAT(as_json("--output is missing: all", {"plan"}), Not(HasSubstr("given")));
  EXPECT_THAT(as_json("--csv and --json: one", {"--csv", "--json"}), Not(HasSubstr("given")));
}

}  // namespace error_as_json_test
}  // namespace quadrille
