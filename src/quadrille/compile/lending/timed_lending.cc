#include "quadrille/compile/lending/timed_lending.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/lending/plan_rounds.h"
#include "quadrille/compile/lending/strength.h"
#include "quadrille/compile/lending/timed_own.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/next_in_words.h"
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
constexpr uint32_t kManyPorts = 4;
// Nodes up to which the sums of an allreduce are searched for in a moment.
constexpr uint32_t kSumsInAMoment = 32;
// Equal but for rounding.
constexpr double kAlike = 1e-9;
// What compacting steps may save, as a rule: so much slower plans are looked at, too.
constexpr double kTurned = 1.25;

// A message on the network as it is, or turned round.
struct Task {
  Problem problem;  // in one piece
  bool turned = false;
  uint64_t bytes = 0;
  uint32_t pieces = 0;  // 0: any
};

// With ports that no node has more of said to be all.
Problem with_plain_ports(const Problem& problem) {
  Model model = problem.model();
  if (model.switching != Switching::kShared) {
    model.send = without_needless_count(problem.topology(), problem.model(), true);
    model.receive = without_needless_count(problem.topology(), problem.model(), false);
  }
  return {problem.topology(), problem.collective(), model};
}

// An alltoall on links that are alike both ways is its own reversed one.
bool is_asked_backwards(const Problem& problem) {
  return problem.collective().kind() != CollectiveKind::kAlltoall || problem.topology().is_directed() ||
         problem.model().send != problem.model().receive;
}

uint32_t port_count(const Problem& problem) {
  return std::max({1U, port_limit(problem.topology(), problem.model(), true),
                   port_limit(problem.topology(), problem.model(), false)});
}

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

class TimedSearch {
 public:
  TimedSearch(const Problem& problem, unsigned threads)
      : threads_(threads),
        small_(problem.topology().num_nodes() <= kSmallNetwork),
        medium_(problem.topology().num_nodes() <= kMedium),
        few_(problem.topology().num_nodes() <= kFew),
        topologies_{problem.topology(), transposed(problem.topology())} {}

  std::optional<Choice> best(const Problem& problem, uint64_t bytes, double least) {
    least_ = least;
    answers_.clear();
    own_.clear();
    // On a large network a search for the sums of an allreduce takes seconds: lenders tell first whether it can win.
    is_late_ = problem.topology().num_nodes() <= kSumsInAMoment ||
               problem.collective().kind() != CollectiveKind::kAllreduce;
    const std::optional<Choice> found = best_now(problem, bytes);
    const double known = found ? time_for(*found, bytes) : kNever;
    if (is_late_ || known <= least_ * (1 + (medium_ ? kAlike : kHardlyFaster))) return found;
    is_late_ = true;
    ask_own(problem, bytes, known);
    if (asked_.empty() || time_for(asked_.front(), bytes) >= known * (1 - kAlike)) return found;
    const Choice searched = asked_.front();
    answers_.clear();
    own_.clear();
    const Choice* compacted = ask({with_plain_ports(problem), false, bytes, 0}, Strength::kOwn,
                                  time_for(searched, bytes) * (1 - kAlike));
    if (compacted == nullptr || compacted->plan->problem().model() != problem.model()) return searched;
    return is_faster(*compacted, searched, bytes) ? *compacted : searched;
  }

  // The best of each of the problem's own cards, the best of all first.
  [[nodiscard]] const std::vector<Choice>& asked() const { return asked_; }

 private:
  using Key = std::tuple<CollectiveKind, bool, uint32_t, uint32_t, Switching, Packets, Duplex, Routing,
                         uint32_t, uint64_t, uint32_t, Strength>;
  // Both ways round.
  using Answer = std::array<std::optional<Choice>, 2>;
  // Whatever takes less time than the limit has been looked for.
  struct Known {
    Answer answer{};
    double limit = 0;
  };

  struct Own {
    std::optional<Choice> choice{};
    double limit = 0;
  };

  // Lenders that may be worth asking.
  struct Offer {
    Task ours;
    bool backwards;
    Loan loan;  // for one piece
    std::vector<Task> lenders;
    std::vector<uint32_t> parts;  // pieces of each lender for each of ours is 1 / parts
    std::vector<double> bounds;
    Strength strength;
    double least;
    uint32_t ports = 1;  // ours, for each of `fewer` of the lender
    uint32_t fewer = 1;
  };

  // The best so far: without those that are asked last where these come later.
  std::optional<Choice> best_now(const Problem& problem, uint64_t bytes) {
    const Task task{with_plain_ports(problem), false, bytes, 0};
    asked_for_.fill(key_for_any_size(task));
    if (reversed_for_loan(task.problem)) asked_for_[1] = key_for_any_size(turned_round(task));
    const bool plain = task.problem.model() == problem.model();
    if (small_) (void)least_time_of(task, false);
    ask_own(problem, bytes, kNever);
    std::optional<Choice> own;
    if (!asked_.empty()) own = asked_.front();
    if (plain) own_.emplace(key_of(task, Strength::kOwn), Own{own, kNever});
    const double known = own ? time_for(*own, bytes) : kNever;
    near_ = known <= least_ * (1 + kHardlyFaster);
    if (known <= least_ * (1 + (medium_ ? kAlike : kHardlyFaster))) return own;
    // A problem and its reversed one are looked at alike: with what the cards of both are good for, and so up to the same
    // limit.
    const Choice* both = ask(task, Strength::kOwn, kNever);
    const double to_beat = both == nullptr ? known : std::min(known, time_for(*both, bytes));
    const Choice* found = ask(task, few_ ? Strength::kTop : Strength::kFull, to_beat);
    // Of equals our own.
    if (found == nullptr || time_for(*found, bytes) >= known * (1 - kAlike)) return own;
    if (plain) return *found;
    const Problem ours = in_pieces(problem, found->plan->problem().collective().pieces());
    for (const Loan& loan : loans_for(ours)) {
      if (loan.kind == LoanKind::kSame && loan.lenders[0].model() == task.problem.model())
        return lend(ours, loan, {*found}, goal(ours, bytes));
    }
    return own;
  }

  void ask_own(const Problem& problem, uint64_t bytes, double limit) {
    asked_ = own_by_time(problem, bytes,
                         {.least = least_,
                          .least_rounds = least_rounds_of({with_plain_ports(problem), false, bytes, 0}),
                          .limit = limit,
                          .threads = threads_,
                          .all_efforts = small_,
                          .asks_last = is_late_,
                          .all_named = true,
                          .said = said_of({problem, false, bytes, 0})});
  }

  static Key key_of(const Task& task, Strength strength) {
    const Model& model = task.problem.model();
    const Collective& collective = task.problem.collective();
    return {collective.kind(),
            task.turned && task.problem.topology().is_directed(),
            model.send.count,
            model.receive.count,
            model.switching,
            model.packets,
            model.duplex,
            model.routing,
            static_cast<uint32_t>(index(collective.root().value_or(Rank{0}))),
            task.bytes,
            task.pieces,
            strength};
  }

  static Goal goal(const Problem& problem, uint64_t bytes) { return {chunk_bytes(problem, bytes), true}; }

  // What does not depend on the size of the message.
  static Key key_for_any_size(const Task& task) {
    return key_of({task.problem, task.turned, 0, 0}, Strength::kOwn);
  }
  [[nodiscard]] SaidByCards* said_of(const Task& task) { return &said_[key_for_any_size(task)]; }

  [[nodiscard]] OwnCards own_cards(const Task& task, double least, double limit) {
    return {.pieces = task.pieces,
            .least = least,
            .least_rounds = least_rounds_of(task),
            .limit = limit,
            .threads = threads_,
            .all_efforts = small_,
            .searches = (medium_ && (few_ || !near_)) || is_asked_for(task),
            .asks_last = is_late_ || !is_asked_for(task),
            .said = said_of(task)};
  }

  [[nodiscard]] Problem turned_round(const Problem& problem, bool turned) const {
    const Problem other = reversed(problem);
    return {topologies_[turned ? 0 : 1], other.collective(), other.model()};
  }
  [[nodiscard]] Task turned_round(const Task& task) const {
    return {turned_round(task.problem, task.turned), !task.turned, task.bytes, task.pieces};
  }

  // Of the problem itself and its reversed one what takes work is asked on any network, or they contradict each other.
  [[nodiscard]] bool is_asked_for(const Task& task) const {
    const Key key = key_for_any_size(task);
    return key == asked_for_[0] || key == asked_for_[1];
  }

  // `other`: the same in other words, which has been asked for already.
  const std::optional<Choice>& own_of(const Task& task, double least, double limit,
                                      const Task* other = nullptr) {
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

  // What can be had for the task in less time than the limit; null: nothing.
  const Choice* ask(const Task& task, Strength strength, double limit) {
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

  // Where a message is in however many pieces. `quick`: by what is known in a moment.
  const LeastTime& least_time_of(const Task& task, bool quick) {
    std::map<Key, LeastTime>& bounds = quick ? quick_bounds_ : bounds_;
    const Key key = key_for_any_size(task);
    const auto known = bounds.find(key);
    if (known != bounds.end()) return known->second;
    const std::vector<Bound> said = quick ? quick_bounds(task.problem) : all_bounds(task.problem);
    return bounds.emplace(key, LeastTime(task.problem, said)).first->second;
  }

  // As far as it is known.
  [[nodiscard]] double least_rounds_of(const Task& task) const {
    const auto known = bounds_.find(key_for_any_size(task));
    return known == bounds_.end() ? 0 : known->second(task.bytes).rounds.to_double();
  }

  // No plan takes less time; where what is known in a moment says `enough` already, that.
  double bound(const Task& task, double enough) {
    if (!small_) return least_;
    // Of an exchange alone there is more to know.
    if (task.problem.collective().kind() == CollectiveKind::kAlltoall && enough != kNever &&
        !bounds_.contains(key_for_any_size(task))) {
      const double soon = least_time_of(task, true)(task.bytes).time;
      if (soon >= enough) return soon;
    }
    return least_time_of(task, false)(task.bytes).time;
  }

  static double time_of(const Answer& answer, uint64_t bytes) {
    double out = kNever;
    for (const std::optional<Choice>& choice : answer)
      if (choice) out = std::min(out, time_for(*choice, bytes));
    return out;
  }

  const Answer& answer_of(const Task& task, Strength strength, double limit) {
    const auto [at, is_new] = answers_.try_emplace(key_of(task, strength));
    Known& known = at->second;
    if (is_new || limit > known.limit) {
      known.limit = limit;
      known.answer = make_answer(task, strength, limit);
    }
    return known.answer;
  }

  Answer make_answer(const Task& task, Strength strength, double limit) {
    std::optional<Task> other;
    if (reversed_for_loan(task.problem) && is_asked_backwards(task.problem)) other = turned_round(task);
    const double least = bound(task, limit) * (1 + kAlike);
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
      take_mirrored(best, task, least, false);
      take_together(best, task, least, false);
      if (other) take_mirrored(best, *other, least, true);
      if (other) take_together(best, *other, least, true);
    }
    const double now = std::min(limit, time_of(best, task.bytes));
    std::vector<Offer> offers = offers_for(task, false, strength, now);
    if (other) {
      for (Offer& offer : offers_for(*other, true, strength, now)) offers.push_back(std::move(offer));
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer& a, const Offer& b) { return a.least < b.least; });
    for (const Offer& offer : offers) {
      const double wanted = std::min(limit, time_of(best, task.bytes));
      if (wanted <= least || offer.least * (1 + kAlike) >= wanted) break;
      take_offer(best, offer, wanted);
    }
    return best;
  }

  void take_own(Answer& best, const Task& task, double least, double limit, bool backwards) {
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
      const Task said{loan.lenders[0], task.turned, task.bytes, task.pieces};
      if (const std::optional<Choice>& choice = own_of(said, least, to_beat(), &task))
        take_lent(best, task, loan, {*choice}, backwards);
    }
  }

  // Made of lenders of which each is in 1 / parts of our pieces.
  void take_lent(Answer& best, const Task& task, const Loan& loan, std::vector<Choice> lenders,
                 bool backwards, uint32_t parts = 1) {
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

  // `wanted`: what may take as long is of no use.
  std::vector<Offer> offers_for(const Task& task, bool backwards, Strength strength, double wanted) {
    std::vector<Offer> out;
    const uint32_t ranks = task.problem.collective().num_ranks();
    const CollectiveKind kind = task.problem.collective().kind();
    const Problem& one = task.problem;
    const auto add = [&](const Loan& loan, const std::vector<uint32_t>& parts,
                         const std::vector<uint32_t>& pieces, const std::vector<uint64_t>& bytes) {
      std::optional<Strength> asked = strength_of(kind, loan, strength);
      if (!asked) return;
      // Messages get smaller: that does not go round, either.
      if (loan.kind == LoanKind::kSum && kind == CollectiveKind::kBroadcast) asked = strength;
      Offer offer{task, backwards, loan, {}, parts, {}, *asked, 0};
      if (loan.kind == LoanKind::kWeaker && small_) {
        // Compacted, its plan takes less: hardly ever less than half, and hardly at all where ports are many.
        offer.fewer = port_count(loan.lenders[0]);
        offer.ports = few_ ? port_count(one) : std::min(port_count(one), 2 * offer.fewer);
        if (offer.fewer >= kManyPorts) offer.ports = offer.fewer;
      }
      for (size_t i = 0; i < loan.lenders.size(); ++i) {
        offer.lenders.push_back(
            {with_plain_ports(in_pieces(loan.lenders[i], 1)), task.turned, bytes[i], pieces[i]});
        offer.bounds.push_back(
            is_free(loan) ? 0 : bound_of_lender(offer.lenders.back(), wanted * offer.ports / offer.fewer));
        offer.least += offer.bounds.back();
      }
      offer.least = offer.least * offer.fewer / offer.ports;
      // It is measured by itself.
      if (merges(loan)) offer.least = bound(task, wanted);
      out.push_back(std::move(offer));
    };
    for (const Loan& loan : loans_for(one)) {
      if (loan.kind == LoanKind::kSum) continue;
      if (loan.kind == LoanKind::kMirrored) continue;  // take_mirrored()
      if (loan.kind == LoanKind::kMerged && !is_merged(task)) continue;
      if (loan.kind == LoanKind::kThroughPorts && !goes_through_ports(task)) continue;
      if (loan.kind == LoanKind::kWeaker && !few_ && port_count(loan.lenders[0]) > 2 &&
          loan.lenders[0].model().switching == one.model().switching) {
        // Of many ports to few at once.
        if (std::optional<Loan> two = find_loan(one, "ports_2")) add(*two, {1}, {task.pieces}, {task.bytes});
        continue;
      }
      if (loan.kind == LoanKind::kPersonalised) {
        // In more pieces all of a block go together, as a rule.
        if (task.pieces <= 1 || (few_ && port_count(one) < kManyPorts))
          add(loan, {1}, {std::max(1U, task.pieces)}, {task.bytes});
      } else {
        add(loan, {1}, {task.pieces}, {task.bytes});
      }
    }
    const uint64_t part_bytes = task.bytes / ranks + (task.bytes % ranks == 0 ? 0 : 1);
    const uint32_t some = task.pieces == 0 ? ranks : task.pieces;
    const Problem split = some == 1 ? one : in_pieces(one, some);
    for (const Loan& loan : loans_for(split)) {
      if (loan.kind == LoanKind::kTogether && task.pieces > 1) add(loan, {1}, {1}, {task.bytes});
      if (loan.kind != LoanKind::kSum) continue;
      const auto parts_of = [&](size_t i) { return some / loan.lenders[i].collective().pieces(); };
      if (kind == CollectiveKind::kAllgather) {
        if (task.pieces != 0) continue;
        // The vector that is broadcast is all blocks.
        add(loan, {1, 0}, {task.pieces, task.pieces * ranks}, {task.bytes, task.bytes * ranks});
        continue;
      }
      const uint32_t parts = parts_of(0);
      const uint64_t bytes = parts == 1 ? task.bytes : part_bytes;
      add(loan, {parts, parts}, {task.pieces / parts, task.pieces / parts}, {bytes, bytes});
    }
    return out;
  }

  // Whether what its lender takes says nothing of it.
  static bool is_free(const Loan& loan) {
    return loan.kind == LoanKind::kPersonalised || loan.kind == LoanKind::kTogether || merges(loan);
  }
  static bool merges(const Loan& loan) {
    return loan.kind == LoanKind::kMerged || loan.kind == LoanKind::kThroughPorts;
  }

  // Of vectors, which are streamed, other numbers of pieces are as good.
  [[nodiscard]] bool is_merged(const Task& task) const {
    const CollectiveKind kind = task.problem.collective().kind();
    return small_ && task.problem.model().cost.ts > 0 && kind != CollectiveKind::kBroadcast &&
           kind != CollectiveKind::kReduce && kind != CollectiveKind::kAllreduce;
  }

  // Wide links carry at a time what few ports would let through one by one.
  [[nodiscard]] bool goes_through_ports(const Task& task) const {
    return small_ && task.problem.model().cost.ts > 0 && has_wide_arcs(task.problem.topology());
  }

  // The own plan of a problem and its mirror image, each with half of every block.
  void take_mirrored(Answer& best, const Task& task, double least, bool backwards) {
    constexpr uint64_t kMostMirroredDeliveries = uint64_t{1} << 13U;  // deliveries
    if (!small_ || task.pieces != 0 || time_of(best, task.bytes) <= least) return;
    const std::optional<Choice> own = own_of(task, least, kTurned * time_of(best, task.bytes));
    if (!own) return;
    const Collective& collective = own->plan->problem().collective();
    const uint64_t pieces = 2 * uint64_t{collective.pieces()};
    const uint64_t deliveries =
        collective.block_count() * (collective.flow() == Flow::kMove ? 1 : collective.num_ranks());
    if (deliveries > kMostMirroredDeliveries || pieces > task.bytes) return;
    const Problem ours = in_pieces(task.problem, static_cast<uint32_t>(pieces));
    if (const std::optional<Loan> loan = mirrored_loan(ours))
      take(best, lend(ours, *loan, {*own}, goal(ours, task.bytes)), task.bytes, backwards);
  }

  // What is short in one piece, in as many as fill wide links together.
  void take_together(Answer& best, const Task& task, double least, bool backwards) {
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

  // In messages of two packets, four, and so on; where that saves time, also in more pieces, whose rounds are shorter.
  void take_merged(Answer& best, const Offer& offer, double wanted) {
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
      Task rest = offer.lenders[0];
      rest.pieces = static_cast<uint32_t>(collective.pieces() * finer);
      const Choice* more = ask(rest, offer.strength, kNever);
      if (more == nullptr) return;
      take_merged(best, offer, Choice(*more), wanted);
    }
  }

  void take_merged(Answer& best, const Offer& offer, const Choice& packets, double wanted) {
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

  double bound_of_lender(const Task& lender, double enough) { return small_ ? bound(lender, enough) : 0; }

  void take_offer(Answer& best, const Offer& offer, double wanted) {
    if (offer.lenders.size() == 2) return take_sum(best, offer, wanted);
    if (merges(offer.loan)) return take_merged(best, offer, wanted);
    double limit = is_free(offer.loan) || wanted == kNever ? kNever : wanted * offer.ports / offer.fewer;
    if (offer.loan.kind == LoanKind::kOneWay) {
      // Up to the limit that half-duplex links are asked with for themselves, or they know better.
      const Choice* own = ask(offer.lenders[0], Strength::kOwn, kNever);
      limit = own == nullptr ? kNever : time_for(*own, offer.lenders[0].bytes);
    }
    const Choice* lender = ask(offer.lenders[0], offer.strength, limit);
    if (lender != nullptr) take_lent(best, offer.ours, offer.loan, {*lender}, offer.backwards);
  }

  // Both in the pieces that are best for the first, or for the second.
  void take_sum(Answer& best, const Offer& offer, double wanted) {
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
      Task rest = offer.lenders[1 - i];
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

  // The better one of the two is kept, and turned round as long as that saves time.
  void take(Answer& best, Choice choice, uint64_t bytes, bool backwards) {
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

  // What a choice is, read backwards, if anything.
  bool turn(const Choice& choice, Choice& other, uint64_t bytes) const {
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

  double least_ = 0;
  unsigned threads_;
  bool small_;
  bool medium_;
  bool few_;
  bool near_ = false;                   // hardly anything can be gained
  bool is_late_ = true;                 // cards that are asked last are asked now
  std::array<Topology, 2> topologies_;  // as it is, and turned round
  std::vector<Choice> asked_{};
  std::map<Key, Known> answers_{};
  std::map<Key, Own> own_{};
  std::map<Key, LeastTime> bounds_{};
  std::map<Key, LeastTime> quick_bounds_{};
  std::array<Key, 2> asked_for_{};  // the problem and its reversed one, for any size
  std::map<Key, SaidByCards> said_{};
};

std::string figures_of(const Choice& choice) {
  const Prediction& p = choice.prediction;
  const uint64_t start_ups = p.start_ups.value_or(p.steps.value_or(0));
  return fmt::format("{} and {} in {}", plural(start_ups, "start-up"),
                     plural(p.critical_blocks.value_or(start_ups), "round"),
                     plural(choice.plan->problem().collective().pieces(), "piece"));
}

}  // namespace

struct TimedLending::Searches {
  // On a network of a family that came without its name: there.
  struct Named {
    Loan loan;
    std::unique_ptr<TimedSearch> search;
  };

  explicit Searches(const Problem& asked, unsigned threads) : problem(asked), here(asked, threads) {
    for (Loan& loan : loans_by_name(problem)) {
      auto search = std::make_unique<TimedSearch>(loan.lenders[0], threads);
      named.push_back({std::move(loan), std::move(search)});
    }
  }

  std::optional<Choice> best_by_name(uint64_t bytes, double least) {
    std::optional<Choice> best;
    for (const Named& known : named) {
      const std::optional<Choice> there = known.search->best(known.loan.lenders[0], bytes, least);
      if (!there) continue;
      const Problem ours = in_pieces(problem, there->plan->problem().collective().pieces());
      for (const Loan& same : loans_by_name(ours)) {
        if (same.name != known.loan.name) continue;
        Choice lent = lend(ours, same, {*there}, {chunk_bytes(ours, bytes), true});
        if (!best || is_faster(lent, *best, bytes)) best = std::move(lent);
        break;
      }
    }
    return best;
  }

  bool name_settles() const {
    return std::any_of(named.begin(), named.end(), [](const Named& known) { return known.loan.settles; });
  }

  Problem problem;
  TimedSearch here;
  std::vector<Named> named{};
};

bool is_chosen_by_time(const Problem& problem) {
  return problem.topology().num_nodes() <= kSmallNetwork && is_chosen_by_time_but_for_size(problem);
}

bool is_chosen_by_time_but_for_size(const Problem& problem) {
  return problem.collective().is_numbered() && !problem.model().queue_limit && !asks_for_order(problem) &&
         !rearranging_costs(problem) && !hops_cost(problem) && !messages_cost(problem);
}

TimedLending::TimedLending(const Problem& problem, unsigned threads)
    : searches_(std::make_unique<Searches>(problem, threads)) {}
TimedLending::~TimedLending() = default;

std::optional<Choice> TimedLending::best_for(uint64_t message_bytes, double least) {
  const Problem& problem = searches_->problem;
  std::optional<Choice> named = searches_->best_by_name(message_bytes, least);
  if (named) {
    named->reason = fmt::format("predicts {}", figures_of(*named));
    if (searches_->name_settles() || time_for(*named, message_bytes) <= least) return named;
  }
  std::optional<Choice> best = searches_->here.best(problem, message_bytes, least);
  if (named && (!best || !is_faster(*best, *named, message_bytes))) return named;
  if (!best) return best;
  const std::vector<Choice>& asked = searches_->here.asked();
  const bool lent = !best->made_of.empty();
  best->reason = fmt::format("predicts {}, the fastest of {} that apply", figures_of(*best),
                             asked.size() + (lent ? 1 : 0));
  const size_t next = lent ? 0 : 1;
  if (next >= asked.size()) return best;
  const double ratio = time_for(asked[next], message_bytes) / time_for(*best, message_bytes);
  best->reason += "; " + next_in_words(asked[next].name(), ratio);
  const Prediction& p = asked[next].prediction;
  best->runner_up =
      RunnerUp{asked[next].name(), {.start_ups = p.start_ups, .critical_blocks = p.critical_blocks}};
  return best;
}

std::optional<Choice> choose_by_time(const Problem& problem, uint64_t message_bytes, double least,
                                     unsigned threads) {
  return TimedLending(problem, threads).best_for(message_bytes, least);
}

std::optional<Choice> pick_loan_by_time(const Problem& problem, std::string_view name,
                                        uint64_t message_bytes) {
  std::optional<Choice> best;
  const auto try_count = [&](uint64_t pieces) {
    if (pieces > std::max<uint64_t>(1, message_bytes)) return false;
    try {
      const Problem ours = in_pieces(problem, static_cast<uint32_t>(pieces));
      Choice choice = pick_loan(ours, name, {chunk_bytes(ours, message_bytes), true});
      if (best && !is_faster(choice, *best, message_bytes)) return false;
      best = std::move(choice);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  constexpr uint64_t kMost = 4096;
  const uint32_t ranks = problem.collective().num_ranks();
  for (const uint64_t unit : {uint64_t{1}, uint64_t{3}, uint64_t{ranks}}) {
    uint32_t in_vain = 0;
    for (uint64_t pieces = unit; pieces <= kMost && in_vain < 3; pieces *= 2)
      in_vain = try_count(pieces) ? 0 : in_vain + 1;
  }
  if (best) best->reason = fmt::format("asked for; predicts {}", figures_of(*best));
  return best;
}

}  // namespace quadrille
