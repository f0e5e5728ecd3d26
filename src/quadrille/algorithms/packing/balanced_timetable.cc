#include "quadrille/algorithms/packing/balanced_timetable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/transforms/slots/slot_exchange.h"

namespace quadrille {
namespace {

// Of an exchange, for each block: its path, twice over, the steps of its hops, and where it stands in a queue; measured on
// 2,048 nodes.
constexpr uint64_t kBytesPerBlock = 170;
// Slots of links that all searches together look at, and rounds of one target.
constexpr uint64_t kExchangeWork = 60'000'000;
constexpr uint64_t kExchangeWorkPerHop = 1'000;

}  // namespace

TimedPaths with_slots_exchanged(const Problem& problem, TimedPaths paths, uint64_t least) {
  if (!SlotExchange::knows(problem)) return paths;
  SlotExchange exchange(problem, paths,
                        {.work = std::min(kExchangeWork, kExchangeWorkPerHop * paths.arcs.size()),
                         .longer_by = problem.topology().num_nodes(),
                         .dead = {}});
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

uint64_t within(Ports ports, uint64_t capacity) {
  return ports.unlimited() ? capacity : std::min<uint64_t>(capacity, ports.count);
}

uint64_t steps_for(Int128 blocks, uint64_t in_a_step) {
  return in_a_step == 0 ? 0 : static_cast<uint64_t>((blocks + in_a_step - 1) / in_a_step);
}

// What a node has to send, or to receive, and what all of them have to, over what they can in a step: no paths take
// fewer.
uint64_t steps_at_least(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const Counts* counts = collective.counts();
  std::vector<uint64_t> out(topology.num_nodes(), 0);  // what links carry
  std::vector<uint64_t> in(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    out[index(topology.tail(arc))] += topology.capacity(arc);
    in[index(topology.head(arc))] += topology.capacity(arc);
  }
  uint64_t all_send = 0;
  for (uint64_t& capacity : out) all_send += capacity = within(problem.model().send, capacity);

  std::vector<Int128> received(topology.num_nodes(), 0);
  Int128 hops = 0;
  uint64_t least = 0;
  for (const NodeId v : topology.endpoints()) {
    const std::vector<uint32_t> away = distances_from(topology, v);
    Int128 sent = 0;
    const auto add = [&](NodeId to, uint64_t blocks) {
      if (to == v) return;
      hops += Int128{blocks} * away[index(to)];
      sent += blocks;
      received[index(to)] += blocks;
    };
    if (counts == nullptr) {
      for (const NodeId other : topology.endpoints()) add(other, collective.pieces());
    } else {
      for (const Counts::Entry& entry : counts->from(*topology.rank(v)))
        add(topology.endpoint(entry.to), entry.count);
    }
    least = std::max(least, steps_for(sent, out[index(v)]));
  }
  for (const NodeId v : topology.endpoints())
    least = std::max(least, steps_for(received[index(v)], within(problem.model().receive, in[index(v)])));
  return std::max(least, steps_for(hops, all_send));
}

TimedPaths found_once(const Problem& problem) {
  count_work(Work::kSearching);
  require_memory(Int128{problem.collective().num_blocks()} * kBytesPerBlock,
                 fmt::format("following every block of {}", problem.title()));
  if (const TimedPaths* known = KeptPaths::find(problem)) return *known;
  TimedPaths found = balanced_within_gap(problem);
  KeptPaths::keep(problem, found);
  return found;
}

}  // namespace

Preparation on_balanced_paths(const Problem& problem) {
  const auto wanted = [](const Problem& p) -> std::optional<TimedPaths> {
    if (WorthMaking::is_limited() && !WorthMaking::is_any_of(steps_at_least(p))) return std::nullopt;
    return found_once(p);
  };
  const auto predicted = [](const Problem&, const std::optional<TimedPaths>& paths) -> Prediction {
    if (!paths) return {};
    return {.steps = paths->steps, .start_ups = paths->steps, .measured = true};
  };
  const auto generate = [](const Problem& p, const std::optional<TimedPaths>& paths, StepSink& sink) {
    paths ? paths->generate(sink) : found_once(p).generate(sink);
  };
  return Preparation::of(sharing(problem, wanted, predicted, generate, Effort::kMuch));
}

}  // namespace quadrille
