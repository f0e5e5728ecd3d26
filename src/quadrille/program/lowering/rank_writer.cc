#include "quadrille/program/lowering/rank_writer.h"

#include <algorithm>
#include <numeric>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// Adds slots to runs, joining neighbours.
void add_slot(std::vector<SlotRun>& runs, size_t first_run, Place place) {
  if (runs.size() > first_run) {
    SlotRun& last = runs.back();
    if (last.buffer == place.buffer && last.first + last.count == place.slot) {
      ++last.count;
      return;
    }
  }
  runs.push_back({place.buffer, place.slot, 1});
}

bool overlap(const SlotRun& a, const SlotRun& b) {
  return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
}

// Writes the program of one rank, action after action.
class RankWriter {
 public:
  RankWriter(RankProgram& out, const Dataflow& flow, const Placement& placement,
             std::span<const uint32_t> messages)
      : out_(out), flow_(flow), placement_(placement), messages_(messages) {}

  void write(std::span<const Start> starts, std::span<const LocalMove> moves) {
    std::vector<uint32_t> by_arrival(starts.size());
    std::iota(by_arrival.begin(), by_arrival.end(), 0U);
    std::ranges::stable_sort(by_arrival, {}, [starts](uint32_t i) { return starts[i].arrives; });
    size_t started = 0;
    size_t arrived = 0;
    size_t moved = 0;
    while (started < starts.size() || arrived < starts.size() || moved < moves.size()) {
      uint32_t step = UINT32_MAX;
      if (started < starts.size()) step = starts[started].step;
      if (arrived < started) step = std::min(step, starts[by_arrival[arrived]].arrives);
      if (moved < moves.size()) step = std::min(step, moves[moved].step);
      for (; started < starts.size() && starts[started].step == step; ++started) add_start(starts[started]);
      for (; moved < moves.size() && moves[moved].early; ++moved) add_move(moves[moved]);
      size_t end = arrived;
      while (end < starts.size() && starts[by_arrival[end]].arrives == step) ++end;
      if (end > arrived) add_wait(step, std::span(by_arrival).subspan(arrived, end - arrived));
      arrived = end;
      for (; moved < moves.size() && moves[moved].step == step; ++moved) add_move(moves[moved]);
    }
  }

 private:
  void add_start(const Start& start) {
    Action action{start.kind, start.peer, start.step};
    action.begin = size32(out_.runs);
    action.blocks_begin = size32(out_.blocks);
    for (size_t i = start.begin; i < start.end; ++i) {
      const uint32_t m = messages_[i];
      const ValueId from = flow_.messages[m].from;
      const bool sends = start.kind == ActionKind::kSend;
      add_slot(out_.runs, action.begin, sends ? placement_.values[from] : placement_.arrivals[m]);
      out_.blocks.push_back(flow_.values[from].block);
    }
    action.end = size32(out_.runs);
    out_.actions.push_back(action);
  }

  void add_wait(uint32_t step, std::span<const uint32_t> requests) {
    Action action{ActionKind::kWait, Rank{0}, step};
    action.begin = size32(out_.requests);
    out_.requests.insert(out_.requests.end(), requests.begin(), requests.end());
    action.end = size32(out_.requests);
    out_.actions.push_back(action);
  }

  void add_move(const LocalMove& move) {
    if (!out_.actions.empty() && extends(out_.actions.back(), move)) {
      ++out_.runs[out_.runs.size() - 2].count;
      ++out_.runs.back().count;
      return;
    }
    Action action{move.kind, Rank{0}, move.step};
    action.begin = size32(out_.runs);
    out_.runs.push_back({move.target.buffer, move.target.slot, 1});
    out_.runs.push_back({move.source.buffer, move.source.slot, 1});
    action.end = size32(out_.runs);
    out_.actions.push_back(action);
  }

  // Whether a move continues the last action's runs.
  [[nodiscard]] bool extends(const Action& last, const LocalMove& move) const {
    if (last.kind != move.kind || last.step != move.step) return false;
    SlotRun target = out_.runs[last.begin];
    SlotRun source = out_.runs[last.begin + 1];
    const auto follows = [](const SlotRun& run, Place place) {
      return run.buffer == place.buffer && run.first + run.count == place.slot;
    };
    if (!follows(target, move.target) || !follows(source, move.source)) return false;
    ++target.count;
    ++source.count;
    return !overlap(target, source);
  }

  template <typename T>
  static uint32_t size32(const std::vector<T>& items) {
    QUADRILLE_CHECK(items.size() < UINT32_MAX, "a rank's program is too large");
    return static_cast<uint32_t>(items.size());
  }

  RankProgram& out_;
  const Dataflow& flow_;
  const Placement& placement_;
  std::span<const uint32_t> messages_;
};

// What a value needs besides its messages' landing.
void add_moves_of(const Dataflow& flow, const Placement& placement, ValueId v,
                  std::vector<LocalMove>& moves) {
  const Value& value = flow.values[v];
  const Place place = placement.values[v];
  const std::span<const ValueId> locals = flow.locals_of(value);
  const bool in_place = std::ranges::any_of(locals, [&](ValueId l) { return placement.values[l] == place; });
  bool started = in_place || value.messages_begin != value.messages_end;
  for (const ValueId local : locals) {
    if (placement.values[local] == place) continue;
    const ActionKind kind = started ? ActionKind::kReduce : ActionKind::kCopy;
    moves.push_back({value.rank, value.step, kind, place, placement.values[local]});
    started = true;
  }
  for (uint32_t m = value.messages_begin; m < value.messages_end; ++m) {
    if (placement.landings[m] != Landing::kAside) continue;
    moves.push_back({value.rank, value.step, ActionKind::kReduce, place, placement.arrivals[m]});
  }
}

// The lowest rank in every value.
std::vector<uint32_t> lowest_ranks(const Dataflow& flow) {
  std::vector<uint32_t> out(flow.values.size(), UINT32_MAX);
  for (ValueId v = 0; v < flow.values.size(); ++v) {
    const Value& value = flow.values[v];
    if (value.step == Value::kFromInput) out[v] = static_cast<uint32_t>(index(value.rank));
    for (const ValueId local : flow.locals_of(value)) out[v] = std::min(out[v], out[local]);
    for (uint32_t m = value.messages_begin; m < value.messages_end; ++m)
      out[v] = std::min(out[v], out[flow.messages[m].from]);
  }
  return out;
}

// The same where the operator does not commute: what has lower ranks than what is there already goes before it, the
// nearest first.
void add_ordered_moves_of(const Dataflow& flow, const Placement& placement,
                          const std::vector<uint32_t>& lowest, ValueId v, std::vector<LocalMove>& moves) {
  struct Part {
    uint32_t first;
    Place place;
    bool is_there;
  };
  const Value& value = flow.values[v];
  const Place place = placement.values[v];
  std::vector<Part> parts;
  for (const ValueId local : flow.locals_of(value))
    parts.push_back({lowest[local], placement.values[local], placement.values[local] == place});
  for (uint32_t m = value.messages_begin; m < value.messages_end; ++m) {
    parts.push_back(
        {lowest[flow.messages[m].from], placement.arrivals[m], placement.landings[m] == Landing::kValue});
  }
  if (parts.empty()) return;
  std::ranges::sort(parts, {}, &Part::first);
  auto middle = std::ranges::find_if(parts, &Part::is_there);
  if (middle == parts.end()) {
    middle = parts.begin();
    moves.push_back({value.rank, value.step, ActionKind::kCopy, place, middle->place});
  }
  for (auto part = middle + 1; part != parts.end(); ++part)
    moves.push_back({value.rank, value.step, ActionKind::kReduce, place, part->place});
  for (auto part = middle; part != parts.begin();)
    moves.push_back({value.rank, value.step, ActionKind::kReduceBefore, place, (--part)->place});
}

}  // namespace

std::vector<LocalMove> list_moves(const Dataflow& flow, const Placement& placement,
                                  const BufferLayout& layout, bool ordered, std::optional<Rank> only) {
  std::vector<LocalMove> moves;
  std::vector<LocalMove> last;
  size_t result = 0;
  const auto first = static_cast<uint32_t>(only ? index(*only) : 0);
  const uint32_t end = only ? first + 1 : layout.num_ranks();
  for (uint32_t r = first; r < end; ++r) {
    for (uint32_t slot = 0; slot < layout.output_slots(Rank{r}); ++slot, ++result) {
      const Place source = placement.values[flow.results[result]];
      const Place target{Buffer::kOutput, slot};
      if (source.buffer == Buffer::kInput) {
        moves.push_back({Rank{r}, 0, ActionKind::kCopy, target, source, true});
      } else if (source != target) {
        last.push_back({Rank{r}, flow.steps - 1, ActionKind::kCopy, target, source});
      }
    }
  }
  const std::vector<uint32_t> lowest = ordered ? lowest_ranks(flow) : std::vector<uint32_t>();
  for (ValueId v = 0; v < flow.values.size(); ++v) {
    if (only && flow.values[v].rank != *only) continue;
    if (ordered) {
      add_ordered_moves_of(flow, placement, lowest, v, moves);
    } else {
      add_moves_of(flow, placement, v, moves);
    }
  }
  moves.insert(moves.end(), last.begin(), last.end());
  std::ranges::stable_sort(moves, {}, &LocalMove::rank);
  return moves;
}

void write_actions(const Dataflow& flow, const Placement& placement, std::span<const uint32_t> messages,
                   std::span<const Start> starts, std::span<const LocalMove> moves, RankProgram& out) {
  RankWriter(out, flow, placement, messages).write(starts, moves);
}

}  // namespace quadrille
