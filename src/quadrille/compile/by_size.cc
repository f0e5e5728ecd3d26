#include "quadrille/compile/by_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/thread_team.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/schedule/step.h"

namespace quadrille {
namespace {

// On larger networks, or of more blocks, plans that take much work to know are not asked.
constexpr uint32_t kSmallNetwork = 128;
constexpr uint64_t kFewBlocks = uint64_t{1} << 20U;
// More pieces than these are good for hardly anything: what they save is less than a thousandth of the time of a vector.
constexpr uint32_t kMostPieces = 512;

// The figures of a plan that are not predicted.
class FigureMeter final : public StepSink {
 public:
  void push(const StepView& step) override {
    if (step.size() == 0) return;
    ++start_ups;
    size_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) most = std::max(most, step.blocks(t).size());
    rounds += most;
  }
  uint64_t start_ups = 0;
  uint64_t rounds = 0;
};

bool carries_one(const Problem& problem) { return sends_single_packets(problem.model()); }

// What a prepared plan costs, if that is known or can be found with little work.
std::optional<SizedPlan> priced(const Algorithm& card, const PreparedPlan& plan, bool may_be_made) {
  const Problem& problem = plan->problem();
  const Prediction prediction = plan->prediction();
  SizedPlan out{.algorithm = std::string(card.name), .pieces = problem.collective().pieces()};
  if (!plan->member().empty()) out.algorithm += ":" + plan->member();
  std::optional<uint64_t> start_ups = prediction.start_ups ? prediction.start_ups : prediction.steps;
  std::optional<uint64_t> rounds = prediction.critical_blocks;
  if (!rounds && carries_one(problem)) rounds = start_ups;
  if (!start_ups || !rounds) {
    // Where transfers share arcs the judge alone counts rounds.
    if (!may_be_made || shares_arcs(problem.model())) return std::nullopt;
    FigureMeter meter;
    plan->generate(meter);
    start_ups = meter.start_ups;
    rounds = meter.rounds;
  }
  out.start_ups = *start_ups;
  out.rounds = *rounds;
  out.hops = prediction.critical_hops;
  if (!out.hops && !takes_paths(problem.model())) out.hops = out.start_ups;
  out.rearranged = prediction.rearranged;
  if (!out.rearranged && out.start_ups == out.rounds) out.rearranged = 0;
  return out;
}

double rounds_of_message(const SizedPlan& plan) {
  return static_cast<double>(plan.rounds) / static_cast<double>(plan.pieces);
}

// All that one card has for a number of pieces.
void ask(const Algorithm& card, const Problem& problem, std::vector<SizedPlan>& out) {
  const Preparation ready = prepare_serving(card, problem);
  if (!ready.fits.applies || ready.plans.empty()) return;
  const bool is_small =
      problem.topology().num_nodes() <= kSmallNetwork && problem.collective().block_count() <= kFewBlocks;
  for (const PreparedPlan& plan : ready.plans) {
    if (plan->effort() == Effort::kMuch && !is_small) continue;
    if (std::optional<SizedPlan> found = priced(card, plan, is_small)) out.push_back(std::move(*found));
  }
}

double least_rounds(const std::vector<SizedPlan>& plans) {
  double out = std::numeric_limits<double>::infinity();
  for (const SizedPlan& plan : plans) out = std::min(out, rounds_of_message(plan));
  return out;
}

// Whether a message is one vector that all have to do with, so that pieces follow each other through the network.
bool is_streamed(const Problem& problem) {
  switch (problem.collective().kind()) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kAllreduce:
      return true;
    default:
      return false;
  }
}

// One piece and, as long as more of them lessen the rounds of a message by a hundredth, twice as many; and multiples of
// the number that the card says it is good in.
std::vector<SizedPlan> all_pieces(const Algorithm& card, const Problem& one) {
  const SharedFactorExchanges shared;
  std::vector<SizedPlan> out;
  std::vector<uint32_t> tried;
  const auto from = [&](uint32_t first, uint32_t most) {
    // Large networks are asked less often.
    const uint64_t factor = one.topology().num_nodes() <= kSmallNetwork ? 2 : 8;
    double least = std::numeric_limits<double>::infinity();
    uint32_t in_vain = 0;
    for (uint64_t pieces = first; pieces <= most && in_vain < (factor == 2 ? 2U : 1U); pieces *= factor) {
      const auto number = static_cast<uint32_t>(pieces);
      if (std::ranges::find(tried, number) != tried.end()) continue;
      tried.push_back(number);
      if (pieces > 1 && one.collective().block_count() * pieces > 16 * kFewBlocks) break;
      std::vector<SizedPlan> here;
      try {
        ask(card, in_pieces(one, number), here);
      } catch (const InputError&) {
        break;  // more blocks than can be numbered
      }
      if (here.empty() && pieces > first) break;
      const double now = least_rounds(here);
      in_vain = now < 0.99 * least ? 0 : in_vain + 1;
      least = std::min(least, now);
      std::ranges::move(here, std::back_inserter(out));
    }
  };
  const Chunking chunks = card.chunks == nullptr ? Chunking{} : card.chunks(one);
  from(1, is_streamed(one) ? kMostPieces : 4);
  if (chunks.unit > 1) from(chunks.unit, chunks.streams ? kMostPieces * chunks.unit : chunks.unit);
  // Vectors of a sum in as many parts as there are ranks: rings and the like.
  const uint32_t ranks = one.collective().num_ranks();
  if (is_streamed(one) && ranks > 1 && chunks.unit == 1) from(ranks, ranks);
  return out;
}

// Those that no other reaches in every figure; of equals the first.
std::vector<SizedPlan> not_beaten(std::vector<SizedPlan> plans, bool hops, bool rearranged) {
  const auto key = [&](const SizedPlan& p) {
    return std::tuple(p.start_ups, rounds_of_message(p), hops ? p.hops.value_or(UINT64_MAX) : 0,
                      rearranged ? static_cast<double>(p.rearranged.value_or(UINT64_MAX)) / p.pieces : 0.0);
  };
  std::stable_sort(plans.begin(), plans.end(), [&](const SizedPlan& a, const SizedPlan& b) {
    return std::pair(key(a), a.pieces) < std::pair(key(b), b.pieces);
  });
  std::vector<SizedPlan> out;
  for (SizedPlan& plan : plans) {
    // Of each algorithm by itself: who loses is compared, too.
    const bool beaten = std::ranges::any_of(out, [&](const SizedPlan& other) {
      if (other.algorithm != plan.algorithm || other.model_only != plan.model_only) return false;
      const auto a = key(other);
      const auto b = key(plan);
      return std::get<1>(a) <= std::get<1>(b) && std::get<2>(a) <= std::get<2>(b) &&
             std::get<3>(a) <= std::get<3>(b);
    });
    if (!beaten) out.push_back(std::move(plan));
  }
  return out;
}

bool is_known(const Problem& problem, const SizedPlan& plan) {
  return (!hops_cost(problem) || plan.hops) && (!rearranging_costs(problem) || plan.rearranged);
}

}  // namespace

double SizedPlan::time(const CostConstants& cost, uint64_t message_bytes) const {
  return time_of(cost, {start_ups, rounds, hops.value_or(0), rearranged.value_or(0)},
                 chunk_bytes(message_bytes, pieces));
}

Problem in_pieces(const Problem& problem, uint32_t pieces) {
  const std::optional<Rank> root = problem.collective().root();
  const NodeId node = root ? problem.topology().endpoint(*root) : kNoNode;
  return standard_problem(problem.topology(), problem.collective().kind(), problem.model(), node, pieces);
}

std::vector<SizedPlan> sized_plans(const Problem& problem, unsigned threads, std::string_view only,
                                   bool own_pieces_only) {
  const std::string_view name = only.substr(0, only.find(':'));
  std::vector<const Algorithm*> cards;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective == problem.collective().kind() && (only.empty() || card->name == name) &&
        (card->chunks != nullptr || !own_pieces_only))
      cards.push_back(card);
  }
  std::vector<std::vector<SizedPlan>> found(cards.size());
  ThreadTeam team(threads);
  team.for_each(cards.size(), [&](size_t i) { found[i] = all_pieces(*cards[i], problem); });
  std::vector<SizedPlan> all;
  for (std::vector<SizedPlan>& some : found) std::ranges::move(some, std::back_inserter(all));
  if (name != only) std::erase_if(all, [&](const SizedPlan& plan) { return plan.algorithm != only; });
  for (const PublishedCost* card : published_costs()) {
    if (!only.empty()) break;
    if (card->collective != problem.collective().kind() || card->refuses(problem)) continue;
    const CostParts parts = card->cost(problem);
    if (!parts.critical_blocks) continue;
    all.push_back({std::string(card->name), true, 1, parts.start_ups, *parts.critical_blocks,
                   parts.critical_hops, parts.rearranged});
  }
  return not_beaten(std::move(all), hops_cost(problem), rearranging_costs(problem));
}

std::optional<SizedChoice> choose_by_size(const Problem& problem, std::string_view algorithm,
                                          uint64_t message_bytes, unsigned threads) {
  const CostConstants& cost = problem.model().cost;
  std::vector<SizedPlan> plans =
      sized_plans(problem, threads, algorithm == "auto" ? std::string_view() : algorithm,
                  algorithm == "auto" && problem.topology().num_nodes() > kSmallNetwork);
  std::erase_if(plans, [&](const SizedPlan& plan) { return plan.model_only || !is_known(problem, plan); });
  // Of equal times the one in fewer pieces.
  std::stable_sort(plans.begin(), plans.end(), [&](const SizedPlan& a, const SizedPlan& b) {
    return std::pair(a.time(cost, message_bytes), a.pieces) <
           std::pair(b.time(cost, message_bytes), b.pieces);
  });
  const auto can_be_judged = [&](const SizedPlan& plan) {
    return !not_judged_here(in_pieces(problem, plan.pieces));
  };
  const auto best = std::ranges::find_if(plans, can_be_judged);
  if (best == plans.end()) return std::nullopt;
  SizedChoice out{.plan = *best};
  const auto figures = [](const SizedPlan& plan) {
    return fmt::format("{} and {} in {}", plural(plan.start_ups, "start-up"), plural(plan.rounds, "round"),
                       plural(plan.pieces, "piece"));
  };
  std::vector<std::string_view> names;
  for (const SizedPlan& plan : plans) {
    const std::string_view name = std::string_view(plan.algorithm).substr(0, plan.algorithm.find(':'));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  out.reason = fmt::format("predicts {}", figures(*best));
  if (algorithm != "auto") {
    out.reason = "asked for; " + out.reason;
    return out;
  }
  out.reason += fmt::format(", the fastest of {} that apply", names.size());
  const auto next =
      std::ranges::find_if(plans, [&](const SizedPlan& plan) { return plan.algorithm != best->algorithm; });
  if (next == plans.end()) return out;
  out.reason += fmt::format("; next: {}, {:.4g} times as long", next->algorithm,
                            next->time(cost, message_bytes) / best->time(cost, message_bytes));
  out.next = RunnerUp{next->algorithm, {.start_ups = next->start_ups, .critical_blocks = next->rounds}};
  return out;
}

SizeSweep sweep_sizes(const Problem& problem, std::span<const uint64_t> sizes, unsigned threads) {
  SizeSweep out{sized_plans(problem, threads), {}};
  if (std::ranges::none_of(out.plans, [](const SizedPlan& plan) { return !plan.model_only; })) {
    throw InputError(fmt::format(
        "nothing is known of how long any algorithm takes for {} ({}): `quadrille explain {} --on "
        "\"{}\"` says why",
        problem.title(), describe(problem.model()), problem.collective().name(), problem.topology().name()));
  }
  const CostConstants& cost = problem.model().cost;
  const std::vector<Bound> bounds = all_bounds(problem);
  for (const uint64_t bytes : sizes) {
    SizeRow row{.bytes = bytes, .bound = least_time(problem, bytes, bounds)};
    const auto better = [&](size_t a, size_t b) {
      const auto key = [&](size_t i) {
        const SizedPlan& plan = out.plans[i];
        return std::tuple(!is_known(problem, plan), plan.time(cost, bytes), plan.pieces);
      };
      return key(a) < key(b);
    };
    std::optional<size_t> best;
    for (size_t i = 0; i < out.plans.size(); ++i) {
      if (!out.plans[i].model_only && (!best || better(i, *best))) best = i;
    }
    row.best = *best;
    row.time = out.plans[*best].time(cost, bytes);
    for (size_t i = 0; i < out.plans.size(); ++i) {
      if (out.plans[i].model_only || out.plans[i].algorithm == out.plans[*best].algorithm) continue;
      if (!row.next || better(i, *row.next)) row.next = i;
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace quadrille
