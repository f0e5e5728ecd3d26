#include "quadrille/transforms/slots/slot_exchange.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr int kMostExchanges = 10;  // rounds, times the patience
constexpr uint64_t kMostExchangeSlots = uint64_t{1} << 24U;
constexpr uint32_t kSlotUnit = 16;
constexpr uint32_t kTooFar = UINT32_MAX;
constexpr uint64_t kNever = UINT64_MAX;

}  // namespace

SlotExchange::SlotExchange(const Problem& problem, const TimedPaths& first, Limits limits)
    : problem_(problem),
      topology_(problem.topology()),
      resources_(problem),
      now_(first),
      limits_(std::move(limits)) {
  limits_.work = SearchLimits::work(limits_.work);
  in_.resize(topology_.num_nodes());
  for (const ArcId arc : topology_.arcs())
    if (!is_dead(arc)) in_[index(topology_.head(arc))].push_back(arc);
  hops_to_.resize(topology_.num_nodes());
  hops_from_.resize(topology_.num_nodes());
  cost_.assign(topology_.num_nodes(), kNever);
  coming_ = cost_;
  way_of_.assign(topology_.num_nodes(), 0);
  if (topology_.num_arcs() > 0) {
    least_of_hop_ = 0;
    resources_.of(ArcId{0}, [&](size_t) { ++least_of_hop_; });
  }
}

bool SlotExchange::knows(const Problem& problem) {
  return problem.model().duplex != Duplex::kHalf ||
         std::ranges::all_of(problem.topology().capacities(), [](uint32_t c) { return c == 1; });
}

bool SlotExchange::has_work_left() const { return work_ < limits_.work && !searches_are_stopped(); }

std::optional<TimedPaths> SlotExchange::within(uint32_t steps) {
  steps_ = steps;
  if (resources_.size() * steps > kMostExchangeSlots) return std::nullopt;
  load_.assign(resources_.size() * steps, 0);
  price_.assign(resources_.size() * steps, kSlotUnit);
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
  for (int round = 0;
       round < kMostExchanges * limits_.patience && without < limits_.patience && has_work_left();
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

void SlotExchange::change_load(uint32_t i, int by) {
  for (const Hop& hop : routes_[i]) resources_.of(hop.arc, [&](size_t r) { load_[slot(r, hop.step)] += by; });
}

bool SlotExchange::is_crowded(uint32_t i) const {
  bool crowded = false;
  for (const Hop& hop : routes_[i]) {
    resources_.of(hop.arc, [&](size_t r) {
      crowded = crowded || load_[slot(r, hop.step)] > static_cast<int64_t>(resources_.capacity(r));
    });
  }
  return crowded;
}

// Who stands in crowded slots; these become dearer.
void SlotExchange::crowd(std::vector<uint32_t>& crowded) {
  crowded.clear();
  for (uint32_t i = 0; i < routes_.size(); ++i)
    if (is_crowded(i)) crowded.push_back(i);
  for (uint32_t step = 0; step < steps_; ++step) {
    for (size_t r = 0; r < resources_.size(); ++r) {
      const int64_t over = load_[slot(r, step)] - static_cast<int64_t>(resources_.capacity(r));
      if (over > 0) price_[slot(r, step)] += static_cast<uint32_t>(over) * kSlotUnit;
    }
  }
  work_ += load_.size() / 8;
}

uint64_t SlotExchange::price_of(ArcId arc, uint32_t step) const {
  uint64_t sum = 0;
  resources_.of(arc, [&](size_t r) {
    const size_t s = slot(r, step);
    const int64_t over = load_[s] + 1 - static_cast<int64_t>(resources_.capacity(r));
    sum += over > 0 ? uint64_t{price_[s]} * static_cast<uint64_t>(over) * 4 : 1;
  });
  return sum;
}

const std::vector<uint32_t>& SlotExchange::hops_to(NodeId target) {
  std::vector<uint32_t>& hops = hops_to_[index(target)];
  if (!hops.empty()) return hops;
  hops.assign(topology_.num_nodes(), kTooFar);
  hops[index(target)] = 0;
  std::vector<NodeId> reached{target};
  for (size_t n = 0; n < reached.size(); ++n) {
    for (const ArcId arc : in_[index(reached[n])]) {
      uint32_t& there = hops[index(topology_.tail(arc))];
      if (there != kTooFar) continue;
      there = hops[index(reached[n])] + 1;
      reached.push_back(topology_.tail(arc));
    }
  }
  return hops;
}

const std::vector<uint32_t>& SlotExchange::hops_from(NodeId source) {
  std::vector<uint32_t>& hops = hops_from_[index(source)];
  if (!hops.empty()) return hops;
  hops.assign(topology_.num_nodes(), kTooFar);
  hops[index(source)] = 0;
  std::vector<NodeId> reached{source};
  for (size_t n = 0; n < reached.size(); ++n) {
    for (const ArcId arc : topology_.arcs_from(reached[n])) {
      uint32_t& there = hops[index(topology_.head(arc))];
      if (is_dead(arc) || there != kTooFar) continue;
      there = hops[index(reached[n])] + 1;
      reached.push_back(topology_.head(arc));
    }
  }
  return hops;
}

// The cheapest way of a packet through space and time. False if there is no time for any. To wait costs nothing, so a node keeps
// its cost until somebody brings less; whoever cannot be less than what the target has is not followed.
bool SlotExchange::route(uint32_t i) {
  const NodeId source = problem_.origin(now_.blocks[i]);
  const NodeId target = problem_.destination(now_.blocks[i]);
  const std::vector<uint32_t>& hops = hops_to(target);
  routes_[i].clear();
  if (hops[index(source)] > steps_) return false;
  const bool anywhere = limits_.longer_by >= topology_.num_nodes();
  const uint32_t most_hops = anywhere ? kTooFar : hops[index(source)] + limits_.longer_by;
  const uint32_t* so_far = anywhere ? nullptr : hops_from(source).data();
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
        if (hops[w] > steps_ - step - 1 || is_dead(arc)) continue;
        if (so_far != nullptr && (so_far[w] == kTooFar || so_far[w] + hops[w] > most_hops)) continue;
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

TimedPaths SlotExchange::taken() const {
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

}  // namespace quadrille
