#include "quadrille/compile/lending/strength.h"

namespace quadrille {

std::optional<Strength> strength_of(CollectiveKind kind, const Loan& loan, Strength asked) {
  const auto only = [&](Strength wanted, Strength strength) {
    std::optional<Strength> out;
    if (asked == wanted) out.emplace(strength);
    return out;
  };
  if (asked == Strength::kTop) {
    if (loan.kind == LoanKind::kOneWay) return Strength::kFull;
    if (loan.kind == LoanKind::kWeaker && loan.name == "packet") return Strength::kTop;
    return std::nullopt;
  }
  switch (loan.kind) {
    case LoanKind::kWeaker:
    case LoanKind::kHalfDuplex:
      return only(Strength::kBasic, Strength::kFull);
    case LoanKind::kSame:
    case LoanKind::kCompacted:
    case LoanKind::kReversed:
    case LoanKind::kNamed:   // the same question
    case LoanKind::kOneWay:  // kTop alone
    case LoanKind::kInTurn:  // lend_in_order.h
      return std::nullopt;
    case LoanKind::kPart:
      return only(Strength::kFull, loan.lenders[0].collective().kind() == CollectiveKind::kAllreduce
                                       ? Strength::kBasic
                                       : Strength::kFull);
    case LoanKind::kPersonalised:
      return kind == CollectiveKind::kScatter && asked == Strength::kFull ? Strength::kFull
                                                                          : Strength::kBasic;
    case LoanKind::kTogether:
      return asked;
    case LoanKind::kMirrored:
    case LoanKind::kMerged:
    case LoanKind::kThroughPorts:
      return only(Strength::kBasic, Strength::kOwn);  // of plans that cards have
    case LoanKind::kSum:
      if (kind == CollectiveKind::kAllreduce) {
        return loan.lenders[0].collective().kind() == CollectiveKind::kReduce
                   ? only(Strength::kFull, Strength::kFull)
                   : only(Strength::kBasic, Strength::kFull);
      }
      return only(kind == CollectiveKind::kBroadcast ? Strength::kFull : Strength::kBasic, Strength::kBasic);
  }
  return std::nullopt;
}

}  // namespace quadrille
