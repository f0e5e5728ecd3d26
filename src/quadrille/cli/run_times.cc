#include "quadrille/cli/run_times.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quadrille {

void report_times(const Problem& problem, const RunOptions& options, std::span<const double> seconds,
                  Report& report) {
  report.add("time", times_text(seconds), std::accumulate(seconds.begin(), seconds.end(), 0.0));
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  report.add_json("time_min", *least);
  report.add_json("time_median", median_of(seconds));
  report.add_json("time_max", *most);
  const Bandwidth rate = bandwidth_of(problem.collective(), options.bytes(), median_of(seconds));
  Json json = Json::object();
  json.set("algorithm", rate.algorithm).set("bus", rate.bus);
  report.add("bandwidth", to_text(rate), std::move(json));
}

}  // namespace quadrille
