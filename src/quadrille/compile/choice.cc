#include "quadrille/compile/choice.h"
#include "quadrille/compile/comparison/library_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/base/work_count.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/half_duplex_plan.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/lending.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/lending/pieces_in_turn.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/transforms/half_duplex.h"

namespace quadrille {
namespace {

// Whether every card can make a plan of it in a moment.
bool is_small(const Problem& problem) { return problem.topology().num_nodes() <= 128; }

// Of two figures neither is best alone; counted blocks have few cards.
bool asks_all(const Problem& problem) {
  return is_small(problem) || problem.collective().counts() != nullptr;
}

// Larger networks that have been recognised are left to what their names know.
constexpr uint32_t kMostNodesToSearchBeside = 1024;

bool is_at_one_node(const Algorithm& card, const Problem& problem) {
  return card.same_at_all_nodes != nullptr && card.same_at_all_nodes(problem);
}

// Whether to look for fewer steps. Of a large plan that is the same at all nodes the last half of a per cent is not worth a
// search that follows the blocks of all (`by` is none: whatever else there is).
bool is_worth_beating(const Choice& best, const Problem& problem, uint64_t fewest_steps,
                      const Algorithm* by) {
  const std::optional<uint64_t>& steps = best.prediction.steps;
  if (!steps || *steps <= fewest_steps) return !steps;
  return is_small(problem) || *steps - fewest_steps > fewest_steps / 200 || !is_same_at_all_nodes(best) ||
         (by != nullptr && is_at_one_node(*by, problem));
}

// Worms of a total exchange on a large network whose start-ups are far from the bound: to gather all blocks at one node and to scatter
// them again may take fewer.
bool may_be_lent_an_exchange(const Choice& best, const Problem& problem, uint64_t fewest_steps) {
  constexpr uint32_t kMostNodes = 1024;
  return is_priced(problem) && problem.topology().num_nodes() <= kMostNodes && best.prediction.start_ups &&
         4 * *best.prediction.start_ups > 5 * fewest_steps;
}

// What is predicted, in words, if anything; with units for one who has not seen them yet.
std::string figures(const Prediction& prediction, bool priced, bool with_units) {
  if (priced && has_both(prediction)) {
    return with_units ? fmt::format("{} and {}", plural(*prediction.start_ups, "start-up"),
                                    plural(*prediction.critical_blocks, "block") + " on the critical path")
                      : fmt::format("{} and {}", with_thousands(*prediction.start_ups),
                                    with_thousands(*prediction.critical_blocks));
  }
  if (priced || !prediction.steps) return "";
  return with_units ? plural(*prediction.steps, "step") : with_thousands(*prediction.steps);
}

StatedFigures stated(const Prediction& prediction) {
  return {prediction.steps, prediction.start_ups, prediction.busiest_link, prediction.critical_blocks};
}

// How many apply, and the second of those that were asked. `asked` has the best first.
std::string explain(const std::vector<Choice>& asked, size_t applying, bool priced) {
  const std::string predicted = figures(asked.front().prediction, priced, true);
  if (applying == 1)
    return predicted.empty() ? "nothing else applies"
                             : fmt::format("predicts {}; nothing else applies", predicted);
  if (predicted.empty()) return fmt::format("the first of {} that apply; none predicts a number", applying);
  std::string best = fmt::format("predicts {}, the {} of {} that apply", predicted,
                                 priced ? "cheapest" : "fewest", applying);
  if (asked.size() == 1) return best;
  const std::string next = figures(asked[1].prediction, priced, false);
  return fmt::format("{}; next: {}, {}", best, asked[1].name(), next.empty() ? "no number" : next);
}

// A card that serves the problem, with what it has.
struct Serving {
  const Algorithm* card;
  std::vector<PreparedPlan> plans;
};

Choice choice_of(const Algorithm& card, const PreparedPlan& plan, std::string reason = {}) {
  return {&card, std::move(reason), plan->prediction(), plan->member(), plan};
}

bool is_for_many_alone(const Algorithm& card, const Problem& problem) {
  Model single = problem.model();
  single.packets = Packets::kOne;
  return !card.applies(Problem(problem.topology(), problem.collective(), single)).applies;
}

// Fewer steps are no use to whoever has said how long a plan may take.
bool takes_too_long(const Choice& choice) {
  const Prediction& known = choice.prediction;
  return WorthMaking::is_by_time() && known.start_ups && known.critical_blocks &&
         !WorthMaking::is_any_of(*known.start_ups, *known.critical_blocks);
}

// What is wanted of those that are asked: all of them; or the best one's plan, and of the second what it says; or the best one alone.
// Whoever can be none of those need not say how much worse it is, of worms: searches for single packets are told otherwise.
enum class Keeps : uint8_t { kAll, kBestPlan, kBest };

// Asks the plans for their predictions.
class Asking {
 public:
  Asking(const Problem& problem, uint64_t block_bytes, Keeps keeps)
      : problem_(problem), block_bytes_(block_bytes), keeps_(keeps) {}

  // Those that take a moment first; the others as long as `can_be_beaten` says so of the best so far. Once
  // one had to be asked, on a small network all are: that takes a moment, and tells the second best.
  template <typename CanBeBeaten>
  void ask(std::vector<Serving> offers, CanBeBeaten can_be_beaten) {
    const auto is_settled = [&](const Serving& offer) {
      return keeps_ == Keeps::kBest && is_small(problem_) && !asked_.empty() &&
             !can_be_beaten(asked_.front(), offer.card);
    };
    // One search for worms finds what hardly any rounds of ranks come near, which are then not even placed.
    if (keeps_ == Keeps::kBest && is_small(problem_) && takes_paths(problem_.model()) &&
        problem_.collective().kind() == CollectiveKind::kAllgather) {
      for (Serving& offer : offers)
        if (offer.card->is_asked_last) ask(offer);
    }
    for (Serving& offer : offers) {
      if (offer.plans.empty()) continue;
      if (offer.plans.front()->effort() != Effort::kMuch && !is_settled(offer)) ask(offer);
    }
    // What has no idea comes last where much is to be done: it need not be made if it is sure to be worse. What is for messages of
    // many packets comes first: it tells how few start-ups will do.
    if (!is_small(problem_)) {
      std::stable_partition(offers.begin(), offers.end(),
                            [](const Serving& offer) { return offer.card->source != "baseline"; });
      // What one node does is soon found.
      std::stable_partition(offers.begin(), offers.end(),
                            [&](const Serving& offer) { return is_at_one_node(*offer.card, problem_); });
      if (problem_.model().packets == Packets::kMany)
        std::stable_partition(offers.begin(), offers.end(),
                              [&](const Serving& offer) { return is_for_many_alone(*offer.card, problem_); });
    }
    if (is_small(problem_))
      std::stable_partition(offers.begin(), offers.end(),
                            [&](const Serving& offer) { return !looks_for_fewer(*offer.card); });
    bool asks_all = false;
    for (Serving& offer : offers) {
      if (offer.plans.empty()) continue;
      if (is_settled(offer)) break;
      if (!asked_.empty() && !asks_all && !can_be_beaten(asked_.front(), offer.card)) break;
      if (!asked_.empty() && searches_are_stopped()) break;
      ask(offer);
      asks_all = is_small(problem_);
    }
  }
  // One more.
  void add(Choice choice) {
    const ChoiceCost cost = cost_of(choice.prediction, problem_, block_bytes_);
    const auto at = std::find_if(asked_.begin(), asked_.end(), [&](const Choice& other) {
      return cost < cost_of(other.prediction, problem_, block_bytes_);
    });
    if (keeps_ != Keeps::kAll) {
      if (at != asked_.begin()) {
        choice.plan.reset();
      } else if (!asked_.empty()) {
        asked_.front().plan.reset();
      }
    }
    asked_.insert(at, std::move(choice));
  }
  // The best first; one that takes too long where all do.
  [[nodiscard]] std::vector<Choice>& asked() {
    if (asked_.empty() && too_long_) asked_.push_back(*std::exchange(too_long_, std::nullopt));
    return asked_;
  }
  [[nodiscard]] bool can_be_best(const Prediction& prediction) const {
    return asked_.empty() || cost_of(prediction, problem_, block_bytes_) <
                                 cost_of(asked_.front().prediction, problem_, block_bytes_);
  }

 private:
  // Whose searches take most of a small network's time, and are of no use where others have as few steps.
  [[nodiscard]] bool looks_for_fewer(const Algorithm& card) const {
    return card.is_asked_last && problem_.collective().kind() == CollectiveKind::kAllreduce;
  }

  void ask(Serving& offer) {
    std::optional<WorthMaking> wanted;
    // On small networks searches of sums need not find the second best, as others do.
    if ((!is_small(problem_) || looks_for_fewer(*offer.card)) && !is_priced(problem_) && !asked_.empty() &&
        asked_.front().prediction.steps)
      wanted.emplace(*asked_.front().prediction.steps);
    else if (const size_t wants = keeps_ == Keeps::kBest ? 1 : 2;
             keeps_ != Keeps::kAll && is_small(problem_) && takes_paths(problem_.model()) &&
             !WorthMaking::is_by_time() && asked_.size() >= wants)
      wanted.emplace(steps_to_beat(asked_[wants - 1]));
    std::optional<LooksForBest> alone;
    if (keeps_ != Keeps::kAll) alone.emplace();
    Choice choice = choice_of(*offer.card, cheapest(offer.plans, block_bytes_));
    offer.plans.clear();
    alone.reset();
    wanted.reset();
    if (!takes_too_long(choice))
      add(std::move(choice));
    else if (!too_long_)
      too_long_ = std::move(choice);
  }

  // Steps of what is better: fewer than these.
  [[nodiscard]] uint64_t steps_to_beat(const Choice& best) const {
    if (!is_priced(problem_)) return best.prediction.steps.value_or(UINT64_MAX);
    const double each = time_of(problem_.model().cost,
                                {.start_ups = 1, .critical_blocks = 1, .critical_hops = 1}, block_bytes_);
    if (!has_both(best.prediction) || is_uncertain(best.prediction, problem_) || each <= 0) return UINT64_MAX;
    // As many start-ups may go with fewer blocks, which count where they cost nothing, too.
    return static_cast<uint64_t>(std::ceil(price(best.prediction, problem_, block_bytes_) / each)) + 1;
  }

  const Problem& problem_;
  uint64_t block_bytes_;
  Keeps keeps_;
  std::vector<Choice> asked_;
  std::optional<Choice> too_long_;
};

// Lets the meter tell what those rearrange, and how far they go, that may still be the cheapest, by rising time without it. The
// best comes first again.
void measure(std::vector<Choice>& asked, const Problem& problem, uint64_t block_bytes,
             const CostMeter& meter) {
  const auto by_cost = [&](const Choice& a, const Choice& b) {
    return cost_of(a.prediction, problem, block_bytes) < cost_of(b.prediction, problem, block_bytes);
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Choice& c : asked) {
    if (has_both(c.prediction) && !is_uncertain(c.prediction, problem))
      least = std::min(least, price(c.prediction, problem, block_bytes));
  }
  // Sorted, those of which a part is unknown are by rising time.
  for (Choice& c : asked) {
    if (!has_both(c.prediction) || !is_uncertain(c.prediction, problem)) continue;
    if (price(c.prediction, problem, block_bytes) > least) break;
    const MeasuredCost measured = meter(c);
    if (!rearranged_by(c.prediction)) c.prediction.rearranged = measured.rearranged;
    if (!hops_by(c.prediction, problem)) c.prediction.critical_hops = measured.critical_hops;
    if (!further_messages_by(c.prediction, problem))
      c.prediction.further_messages = measured.further_messages;
    if (!is_uncertain(c.prediction, problem))
      least = std::min(least, price(c.prediction, problem, block_bytes));
  }
  std::stable_sort(asked.begin(), asked.end(), by_cost);
}

InputError nothing_applies(const Problem& problem, const std::vector<std::string>& reasons) {
  if (reasons.empty())
    return InputError(fmt::format("there is no algorithm for {} yet", problem.collective().name()));
  std::string message =
      fmt::format("no algorithm applies to {} with {}:", problem.title(), describe(problem.model()));
  for (const std::string& reason : reasons) message += "\n  " + reason;
  return InputError(message);
}

ValueError no_such_algorithm(const Problem& problem, std::string_view name) {
  std::vector<std::string_view> all;
  std::vector<std::string_view> fitting;
  for (const Algorithm* card : algorithm_catalog()) {
    all.push_back(card->name);
    if (card->collective == problem.collective().kind()) fitting.push_back(card->name);
  }
  const Algorithm* const meant = card_by_library_name(name, problem.collective().kind());
  const std::string_view near = meant != nullptr ? meant->name : nearest_name(name, all);
  const std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
  return {fmt::format("--algorithm: no algorithm is called '{}'; {}those for {}: {}", name, hint,
                      problem.collective().name(), fitting.empty() ? "none" : join(fitting)),
          {.of = "--algorithm", .given = std::string(name), .allowed = {fitting.begin(), fitting.end()}}};
}

PreparedPlan require_member(const Algorithm& card, const Problem& problem, const Preparation& ready,
                            std::string_view member) {
  std::vector<std::string_view> names;
  for (const PreparedPlan& plan : ready.plans)
    if (!plan->member().empty()) names.push_back(plan->member());
  if (names.empty())
    throw InputError(fmt::format("--algorithm: {} is no family; leave out ':{}'", card.name, member));
  if (PreparedPlan plan = ready.find(member)) return plan;
  const std::string_view near = nearest_name(member, names);
  throw InputError(fmt::format("--algorithm: {} on {} has no member '{}'; {}there are: {}", card.name,
                               problem.topology().name(), member,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), join(names)));
}

InputError does_not_serve(const Algorithm& card, const Problem& problem, const std::string& reason) {
  return InputError(fmt::format("--algorithm: {} does not apply to {}: {}; {}", card.name, problem.title(),
                                reason, instead_of(card, problem)));
}

// What the card has for the problem as it is.
Preparation prepare_own(const Algorithm& card, const Problem& problem) {
  Preparation ready = prepare(card, problem);
  const std::optional<uint32_t> limit = problem.model().queue_limit;
  if (!ready.fits.applies || !limit) return ready;
  const Prediction prediction = cheapest(ready.plans)->prediction();
  const bool incoming = problem.model().queues_per == QueuesPer::kIncoming && prediction.queue != 0U;
  const std::optional<uint64_t> queue = incoming ? prediction.queue_incoming : prediction.queue;
  if (!queue) return Preparation::no("it does not say how long its queues get");
  if (*queue <= *limit) return ready;
  return Preparation::no(fmt::format("{} may {}; the limit is {}", plural(*queue, "block"),
                                     incoming ? "have come on one link and wait" : "wait for one link",
                                     *limit));
}

// All that it has, and all that it has for full-duplex links, made half duplex.
Preparation prepare_members(const Algorithm& card, const Problem& problem) {
  Preparation out = prepare_own(card, problem);
  if (!takes_full_duplex_plans(problem)) return out;
  const Preparation full = prepare_own(card, with_full_duplex(problem));
  if (!full.fits.applies) return out;
  for (const PreparedPlan& plan : full.plans) out.plans.push_back(made_half_duplex(problem, plan));
  out.fits = Applicability::yes();
  return out;
}

struct Offers {
  std::vector<Serving> serving;
  std::vector<std::string> reasons;  // of the others
};

// All cards that serve the problem as it is.
Offers offers_for(const Problem& problem) {
  Offers out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    Preparation ready = prepare_own(*card, problem);
    if (ready.fits.applies) {
      out.serving.push_back({card, std::move(ready.plans)});
    } else {
      out.reasons.push_back(fmt::format("{}: {}", card->name, ready.fits.reason));
    }
  }
  return out;
}

// Full-duplex plans are made half duplex, the best first, as long as there they are better than the best so
// far is here: where time counts, only the first one of them. Returns how many were tried.
size_t ask_full_duplex(Asking& asking, const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps) {
  constexpr size_t kMostTried = 4;
  const Problem full = with_full_duplex(problem);
  Offers offers = offers_for(full);
  // Who searches for long, and on half-duplex links, too, finds there what a plan for full duplex, parted, would be at best.
  std::erase_if(offers.serving, [&problem](const Serving& offer) {
    return offer.card->is_asked_last && prepare(*offer.card, problem).fits.applies;
  });
  if (offers.serving.empty()) return 0;
  const bool all = is_small(problem);
  Asking there(full, block_bytes, all ? Keeps::kAll : Keeps::kBestPlan);
  const bool priced = is_priced(problem);
  there.ask(std::move(offers.serving), [&](const Choice& choice, const Algorithm* /*by*/) {
    const Prediction& best = choice.prediction;
    return priced ? !has_both(best) || all : !best.steps || *best.steps > fewest_steps / 2 + fewest_steps % 2;
  });
  size_t tried = 0;
  for (const Choice& choice : there.asked()) {
    if (tried == (all ? kMostTried : 1) || !asking.can_be_best(choice.prediction)) break;
    Choice parted = choice_of(*choice.algorithm, made_half_duplex(problem, choice.plan));
    ++tried;
    if (asking.asked().empty() || parted.prediction.steps || parted.prediction.start_ups)
      asking.add(std::move(parted));
  }
  return tried;
}

}  // namespace

Preparation prepare_serving(const Algorithm& card, const Problem& problem) {
  Preparation own = prepare_own(card, problem);
  if (own.fits.applies || !takes_full_duplex_plans(problem)) return own;
  const Preparation full = prepare_own(card, with_full_duplex(problem));
  if (!full.fits.applies) return own;
  Preparation parted = Preparation::of(made_half_duplex(problem, cheapest(full.plans)));
  parted.fits.reason = "made half duplex";
  return parted;
}

namespace {

// Where no card applies something may be made of several.
std::string lent_instead(const Problem& problem) {
  constexpr std::string_view kNothing = "no other algorithm applies either";
  if (!is_small(problem)) return std::string(kNothing);
  try {
    const Choice lent = choose_algorithm(problem);
    const std::string predicted = figures(lent.prediction, is_priced(problem), true);
    return predicted.empty() ? fmt::format("`auto` takes {}", lent.name())
                             : fmt::format("`auto` takes {}, which predicts {}", lent.name(), predicted);
  } catch (const InputError&) {
    return std::string(kNothing);
  }
}

}  // namespace

std::string instead_of(const Algorithm& card, const Problem& problem) {
  std::vector<Serving> others;
  for (const Algorithm* other : algorithm_catalog()) {
    if (other == &card || other->collective != card.collective) continue;
    Preparation ready = prepare_serving(*other, problem);
    if (ready.fits.applies) others.push_back({other, std::move(ready.plans)});
  }
  if (others.empty()) return lent_instead(problem);
  Asking asking(problem, 1, Keeps::kBestPlan);
  asking.ask(std::move(others), [&](const Choice&, const Algorithm*) { return is_small(problem); });
  const Choice& best = asking.asked().front();
  const std::string predicted = figures(best.prediction, is_priced(problem), true);
  return predicted.empty() ? fmt::format("{} applies", best.name())
                           : fmt::format("{} applies, and predicts {}", best.name(), predicted);
}

void require_serves(const Algorithm& card, const Problem& problem) {
  const Preparation ready = prepare_serving(card, problem);
  if (!ready.fits.applies) throw does_not_serve(card, problem, ready.fits.reason);
}

std::string Choice::name() const {
  if (!made_of.empty()) return made_of;
  return member.empty() ? std::string(algorithm->name) : fmt::format("{}:{}", algorithm->name, member);
}

void Choice::generate(StepSink& sink) const {
  count_work(Work::kGenerating);
  plan->generate(sink);
}

std::optional<uint64_t> Choice::rearranged() const { return rearranged_by(prediction); }
std::optional<uint64_t> Choice::critical_hops() const { return hops_by(prediction, plan->problem()); }
std::optional<uint64_t> Choice::further_messages() const {
  return further_messages_by(prediction, plan->problem());
}

std::optional<Choice> choose_own(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps,
                                 bool little_effort) {
  Offers offers = offers_for(problem);
  if (little_effort) {
    std::erase_if(offers.serving,
                  [](const Serving& offer) { return offer.plans.front()->effort() == Effort::kMuch; });
  }
  Asking asking(problem, block_bytes, Keeps::kBest);
  const auto can_be_beaten = [&](const Choice& best, const Algorithm* by = nullptr) {
    return is_priced(problem) ? !has_both(best.prediction) || asks_all(problem)
                              : is_worth_beating(best, problem, fewest_steps, by);
  };
  asking.ask(std::move(offers.serving), can_be_beaten);
  std::vector<Choice>& asked = asking.asked();
  if (takes_full_duplex_plans(problem) && !little_effort &&
      (is_priced(problem) || asked.empty() || can_be_beaten(asked.front())))
    ask_full_duplex(asking, problem, block_bytes, fewest_steps);
  if (asked.empty()) return std::nullopt;
  return std::move(asked.front());
}

namespace {

// Sums of more than a few nodes, of which names may know them.
bool is_searched_for_long(const Problem& problem) {
  constexpr uint32_t kNodesSearchedInAMoment = 32;
  return problem.collective().kind() == CollectiveKind::kAllreduce && !asks_for_order(problem) &&
         problem.topology().num_nodes() > kNodesSearchedInAMoment;
}

// Many pieces in turn, where all at once would be searched for long: with what is known in a moment it may do, and the searches are
// left out.
enum class InTurn : uint8_t { kNone, kServes, kWillDo };
InTurn ask_in_turn(Asking& asking, std::vector<Serving>& serving, const Problem& problem,
                   uint64_t block_bytes, uint64_t fewest_steps) {
  constexpr uint64_t kNearBound = 100;  // one step of so many
  const auto is_near = [&] {
    const std::optional<uint64_t> steps =
        asking.asked().empty() ? std::nullopt : asking.asked().front().prediction.steps;
    return steps && *steps <= fewest_steps + fewest_steps / kNearBound;
  };
  std::vector<Serving> quick;
  std::vector<Serving> others;
  for (Serving& offer : serving)
    (offer.plans.front()->effort() == Effort::kMuch ? others : quick).push_back(std::move(offer));
  serving = std::move(others);
  asking.ask(std::move(quick), [](const Choice&, const Algorithm*) { return true; });
  if (is_near()) return InTurn::kNone;
  std::optional<Choice> in_turn = lend_in_turn(problem, block_bytes, fewest_steps);
  if (!in_turn) return InTurn::kNone;
  asking.add(*std::move(in_turn));
  if (!is_near()) return InTurn::kServes;
  serving.clear();
  return InTurn::kWillDo;
}

// What is lent comes first, and says what it is better than.
void take_lent(std::vector<Choice>& asked, size_t& applying, const Problem& problem, uint64_t block_bytes,
               uint64_t fewest_steps, bool asks_names) {
  const Choice* own = asked.empty() ? nullptr : &asked.front();
  std::optional<Choice> lent = lend_better(problem, own, block_bytes, fewest_steps, asks_names);
  if (!lent) return;
  asked.insert(asked.begin(), std::move(*lent));
  ++applying;
}

}  // namespace

Choice choose_algorithm(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps,
                        const CostMeter& meter, bool asks_lenders) {
  const KeptPaths kept;
  const bool priced = is_priced(problem);
  const bool measures = meter && priced && more_costs(problem);
  Offers offers = offers_for(problem);
  size_t applying = offers.serving.size();
  Asking asking(problem, block_bytes, measures ? Keeps::kAll : Keeps::kBestPlan);
  const auto can_be_beaten = [&](const Choice& best, const Algorithm* by = nullptr) {
    return priced ? !has_both(best.prediction) || asks_all(problem)
                  : is_worth_beating(best, problem, fewest_steps, by);
  };
  // What a name knows in a moment a large network without one would search for.
  bool settled = false;
  const bool outlined = problem.topology().is_outline();  // nothing is lent where no plan can be made
  const bool by_plain_name = goes_by_plain_name(problem.topology());
  const bool names_first =
      (!is_small(problem) && !outlined) || by_plain_name || is_searched_for_long(problem);
  if (names_first) {
    if (LentByName named = lend_by_name(problem, block_bytes, fewest_steps); named.best) {
      const std::optional<uint64_t> steps = named.best->prediction.steps;
      asking.add(std::move(*named.best));
      ++applying;
      settled = named.settles;
      if (settled && by_plain_name) offers.serving.clear();
      // A search may still come closer, where it takes no minutes.
      if (settled && (problem.topology().num_nodes() > kMostNodesToSearchBeside ||
                      (steps && *steps <= fewest_steps + fewest_steps / 50)))
        std::erase_if(offers.serving,
                      [](const Serving& offer) { return offer.plans.front()->effort() == Effort::kMuch; });
    }
  }
  InTurn in_turn = InTurn::kNone;
  if (!priced && asks_lenders && !outlined && pieces_at_once(problem, fewest_steps) != 0)
    in_turn = ask_in_turn(asking, offers.serving, problem, block_bytes, fewest_steps);
  if (in_turn != InTurn::kNone) ++applying;
  asking.ask(std::move(offers.serving), can_be_beaten);
  std::vector<Choice>& asked = asking.asked();
  const bool is_stopped = !asked.empty() && searches_are_stopped();
  if (takes_full_duplex_plans(problem) && !is_stopped &&
      (priced || asked.empty() || can_be_beaten(asked.front())))
    applying += ask_full_duplex(asking, problem, block_bytes, fewest_steps);
  if (asks_lenders && !is_stopped && !outlined && in_turn != InTurn::kWillDo &&
      (asked.empty() || (!settled && (can_be_beaten(asked.front()) ||
                                      may_be_lent_an_exchange(asked.front(), problem, fewest_steps)))))
    take_lent(asked, applying, problem, block_bytes, fewest_steps, !names_first);
  if (asked.empty()) throw nothing_applies(problem, offers.reasons);
  if (measures) measure(asked, problem, block_bytes, meter);
  asked.front().reason = explain(asked, applying, priced);
  if (asked.size() > 1) asked.front().runner_up = {asked[1].name(), stated(asked[1].prediction)};
  return std::move(asked.front());
}

Choice pick_algorithm(const Problem& problem, const std::string& asked, const Goal& goal,
                      uint64_t fewest_steps, const CostMeter& meter) {
  const uint64_t block_bytes = goal.block_bytes;
  if (asked == "auto") return choose_algorithm(problem, block_bytes, fewest_steps, meter, goal.asks_lenders);
  if (names_loan(asked)) return pick_loan(problem, asked, goal);
  const size_t colon = asked.find(':');
  const std::string name = asked.substr(0, colon);
  const Algorithm* card = algorithm_catalog().find(name);
  if (card == nullptr) throw no_such_algorithm(problem, name);
  if (card->collective != problem.collective().kind()) {
    throw InputError(fmt::format("--algorithm: {} is for {}, not for {}", name, name_of(card->collective),
                                 problem.collective().name()));
  }
  if (colon != std::string::npos) {
    const Preparation ready = prepare_members(*card, problem);
    if (!ready.fits.applies) throw does_not_serve(*card, problem, ready.fits.reason);
    return choice_of(*card, require_member(*card, problem, ready, asked.substr(colon + 1)), "asked for");
  }
  const Preparation ready = prepare_serving(*card, problem);
  if (!ready.fits.applies) throw does_not_serve(*card, problem, ready.fits.reason);
  const PreparedPlan& best = cheapest(ready.plans, block_bytes);
  if (!ready.fits.reason.empty()) return choice_of(*card, best, "asked for; " + ready.fits.reason);
  if (!ready.is_family()) return choice_of(*card, best, "asked for");
  return choice_of(*card, best,
                   fmt::format("asked for; {} of {}", best->member(), plural(ready.plans.size(), "member")));
}

bool is_same_at_all_nodes(const Choice& choice) {
  const Algorithm& card = *choice.algorithm;
  return choice.made_of.empty() && card.same_at_all_nodes != nullptr &&
         card.same_at_all_nodes(choice.plan->problem());
}

std::optional<Choice> as_good_at_all_nodes(const Problem& problem, const Choice& choice) {
  if (is_same_at_all_nodes(choice) || problem.topology().cayley() == nullptr || more_costs(problem))
    return std::nullopt;
  // Whoever says nothing of start-ups has no more than steps, and with single packets a block in each.
  const bool single = sends_single_packets(problem.model());
  const auto figures_of = [&](const Prediction& prediction) {
    const auto starts = single && !prediction.start_ups ? prediction.steps : prediction.start_ups;
    const auto blocks = single && !prediction.critical_blocks ? starts : prediction.critical_blocks;
    return std::tuple(prediction.steps, starts, blocks);
  };
  // To judge a larger plan at all nodes takes longer than to search for one node's.
  constexpr uint32_t kSoonJudged = 1024;
  for (const bool much : {false, true}) {
    if (much && problem.topology().num_nodes() <= kSoonJudged) break;
    for (const Algorithm* card : algorithm_catalog()) {
      if (!card->same_at_all_nodes || card->collective != problem.collective().kind()) continue;
      const Preparation ready = prepare_own(*card, problem);
      if (!ready.fits.applies || !card->same_at_all_nodes(problem)) continue;
      if ((ready.plans.front()->effort() == Effort::kMuch) != much) continue;
      const PreparedPlan& plan = cheapest(ready.plans);
      if (figures_of(plan->prediction()) != figures_of(choice.prediction)) continue;
      return choice_of(*card, plan, fmt::format("as good as {}, and the same at all nodes", choice.name()));
    }
  }
  return std::nullopt;
}

void for_each_choice(const Problem& problem, uint64_t block_bytes, const std::function<void(Choice)>& use) {
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Preparation ready = prepare_serving(*card, problem);
    if (ready.fits.applies) use(choice_of(*card, cheapest(ready.plans, block_bytes)));
  }
}

std::vector<Choice> pareto_front(const Problem& problem) {
  struct Point {
    Choice choice;
    WormCost cost;
  };
  std::vector<Point> points;
  const auto add = [&points](Choice choice) {
    if (!has_both(choice.prediction)) return;
    const WormCost cost{*choice.prediction.start_ups, *choice.prediction.critical_blocks};
    points.push_back({std::move(choice), cost});
  };
  const bool parts = takes_full_duplex_plans(problem) && is_small(problem);
  const Offers offers = offers_for(problem);
  if (offers.serving.empty() && !parts) throw nothing_applies(problem, offers.reasons);
  for (const Serving& offer : offers.serving)
    for (const PreparedPlan& plan : offer.plans) add(choice_of(*offer.card, plan, "on the front"));
  if (parts) {
    for (const Choice& choice : pareto_front(with_full_duplex(problem)))
      add(choice_of(*choice.algorithm, made_half_duplex(problem, choice.plan), "on the front"));
  }
  if (points.empty()) {
    throw InputError(
        fmt::format("nothing that applies to {} with {} predicts both start-ups and critical blocks",
                    problem.title(), describe(problem.model())));
  }
  keep_front(points);
  std::vector<Choice> out;
  for (Point& point : points) out.push_back(std::move(point.choice));
  return out;
}

}  // namespace quadrille
