#include "quadrille/compile/by_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/large_plans.h"
#include "quadrille/compile/sizes/next_in_words.h"
#include "quadrille/compile/sizes/size_ranking.h"
#include "quadrille/compile/sizes/timed_plans.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/transforms/sums_in_order.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

// On larger networks, or of more blocks, plans that take much work to know are not asked.
constexpr uint32_t kSmallNetwork = 128;
constexpr uint64_t kFewBlocks = uint64_t{1} << 20U;
// More pieces than these are good for hardly anything: what they save is less than a thousandth of the time of a vector.
constexpr uint32_t kMostPieces = 512;

bool carries_one(const Problem& problem) { return sends_single_packets(problem.model()); }

// What a prepared plan costs, if that is known or can be found with little work.
std::optional<SizedPlan> priced(std::string name, const PreparedPlan& plan, bool may_be_made) {
  const Problem& problem = plan->problem();
  const Prediction prediction = plan->prediction();
  SizedPlan out{.algorithm = std::move(name), .pieces = problem.collective().pieces()};
  std::optional<uint64_t> start_ups = prediction.start_ups ? prediction.start_ups : prediction.steps;
  std::optional<uint64_t> rounds = prediction.critical_blocks;
  if (!rounds && carries_one(problem)) rounds = start_ups;
  if (!start_ups || !rounds) {
    if (!may_be_made) return std::nullopt;
    Judge judge(problem, {.threads = 1});
    try {
      plan->generate(judge);
    } catch (const InputError&) {
      return std::nullopt;  // it cannot be made for this machine, half duplex
    }
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) return std::nullopt;
    start_ups = verdict.figures.start_ups;
    rounds = verdict.figures.critical_blocks;
    out.hops = verdict.figures.critical_hops;
    if (messages_cost(problem)) out.further_messages = verdict.figures.further_messages;
  }
  out.start_ups = *start_ups;
  out.rounds = *rounds;
  if (!out.hops) out.hops = hops_by(prediction, problem);
  out.rearranged = rearranged_by(prediction);
  if (!out.rearranged && out.start_ups == out.rounds) out.rearranged = 0;
  if (!out.further_messages) out.further_messages = further_messages_by(prediction, problem);
  out.effort = plan->effort();
  if (may_be_made && !is_known(problem, out)) out.prepared = plan;
  return out;
}

double rounds_of_message(const SizedPlan& plan) {
  return static_cast<double>(plan.rounds) / static_cast<double>(plan.pieces);
}

// Whether plans are made to know what they take.
bool can_be_made(const Problem& problem) {
  return problem.topology().num_nodes() <= kSmallNetwork && problem.collective().block_count() <= kFewBlocks;
}

// Of larger networks, whose plans need no search: made and judged in a second.
bool can_be_measured(const Problem& problem) {
  constexpr uint64_t kMostDeliveries = uint64_t{1} << 22U;
  const Collective& collective = problem.collective();
  const uint64_t receivers = collective.flow() == Flow::kMove ? 1 : collective.num_ranks();
  return collective.block_count() <= kMostDeliveries / receivers;
}

// What one plan takes; where it takes `known` or longer for as many bytes as are asked, it may be left out.
void ask(const Algorithm& card, const PreparedPlan& plan, const SizedQuestion& question, double known,
         std::vector<SizedPlan>& out) {
  const Problem& problem = plan->problem();
  const bool is_soon_made = can_be_made(problem);
  const bool is_measured = question.measures && !card.is_asked_last && can_be_measured(problem);
  if (plan->effort() == Effort::kMuch && !is_soon_made && !is_measured) return;
  std::optional<WorthMaking> wanted;
  if (question.bytes && (!out.empty() || known < kNever)) {
    for (const SizedPlan& other : out)
      if (is_known(problem, other))
        known = std::min(known, other.time(problem.model().cost, *question.bytes));
    wanted.emplace(UINT64_MAX, false, less_time(problem, *question.bytes, known));
  }
  std::string name(card.name);
  if (!plan->member().empty()) name += ":" + plan->member();
  if (std::optional<SizedPlan> found = priced(std::move(name), plan, is_soon_made || is_measured))
    out.push_back(std::move(*found));
}

// Which plans of a card are asked: on large networks those that take some work to know come after those that take a moment.
enum class Turn : uint8_t { kOfAll, kOfQuick, kOfOthers };

// All that one card has for a number of pieces; `left`: those whose turn it is not.
void ask(const Algorithm& card, const Problem& problem, const SizedQuestion& question, double known,
         std::vector<SizedPlan>& out, Turn turn, std::vector<PreparedPlan>& left) {
  const Preparation ready = prepare_serving(card, problem);
  if (!ready.fits.applies) return;
  for (const PreparedPlan& plan : ready.plans) {
    const bool takes_some = plan->effort() == Effort::kSome && !can_be_made(problem);
    if (turn == Turn::kOfAll || takes_some == (turn == Turn::kOfOthers))
      ask(card, plan, question, known, out);
    else
      left.push_back(plan);
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

// Of rings and the like, which deal a vector out to the ranks: in fewer pieces most of them send nothing, and on many hosts
// their rounds take as long to make as in all.
bool is_asked_in_parts_alone(const Algorithm& card, const Problem& one, const SizedQuestion& question) {
  if (!question.only.empty() || card.chunks == nullptr || !is_large_for_sizes(one)) return false;
  return one.topology().has_routers() &&
         2 * uint64_t{card.chunks(without_order(one)).unit} > one.collective().num_ranks();
}

// What a card has, and whether all its plans had their turn.
struct Asked {
  std::vector<SizedPlan> plans{};
  bool is_complete = true;
};

// One piece and, as long as more of them lessen the rounds of a message by a hundredth, twice as many; and multiples of
// the number that the card says it is good in.
// `whole`: what it has in one piece, where that was asked before; `known`: what some card takes.
Asked all_pieces(const Algorithm& card, const Problem& one, const SizedQuestion& question,
                 std::optional<std::vector<SizedPlan>> whole = {}, double known = kNever,
                 Turn turn = Turn::kOfAll) {
  const std::optional<uint32_t> only_pieces = question.pieces;
  const SharedFactorExchanges shared;
  const SharedWorms worms;
  Asked asked;
  std::vector<SizedPlan>& out = asked.plans;
  const auto ask_here = [&](const Problem& problem, std::vector<SizedPlan>& here) {
    std::vector<PreparedPlan> left;
    ask(card, problem, question, known, here, turn, left);
    asked.is_complete = asked.is_complete && left.empty();
  };
  if (only_pieces) {
    ask_here(*only_pieces == 1 ? one : in_pieces(one, *only_pieces), out);
    return asked;
  }
  if (question.own_pieces_only && card.chunks == nullptr) {
    if (whole)
      out = *std::move(whole);
    else
      ask_here(one, out);
    return asked;
  }
  std::vector<uint32_t> tried;
  // What the card has for so many; nothing where these are asked already. False: no larger number is worth asking.
  const auto ask_for = [&](uint64_t pieces, std::vector<SizedPlan>& here) {
    const auto number = static_cast<uint32_t>(pieces);
    if (std::ranges::find(tried, number) != tried.end()) return true;
    tried.push_back(number);
    if (number == 1 && whole) {
      here = *std::move(whole);
      return true;
    }
    if (pieces > 1 && one.collective().block_count() * pieces > 16 * kFewBlocks) return false;
    try {
      ask_here(number == 1 ? one : in_pieces(one, number), here);
    } catch (const InputError&) {
      return false;  // more blocks than can be numbered
    }
    return true;
  };
  // Large networks are asked less often.
  const bool is_large = is_large_for_sizes(one);
  const auto from = [&](uint32_t first, uint32_t most, bool streams) {
    double least = std::numeric_limits<double>::infinity();
    uint32_t in_vain = 0;
    for (uint64_t pieces = first; pieces <= most && in_vain < (is_large ? 1U : 2U);
         pieces *= is_large ? 8 : 2) {
      const size_t before = tried.size();
      std::vector<SizedPlan> here;
      if (!ask_for(pieces, here)) break;
      if (tried.size() == before) continue;
      if (here.empty() && known < kNever) continue;  // too long in so many
      if (here.empty() && pieces > first) break;
      // The best number lies between powers of two, as a rule.
      if (streams && !is_large && pieces > first) ask_for(pieces / 2 * 3, here);
      const double now = least_rounds(here);
      in_vain = now < 0.99 * least ? 0 : in_vain + 1;
      least = std::min(least, now);
      std::ranges::move(here, std::back_inserter(out));
    }
  };
  const Chunking chunks = card.chunks == nullptr ? Chunking{} : card.chunks(without_order(one));
  if (!is_asked_in_parts_alone(card, one, question))
    from(1, is_streamed(one) ? kMostPieces : 4, chunks.streams);
  if (chunks.unit > 1)
    from(chunks.unit, chunks.streams ? kMostPieces * chunks.unit : chunks.unit, chunks.streams);
  // Vectors of a sum in as many parts as there are ranks: rings and the like.
  const uint32_t ranks = one.collective().num_ranks();
  if (is_streamed(one) && ranks > 1 && chunks.unit == 1) from(ranks, ranks, false);
  if (!is_large || !question.bytes || known == kNever || (!is_streamed(one) && !chunks.streams)) return asked;
  for (const QuartersOfPieces& quarters : {kBetweenEighths, kBetweenHalves}) {
    const auto time = [&](const SizedPlan& plan) { return plan.time(one.model().cost, *question.bytes); };
    const auto best = std::ranges::min_element(out, {}, time);
    if (best == out.end() || time(*best) > kNearTheFastest * known) break;
    const uint64_t pieces = best->pieces;
    if (!chunks.streams && chunks.unit > 1 && pieces % chunks.unit == 0) break;
    const uint64_t unit = pieces % chunks.unit == 0 ? chunks.unit : 1;
    for (const uint64_t some : quarters)
      if (const uint64_t between = pieces / unit * some / 4 * unit; between > 0) ask_for(between, out);
  }
  return asked;
}

// The plan of fewest steps, where it is lent.
void add_lent(const Problem& problem, std::vector<SizedPlan>& out) {
  try {
    const Choice choice =
        choose_algorithm(problem, 1, static_cast<uint64_t>(best_bound(problem).value.ceil()));
    if (choice.made_of.empty()) return;
    if (std::optional<SizedPlan> found = priced(choice.name(), choice.plan, true))
      out.push_back(std::move(*found));
  } catch (const InputError&) {
    // Nothing serves it.
  }
}

// Those that no other reaches in every figure; of equals the first. Of what is not known yet it may be little.
std::vector<SizedPlan> not_beaten(std::vector<SizedPlan> plans, const Problem& problem) {
  const auto known = [](bool costs, const std::optional<uint64_t>& figure) {
    return costs ? static_cast<double>(figure.value_or(UINT64_MAX)) : 0.0;
  };
  const auto key = [&](const SizedPlan& p) {
    return std::tuple(p.start_ups, rounds_of_message(p), known(hops_cost(problem), p.hops),
                      known(rearranging_costs(problem), p.rearranged) / p.pieces,
                      known(messages_cost(problem), p.further_messages));
  };
  std::stable_sort(plans.begin(), plans.end(), [&](const SizedPlan& a, const SizedPlan& b) {
    return std::pair(key(a), a.pieces) < std::pair(key(b), b.pieces);
  });
  std::vector<SizedPlan> out;
  for (SizedPlan& plan : plans) {
    // Of each algorithm by itself: who loses is compared, too.
    const bool beaten = std::ranges::any_of(out, [&](const SizedPlan& other) {
      if (other.algorithm != plan.algorithm || other.model_only != plan.model_only) return false;
      if (plan.prepared) return false;
      const auto a = key(other);
      const auto b = key(plan);
      return std::get<1>(a) <= std::get<1>(b) && std::get<2>(a) <= std::get<2>(b) &&
             std::get<3>(a) <= std::get<3>(b) && std::get<4>(a) <= std::get<4>(b);
    });
    if (!beaten) out.push_back(std::move(plan));
  }
  return out;
}

}  // namespace

double SizedPlan::time(const CostConstants& cost, uint64_t message_bytes) const {
  return time_of(cost,
                 {start_ups, rounds, hops.value_or(0), rearranged.value_or(0), further_messages.value_or(0)},
                 chunk_bytes(message_bytes, pieces));
}

Problem with_packets_of_sizes(const Problem& problem, bool free) {
  if (!free || !sends_single_packets(problem.model())) return problem;
  Model model = problem.model();
  model.packets = Packets::kMany;
  return {problem.topology(), problem.collective(), model};
}

Problem in_pieces(const Problem& problem, uint32_t pieces) {
  // What is counted is whole.
  if (problem.collective().counts() != nullptr) return problem;
  const std::optional<Rank> root = problem.collective().root();
  const NodeId node = root ? problem.topology().endpoint(*root) : kNoNode;
  return standard_problem(problem.topology(), problem.collective().kind(), problem.model(), node, pieces);
}

namespace {

// What the fastest takes of those that are known, or of what was known before. Where that has to be measured, the best is.
double least_known(const Problem& problem, const std::vector<std::vector<SizedPlan>>& found, uint64_t bytes,
                   double known) {
  std::vector<SizedPlan> all;
  for (const std::vector<SizedPlan>& some : found) std::ranges::copy(some, std::back_inserter(all));
  if (more_costs(problem) && can_be_made(problem)) {
    SizeRanking ranking(problem, all);
    const std::optional<size_t> best = ranking.best_for(bytes).best;
    if (best && is_known(problem, all[*best]))
      known = std::min(known, all[*best].time(problem.model().cost, bytes));
    return known;
  }
  for (const SizedPlan& plan : all)
    if (is_known(problem, plan)) known = std::min(known, plan.time(problem.model().cost, bytes));
  return known;
}

}  // namespace

std::vector<SizedPlan> sized_plans(const Problem& problem, unsigned threads, const SizedQuestion& question) {
  const std::string_view only = question.only;
  const std::string_view name = only.substr(0, only.find(':'));
  // Through switches, and where all are neighbours, rounds of ranks are routed in a moment.
  const bool says_soon = problem.topology().has_routers() || is_complete(problem.topology());
  std::vector<const Algorithm*> cards;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective == problem.collective().kind() && (only.empty() || card->name == name) &&
        (card->chunks != nullptr || !question.own_pieces_only || says_soon))
      cards.push_back(card);
  }
  std::vector<std::vector<SizedPlan>> found(cards.size());
  ThreadTeam team(threads);
  const SearchWishes wishes = SearchLimits::now();
  KeptPaths* const kept_here = KeptPaths::of_this_thread();
  const auto each = [&](const auto& work) {
    team.for_each(cards.size(), [&](size_t i) {
      const KeptPaths kept(kept_here);
      const SearchLimits limits(wishes);
      std::optional<LooksForBest> alone;
      if (question.bytes && only.empty()) alone.emplace();
      found[i] = work(i);
    });
  };
  if (!question.bytes || question.pieces) {
    each([&](size_t i) { return all_pieces(*cards[i], problem, question).plans; });
  } else {
    // First whole messages, which say what pieces must do better; and of these what takes a moment.
    std::vector<std::vector<PreparedPlan>> later(cards.size());
    each([&](size_t i) {
      const SharedFactorExchanges shared;
      const SharedWorms worms;
      std::vector<SizedPlan> whole;
      if (is_asked_in_parts_alone(*cards[i], problem, question)) return whole;
      try {
        ask(*cards[i], problem, question, question.known, whole, Turn::kOfQuick, later[i]);
      } catch (const InputError&) {
        // It cannot be said of whole messages.
      }
      return whole;
    });
    const auto least = [&] { return least_known(problem, found, *question.bytes, question.known); };
    each([&, known = least()](size_t i) {
      const SharedFactorExchanges shared;
      const SharedWorms worms;
      std::vector<SizedPlan> whole = std::move(found[i]);
      for (const PreparedPlan& plan : later[i]) ask(*cards[i], plan, question, known, whole);
      return whole;
    });
    std::vector<char> is_complete(cards.size());
    each([&, known = least()](size_t i) {
      Asked asked = all_pieces(*cards[i], problem, question, std::move(found[i]), known, Turn::kOfQuick);
      is_complete[i] = asked.is_complete ? 1 : 0;
      return std::move(asked.plans);
    });
    each([&, known = least()](size_t i) {
      std::vector<SizedPlan> out = std::move(found[i]);
      if (is_complete[i] != 0) return out;
      Asked more = all_pieces(*cards[i], problem, question, std::vector<SizedPlan>(), known, Turn::kOfOthers);
      std::ranges::move(more.plans, std::back_inserter(out));
      return out;
    });
  }
  std::vector<SizedPlan> all;
  if (question.lent && !is_large_for_sizes(problem))
    add_lent(in_pieces(problem, question.pieces.value_or(1)), all);
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
  return not_beaten(std::move(all), problem);
}

namespace {

// At all nodes, or at one for all.
bool can_be_judged(const Problem& problem, const SizedPlan& plan) {
  try {
    const Problem split = plan.pieces == 1 ? problem : in_pieces(problem, plan.pieces);
    if (!not_judged_here(split)) return true;
    const Algorithm* const card = algorithm_catalog().find(family_of(plan));
    return card != nullptr && card->same_at_all_nodes != nullptr && card->same_at_all_nodes(split) &&
           !SymmetricJudge::why_not(split);
  } catch (const InputError&) {
    return false;  // more blocks than can be numbered
  }
}

}  // namespace

std::optional<SizedChoice> choose_by_size(const Problem& problem, std::string_view algorithm,
                                          uint64_t message_bytes, unsigned threads,
                                          std::optional<uint32_t> pieces, double known) {
  const CostConstants& cost = problem.model().cost;
  const bool is_auto = algorithm == "auto";
  std::vector<SizedPlan> plans =
      sized_plans(problem, threads,
                  {.only = is_auto ? std::string_view() : algorithm,
                   .own_pieces_only = is_auto && !pieces && is_large_for_sizes(problem),
                   .pieces = pieces,
                   .measures = !is_auto,
                   .bytes = is_large_for_sizes(problem) || more_costs(problem) ? std::optional(message_bytes)
                                                                               : std::nullopt,
                   .known = more_costs(problem) ? known : kNever});
  std::erase_if(plans, [&](const SizedPlan& plan) {
    return plan.model_only || (!plan.prepared && !is_known(problem, plan));
  });
  SizeRanking ranking(problem, plans);
  SizeRanking::Best found = ranking.best_for(message_bytes);
  while (found.best && !can_be_judged(problem, plans[*found.best])) {
    ranking.drop(*found.best);
    found = ranking.best_for(message_bytes);
  }
  if (!found.best || !is_known(problem, plans[*found.best])) return std::nullopt;
  const SizedPlan* const best = &plans[*found.best];
  SizedChoice out{.plan = *best};
  const auto figures = [](const SizedPlan& plan) {
    return fmt::format("{} and {} in {}", plural(plan.start_ups, "start-up"), plural(plan.rounds, "round"),
                       plural(plan.pieces, "piece"));
  };
  std::vector<std::string_view> names;
  for (const SizedPlan& plan : plans) {
    const std::string_view name = family_of(plan);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  out.reason = fmt::format("predicts {}", figures(*best));
  if (!is_auto) {
    out.reason = "asked for; " + out.reason;
    return out;
  }
  out.reason += fmt::format(", the fastest of {} that apply", names.size());
  if (!found.next) return out;
  const SizedPlan* const next = &plans[*found.next];
  const double ratio = next->time(cost, message_bytes) / best->time(cost, message_bytes);
  out.reason += "; " + next_in_words(next->algorithm, ratio);
  out.next = RunnerUp{next->algorithm, {.start_ups = next->start_ups, .critical_blocks = next->rounds}};
  return out;
}

bool is_large_for_sizes(const Problem& problem) { return problem.topology().num_nodes() > kSmallNetwork; }

bool is_measured_soon(const Problem& problem) {
  constexpr uint32_t kMostNodes = 256;
  return problem.topology().num_nodes() <= kMostNodes;
}

InputError nothing_is_timed(const Problem& problem) {
  return InputError(fmt::format(
      "nothing is known of how long any algorithm takes for {} ({}): `quadrille explain {} --on "
      "\"{}\"{}` says why",
      problem.title(), describe(problem.model()), problem.collective().name(), problem.topology().name(),
      problem.model().combining == Operator::kOrdered ? " --operator ordered" : ""));
}

namespace {

// What `auto` takes for each size. What is measured takes seconds for each, so that of larger networks a table has what cards say alone.
std::vector<std::optional<SizedPlan>> chosen_for(const Problem& problem, std::span<const uint64_t> sizes,
                                                 std::span<const SizedPlan> plans, const LeastTime& least,
                                                 unsigned threads) {
  constexpr uint32_t kNodesOfMeasures = 32;
  if (is_large_for_sizes(problem)) return chosen_at_large(problem, sizes, plans, least, threads);
  if (!more_costs(problem)) return chosen_by_time(problem, sizes, least, threads);
  std::vector<std::optional<SizedPlan>> out(sizes.size());
  if (problem.topology().num_nodes() > kNodesOfMeasures) return out;
  ThreadTeam team(threads);
  team.for_each(sizes.size(), [&](size_t i) { out[i] = decided_plan(problem, sizes[i]); });
  return out;
}

}  // namespace

SizeSweep sweep_sizes(const Problem& problem, std::span<const uint64_t> sizes, unsigned threads) {
  const std::vector<Bound> bounds = all_bounds(problem);
  const LeastTime least(problem, bounds);
  SizeSweep out{sized_plans(problem, threads, {.lent = true, .measures = is_measured_soon(problem)}), {}};
  const std::vector<std::optional<size_t>> chosen =
      add_chosen(chosen_for(problem, sizes, out.plans, least, threads), out.plans);
  if (std::ranges::none_of(out.plans, [](const SizedPlan& plan) { return !plan.model_only; })) {
    throw nothing_is_timed(problem);
  }
  const CostConstants& cost = problem.model().cost;
  SizeRanking ranking(problem, out.plans);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const uint64_t bytes = sizes[i];
    const auto [best, next] = ranking.best_for(bytes, chosen[i]);
    out.rows.push_back({.bytes = bytes,
                        .best = *best,
                        .time = out.plans[*best].time(cost, bytes),
                        .next = next,
                        .bound = least(bytes)});
  }
  // Those that are drawn, for all sizes; nobody asks for the others any more.
  for (size_t i = 0; i < out.plans.size(); ++i) {
    const auto is_drawn = [&](const SizeRow& row) {
      return out.plans[row.best].algorithm == out.plans[i].algorithm;
    };
    if (std::ranges::any_of(out.rows, is_drawn)) ranking.measure(i);
    out.plans[i].prepared.reset();
  }
  return out;
}

}  // namespace quadrille
