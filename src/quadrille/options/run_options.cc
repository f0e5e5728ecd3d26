#include "quadrille/options/run_options.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/collective/collective.h"
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

void require_combining(CollectiveKind kind) {
  using enum CollectiveKind;
  if (kind != kReduce && kind != kReduceScatter && kind != kAllreduce) throw combines_nothing(name_of(kind));
}

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
  throw ValueError(fmt::format("--sync is '{}'; allowed are {}", sync, join(known)),
                   {.of = "--sync", .given = sync, .allowed = {known.begin(), known.end()}});
}

std::optional<Elements> RunOptions::elements() const {
  if (type.empty() && op.empty()) return std::nullopt;
  // Where it is known what is run, nobody is asked for more of what does not go with it.
  if (source.plan.empty()) require_combining(parse_collective_kind(source.problem.collective));
  if (type.empty()) throw InputError(fmt::format("--op {}: of which elements? Add --type", op));
  Elements out{.type = parse_element_type(type)};
  if (!op.empty()) out.op = parse_element_operator(op);
  require_sense(out);
  return out;
}

PlanSourceOptions RunOptions::plan_options() const {
  PlanSourceOptions out = source;
  const std::optional<Elements> wanted = elements();
  const bool is_said = source.app != nullptr && source.app->count("--operator") > 0;
  if (wanted && !commutes(wanted->op) && !is_said && source.plan.empty())
    out.problem.model.combining = to_text(Operator::kOrdered);
  return out;
}

JobOptions RunOptions::job(const Problem& problem) const {
  JobOptions out{
      .block_bytes = chunk_bytes(problem, bytes()), .elements = elements(), .iterations = iterations};
  if (out.elements) {
    const uint64_t size = element_bytes(*out.elements);
    out.block_bytes = (out.block_bytes + size - 1) / size * size;
  }
  require_elements(problem, out);
  return out;
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
  refuse(elements().has_value(), "--type", "and its nodes combine nothing");
  refuse(sync != "stated", "--sync", "and its nodes wait for each other by themselves");
  refuse(source.problem.model.wants_queues(), "--queues", "so its queues are not judged");
  return problem_of(plan_source(source, "run", nullptr));
}

void add_run_options(ArgumentParser& app, RunOptions& options, bool* csv) {
  add_plan_source(app, options.source);
  add_slices_option(app, options.slices);
  app.add_flag("--local", options.local,
               "no plan: every node, routers too, decides for itself by a small table");
  add_bytes_option(app, options.source.problem.bytes);
  for (const char* name : {"--iterations", "--repeat"})
    app.add_option(name, options.iterations, "how often to run it (default 1)")
        ->range(1)
        ->type_name("K")
        ->group("runs");
  app.add_option("--type", options.type, "numbers to reduce: int8 .. uint64, half, bfloat16, float, double")
      ->type_name("TYPE")
      ->offers("int8 int16 int32 int64 uint8 uint16 uint32 uint64 half bfloat16 float double");
  app.add_option("--op", options.op,
                 "sum (default), prod, min .. lxor; compose (needs --type): maps, in order")
      ->type_name("OP")
      ->offers("sum prod min max band bor bxor land lor lxor compose");
  app.add_option(
         "--sync", options.sync,
         "what keeps steps apart: stated (by the plan's file; default), none, or what 'quadrille sync' "
         "finds: barriers, signals, priorities")
      ->type_name("HOW")
      ->offers("stated none barriers signals priorities");
  const char* const figures = csv == nullptr ? "print all figures as JSON"
                                             : "print all figures as JSON; most of them as a row of CSV";
  app.add_flag("--json", options.json, figures)->group(figures);
  if (csv != nullptr) app.add_flag("--csv", *csv, figures)->group(figures);
}

}  // namespace quadrille
