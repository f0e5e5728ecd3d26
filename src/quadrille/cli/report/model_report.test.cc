#include "quadrille/cli/report/model_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "quadrille/cli/command.h"
#include "quadrille/cli/command_outcome.test.h"
#include "quadrille/model/machine.h"

namespace quadrille {
namespace model_report_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCosts =
    R"("costs": {
      "ts": 1.0,
      "tx": 8e-05,)";

TEST(ModelReport, ColumnsOfTheHeaderAreThoseOfARow) {
  const Model model{.send = kOnePort, .switching = Switching::kShared, .cost = default_machine().cost};
  const std::string row = model_csv(model);
  EXPECT_EQ(std::ranges::count(row, ','), std::ranges::count(model_csv_header(), ','));
  EXPECT_THAT(row, HasSubstr("1,all,shared,one,"));
  EXPECT_THAT(row, EndsWith(",links_100g,1,8e-05,0,0,0,us"));
  EXPECT_THAT(model_csv({}), EndsWith(",,1,0,0,0,0,"));
}

TEST(ModelReport, ComparisonsSayInJsonWhatWasCompared) {
  const CommandOutcome known = run_line("compare broadcast line(3) --bytes 1K --ports one --json");
  ASSERT_EQ(known.exit_code, kExitOk) << known.err;
  EXPECT_THAT(known.out, HasSubstr(R"("send_ports": "1")"));
  EXPECT_THAT(known.out, HasSubstr(R"("switching": "packet")"));
  EXPECT_THAT(known.out, HasSubstr(R"("machine": "links_100g")"));
  EXPECT_THAT(known.out, HasSubstr(kCosts));
  EXPECT_THAT(known.out, HasSubstr(R"("time_unit": "us")"));
  const CommandOutcome own = run_line("compare broadcast line(3) --bytes 1K --ts 2 --tx 1 --json");
  EXPECT_THAT(own.out, HasSubstr(R"("machine": null)"));
  EXPECT_THAT(own.out, HasSubstr(R"("time_unit": null)"));
}

TEST(ModelReport, AndInEveryRowOfCsv) {
  const CommandOutcome out = run_line("compare broadcast line(3) --bytes 1K,1M --switching wormhole --csv");
  ASSERT_EQ(out.exit_code, kExitOk) << out.err;
  EXPECT_THAT(out.out, HasSubstr(std::string(",next_time,") + std::string(model_csv_header()) + "\n"));
  size_t rows = 0;
  for (size_t at = 0; (at = out.out.find(",wormhole,", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 2U);
}

TEST(ModelReport, ExplainNamesTheMachine) {
  const CommandOutcome known = run_line("explain broadcast --on line(3) --bytes 1K --json");
  EXPECT_THAT(known.out, HasSubstr(R"("machine": "links_100g")")) << known.err;
  EXPECT_THAT(known.out, HasSubstr(R"("tx": 8e-05)"));
  EXPECT_THAT(known.out, HasSubstr(R"("send_ports": "all")"));
}

// A plan, a comparison and an explanation of the same are priced, or refused, alike.
TEST(ModelReport, OneQuestionHasOneAnswer) {
  const std::string what = " broadcast line(3) --bytes 1K ";
  for (const std::string command : {"plan", "compare", "plan --compare", "explain"}) {
    std::string line = command + what;
    if (command == "explain") line = "explain broadcast --on line(3) --bytes 1K ";
    const CommandOutcome refused = run_line(line + "--ts 2");
    EXPECT_EQ(refused.exit_code, kExitBadInput) << line;
    EXPECT_THAT(refused.err, HasSubstr("error: --bytes: with these constants no time depends on the size"));
    for (const char* costs : {"--ts 2us", "--tx 2", "--tl 1us", "--machine t3d", "--ts 2 --rho 1"}) {
      const CommandOutcome taken = run_line(line + costs);
      EXPECT_EQ(taken.exit_code, kExitOk) << line << costs << taken.err;
    }
    EXPECT_THAT(run_line(line + "--ts 2us").out, HasSubstr("2 us a start-up, 0.08 ns a byte (100 Gbit/s)"));
  }
  EXPECT_THAT(run_line("compare broadcast line(3) --ts 2").err, HasSubstr("error: compare: with these"));
  EXPECT_THAT(run_line("plan broadcast line(3) --ts 2").err, Not(HasSubstr("error")));
}

}  // namespace
}  // namespace model_report_test
}  // namespace quadrille
