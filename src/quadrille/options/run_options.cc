#include "quadrille/options/run_options.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/program/synchronisation.h"

namespace quadrille {
namespace {

struct SyncWord {
  std::string_view word;
  SyncWish wish;
};
constexpr std::array kSyncWords = {SyncWord{"stated", SyncWish::kStated}, SyncWord{"none", SyncWish::kNone},
                                   SyncWord{"barriers", SyncWish::kBarriers},
                                   SyncWord{"signals", SyncWish::kSignals},
                                   SyncWord{"priorities", SyncWish::kPriorities}};

}  // namespace

Wishes RunOptions::wishes() const {
  Wishes out = source.wishes();
  out.arrays = slices;
  out.synchronisation = sync_wish() == SyncWish::kStated;
  return out;
}

SyncWish RunOptions::sync_wish() const {
  std::vector<std::string_view> known;
  for (const SyncWord& word : kSyncWords) {
    if (word.word == sync) return word.wish;
    known.push_back(word.word);
  }
  throw InputError(fmt::format("--sync is '{}'; allowed are {}", sync, join(known)));
}

JobOptions RunOptions::job(const Compiled& judged) const {
  JobOptions out = job(judged.head.problem);
  if (judged.arrays) out.arrays = &*judged.arrays;
  switch (sync_wish()) {
    case SyncWish::kStated:
      out.synchronisation = judged.head.synchronisation;
      break;
    case SyncWish::kNone:
      break;
    case SyncWish::kBarriers:
      out.synchronisation = stated(synchronise(*judged.schedule, {}), {}, StateAs::kBarriers);
      break;
    case SyncWish::kSignals:
      out.synchronisation = stated(synchronise(*judged.schedule, {}), {}, StateAs::kSignals);
      break;
    case SyncWish::kPriorities:
      out.synchronisation = stated(synchronise(*judged.schedule, {}), {}, StateAs::kPriorities);
      break;
  }
  return out;
}

Problem RunOptions::local_problem() const {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw InputError(fmt::format("--local makes no plan, {}: leave out {}", why, option));
  };
  refuse(!source.plan.empty(), "--plan", "nor does it take one");
  refuse(slices, "--slices", "so no arrays are laid out for it");
  refuse(sync != "stated", "--sync", "and its nodes wait for each other by themselves");
  refuse(source.problem.model.wants_queues(), "--queues", "so its queues are not judged");
  return problem_of(plan_source(source, "run", nullptr));
}

void add_run_options(ArgumentParser& app, RunOptions& options) {
  add_plan_source(app, options.source);
  add_slices_option(app, options.slices);
  app.add_flag(
      "--local", options.local,
      "every node decides for itself, from its address and a small table, routers too: no plan is made");
  add_bytes_option(app, options.source.problem.bytes);
  app.add_option("--iterations", options.iterations, "how often to run it (default 1)")
      ->range(1)
      ->type_name("K");
  app.add_option(
         "--sync", options.sync,
         "what keeps steps apart: stated (by the plan's file; default), none, or what 'quadrille sync' "
         "finds: barriers, signals, priorities")
      ->type_name("HOW");
  app.add_flag("--json", options.json, "print all figures as JSON");
}

}  // namespace quadrille
