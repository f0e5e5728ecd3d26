#include "quadrille/reproduce/simulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/sim/beside_formula.h"

namespace quadrille {
namespace {

constexpr uint64_t kFlits = 64;  // of a block
constexpr double kMostSeconds = 60.0;

SimulationLog*& open_log() {
  thread_local SimulationLog* log = nullptr;
  return log;
}

std::string note_of(const SimulationLog& log) {
  if (log.plans + log.left_out == 0)
    return "Simulated: nothing. It rests on formulas, or shows what is sent and not how long it takes.";
  std::string out = fmt::format(
      "Simulated: {}, blocks of {} flits, two channels of 8 flits a link, a cycle a hop, a barrier after each step. A step is {} "
      "cycles, what a block takes over one link; where blocks are counted, one is {}.",
      plural(log.plans, "plan"), kFlits, kFlits + 1, kFlits);
  if (log.farthest < 5e-5) {
    out += " All take what the formula says.";
  } else {
    out += fmt::format(" They are up to {:.1f} % above the formula, which leaves out the way of heads:",
                       100 * log.farthest);
    if (log.exact == log.plans) {
      out += " with it they take what it says, to the cycle.";
    } else {
      out += fmt::format(" with it {} of {} take what it says, to the cycle", log.exact, log.plans);
      if (log.less > 0)
        out += fmt::format("; {} less, since the largest message of a step is not the one that goes farthest",
                           log.less);
      if (log.more > 0) out += fmt::format("; {} more, since messages wait for each other", log.more);
      out += ".";
    }
  }
  if (log.meeting_without > 0)
    out += fmt::format(" Without barriers messages of different steps would meet in {} of them.",
                       log.meeting_without);
  if (log.left_out > 0) out += fmt::format(" Left out as too long: {}.", plural(log.left_out, "plan"));
  return out;
}

}  // namespace

SimulatingScope::SimulatingScope(SimulationLog& log) {
  QUADRILLE_CHECK(open_log() == nullptr, "one scope at a time");
  open_log() = &log;
}
SimulatingScope::~SimulatingScope() { open_log() = nullptr; }
bool SimulatingScope::is_open() { return open_log() != nullptr; }

std::optional<SimulatedFigures> simulated_figures(const Schedule& schedule) {
  QUADRILLE_CHECK(SimulatingScope::is_open(), "a scope");
  SimulationLog& log = *open_log();
  const Traffic traffic = traffic_of(schedule, {.block_bytes = kFlits, .flit_bytes = 1});
  const std::optional<BesideFormula> found = beside_formula(traffic, {}, kMostSeconds);
  if (!found || found->deadlock) {
    ++log.left_out;
    return std::nullopt;
  }
  ++log.plans;
  ++(found->rest() == 0 ? log.exact : found->rest() < 0 ? log.less : log.more);
  if (found->meets_without == true) ++log.meeting_without;
  return SimulatedFigures{.steps = static_cast<double>(found->cycles) / static_cast<double>(kFlits + 1),
                          .blocks = static_cast<double>(found->cycles) / static_cast<double>(kFlits)};
}

Reproduction reproduce_simulated(const Exhibit& card, const Settings& settings) {
  SimulationLog log;
  Reproduction made;
  {
    const SimulatingScope scope(log);
    made = card.make(settings);
  }
  for (const Sheet& sheet : made.sheets) {
    for (const std::vector<Cell>& row : sheet.rows) {
      for (const Cell& cell : row) {
        const std::optional<double> formula = cell.number();
        if (!cell.simulated || !formula || *formula <= 0) continue;
        log.farthest = std::max(log.farthest, *cell.simulated / *formula - 1);
      }
    }
  }
  made.notes.push_back(note_of(log));
  return made;
}

}  // namespace quadrille
