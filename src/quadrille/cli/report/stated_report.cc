#include "quadrille/cli/report/stated_report.h"

#include <string>
#include <vector>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

Json json_of(const std::vector<std::string>& sentences) {
  Json out = Json::array();
  for (const std::string& sentence : sentences) out.push(sentence);
  return out;
}

}  // namespace

void report_stated(const StatedCheck& check, Report& report) {
  std::vector<std::string> counts;
  if (!check.falsehoods.empty()) counts.push_back(plural(check.falsehoods.size(), "false statement"));
  if (!check.unchecked.empty())
    counts.push_back(plural(check.unchecked.size(), "stated bound") + " not checked");
  if (!counts.empty()) report.add_text("stated", join(counts));
  report.add_json("false_claims", json_of(check.falsehoods));
  report.add_json("not_checked", json_of(check.unchecked));
  report.add_json("proved", json_of(check.proved));
}

}  // namespace quadrille
