#include "quadrille/options/argument_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/whole_number.h"

namespace quadrille {
namespace argument_parser_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// What a command might ask for.
struct Wishes {
  std::string network{};
  std::string output{};
  uint32_t pieces = 1;
  double ts = 1;
  double tx = 0;
  std::optional<uint32_t> root{};
  std::vector<std::string> pair{};
  bool json = false;
  ArgumentParser app{"quadrille plan"};

  Wishes() {
    app.add_option("TOPOLOGY", network, "the network");
    app.add_option("-o,--output", output, "where to")->type_name("FILE");
    app.add_option("--pieces", pieces, "of a block")->type_name("P")->check(whole_number_error);
    app.add_option("--ts", ts, "times")->type_name("T")->group("costs");
    app.add_option("--tx", tx, "times")->type_name("T")->group("costs");
    app.add_option("--root", root, "which node")->type_name("NODE");
    Argument* two = app.add_option("--paths", pair, "between two")->type_name("A B")->expected(2);
    app.add_flag("--json", json, "as JSON")->excludes(two);
  }

  bool read(std::vector<std::string> words) { return app.read(words); }
  std::string error_of(std::vector<std::string> words) {
    try {
      (void)app.read(words);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST(ArgumentParser, SetsWhatIsGivenAndCountsIt) {
  Wishes wishes;
  ASSERT_TRUE(wishes.read({"ring(4)", "--pieces=3", "-o", "x.plan", "--ts", "2.5", "--paths", "0", "1"}));
  EXPECT_EQ(wishes.network, "ring(4)");
  EXPECT_EQ(wishes.output, "x.plan");
  EXPECT_EQ(wishes.pieces, 3U);
  EXPECT_EQ(wishes.ts, 2.5);
  EXPECT_FALSE(wishes.root);
  EXPECT_THAT(wishes.pair, ElementsAre("0", "1"));
  EXPECT_EQ(wishes.app.count("-o"), 1U);
  EXPECT_EQ(wishes.app.count("--output"), 1U);
  EXPECT_EQ(wishes.app.count("--tx"), 0U);
}

TEST(ArgumentParser, LeavesWhatIsNotGiven) {
  Wishes wishes;
  ASSERT_TRUE(wishes.read({"--root", "7", "--json"}));
  EXPECT_EQ(wishes.network, "");
  EXPECT_EQ(wishes.pieces, 1U);
  EXPECT_EQ(wishes.root, 7U);
  EXPECT_TRUE(wishes.json);
}

TEST(ArgumentParser, IsAskedForHelp) {
  EXPECT_FALSE(Wishes().read({"ring(4)", "--help"}));
  EXPECT_FALSE(Wishes().read({"-h"}));
}

TEST(ArgumentParser, NamesTheNearestOption) {
  EXPECT_EQ(Wishes().error_of({"--peices", "3"}),
            "quadrille plan has no option --peices; did you mean '--pieces'?");
  EXPECT_EQ(Wishes().error_of({"ring(4)", "ring(5)"}), "quadrille plan does not expect 'ring(5)'");
}

TEST(ArgumentParser, RefusesValuesThatDoNotFit) {
  EXPECT_THAT(Wishes().error_of({"--pieces", "many"}), HasSubstr("--pieces"));
  EXPECT_EQ(Wishes().error_of({"--root", "many"}), "--root: 'many' is not a whole number that fits");
  EXPECT_EQ(Wishes().error_of({"--output", ""}),
            "-o,--output: '' is given; allowed is FILE, or to leave the option out");
  EXPECT_THAT(Wishes().error_of({"--paths", "0"}), HasSubstr("quadrille plan --help shows the arguments"));
  EXPECT_THAT(Wishes().error_of({"--json", "--paths", "0", "1"}), HasSubstr("excludes"));
}

TEST(ArgumentParser, LaysOutTheHelp) {
  const Wishes wishes;
  EXPECT_EQ(wishes.app.usage(), "quadrille plan [TOPOLOGY] [options]");
  EXPECT_THAT(wishes.app.help_lines(),
              ElementsAre(Pair("TOPOLOGY", "the network"), Pair("-o, --output FILE", "where to"),
                          Pair("--pieces P", "of a block"), Pair("--ts/--tx T", "times"),
                          Pair("--root NODE", "which node"), Pair("--paths A B", "between two"),
                          Pair("--json", "as JSON")));
}

}  // namespace argument_parser_test
}  // namespace quadrille
