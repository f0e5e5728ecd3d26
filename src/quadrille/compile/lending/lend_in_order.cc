#include "quadrille/compile/lending/lend_in_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/transforms/chunks_in_order.h"
#include "quadrille/transforms/sums_in_order.h"

namespace quadrille {
namespace {

// By time plans are made to see whether they keep order: on larger networks, or of more hops, pieces are left as they are.
constexpr uint32_t kMostNodesInOrder = 256;
constexpr uint64_t kMostHopsInOrder = uint64_t{1} << 22U;
constexpr uint32_t kNodesOfLenders = 64;  // beyond, lenders of what need not be in order are cards alone
constexpr uint32_t kMostPiecesInOrder = 1U << 16U;
constexpr double kHardlyLessInOrder = 1.0 / 256;
constexpr uint32_t kMostLooksInVain = 2;  // numbers of pieces, one after the other

// What keeps order, or may. Where pieces come in order harder tasks have trees as well, and take long.
bool is_worth_a_look(const Problem& problem, const Loan& loan) {
  switch (loan.kind) {
    case LoanKind::kPart:
      return problem.model().combining == Operator::kOrdered;
    case LoanKind::kReversed:
    case LoanKind::kWeaker:
    case LoanKind::kTogether:
    case LoanKind::kInTurn:
    case LoanKind::kSum:
      return true;
    default:
      return false;
  }
}

class InOrderSearch {
 public:
  explicit InOrderSearch(uint64_t block_bytes) : block_bytes_(block_bytes) {}
  // By time, for messages of so many bytes in the problem's pieces. `searches`: cards that search for long are asked, too.
  InOrderSearch(const Problem& problem, uint64_t message_bytes, bool searches)
      : block_bytes_(chunk_bytes(problem, message_bytes)),
        message_bytes_(message_bytes),
        searches_(searches) {}

  // The best of its own cards.
  std::optional<Choice> own(const Problem& problem) {
    if (!message_bytes_) return choose_own(problem, block_bytes_, 0, false);
    // By size nobody is asked who searches for long, by steps everybody.
    std::optional<Choice> best;
    if (searches_) best = choose_own(problem, block_bytes_, 0, false);
    const std::optional<SizedChoice> sized =
        choose_by_size(in_pieces(problem, 1), "auto", *message_bytes_, 1, problem.collective().pieces());
    if (!sized) return searches_ ? best : choose_own(problem, block_bytes_, 0, false);
    Choice other = pick_algorithm(problem, sized->plan.algorithm, Goal(block_bytes_, true));
    if (!best || !is_faster(*best, other, *message_bytes_)) best = std::move(other);
    return best;
  }

  // The best loan.
  std::optional<Choice> lent(const Problem& problem, const Choice* own) {
    std::optional<Choice> best;
    const auto is_better = [&](const Choice& choice) {
      if (!choice.prediction.steps) return false;
      if (!best && own == nullptr) return true;
      return cost(choice, problem) < cost(best ? *best : *own, problem);
    };
    std::vector<Loan> loans = loans_for(problem);
    if (message_bytes_ && searches_ && problem.topology().num_nodes() <= kNodesOfLenders)
      if (std::optional<Loan> messages = find_loan(problem, "packets")) loans.push_back(*std::move(messages));
    std::erase_if(loans, [&](const Loan& loan) { return !is_worth_a_look(problem, loan); });
    // Of equals the one that says least of the machine.
    std::stable_partition(loans.begin(), loans.end(),
                          [](const Loan& loan) { return loan.kind != LoanKind::kWeaker; });
    for (const Loan& loan : loans) {
      std::vector<Choice> lenders;
      for (const Problem& lender : loan.lenders) {
        const Choice* choice = answer(lender);
        if (choice == nullptr) break;
        lenders.push_back(*choice);
      }
      if (lenders.size() != loan.lenders.size()) continue;
      Choice choice = lend(problem, loan, std::move(lenders));
      if (is_better(choice)) best = std::move(choice);
    }
    return best;
  }

 private:
  using Key = std::tuple<CollectiveKind, uint32_t, uint32_t, uint32_t, uint32_t, Switching, Packets, Operator,
                         Chunks>;

  [[nodiscard]] ChoiceCost cost(const Choice& choice, const Problem& problem) const {
    if (message_bytes_)
      return {false, time_for(choice, *message_bytes_), choice.prediction.steps.value_or(0), 0};
    return cost_of(choice.prediction, problem, block_bytes_);
  }

  // The best of its own and of its loans; null: nothing serves it.
  const Choice* answer(const Problem& problem) {
    const Model& model = problem.model();
    const Collective& collective = problem.collective();
    const Key key{collective.kind(),   static_cast<uint32_t>(index(collective.root().value_or(Rank{0}))),
                  collective.pieces(), model.send.count,
                  model.receive.count, model.switching,
                  model.packets,       model.combining,
                  model.chunks};
    const auto [at, is_new] = answers_.try_emplace(key);
    if (!is_new) return at->second ? &*at->second : nullptr;
    std::optional<Choice> found;
    if (asks_for_order(problem)) {
      found = own(problem);
      if (std::optional<Choice> other = lent(problem, found ? &*found : nullptr)) found = std::move(other);
    } else {
      try {
        const bool asks_lenders = !message_bytes_ || problem.topology().num_nodes() <= kNodesOfLenders;
        found = choose_algorithm(problem, block_bytes_, 0, {}, asks_lenders);
        if (message_bytes_) {
          std::optional<Choice> card = own(problem);
          if (card && cost(*card, problem) < cost(*found, problem)) found = std::move(card);
        }
      } catch (const InputError&) {  // nothing serves it
      }
    }
    std::optional<Choice>& kept = answers_[key];
    kept = std::move(found);
    return kept ? &*kept : nullptr;
  }

  uint64_t block_bytes_;
  std::optional<uint64_t> message_bytes_{};
  bool searches_ = true;
  std::map<Key, std::optional<Choice>> answers_{};
};

}  // namespace

bool asks_for_order(const Problem& problem) {
  return problem.model().combining == Operator::kOrdered || problem.model().chunks == Chunks::kInOrder;
}

bool keeps_order(const Problem& problem, const Plan& plan) {
  const Model& model = problem.model();
  return (model.combining != Operator::kOrdered || sums_in_order(problem, plan)) &&
         (model.chunks != Chunks::kInOrder || chunks_in_order(problem, plan));
}

bool is_in_order_by_time(const Problem& problem) {
  return asks_for_order(problem) && problem.collective().is_numbered() && !problem.model().queue_limit &&
         problem.topology().num_nodes() <= kMostNodesInOrder && !rearranging_costs(problem) &&
         !hops_cost(problem) && !messages_cost(problem);
}

std::optional<Choice> in_order_by_time(const Problem& problem, uint64_t message_bytes, uint32_t given) {
  std::optional<Choice> best;
  double least = kNever;
  const auto look = [&](uint32_t pieces) {
    if (pieces > std::max<uint64_t>(message_bytes, 1) ||
        uint64_t{pieces} * problem.collective().block_count() * problem.topology().num_nodes() >
            kMostHopsInOrder)
      return false;
    const Problem split = in_pieces(problem, pieces);
    // What is searched for in one piece takes as long in others, as a rule.
    InOrderSearch search(split, message_bytes, pieces == 1 || pieces == given);
    std::optional<Choice> found = search.own(split);
    if (std::optional<Choice> lent = search.lent(split, found ? &*found : nullptr)) found = std::move(lent);
    if (!found) return true;
    const double time = time_for(*found, message_bytes);
    if (time >= least) return false;
    const bool pays = least == kNever || time * (1 + kHardlyLessInOrder) < least;
    least = time;
    best = std::move(found);
    return pays;
  };
  uint32_t in_vain = given == 0 ? 0 : kMostLooksInVain;
  for (uint32_t pieces = 1; in_vain < kMostLooksInVain && pieces < kMostPiecesInOrder; pieces *= 2)
    in_vain = look(pieces) ? 0 : in_vain + 1;
  if (given != 0) {
    look(given);
    const Problem split = in_pieces(problem, given);
    try {
      // What has the fewest steps may be made of what nobody here asks for.
      Choice by_steps = choose_algorithm(split, chunk_bytes(split, message_bytes), 0);
      if (time_for(by_steps, message_bytes) < least) best = std::move(by_steps);
    } catch (const InputError&) {  // nothing serves it
    }
  }
  if (!best) return best;
  const uint32_t around = best->plan->problem().collective().pieces();
  for (const uint32_t pieces : {around / 2 + around / 4, around + around / 2})
    if (given == 0 && pieces > 0 && pieces != around) look(pieces);
  best->reason = "predicts " + figures_in_words(*best);
  return best;
}

std::optional<Choice> lend_in_order(const Problem& problem, const Choice* own, uint64_t block_bytes) {
  return InOrderSearch(block_bytes).lent(problem, own);
}

}  // namespace quadrille
