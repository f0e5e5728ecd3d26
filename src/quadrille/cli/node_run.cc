#include "quadrille/cli/node_run.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/cli/run_times.h"
#include "quadrille/compile/local_choice.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/node_job.h"

namespace quadrille {
namespace {

void report_node_job(const RunOptions& options, const NodeJobResult& job, const Problem& problem,
                     Report& report) {
  const NodeResult& all = job.all;
  report.add("nodes",
             job.routers == 0
                 ? fmt::format("{}, one thread each", job.nodes)
                 : fmt::format("{}, one thread each, {} of them routers", job.nodes, job.routers),
             job.nodes);
  report.add_json("routers", job.routers);
  report.add("tables", plural(all.table_bytes, "byte") + " at the node that knows most", all.table_bytes);
  report.add("stored", plural(all.most_stored, "block") + " of others at once, at most, at one node",
             all.most_stored);
  report.add("messages",
             fmt::format("{} with {}", with_thousands(all.messages), message_text(problem, options.bytes())),
             all.messages);
  report.add("words", with_thousands(all.words) + " messages without a block", all.words);
  report.add_json("block_bytes", options.bytes());
  report.add_json("chunk_bytes", chunk_bytes(problem, options.bytes()));
  report.add_json("iterations", options.iterations);
  report.add("bytes moved", with_thousands(all.bytes_sent) + " between nodes", all.bytes_sent);
  report.add("bytes checked", with_thousands(all.bytes_checked), all.bytes_checked);
  report.add("wrong bytes", with_thousands(all.wrong_bytes), all.wrong_bytes);
  report_times(problem, options, all.times, report);
}

}  // namespace

int run_nodes_locally(const RunOptions& options, const ReportForm& form, Console& console) {
  const Problem problem =
      while_waiting(console, "building the network", [&] { return options.local_problem(); });
  say_remarks(problem.topology(), console);
  const LocalChoice choice = while_waiting(console, "choosing an algorithm", [&] {
    return choose_local_program(problem, options.source.algorithm, chunk_bytes(problem, options.bytes()));
  });
  Report report;
  report_problem(problem, report);
  report.add("algorithm", fmt::format("{}: {}", choice.program->name, choice.reason),
             std::string(choice.program->name));
  report.add("a node", std::string(choice.program->rule), std::string(choice.program->rule));
  report.add("knows", std::string(choice.program->knows), std::string(choice.program->knows));
  const NodeJobResult job = while_waiting(console, "running the nodes", [&] {
    return run_nodes_on_threads(*choice.program, problem, options.job(problem));
  });
  report_node_job(options, job, problem, report);
  report.print(console.out, form);
  if (job.correct()) return kExitOk;
  console.err << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kExitInternalError;
}

}  // namespace quadrille
