#include "quadrille/compile/lending/named_loan.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/pieces_in_turn.h"

namespace quadrille {
namespace {

// Where a plus stands outside all brackets.
std::vector<size_t> pluses(std::string_view text) {
  std::vector<size_t> out;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth < 0) break;
    if (text[i] == '+' && depth == 0) out.push_back(i);
  }
  if (depth != 0)
    throw InputError(fmt::format("--algorithm: '{}' has a bracket without its other half", text));
  return out;
}

Choice pick_named(const Problem& problem, std::string_view text, const Goal& goal) {
  text = trimmed(text);
  return names_loan(text) ? pick_loan(problem, text, goal) : pick_algorithm(problem, std::string(text), goal);
}

// The pair of problems that the two sides serve; of "a + b + c" either plus may be the last.
Choice pick_sum(const Problem& problem, std::string_view text, const std::vector<size_t>& at,
                const Goal& goal) {
  std::string why = "no two plans, one after the other, make one for it";
  for (const Loan& loan : loans_for(problem)) {
    if (loan.kind != LoanKind::kSum) continue;
    for (const size_t plus : at) {
      try {
        return lend(problem, loan,
                    {pick_named(loan.lenders[0], text.substr(0, plus), goal),
                     pick_named(loan.lenders[1], text.substr(plus + 1), goal)},
                    goal);
      } catch (const InputError& error) {
        why = error.what();
      }
    }
  }
  throw InputError(fmt::format("--algorithm: '{}' is no plan for {}: {}", text, problem.title(), why));
}

InputError no_such_loan(const Problem& problem, std::string_view name) {
  std::vector<std::string> known;
  for (const Loan& loan : loans_for(problem))
    if (!loan.name.empty()) known.push_back(loan.name);
  if (in_turn_loan(problem, 1))
    known.push_back(fmt::format("in_turn_N with N from 1 to {}", problem.collective().pieces() - 1));
  return InputError(fmt::format("--algorithm: {} takes no loan called '{}'; {}", problem.title(), name,
                                known.empty() ? "there is none" : "there are: " + join(known)));
}

}  // namespace

bool names_loan(std::string_view text) { return text.find_first_of("(+") != std::string_view::npos; }

Choice pick_loan(const Problem& problem, std::string_view text, const Goal& goal) {
  text = trimmed(text);
  const std::vector<size_t> at = pluses(text);
  if (!at.empty()) {
    Choice sum = pick_sum(problem, text, at, goal);
    sum.reason = "asked for";
    return sum;
  }
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')'))
    throw InputError(fmt::format("--algorithm: '{}' is neither an algorithm nor LOAN(ALGORITHM)", text));
  const std::string_view name = trimmed(text.substr(0, open));
  const std::optional<Loan> loan = find_loan(problem, name);
  if (!loan) throw no_such_loan(problem, name);
  const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  std::vector<Choice> lenders;
  for (const Problem& lender : loan->lenders) lenders.push_back(pick_named(lender, inner, goal));
  Choice out = lend(problem, *loan, std::move(lenders), goal);
  out.reason = "asked for";
  return out;
}

}  // namespace quadrille
