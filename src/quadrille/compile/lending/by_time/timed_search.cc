#include "quadrille/compile/lending/by_time/timed_search.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/lending/plan_rounds.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace {

// Nodes up to which every lender may take its time, and is asked for its bound.
constexpr uint32_t kSmallNetwork = 128;
// Nodes up to which lenders search, too, and whatever might be gained is looked for.
constexpr uint32_t kMedium = 72;
constexpr double kHardlyFaster = 0.01;
// Nodes up to which machines of each number of ports are asked, and half-duplex links by full ones, which takes as
// long again.
constexpr uint32_t kFew = 16;
// Nodes up to which lenders search near the bound, too.
constexpr uint32_t kSearchedInAMoment = 32;
// Nodes up to which the sums of an allreduce are searched for in a moment.
constexpr uint32_t kSumsInAMoment = 32;
// So much longer than the reversed problem's plan an own one may take: of equals our own is named.
constexpr double kNamedToo = 1e-6;
// What compacting steps may save, as a rule: so much slower plans are looked at, too.
constexpr double kTurned = 1.25;

// What merging saves of an exchange that can be had otherwise is less: who wants more does not wait for the search of its packets.
constexpr double kMergedSaves = 1.5;

// What is asked first: kOwn asks nobody.
Strength next_weaker(Strength strength) {
  if (strength == Strength::kTop) return Strength::kFull;
  return strength == Strength::kFull ? Strength::kBasic : Strength::kOwn;
}

// The loan of the same kind and name from the same collectives and machines.
std::optional<Loan> same_loan(const Problem& problem, const Loan& known) {
  if (known.kind == LoanKind::kWeaker) return find_loan(problem, known.name);
  for (Loan& loan : loans_for(problem)) {
    if (loan.kind != known.kind || loan.name != known.name || loan.lenders.size() != known.lenders.size())
      continue;
    bool same = true;
    for (size_t i = 0; i < loan.lenders.size(); ++i) {
      same = same && loan.lenders[i].collective().kind() == known.lenders[i].collective().kind() &&
             loan.lenders[i].model() == known.lenders[i].model();
    }
    if (same) return std::move(loan);
  }
  return std::nullopt;
}

bool is_merged_in_vain(const TimedOffer& offer, double known, double wanted) {
  return merges(offer.loan) && offer.ours.problem.collective().kind() == CollectiveKind::kAlltoall &&
         known != kNever && known > kMergedSaves * wanted;
}

Goal goal(const Problem& problem, uint64_t bytes) { return {chunk_bytes(problem, bytes), true}; }

}  // namespace

TimedSearch::TimedSearch(const Problem& problem, unsigned threads)
    : threads_(threads),
      small_(problem.topology().num_nodes() <= kSmallNetwork),
      medium_(problem.topology().num_nodes() <= kMedium),
      topologies_{problem.topology(), transposed(problem.topology())},
      bounds_(small_) {}

std::optional<Choice> TimedSearch::best(const Problem& problem, uint64_t bytes, double least, double limit,
                                        bool each_number_of_ports, uint32_t pieces) {
  pieces_ = pieces;
  // Whoever only wants what is faster than something known leaves the slower machines out.
  few_ = limit == kNever && problem.topology().num_nodes() <= kFew;
  each_number_of_ports_ = few_ || (each_number_of_ports && problem.topology().num_nodes() <= kFew);
  bounds_.start({with_plain_ports(problem), false, bytes, pieces_}, least);
  answers_.clear();
  own_.clear();
  // On a large network a search for the sums of an allreduce takes seconds: lenders tell first whether it can win.
  is_late_ = problem.topology().num_nodes() <= kSumsInAMoment ||
             problem.collective().kind() != CollectiveKind::kAllreduce;
  std::optional<Choice> found = best_now(problem, bytes, limit);
  const double known = found ? std::min(limit, time_for(*found, bytes)) : limit;
  if (is_late_ || known <= bounds_.least() * (1 + (medium_ ? kAlike : kHardlyFaster))) return found;
  is_late_ = true;
  ask_own(problem, bytes, known);
  if (asked_.empty() || time_for(asked_.front(), bytes) >= known * (1 - kAlike)) return found;
  const Choice searched = asked_.front();
  answers_.clear();
  own_.clear();
  const Choice* compacted = ask({with_plain_ports(problem), false, bytes, pieces_}, Strength::kOwn,
                                time_for(searched, bytes) * (1 - kAlike));
  if (compacted == nullptr || compacted->plan->problem().model() != problem.model()) return searched;
  return is_faster(*compacted, searched, bytes) ? *compacted : searched;
}

std::optional<Choice> TimedSearch::best_now(const Problem& problem, uint64_t bytes, double limit) {
  const TimedTask task{with_plain_ports(problem), false, bytes, pieces_};
  asked_for_.clear();
  asked_packets_.clear();
  let_search(task, asked_for_);
  const bool plain = task.problem.model() == problem.model();
  // Who gathers or reduces learns first what its reversed problem takes, of which there are more cards.
  const bool comes_inwards =
      reversed_for_loan(task.problem) && !goes_outwards(task.problem.collective().kind());
  double to_beat = limit;
  const Choice* const turned = comes_inwards ? ask(task, Strength::kOwn, limit) : nullptr;
  if (turned != nullptr) to_beat = std::min(to_beat, time_for(*turned, bytes) * (1 + kNamedToo));
  ask_own(problem, bytes, to_beat);
  std::optional<Choice> own;
  if (!asked_.empty()) own = asked_.front();
  if (plain) own_.emplace(key_of(task, Strength::kOwn), Own{own, to_beat});
  const double known = own ? std::min(limit, time_for(*own, bytes)) : limit;
  near_ =
      known <= bounds_.least() * (1 + kHardlyFaster) && problem.topology().num_nodes() > kSearchedInAMoment;
  if (!near_) {
    ask_exchange_for(task);
    ask_broadcasts_for(task);
    ask_packets_for(task);
    ask_worms_for(task);
  } else {
    ask_merged_for(task);
  }
  // Of equals our own.
  const auto or_own = [&](const Choice* other) {
    if (other == nullptr || time_for(*other, bytes) >= known * (1 - kAlike)) return own;
    const std::optional<Choice> lent = as_ours(problem, bytes, *other);
    return lent ? lent : own;
  };
  if (known <= bounds_.least() * (1 + (medium_ ? kAlike : kHardlyFaster))) return or_own(turned);
  // A problem and its reversed one are looked at alike: with what the cards of both are good for, and so up to the same
  // limit.
  const Choice* both = ask(task, Strength::kOwn, limit);
  to_beat = both == nullptr ? known : std::min(known, time_for(*both, bytes));
  return or_own(ask(task, few_ ? Strength::kTop : Strength::kFull, to_beat));
}

// A plan of the machine whose ports are said plainly.
std::optional<Choice> TimedSearch::as_ours(const Problem& problem, uint64_t bytes, const Choice& found) {
  const Problem& there = found.plan->problem();
  if (there.model() == problem.model()) return found;
  const Problem ours = in_pieces(problem, there.collective().pieces());
  for (const Loan& loan : loans_for(ours)) {
    if (loan.kind == LoanKind::kSame && loan.lenders[0].model() == there.model())
      return lend(ours, loan, {found}, goal(ours, bytes));
  }
  return std::nullopt;
}

// With what takes work, the task and what it is backwards.
void TimedSearch::let_search(const TimedTask& task, std::vector<TaskKey>& asked) {
  asked.push_back(key_for_any_size(task));
  if (reversed_for_loan(task.problem)) asked.push_back(key_for_any_size(turned_round(task)));
}

// Along paths, who gather for all, or add up what is scattered, ask an exchange with what takes work, too.
void TimedSearch::ask_exchange_for(const TimedTask& task) {
  const CollectiveKind kind = task.problem.collective().kind();
  const bool scatters = kind == CollectiveKind::kReduceScatter;
  if (!takes_paths(task.problem.model())) return;
  if (scatters ? !reversed_for_loan(task.problem) : kind != CollectiveKind::kAllgather) return;
  const TimedTask outwards = scatters ? turned_round(task) : task;
  for (const Loan& loan : loans_for(outwards.problem)) {
    if (loan.kind == LoanKind::kPart && loan.lenders[0].collective().kind() == CollectiveKind::kAlltoall)
      asked_for_.push_back(key_for_any_size({with_plain_ports(loan.lenders[0]), outwards.turned, 0, 0}));
  }
}

// Of worms, and on any machine where lenders do not search, an allreduce asks the broadcast that follows its reduce with what takes work,
// too, and the one that is the reduce read backwards.
void TimedSearch::ask_broadcasts_for(const TimedTask& task) {
  const Problem& one = task.problem;
  const bool is_asked = one.model().switching == Switching::kWormhole || !medium_;
  if (!is_asked || one.collective().kind() != CollectiveKind::kAllreduce) return;
  for (const Loan& loan : loans_for(one)) {
    if (loan.kind != LoanKind::kSum || loan.lenders[1].collective().kind() != CollectiveKind::kBroadcast)
      continue;
    const TimedTask reduce{with_plain_ports(in_pieces(loan.lenders[0], 1)), task.turned, 0, 0};
    asked_for_.push_back(
        key_for_any_size({with_plain_ports(in_pieces(loan.lenders[1], 1)), task.turned, 0, 0}));
    if (reversed_for_loan(reduce.problem)) asked_for_.push_back(key_for_any_size(turned_round(reduce)));
  }
}

// Along paths, a long message goes packet by packet as a rule: where lenders do not search, trees, flows and ways of that machine
// are looked for all the same.
void TimedSearch::ask_packets_for(const TimedTask& task) {
  const CollectiveKind kind = task.problem.collective().kind();
  const Model& model = task.problem.model();
  if (medium_ || !takes_paths(model)) return;
  const bool gathers_for_all = kind == CollectiveKind::kAllgather || kind == CollectiveKind::kReduceScatter;
  // Blocks that take fewer start-ups than that are short.
  constexpr double kLongToGather = 4;
  constexpr double kLongToExchange = 16;
  const double long_from = gathers_for_all                     ? kLongToGather
                           : kind == CollectiveKind::kAlltoall ? kLongToExchange
                                                               : 0;
  if (model.cost.tx * static_cast<double>(task.bytes) < long_from * model.cost.ts) return;
  // A hub with few ports is searched for long, and in vain.
  constexpr uint64_t kLinksPerPort = 2;
  if (gathers_for_all && !model.send.unlimited() &&
      most_links_out(task.problem.topology()) > kLinksPerPort * model.send.count)
    return;
  // Over shared links few ports have more for a vector, or from a root, than trees, and exchanges have all ways at once.
  const bool has_all_ports = model.send.unlimited() && model.receive.unlimited();
  if (model.switching == Switching::kShared &&
      ((!has_all_ports && !gathers_for_all) || kind == CollectiveKind::kAlltoall))
    return;
  const std::optional<Loan> loan = find_loan(task.problem, "packet");
  if (!loan) return;
  const TimedTask packets{with_plain_ports(in_pieces(loan->lenders[0], 1)), task.turned, 0, 0};
  let_search(packets, asked_for_);
  let_search(packets, asked_packets_);
}

// Over shared links whatever keeps out of each other's way does.
void TimedSearch::ask_worms_for(const TimedTask& task) {
  if (medium_ || task.problem.model().switching != Switching::kShared) return;
  const std::optional<Loan> loan = find_loan(task.problem, "wormhole");
  if (!loan) return;
  const TimedTask worms{with_plain_ports(in_pieces(loan->lenders[0], 1)), task.turned, 0, 0};
  let_search(worms, asked_for_);
  ask_broadcasts_for(worms);
}

// Near the bound nobody searches any more; but packets that have been found already may be merged.
void TimedSearch::ask_merged_for(const TimedTask& task) {
  if (!small_) return;
  for (const Loan& loan : loans_for(task.problem)) {
    if (loan.kind != LoanKind::kMerged) continue;
    const TimedTask packets{with_plain_ports(in_pieces(loan.lenders[0], 1)), task.turned, 0, 0};
    let_search(packets, asked_for_);
  }
}

void TimedSearch::ask_own(const Problem& problem, uint64_t bytes, double limit) {
  asked_ = own_by_time(
      problem, bytes,
      {.pieces = pieces_,
       .least = bounds_.least(),
       .least_rounds = bounds_.least_rounds_of({with_plain_ports(problem), false, bytes, pieces_}),
       .limit = limit,
       .threads = threads_,
       .all_efforts = small_,
       .asks_last = is_late_,
       .all_named = true,
       .said = said_of({problem, false, bytes, pieces_})});
}

OwnCards TimedSearch::own_cards(const TimedTask& task, double least, double limit) {
  return {.pieces = task.pieces,
          .least = least,
          .least_rounds = bounds_.least_rounds_of(task),
          .limit = limit,
          .threads = threads_,
          .all_efforts = small_,
          .searches = (medium_ && (few_ || !near_)) || is_asked_for(task),
          .asks_last = is_late_ || !is_asked_for(task) || is_of_packets(task) ||
                       task.problem.collective().kind() != CollectiveKind::kAllreduce,
          .said = said_of(task)};
}

Problem TimedSearch::turned_round(const Problem& problem, bool turned) const {
  const Problem other = reversed(problem);
  return {topologies_[turned ? 0 : 1], other.collective(), other.model()};
}
TimedTask TimedSearch::turned_round(const TimedTask& task) const {
  return {turned_round(task.problem, task.turned), !task.turned, task.bytes, task.pieces};
}

bool TimedSearch::is_asked_for(const TimedTask& task) const {
  const TaskKey key = key_for_any_size(task);
  return std::ranges::find(asked_for_, key) != asked_for_.end();
}

bool TimedSearch::is_of_packets(const TimedTask& task) const {
  const TaskKey key = key_for_any_size(task);
  return std::ranges::find(asked_packets_, key) != asked_packets_.end();
}

const std::optional<Choice>& TimedSearch::own_of(const TimedTask& task, double least, double limit,
                                                 const TimedTask* other) {
  const auto [at, is_new] = own_.try_emplace(key_of(task, Strength::kOwn));
  Own& known = at->second;
  if (!is_new && limit <= known.limit) return known.choice;
  known.limit = limit;
  OwnCards wanted = own_cards(task, least, limit);
  if (other != nullptr) wanted.alike = said_of(*other);
  std::vector<Choice> asked = own_by_time(task.problem, task.bytes, wanted);
  if (!asked.empty()) known.choice = std::move(asked.front());
  return known.choice;
}

const Choice* TimedSearch::ask(const TimedTask& task, Strength strength, double limit) {
  if (task.pieces > std::max<uint64_t>(1, task.bytes)) return nullptr;
  bool backwards = reversed_for_loan(task.problem) && !goes_outwards(task.problem.collective().kind());
  if (task.problem.collective().kind() == CollectiveKind::kAlltoall && reversed_for_loan(task.problem)) {
    backwards = task.problem.topology().is_directed()
                    ? task.turned
                    : task.problem.model().send.count > task.problem.model().receive.count;
  }
  const Answer& answer = answer_of(backwards ? turned_round(task) : task, strength, limit);
  const std::optional<Choice>& choice = answer[backwards ? 1 : 0];
  return choice ? &*choice : nullptr;
}

double TimedSearch::time_of(const Answer& answer, uint64_t bytes) {
  double out = kNever;
  for (const std::optional<Choice>& choice : answer)
    if (choice) out = std::min(out, time_for(*choice, bytes));
  return out;
}

const TimedSearch::Answer& TimedSearch::answer_of(const TimedTask& task, Strength strength, double limit) {
  const auto [at, is_new] = answers_.try_emplace(key_of(task, strength));
  Known& known = at->second;
  if (is_new || limit > known.limit) {
    known.limit = limit;
    known.answer = make_answer(task, strength, limit);
  }
  return known.answer;
}

TimedSearch::Answer TimedSearch::make_answer(const TimedTask& task, Strength strength, double limit) {
  std::optional<TimedTask> other;
  if (reversed_for_loan(task.problem) && is_asked_backwards(task.problem)) other = turned_round(task);
  const double least = bounds_.bound(task, limit) * (1 + kAlike);
  if (strength == Strength::kOwn) {
    Answer best;
    if (least >= limit) return best;
    take_own(best, task, least, limit, false);
    if (other) take_own(best, *other, least, limit, true);
    return best;
  }
  Answer best = answer_of(task, next_weaker(strength), limit);
  if (time_of(best, task.bytes) <= least) return best;
  if (strength == Strength::kBasic) {
    // Both ways up to the same limit; what is asked for has said all that it has.
    const double own_limit =
        few_ && is_asked_for(task) ? kNever : kTurned * std::min(limit, time_of(best, task.bytes));
    take_mirrored(best, task, least, own_limit, false);
    take_together(best, task, least, false);
    if (other) take_mirrored(best, *other, least, own_limit, true);
    if (other) take_together(best, *other, least, true);
  }
  const double now = std::min(limit, time_of(best, task.bytes));
  const OfferLimits limits{.small = small_, .few = few_, .each_number_of_ports = each_number_of_ports_};
  std::vector<TimedOffer> offers = offers_for(task, false, strength, now, limits, bounds_);
  if (other) {
    for (TimedOffer& offer : offers_for(*other, true, strength, now, limits, bounds_))
      offers.push_back(std::move(offer));
  }
  std::stable_sort(offers.begin(), offers.end(),
                   [](const TimedOffer& a, const TimedOffer& b) { return a.least < b.least; });
  for (const TimedOffer& offer : offers) {
    const double wanted = std::min(limit, time_of(best, task.bytes));
    if (wanted <= least || offer.least * (1 + kAlike) >= wanted) break;
    if (is_merged_in_vain(offer, time_of(best, task.bytes), wanted)) continue;
    take_offer(best, offer, wanted);
  }
  return best;
}

void TimedSearch::take_own(Answer& best, const TimedTask& task, double least, double limit, bool backwards) {
  const auto wanted = [&] { return time_of(best, task.bytes) > least; };
  if (!wanted()) return;
  // Turned round and compacted a plan may take less than its card says.
  const auto to_beat = [&] { return kTurned * std::min(limit, time_of(best, task.bytes)); };
  const std::optional<Choice> own = own_of(task, least, to_beat());
  if (own) take(best, *own, task.bytes, backwards);
  for (const Loan& loan : loans_for(task.problem)) {
    if (!wanted()) return;
    if (loan.kind == LoanKind::kCompacted && own && small_) {
      const Problem& ours = own->plan->problem();
      if (const std::optional<Loan> there = same_loan(ours, loan); there && is_settled_quickly(ours))
        take(best, lend(ours, *there, {*own}, goal(ours, task.bytes)), task.bytes, backwards);
    }
    if (loan.kind != LoanKind::kSame) continue;
    const TimedTask said{loan.lenders[0], task.turned, task.bytes, task.pieces};
    if (const std::optional<Choice>& choice = own_of(said, least, to_beat(), &task))
      take_lent(best, task, loan, {*choice}, backwards);
  }
}

void TimedSearch::take_lent(Answer& best, const TimedTask& task, const Loan& loan,
                            std::vector<Choice> lenders, bool backwards, uint32_t parts) {
  const uint64_t pieces =
      task.pieces != 0 ? task.pieces : uint64_t{lenders[0].plan->problem().collective().pieces()} * parts;
  if (pieces > UINT32_MAX) return;
  try {
    const Problem ours = in_pieces(task.problem, static_cast<uint32_t>(pieces));
    if (const std::optional<Loan> there = same_loan(ours, loan))
      take(best, lend(ours, *there, std::move(lenders), goal(ours, task.bytes)), task.bytes, backwards);
  } catch (const InputError&) {
    // More blocks than can be numbered.
  }
}

void TimedSearch::take_mirrored(Answer& best, const TimedTask& task, double least, double limit,
                                bool backwards) {
  if (!small_ || task.pieces != 0 || time_of(best, task.bytes) <= least) return;
  const std::optional<Choice> own = own_of(task, least, limit);
  if (!own) return;
  take_mirrored(best, task, *own, backwards);
  // The fastest plan may be in pieces that fill the links; one of fewer start-ups leaves more of them to its mirror image.
  if (own->plan->problem().collective().pieces() == 1) return;
  const std::optional<Choice> whole = own_of({task.problem, task.turned, task.bytes, 1}, least, limit);
  if (whole) take_mirrored(best, task, *whole, backwards);
}

void TimedSearch::take_mirrored(Answer& best, const TimedTask& task, const Choice& own, bool backwards) {
  constexpr uint64_t kMostMirroredDeliveries = uint64_t{1} << 13U;  // deliveries
  const Collective& collective = own.plan->problem().collective();
  const uint64_t pieces = 2 * uint64_t{collective.pieces()};
  const uint64_t deliveries =
      collective.block_count() * (collective.flow() == Flow::kMove ? 1 : collective.num_ranks());
  if (deliveries > kMostMirroredDeliveries || pieces > task.bytes) return;
  const Problem ours = in_pieces(task.problem, static_cast<uint32_t>(pieces));
  if (const std::optional<Loan> loan = mirrored_loan(ours))
    take(best, lend(ours, *loan, {own}, goal(ours, task.bytes)), task.bytes, backwards);
}

void TimedSearch::take_together(Answer& best, const TimedTask& task, double least, bool backwards) {
  const Topology& topology = task.problem.topology();
  if (!small_ || task.pieces != 0 || !shares_arcs(task.problem.model()) || !has_wide_arcs(topology)) return;
  if (time_of(best, task.bytes) <= least) return;
  const std::optional<Choice> whole = own_of({task.problem, task.turned, task.bytes, 1}, least, kNever);
  if (!whole) return;
  for (uint64_t pieces = links_of_endpoints(topology).first; pieces > 1 && pieces <= task.bytes;
       pieces *= 2) {
    const double known = time_of(best, task.bytes);
    const Problem ours = in_pieces(task.problem, static_cast<uint32_t>(pieces));
    const std::optional<Loan> loan = find_loan(ours, "together");
    if (!loan || !is_settled_quickly(ours)) return;
    take(best, lend(ours, *loan, {*whole}, goal(ours, task.bytes)), task.bytes, backwards);
    if (time_of(best, task.bytes) >= known * (1 - kAlike)) return;
  }
}

void TimedSearch::take_merged(Answer& best, const TimedOffer& offer, double wanted) {
  constexpr uint64_t kMostMergedDeliveries = uint64_t{1} << 13U;
  constexpr uint64_t kMostTimesFiner = 4;
  const Choice* lender = ask(offer.lenders[0], offer.strength, kNever);
  if (lender == nullptr) return;
  const Choice packets = *lender;
  const Collective& collective = packets.plan->problem().collective();
  const uint64_t deliveries =
      collective.block_count() * (collective.flow() == Flow::kMove ? 1 : collective.num_ranks());
  double known = time_of(best, offer.ours.bytes);
  take_merged(best, offer, packets, wanted);
  for (uint64_t finer = 2; finer <= kMostTimesFiner && offer.ours.pieces == 0; finer *= 2) {
    const double now = time_of(best, offer.ours.bytes);
    if (now >= known * (1 - kAlike) || deliveries * finer > kMostMergedDeliveries) return;
    known = now;
    TimedTask rest = offer.lenders[0];
    rest.pieces = static_cast<uint32_t>(collective.pieces() * finer);
    const Choice* more = ask(rest, offer.strength, kNever);
    if (more == nullptr) return;
    take_merged(best, offer, Choice(*more), wanted);
  }
}

void TimedSearch::take_merged(Answer& best, const TimedOffer& offer, const Choice& packets, double wanted) {
  if (!packets.prediction.steps) return;
  const Problem ours = in_pieces(offer.ours.problem, packets.plan->problem().collective().pieces());
  if (!is_settled_quickly(ours)) return;
  Plan plan;
  packets.plan->generate(plan);
  const uint64_t rounds = rounds_of_merged_at_least(ours, plan);
  const auto may_win = [&](uint64_t steps) {
    const double least =
        quadrille::time_of(ours.model().cost, {.start_ups = steps, .critical_blocks = rounds},
                           chunk_bytes(ours, offer.ours.bytes));
    return least < std::min(kTurned * wanted, time_of(best, offer.ours.bytes));
  };
  uint64_t start_ups = *packets.prediction.steps;
  for (uint32_t most = 2; most <= *packets.prediction.steps && may_win(1); most *= 2) {
    if (!may_win((rounds + most - 1) / most)) continue;
    const std::optional<Loan> loan =
        offer.loan.kind == LoanKind::kMerged ? merged_loan(ours, most) : through_ports_loan(ours, most);
    const Choice merged = lend(ours, *loan, {packets}, goal(ours, offer.ours.bytes));
    const uint64_t now = merged.prediction.start_ups.value_or(start_ups);
    take(best, merged, offer.ours.bytes, offer.backwards);
    if (now >= start_ups) break;
    start_ups = now;
  }
}

void TimedSearch::take_offer(Answer& best, const TimedOffer& offer, double wanted) {
  if (offer.lenders.size() == 2) return take_sum(best, offer, wanted);
  if (merges(offer.loan)) return take_merged(best, offer, wanted);
  double limit = offer.is_free || wanted == kNever ? kNever : wanted * offer.ports / offer.fewer;
  if (offer.loan.kind == LoanKind::kOneWay) {
    // Up to the limit that half-duplex links are asked with for themselves, or they know better.
    const Choice* own = ask(offer.lenders[0], Strength::kOwn, kNever);
    limit = own == nullptr ? kNever : time_for(*own, offer.lenders[0].bytes);
  }
  const Choice* lender = ask(offer.lenders[0], offer.strength, limit);
  if (lender != nullptr) take_lent(best, offer.ours, offer.loan, {*lender}, offer.backwards);
}

void TimedSearch::take_sum(Answer& best, const TimedOffer& offer, double wanted) {
  const bool gathers = offer.parts[1] == 0;  // the second is in as many times more pieces
  const uint32_t ranks = offer.ours.problem.collective().num_ranks();
  const auto other_pieces = [&](size_t i, uint32_t pieces) -> uint32_t {
    if (!gathers) return pieces;
    if (i == 0) return uint64_t{pieces} * ranks > UINT32_MAX ? 0 : pieces * ranks;
    return pieces % ranks == 0 ? pieces / ranks : 0;
  };
  std::array<uint32_t, 2> tried{};
  for (size_t i = 0; i < 2; ++i) {
    const double limit = wanted - (offer.least - offer.bounds[i]);
    const Choice* one = ask(offer.lenders[i], offer.strength, limit);
    if (one == nullptr) return;
    const Choice first = *one;
    const uint32_t pieces = first.plan->problem().collective().pieces();
    TimedTask rest = offer.lenders[1 - i];
    rest.pieces = other_pieces(i, pieces);
    if (rest.pieces == 0) continue;
    tried[i] = i == 0 ? pieces : rest.pieces;
    if (i == 1 && tried[0] == tried[1]) continue;
    // Where the same are best for both, no other is looked for.
    const double left = wanted - offer.bounds[i];
    std::optional<Choice> second;
    if (const Choice* any = ask(offer.lenders[1 - i], offer.strength, left);
        any != nullptr && any->plan->problem().collective().pieces() == rest.pieces)
      second = *any;
    if (!second)
      if (const Choice* two = ask(rest, offer.strength, left)) second = *two;
    if (!second) continue;
    std::vector<Choice> lenders{first, *second};
    if (i == 1) std::swap(lenders[0], lenders[1]);
    take_lent(best, offer.ours, offer.loan, std::move(lenders), offer.backwards,
              gathers ? 1 : offer.parts[0]);
  }
}

void TimedSearch::take(Answer& best, Choice choice, uint64_t bytes, bool backwards) {
  if (time_for(choice, bytes) == kNever) return;
  size_t way = backwards ? 1 : 0;
  Answer found;
  found[way] = std::move(choice);
  while (is_asked_backwards(found[way]->plan->problem())) {
    Choice other;
    if (!turn(*found[way], other, bytes)) break;
    const bool shorter = is_faster(other, *found[way], bytes);
    if (!found[1 - way] || is_faster(other, *found[1 - way], bytes)) found[1 - way] = std::move(other);
    if (!shorter) break;
    way = 1 - way;
  }
  const size_t known = found[0] ? 0 : 1;
  if (!best[known] || is_faster(*found[known], *best[known], bytes)) best = std::move(found);
}

bool TimedSearch::turn(const Choice& choice, Choice& other, uint64_t bytes) const {
  const Problem& problem = choice.plan->problem();
  if (!reversed_for_loan(problem)) return false;
  const bool turned = problem.topology().is_directed() && !problem.topology().same_graph(topologies_[0]);
  const Problem target = turned_round(problem, turned);
  for (const Loan& loan : loans_for(target)) {
    if (loan.kind != LoanKind::kReversed) continue;
    other = lend(target, loan, {choice}, goal(target, bytes));
    return time_for(other, bytes) != kNever;
  }
  return false;
}

}  // namespace quadrille
