#include "quadrille/compile/lending/lend_in_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/transforms/chunks_in_order.h"
#include "quadrille/transforms/sums_in_order.h"

namespace quadrille {
namespace {

// What keeps order, or may.
bool is_worth_a_look(const Loan& loan) {
  switch (loan.kind) {
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

  // The best loan.
  std::optional<Choice> lent(const Problem& problem, const Choice* own) {
    std::optional<Choice> best;
    const auto is_better = [&](const Choice& choice) {
      if (!choice.prediction.steps) return false;
      if (!best && own == nullptr) return true;
      return cost(choice, problem) < cost(best ? *best : *own, problem);
    };
    std::vector<Loan> loans = loans_for(problem);
    std::erase_if(loans, [](const Loan& loan) { return !is_worth_a_look(loan); });
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
      found = choose_own(problem, block_bytes_, 0, false);
      if (std::optional<Choice> other = lent(problem, found ? &*found : nullptr)) found = std::move(other);
    } else {
      try {
        found = choose_algorithm(problem, block_bytes_);
      } catch (const InputError&) {  // nothing serves it
      }
    }
    std::optional<Choice>& kept = answers_[key];
    kept = std::move(found);
    return kept ? &*kept : nullptr;
  }

  uint64_t block_bytes_;
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

std::optional<Choice> lend_in_order(const Problem& problem, const Choice* own, uint64_t block_bytes) {
  return InOrderSearch(block_bytes).lent(problem, own);
}

}  // namespace quadrille
