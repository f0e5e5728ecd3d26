#include "quadrille/cli/completion/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/cli/command.h"

namespace quadrille {
namespace completion_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OfferedCommand& command(const std::vector<OfferedCommand>& all, std::string_view name) {
  return *std::ranges::find(all, name, &OfferedCommand::name);
}
const OfferedOption& option(const OfferedCommand& of, const std::string& name) {
  return *std::ranges::find_if(of.options, [&](const OfferedOption& o) { return o.names.back() == name; });
}

TEST(Completion, KnowsEveryCommandAndItsValues) {
  const std::vector<OfferedCommand> all = offered_commands();
  EXPECT_EQ(all.size(), command_catalog().names().size());
  const OfferedCommand& plan = command(all, "plan");
  EXPECT_THAT(option(plan, "--switching").value.words, ElementsAre("packet", "wormhole", "shared"));
  EXPECT_THAT(option(plan, "--algorithm").value.lists, ElementsAre("algorithms"));
  EXPECT_TRUE(option(plan, "--output").value.files);
  EXPECT_THAT(option(plan, "--output").names, ElementsAre("-o", "--output"));
  EXPECT_THAT(option(plan, "--format").value.words, ElementsAre("table", "json", "csv"));
  EXPECT_TRUE(option(plan, "--quiet").value_name.empty());
  EXPECT_THAT(plan.arguments.lists, ElementsAre("collectives", "topologies"));
  EXPECT_TRUE(command(all, "verify").arguments.files);
  EXPECT_TRUE(command(all, "show").arguments.files);  // a network may be a file
  EXPECT_THAT(command(all, "list").arguments.words, Contains("machines"));
}

TEST(Completion, ScriptsQuoteWhatShellsWouldRead) {
  const std::vector<OfferedCommand> odd = {
      {"odd",
       "it's [a]: b\\c",
       {{{"-x", "--x-y"}, "it's [a]: b", "HOW", {.words = {"one", "two"}}}},
       {.files = true}}};
  EXPECT_THAT(zsh_completion(odd), HasSubstr("'odd:it'\\''s \\[a\\]\\: b\\\\c'"));
  EXPECT_THAT(zsh_completion(odd), HasSubstr("'*--x-y[it'\\''s \\[a\\]\\: b]:HOW:(one two)'"));
  EXPECT_THAT(fish_completion(odd), HasSubstr("-s x -l x-y -x -a 'one two' -d 'it\\'s [a]: b'"));
  EXPECT_THAT(bash_completion(odd), HasSubstr("'odd -x'|'odd --x-y') COMPREPLY=($(compgen -W \"one two\""));
}

}  // namespace completion_test
}  // namespace quadrille
