#include "quadrille/algorithms/packing/slot_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/packing/path_resources.h"
#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// Of an exchange, for each block: its path, twice over, the steps of its hops, and where it stands in a queue; measured on
// 2,048 nodes.
constexpr uint64_t kBytesPerBlock = 170;
// Slots of links that all searches together look at, and rounds of one target.
constexpr uint64_t kExchangeWork = 60'000'000;
constexpr uint64_t kExchangeWorkPerHop = 1'000;
constexpr int kMostExchanges = 400;
constexpr int kExchangePatience = 40;  // rounds in which the crowd grows no smaller
constexpr uint64_t kMostExchangeSlots = uint64_t{1} << 24U;

class SlotExchange {
 public:
  SlotExchange(const Problem& problem, const TimedPaths& first)
      : problem_(problem),
        topology_(problem.topology()),
        resources_(problem),
        now_(first),
        most_work_(SearchLimits::work(std::min(kExchangeWork, kExchangeWorkPerHop * first.arcs.size()))) {
    in_.resize(topology_.num_nodes());
    for (const ArcId arc : topology_.arcs()) in_[index(topology_.head(arc))].push_back(arc);
    hops_to_.resize(topology_.num_nodes());
    cost_.assign(topology_.num_nodes(), kNever);
    coming_ = cost_;
    way_of_.assign(topology_.num_nodes(), 0);
    if (topology_.num_arcs() > 0) {
      least_of_hop_ = 0;
      resources_.of(ArcId{0}, [&](size_t) { ++least_of_hop_; });
    }
  }

  // Within so many steps; nothing if it is not found.
  std::optional<TimedPaths> within(uint32_t steps) {
    steps_ = steps;
    if (resources_.size() * steps > kMostExchangeSlots) return std::nullopt;
    load_.assign(resources_.size() * steps, 0);
    price_.assign(resources_.size() * steps, kUnit);
    routes_.assign(now_.size(), {});
    homeless_.clear();
    for (uint32_t i = 0; i < now_.size(); ++i) {
      const auto times = now_.times(i);
      if (!times.empty() && times.back() >= steps) {
        homeless_.push_back(i);
        continue;
      }
      const auto arcs = now_.path(i);
      for (size_t h = 0; h < arcs.size(); ++h) routes_[i].push_back({arcs[h], times[h]});
      change_load(i, 1);
    }
    std::vector<uint32_t> crowded;
    size_t least = SIZE_MAX;
    int without = 0;
    for (int round = 0; round < kMostExchanges && without < kExchangePatience && has_work_left();
         ++round, ++without) {
      for (const uint32_t i : homeless_) {
        if (!route(i)) return std::nullopt;
        change_load(i, 1);
      }
      homeless_.clear();
      crowd(crowded);
      if (crowded.empty()) return taken();
      if (crowded.size() < least) {
        least = crowded.size();
        without = 0;
      }
      rng_.shuffle(crowded);
      // Those who stand in a crowded slot leave it one after another, until it is crowded no more.
      for (const uint32_t i : crowded) {
        if (!is_crowded(i)) continue;
        change_load(i, -1);
        homeless_.push_back(i);
      }
    }
    return std::nullopt;
  }
  void take(const TimedPaths& better) { now_ = better; }
  [[nodiscard]] bool has_work_left() const { return work_ < most_work_ && !searches_are_stopped(); }

 private:
  struct Hop {
    ArcId arc;
    uint32_t step;
  };

  [[nodiscard]] size_t slot(size_t resource, uint32_t step) const {
    return size_t{step} * resources_.size() + resource;
  }
  void change_load(uint32_t i, int by) {
    for (const Hop& hop : routes_[i])
      resources_.of(hop.arc, [&](size_t r) { load_[slot(r, hop.step)] += by; });
  }
  [[nodiscard]] bool is_crowded(uint32_t i) const {
    bool crowded = false;
    for (const Hop& hop : routes_[i]) {
      resources_.of(hop.arc, [&](size_t r) {
        crowded = crowded || load_[slot(r, hop.step)] > static_cast<int64_t>(resources_.capacity(r));
      });
    }
    return crowded;
  }
  // Who stands in crowded slots; these become dearer.
  void crowd(std::vector<uint32_t>& crowded) {
    crowded.clear();
    for (uint32_t i = 0; i < routes_.size(); ++i)
      if (is_crowded(i)) crowded.push_back(i);
    for (uint32_t step = 0; step < steps_; ++step) {
      for (size_t r = 0; r < resources_.size(); ++r) {
        const int64_t over = load_[slot(r, step)] - static_cast<int64_t>(resources_.capacity(r));
        if (over > 0) price_[slot(r, step)] += static_cast<uint32_t>(over) * kUnit;
      }
    }
    work_ += load_.size() / 8;
  }

  [[nodiscard]] uint64_t price_of(ArcId arc, uint32_t step) const {
    uint64_t sum = 0;
    resources_.of(arc, [&](size_t r) {
      const size_t s = slot(r, step);
      const int64_t over = load_[s] + 1 - static_cast<int64_t>(resources_.capacity(r));
      sum += over > 0 ? uint64_t{price_[s]} * static_cast<uint64_t>(over) * 4 : 1;
    });
    return sum;
  }

  const std::vector<uint32_t>& hops_to(NodeId target) {
    std::vector<uint32_t>& hops = hops_to_[index(target)];
    if (!hops.empty()) return hops;
    hops.assign(topology_.num_nodes(), kFar);
    hops[index(target)] = 0;
    std::vector<NodeId> reached{target};
    for (size_t n = 0; n < reached.size(); ++n) {
      for (const ArcId arc : in_[index(reached[n])]) {
        uint32_t& there = hops[index(topology_.tail(arc))];
        if (there != kFar) continue;
        there = hops[index(reached[n])] + 1;
        reached.push_back(topology_.tail(arc));
      }
    }
    return hops;
  }

  // The cheapest way of a packet through space and time. False if there is no time for any. To wait costs nothing, so a node keeps
  // its cost until somebody brings less; whoever cannot be less than what the target has is not followed.
  bool route(uint32_t i) {
    const NodeId source = problem_.origin(now_.blocks[i]);
    const NodeId target = problem_.destination(now_.blocks[i]);
    const std::vector<uint32_t>& hops = hops_to(target);
    routes_[i].clear();
    if (hops[index(source)] > steps_) return false;
    for (const NodeId v : reached_) cost_[index(v)] = coming_[index(v)] = kNever;
    reached_.assign(1, source);
    ways_.assign(1, {kNoArc, 0, 0});
    cost_[index(source)] = coming_[index(source)] = 0;
    way_of_[index(source)] = 0;
    const uint64_t least = uint64_t{hops[index(source)]} * least_of_hop_;
    for (uint32_t step = 0; step < steps_ && cost_[index(target)] > least; ++step) {
      const size_t known = reached_.size();
      for (size_t n = 0; n < known; ++n) {
        const NodeId v = reached_[n];
        const uint64_t here = cost_[index(v)];
        if (here == kNever || here + uint64_t{hops[index(v)]} * least_of_hop_ >= coming_[index(target)])
          continue;
        work_ += topology_.out_degree(v);
        for (const ArcId arc : topology_.arcs_from(v)) {
          const size_t w = index(topology_.head(arc));
          if (hops[w] > steps_ - step - 1) continue;
          const uint64_t cost = here + price_of(arc, step);
          if (cost >= coming_[w]) continue;
          if (coming_[w] == kNever) reached_.push_back(id_at<NodeId>(w));
          coming_[w] = cost;
          coming_ways_.push_back({arc, step, way_of_[index(v)]});
        }
      }
      for (const Way& way : coming_ways_) {
        const size_t w = index(topology_.head(way.arc));
        cost_[w] = coming_[w];
        way_of_[w] = static_cast<uint32_t>(ways_.size());
        ways_.push_back(way);
      }
      coming_ways_.clear();
    }
    for (uint32_t at = way_of_[index(target)]; at != 0; at = ways_[at].before)
      routes_[i].push_back({ways_[at].arc, ways_[at].step});
    std::reverse(routes_[i].begin(), routes_[i].end());
    return true;
  }

  [[nodiscard]] TimedPaths taken() const {
    TimedPaths out;
    out.steps = steps_;
    out.blocks = now_.blocks;
    for (const std::vector<Hop>& route : routes_) {
      for (const Hop& hop : route) {
        out.arcs.push_back(hop.arc);
        out.step_of.push_back(hop.step);
      }
      out.begin.push_back(out.arcs.size());
    }
    return out;
  }

  static constexpr uint32_t kUnit = 16;
  static constexpr uint32_t kFar = UINT32_MAX;
  static constexpr uint64_t kNever = UINT64_MAX;

  const Problem& problem_;
  const Topology& topology_;
  PathResources resources_;
  TimedPaths now_;
  uint64_t most_work_;
  Rng rng_{1};
  uint32_t steps_ = 0;
  uint64_t work_ = 0;
  std::vector<std::vector<ArcId>> in_;
  std::vector<std::vector<uint32_t>> hops_to_;
  std::vector<int64_t> load_;
  std::vector<uint32_t> price_;
  std::vector<std::vector<Hop>> routes_;
  std::vector<uint32_t> homeless_;
  // How a node was reached: by which hop, when, and the way before it.
  struct Way {
    ArcId arc;
    uint32_t step;
    uint32_t before;
  };
  uint64_t least_of_hop_ = 1;
  std::vector<uint64_t> cost_;    // of the cheapest way to a node so far
  std::vector<uint64_t> coming_;  // with the step that is looked at
  std::vector<uint32_t> way_of_;
  std::vector<Way> ways_;  // the first one is that of the source
  std::vector<Way> coming_ways_;
  std::vector<NodeId> reached_;
};

}  // namespace

TimedPaths with_slots_exchanged(const Problem& problem, TimedPaths paths, uint64_t least) {
  // There a slot is not two numbers added up: one direction excludes the other.
  const auto& capacities = problem.topology().capacities();
  if (problem.model().duplex == Duplex::kHalf &&
      std::any_of(capacities.begin(), capacities.end(), [](uint32_t c) { return c > 1; }))
    return paths;
  SlotExchange exchange(problem, paths);
  least = good_enough_steps(problem, least);
  while (paths.steps > least && exchange.has_work_left()) {
    std::optional<TimedPaths> better = exchange.within(paths.steps - 1);
    if (!better) break;
    paths = std::move(*better);
    tell_found(problem, paths.steps);
    exchange.take(paths);
  }
  return paths;
}

namespace {

TimedPaths balanced(const Problem& problem) {
  const PricedPaths paths(problem);
  return with_slots_exchanged(problem, schedule_paths(problem, paths), paths.least());
}

// Paths near the bound may do; where their steps come out longer than that, they have to be better.
TimedPaths balanced_within_gap(const Problem& problem) {
  const SearchWishes wishes = SearchLimits::now();
  if (wishes.gap <= 0) return balanced(problem);
  const auto with_gap = [&](double gap) {
    SearchWishes other = wishes;
    other.gap = gap;
    const SearchLimits limits(other);
    return balanced(problem);
  };
  TimedPaths soon = with_gap(wishes.gap / 2);
  if (searches_are_stopped() || soon.steps <= good_enough_steps(problem, 0)) return soon;
  TimedPaths better = with_gap(0);
  return better.steps < soon.steps ? better : soon;
}

}  // namespace

Preparation on_balanced_paths(const Problem& problem) {
  const auto timed = [](const Problem& p) {
    count_work(Work::kSearching);
    require_memory(Int128{p.collective().num_blocks()} * kBytesPerBlock,
                   fmt::format("following every block of {}", p.title()));
    if (const TimedPaths* known = KeptPaths::find(p)) return *known;
    TimedPaths found = balanced_within_gap(p);
    KeptPaths::keep(p, found);
    return found;
  };
  const auto predicted = [](const Problem&, const TimedPaths& paths) -> Prediction {
    return {.steps = paths.steps, .start_ups = paths.steps, .measured = true};
  };
  const auto generate = [](const Problem&, const TimedPaths& paths, StepSink& sink) { paths.generate(sink); };
  return Preparation::of(sharing(problem, timed, predicted, generate, Effort::kMuch));
}

}  // namespace quadrille
