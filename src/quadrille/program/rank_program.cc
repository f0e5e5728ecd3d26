#include "quadrille/program/rank_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quadrille {
namespace {

std::string to_text(const SlotRun& run) {
  if (run.count == 1) return fmt::format("{}[{}]", name_of(run.buffer), run.first);
  return fmt::format("{}[{}..{}]", name_of(run.buffer), run.first, uint64_t{run.first} + run.count - 1);
}

}  // namespace

std::string_view name_of(Buffer buffer) {
  constexpr std::array<std::string_view, 3> kNames = {"input", "output", "scratch"};
  return kNames[static_cast<size_t>(buffer)];
}

std::string_view name_of(ActionKind kind) {
  constexpr std::array<std::string_view, 8> kNames = {"send", "receive", "receive_reduce", "wait",
                                                      "copy", "reduce",  "reduce_before",  "barrier"};
  return kNames[static_cast<size_t>(kind)];
}

std::span<const BlockId> RankProgram::blocks_of(const Action& action) const {
  uint32_t count = 0;
  for (const SlotRun& run : runs_of(action)) count += run.count;
  return std::span(blocks).subspan(action.blocks_begin, count);
}

uint64_t Program::num_messages() const {
  uint64_t total = 0;
  for (const RankProgram& rank : ranks) {
    for (const Action& action : rank.actions)
      total += action.kind == ActionKind::kSend && action.end > action.begin ? 1 : 0;
  }
  return total;
}

uint64_t Program::num_null_messages() const {
  uint64_t total = 0;
  for (const RankProgram& rank : ranks) {
    for (const Action& action : rank.actions)
      total += action.kind == ActionKind::kSend && action.end == action.begin ? 1 : 0;
  }
  return total;
}

uint64_t Program::num_barriers() const {
  if (ranks.empty()) return 0;
  return static_cast<uint64_t>(
      std::ranges::count(ranks.front().actions, ActionKind::kBarrier, &Action::kind));
}

uint64_t Program::blocks_sent() const {
  uint64_t total = 0;
  for (const RankProgram& rank : ranks) {
    for (const Action& action : rank.actions) {
      if (action.kind == ActionKind::kSend) total += rank.blocks_of(action).size();
    }
  }
  return total;
}

uint64_t Program::blocks_moved_locally() const {
  uint64_t total = 0;
  for (const RankProgram& rank : ranks) {
    for (const Action& action : rank.actions) {
      if (is_local(action.kind)) total += rank.runs_of(action).front().count;
    }
  }
  return total;
}

std::string to_text(const RankProgram& program, const Action& action) {
  std::string text = fmt::format("step {}: {}", action.step + 1, name_of(action.kind));
  if (action.kind == ActionKind::kWait) {
    for (const uint32_t request : program.requests_of(action)) text += fmt::format(" #{}", request);
    return text;
  }
  if (action.kind == ActionKind::kBarrier) return text;
  const std::span<const SlotRun> runs = program.runs_of(action);
  if (!starts_request(action.kind))
    return text + fmt::format(" {} from {}", to_text(runs[0]), to_text(runs[1]));
  if (runs.empty()) text += " nothing";
  for (const SlotRun& run : runs) text += " " + to_text(run);
  return text + fmt::format(" {} {}", action.kind == ActionKind::kSend ? "to" : "from", index(action.peer));
}

}  // namespace quadrille
