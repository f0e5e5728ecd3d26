#include "quadrille/cli/report/sizes/simulated_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {
namespace {

constexpr double kMostSeconds = 20.0;
constexpr double kWorthAWord = 0.005;

// So that one message alone has its full rate, whatever a hop takes.
WormParameters machine_of(const CostConstants& cost, double cycle) {
  WormParameters out;
  out.link_delay = static_cast<uint32_t>(std::min(1000.0, std::round(cost.tl / cycle)));
  out.buffer = std::max(out.buffer, out.hop_delay() + out.credit_delay);
  return out;
}

SimulatedRow simulated(const Schedule& schedule, const SizedPlan& plan, uint64_t bytes, uint64_t flit_bytes) {
  const Problem& problem = schedule.problem();
  const CostConstants& cost = problem.model().cost;
  const uint64_t chunk = chunk_bytes(bytes, plan.pieces);
  const double cycle = cost.tx * static_cast<double>(flit_bytes);
  SimulatedRow out{.bytes = bytes, .formula = plan.time(cost, bytes)};
  const Traffic traffic = traffic_of(schedule, {.block_bytes = chunk, .flit_bytes = flit_bytes});
  const WormParameters machine = machine_of(cost, cycle);
  const std::optional<BesideFormula> found = beside_formula(traffic, machine, kMostSeconds);
  if (!found) {
    out.why_not = fmt::format(
        "flit by flit it would take more than {:.0f} s; larger flits (--flit) take less", kMostSeconds);
    return out;
  }
  if (found->deadlock) {
    out.why_not = "the worms deadlock";
    return out;
  }
  const double network = static_cast<double>(chunk) * static_cast<double>(plan.rounds) * cost.tx;
  const double hops = static_cast<double>(plan.hops.value_or(0)) * cost.tl;
  out.heads = static_cast<double>(found->heads) * cycle - hops;
  out.flits = static_cast<double>(found->flits) * cycle - network;
  out.rest = static_cast<double>(found->rest()) * cycle;
  out.time = out.formula + out.heads + out.flits + out.rest;
  out.meets_without = found->meets_without;
  return out;
}

std::string parts_of(const SimulatedRow& row) {
  std::vector<std::string> parts;
  const auto add = [&](double part, std::string_view words) {
    const double share = 100 * part / row.formula;
    if (std::abs(share) >= 0.05) parts.push_back(fmt::format("{:+.1f} % {}", share, words));
  };
  add(row.heads, row.heads < 0 ? "heads are faster than the model's hops" : "heads on their way");
  add(row.flits, "flits that are not full");
  add(row.rest, row.rest > 0 ? "messages wait for each other" : "the largest do not go farthest");
  return join(parts, ", ");
}

}  // namespace

std::vector<SimulatedRow> simulate_sweep(const Problem& problem, const SizeSweep& sweep, uint64_t flit_bytes,
                                         unsigned threads, const std::function<void(uint64_t)>& done) {
  if (problem.model().cost.tx <= 0)
    throw InputError("--simulated: a byte costs nothing in this model, so a flit takes no time; give --tx");
  std::map<size_t, std::optional<Schedule>> made;
  for (const SizeRow& row : sweep.rows) {
    if (made.contains(row.best)) continue;
    const SizedPlan& plan = sweep.plans[row.best];
    made.emplace(row.best, compile(in_pieces(problem, plan.pieces), {.algorithm = plan.algorithm}).schedule);
  }
  std::vector<SimulatedRow> out(sweep.rows.size());
  std::mutex mutex;
  uint64_t over = 0;
  ThreadTeam(threads).for_each(out.size(), [&](size_t i) {
    const SizeRow& row = sweep.rows[i];
    const std::optional<Schedule>& schedule = made.at(row.best);
    if (schedule) {
      out[i] = simulated(*schedule, sweep.plans[row.best], row.bytes, flit_bytes);
    } else {
      out[i] = {.bytes = row.bytes, .formula = row.time, .why_not = "the plan is too large to be kept"};
    }
    const std::lock_guard lock(mutex);
    if (done) done(++over);
  });
  return out;
}

std::string simulated_text(const std::vector<SimulatedRow>& rows, uint64_t flit_bytes) {
  std::string out =
      wrap(
          fmt::format(
              "simulated: worms of flits of {} bytes, 2 channels of 8 flits a link, a cycle a hop, a barrier after "
              "each step; start-ups, further messages and memory as in the formula",
              with_thousands(flit_bytes)),
          2) +
      "\n";
  bool parts = false;
  std::vector<std::string> meet;
  for (const SimulatedRow& row : rows) {
    const std::string size = bytes_text(row.bytes);
    if (!row.time) {
      out += wrap(fmt::format("{}: not simulated: {}", size, row.why_not), 2) + "\n";
      continue;
    }
    if (row.meets_without == true) meet.push_back(size);
    if (row.formula <= 0 || std::abs(*row.time / row.formula - 1) < kWorthAWord) continue;
    parts = true;
    out +=
        wrap(fmt::format("{}: {:+.1f} %: {}", size, 100 * (*row.time / row.formula - 1), parts_of(row)), 2) +
        "\n";
  }
  if (!parts) out += "Where it was simulated it is the formula's time to half a per cent.\n";
  out += meet.empty()
             ? "Without barriers no two worms meet, as long as no node stalls.\n"
             : wrap(fmt::format("Without barriers worms of different steps meet: {}.", join(meet, ", ")), 2) +
                   "\n";
  return out;
}

}  // namespace quadrille
