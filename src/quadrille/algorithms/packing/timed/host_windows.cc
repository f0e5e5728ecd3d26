#include "quadrille/algorithms/packing/timed/host_windows.h"

#include <algorithm>
#include <span>

#include "quadrille/algorithms/packing/round_paths.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint64_t kEvenTriesPerBlock = 40;
constexpr uint32_t kSlotUnit = 16;
constexpr int kPatience = 1'500;  // negotiations after which no fewer slots are too full
constexpr uint64_t kNever = UINT64_MAX;

}  // namespace

bool HostWindows::knows(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& topology = problem.topology();
  if (problem.collective().kind() != CollectiveKind::kAlltoall || problem.collective().counts() != nullptr ||
      model.switching != Switching::kPacket || model.duplex == Duplex::kHalf || !model.send.unlimited() ||
      !model.receive.unlimited() || problem.collective().num_ranks() < 3 || !are_hosts_of_one_link(topology))
    return false;
  return std::ranges::all_of(topology.endpoints(), [&](NodeId e) {
    const ArcId up = topology.arcs_from(e)[0];
    return topology.capacity(up) == 1 && topology.capacity(topology.reverse(up)) == 1;
  });
}

HostWindows::HostWindows(const Problem& problem, const PricedPaths& paths, uint32_t most_steps, uint64_t work,
                         uint64_t seed)
    : problem_(problem),
      paths_(paths),
      rng_{seed},
      rounds_(problem, paths, rng_),
      work_left_(work),
      hops_to_(problem.topology().num_nodes()),
      ways_of_(paths.size()),
      cost_(problem.topology().num_nodes(), kNever),
      coming_(cost_),
      way_to_(problem.topology().num_nodes(), 0) {
  const Topology& topology = problem.topology();
  for (const NodeId v : topology.nodes()) {
    first_.push_back(links_.size());
    for (const ArcId arc : topology.arcs_from(v)) {
      if (topology.rank(v) || topology.rank(topology.head(arc))) continue;
      links_.push_back(
          {static_cast<uint32_t>(index(topology.head(arc))), static_cast<uint32_t>(arcs_.size())});
      arcs_.push_back(arc);
      capacity_.push_back(topology.capacity(arc));
    }
  }
  first_.push_back(links_.size());
  const auto next_to = [&](NodeId host) { return topology.head(topology.arcs_from(host)[0]); };
  for (const NodeId host : topology.endpoints()) {
    std::vector<uint32_t>& hops = hops_to_[index(next_to(host))];
    if (hops.empty()) hops = distances_to(topology, next_to(host));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto from = static_cast<uint32_t>(index(next_to(problem.origin(paths.block(i)))));
    const auto to = static_cast<uint32_t>(index(next_to(problem.destination(paths.block(i)))));
    ends_.emplace_back(from, to);
    farthest_ = std::max(farthest_, hops_to_[to][from] + 2);
  }
  const size_t slots = size_t{most_steps} * arcs_.size();
  here_.resize(slots);
  price_.assign(slots, kSlotUnit);
  ask_.assign(slots, 1);
  is_listed_.assign(slots, 0);
}

std::optional<TimedPaths> HostWindows::within(uint32_t steps) {
  if (steps < least_steps()) return std::nullopt;
  const bool is_first = time_ == 0;
  time_ = steps - rounds_.num_rounds();
  if (is_first)
    rounds_.even_out(problem_, paths_, time_, SearchLimits::work(kEvenTriesPerBlock) * paths_.size(), rng_);
  std::ranges::fill(price_, kSlotUnit);
  std::vector<uint32_t> homeless;
  for (uint32_t i = 0; i < ways_of_.size(); ++i) {
    const std::vector<Hop>& way = ways_of_[i];
    if (!is_first && (way.empty() || way.back().step < rounds_.round_of(i) + time_)) continue;
    if (!is_first) take(i);
    homeless.push_back(i);
  }
  rng_.shuffle(homeless);
  for (const uint32_t i : homeless) {
    route(i);
    put(i);
  }
  if (!negotiate()) return std::nullopt;
  return taken();
}

// One more costs next to nothing while there is room, and then the price for everybody who is too many.
void HostWindows::set_ask(size_t s) {
  const size_t over = here_[s].size() + 1;
  const uint32_t capacity = capacity_[s % arcs_.size()];
  ask_[s] = over <= capacity ? 1 : price_[s] * static_cast<uint32_t>(over - capacity) * 4;
}

void HostWindows::put(uint32_t i) {
  for (const Hop& hop : ways_of_[i]) {
    const size_t s = slot(hop);
    here_[s].push_back(i);
    set_ask(s);
    if (here_[s].size() <= capacity_[hop.link] || is_listed_[s] != 0) continue;
    is_listed_[s] = 1;
    too_full_.push_back(static_cast<uint32_t>(s));
  }
}

void HostWindows::take(uint32_t i) {
  for (const Hop& hop : ways_of_[i]) {
    const size_t s = slot(hop);
    here_[s].erase(std::ranges::find(here_[s], i));
    set_ask(s);
  }
}

// The cheapest way of a block through its window. To wait costs nothing, so a router keeps its cost until somebody brings less.
void HostWindows::route(uint32_t i) {
  const auto [source, target] = ends_[i];
  std::vector<Hop>& way = ways_of_[i];
  way.clear();
  if (source == target) return;
  const std::vector<uint32_t>& hops = hops_to_[target];
  for (const uint32_t v : reached_) cost_[v] = coming_[v] = kNever;
  reached_.assign(1, source);
  ways_.assign(1, {});
  cost_[source] = coming_[source] = 0;
  way_to_[source] = 0;
  const uint32_t end = rounds_.round_of(i) + time_;
  for (uint32_t step = rounds_.round_of(i) + 1; step < end && cost_[target] > hops[source]; ++step) {
    const size_t known = reached_.size();
    const uint32_t* ask = &ask_[size_t{step} * arcs_.size()];
    for (size_t n = 0; n < known; ++n) {
      const uint32_t v = reached_[n];
      const uint64_t here = cost_[v];
      if (hops[v] > end - step || here + hops[v] >= coming_[target]) continue;
      work_left_ -= std::min<uint64_t>(work_left_, first_[v + 1] - first_[v]);
      for (size_t a = first_[v]; a < first_[v + 1]; ++a) {
        const auto [w, link] = links_[a];
        const uint64_t cost = here + ask[link];
        if (cost >= coming_[w] || hops[w] > end - step - 1) continue;
        if (coming_[w] == kNever) reached_.push_back(w);
        coming_[w] = cost;
        coming_ways_.push_back({{link, step}, w, way_to_[v]});
      }
    }
    for (const Way& coming : coming_ways_) {
      cost_[coming.head] = coming_[coming.head];
      way_to_[coming.head] = static_cast<uint32_t>(ways_.size());
      ways_.push_back(coming);
    }
    coming_ways_.clear();
  }
  for (uint32_t at = way_to_[target]; at != 0; at = ways_[at].before) way.push_back(ways_[at].hop);
  std::ranges::reverse(way);
}

// Until no slot is too full.
bool HostWindows::negotiate() {
  std::vector<uint32_t> slots;
  std::vector<uint32_t> crowd;
  size_t fewest = SIZE_MAX;
  for (int without = 0; without < kPatience; ++without) {
    slots.clear();
    for (const uint32_t s : too_full_) {
      is_listed_[s] = 0;
      const uint32_t capacity = capacity_[s % arcs_.size()];
      if (here_[s].size() <= capacity) continue;
      price_[s] += static_cast<uint32_t>(here_[s].size() - capacity) * kSlotUnit;
      set_ask(s);
      slots.push_back(s);
    }
    too_full_.clear();
    if (slots.empty()) return true;
    if (slots.size() < fewest) {
      fewest = slots.size();
      without = -1;
    }
    if (work_left_ == 0 || searches_are_stopped()) return false;
    rng_.shuffle(slots);
    for (const uint32_t s : slots) {
      crowd = here_[s];
      rng_.shuffle(crowd);
      for (const uint32_t i : crowd) {
        if (here_[s].size() <= capacity_[s % arcs_.size()]) break;
        take(i);
        route(i);
        put(i);
      }
    }
    // Where nobody moved, slots are as full as before.
    for (const uint32_t s : slots) {
      if (is_listed_[s] != 0) continue;
      is_listed_[s] = 1;
      too_full_.push_back(s);
    }
  }
  return false;
}

TimedPaths HostWindows::taken() const {
  TimedPaths out;
  out.steps = rounds_.num_rounds() + time_;
  for (uint32_t i = 0; i < ways_of_.size(); ++i) {
    const auto path = paths_.path(i);
    const uint32_t round = rounds_.round_of(i);
    out.blocks.push_back(paths_.block(i));
    out.arcs.push_back(path.front());
    out.step_of.push_back(round);
    for (const Hop& hop : ways_of_[i]) {
      out.arcs.push_back(arcs_[hop.link]);
      out.step_of.push_back(hop.step);
    }
    out.arcs.push_back(path.back());
    out.step_of.push_back(round + time_);
    out.begin.push_back(out.arcs.size());
  }
  return out;
}

}  // namespace quadrille
