#include "quadrille/algorithms/packing/timed/repeated_paths.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/transforms/slots/path_resources.h"
#include "quadrille/transforms/slots/slot_exchange.h"

namespace quadrille {
namespace {

constexpr uint64_t kFoldingWork = 200'000'000;  // slots that all periods that are tried look at, about

// Hops in the order of their times, each in the first step that has room in every period.
class Folding {
 public:
  Folding(const Problem& problem, const TimedPaths& paths)
      : resources_(problem), paths_(paths), load_(resources_.size(), 0) {
    packet_of_.reserve(paths.arcs.size());
    for (uint32_t i = 0; i < paths.size(); ++i) packet_of_.insert(packet_of_.end(), paths.path(i).size(), i);
    for (const ArcId arc : paths.arcs) resources_.of(arc, [&](size_t r) { ++load_[r]; });
    order_.resize(paths.arcs.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::ranges::stable_sort(order_, {}, [&](size_t hop) { return paths.step_of[hop]; });
  }

  // No period is shorter than what the busiest link or port has to do.
  [[nodiscard]] uint32_t least() const {
    uint64_t most = 1;
    for (size_t r = 0; r < load_.size(); ++r)
      most = std::max(most, (load_[r] + resources_.capacity(r) - 1) / resources_.capacity(r));
    return static_cast<uint32_t>(most);
  }

  [[nodiscard]] std::optional<TimedPaths> into(uint32_t period) {
    used_.assign(resources_.size() * period, 0);
    std::vector<uint32_t> next(paths_.size(), 0);
    TimedPaths out = paths_;
    out.steps = 0;
    for (const size_t hop : order_) {
      uint32_t& step = next[packet_of_[hop]];
      const uint32_t end = step + period;
      while (step < end && !has_room(paths_.arcs[hop], step % period)) ++step;
      if (step == end) return std::nullopt;
      resources_.of(paths_.arcs[hop], [&](size_t r) { ++used_[r * period + step % period]; });
      out.step_of[hop] = step++;
      out.steps = std::max(out.steps, step);
    }
    return out;
  }
  [[nodiscard]] bool has_work_left() const { return work_ < kFoldingWork; }

 private:
  [[nodiscard]] bool has_room(ArcId arc, uint32_t residue) {
    bool room = true;
    ++work_;
    const size_t period = used_.size() / resources_.size();
    resources_.of(arc,
                  [&](size_t r) { room = room && used_[r * period + residue] < resources_.capacity(r); });
    return room;
  }

  PathResources resources_;
  const TimedPaths& paths_;
  std::vector<uint64_t> load_;
  std::vector<uint32_t> packet_of_;  // of each hop
  std::vector<size_t> order_;
  std::vector<uint32_t> used_;  // by resource, then step of the period
  uint64_t work_ = 0;
};

}  // namespace

RepeatedPaths repeated(const Problem& problem, const TimedPaths& once, uint32_t times) {
  // One after another nobody meets the next period.
  RepeatedPaths best{.once = once, .period = once.steps, .times = times};
  if (times <= 1 || once.steps == 0 || !SlotExchange::knows(problem)) return best;
  Folding folding(problem, once);
  uint32_t more = 0;
  for (uint32_t period = folding.least(); period < once.steps && folding.has_work_left(); period += more) {
    if (std::optional<TimedPaths> folded = folding.into(period)) {
      const RepeatedPaths found{.once = *std::move(folded), .period = period, .times = times};
      if (found.steps() < best.steps()) best = found;
      break;
    }
    more = std::max<uint32_t>(1, more * 2);
  }
  return best;
}

uint64_t RepeatedPaths::start_ups() const {
  if (times == 0 || period == 0) return 0;
  std::vector<uint32_t> begins(once.step_of);
  std::ranges::sort(begins, {}, [this](uint32_t t) { return std::pair(t % period, t); });
  uint64_t busy = 0;
  uint64_t until = 0;  // of this place in the period: the period up to which it is busy
  for (size_t i = 0; i < begins.size(); ++i) {
    const uint64_t first = begins[i] / period;
    if (i == 0 || begins[i] % period != begins[i - 1] % period) until = 0;
    busy += first + times - std::max(first, std::min(until, first + times));
    until = std::max(until, first + times);
  }
  return busy;
}

void RepeatedPaths::generate(StepSink& sink) const {
  struct Hop {
    ArcId arc;
    BlockId block;
    uint32_t step;
  };
  // By their place in the period.
  std::vector<size_t> end(size_t{period} + 1, 0);
  for (const uint32_t step : once.step_of) ++end[step % period + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<size_t> at(end.begin(), end.end());
  std::vector<Hop> hops(once.step_of.size());
  for (size_t i = 0; i < once.size(); ++i)
    for (size_t h = once.begin[i]; h < once.begin[i + 1]; ++h)
      hops[at[once.step_of[h] % period]++] = {once.arcs[h], once.blocks[i], once.step_of[h]};
  StepBuilder step;
  for (uint64_t s = 0; s < steps(); ++s) {
    const size_t place = s % period;
    for (const Hop& hop : std::span(hops).subspan(end[place], end[place + 1] - end[place])) {
      if (s < hop.step) continue;
      const uint64_t n = (s - hop.step) / period;
      if (n < times) step.add(hop.arc, BlockId{static_cast<uint32_t>(index(hop.block) + n)});
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
