#include "quadrille/options/argument_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace argument_parser_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// What a command might ask for.
struct Wishes {
  std::string network{};
  std::string output{};
  uint32_t pieces = 1;
  std::string ts{};
  std::string tx{};
  std::optional<uint32_t> root{};
  std::optional<uint32_t> batches{};
  std::vector<std::string> pair{};
  bool json = false;
  ArgumentParser app{"quadrille plan"};

  Wishes() {
    app.add_option("TOPOLOGY", network, "the network");
    app.add_option("-o,--output", output, "where to")->type_name("FILE");
    app.add_option("--pieces", pieces, "of a block")->type_name("P")->range(1, 9);
    app.add_option("--ts", ts, "times")
        ->type_name("T")
        ->checked_by([](std::string_view value, std::string_view name) {
          if (value.starts_with('-')) throw InputError(std::string(name) + " is not below 0");
        })
        ->group("costs");
    app.add_option("--tx", tx, "times")->type_name("T")->group("costs");
    app.add_option("--batches", batches, "how many")->type_name("B")->range(2, 9)->word("auto", 0);
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
  EXPECT_EQ(wishes.ts, "2.5");
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

TEST(ArgumentParser, AWordStandsForANumber) {
  Wishes chosen;
  ASSERT_TRUE(chosen.read({"--batches", "auto"}));
  EXPECT_EQ(chosen.batches, 0U);
  Wishes said;
  ASSERT_TRUE(said.read({"--batches", "4"}));
  EXPECT_EQ(said.batches, 4U);
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

TEST(ArgumentParser, NamesAnUnknownOptionWhateverElseIsMissing) {
  ArgumentParser app("quadrille show");
  std::string network;
  app.add_option("TOPOLOGY", network, "the network")->required();
  const std::vector<std::string> words = {"--jsn"};
  try {
    (void)app.read(words);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "quadrille show has no option --jsn");
  }
}

TEST(ArgumentParser, SaysWhatIsMissing) {
  ArgumentParser app("quadrille plan");
  std::string a;
  std::string b;
  app.add_option("COLLECTIVE", a, "what")->required();
  app.add_option("TOPOLOGY", b, "where")->required();
  const auto error_of = [&app](std::vector<std::string> words) -> std::string {
    try {
      (void)app.read(words);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of({}),
            "COLLECTIVE and TOPOLOGY are missing: quadrille plan COLLECTIVE TOPOLOGY [options]\n"
            "  quadrille plan --help shows the arguments");
  EXPECT_EQ(error_of({"alltoall"}),
            "TOPOLOGY is missing: quadrille plan COLLECTIVE TOPOLOGY [options]\n"
            "  quadrille plan --help shows the arguments");
}

TEST(ArgumentParser, RefusesValuesThatDoNotFit) {
  EXPECT_EQ(Wishes().error_of({"--pieces", "many"}),
            "--pieces: 'many' is given; allowed is a whole number from 1 to 9");
  EXPECT_EQ(Wishes().error_of({"--pieces", "10"}),
            "--pieces: '10' is given; allowed is a whole number from 1 to 9");
  EXPECT_EQ(Wishes().error_of({"--pieces=-1"}),
            "--pieces: '-1' is given; allowed is a whole number from 1 to 9");
  EXPECT_EQ(Wishes().error_of({"--root", "4294967296"}),
            "--root: '4294967296' is given; allowed is a whole number from 0 to 4294967295");
  EXPECT_EQ(Wishes().error_of({"--ts", "-1"}), "--ts is not below 0");
  EXPECT_EQ(Wishes().error_of({"--batches", "0"}),
            "--batches: '0' is given; allowed is auto or a whole number from 2 to 9");
  for (const char* empty : {"--output=", "-o"}) {
    std::vector<std::string> words = {empty};
    if (words[0] == "-o") words.emplace_back("");
    EXPECT_EQ(Wishes().error_of(words),
              "-o,--output: '' is given; allowed is FILE, or to leave the option out");
  }
}

TEST(ArgumentParser, RefusesValuesThatAreMissingOrTooMany) {
  EXPECT_EQ(Wishes().error_of({"--pieces"}), "--pieces: a value is missing; it is written --pieces P");
  EXPECT_EQ(Wishes().error_of({"-o", "--pieces", "3"}),
            "-o,--output: a value is missing before --pieces; it is written --output FILE");
  EXPECT_EQ(Wishes().error_of({"-o", "--pieces=3"}),
            "-o,--output: a value is missing before --pieces=3; it is written --output FILE");
  EXPECT_EQ(Wishes().error_of({"--paths", "0"}), "--paths: 1 value is missing; it is written --paths A B");
  EXPECT_EQ(Wishes().error_of({"--paths"}), "--paths: 2 values are missing; it is written --paths A B");
  EXPECT_EQ(Wishes().error_of({"--pieces", "3", "--pieces=4"}), "--pieces is given twice: '3' and '4'");
  EXPECT_EQ(Wishes().error_of({"--json=yes"}), "--json takes no value; '--json=yes' is given");
  EXPECT_EQ(Wishes().error_of({"--json", "--paths", "0", "1"}), "--paths and --json do not go together");
}

TEST(ArgumentParser, ReadsShortNamesAndWhatFollowsTwoDashes) {
  Wishes attached;
  ASSERT_TRUE(attached.read({"-ox.plan"}));
  EXPECT_EQ(attached.output, "x.plan");
  Wishes pipe;
  ASSERT_TRUE(pipe.read({"-o", "-", "--json", "--json"}));
  EXPECT_EQ(pipe.output, "-");
  EXPECT_EQ(pipe.app.count("--json"), 2U);
  Wishes dashes;
  ASSERT_TRUE(dashes.read({"--", "--json"}));
  EXPECT_EQ(dashes.network, "--json");
  EXPECT_FALSE(dashes.json);
}

TEST(ArgumentParser, LaysOutTheHelp) {
  const Wishes wishes;
  EXPECT_EQ(wishes.app.usage(), "quadrille plan [TOPOLOGY] [options]");
  EXPECT_THAT(wishes.app.help_lines(),
              ElementsAre(Pair("TOPOLOGY", "the network"), Pair("-o, --output FILE", "where to"),
                          Pair("--pieces P", "of a block"), Pair("--ts/--tx T", "times"),
                          Pair("--batches B", "how many"), Pair("--root NODE", "which node"),
                          Pair("--paths A B", "between two"), Pair("--json", "as JSON")));
}

TEST(ArgumentParser, AnOptionOfAGroupMayBeCalledOtherwise) {
  ArgumentParser app("quadrille export");
  std::string time;
  std::string form;
  app.add_option("--to", time, "a time");
  app.rename("--to", "--message-time");
  app.add_option("--to", form, "a form");
  const std::vector<std::string> words = {"--to", "program", "--message-time", "2us"};
  EXPECT_TRUE(app.read(words));
  EXPECT_EQ(form, "program");
  EXPECT_EQ(time, "2us");
}

}  // namespace argument_parser_test
}  // namespace quadrille
