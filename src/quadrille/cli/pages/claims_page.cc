#include <fmt/format.h>

#include <algorithm>

#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/reproduce/exhibit.h"

namespace quadrille {
namespace {

std::string counts() {
  Table table({"paper", "holds", "corrected", "superseded", "not yet", "all"});
  for (const Paper& paper : papers()) {
    std::vector<std::string> row = {fmt::format("[{0}](#{0})", paper.key)};
    for (const ClaimVerdict verdict : kClaimVerdicts) row.push_back(fmt::format("{}", count(paper, verdict)));
    row.push_back(fmt::format("{}", paper.claims.size()));
    table.row(std::move(row));
  }
  return table.markdown();
}

// The table or figure that the row is about, computed anew beside what is printed.
std::string reproduced_by(const Paper& paper, const PaperClaim& claim) {
  for (const Exhibit* card : exhibits()) {
    if (card->paper == paper.key && covers(*card, claim))
      return fmt::format("; `quadrille reproduce {}`", card->name);
  }
  return "";
}

// "`quadrille show "line({n})"`: `diameter {n-1}` for n = 1..40; ...".
std::string recomputed_by(const Paper& paper, const PaperClaim& claim) {
  std::string out;
  for (const Recomputation& each : claim.checks) {
    if (!out.empty()) out += "; ";
    out += fmt::format("`{}`: `{}`", each.command, each.expect);
    if (!each.falsehood.empty()) out += fmt::format(", not `{}`", each.falsehood);
    if (!each.over.empty()) out += fmt::format(" for `{}`", each.over);
  }
  if (!claim.test.empty()) out += fmt::format("{}test `{}`", out.empty() ? "" : "; ", claim.test);
  return out + reproduced_by(paper, claim);
}

std::string rows_of(const Paper& paper) {
  Table table({"item", "claim", "verdict", "recomputed by"});
  for (const PaperClaim& claim : paper.claims) {
    std::string statement(claim.statement);
    if (!claim.note.empty()) statement += fmt::format(" **Note:** {}", claim.note);
    table.row({std::string(claim.item), std::move(statement), std::string(to_text(claim.verdict)),
               recomputed_by(paper, claim)});
  }
  return table.markdown();
}

}  // namespace

uint64_t count(const Paper& paper, ClaimVerdict verdict) {
  return static_cast<uint64_t>(
      std::count_if(paper.claims.begin(), paper.claims.end(),
                    [=](const PaperClaim& claim) { return claim.verdict == verdict; }));
}

std::string claims_page() {
  std::string out =
      "# Claims\n\n"
      "Quadrille stands on five papers. Here is every theorem, lemma, corollary, table and figure of theirs that\n"
      "asserts something, and what became of it. A verdict is earned by commands, which a test runs and which must\n"
      "print what is said beside them, formulas in braces worked out, or by a test of its own:\n\n- **holds**: as the paper has it.\n"
      "- **corrected**: not as the paper has it; the note says what is wrong, what recomputes it shows that and the right form.\n"
      "- **superseded**: true, but something better is known here; both are recomputed.\n"
      "- **not yet**: nothing recomputes it yet.\n\n"
      "`quadrille claims --check` runs all commands, and sees to it that none prints what it must with a number altered;\n"
      "the tests fail when a figure that they state for a paper is altered. `quadrille reproduce` prints tables and figures anew, beside what the\n"
      "papers print. This page is written by `quadrille docs claims`.\n\n";
  out += counts();
  for (const Paper& paper : papers()) {
    out += fmt::format("\n## {}\n\n{}.\n\n{}", paper.key, paper.citation, rows_of(paper));
    if (paper.key == "broadcast_tori_2000") out += broadcast_comparison();
  }
  return out + one_port_section() + "\n" + fat_tree_arities();
}

}  // namespace quadrille
