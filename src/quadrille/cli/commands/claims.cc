// quadrille claims: what the papers claim, and what became of it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/claims/claims.h"
#include "quadrille/cli/claims_check.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace claims_parts {
namespace {

struct ClaimsOptions {
  std::string paper{};
  std::string verdict{};
  bool check = false;
  bool markdown = false;
  bool json = false;
  bool csv = false;

  [[nodiscard]] bool wants(const Paper& each) const { return paper.empty() || paper == each.key; }
  [[nodiscard]] bool wants(const PaperClaim& claim) const {
    return verdict.empty() || verdict == to_text(claim.verdict);
  }
};

// Refuses names that no paper and no verdict has.
void check_names(ClaimsOptions& options) {
  std::vector<std::string_view> keys;
  for (const Paper& paper : papers()) keys.push_back(paper.key);
  if (!options.paper.empty() && std::find(keys.begin(), keys.end(), options.paper) == keys.end()) {
    throw ValueError(fmt::format("--paper: no paper is called '{}'; there are {}", options.paper, join(keys)),
                     {.of = "--paper", .given = options.paper, .allowed = {keys.begin(), keys.end()}});
  }
  if (options.verdict == "not_yet") options.verdict = "not yet";
  std::vector<std::string_view> verdicts;
  for (const ClaimVerdict verdict : kClaimVerdicts) verdicts.push_back(to_text(verdict));
  if (!options.verdict.empty() &&
      std::find(verdicts.begin(), verdicts.end(), options.verdict) == verdicts.end()) {
    throw ValueError(
        fmt::format("--verdict: '{}' is none of {}", options.verdict, join(verdicts)),
        {.of = "--verdict", .given = options.verdict, .allowed = {verdicts.begin(), verdicts.end()}});
  }
}

void print_counts(std::ostream& out) {
  Table table({"paper", "holds", "corrected", "superseded", "not yet"});
  for (const Paper& paper : papers()) {
    std::vector<std::string> row = {std::string(paper.key)};
    for (const ClaimVerdict verdict : kClaimVerdicts) row.push_back(fmt::format("{}", count(paper, verdict)));
    table.row(std::move(row));
  }
  out << table.text()
      << "\nquadrille claims --paper PAPER, or --verdict corrected, prints the claims themselves.\n";
}

void print_claims(const ClaimsOptions& options, std::ostream& out) {
  bool first = true;
  for (const Paper& paper : papers()) {
    if (!options.wants(paper)) continue;
    out << (first ? "" : "\n") << wrap(paper.citation, 0) << "\n";
    first = false;
    for (const PaperClaim& claim : paper.claims) {
      if (!options.wants(claim)) continue;
      out << fmt::format("\n{}: {}\n  {}\n", claim.item, to_text(claim.verdict), wrap(claim.statement, 2));
      if (!claim.note.empty()) out << fmt::format("  Note: {}\n", wrap(claim.note, 2));
      for (const Recomputation& each : claim.checks) {
        out << fmt::format("  $ {}\n    {}{}{}\n", each.command,
                           each.over.empty() ? "" : fmt::format("for {}: ", each.over), each.expect,
                           each.falsehood.empty() ? "" : fmt::format("; not {}", each.falsehood));
      }
      if (!claim.test.empty()) out << fmt::format("  Test: {}\n", claim.test);
    }
  }
}

Json checks_of(const PaperClaim& claim) {
  Json checks = Json::array();
  for (const Recomputation& each : claim.checks) {
    Json check = Json::object();
    check.set("command", each.command).set("expect", each.expect);
    if (!each.over.empty()) check.set("over", each.over);
    if (!each.falsehood.empty()) check.set("falsehood", each.falsehood);
    checks.push(std::move(check));
  }
  return checks;
}

void print_json(const ClaimsOptions& options, std::ostream& out) {
  Json all = Json::array();
  for (const Paper& paper : papers()) {
    if (!options.wants(paper)) continue;
    Json rows = Json::array();
    for (const PaperClaim& claim : paper.claims) {
      if (!options.wants(claim)) continue;
      Json row = Json::object();
      row.set("item", claim.item).set("statement", claim.statement).set("verdict", to_text(claim.verdict));
      if (!claim.checks.empty()) row.set("checks", checks_of(claim));
      if (!claim.test.empty()) row.set("test", claim.test);
      if (!claim.note.empty()) row.set("note", claim.note);
      rows.push(std::move(row));
    }
    Json one = Json::object();
    one.set("paper", paper.key).set("citation", paper.citation).set("claims", std::move(rows));
    all.push(std::move(one));
  }
  out << all.text();
}

void print_csv(const ClaimsOptions& options, std::ostream& out) {
  out << "paper,item,verdict,statement,note,test\n";
  for (const Paper& paper : papers()) {
    if (!options.wants(paper)) continue;
    for (const PaperClaim& claim : paper.claims) {
      if (!options.wants(claim)) continue;
      out << fmt::format("{},{},{},{},{},{}\n", csv_word(paper.key), csv_word(claim.item),
                         csv_word(to_text(claim.verdict)), csv_word(claim.statement), csv_word(claim.note),
                         csv_word(claim.test));
    }
  }
}

int check(const ClaimsOptions& options, Console& console) {
  uint64_t good = 0;
  uint64_t bad = 0;
  uint64_t commands = 0;
  uint64_t falsehoods = 0;
  for (const Paper& paper : papers()) {
    if (!options.wants(paper)) continue;
    for (const PaperClaim& claim : paper.claims) {
      if (claim.checks.empty() || !options.wants(claim)) continue;
      const ClaimCheck result = while_waiting(console, fmt::format("{}, {}", paper.key, claim.item),
                                              [&] { return check_claim(claim); });
      ++(result.as_expected ? good : bad);
      commands += result.commands;
      falsehoods += result.falsehoods;
      if (result.as_expected) continue;
      console.out << fmt::format("{}, {}: {} from\n$ {}\n{}\n", paper.key, claim.item, result.fault,
                                 result.command, result.output);
    }
  }
  console.out << fmt::format(
      "{} recomputed by {}, none of which prints any of {}: {} as the table says, {} not\n",
      plural(good + bad, "claim"), plural(commands, "command"), plural(falsehoods, "falsehood"), good, bad);
  return bad == 0 ? kExitOk : kExitBadPlan;
}

int claims(ClaimsOptions options, Console& console) {
  check_names(options);
  if (options.json && options.csv) throw InputError("--csv and --json: one of them, please");
  if (options.check) return check(options, console);
  if (options.markdown) {
    console.out << claims_page();
  } else if (options.json) {
    print_json(options, console.out);
  } else if (options.csv) {
    print_csv(options, console.out);
  } else if (options.paper.empty() && options.verdict.empty()) {
    print_counts(console.out);
  } else {
    print_claims(options, console.out);
  }
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ClaimsOptions>();
  app.add_option("--paper", options->paper, "only the claims of this paper")->type_name("PAPER");
  app.add_option("--verdict", options->verdict, "only these: holds, corrected, superseded, 'not yet'")
      ->type_name("VERDICT");
  app.add_flag("--check", options->check,
               "run the commands of every claim that has some, look for what they must print, and must not");
  app.add_flag("--markdown", options->markdown, "print all of docs/claims.md");
  constexpr const char* kForms = "print the claims as JSON; as CSV, a row for each";
  app.add_flag("--json", options->json, kForms)->group(kForms);
  app.add_flag("--csv", options->csv, kForms)->group(kForms);
  return [options](Console& console) { return claims(*options, console); };
}

}  // namespace
}  // namespace claims_parts

namespace commands {

extern const Command claims;

const Command claims{
    .name = "claims",
    .summary = "what the papers claim, and what became of each claim",
    .details =
        "Quadrille stands on five papers. Each theorem, lemma, table and figure has a row, and a verdict that "
        "commands or a test earn: holds, corrected, superseded or not yet.",
    .example = R"~($ quadrille claims --paper total_exchange_1998 --verdict corrected | head -9
V. V. Dimakopoulos and N. J. Dimopoulos, A Theory for Total Exchange in Multidimensional
Interconnection Networks, IEEE Transactions on Parallel and Distributed Systems 9(7), 1998

Section 5, rotation: corrected
  In exchange r in the copies of B the natural sequence 1..n-1 is rotated left by r positions.
  Note: By r-1, as (7) has it; smallest n = 3, in the first exchange.
  Test: ProductClaims.the_batches_of_b_are_turned_by_one_less_than_the_round

Section 5.1, meshes and tori: corrected
)~",
    .aside = true,
    .setup = claims_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
