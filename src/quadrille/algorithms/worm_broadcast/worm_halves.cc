#include "quadrille/algorithms/worm_broadcast/worm_halves.h"

#include "quadrille/base/work_count.h"

#include <algorithm>
#include <cstdlib>

namespace quadrille {
namespace {

constexpr uint32_t kCuts = 8;         // that are tried for one interval
constexpr uint32_t kCandidates = 64;  // places to inform that are tried for one cut

class Halving {
 public:
  Halving(const GridShape& shape, const std::vector<uint32_t>& position)
      : shape_(shape),
        places_(static_cast<uint32_t>(shape.num_places())),
        budget_(16 * uint64_t{places_} + 4096) {
    // In circular dimensions the root is put into the middle of the lines.
    for (size_t d = 0; d < shape.dimensions(); ++d)
      start_.push_back(shape.circular[d] ? shape.sides[d] / 2 : position[d]);
    write_row();
  }

  [[nodiscard]] std::optional<WormPlan> run() {
    uint32_t steps = 0;
    while ((uint64_t{1} << steps) < places_) ++steps;
    const std::vector<int64_t> start(start_.begin(), start_.end());
    if (!solve({0, places_}, at_[shape_.place(start)], steps)) return std::nullopt;
    WormPlan plan(steps, WormStep(shape_.dimensions()));
    std::vector<int64_t> from(shape_.dimensions());
    for (const Send& send : sends_) {
      const std::vector<uint32_t> x = shape_.coordinates(row_[send.from]);
      for (size_t d = 0; d < x.size(); ++d)
        from[d] = int64_t{x[d]} - (shape_.circular[d] ? int64_t{start_[d]} : 0);
      plan[steps - send.steps_left].add(shape_.place(from), hops_of(send.from, send.to));
    }
    return plan;
  }

 private:
  struct Interval {
    uint32_t first = 0;
    uint32_t end = 0;
    [[nodiscard]] bool has(uint32_t i) const { return first <= i && i < end; }
    [[nodiscard]] uint32_t size() const { return end - first; }
  };
  struct Send {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t steps_left = 0;
  };

  void write_row() {
    row_ = {0};
    for (const uint32_t side : shape_.sides) {
      std::vector<uint32_t> finer;
      finer.reserve(row_.size() * side);
      for (size_t i = 0; i < row_.size(); ++i) {
        for (uint32_t x = 0; x < side; ++x) finer.push_back(row_[i] * side + (i % 2 == 0 ? x : side - 1 - x));
      }
      row_ = std::move(finer);
    }
    at_.resize(places_);
    for (uint32_t i = 0; i < places_; ++i) at_[row_[i]] = i;
  }

  // The short way; of two equal ones the one that does not pass the end of the line.
  [[nodiscard]] std::vector<int32_t> hops_of(uint32_t from, uint32_t to) const {
    const std::vector<uint32_t> a = shape_.coordinates(row_[from]);
    const std::vector<uint32_t> b = shape_.coordinates(row_[to]);
    std::vector<int32_t> hops(a.size());
    for (size_t d = 0; d < a.size(); ++d) {
      const auto side = static_cast<int32_t>(shape_.sides[d]);
      hops[d] = static_cast<int32_t>(b[d]) - static_cast<int32_t>(a[d]);
      if (shape_.circular[d] && 2 * std::abs(hops[d]) > side) hops[d] += hops[d] > 0 ? -side : side;
    }
    return hops;
  }

  [[nodiscard]] bool stays_inside(const Interval& interval, uint32_t from, uint32_t to) const {
    const std::vector<int32_t> hops = hops_of(from, to);
    uint32_t place = row_[from];
    uint32_t stride = places_;
    for (size_t d = 0; d < hops.size(); ++d) {
      const uint32_t side = shape_.sides[d];
      stride /= side;
      for (int32_t left = std::abs(hops[d]); left > 0; --left) {
        const uint32_t x = place / stride % side;
        const uint32_t next = hops[d] > 0 ? (x + 1) % side : (x + side - 1) % side;
        place = place - x * stride + next * stride;
        if (!interval.has(at_[place])) return false;
      }
    }
    return true;
  }

  // Appends the sends by which `holder` serves the interval in so many steps.
  bool solve(const Interval& interval, uint32_t holder, uint32_t steps) {
    if (interval.size() == 1) return true;
    if (budget_ == 0) return false;
    --budget_;
    const uint64_t half = uint64_t{1} << (steps - 1);
    const auto low = static_cast<uint32_t>(
        std::max<uint64_t>(interval.first + 1, interval.end > half ? interval.end - half : 0));
    const auto high = static_cast<uint32_t>(std::min<uint64_t>(interval.end - 1, interval.first + half));
    const uint32_t middle = std::clamp(interval.first + interval.size() / 2, low, high);
    for (uint32_t i = 0; i < kCuts; ++i) {
      const uint32_t away = (i + 1) / 2;
      if (i % 2 != 0 ? middle + away > high : away > middle - low) continue;
      if (cut_at(interval, holder, steps, i % 2 != 0 ? middle + away : middle - away)) return true;
    }
    return false;
  }

  bool cut_at(const Interval& interval, uint32_t holder, uint32_t steps, uint32_t cut) {
    const Interval lower{interval.first, cut};
    const Interval upper{cut, interval.end};
    const Interval& mine = lower.has(holder) ? lower : upper;
    const Interval& other = lower.has(holder) ? upper : lower;
    const size_t sent = sends_.size();
    if (!solve(mine, holder, steps - 1)) return undo(sent);
    const size_t sent_mine = sends_.size();
    const uint32_t middle = other.first + (other.size() - 1) / 2;
    for (uint32_t i = 0; i < kCandidates && (i + 1) / 2 <= other.size(); ++i) {
      const uint32_t away = (i + 1) / 2;
      if (i % 2 == 0 && away > middle - other.first) continue;
      const uint32_t to = i % 2 != 0 ? middle + away : middle - away;
      if (!other.has(to) || !stays_inside(interval, holder, to)) continue;
      sends_.push_back({holder, to, steps});
      if (solve(other, to, steps - 1)) return true;
      undo(sent_mine);
    }
    return undo(sent);
  }

  bool undo(size_t sent) {
    sends_.resize(sent);
    return false;
  }

  const GridShape& shape_;
  uint32_t places_;
  uint64_t budget_;
  std::vector<uint32_t> start_;
  std::vector<uint32_t> row_;  // places in the order of the snake
  std::vector<uint32_t> at_;   // of a place, where it is in the row
  std::vector<Send> sends_;
};

}  // namespace

std::optional<WormPlan> worm_halves(const GridShape& shape, const std::vector<uint32_t>& position) {
  count_work(Work::kSearching);
  return Halving(shape, position).run();
}

}  // namespace quadrille
