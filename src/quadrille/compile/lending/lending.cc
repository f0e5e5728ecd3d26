#include "quadrille/compile/lending/lending.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/asked_key.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/strength.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace {

// Up to so many nodes, and blocks of an alltoall, every lender may take its time, and is asked for its bound.
constexpr uint32_t kSmall = 128;
constexpr uint64_t kFewBlocks = uint64_t{kSmall} * kSmall;

// Up to so many nodes an allreduce is asked for the reduce in it: the search for one takes seconds on larger networks.
constexpr uint32_t kNodesThatAskSums = 64;

// Up to so many nodes lenders are asked whatever they may save, and machines with other ports search, too; beyond, an exchange so
// near its bound is the answer, as it is by time. Others find their last step quickly.
constexpr uint32_t kNodesThatMaySearch = 72;
constexpr uint64_t kHardlyFewer = 100;  // one step of so many
// Up to so many nodes a plan for fewer ports is looked at, however many more steps it takes before it is compacted; but of a total
// exchange of single packets, whose own paths are never longer (of 144 such questions none had a shorter plan for it, in half of
// the time).
constexpr uint32_t kFewNodes = 16;

bool is_small(const Problem& problem) {
  const uint64_t ranks = problem.topology().num_endpoints();
  return problem.topology().num_nodes() <= kSmall &&
         ranks * ranks * problem.collective().pieces() <= kFewBlocks;
}

// Whatever searches for a broadcast of one block takes no more than a moment, or, on a thousand nodes, some tenths of a second.
bool is_soon_sought(const Problem& problem) {
  constexpr uint32_t kMostNodes = 2048;
  const Collective& collective = problem.collective();
  return (collective.kind() == CollectiveKind::kBroadcast || collective.kind() == CollectiveKind::kReduce) &&
         collective.pieces() == 1 && problem.topology().num_nodes() <= kMostNodes;
}

bool is_packet_exchange(const Problem& problem) {
  return problem.collective().kind() == CollectiveKind::kAlltoall &&
         problem.model().switching == Switching::kPacket && sends_single_packets(problem.model());
}

constexpr ChoiceCost kNothing{true, std::numeric_limits<double>::infinity(), UINT64_MAX, UINT64_MAX};

// Of a problem and its reversed one, the one that copies or sends out.
bool sends_out(CollectiveKind kind) {
  return kind != CollectiveKind::kGather && kind != CollectiveKind::kReduce &&
         kind != CollectiveKind::kReduceScatter;
}

Strength weaker_than(Strength strength) {
  switch (strength) {
    case Strength::kTop:
      return Strength::kFull;
    case Strength::kFull:
      return Strength::kBasic;
    default:
      return Strength::kOwn;
  }
}

class Search {
 public:
  Search(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps)
      : block_bytes_(block_bytes),
        fewest_steps_(fewest_steps),
        pieces_(problem.collective().pieces()),
        small_(is_small(problem)),
        few_(problem.topology().num_nodes() <= kFewNodes),
        medium_(problem.topology().num_nodes() <= kNodesThatMaySearch),
        topologies_{problem.topology(), transposed(problem.topology())} {}

  // What can be had for the problem on the network as it is, or turned round, in fewer steps than the limit; null:
  // nothing.
  const Choice* ask(const Problem& problem, bool turned, Strength strength, uint64_t limit) {
    const Question question = question_of(problem, turned);
    const Answer& answer = answer_of(question.problem, question.turned, strength, limit);
    const std::optional<Choice>& choice = answer[question.backwards ? 1 : 0];
    return choice ? &*choice : nullptr;
  }

 private:
  using Key = std::tuple<AskedKey, uint32_t, Strength>;  // and how many pieces
  // Both ways round.
  using Answer = std::array<std::optional<Choice>, 2>;

  // Whatever takes fewer steps than the limit has been looked for.
  struct Known {
    Answer answer{};
    uint64_t limit = 0;
  };

  // What no plan takes fewer than.
  struct Least {
    uint64_t steps = 0;
    size_t asked = 0;      // of the quick ones, as many
    bool is_best = false;  // all bounds were asked
  };

  struct Question {
    Problem problem;
    bool turned;
    bool backwards;  // it is the reversed one of what was asked
  };

  static Key key_of(const Problem& problem, bool turned, Strength strength) {
    return {asked_key(problem, turned), problem.collective().pieces(), strength};
  }

  [[nodiscard]] Problem turned_round(const Problem& problem, bool turned) const {
    const Problem other = reversed(problem);
    return {topologies_[turned ? 0 : 1], other.collective(), other.model()};
  }

  [[nodiscard]] bool is_asked_for(const Problem& problem, bool turned) const {
    const Key key = key_of(problem, turned, Strength::kOwn);
    return key == asked_for_[0] || key == asked_for_[1];
  }

  // On a large network what bounds the question bounds whoever answers it, on another machine; a part of an answer takes less.
  [[nodiscard]] uint64_t least_of_asked(const Problem& problem) const {
    return !small_ && is_kind_asked_for(problem) ? fewest_steps_ : 0;
  }

  // On this or on another machine.
  [[nodiscard]] bool is_kind_asked_for(const Problem& problem) const {
    const CollectiveKind kind = problem.collective().kind();
    return std::ranges::any_of(asked_for_,
                               [&](const Key& key) { return std::get<AskedKey>(key).kind == kind; });
  }

  // Whether it is what was asked for with other ports, and of a kind whose searches take seconds; what sends out, or gathers, is
  // searched for soon, and there machines of few ports know plans of fewer blocks.
  [[nodiscard]] bool is_weaker_machine(const Problem& problem) const {
    const AskedKey& asked = std::get<AskedKey>(asked_for_[0]);
    const Ports send{asked.sends};
    const Ports receive{asked.receives};
    const Model& model = problem.model();
    const CollectiveKind kind = problem.collective().kind();
    return (kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAllreduce) && kind == asked.kind &&
           !(model.send == send && model.receive == receive) &&
           !(model.send == receive && model.receive == send);
  }

  // With ports that no node has more of said to be all.
  static Problem with_plain_ports(const Problem& problem) {
    Model model = problem.model();
    if (model.switching != Switching::kShared) {
      model.send = without_needless_count(problem.topology(), problem.model(), true);
      model.receive = without_needless_count(problem.topology(), problem.model(), false);
    }
    return {problem.topology(), problem.collective(), model};
  }

  [[nodiscard]] Question question_of(const Problem& problem, bool turned) const {
    if (!reversed_for_loan(problem)) return {problem, turned, false};
    bool backwards = !sends_out(problem.collective().kind());
    if (problem.collective().kind() == CollectiveKind::kAlltoall) {
      backwards = problem.topology().is_directed()
                      ? turned
                      : problem.model().send.count > problem.model().receive.count;
    }
    if (!backwards) return {problem, turned, false};
    return {turned_round(problem, turned), !turned, true};
  }

  [[nodiscard]] ChoiceCost cost(const Choice& choice) const {
    if (!choice.prediction.steps) return kNothing;
    return cost_of(choice.prediction, choice.plan->problem(), block_bytes_);
  }

  // No plan takes fewer steps. On large networks that is what takes a moment to know; on small ones, too, where that says
  // `enough` already, and of an allreduce that somebody might borrow: to ask for one in passing takes less than to refute it.
  uint64_t bound(const Problem& problem, bool turned, uint64_t enough) {
    const auto [at, is_new] = bounds_.try_emplace(key_of(problem, turned, Strength::kOwn));
    Least& known = at->second;
    if (!small_) {
      if (is_new) known = {.steps = quick_bound(problem), .is_best = true};
      return known.steps;
    }
    ask_quick_bounds(problem, known, enough);
    const bool is_sums_in_passing =
        problem.collective().kind() == CollectiveKind::kAllreduce && !is_asked_for(problem, turned);
    if (!known.is_best && known.steps < enough && !is_sums_in_passing)
      known = {.steps = ceil_of(best_bound(problem)), .is_best = true};
    return known.steps;
  }
  // One after another, until one says enough.
  static void ask_quick_bounds(const Problem& problem, Least& known, uint64_t enough) {
    const std::span<const BoundCard* const> cards = quick_bound_cards();
    for (; !known.is_best && known.asked < cards.size() && known.steps < enough; ++known.asked) {
      for (const Bound& bound : bounds_of(*cards[known.asked], problem))
        if (bound.on == BoundOn::kSteps) known.steps = std::max(known.steps, ceil_of(bound));
    }
  }
  static uint64_t ceil_of(const Bound& bound) { return static_cast<uint64_t>(bound.value.ceil()); }

  // Who can have heard of whom, whatever a message carries, and what one node must send or receive.
  static uint64_t quick_bound(const Problem& problem) {
    uint64_t most = 0;
    for (const std::string_view name : {"doubling", "doubling_by_degree", "ports", "degree"}) {
      for (const Bound& bound : bounds_of(*bound_catalog().find(name), problem)) {
        if (bound.on == BoundOn::kSteps) most = std::max(most, static_cast<uint64_t>(bound.value.ceil()));
      }
    }
    return most;
  }

  // Steps of what is worth looking for: fewer than these.
  [[nodiscard]] uint64_t to_beat(const Answer& best, uint64_t limit) const {
    if (!best[0]) return limit;
    const Problem& problem = best[0]->plan->problem();
    const Prediction& prediction = best[0]->prediction;
    if (!is_priced(problem)) return std::min(limit, prediction.steps.value_or(UINT64_MAX));
    // By time: as many as the start-ups and blocks of that many steps take less.
    const CostConstants& cost = problem.model().cost;
    const double each =
        time_of(cost, {.start_ups = 1, .critical_blocks = 1, .critical_hops = 1}, block_bytes_);
    if (!has_both(prediction) || each <= 0) return limit;
    return std::min(limit, static_cast<uint64_t>(std::ceil(price(prediction, problem, block_bytes_) / each)));
  }

  const Answer& answer_of(const Problem& problem, bool turned, Strength strength, uint64_t limit) {
    const auto [at, is_new] = answers_.try_emplace(key_of(problem, turned, strength));
    Known& known = at->second;
    if (is_new || limit > known.limit) {
      known.limit = limit;
      known.answer = make_answer(problem, turned, strength, limit);
      // What its own cards have does not depend on the limit, and is not asked for again when that rises.
      if (small_ && strength == Strength::kOwn && (known.answer[0] || known.answer[1]))
        known.limit = UINT64_MAX;
    }
    return known.answer;
  }

  Answer make_answer(const Problem& problem, bool turned, Strength strength, uint64_t limit) {
    std::optional<Question> other;
    if (reversed_for_loan(problem) && is_asked_backwards(problem))
      other = Question{turned_round(problem, turned), !turned, true};
    const uint64_t least = std::max(bound(problem, turned, limit), least_of_asked(problem));
    if (strength == Strength::kOwn) {
      Answer best;
      if (least >= limit || goes_together(problem)) return best;
      // Lenders are asked in passing: what their searches find late is hardly ever what the problem's own does not find.
      const bool in_passing = !is_asked_for(problem, turned);
      const WorthMaking wanted(!small_ && !is_priced(problem) ? limit : UINT64_MAX, in_passing);
      take_own(best, problem, least, false);
      if (other) take_own(best, other->problem, least, true);
      return best;
    }
    const Strength weaker = weaker_than(strength);
    Answer best = answer_of(problem, turned, weaker, limit);
    const uint64_t to_save = to_beat(best, limit);
    if (small_ && to_save <= least) return best;
    std::vector<Offer> offers = offers_for(problem, turned, false, strength, to_save);
    if (other) {
      for (Offer& offer : offers_for(other->problem, other->turned, true, strength, to_save))
        offers.push_back(std::move(offer));
    }
    // Of worms on a small network whoever has fewer ports comes last: others find as few steps, as a rule, and sooner.
    const bool others_first =
        small_ && problem.model().switching == Switching::kWormhole && !is_exchange_asked_for();
    std::stable_sort(offers.begin(), offers.end(), [&](const Offer& a, const Offer& b) {
      const auto comes_last = [&](const Offer& offer) {
        return others_first && offer.loan.kind == LoanKind::kWeaker;
      };
      return std::pair(comes_last(a), a.least) < std::pair(comes_last(b), b.least);
    });
    for (Offer& offer : offers) {
      const uint64_t wanted = to_beat(best, limit);
      if (wanted <= least) break;
      if (offer.least >= wanted) continue;
      if (offer.loan.kind == LoanKind::kWeaker && is_last_step_of_worms(best, least)) {
        // What an exchange saves many others are lent; its own cards say soon whether there is anything.
        if (few_ || problem.collective().kind() != CollectiveKind::kAlltoall) continue;
        offer.strength = Strength::kOwn;
      }
      take_offer(best, offer, wanted);
    }
    return best;
  }

  [[nodiscard]] bool is_exchange_asked_for() const {
    return std::get<AskedKey>(asked_for_[0]).kind == CollectiveKind::kAlltoall;
  }

  // Fewer ports have hardly ever found the last step that may be saved, since worms take whatever way there is: of 648 questions on
  // networks of 12 to 18 nodes two answers were better for it, on hosts behind switches, and to ask all machines took a third of the
  // time.
  [[nodiscard]] bool is_last_step_of_worms(const Answer& best, uint64_t least) const {
    const std::optional<Choice>& known = best[0] ? best[0] : best[1];
    if (!small_ || !known) return false;
    const Problem& problem = known->plan->problem();
    const std::optional<uint64_t>& steps = known->prediction.steps;
    // An exchange is also told by its blocks, of which they may save some.
    return problem.model().switching == Switching::kWormhole && !problem.topology().has_routers() &&
           !is_exchange_asked_for() && steps && *steps <= least + 1;
  }

  // A loan that may be worth it.
  struct Offer {
    Problem problem;
    bool turned;
    bool backwards;
    Loan loan;
    Strength strength;
    std::vector<uint64_t> bounds;  // of the lenders
    uint64_t least;                // no fewer steps can come of it
    // Ours, for each of `fewer` of the lender: compacted, its plan may need as many times less; more than twice as few steps it
    // hardly ever needs.
    uint32_t ports = 1;
    uint32_t fewer = 1;
  };

  // More pieces than ours do no good where a message may carry all of them: a plan for one piece takes as few steps.
  [[nodiscard]] bool goes_together(const Problem& problem) const {
    return carries_many(problem.model()) && problem.collective().pieces() > pieces_;
  }

  static uint32_t port_count(const Problem& problem) {
    return std::max({1U, port_limit(problem.topology(), problem.model(), true),
                     port_limit(problem.topology(), problem.model(), false)});
  }

  // Those that may take fewer steps than what is wanted.
  std::vector<Offer> offers_for(const Problem& problem, bool turned, bool backwards, Strength strength,
                                uint64_t wanted) {
    std::vector<Offer> out;
    for (Loan& loan : loans_for(problem)) {
      if (loan.kind == LoanKind::kMerged || loan.kind == LoanKind::kThroughPorts ||
          loan.kind == LoanKind::kMirrored)
        continue;  // by time alone
      if (loan.kind == LoanKind::kPart && problem.topology().num_nodes() > kNodesThatAskSums &&
          loan.lenders[0].collective().kind() == CollectiveKind::kAllreduce)
        continue;
      // What goes along an answer to the question, on whichever machine, takes as long as that.
      if (loan.kind == LoanKind::kPersonalised && !small_ && is_kind_asked_for(loan.lenders[0])) continue;
      const std::optional<Strength> asked = strength_of(problem.collective().kind(), loan, strength);
      if (!asked || (goes_together(problem) && loan.kind != LoanKind::kTogether)) continue;
      Offer offer{problem, turned, backwards, std::move(loan), *asked, {}, 0};
      if (offer.loan.kind == LoanKind::kWeaker && small_) {
        offer.fewer = port_count(offer.loan.lenders[0]);
        offer.ports = !few_                         ? std::min(port_count(problem), 2 * offer.fewer)
                      : is_packet_exchange(problem) ? offer.fewer
                                                    : port_count(problem);
      }
      for (const Problem& lender : offer.loan.lenders) {
        const uint64_t too_much = small_ ? limit_of(offer, wanted) : UINT64_MAX;
        if (offer.least >= too_much) break;
        offer.bounds.push_back(bound_of_lender(lender, turned, too_much - offer.least));
        offer.least += offer.bounds.back();
      }
      offer.least = offer.least * offer.fewer / offer.ports;
      // Worms of the second part may go beside those of the first: at most, as far as is known, for a quarter of both.
      if (!small_ && takes_paths(problem.model()) && offer.bounds.size() > 1)
        offer.least = std::max(std::ranges::max(offer.bounds), offer.least * 3 / 4);
      if (small_ && offer.least >= wanted) continue;
      out.push_back(std::move(offer));
    }
    return out;
  }

  // What of a lender may still be worth it.
  static uint64_t limit_of(const Offer& offer, uint64_t wanted) {
    return wanted >= UINT32_MAX ? UINT64_MAX : (wanted * offer.ports + offer.fewer - 1) / offer.fewer;
  }

  void take_offer(Answer& best, const Offer& offer, uint64_t wanted) {
    std::vector<Choice> lenders;
    for (size_t i = 0; i < offer.loan.lenders.size(); ++i) {
      const uint64_t of_others =
          offer.loan.lenders.size() == 1 ? 0 : offer.least - std::min(offer.least, offer.bounds[i]);
      const Choice* choice = ask(with_plain_ports(offer.loan.lenders[i]), offer.turned, offer.strength,
                                 limit_of(offer, wanted == UINT64_MAX ? wanted : wanted - of_others));
      if (choice == nullptr) return;
      lenders.push_back(*choice);
    }
    // What goes along a plan takes its steps, and a while to find out the rest on a large network.
    if (!small_ && offer.loan.kind == LoanKind::kPersonalised &&
        lenders[0].prediction.steps.value_or(0) >= wanted)
      return;
    take(best, lend(offer.problem, offer.loan, std::move(lenders)), offer.backwards);
  }

  void take_own(Answer& best, const Problem& problem, uint64_t least, bool backwards) {
    if (to_beat(best, UINT64_MAX) <= least) return;
    const bool quickly = small_ ? !medium_ && is_weaker_machine(problem) : !is_soon_sought(problem);
    const auto own = [&](const Problem& asked) {
      if (own_ != nullptr && is_as_asked(asked)) return std::optional(*own_);
      return choose_own(asked, block_bytes_, least, quickly);
    };
    const std::vector<Loan> loans = loans_for(problem);
    if (std::optional<Choice> choice = own(problem)) {
      take(best, *choice, backwards);
      for (const Loan& loan : loans) {
        if (loan.kind == LoanKind::kCompacted && small_ && to_beat(best, UINT64_MAX) > least &&
            is_settled_quickly(problem))
          take(best, lend(problem, loan, {*choice}), backwards);
      }
    }
    for (const Loan& loan : loans) {
      if (loan.kind != LoanKind::kSame || to_beat(best, UINT64_MAX) <= least) continue;
      if (std::optional<Choice> choice = own(loan.lenders[0]))
        take(best, lend(problem, loan, {std::move(*choice)}), backwards);
    }
  }

  // What a moment tells, until that is too much: bounds that take longer are for those whose turn comes.
  uint64_t bound_of_lender(const Problem& lender, bool turned, uint64_t too_much) {
    const Question question = question_of(with_plain_ports(lender), turned);
    if (!small_) return bound(question.problem, question.turned, 0);
    Least& known = bounds_[key_of(question.problem, question.turned, Strength::kOwn)];
    ask_quick_bounds(question.problem, known, too_much);
    return known.steps;
  }

  // The better one of the two is kept, and turned round as long as that finds steps to save.
  void take(Answer& best, Choice choice, bool backwards) {
    if (!choice.prediction.steps) return;
    size_t way = backwards ? 1 : 0;
    Answer found;
    found[way] = std::move(choice);
    while (is_asked_backwards(found[way]->plan->problem())) {
      Choice other;
      if (!turn(*found[way], other)) break;
      const bool shorter = cost(other) < cost(*found[way]);
      if (!found[1 - way] || cost(other) < cost(*found[1 - way])) found[1 - way] = std::move(other);
      if (!shorter) break;
      way = 1 - way;
    }
    const size_t known = found[0] ? 0 : 1;
    if (!best[known] || cost(*found[known]) < cost(*best[known])) best = std::move(found);
  }

  // An alltoall on links that are alike both ways is its own reversed one.
  static bool is_asked_backwards(const Problem& problem) {
    return problem.collective().kind() != CollectiveKind::kAlltoall || problem.topology().is_directed() ||
           problem.model().send != problem.model().receive;
  }

  // What a choice is, read backwards, if anything.
  bool turn(const Choice& choice, Choice& other) const {
    const Problem& problem = choice.plan->problem();
    const std::optional<Problem> reversed = reversed_for_loan(problem);
    if (!reversed) return false;
    const bool turned = problem.topology().is_directed() && !problem.topology().same_graph(topologies_[0]);
    const Problem target = turned_round(problem, turned);
    for (const Loan& loan : loans_for(target)) {
      if (loan.kind != LoanKind::kReversed) continue;
      other = lend(target, loan, {choice});
      return other.prediction.steps.has_value();
    }
    return false;
  }

  // The very problem, whose cards have answered.
  [[nodiscard]] bool is_as_asked(const Problem& problem) const {
    const Problem& asked = own_->plan->problem();
    return own_->made_of.empty() && problem.model() == asked.model() &&
           problem.collective() == asked.collective() && problem.topology().same_graph(asked.topology());
  }

  uint64_t block_bytes_;
  uint64_t fewest_steps_;
  const Choice* own_ = nullptr;  // what was chosen before lenders were asked
  uint32_t pieces_;
  bool small_;
  bool few_;
  bool medium_;
  std::array<Topology, 2> topologies_;  // as it is, and turned round
  std::map<Key, Known> answers_{};
  std::map<Key, Least> bounds_{};
  std::array<Key, 2> asked_for_{};  // the problem and its reversed one

 public:
  std::optional<Choice> better_than(const Problem& problem, const Choice* own) {
    const Problem plain = with_plain_ports(problem);
    asked_for_.fill(key_of(plain, false, Strength::kOwn));
    if (reversed_for_loan(plain)) asked_for_[1] = key_of(turned_round(plain, false), true, Strength::kOwn);
    own_ = own;
    Answer known;
    if (own != nullptr) known[0] = *own;
    const Choice* lent =
        ask(plain, false, small_ ? Strength::kTop : Strength::kFull, to_beat(known, UINT64_MAX));
    if (lent == nullptr) return std::nullopt;
    Choice best = *lent;
    if (!(plain.model() == problem.model())) {
      for (const Loan& loan : loans_for(problem)) {
        if (loan.kind != LoanKind::kSame || !(loan.lenders[0].model() == plain.model())) continue;
        best = lend(problem, loan, {best});
        break;
      }
    }
    if (own != nullptr && !(cost(best) < cost(*own))) return std::nullopt;
    return best;
  }
};

}  // namespace

LentByName lend_by_name(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps) {
  if (problem.model().queue_limit || !problem.collective().is_numbered() || asks_for_order(problem))
    return {};
  const auto cost = [&](const Choice& choice) { return cost_of(choice.prediction, problem, block_bytes); };
  LentByName out;
  std::optional<Choice>& best = out.best;
  for (const Loan& loan : loans_by_name(problem)) {
    Choice lent = lend(problem, loan, {choose_algorithm(loan.lenders[0], block_bytes, fewest_steps)});
    if (!best || cost(lent) < cost(*best)) best = std::move(lent);
    out.settles = out.settles || loan.settles;
    if (is_priced(problem) || !best->prediction.steps || *best->prediction.steps > fewest_steps) continue;
    out.settles = true;
    break;
  }
  return out;
}

std::optional<Choice> lend_better(const Problem& problem, const Choice* own, uint64_t block_bytes,
                                  uint64_t fewest_steps, bool asks_names) {
  if (problem.model().queue_limit || !problem.collective().is_numbered()) return std::nullopt;
  if (asks_for_order(problem)) return lend_in_order(problem, own, block_bytes);
  const auto cost = [&](const Choice& choice) { return cost_of(choice.prediction, problem, block_bytes); };
  // On a large network names come first (choice.cc).
  LentByName named;
  if (asks_names && problem.topology().num_nodes() <= kSmall)
    named = lend_by_name(problem, block_bytes, fewest_steps);
  if (named.best && own != nullptr && !(cost(*named.best) < cost(*own))) named.best.reset();
  if (named.settles) return named.best;
  // On a large network the lenders of an allreduce that answer in a moment are not as good as a search that came close,
  // and to ask all of them, port by port, takes minutes.
  if (own != nullptr && problem.collective().kind() == CollectiveKind::kAllreduce && !is_small(problem) &&
      !is_priced(problem) && own->plan->effort() == Effort::kMuch && own->prediction.steps &&
      *own->prediction.steps <= fewest_steps + fewest_steps / 8)
    return std::nullopt;
  const Choice* const best = named.best ? &*named.best : own;
  if (best != nullptr && problem.collective().kind() == CollectiveKind::kAlltoall &&
      problem.topology().num_nodes() > kNodesThatMaySearch &&
      problem.model().switching == Switching::kPacket && sends_single_packets(problem.model()) &&
      !is_priced(problem) && best->prediction.steps &&
      *best->prediction.steps <= fewest_steps + fewest_steps / kHardlyFewer)
    return named.best;
  Search search(problem, block_bytes, fewest_steps);
  std::optional<Choice> lent = search.better_than(problem, best);
  return lent ? lent : named.best;
}

}  // namespace quadrille
