#include "quadrille/algorithms/partial_sums/least_sums.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/partial_sums/leaf_sums.h"
#include "quadrille/algorithms/partial_sums/scheduled_sums.h"
#include "quadrille/algorithms/partial_sums/sum_search.h"
#include "quadrille/algorithms/partial_sums/sum_trials.h"
#include "quadrille/algorithms/partial_sums/tree_sums.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/model/needless_ports.h"
#include "quadrille/search/everybody_informed.h"
#include "quadrille/search/informed_trials.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 128;
constexpr uint32_t kFewNodes = 16;
constexpr uint32_t kMostInAMoment = 32;  // beyond, a search is given more time

// No plan takes fewer steps: the way to the furthest, and how fast news spread over so many ports.
uint32_t fewest_steps(const Problem& problem) {
  const Topology& net = problem.topology();
  uint32_t out = 0;
  for (const NodeId v : net.endpoints()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    for (const NodeId w : net.endpoints()) out = std::max(out, hops[index(w)]);
  }
  uint64_t spread = 0;
  for (const NodeId v : net.nodes()) spread = std::max<uint64_t>(spread, net.out_degree(v));
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (!ports.unlimited()) spread = std::min<uint64_t>(spread, ports.count);
  }
  uint32_t steps = 0;
  for (uint64_t reached = 1; reached < net.num_endpoints(); reached *= spread + 1) ++steps;
  return std::max(out, steps);
}

MessageLimits limits_of(const Problem& problem) {
  const auto limit = [](Ports ports) {
    return ports.unlimited() ? std::nullopt : std::optional(ports.count);
  };
  return {limit(problem.model().send), limit(problem.model().receive)};
}

// Of packets a refutation is a bound, too, and is made once for both; of worms, which need not go by neighbours, it only says where a
// search would be in vain.
uint32_t conflicts_for_floor(const Problem& problem) {
  constexpr uint32_t kOfPackets = 2'000;
  constexpr uint32_t kOfWorms = 300;
  return takes_paths(problem.model()) ? kOfWorms : kOfPackets;
}

// With few ports news take longer, as a solver can show where that takes a moment: fewer steps would be searched for in vain.
InformedFloor floor_with_few_ports(const Problem& problem, uint32_t fewest) {
  constexpr uint64_t kMostVariables = 30'000;
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  const uint64_t most = most_neighbours(net);
  const bool has_few = (!model.send.unlimited() && model.send.count < most) ||
                       (!model.receive.unlimited() && model.receive.count < most);
  if (!has_few || uint64_t{net.num_arcs()} * net.num_endpoints() * fewest > kMostVariables)
    return {.steps = fewest};
  return informed_floor(net, limits_of(problem), fewest, conflicts_for_floor(problem));
}

// The way out where links lead one way: to one node along a tree, and whole along another, one message a step.
SumPlan one_after_another(const Problem& problem) {
  const Topology& net = problem.topology();
  const NodeId root = net.endpoints().front();
  const auto nearest_first = [&net](const std::vector<uint32_t>& hops) {
    std::vector<NodeId> out;
    for (const NodeId v : net.nodes()) out.push_back(v);
    std::stable_sort(out.begin(), out.end(),
                     [&hops](NodeId a, NodeId b) { return hops[index(a)] < hops[index(b)]; });
    return out;
  };
  SumPlan plan(2 * (net.num_nodes() - 1));
  uint32_t step = 0;
  std::vector<std::vector<uint32_t>> came(net.num_nodes());
  const std::vector<uint32_t> to_root = distances_to(net, root);
  const std::vector<NodeId> inwards = nearest_first(to_root);
  for (size_t i = inwards.size(); i-- > 1;) {
    const NodeId v = inwards[i];
    if (net.rank(v)) came[index(v)].push_back(SumPlan::kOwn);
    ++step;
    for (const ArcId arc : net.arcs_from(v)) {
      if (to_root[index(net.head(arc))] + 1 != to_root[index(v)] || came[index(v)].empty()) continue;
      came[index(net.head(arc))].push_back(plan.send(step, arc, came[index(v)]));
      break;
    }
  }
  const std::vector<uint32_t> from_root = distances_from(net, root);
  std::vector<bool> has_it(net.num_nodes(), false);
  for (const NodeId v : nearest_first(from_root)) {
    for (const ArcId arc : net.arcs_from(v)) {
      const NodeId w = net.head(arc);
      if (w == root || has_it[index(w)] || from_root[index(w)] != from_root[index(v)] + 1) continue;
      has_it[index(w)] = true;
      plan.send(++step, arc, {}, true);
    }
  }
  return plan;
}

// The first plan of so many steps that one of the groups has.
std::optional<LeastSums> searched(const Problem& problem, std::span<const FreeGroup> groups, uint32_t steps,
                                  SumSearchBudget& budget) {
  for (const FreeGroup& group : groups) {
    std::optional<SumPlan> plan = search_sums(problem, group, steps, budget);
    if (!plan) continue;
    if (std::optional<std::vector<SumSlots>> slots = slots_of(problem.topology(), *plan))
      return LeastSums{plan->without_pauses(), *std::move(slots)};
  }
  return std::nullopt;
}

// What is found where it is known, or found first, who sends to whom.
struct HeardSums {
  uint32_t heard = 0;  // no messages by which all hear from all were found in fewer steps
  std::optional<LeastSums> sums{};
};

// From as few steps as are found upwards. `messages`: by which all hear from all, if that is known.
HeardSums heard_sums(const Problem& problem, uint32_t fewest, uint32_t before, MessagesOfSteps messages,
                     bool soon) {
  constexpr uint64_t kSeedOfSums = 1;
  const uint32_t most_trials = soon ? 1'000 : 5'000;
  constexpr uint32_t kTrialsAsHeard = 20'000;  // there is something to find
  const Topology& net = problem.topology();
  const MessageLimits limits = limits_of(problem);
  // With all ports it is always the same messages that are found.
  const uint32_t most_schedules = soon || limits == MessageLimits{} ? 6 : 30;
  HeardSums out{.heard = fewest};
  if (net.num_endpoints() > InformedTrials::kMostRanks) return out;
  InformedTrials trials(net, limits);
  if (messages.empty()) {
    const std::optional<uint32_t> enough = trials.hurry(before - 1);
    if (!enough) return out;
    messages = trials.messages();
    for (uint32_t left = most_trials; messages.size() > fewest; left = most_trials) {
      if (!trials.find(static_cast<uint32_t>(messages.size()) - 1, left)) break;
      messages = trials.messages();
    }
  }
  out.heard = static_cast<uint32_t>(messages.size());
  Rng rng(kSeedOfSums);
  ScheduledSumsBudget budget;
  if (soon) budget.looks /= 4;
  const auto summed = [&](const MessagesOfSteps& sent) {
    const std::optional<SumPlan> plan = scheduled_sums(net, sent, budget, rng);
    if (!plan) return false;
    std::optional<std::vector<SumSlots>> slots = slots_of(net, *plan);
    if (!slots) return false;
    out.sums = LeastSums{plan->without_pauses(), *std::move(slots)};
    return true;
  };
  if (out.heard < before && summed(messages)) return out;
  for (uint32_t steps = out.heard; steps < before && budget.looks > 0; ++steps) {
    uint32_t left = steps == out.heard && !soon ? kTrialsAsHeard : most_trials;
    for (uint32_t i = 0; i < most_schedules && trials.find(steps, left); ++i) {
      if (summed(trials.messages())) return out;
    }
  }
  return out;
}

// Step by step downwards; nothing where there is no plan of fewer steps than `before`, or none was found.
std::optional<LeastSums> tried(const Problem& problem, uint32_t fewest, uint32_t before, uint32_t trials) {
  std::optional<LeastSums> best;
  while (before > fewest) {
    const std::optional<SumPlan> plan = try_sums(problem, before - 1, trials);
    if (!plan) return best;
    std::optional<std::vector<SumSlots>> slots = slots_of(problem.topology(), *plan);
    if (!slots) return best;
    best = LeastSums{plan->without_pauses(), *std::move(slots)};
    before = best->plan.steps();
  }
  return best;
}

// The search on a small network: first what is found in a moment, then what takes longer.
class SmallSearch {
 public:
  SmallSearch(const Problem& problem, uint32_t fewest, uint32_t before)
      : problem_(problem),
        fewest_(fewest),
        heard_(fewest),
        before_(before),
        kept_groups_(free_groups(problem.topology())),
        groups_(*kept_groups_) {}

  // What looks alike from all sides is found, or refuted, in a moment.
  void look_alike() { look_alike(kManySides, fewest_); }
  // What goes with messages by which all hear from all, as well.
  void look_heard(MessagesOfSteps messages, bool soon);
  // Trials come near; and where the bound is the truth, as a rule, the formula of so many steps says how.
  void look_quickly(uint32_t trials, bool with_formula);
  // Trials come within a step of what a long search finds, which begins there.
  void look_long(uint32_t trials);

  [[nodiscard]] bool is_at_bound() const { return least() <= fewest_; }
  [[nodiscard]] uint32_t least() const { return best_ ? best_->plan.steps() : before_; }
  void know(uint32_t before) { before_ = std::min(before_, before); }
  [[nodiscard]] std::optional<LeastSums> found() && { return std::move(best_); }

 private:
  static constexpr size_t kManySides = 4;

  void look_alike(size_t sides, uint32_t from);
  void take(std::optional<LeastSums> sums) {
    if (sums && sums->plan.steps() < least()) best_ = std::move(sums);
  }

  const Problem& problem_;
  uint32_t fewest_;
  uint32_t heard_;  // in fewer steps only what looks alike from many sides is looked for
  uint32_t before_;
  std::shared_ptr<const std::vector<FreeGroup>> kept_groups_;
  const std::vector<FreeGroup>& groups_;
  bool bound_was_tried_ = false;  // by the formula that knows of no symmetry
  SumSearchBudget budget_{.at_once = uint64_t{1} << 27U};
  std::optional<LeastSums> best_;
};

void SmallSearch::look_alike(size_t sides, uint32_t from) {
  const auto symmetric = static_cast<size_t>(std::count_if(
      groups_.begin(), groups_.end(), [sides](const FreeGroup& group) { return group.order() >= sides; }));
  const std::span<const FreeGroup> largest = std::span(groups_).first(std::min<size_t>(symmetric, 2));
  for (uint32_t steps = from; steps < least(); ++steps) {
    SumSearchBudget moment = budget_;
    moment.clauses = moment.at_once = uint64_t{1} << 21U;
    take(searched(problem_, largest, steps, moment));
    budget_.known = std::move(moment.known);
  }
}

void SmallSearch::look_heard(MessagesOfSteps messages, bool soon) {
  HeardSums by_messages = heard_sums(problem_, fewest_, least(), std::move(messages), soon);
  heard_ = by_messages.heard;
  take(std::move(by_messages.sums));
}

void SmallSearch::look_quickly(uint32_t trials, bool with_formula) {
  // From two sides: hardly more than where nothing does, and not sooner.
  if (with_formula) look_alike(2, heard_);
  take(tried(problem_, heard_, least(), trials));
  if (!with_formula || least() <= heard_ || heard_ > fewest_) return;
  SumSearchBudget once = budget_;
  // Messages were found by which all can hear from all, and no sums that go with them: there are hardly any.
  if (problem_.topology().num_nodes() <= kFewNodes) once.at_once = uint64_t{1} << 25U;
  take(searched(problem_, std::span(groups_).last(1), fewest_, once));
  budget_.known = std::move(once.known);
  bound_was_tried_ = true;
}

void SmallSearch::look_long(uint32_t trials) {
  take(tried(problem_, heard_, least(), trials));
  while (least() > heard_) {
    const uint32_t before = least();
    // What looks alike from few sides is hardly there where nothing else is.
    SumSearchBudget moment = budget_;
    moment.at_once = uint64_t{1} << 23U;
    take(searched(problem_, std::span(groups_).first(groups_.size() - 1), before - 1, moment));
    const bool was_tried = bound_was_tried_ && before - 1 == fewest_;
    if (least() == before && !was_tried)
      take(searched(problem_, std::span(groups_).last(1), before - 1, budget_));
    if (least() == before) return;
  }
}

// What looks alike from all sides comes first, from the bound upwards. Then, step by step downwards, what looks alike from
// fewer sides. `soon`: what takes long is left out.
std::optional<LeastSums> searched(const Problem& problem, uint32_t before, bool soon) {
  const std::shared_ptr<const std::vector<FreeGroup>> kept = free_groups(problem.topology());
  const std::vector<FreeGroup>& groups = *kept;
  const uint32_t fewest = fewest_steps(problem);
  SumSearchBudget budget;
  if (soon) {
    budget.clauses /= 2;
    budget.at_once /= 2;
  } else {
    budget.clauses *= 12;
    budget.fewest_conflicts = 200;  // to make the formula takes as long
  }
  const std::span<const FreeGroup> largest = std::span(groups).first(std::min<size_t>(groups.size(), 2));
  std::optional<LeastSums> best;
  // Plans of a few steps more are found in a moment where shorter ones take long.
  for (int effort = 0; effort < (soon ? 1 : 3) && !best; ++effort, budget.at_once *= 4) {
    for (uint32_t steps = fewest; steps < before && !best; ++steps)
      best = searched(problem, largest, steps, budget);
  }
  // What can be bettered is, as a rule, bettered soon.
  if (best && !soon) budget.clauses = std::min(budget.clauses, 4 * SumSearchBudget{}.clauses);
  for (;;) {
    const uint32_t least = best ? best->plan.steps() : before;
    if (least <= fewest) return best;
    std::optional<LeastSums> better = searched(problem, groups, least - 1, budget);
    if (!better) return best;
    best = std::move(better);
  }
}

}  // namespace

Applicability least_sums_apply(const Problem& problem) {
  const Topology& net = problem.topology();
  if (net.num_nodes() > kMostNodes) return Applicability::no("searches on up to 128 nodes only");
  if (problem.model().duplex == Duplex::kHalf && (net.num_nodes() > kMostInAMoment || net.is_directed()))
    return Applicability::no("searches on links of half duplex, both ways, on up to 32 nodes only");
  if (sends_single_packets(problem.model()) && problem.collective().pieces() > 1)
    return Applicability::no("sends single packets in one piece only");
  return Applicability::yes();
}

namespace {

// A plan of as few steps as `enough` is not bettered; one of `before` or more is worth no search.
struct Limits {
  uint32_t enough = 0;
  uint32_t before = UINT32_MAX;
};

// What somebody else has already.
uint32_t steps_of_others(uint32_t at_most) {
  while (at_most > 0 && !WorthMaking::is_any_of_packets(at_most - 1)) --at_most;
  return at_most;
}

std::shared_ptr<const LeastSums> kept_sums(const Problem& problem, bool soon, Limits limits);

LeastSums make(const Problem& problem, bool soon, Limits limits) {
  const Topology& net = problem.topology();
  const bool is_directed = net.is_directed();
  const bool is_half = problem.model().duplex == Duplex::kHalf;
  const bool is_small = net.num_nodes() <= kMostInAMoment;
  SumPlan there = is_directed ? one_after_another(problem).without_pauses() : narrow_tree_sums(problem);
  std::optional<std::vector<SumSlots>> slots = slots_of(net, there);
  QUADRILLE_CHECK(slots.has_value(), "sums along a tree stay together");
  uint32_t fewest = std::max(fewest_steps(problem), limits.enough);
  const auto worth = [&] { return std::min(there.steps(), limits.before); };
  MessagesOfSteps messages;
  if (is_small && !is_half && !soon && worth() > fewest) {
    InformedFloor floor = floor_with_few_ports(problem, fewest);
    fewest = floor.steps;
    messages = std::move(floor.messages);
  }
  // A core is asked for no more than is worth something here.
  const auto ask_core = [&](bool in_passing) {
    if (is_directed || is_half || worth() <= fewest) return false;
    const std::optional<SumPlan> by_core = leaf_sums(problem, [&](const Problem& core, uint32_t around) {
      return kept_sums(core, in_passing, {.enough = fewest - std::min(fewest, around)})->plan;
    });
    if (!by_core) return false;
    if (by_core->steps() >= there.steps()) return true;
    std::optional<std::vector<SumSlots>> those = slots_of(net, *by_core);
    if (!those) return true;
    there = *by_core;
    slots = std::move(those);
    return true;
  };
  // A large network of leaves is searched without them.
  if (ask_core(soon || is_small) && !is_small) return {std::move(there), *std::move(slots)};
  if (worth() <= fewest) return {std::move(there), *std::move(slots)};
  std::optional<LeastSums> found;
  if (is_half) {
    found = tried(problem, fewest, worth(), soon ? 500 : net.num_nodes() <= kFewNodes ? 8'000 : 60'000);
  } else if (is_small) {
    SmallSearch search(problem, fewest, worth());
    const bool has_one_port = problem.model().send.count == 1 && problem.model().receive.count == 1;
    search.look_alike();
    if (!search.is_at_bound()) search.look_heard(std::move(messages), soon);
    if (!search.is_at_bound()) search.look_quickly(soon ? 1'000 : has_one_port ? 3'000 : 1'500, !soon);
    if (!soon && !search.is_at_bound()) {
      if (ask_core(false)) search.know(there.steps());
      search.look_long(12'000);
    }
    if (search.least() < there.steps()) found = std::move(search).found();
  } else {
    found = searched(problem, worth(), soon);
  }
  if (found) return *std::move(found);
  return {std::move(there), *std::move(slots)};
}

struct Asked {
  Topology topology;
  Ports send;
  Ports receive;
  Duplex duplex;
  bool soon;
  uint32_t conflicts;
  Limits limits;
  std::shared_ptr<const LeastSums> sums;
};

// Machines of one packet and of many, in whatever pieces, those with more ports than links, and whoever borrows from them, ask
// for the same sums: on whichever thread that is, they are looked for once. Who makes them may ask for those of a core, so the
// lock is not held meanwhile.
std::shared_ptr<const LeastSums> kept_sums(const Problem& problem, bool soon, Limits limits) {
  constexpr size_t kMostKept = 8;
  static std::mutex mutex;
  static std::deque<Asked> kept;
  const Topology& net = problem.topology();
  const Duplex duplex = problem.model().duplex;
  std::vector<uint32_t> links_in(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) ++links_in[index(net.head(arc))];
  const Ports send = without_needless_count(problem.model().send, most_neighbours(net));
  const Ports receive = without_needless_count(problem.model().receive, std::ranges::max(links_in));
  const uint32_t conflicts = soon ? 0 : conflicts_for_floor(problem);
  {
    const std::lock_guard lock(mutex);
    for (const Asked& asked : kept) {
      if (asked.send == send && asked.receive == receive && asked.duplex == duplex && asked.soon == soon &&
          asked.conflicts == conflicts &&
          (asked.limits.enough <= limits.enough || asked.sums->plan.steps() > asked.limits.enough) &&
          (asked.limits.before >= limits.before || asked.sums->plan.steps() < asked.limits.before) &&
          asked.topology.same_graph(net))
        return asked.sums;
    }
  }
  auto made = std::make_shared<const LeastSums>(make(problem, soon, limits));
  const std::lock_guard lock(mutex);
  kept.push_front({net, send, receive, duplex, soon, conflicts, limits, made});
  if (kept.size() > kMostKept) kept.pop_back();
  return made;
}

}  // namespace

std::shared_ptr<const LeastSums> least_sums(const Problem& problem) {
  count_work(Work::kSearching);
  if (WorthMaking::is_limited()) {
    // Every message holds all pieces.
    uint64_t widest = 1;
    for (const uint32_t capacity : problem.topology().capacities())
      widest = std::max<uint64_t>(widest, capacity);
    const uint64_t steps = fewest_steps(problem);
    const uint64_t rounds = (problem.collective().num_blocks() + widest - 1) / widest;
    if (!WorthMaking::is_any_of(steps, steps * rounds)) return nullptr;
  }
  // By time a few more steps may do.
  constexpr uint32_t kNeverMore = 1'000;
  const uint32_t before =
      WorthMaking::is_limited() && !WorthMaking::is_by_time() ? steps_of_others(kNeverMore) : UINT32_MAX;
  return kept_sums(problem, WorthMaking::is_asked_in_passing(), {.before = before});
}

Prediction least_sums_predicted(const Problem& problem, const std::shared_ptr<const LeastSums>& sums) {
  if (!sums) return {};
  const uint64_t steps = sums->plan.steps();
  Prediction out{.steps = steps, .start_ups = steps};
  if (carries_many(problem.model())) {
    // Blocks go over a wide link side by side.
    const auto capacities = problem.topology().capacities();
    if (std::all_of(capacities.begin(), capacities.end(), [](uint32_t capacity) { return capacity == 1; }))
      out.critical_blocks = steps * problem.collective().num_blocks();
    if (takes_paths(problem.model())) out.critical_hops = steps;
  }
  return out;
}

void push_least_sums(const Problem& problem, const std::shared_ptr<const LeastSums>& sums, StepSink& sink) {
  const std::shared_ptr<const LeastSums> made = sums ? sums : kept_sums(problem, false, {});
  push_sums(problem, made->plan, made->slots, sink);
}

}  // namespace quadrille
