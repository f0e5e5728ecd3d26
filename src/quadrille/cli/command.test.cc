#include "quadrille/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "quadrille/claims/claims.h"
#include "quadrille/cli/claims_check.h"
#include "quadrille/cli/command_outcome.test.h"

namespace quadrille {
namespace command_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Command, the_catalog_is_sorted_and_every_card_is_filled_in) {
  std::string last;
  for (const Command* command : command_catalog()) {
    EXPECT_LT(last, command->name);
    last = command->name;
    EXPECT_EQ(command_catalog().find(command->name), command);
    EXPECT_FALSE(command->summary.empty()) << last;
    EXPECT_FALSE(command->details.empty()) << last;
    EXPECT_THAT(std::string(command->example), StartsWith("$ quadrille "));
    EXPECT_THAT(std::string(command->example), HasSubstr("$ quadrille " + last + " "));
    EXPECT_NE(command->setup, nullptr) << last;
  }
  EXPECT_EQ(command_catalog().find("plans"), nullptr);
}

TEST(Command, the_front_page_fits_a_terminal_of_80_by_24) {
  const std::vector<std::string> lines = lines_of(general_help());
  EXPECT_LT(lines.size(), 24u);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Command, every_help_is_one_screen_of_100_columns) {
  for (const Command* command : command_catalog()) {
    for (const std::string& line : lines_of(command_usage(*command))) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_LE(lines_of(command_help(*command)).size(), 50u) << command->name;
  }
}

TEST(Command, options_that_belong_together_share_a_line_of_the_help) {
  EXPECT_THAT(command_usage(*command_catalog().find("plan")), HasSubstr("  --ts/--tx/--tl/--rho T "));
}

TEST(Command, help_is_printed_on_demand_and_is_no_error) {
  EXPECT_EQ(run_line("--help").out, general_help());
  EXPECT_EQ(run_line("help show").out, command_help(*command_catalog().find("show")));
  EXPECT_EQ(run_line("show --help").out, command_help(*command_catalog().find("show")));
  EXPECT_EQ(run_line("show --help").exit_code, kExitOk);
}

TEST(Command, errors_go_to_err_and_leave_out_empty) {
  for (const char* line : {"show", "show ring(0)", "plan alltoall ring(4) --ports", "nonsense",
                           "verify no/such/file", "run alltoall ring(4) --bytes -1"}) {
    const CommandOutcome outcome = run_line(line);
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << line;
    EXPECT_THAT(outcome.out, IsEmpty()) << line;
    EXPECT_THAT(outcome.err, StartsWith("error: ")) << line;
  }
}

TEST(Command, output_that_cannot_be_written_is_an_error) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  Console console{in, out, err};
  const std::vector<std::string> words = {"list"};
  EXPECT_EQ(run_command(words, console), kExitBadInput);
  EXPECT_EQ(err.str(), "error: the output cannot be written\n");
}

TEST(Command, two_runs_print_the_same_bytes) {
  for (const char* line : {"plan alltoall mesh(3,3) --ports one --steps", "plan allgather ring(5) --json",
                           "show star(4) --json", "list --json"}) {
    EXPECT_EQ(run_line(line).out, run_line(line).out) << line;
    EXPECT_EQ(run_line(line).exit_code, kExitOk) << line;
  }
}

TEST(Command, a_problem_is_streamed_and_its_figures_are_the_predicted_ones) {
  const CommandOutcome outcome = run_line("plan alltoall torus(8,8) --ports one --algorithm alltoall_cayley");
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(squeezed(outcome.out),
              HasSubstr("steps 256 (predicted 256) lower bound 256 by average_status"));
}

TEST(SplitCommandLine, splits_at_blanks_and_keeps_what_quotes_hold) {
  EXPECT_THAT(split_command_line(""), IsEmpty());
  EXPECT_THAT(split_command_line("  show   \"ring(4)\" "), ElementsAre("show", "ring(4)"));
  EXPECT_THAT(split_command_line("a 'b c' d\"e f\"g '' "), ElementsAre("a", "b c", "de fg", ""));
  EXPECT_THAT(split_command_line("show 'file(\"net.gml\")'"), ElementsAre("show", "file(\"net.gml\")"));
}

TEST(Squeezed, makes_one_blank_of_many_and_takes_commas_out_of_numbers) {
  EXPECT_EQ(squeezed("  steps   32\n\n  (predicted\t32)\n"), "steps 32 (predicted 32) ");
  EXPECT_EQ(squeezed("1,024 of 1,048,576; 32, 57 and (1,24), (1,2,3)"),
            "1024 of 1048576; 32, 57 and (1,24), (1,2,3)");
  EXPECT_EQ(squeezed(""), "");
}

TEST(HasWords, finds_whole_words_and_numbers) {
  EXPECT_TRUE(has_words("steps 32 (predicted 32)", "steps 32"));
  EXPECT_FALSE(has_words("steps 32 (predicted 32)", "steps 3"));
  EXPECT_FALSE(has_words("steps 32 (predicted 32)", "2 (predicted"));
  EXPECT_TRUE(has_words("steps 3 (predicted 32)", "(predicted 32)"));
  EXPECT_TRUE(has_words("steps 32, 3", "3"));
  EXPECT_FALSE(has_words("steps", ""));
}

TEST(ClaimsCheck, plants_a_falsehood_in_every_number) {
  EXPECT_THAT(falsehoods("steps 9 (predicted 9) in 199 parts"),
              ElementsAre("steps 10 (predicted 10) in 199 parts", "steps 9 (predicted 9) in 200 parts"));
  EXPECT_THAT(falsehoods("node symmetric yes"), IsEmpty());
}

ClaimCheck check_of(Recomputation row) {
  PaperClaim claim;
  claim.checks = {row};
  return check_claim(claim);
}

TEST(ClaimsCheck, sees_a_claim_that_does_not_hold_and_a_command_that_fails) {
  const std::string_view ring = "quadrille show \"ring(47)\"";
  EXPECT_TRUE(check_of({.command = ring, .expect = "diameter 23 average distance"}).as_expected);
  EXPECT_FALSE(check_of({.command = ring, .expect = "diameter 24 average distance"}).as_expected);
  EXPECT_FALSE(check_of({.command = ring, .expect = "diameter 2"}).as_expected);
  const ClaimCheck refused = check_of({.command = "quadrille show \"ring(0)\"", .expect = "error"});
  EXPECT_FALSE(refused.as_expected);
  EXPECT_EQ(refused.exit_code, kExitBadInput);
  EXPECT_FALSE(check_claim(PaperClaim{}).as_expected);
}

TEST(ClaimsCheck, sees_a_claim_that_holds_for_some_sizes_only) {
  const std::string_view ring = "quadrille show \"ring({n})\"";
  const ClaimCheck right = check_of({.command = ring, .expect = "diameter {floor(n/2)}", .over = "n = 3..9"});
  EXPECT_TRUE(right.as_expected);
  EXPECT_EQ(right.commands, 7u);
  EXPECT_EQ(right.falsehoods, 7u);
  const ClaimCheck wrong =
      check_of({.command = ring, .expect = "diameter {max(2,floor(n/2))}", .over = "n = 3..9"});
  EXPECT_FALSE(wrong.as_expected);
  EXPECT_EQ(wrong.command, "quadrille show \"ring(3)\"");
  EXPECT_EQ(wrong.fault, "expected \"diameter 2\"");
}

TEST(ClaimsCheck, sees_a_check_that_nothing_could_make_fail) {
  const std::string_view ring = "quadrille show \"ring(4)\"";
  EXPECT_FALSE(check_of({.command = ring, .expect = "diameter"}).as_expected);
  EXPECT_TRUE(check_of({.command = ring, .expect = "node symmetric yes", .falsehood = "node symmetric no"})
                  .as_expected);
  EXPECT_FALSE(
      check_of({.command = ring, .expect = "node symmetric yes", .falsehood = "diameter 2"}).as_expected);
}

}  // namespace command_test
}  // namespace quadrille
