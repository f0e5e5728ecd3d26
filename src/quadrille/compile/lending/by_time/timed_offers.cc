#include "quadrille/compile/lending/by_time/timed_offers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint32_t kManyPorts = 4;
constexpr uint32_t kPacketsInAMoment = 32;  // nodes

// Of vectors, which are streamed, other numbers of pieces are as good.
bool is_merged(const TimedTask& task) {
  const CollectiveKind kind = task.problem.collective().kind();
  return task.problem.model().cost.ts > 0 && kind != CollectiveKind::kBroadcast &&
         kind != CollectiveKind::kReduce && kind != CollectiveKind::kAllreduce;
}

// Wide links carry at a time what few ports would let through one by one.
bool goes_through_ports(const TimedTask& task) {
  return task.problem.model().cost.ts > 0 && has_wide_arcs(task.problem.topology());
}

// What the lenders of a loan are asked for.
struct Asked {
  std::vector<uint32_t> parts;
  std::vector<uint32_t> pieces;
  std::vector<uint64_t> bytes;
};

class OffersOfTask {
 public:
  OffersOfTask(const TimedTask& task, bool backwards, Strength strength, double wanted, OfferLimits limits,
               TaskBounds& bounds)
      : task_(task),
        one_(task.problem),
        kind_(task.problem.collective().kind()),
        backwards_(backwards),
        strength_(strength),
        wanted_(wanted),
        limits_(limits),
        bounds_(bounds) {}

  std::vector<TimedOffer> all() {
    for (const Loan& loan : loans_for(one_)) add_single(loan);
    // On more nodes that takes a sixth longer and hardly ever finds anything.
    if (one_.topology().num_nodes() <= kPacketsInAMoment)
      if (const std::optional<Loan> messages = find_loan(one_, "packets")) add_single(*messages);
    const uint32_t ranks = one_.collective().num_ranks();
    const uint32_t some = task_.pieces == 0 ? ranks : task_.pieces;
    const Problem split = some == 1 ? one_ : in_pieces(one_, some);
    for (const Loan& loan : loans_for(split)) {
      if (loan.kind == LoanKind::kTogether && task_.pieces > 1) add(loan, {{1}, {1}, {task_.bytes}});
      if (loan.kind == LoanKind::kSum) add_sum(loan, some, ranks);
    }
    return std::move(out_);
  }

 private:
  void add_single(const Loan& loan) {
    if (loan.kind == LoanKind::kSum) return;
    if (loan.kind == LoanKind::kMirrored) return;  // the search makes it of its own plan
    if (loan.kind == LoanKind::kMerged && !(limits_.small && is_merged(task_))) return;
    if (loan.kind == LoanKind::kThroughPorts && !(limits_.small && goes_through_ports(task_))) return;
    const Asked same{{1}, {task_.pieces}, {task_.bytes}};
    if (loan.kind == LoanKind::kWeaker && !limits_.each_number_of_ports && port_count(loan.lenders[0]) > 2 &&
        loan.lenders[0].model().switching == one_.model().switching) {
      // Of many ports to few at once.
      if (std::optional<Loan> two = find_loan(one_, "ports_2")) add(*two, same);
      return;
    }
    if (loan.kind != LoanKind::kPersonalised) return add(loan, same);
    // In more pieces all of a block go together, as a rule.
    if (task_.pieces <= 1 || (limits_.few && port_count(one_) < kManyPorts))
      add(loan, {{1}, {std::max(1U, task_.pieces)}, {task_.bytes}});
  }

  void add_sum(const Loan& loan, uint32_t some, uint32_t ranks) {
    if (kind_ == CollectiveKind::kAllgather) {
      // The vector that is broadcast is all blocks.
      if (task_.pieces == 0)
        add(loan, {{1, 0}, {task_.pieces, task_.pieces * ranks}, {task_.bytes, task_.bytes * ranks}});
      return;
    }
    const uint32_t parts = some / loan.lenders[0].collective().pieces();
    const uint64_t part_bytes = task_.bytes / ranks + (task_.bytes % ranks == 0 ? 0 : 1);
    const uint64_t bytes = parts == 1 ? task_.bytes : part_bytes;
    add(loan, {{parts, parts}, {task_.pieces / parts, task_.pieces / parts}, {bytes, bytes}});
  }

  void add(const Loan& loan, const Asked& asked) {
    std::optional<Strength> strength = strength_of(kind_, loan, strength_);
    if (!strength) return;
    // Messages get smaller: that does not go round, either.
    if (loan.kind == LoanKind::kSum && kind_ == CollectiveKind::kBroadcast) strength = strength_;
    TimedOffer offer{task_, backwards_, loan, {}, asked.parts, {}, *strength, 0};
    if (loan.kind == LoanKind::kWeaker && limits_.small) {
      // Compacted, its plan takes less, but hardly ever so much less that who is slower lends; an exchange's half, from one port
      // to two.
      offer.fewer = port_count(loan.lenders[0]);
      const bool is_halved = kind_ == CollectiveKind::kAlltoall && offer.fewer == 1;
      offer.ports = limits_.few ? port_count(one_) : std::min(port_count(one_), is_halved ? 2U : offer.fewer);
      if (offer.fewer >= kManyPorts) offer.ports = offer.fewer;
    }
    offer.is_free = is_free(loan);
    for (size_t i = 0; i < loan.lenders.size(); ++i) {
      offer.lenders.push_back(
          {with_plain_ports(in_pieces(loan.lenders[i], 1)), task_.turned, asked.bytes[i], asked.pieces[i]});
      offer.bounds.push_back(
          offer.is_free ? 0
                        : bounds_.bound_of_lender(offer.lenders.back(), wanted_ * offer.ports / offer.fewer));
      offer.least += offer.bounds.back();
    }
    offer.least = offer.least * offer.fewer / offer.ports;
    // It is measured by itself.
    if (merges(loan)) offer.least = bounds_.bound(task_, wanted_);
    out_.push_back(std::move(offer));
  }

  // An exchange has a block for everybody, and one who gathers one for all: messages of many get shorter.
  [[nodiscard]] bool is_free(const Loan& loan) const {
    const bool is_exchange =
        loan.kind == LoanKind::kPart && loan.lenders[0].collective().kind() == CollectiveKind::kAlltoall;
    return loan.kind == LoanKind::kPersonalised || loan.kind == LoanKind::kTogether || merges(loan) ||
           (is_exchange && is_of_start_ups() && kind_ == CollectiveKind::kAllgather &&
            carries_many(one_.model()));
  }

  // On more than few nodes, where it takes longer, an exchange is asked where a block takes no longer than a start-up.
  [[nodiscard]] bool is_of_start_ups() const {
    const CostConstants& cost = one_.model().cost;
    return limits_.few || static_cast<double>(task_.bytes) * cost.tx <= cost.ts;
  }

  const TimedTask& task_;
  const Problem& one_;  // in one piece
  CollectiveKind kind_;
  bool backwards_;
  Strength strength_;
  double wanted_;
  OfferLimits limits_;
  TaskBounds& bounds_;
  std::vector<TimedOffer> out_{};
};

}  // namespace

std::vector<TimedOffer> offers_for(const TimedTask& task, bool backwards, Strength strength, double wanted,
                                   OfferLimits limits, TaskBounds& bounds) {
  return OffersOfTask(task, backwards, strength, wanted, limits, bounds).all();
}

bool merges(const Loan& loan) {
  return loan.kind == LoanKind::kMerged || loan.kind == LoanKind::kThroughPorts;
}

}  // namespace quadrille
