#include "quadrille/compile/sizes/decide_by_measure.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/decide_as_it_is.h"
#include "quadrille/compile/lending/asked_key.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/decision_time.h"
#include "quadrille/compile/sizes/plain_costs.h"

namespace quadrille {
namespace {

constexpr uint32_t kNodesOfMeasures = 128;
constexpr uint32_t kNodesOfAllMachines = 32;
constexpr double kHardly = 1e-9;

// Weaker machines, whose plans serve here as well: fewer ports, packets for worms, worms where paths may share links.
constexpr std::string_view kWeaker[] = {"ports_1", "ports_2", "packet", "packets", "wormhole"};

bool is_small(const Problem& problem) { return problem.topology().num_nodes() <= kNodesOfAllMachines; }

// Whether cards are asked for all that costs. Vectors of packets are streamed in many pieces, and each plan is to be made and measured.
bool asks_cards(const Problem& problem) {
  const CollectiveKind kind = problem.collective().kind();
  const bool is_stream = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce ||
                         kind == CollectiveKind::kAllreduce;
  return is_small(problem) || !is_stream || takes_paths(problem.model());
}

class Best {
 public:
  Best(const Wishes& wishes, double known) : bytes_(*wishes.bytes), queues_(wishes.queues), known_(known) {}

  // What is faster; a card, which says what it is by itself, already where it is as fast.
  void take(std::optional<Decision> other, bool is_card = false) {
    if (!other) return;
    double time = kNever;
    try {
      measure(*other, queues_);
      time = time_of_decision(*other, bytes_).value_or(kNever);
    } catch (const InputError&) {
      return;  // what it is made of does not lend itself to it
    }
    if (is_card ? time > known_ * (1 + kHardly) : time >= known_ * (1 - kHardly)) return;
    decision_ = std::move(other);
    known_ = time;
  }
  [[nodiscard]] bool has_any() const { return decision_.has_value(); }
  [[nodiscard]] double time() const { return known_; }
  [[nodiscard]] std::optional<Decision> decision() && { return std::move(decision_); }

 private:
  uint64_t bytes_;
  bool queues_;
  double known_;
  std::optional<Decision> decision_{};
};

class Search {
 public:
  Search(const Wishes& wishes, const DecideBySize& decide)
      : wishes_(wishes), bytes_(*wishes.bytes), decide_(decide) {}

  std::optional<Decision> best(const Problem& problem, double known) {
    Best out(wishes_, known);
    out.take(at_plain_costs(problem));
    for (const std::string_view weaker : kWeaker)
      out.take(lent(problem, weaker, out.time(), [&](const Problem& lender) {
        return is_small(lender) ? kept_best(lender) : at_plain_costs(lender);
      }));
    if (out.has_any() && !asks_cards(problem)) return std::move(out).decision();
    std::optional<Decision> of_cards = decide_(problem, wishes_, out.time() * (1 + 2 * kHardly));
    if (!out.has_any()) return of_cards;
    out.take(std::move(of_cards), true);
    const auto cards = [&](const Problem& lender) { return decide_(lender, wishes_, out.time()); };
    out.take(lent(problem, "reversed", out.time(), cards));
    if (!is_small(problem)) out.take(lent(problem, "ports_2", out.time(), cards));
    return std::move(out).decision();
  }

 private:
  // A machine may be weaker than several others.
  const std::optional<Decision>& kept_best(const Problem& problem) {
    const auto [at, is_new] = kept_.try_emplace(asked_key(problem, false));
    if (is_new) at->second = best(problem, kNever);
    return at->second;
  }

  // With as many further messages to a start-up as there may be, and with none.
  std::optional<Decision> at_plain_costs(const Problem& problem) {
    Best out(wishes_, kNever);
    for (const Problem& plain : with_plain_costs(problem)) {
      const std::optional<Decision> found = decide_(plain, wishes_, kNever);
      if (!found) continue;
      const uint32_t pieces = found->head.problem.collective().pieces();
      Choice here = handed_to(in_pieces(problem, pieces), *found->choice);
      here.reason = found->reason;
      out.take(decision_of(std::move(here)));
    }
    return std::move(out).decision();
  }

  template <typename Decide>
  std::optional<Decision> lent(const Problem& problem, std::string_view name, double known,
                               Decide decide_lender) {
    const std::optional<Loan> loan = find_loan(problem, name);
    if (!loan || least_time(loan->lenders[0], bytes_, quick_bounds(loan->lenders[0])).time >= known)
      return std::nullopt;
    const std::optional<Decision>& lender = decide_lender(loan->lenders[0]);
    if (!lender) return std::nullopt;
    const Problem ours = in_pieces(problem, lender->head.problem.collective().pieces());
    const std::optional<Loan> same = find_loan(ours, name);
    if (!same) return std::nullopt;
    try {
      Choice choice = lend(ours, *same, {*lender->choice}, {chunk_bytes(ours, bytes_), true});
      choice.reason = lender->reason;
      return decision_of(std::move(choice));
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  const Wishes& wishes_;
  uint64_t bytes_;
  const DecideBySize& decide_;
  std::map<AskedKey, std::optional<Decision>> kept_;
};

}  // namespace

bool is_decided_by_measure(const Problem& problem, const Wishes& wishes) {
  return more_costs(problem) && wishes.algorithm == "auto" &&
         problem.topology().num_nodes() <= kNodesOfMeasures;
}

std::optional<Decision> decide_by_measure(const Problem& problem, const Wishes& wishes, double known_time,
                                          const DecideBySize& decide) {
  return Search(wishes, decide).best(problem, known_time);
}

}  // namespace quadrille
