#include "quadrille/algorithms/cayley/relay_sequences.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr uint8_t kUnreached = 128;                     // hops
constexpr uint64_t kWorkOfSearch = uint64_t{1} << 21U;  // hops looked at for one number of start-ups, about
constexpr uint64_t kFewestTrials = 200;
constexpr uint64_t kMostTrials = 20'000;  // and for each step so many
constexpr uint64_t kMostTrialsOfStep = 4'000;
constexpr uint64_t kFewSequences = uint64_t{1} << 13U;  // all of which are looked at
constexpr uint64_t kWorkOfRounds = uint64_t{1} << 18U;
constexpr uint64_t kMostTrialsOfRounds = 1'000;
constexpr uint32_t kMostGreedy = 256;  // generators that are all looked at for one more step
constexpr uint32_t kMostSteps = 100;   // so that hops fit into a byte

using Steps = std::vector<std::vector<uint32_t>>;

// Where every node's hop along a generator comes from.
class Predecessors {
 public:
  // Of ranks in a circle, all of which are neighbours: generator g leads g + 1 on.
  explicit Predecessors(uint32_t ranks) : nodes_(ranks), is_cyclic_(true) {}
  explicit Predecessors(const CayleyStructure& cayley)
      : nodes_(cayley.group->order()), is_cyclic_(is_cyclic_and_complete(cayley)) {
    if (is_cyclic_) return;
    from_.resize(cayley.generators.size() * size_t{nodes_});
    for (size_t g = 0; g < cayley.generators.size(); ++g) {
      const uint32_t back = cayley.generators[cayley.inverses[g]];
      cayley.group->right_translation(back, std::span(from_).subspan(g * nodes_, nodes_));
    }
  }

  // Of every node the fewest hops, given those before, if it may take one along the generator.
  void relax(uint32_t generator, const uint8_t* before, uint8_t* after) const {
    if (is_cyclic_) {
      const uint32_t shift = generator + 1;
      relax_in_a_row(before + (nodes_ - shift), after, shift);
      return relax_in_a_row(before, after + shift, nodes_ - shift);
    }
    const uint32_t* from = from_.data() + size_t{generator} * nodes_;
    for (uint32_t x = 0; x < nodes_; ++x)
      after[x] = std::min<uint8_t>(after[x], static_cast<uint8_t>(before[from[x]] + 1));
  }
  [[nodiscard]] uint32_t from(uint32_t generator, uint32_t x) const {
    if (is_cyclic_) return x > generator ? x - generator - 1 : x + nodes_ - generator - 1;
    return from_[size_t{generator} * nodes_ + x];
  }
  [[nodiscard]] uint32_t nodes() const { return nodes_; }
  [[nodiscard]] bool is_cyclic() const { return is_cyclic_; }

 private:
  static void relax_in_a_row(const uint8_t* before, uint8_t* after, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
      after[i] = std::min<uint8_t>(after[i], static_cast<uint8_t>(before[i] + 1));
  }

  uint32_t nodes_;
  bool is_cyclic_;
  std::vector<uint32_t> from_;
};

// The fewest hops of every displacement after each step.
class Hops {
 public:
  explicit Hops(const Predecessors& graph) : graph_(graph), after_(1) {
    after_[0].assign(graph.nodes(), kUnreached);
    after_[0][0] = 0;
  }

  // Of the steps from `first` on; those before are known. All hops together; where somebody is not reached kUnreached for him.
  uint64_t take(const Steps& steps, size_t first) {
    after_.resize(steps.size() + 1);
    for (size_t t = first; t < steps.size(); ++t) {
      after_[t + 1] = after_[t];
      for (const uint32_t g : steps[t]) graph_.relax(g, after_[t].data(), after_[t + 1].data());
    }
    return sum(after_[steps.size()]);
  }
  // After the last of so many steps, one more of these generators.
  [[nodiscard]] uint64_t with(size_t steps, const std::vector<uint32_t>& more) {
    trial_ = after_[steps];
    for (const uint32_t g : more) graph_.relax(g, after_[steps].data(), trial_.data());
    return sum(trial_);
  }
  [[nodiscard]] uint8_t of(size_t steps, uint32_t x) const { return after_[steps][x]; }

 private:
  static uint64_t sum(const std::vector<uint8_t>& hops) {
    return std::accumulate(hops.begin(), hops.end(), uint64_t{0});
  }

  const Predecessors& graph_;
  std::vector<std::vector<uint8_t>> after_;
  std::vector<uint8_t> trial_;
};

// Which generator each displacement takes in each step, with the fewest hops that there are; of several generators the one with
// less to carry, looked at once more when all is known.
class Assignment {
 public:
  Assignment(const Predecessors& graph, const StepRoom& room, const Steps& steps)
      : graph_(graph),
        room_(room),
        steps_(steps),
        hops_(graph),
        taken_(size_t{graph.nodes()} * steps.size(), 0) {
    static_cast<void>(hops_.take(steps, 0));
    for (const std::vector<uint32_t>& step : steps) load_.emplace_back(step.size(), 0);
    const bool has_choice = std::ranges::any_of(steps, [](const auto& step) { return step.size() > 1; });
    for (int pass = 0; pass < (has_choice ? 4 : 1); ++pass)
      for (uint32_t x = 1; x < graph.nodes(); ++x) assign(x);
  }

  [[nodiscard]] uint64_t rounds() const {
    uint64_t out = 0;
    for (size_t t = 0; t < steps_.size(); ++t) {
      uint64_t most = 0;
      for (size_t i = 0; i < steps_[t].size(); ++i) most = std::max(most, rounds_of(t, i, load_[t][i]));
      out += most;
    }
    return out;
  }
  [[nodiscard]] std::optional<size_t> idle_step() const {
    for (size_t t = 0; t < steps_.size(); ++t)
      if (std::ranges::all_of(load_[t], [](uint64_t load) { return load == 0; })) return t;
    return std::nullopt;
  }
  [[nodiscard]] uint64_t busiest() const {
    std::vector<uint64_t> loads(room_.capacity.size(), 0);
    for (size_t t = 0; t < steps_.size(); ++t)
      for (size_t i = 0; i < steps_[t].size(); ++i) loads[steps_[t][i]] += load_[t][i];
    return *std::ranges::max_element(loads);
  }
  [[nodiscard]] std::vector<uint32_t> take_hops() {
    for (size_t i = 0; i < taken_.size(); ++i)
      if (taken_[i] != 0) taken_[i] = steps_[i % steps_.size()][taken_[i] - 1] + 1;
    return std::move(taken_);
  }

 private:
  [[nodiscard]] uint64_t rounds_of(size_t t, size_t i, uint64_t load) const {
    const uint64_t capacity = room_.capacity[steps_[t][i]];
    return (load + capacity - 1) / capacity;
  }

  void assign(uint32_t displacement) {
    uint32_t* const taken = taken_.data() + size_t{displacement} * steps_.size();
    for (size_t t = 0; t < steps_.size(); ++t) {
      if (taken[t] != 0) --load_[t][taken[t] - 1];
      taken[t] = 0;
    }
    uint32_t at = displacement;
    for (size_t t = steps_.size(); t-- > 0;) {
      const uint8_t here = hops_.of(t + 1, at);
      std::optional<size_t> best;
      for (size_t i = 0; i < steps_[t].size(); ++i) {
        if (hops_.of(t, graph_.from(steps_[t][i], at)) + 1 != here) continue;
        if (!best || rounds_of(t, i, load_[t][i] + 1) < rounds_of(t, *best, load_[t][*best] + 1)) best = i;
      }
      if (hops_.of(t, at) == here) {
        // It may wait: unless nobody is delayed by its going now.
        if (!best || adds_a_round(t, *best)) continue;
      }
      taken[t] = static_cast<uint32_t>(*best + 1);
      ++load_[t][*best];
      at = graph_.from(steps_[t][*best], at);
    }
  }

  [[nodiscard]] bool adds_a_round(size_t t, size_t i) const {
    uint64_t most = 0;
    for (size_t k = 0; k < steps_[t].size(); ++k) most = std::max(most, rounds_of(t, k, load_[t][k]));
    return rounds_of(t, i, load_[t][i] + 1) > most;
  }

  const Predecessors& graph_;
  const StepRoom& room_;
  const Steps& steps_;
  Hops hops_;
  std::vector<uint32_t> taken_;                // 1 + place in the step, or 0
  std::vector<std::vector<uint64_t>> load_{};  // of a step, in its order
};

class Search {
 public:
  Search(Predecessors graph, const StepRoom& room)
      : graph_(std::move(graph)),
        room_(room),
        generators_(static_cast<uint32_t>(room.capacity.size())),
        hops_(graph_),
        rng_(graph_.nodes() * 8 + room.ports) {}

  std::vector<RelaySequence> run() {
    std::vector<RelaySequence> found;
    Steps steps;
    uint64_t before = UINT64_MAX;
    uint32_t hardly_better = 0;
    uint64_t lowest = 1;  // displacements that so many steps can reach
    while (steps.size() < kMostSteps && hardly_better < 2) {
      append(steps);
      lowest = std::min<uint64_t>(lowest * (room_.ports + 1), graph_.nodes());
      if (lowest < graph_.nodes()) continue;
      uint64_t hops = hops_.take(steps, 0);
      if (graph_.is_cyclic()) {
        if (Steps digits = radices(steps.size()); !digits.empty()) {
          const uint64_t of_digits = hops_.take(digits, 0);
          if (of_digits < hops) {
            steps = std::move(digits);
            hops = of_digits;
          }
        }
      }
      improve(steps, hops);
      if (!is_reached(steps)) continue;
      found.push_back(balanced(steps));
      const uint64_t rounds = found.back().rounds;
      hardly_better = before != UINT64_MAX && rounds + 1 >= before ? hardly_better + 1 : 0;
      before = std::min(before, rounds);
    }
    return on_the_front(std::move(found));
  }

 private:
  // One more step, of generators each of which brings most.
  void append(Steps& steps) {
    static_cast<void>(hops_.take(steps, 0));
    std::vector<uint32_t> more;
    while (more.size() < room_.ports) {
      std::optional<uint32_t> best;
      uint64_t least = UINT64_MAX;
      for (uint32_t trial = 0; trial < std::min(generators_, kMostGreedy); ++trial) {
        const uint32_t g =
            generators_ <= kMostGreedy ? trial : static_cast<uint32_t>(rng_.below(generators_));
        if (std::ranges::find(more, g) != more.end()) continue;
        more.push_back(g);
        const uint64_t hops = hops_.with(steps.size(), more);
        more.pop_back();
        if (hops >= least) continue;
        least = hops;
        best = g;
      }
      if (!best) break;
      more.push_back(*best);
    }
    steps.push_back(std::move(more));
  }

  // As few digits as fit into so many steps, of radices as equal as can be.
  [[nodiscard]] Steps radices(size_t most) const {
    const uint64_t nodes = graph_.nodes();
    Steps best;
    for (uint32_t digits = 1; digits < 32; ++digits) {
      std::vector<uint64_t> radix(digits, room_.ports + 1);
      const auto reach = [&] {
        uint64_t out = 1;
        for (const uint64_t r : radix) out = std::min(out * r, nodes);
        return out;
      };
      for (size_t i = 0; reach() < nodes; i = (i + 1) % digits) radix[i] += room_.ports;
      Steps steps;
      uint64_t place = 1;
      for (const uint64_t r : radix) {
        for (uint64_t j = 1; j < r && j * place < nodes; ++j) {
          if ((j - 1) % room_.ports == 0) steps.emplace_back();
          steps.back().push_back(static_cast<uint32_t>(j * place - 1));
        }
        place *= r;
      }
      if (steps.size() > most) continue;
      best = std::move(steps);
      break;
    }
    if (best.empty()) return best;
    while (best.size() < most) best.push_back(best.back());
    return best;
  }

  [[nodiscard]] bool is_reached(const Steps& steps) {
    static_cast<void>(hops_.take(steps, 0));
    for (uint32_t x = 0; x < graph_.nodes(); ++x)
      if (hops_.of(steps.size(), x) >= kUnreached) return false;
    return true;
  }

  // No sequence of so many steps has fewer hops: of two hops there are no more than pairs of steps, and so on.
  [[nodiscard]] uint64_t least(size_t steps) const {
    double ways = 1;
    uint64_t left = graph_.nodes() - 1;
    uint64_t out = 0;
    for (uint64_t h = 1; left > 0 && h <= steps; ++h) {
      ways = ways * static_cast<double>(steps - h + 1) / static_cast<double>(h) * room_.ports;
      const uint64_t here = ways < static_cast<double>(left) ? static_cast<uint64_t>(ways) : left;
      out += here * h;
      left -= here;
    }
    return out;
  }

  // What a step may be, if there are few sequences of so many steps; else nothing.
  [[nodiscard]] Steps few_sets(size_t steps) const {
    Steps out;
    std::vector<uint32_t> set(room_.ports);
    std::iota(set.begin(), set.end(), 0U);
    for (;;) {
      out.push_back(set);
      uint64_t sequences = 1;
      for (size_t t = 0; t < steps; ++t) {
        sequences *= out.size();
        if (sequences > kFewSequences) return {};
      }
      size_t i = set.size();
      while (i > 0 && set[i - 1] == generators_ - set.size() + i - 1) --i;
      if (i == 0) return out;
      std::iota(set.begin() + static_cast<std::ptrdiff_t>(i - 1), set.end(), set[i - 1] + 1);
    }
  }

  // One after another, the last step first.
  void try_all(Steps& steps, uint64_t hops, const Steps& sets) {
    const uint64_t goal = least(steps.size());
    std::vector<size_t> at(steps.size(), 0);
    Steps now(steps.size(), sets.front());
    for (size_t first = 0;;) {
      if (const uint64_t then = hops_.take(now, first); then < hops) {
        hops = then;
        steps = now;
        if (hops <= goal) return;
      }
      first = now.size();
      while (first > 0 && at[first - 1] + 1 == sets.size()) --first;
      if (first == 0) return;
      --first;
      ++at[first];
      std::fill(at.begin() + static_cast<std::ptrdiff_t>(first + 1), at.end(), 0);
      for (size_t t = first; t < now.size(); ++t) now[t] = sets[at[t]];
    }
  }

  // Exchanges generators; what is a little worse is sometimes taken, too, and the best is kept.
  void improve(Steps& steps, uint64_t hops) {
    const uint64_t goal = least(steps.size());
    if (hops <= goal || generators_ < 2) return;
    if (const Steps sets = few_sets(steps.size()); !sets.empty()) return try_all(steps, hops, sets);
    const uint64_t lanes = graph_.is_cyclic() ? 16 : 1;
    const uint64_t work = graph_.nodes() * steps.size() * room_.ports / lanes + steps.size();
    const uint64_t trials =
        std::clamp(kWorkOfSearch / work, kFewestTrials, kMostTrials + kMostTrialsOfStep * steps.size());
    Steps now = steps;
    uint64_t at = hops_.take(now, 0);
    uint64_t best = hops;
    for (uint64_t trial = 0; trial < trials && best > goal; ++trial) {
      const size_t t = rng_.below(now.size());
      const size_t other = rng_.below(now.size());
      const size_t i = rng_.below(now[t].size());
      const uint32_t was = now[t][i];
      const bool exchanges = !graph_.is_cyclic() && other != t && rng_.below(3) == 0;
      if (exchanges) {
        std::swap(now[t], now[other]);
      } else {
        const uint32_t g = rng_.below(2) == 0 ? static_cast<uint32_t>(rng_.below(generators_)) : near(was);
        if (std::ranges::find(now[t], g) != now[t].end()) continue;
        now[t][i] = g;
      }
      const size_t first = exchanges ? std::min(t, other) : t;
      const uint64_t then = hops_.take(now, first);
      if (then <= at || is_taken(then - at)) {
        at = then;
        if (at < best) {
          best = at;
          steps = now;
        }
        continue;
      }
      if (exchanges) {
        std::swap(now[t], now[other]);
      } else {
        now[t][i] = was;
      }
      static_cast<void>(hops_.take(now, first));
    }
  }

  [[nodiscard]] uint32_t near(uint32_t generator) {
    const auto by = static_cast<uint32_t>(1 + rng_.below(3));
    return rng_.below(2) == 0 ? (generator + by) % generators_
                              : (generator + generators_ - by % generators_) % generators_;
  }

  // About exp(-worse / 0.6).
  [[nodiscard]] bool is_taken(uint64_t worse) {
    constexpr uint64_t kOneIn[] = {1, 5, 28, 148};
    return worse < std::size(kOneIn) && rng_.below(kOneIn[worse]) == 0;
  }

  // Without steps that nobody needs.
  [[nodiscard]] RelaySequence measured(Steps steps) const {
    for (;;) {
      const Assignment ways(graph_, room_, steps);
      const std::optional<size_t> idle = ways.idle_step();
      if (!idle) return {steps, ways.rounds(), ways.busiest()};
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*idle));
    }
  }

  // Of several generators a step all should have as much to do: exchanges them as long as rounds become fewer.
  RelaySequence balanced(const Steps& steps) {
    RelaySequence out = measured(steps);
    if (room_.ports == 1) return out;
    const uint64_t goal = (least(out.steps.size()) + room_.ports - 1) / room_.ports;
    const uint64_t work = uint64_t{graph_.nodes()} * out.steps.size() * room_.ports;
    const uint64_t trials = std::min(kMostTrialsOfRounds, kWorkOfRounds / work);
    for (uint64_t trial = 0; trial < trials && out.rounds > goal; ++trial) {
      Steps now = out.steps;
      std::vector<uint32_t>& step = now[rng_.below(now.size())];
      const auto g = static_cast<uint32_t>(rng_.below(generators_));
      if (std::ranges::find(step, g) != step.end()) continue;
      step[rng_.below(step.size())] = g;
      if (!is_reached(now)) continue;
      RelaySequence next = measured(now);
      if (next.rounds <= out.rounds) out = std::move(next);
    }
    return out;
  }

  // Those that lie on the lower convex hull of start-ups and rounds.
  static std::vector<RelaySequence> on_the_front(std::vector<RelaySequence> found) {
    std::ranges::stable_sort(found, {},
                             [](const RelaySequence& of) { return std::pair(of.start_ups(), of.rounds); });
    std::vector<RelaySequence> out;
    for (RelaySequence& next : found) {
      if (!out.empty() && next.rounds >= out.back().rounds) continue;
      while (out.size() >= 2) {
        const RelaySequence& a = out[out.size() - 2];
        const RelaySequence& b = out.back();
        // Whether b lies on the line from a to the next, or above it.
        if ((a.rounds - b.rounds) * (next.start_ups() - b.start_ups()) >
            (b.rounds - next.rounds) * (b.start_ups() - a.start_ups()))
          break;
        out.pop_back();
      }
      out.push_back(std::move(next));
    }
    return out;
  }

  Predecessors graph_;
  const StepRoom& room_;
  uint32_t generators_;
  Hops hops_;
  Rng rng_;
};

}  // namespace

bool is_cyclic_and_complete(const CayleyStructure& cayley) {
  const Group& group = *cayley.group;
  return cayley.generators.size() + 1 == group.order() && group.cyclic_moduli().size() == 1;
}

namespace {

// Of a graph, or of ranks in a circle: those have no group.
struct Asked {
  std::shared_ptr<const Group> group;
  std::vector<uint32_t> generators;
  StepRoom room;

  friend bool operator==(const Asked&, const Asked&) = default;
};

// Lenders ask again.
template <typename MakeGraph>
RelaySequences kept_sequences(Asked asked, MakeGraph graph) {
  constexpr size_t kMostKept = 8;
  static std::mutex mutex;
  static std::deque<std::pair<Asked, RelaySequences>> kept;
  const std::lock_guard lock(mutex);  // whoever asks meanwhile wants the same, as a rule
  for (const auto& [known, found] : kept)
    if (known == asked) return found;
  auto found = std::make_shared<const std::vector<RelaySequence>>(Search(graph(), asked.room).run());
  kept.emplace_front(std::move(asked), std::move(found));
  if (kept.size() > kMostKept) kept.pop_back();
  return kept.front().second;
}

StepRoom room_of_ranks(uint32_t ranks, uint32_t messages) {
  return {std::vector<uint32_t>(ranks - 1, 1), messages};
}

}  // namespace

RelaySequences relay_sequences(const CayleyStructure& cayley, const StepRoom& room) {
  if (is_cyclic_and_complete(cayley) && std::ranges::max(room.capacity) == 1)
    return relay_sequences_of_ranks(cayley.group->order(), room.ports);
  return kept_sequences({cayley.group, cayley.generators, room}, [&] { return Predecessors(cayley); });
}

RelaySequences relay_sequences_of_ranks(uint32_t ranks, uint32_t messages) {
  return kept_sequences({nullptr, {}, room_of_ranks(ranks, messages)}, [&] { return Predecessors(ranks); });
}

std::vector<uint32_t> relay_hops(const CayleyStructure& cayley, const StepRoom& room,
                                 const RelaySequence& sequence) {
  const Predecessors graph(cayley);
  return Assignment(graph, room, sequence.steps).take_hops();
}

std::vector<uint32_t> relay_hops_of_ranks(uint32_t ranks, const RelaySequence& sequence) {
  const Predecessors graph(ranks);
  const StepRoom room = room_of_ranks(ranks, 1);
  return Assignment(graph, room, sequence.steps).take_hops();
}

}  // namespace quadrille
