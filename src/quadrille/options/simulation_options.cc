#include "quadrille/options/simulation_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/program/synchronisation.h"

namespace quadrille {
namespace {

std::string priorities_text(const PlanSynchronisation& sync) {
  uint32_t most = 1;
  for (const Priority& p : sync.priorities) most = std::max(most, p.level);
  return most == 1 ? "nothing: one level of priority is enough"
                   : fmt::format("{} levels of priority, with channels of their own", most);
}

}  // namespace

void SimulationOptions::require_sound() const {
  quadrille::require_sound(worms);
  static_cast<void>(flit_bytes());
  static_cast<void>(cycle_ns());
  constexpr uint64_t kMostCost = 1'000'000'000'000'000;
  if (std::max(costs.barrier, costs.signal) > kMostCost)
    throw InputError(fmt::format("--barrier-cost and --signal-cost are at most {} cycles", kMostCost));
  constexpr uint64_t kMostSeeds = 100'000'000;
  if (seeds > kMostSeeds) throw InputError(fmt::format("--seeds: {} are more than {}", seeds, kMostSeeds));
  if (seeds > 0 && stall_cycles() == 0)
    throw InputError("--seeds: without --stall all seeds are the same; say how long nodes may stall");
}

double SimulationOptions::cycle_ns() const {
  const Quantity time = parse_time(cycle, "--cycle");
  if (!time.has_unit) throw InputError(fmt::format("--cycle: {} has no unit; write a time like 1ns", cycle));
  if (time.value <= 0) throw InputError(fmt::format("--cycle: a cycle takes some time, not {}", cycle));
  return time.value * 1000.0;
}

uint64_t SimulationOptions::flit_bytes() const {
  const uint64_t bytes = parse_bytes(flit, "--flit");
  if (bytes == 0) throw InputError("--flit: a flit has at least 1 byte, not 0");
  return bytes;
}

uint32_t SimulationOptions::stall_cycles() const {
  if (stall.empty()) return 0;
  constexpr std::string_view kCycles = "cycles";
  std::string_view number = stall;
  double cycles = 0.0;
  if (number.ends_with(kCycles)) {
    number.remove_suffix(kCycles.size());
    const Quantity count = parse_time(number, "--stall");
    if (count.has_unit)
      throw InputError(fmt::format("--stall: {} has two units; write 300cycles or a time like 300ns", stall));
    cycles = count.value;
  } else {
    const Quantity time = parse_time(number, "--stall");
    if (!time.has_unit)
      throw InputError(
          fmt::format("--stall: {} has no unit; write {}cycles or a time like {}ns", stall, stall, stall));
    cycles = time.value * 1000.0 / cycle_ns();
  }
  if (!(cycles <= 4e9)) throw InputError(fmt::format("--stall: {} is longer than 4e9 cycles", stall));
  return static_cast<uint32_t>(std::ceil(cycles));
}

KeptApart SimulationOptions::kept_apart(const Compiled& judged, uint32_t steps) const {
  const std::optional<PlanSynchronisation>& in_plan = judged.head.synchronisation;
  const std::string wish = sync.empty() ? (in_plan ? "stated" : "barrier") : sync;
  if (wish == "barrier")
    return {NodeTurns::barriers_everywhere(steps),
            steps > 1 ? "barriers between all steps" : "nothing: one step"};
  if (wish == "none") return {{}, "nothing: nodes go on when their own messages are over"};
  if (wish == "signals") {
    PlanSynchronisation made = stated(synchronise(*judged.schedule, {}), {}, StateAs::kSignals);
    std::string text = plural(made.signals.size(), "signal") + " from node to node";
    return {std::move(made), std::move(text)};
  }
  if (wish == "priorities") {
    PlanSynchronisation made = stated(synchronise(*judged.schedule, {}), {}, StateAs::kPriorities);
    std::string text = priorities_text(made);
    return {std::move(made), std::move(text)};
  }
  if (wish != "stated")
    throw ValueError(
        fmt::format("--sync is '{}'; allowed are barrier, signals, priorities, stated, none", wish),
        {.of = "--sync",
         .given = std::string(wish),
         .allowed = {"barrier", "signals", "priorities", "stated", "none"}});
  if (!in_plan) throw InputError("--sync stated: the plan states nothing that keeps its steps apart");
  std::string text = fmt::format("as the plan states: {}, {}", plural(in_plan->barriers.size(), "barrier"),
                                 plural(in_plan->signals.size(), "signal"));
  if (!in_plan->priorities.empty()) text += ", " + priorities_text(*in_plan);
  return {*in_plan, std::move(text)};
}

Traffic SimulationOptions::traffic(const Compiled& judged, uint64_t message_bytes) const {
  return traffic_of(*judged.schedule, {.block_bytes = chunk_bytes(judged.head.problem, message_bytes),
                                       .flit_bytes = flit_bytes()});
}

WormRun SimulationOptions::run(KeptApart apart) const {
  return {.synchronisation = std::move(apart.sync),
          .stalls = {.most = stall_cycles(), .seed = seed},
          .costs = costs};
}

void add_simulation_options(ArgumentParser& app, SimulationOptions& options) {
  const char* units = "bytes of a flit (default 16); how long a cycle takes (1ns)";
  app.add_option("--flit", options.flit, units)->type_name("X")->group(units);
  app.add_option("--cycle", options.cycle, units)->type_name("X")->group(units);
  const char* buffers = "virtual channels of a link (default 2); flits that each holds (8)";
  app.add_option("--vcs", options.worms.vcs, buffers)->type_name("N")->group(buffers);
  app.add_option("--buffers", options.worms.buffer, buffers)->type_name("N")->group(buffers);
  app.add_option("--router-delay", options.worms.router_delay, "cycles through a router (default 1)")
      ->type_name("N");
  app.add_option("--link-delay", options.worms.link_delay, "cycles on a link (default 0)")->type_name("N");
  app.add_option("--sync", options.sync,
                 "keeps steps apart: barrier (default), signals, priorities, none, stated")
      ->type_name("HOW");
  app.add_option("--barrier-cost", options.costs.barrier, "cycles of a barrier (default 0)")->type_name("N");
  app.add_option("--signal-cost", options.costs.signal, "cycles of a signal on its way (default 0)")
      ->type_name("N");
  app.add_option("--stall", options.stall, "nodes dawdle up to so long before a step: 300cycles, 2us")
      ->type_name("TIME");
  const char* seeds = "which stalls (default 1); so many of them: in how many do worms meet?";
  app.add_option("--seed", options.seed, seeds)->type_name("N")->group(seeds);
  app.add_option("--seeds", options.seeds, seeds)->type_name("N")->group(seeds);
  app.add_flag("--store-and-forward", options.store_and_forward,
               "every node takes messages in whole, and they wait in queues of any length");
}

}  // namespace quadrille
