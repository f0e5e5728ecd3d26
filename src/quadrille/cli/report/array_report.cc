#include "quadrille/cli/report/array_report.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {

void report_arrays(const ArrayLayout& layout, Report& report) {
  std::string text = plural(layout.rearranged(), "block");
  Json before = Json::array();
  if (layout.rearrangements() > 0) {
    std::vector<std::string> steps;
    for (size_t a = 1; a < layout.arrangements.size(); ++a) {
      const uint32_t step = layout.arrangements[a].before_step + 1;
      steps.push_back(fmt::format("{}", step));
      before.push(step);
    }
    text += fmt::format(" by the busiest node, in {} (before step{} {})",
                        plural(layout.rearrangements(), "rearrangement"), steps.size() == 1 ? "" : "s",
                        join(steps));
  }
  report.add("rearranged", text, layout.rearranged());
  report.add_json("rearranged_before_steps", std::move(before));
}

}  // namespace quadrille
