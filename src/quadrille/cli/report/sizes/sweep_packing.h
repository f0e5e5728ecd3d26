// What one process of a crew found out about a network, for the others (base/crew/packing.h).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/crew/packing.h"
#include "quadrille/base/rational.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/cli/report/sizes/simulated_rows.h"
#include "quadrille/compile/by_size.h"

namespace quadrille {

/// All of a NetworkSweep but its problem, which everybody has.
struct SharedSweep {
  SizeSweep sweep{};
  std::vector<SimulatedRow> simulated{};
};

void fields(auto& io, Rational& fraction) {
  const auto halves = [&io](Int128& whole) {
    auto high = static_cast<int64_t>(whole >> 64U);
    auto low = static_cast<uint64_t>(whole);
    io(high, low);
    whole = static_cast<Int128>((UInt128{static_cast<uint64_t>(high)} << 64U) | low);
  };
  Int128 numerator = fraction.numerator();
  Int128 denominator = fraction.denominator();
  halves(numerator);
  halves(denominator);
  if constexpr (std::remove_reference_t<decltype(io)>::kReads)
    fraction = Rational::of(numerator, denominator);
}

void fields(auto& io, TimeBound::Stream& stream) { io(stream.steps, stream.pieces, stream.to); }
void fields(auto& io, TimeBound::Tree& tree) { io(tree.start_ups, tree.rounds); }
void fields(auto& io, TimeBound::Spread& spread) { io(spread.start_ups, spread.rounds); }
void fields(auto& io, TimeBound& bound) {
  io(bound.time, bound.start_ups, bound.start_ups_by, bound.rounds, bound.rounds_by, bound.further_messages,
     bound.stream, bound.tree, bound.spread, bound.relayed);
}

/// Without what has been prepared: a sweep keeps nothing of it.
void fields(auto& io, SizedPlan& plan) {
  io(plan.algorithm, plan.model_only, plan.pieces, plan.start_ups, plan.rounds, plan.hops, plan.rearranged,
     plan.further_messages, plan.effort);
}
void fields(auto& io, SizeRow& row) { io(row.bytes, row.best, row.time, row.next, row.bound); }
void fields(auto& io, SizeSweep& sweep) { io(sweep.plans, sweep.rows); }

void fields(auto& io, SimulatedRow& row) {
  io(row.bytes, row.time, row.formula, row.heads, row.flits, row.rest, row.meets_without, row.why_not);
}
void fields(auto& io, SharedSweep& all) { io(all.sweep, all.simulated); }

}  // namespace quadrille
