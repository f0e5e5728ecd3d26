#include "quadrille/algorithms/worm_broadcast/worm_parts.h"

#include "quadrille/base/work_count.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace quadrille {
namespace {

constexpr uint32_t kCuts = 8;         // that are tried for one interval
constexpr int64_t kAway = 3;          // how far from the thirds of an interval it is cut
constexpr uint32_t kCandidates = 64;  // places to inform that are tried for one cut

class Parting {
 public:
  Parting(const GridShape& shape, const std::vector<uint32_t>& position, uint32_t sends)
      : shape_(shape),
        sends_each_(sends),
        places_(static_cast<uint32_t>(shape.num_places())),
        budget_((sends == 1 ? 16 : 4) * uint64_t{places_} + 4096) {
    uint32_t stride = places_;
    for (const uint32_t side : shape.sides) strides_.push_back(stride /= side);
    // In circular dimensions the root is put into the middle of the lines.
    for (size_t d = 0; d < shape.dimensions(); ++d)
      start_.push_back(shape.circular[d] ? shape.sides[d] / 2 : position[d]);
    write_row();
  }

  [[nodiscard]] std::optional<WormPlan> run(uint32_t steps) {
    if (reach(steps) < places_) return std::nullopt;
    const std::vector<int64_t> start(start_.begin(), start_.end());
    if (!solve({0, places_}, at_[shape_.place(start)], steps)) return std::nullopt;
    WormPlan plan(steps, WormStep(shape_.dimensions()));
    std::vector<int64_t> from(shape_.dimensions());
    for (const Send& send : sends_) {
      for (size_t d = 0; d < from.size(); ++d)
        from[d] = int64_t{coordinate(send.from, d)} - (shape_.circular[d] ? int64_t{start_[d]} : 0);
      std::vector<int32_t> hops(from.size());
      for (size_t d = 0; d < hops.size(); ++d) hops[d] = hops_of(send.from, send.to, d);
      plan[steps - send.steps_left].add(shape_.place(from), hops);
    }
    // Whoever can wait may have waited in the first step.
    std::erase_if(plan, [](const WormStep& step) { return step.size() == 0; });
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
    coordinates_.reserve(places_ * shape_.dimensions());
    for (const uint32_t place : row_) {
      for (const uint32_t x : shape_.coordinates(place)) coordinates_.push_back(x);
    }
  }

  // Of what is there in the row.
  [[nodiscard]] uint32_t coordinate(uint32_t i, size_t d) const {
    return coordinates_[i * shape_.dimensions() + d];
  }

  // The short way in a dimension; of two equal ones the one that does not pass the end of the line.
  [[nodiscard]] int32_t hops_of(uint32_t from, uint32_t to, size_t d) const {
    const auto side = static_cast<int32_t>(shape_.sides[d]);
    int32_t hops = static_cast<int32_t>(coordinate(to, d)) - static_cast<int32_t>(coordinate(from, d));
    if (shape_.circular[d] && 2 * std::abs(hops) > side) hops += hops > 0 ? -side : side;
    return hops;
  }

  // Calls visit(place, link) for every hop; false as soon as it is.
  template <typename Visit>
  bool along(uint32_t from, uint32_t to, const Visit& visit) const {
    uint32_t place = row_[from];
    const size_t dimensions = shape_.dimensions();
    for (size_t d = 0; d < dimensions; ++d) {
      const int32_t hops = hops_of(from, to, d);
      if (hops == 0) continue;
      const uint32_t side = shape_.sides[d];
      const uint32_t stride = strides_[d];
      uint32_t x = coordinate(from, d);
      for (int32_t left = std::abs(hops); left > 0; --left) {
        const uint32_t next = hops > 0 ? (x + 1 == side ? 0 : x + 1) : (x == 0 ? side : x) - 1;
        const uint32_t there = place - x * stride + next * stride;
        // The link by its lower end; that of a closed line is the last place's.
        const uint64_t link = uint64_t{hops > 0 ? place : there} * dimensions + d;
        x = next;
        place = there;
        if (!visit(place, link)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool stays_inside(const Interval& interval, uint32_t from, uint32_t to) const {
    return along(from, to, [&](uint32_t place, uint64_t) { return interval.has(at_[place]); });
  }

  // No link of the one worm is on the way of the other; neither way, so that it may be half duplex.
  [[nodiscard]] bool disjoint(uint32_t from, uint32_t to, uint32_t other) {
    taken_.clear();
    along(from, other, [&](uint32_t, uint64_t link) {
      taken_.push_back(link);
      return true;
    });
    return along(from, to,
                 [&](uint32_t, uint64_t link) { return std::ranges::find(taken_, link) == taken_.end(); });
  }

  [[nodiscard]] uint64_t reach(uint32_t steps) const {
    uint64_t out = 1;
    for (uint32_t s = 0; s < steps && out <= UINT32_MAX; ++s) out *= sends_each_ + 1;
    return out;
  }

  // Appends the sends by which `holder` serves the interval in so many steps.
  bool solve(const Interval& interval, uint32_t holder, uint32_t steps) {
    if (interval.size() == 1) return true;
    if (budget_ == 0 || steps == 0) return false;
    --budget_;
    return sends_each_ == 1 ? halve(interval, holder, steps) : cut_in_three(interval, holder, steps);
  }

  bool halve(const Interval& interval, uint32_t holder, uint32_t steps) {
    const uint64_t half = reach(steps - 1);
    const auto low = static_cast<uint32_t>(
        std::max<uint64_t>(interval.first + 1, interval.end > half ? interval.end - half : 0));
    const auto high = static_cast<uint32_t>(std::min<uint64_t>(interval.end - 1, interval.first + half));
    const uint32_t middle = std::clamp(interval.first + interval.size() / 2, low, high);
    for (uint32_t i = 0; i < kCuts; ++i) {
      const uint32_t away = (i + 1) / 2;
      if (i % 2 != 0 ? middle + away > high : away > middle - low) continue;
      const uint32_t cut = i % 2 != 0 ? middle + away : middle - away;
      if (cut_at(interval, holder, steps,
                 std::array<Interval, 2>{{{interval.first, cut}, {cut, interval.end}}}))
        return true;
    }
    return false;
  }

  // Even parts first, then those whose cuts are a little off, then two parts.
  bool cut_in_three(const Interval& interval, uint32_t holder, uint32_t steps) {
    const uint64_t most = reach(steps - 1);
    if (interval.size() <= most && solve(interval, holder, steps - 1)) return true;
    const auto third = static_cast<int64_t>((interval.size() + 1) / 3);
    const int64_t first = interval.first;
    const int64_t end = interval.end;
    for (int64_t off = 0; off <= 2 * kAway; ++off) {
      for (int64_t low_off = -std::min(off, kAway); low_off <= std::min(off, kAway); ++low_off) {
        const int64_t rest = off - std::abs(low_off);
        if (rest > kAway) continue;
        for (const int64_t high_off : {rest, -rest}) {
          const int64_t low = std::max(first, first + third + low_off);
          const int64_t high = std::min(end, end - third + high_off);
          if (low <= high) {
            const std::array<Interval, 3> parts = {{{interval.first, static_cast<uint32_t>(low)},
                                                    {static_cast<uint32_t>(low), static_cast<uint32_t>(high)},
                                                    {static_cast<uint32_t>(high), interval.end}}};
            const bool fits = std::ranges::all_of(parts, [&](const Interval& part) {
              return part.size() <= most && part.size() < interval.size();
            });
            if (fits && cut_at(interval, holder, steps, parts)) return true;
          }
          if (rest == 0) break;
        }
      }
    }
    return false;
  }

  bool cut_at(const Interval& interval, uint32_t holder, uint32_t steps, std::span<const Interval> parts) {
    const size_t sent = sends_.size();
    const auto mine = std::ranges::find_if(parts, [&](const Interval& part) { return part.has(holder); });
    if (!solve(*mine, holder, steps - 1)) return undo(sent);
    std::array<Interval, 2> others;
    size_t count = 0;
    for (const Interval& part : parts) {
      if (!part.has(holder) && part.size() > 0) others[count++] = part;
    }
    return serve(interval, holder, steps, std::span(others).first(count), std::nullopt) || undo(sent);
  }

  // A worm to a place of each part, and its part from there. `other` is where an earlier worm goes.
  bool serve(const Interval& interval, uint32_t holder, uint32_t steps, std::span<const Interval> parts,
             std::optional<uint32_t> other) {
    if (parts.empty()) return true;
    const size_t sent = sends_.size();
    const Interval& part = parts.front();
    const uint32_t middle = part.first + (part.size() - 1) / 2;
    for (uint32_t i = 0; i < kCandidates && (i + 1) / 2 <= part.size(); ++i) {
      const uint32_t away = (i + 1) / 2;
      if (i % 2 == 0 && away > middle - part.first) continue;
      const uint32_t to = i % 2 != 0 ? middle + away : middle - away;
      if (!part.has(to) || !stays_inside(interval, holder, to)) continue;
      if (other && !disjoint(holder, to, *other)) continue;
      sends_.push_back({holder, to, steps});
      if (solve(part, to, steps - 1) && serve(interval, holder, steps, parts.subspan(1), to)) return true;
      undo(sent);
    }
    return false;
  }

  bool undo(size_t sent) {
    sends_.resize(sent);
    return false;
  }

  const GridShape& shape_;
  uint32_t sends_each_;
  uint32_t places_;
  uint64_t budget_;
  std::vector<uint32_t> start_;
  std::vector<uint32_t> row_;          // places in the order of the snake
  std::vector<uint32_t> at_;           // of a place, where it is in the row
  std::vector<uint32_t> coordinates_;  // of each place of the row
  std::vector<uint32_t> strides_;
  std::vector<uint64_t> taken_;  // scratch
  std::vector<Send> sends_;
};

}  // namespace

std::optional<WormPlan> worm_parts(const GridShape& shape, const std::vector<uint32_t>& position,
                                   uint32_t sends, uint32_t steps) {
  count_work(Work::kSearching);
  return Parting(shape, position, sends).run(steps);
}

}  // namespace quadrille
