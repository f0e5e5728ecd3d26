// Price search: what any weights of links and ports prove of an exchange, and good ones.
//
// Give every link a weight, and every transfer that starts, or ends, at a node another. A block from s to d
// pays at least the price of the cheapest path, and one step has no more to sell than all that its links and
// ports carry, each at its weight: T >= (sum of the cheapest paths) / (what a step can sell). Any weights are
// a witness; those of one cut, of one node or all alike give the bounds of these names. Good ones are found by
// raising the weight of what is busiest when every block takes a cheapest path, again and again (the dual of
// the concurrent flow; Garg and Konemann 2007, Young 1995 for the method); whole numbers make the bound exact.
#pragma once

#include <optional>
#include <string>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct PricedExchange {
  Rational steps{};
  WeightsWitness weights{};
};

/// The best that was found, of alltoall or alltoallv by packets; with `starved`, less what routers miss at either end
/// (exchanges/starved_ends.h), which is for full duplex. Nothing if that says nothing, takes too long, or is stopped. `other`: what another
/// bound says; on a large network prices that stay below it, and do not rise at first, are given up.
[[nodiscard]] std::optional<PricedExchange> priced_exchange(const Problem& problem, bool starved,
                                                            const Rational& other = Rational(0));

/// ", with weights for 12 links, 3 senders and ..": how many of each there are.
[[nodiscard]] std::string what_is_weighed(const WeightsWitness& weights);

}  // namespace quadrille
