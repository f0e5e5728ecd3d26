#include "quadrille/compile/faults/fault_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"
#include "quadrille/compile/faults/unlike_faults.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/topology/faults/faults.h"

namespace quadrille {
namespace {

struct Trial {
  std::vector<std::string> faults;
  std::vector<std::string> like{};
};

// Every one, each class once.
std::vector<Trial> all_trials(const Problem& problem, FaultWhat what) {
  std::vector<Trial> out;
  const auto add = [&](const auto& alike, const auto& name) {
    Trial& trial = out.emplace_back();
    trial.faults.push_back(name(problem.topology(), alike.front()));
    for (size_t i = 1; i < alike.size(); ++i) trial.like.push_back(name(problem.topology(), alike[i]));
  };
  if (what == FaultWhat::kLinks) {
    for (const std::vector<ArcId>& links : unlike_links(problem)) add(links, link_fault);
  } else {
    for (const std::vector<NodeId>& nodes : unlike_nodes(problem)) add(nodes, node_fault);
  }
  return out;
}

std::vector<Trial> drawn_trials(const Problem& problem, const FaultQuestion& question) {
  const Topology& topology = problem.topology();
  std::vector<std::string> all;
  if (question.what == FaultWhat::kLinks) {
    for (const ArcId arc : topology.arcs()) {
      const ArcId back = topology.reverse(arc);
      if (back == kNoArc || arc < back) all.push_back(link_fault(topology, arc));
    }
  } else {
    const std::optional<Rank> root = problem.collective().root();
    for (const NodeId v : topology.nodes())
      if (!root || topology.endpoint(*root) != v) all.push_back(node_fault(topology, v));
  }
  if (question.at_once > all.size()) {
    throw InputError(fmt::format("{} faults at once: {} has {} to choose from", question.at_once,
                                 topology.name(), all.size()));
  }
  Rng rng(question.seed);
  std::vector<Trial> out;
  // Single faults are drawn without repetition, several at once each time anew.
  const uint64_t draws =
      question.at_once == 1 ? std::min<uint64_t>(*question.draws, all.size()) : *question.draws;
  if (question.at_once == 1) rng.shuffle(all);
  for (uint64_t i = 0; i < draws; ++i) {
    if (question.at_once == 1) {
      out.push_back({{all[i]}});
      continue;
    }
    Trial trial;
    for (uint64_t k = 0; k < question.at_once; ++k) {
      std::swap(all[k], all[k + rng.below(all.size() - k)]);
      trial.faults.push_back(all[k]);
    }
    out.push_back(std::move(trial));
  }
  return out;
}

FaultTrial measured(const Problem& problem, const FaultQuestion& question, FaultTrial out) {
  const Compiled made = compile(problem, question.wishes);
  out.ranks = problem.collective().num_ranks();
  out.algorithm = made.head.algorithm;
  out.steps = made.verdict.figures.steps;
  out.bound = static_cast<uint64_t>(made.least_steps().value.ceil());
  if (question.wishes.bytes && made.time) out.time = made.time->total;
  return out;
}

struct Outcome {
  bool finished = false;
  std::optional<FaultTrial> trial{};  // nothing where the root, or all but one rank, is gone
};

std::optional<FaultTrial> tried(const Problem& healthy, const FaultQuestion& question, const Trial& trial) {
  const Topology& whole = healthy.topology();
  Faults faults;
  for (const std::string& fault : trial.faults) add_fault(whole, fault, faults, Numbers::kWhole);
  FaultTrial out;
  out.faults = trial.faults;
  out.like = trial.like;
  FaultyNetwork left = without(whole, faults, name_without(whole.name(), trial.faults));
  for (const NodeId v : left.cut_off) out.cut_off.push_back(whole.label(v));
  NodeId root = kNoNode;
  if (const std::optional<Rank> rank = healthy.collective().root()) {
    const auto at = std::ranges::find(left.original, whole.endpoint(*rank));
    if (at == left.original.end()) return std::nullopt;
    root = id_at<NodeId>(static_cast<size_t>(at - left.original.begin()));
  }
  if (const Counts* counts = healthy.collective().counts()) {
    // Blocks from and for nodes that are gone are gone.
    std::vector<std::optional<Rank>> now(counts->num_ranks());
    for (uint32_t v = 0; v < left.original.size(); ++v) {
      const std::optional<Rank> before = whole.rank(left.original[v]);
      if (before) now[index(*before)] = left.topology.rank(NodeId{v});
    }
    std::vector<Counts::Entry> entries;
    for (const Counts::Entry& e : counts->entries()) {
      const std::optional<Rank> from = now[index(e.from)];
      const std::optional<Rank> to = now[index(e.to)];
      if (from && to) entries.push_back({*from, *to, e.count});
    }
    Counts remaining(left.topology.num_endpoints(), std::move(entries));
    return measured(counted_problem(std::move(left.topology), std::move(remaining), healthy.model()),
                    question, std::move(out));
  }
  const Problem problem = standard_problem(std::move(left.topology), healthy.collective().kind(),
                                           healthy.model(), root, healthy.collective().pieces());
  return measured(problem, question, std::move(out));
}

}  // namespace

static void fields(auto& io, FaultTrial& trial) {
  io(trial.faults, trial.like, trial.ranks, trial.cut_off, trial.algorithm, trial.steps, trial.bound,
     trial.time);
}

static void fields(auto& io, Outcome& outcome) { io(outcome.finished, outcome.trial); }

// A plan that was made in haste is no figure.
static Outcome outcome_of(const Problem& healthy, const FaultQuestion& question, const Trial& trial) {
  if (searches_are_stopped()) return {};
  Outcome out{true, tried(healthy, question, trial)};
  out.finished = !searches_are_stopped();
  return out;
}

FaultSweep sweep_faults(const Problem& problem, const FaultQuestion& question) {
  const std::vector<Trial> trials =
      question.draws ? drawn_trials(problem, question) : all_trials(problem, question.what);
  if (trials.empty()) {
    throw InputError(fmt::format("{} has no {} that could fail", problem.topology().name(),
                                 question.what == FaultWhat::kLinks ? "link" : "node"));
  }
  FaultSweep out;
  // By one of the processes that share the trials: each would plan it otherwise.
  out.healthy = shared_parts<FaultTrial>({question.threads, question.crew}, 1, [&](size_t) {
                  return measured(problem, question, {});
                }).front();
  std::vector<Outcome> found =
      shared_parts<Outcome>({question.threads, question.crew, question.done}, trials.size(),
                            [&](size_t i) { return outcome_of(problem, question, trials[i]); });
  for (Outcome& outcome : found) {
    if (!outcome.finished) {
      ++out.unfinished;
    } else if (outcome.trial) {
      out.trials.push_back(*std::move(outcome.trial));
    }
  }
  // By what it costs; among equals as they were tried. What cuts nodes off is another collective.
  std::ranges::stable_sort(out.trials, [](const FaultTrial& a, const FaultTrial& b) {
    if (a.cut_off.empty() != b.cut_off.empty()) return a.cut_off.empty();
    if (a.cut_off.size() != b.cut_off.size()) return a.cut_off.size() > b.cut_off.size();
    if (a.time && b.time && *a.time != *b.time) return *a.time > *b.time;
    return a.steps > b.steps;
  });
  return out;
}

}  // namespace quadrille
