#include "quadrille/cli/conventions/common_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace common_options_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CommonOptionsTest : public ::testing::Test {
 protected:
  CommonOptionsTest() {
    app_.add_flag("--json", json_, "as JSON");
    app_.add_option("-o,--output", output_, "a file");
  }
  CommonOptions take(const std::vector<std::string>& words) { return take_common_options(words, app_); }

  ArgumentParser app_{"quadrille test"};
  bool json_ = false;
  std::string output_{};
};

TEST_F(CommonOptionsTest, AreTakenOutOfTheOthers) {
  const CommonOptions none = take({"ring(3)", "-o", "a.plan"});
  EXPECT_THAT(none.words, ElementsAre("ring(3)", "-o", "a.plan"));
  EXPECT_FALSE(none.quiet);
  EXPECT_FALSE(none.for_programs);
  const CommonOptions quiet = take({"--quiet", "ring(3)", "--format", "table"});
  EXPECT_THAT(quiet.words, ElementsAre("ring(3)"));
  EXPECT_TRUE(quiet.quiet);
  EXPECT_FALSE(quiet.for_programs);
}

TEST_F(CommonOptionsTest, AFormIsTheOptionThatTheCommandHas) {
  EXPECT_THAT(take({"--format", "json"}).words, ElementsAre("--json"));
  EXPECT_THAT(take({"--format=json"}).words, ElementsAre("--json"));
  EXPECT_TRUE(take({"--format=json"}).for_programs);
  EXPECT_TRUE(take({"-o", "-"}).for_programs);
  EXPECT_EQ(error_of([&] {
              (void)take({"--format", "csv"});
            }),
            "--format: 'csv' is given; allowed are table, json here");
  EXPECT_EQ(error_of([&] { (void)take({"--format="}); }),
            "--format: '' is given; allowed are table, json here");
  EXPECT_THAT(error_of([&] { (void)take({"--format"}); }), HasSubstr("a value is missing"));
  const ArgumentParser bare("quadrille bare");
  EXPECT_EQ(error_of([&] { (void)take_common_options(std::vector<std::string>{"--format=json"}, bare); }),
            "--format: 'json' is given; there is only table here");
}

TEST_F(CommonOptionsTest, NothingIsTakenAfterTwoDashes) {
  EXPECT_THAT(take({"a", "--", "--quiet", "--format"}).words, ElementsAre("a", "--", "--quiet", "--format"));
  EXPECT_FALSE(take({"--", "--quiet"}).quiet);
  EXPECT_FALSE(asks_for_json(std::vector<std::string>{"plan", "--", "--json"}));
  EXPECT_TRUE(asks_for_json(std::vector<std::string>{"plan", "--format", "json"}));
  EXPECT_FALSE(asks_for_json(std::vector<std::string>{"plan", "--format"}));
}

}  // namespace common_options_test
}  // namespace quadrille
