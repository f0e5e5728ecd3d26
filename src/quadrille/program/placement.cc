#include "quadrille/program/placement.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace quadrille {
namespace {

constexpr uint64_t kForever = UINT64_MAX;

// A scratch slot that is taken from the start of one step to the end of another, before it is known which.
struct Cell {
  Rank rank{0};
  uint64_t first = 0;
  uint64_t last = 0;
};

class Placer {
 public:
  Placer(const Dataflow& flow, const BufferLayout& layout, bool aside, std::optional<Rank> only)
      : flow_(flow), layout_(layout), num_ranks_(layout.num_ranks()), aside_(aside), only_(only) {}

  Placement place() {
    measure_lives();
    reserve_outputs();
    out_.values.resize(flow_.values.size());
    out_.arrivals.resize(flow_.messages.size());
    out_.landings.assign(flow_.messages.size(), Landing::kValue);
    for (ValueId v = 0; v < flow_.values.size(); ++v) {
      const Value& value = flow_.values[v];
      if (only_ && value.rank != *only_) continue;
      if (value.step == Value::kFromInput) {
        out_.values[v] = {Buffer::kInput, layout_.input_slot(value.block)};
      } else if (const std::optional<ValueId> base = reusable_local(value)) {
        update_in_place(v, *base);
      } else {
        place_anew(v);
      }
    }
    colour_cells();
    return std::move(out_);
  }

 private:
  // The last step in which each value is read by a send, and read at all.
  void measure_lives() {
    last_send_.assign(flow_.values.size(), -1);
    last_read_.assign(flow_.values.size(), -1);
    for (const Message& message : flow_.messages) {
      last_send_[message.from] = std::max(last_send_[message.from], int64_t{message.arrives});
    }
    last_read_ = last_send_;
    read_by_two_.assign(flow_.values.size(), false);
    std::vector<int64_t> read_at(flow_.values.size(), -1);
    for (const Value& value : flow_.values) {
      for (const ValueId local : flow_.locals_of(value)) {
        last_read_[local] = std::max(last_read_[local], int64_t{value.step});
        // Several sums of one step: whoever is made first must leave it to the others.
        read_by_two_[local] = read_at[local] == int64_t{value.step};
        read_at[local] = value.step;
      }
    }
  }

  // Output slots of all ranks are counted one after another; a result that is input keeps its slot for ever.
  void reserve_outputs() {
    first_output_.assign(num_ranks_, 0);
    for (uint32_t r = 1; r < num_ranks_ && !only_; ++r) {
      first_output_[r] = first_output_[r - 1] + layout_.output_slots(Rank{r - 1});
    }
    is_result_.assign(flow_.values.size(), false);
    output_free_from_.assign(flow_.results.size(), 0);
    for (size_t i = 0; i < flow_.results.size(); ++i) {
      const ValueId result = flow_.results[i];
      is_result_[result] = true;
      if (flow_.values[result].step == Value::kFromInput) output_free_from_[i] = kForever;
    }
  }

  // The step after the last in which the value must be kept.
  [[nodiscard]] uint64_t free_from(ValueId v) const {
    if (is_result_[v]) return kForever;
    return static_cast<uint64_t>(std::max(last_read_[v], int64_t{flow_.values[v].step})) + 1;
  }

  // An older value that this one may overwrite: nothing can still read it when the step's waits are over.
  [[nodiscard]] std::optional<ValueId> reusable_local(const Value& value) const {
    for (const ValueId local : flow_.locals_of(value)) {
      const bool writable = out_.values[local].buffer != Buffer::kInput && !is_result_[local];
      if (writable && !read_by_two_[local] && last_read_[local] <= int64_t{value.step}) return local;
    }
    return std::nullopt;
  }

  void update_in_place(ValueId v, ValueId base) {
    const Value& value = flow_.values[v];
    out_.values[v] = out_.values[base];
    keep_until(v);
    // While a send reads the place, what arrives must wait aside for the step's end.
    const bool being_sent = aside_ || last_send_[base] >= int64_t{value.step};
    for (uint32_t m = value.messages_begin; m < value.messages_end; ++m) {
      if (being_sent) {
        put_aside(m);
      } else {
        land(m, Landing::kReduced, out_.values[v]);
      }
    }
  }

  void place_anew(ValueId v) {
    const Value& value = flow_.values[v];
    const bool by_message = value.messages_begin != value.messages_end;
    const uint64_t first = by_message ? flow_.messages[value.messages_begin].sent : value.step;
    if (const std::optional<size_t> output = output_of(value);
        output && output_free_from_[*output] <= first) {
      out_.values[v] = {Buffer::kOutput, layout_.output_slot(value.block)};
      keep_until(v);
    } else {
      out_.values[v] = new_cell({value.rank, first, free_from(v) - 1});
    }
    if (!by_message) return;
    land(value.messages_begin, Landing::kValue, out_.values[v]);
    for (uint32_t m = value.messages_begin + 1; m < value.messages_end; ++m) put_aside(m);
  }

  void land(uint32_t message, Landing landing, Place place) {
    out_.landings[message] = landing;
    out_.arrivals[message] = place;
  }

  void put_aside(uint32_t m) {
    const Message& message = flow_.messages[m];
    land(m, Landing::kAside, new_cell({flow_.values[message.to].rank, message.sent, message.arrives}));
  }

  // Holds the value's place for it.
  void keep_until(ValueId v) {
    if (out_.values[v].buffer == Buffer::kOutput) {
      output_free_from_[*output_of(flow_.values[v])] = free_from(v);
    } else {
      Cell& cell = cells_[out_.values[v].slot];
      cell.last = std::max(cell.last, free_from(v) - 1);
    }
  }

  // The output slot that waits for a value of this rank and block, if one does.
  [[nodiscard]] std::optional<size_t> output_of(const Value& value) const {
    if (!layout_.has_output(value.rank, value.block)) return std::nullopt;
    return first_output_[index(value.rank)] + layout_.output_slot(value.block);
  }

  Place new_cell(const Cell& cell) {
    cells_.push_back(cell);
    return {Buffer::kScratch, static_cast<uint32_t>(cells_.size() - 1)};
  }

  // Gives every cell the lowest slot that is free, in the order of their first steps.
  void colour_cells() {
    std::vector<uint32_t> order(cells_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {},
                      [this](uint32_t c) { return std::tuple(cells_[c].rank, cells_[c].first, c); });
    out_.scratch_slots.assign(num_ranks_, 0);
    std::vector<uint32_t> slot_of(cells_.size());
    using Taken = std::pair<uint64_t, uint32_t>;  // last step, slot
    for (size_t i = 0; i < order.size();) {
      const Rank rank = cells_[order[i]].rank;
      uint32_t& slots = out_.scratch_slots[index(rank)];
      std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken;
      std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;
      for (; i < order.size() && cells_[order[i]].rank == rank; ++i) {
        const Cell& cell = cells_[order[i]];
        for (; !taken.empty() && taken.top().first < cell.first; taken.pop()) free.push(taken.top().second);
        if (free.empty()) free.push(slots++);
        slot_of[order[i]] = free.top();
        taken.emplace(cell.last, free.top());
        free.pop();
      }
    }
    const auto settle = [&slot_of](Place& place) {
      if (place.buffer == Buffer::kScratch) place.slot = slot_of[place.slot];
    };
    for (Place& place : out_.values) settle(place);
    for (Place& place : out_.arrivals) settle(place);
  }

  const Dataflow& flow_;
  const BufferLayout& layout_;
  uint32_t num_ranks_;
  bool aside_;
  std::optional<Rank> only_;
  Placement out_;
  std::vector<Cell> cells_;
  std::vector<int64_t> last_send_;  // per value; -1: never
  std::vector<int64_t> last_read_;  // per value; by sends and by the rank itself
  std::vector<bool> read_by_two_;   // per value; in the last step in which its rank reads it
  std::vector<bool> is_result_;
  std::vector<size_t> first_output_;        // per rank
  std::vector<uint64_t> output_free_from_;  // per output slot of all ranks
};

}  // namespace

Placement place_values(const Dataflow& flow, const BufferLayout& layout, bool aside,
                       std::optional<Rank> only) {
  return Placer(flow, layout, aside, only).place();
}

}  // namespace quadrille
