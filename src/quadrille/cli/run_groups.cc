#include "quadrille/cli/run_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_groups.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/thread_each.h"

namespace quadrille {
namespace run_groups_parts {
namespace {

void require_one_for_all(const RunOptions& options) {
  const auto refuse = [](bool given, const char* option) {
    if (given) throw InputError(fmt::format("--groups: {} is for the plan of one collective", option));
  };
  refuse(!options.source.plan.empty(), "--plan");
  refuse(options.local, "--local");
  refuse(options.slices, "--slices");
  refuse(options.sync != "stated", "--sync");
  refuse(options.source.algorithm != "auto", "--algorithm");
}

std::vector<JobResult> run_at_once(const GroupPlan& plan, const std::vector<JobOptions>& wanted) {
  uint64_t threads = 0;
  for (const PlannedGroup& group : plan.groups) threads += group.group.ranks.size();
  if (threads > kMaxThreadRanks)
    throw InputError(fmt::format("the groups have {} ranks, and at most {} threads are started",
                                 with_thousands(threads), with_thousands(uint64_t{kMaxThreadRanks})));
  std::vector<JobResult> out(plan.groups.size());
  thread_each(
      static_cast<uint32_t>(out.size()), "groups",
      [&](uint32_t i) { out[i] = run_on_threads(*plan.groups[i].schedule, wanted[i]); }, [] {});
  return out;
}

void report_runs(const GroupPlan& plan, const std::vector<JobResult>& jobs, const RunOptions& options,
                 Report& report) {
  JobResult all;
  double slowest = 0;
  uint64_t ranks = 0;
  Json each = Json::array();
  for (size_t i = 0; i < jobs.size(); ++i) {
    const double median = median_of(jobs[i].times);
    all.messages += jobs[i].messages;
    all.bytes_sent += jobs[i].bytes_sent;
    all.bytes_checked += jobs[i].bytes_checked;
    all.wrong_bytes += jobs[i].wrong_bytes;
    slowest = std::max(slowest, median);
    ranks += plan.groups[i].group.ranks.size();
    Json one = Json::object();
    one.set("collective", std::string(name_of(plan.groups[i].group.kind)));
    one.set("algorithm", plan.groups[i].head.algorithm);
    one.set("bytes_checked", jobs[i].bytes_checked);
    one.set("wrong_bytes", jobs[i].wrong_bytes);
    one.set("seconds", median);
    each.push(std::move(one));
  }
  report.add_text("groups", fmt::format("{}, at the same time", jobs.size()));
  report.add_json("groups", std::move(each));
  report.add("steps", with_thousands(plan.steps), plan.steps);
  report.add("verdict", "verified: every group by itself, and all together on links and ports, no violations",
             "passed");
  report.add("ranks", fmt::format("{}, one thread each", ranks), ranks);
  report.add("messages", with_thousands(all.messages), all.messages);
  report.add_json("block_bytes", options.bytes());
  report.add("bytes moved", fmt::format("{} between ranks", with_thousands(all.bytes_sent)), all.bytes_sent);
  report.add("bytes checked", with_thousands(all.bytes_checked), all.bytes_checked);
  report.add("wrong bytes", with_thousands(all.wrong_bytes), all.wrong_bytes);
  report.add("slowest group", times_text(std::vector<double>{slowest}), slowest);
}

}  // namespace
}  // namespace run_groups_parts

int run_all_groups(const RunOptions& options, const std::string& groups, Console& console) {
  using run_groups_parts::report_runs;
  using run_groups_parts::require_one_for_all;
  using run_groups_parts::run_at_once;
  require_one_for_all(options);
  ProblemOptions problem = options.source.problem;
  problem.bytes.clear();  // plans of groups go by steps; messages have their size all the same
  const GroupPlan plan = planned_groups(problem, groups, options.source.wishes(), console);
  std::vector<JobOptions> wanted;
  for (const PlannedGroup& group : plan.groups) wanted.push_back(options.job(group.head.problem));
  const std::vector<JobResult> jobs =
      while_waiting(console, "running the groups", [&] { return run_at_once(plan, wanted); });
  Report out;
  report_runs(plan, jobs, options, out);
  out.print(console.out, options.json);
  if (std::ranges::all_of(jobs, [](const JobResult& job) { return job.correct(); })) return kExitOk;
  console.err << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kExitInternalError;
}

}  // namespace quadrille
