#include "quadrille/options/run_options.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/wishes_options.h"

namespace quadrille {

Wishes RunOptions::wishes() const {
  Wishes out = source.wishes();
  out.block_bytes = bytes;
  out.arrays = slices;
  out.synchronisation = false;  // a run keeps its steps apart by itself
  return out;
}

Problem RunOptions::local_problem() const {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw InputError(fmt::format("--local makes no plan, {}: leave out {}", why, option));
  };
  refuse(!source.plan.empty(), "--plan", "nor does it take one");
  refuse(slices, "--slices", "so no arrays are laid out for it");
  refuse(source.problem.model.wants_queues(), "--queues", "so its queues are not judged");
  return problem_of(plan_source(source, "run", nullptr));
}

void add_run_options(ArgumentParser& app, RunOptions& options) {
  add_plan_source(app, options.source);
  add_slices_option(app, options.slices);
  app.add_flag(
      "--local", options.local,
      "every node decides for itself, from its address and a small table, routers too: no plan is made");
  add_bytes_option(app, options.bytes);
  app.add_option("--iterations", options.iterations, "how often to run it (default 1)")
      ->range(1)
      ->type_name("K");
  app.add_flag("--json", options.json, "print all figures as JSON");
}

}  // namespace quadrille
