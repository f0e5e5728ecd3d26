#include "quadrille/topology/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

template <typename T>
std::optional<T> sum_of(const std::vector<TopologyFacts>& factors, std::optional<T> TopologyFacts::*figure) {
  T sum = 0;
  for (const TopologyFacts& factor : factors) {
    if (!(factor.*figure)) return std::nullopt;
    sum = sum + *(factor.*figure);
  }
  return sum;
}

// s(v) = E * sum of s_i(v_i) / E_i over the factors, where E counts endpoints.
std::optional<Int128> status_of(const TopologyFacts& whole, const std::vector<TopologyFacts>& factors,
                                std::optional<Int128> TopologyFacts::*figure) {
  Int128 sum = 0;
  for (const TopologyFacts& factor : factors) {
    if (!(factor.*figure)) return std::nullopt;
    sum += checked_product(*(factor.*figure), whole.endpoints / factor.endpoints, "total distance");
  }
  return sum;
}

constexpr std::string_view kBisection = "bisection";

// Cuts the product through one factor after another: an even factor is halved and ends it, an odd one leaves
// its middle layer to be halved by the next. The cheapest per node first.
std::optional<Bisection> lifted_bisection(const TopologyFacts& whole,
                                          const std::vector<TopologyFacts>& factors) {
  std::vector<const TopologyFacts*> order;
  for (const TopologyFacts& factor : factors) {
    if (factor.nodes == 1) continue;
    const bool even = factor.endpoints % 2 == 0;
    const bool whole_layers = factor.endpoints == factor.nodes;
    if (factor.bisection && (even || (factor.bisection->free_middle && whole_layers)))
      order.push_back(&factor);
  }
  std::stable_sort(order.begin(), order.end(), [](const TopologyFacts* a, const TopologyFacts* b) {
    return checked_product(a->bisection->capacity, b->nodes, kBisection) <
           checked_product(b->bisection->capacity, a->nodes, kBisection);
  });
  Bisection out;
  out.free_middle = whole.nodes % 2 != 0;
  Int128 layer = whole.nodes;
  for (const TopologyFacts* factor : order) {
    layer /= factor->nodes;
    out.capacity += checked_product(factor->bisection->capacity, layer, kBisection);
    out.reason +=
        fmt::format("{}halves of {}", out.reason.empty() ? "" : ", then the middle by ", factor->spec);
    if (factor->endpoints % 2 == 0) return out;
  }
  if (layer != 1) return std::nullopt;
  if (out.reason.empty()) out.reason = "one node";
  return out;
}

std::optional<Rational> lifted_load(const TopologyFacts& whole, const std::vector<TopologyFacts>& factors) {
  Rational load = 0;
  for (const TopologyFacts& factor : factors) {
    if (!factor.exchange_load || factor.endpoints != factor.nodes) return std::nullopt;
    load = std::max(load, *factor.exchange_load * Rational::of(whole.nodes / factor.nodes, 1));
  }
  return load;
}

// A connected product has every two nodes alike iff each of its factors has.
std::optional<bool> all_symmetric(const std::vector<TopologyFacts>& factors) {
  bool known = true;
  for (const TopologyFacts& factor : factors) {
    if (!factor.node_symmetric) {
      known = false;
    } else if (!*factor.node_symmetric) {
      return false;
    }
  }
  return known ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace

Int128 checked_product(Int128 a, Int128 b, std::string_view what) {
  constexpr Int128 kLimit = Int128{1} << 120U;
  Int128 out = 0;
  if (__builtin_mul_overflow(a, b, &out) || out > kLimit) {
    throw InputError(fmt::format("the {} of this topology is too large to be computed (beyond 2^120)", what));
  }
  return out;
}

std::optional<Rational> TopologyFacts::average_distance() const {
  if (!average_status || endpoints < 2) return std::nullopt;
  return *average_status * Rational::of(1, endpoints - 1);
}

void set_symmetric(TopologyFacts& facts, Int128 degree, std::optional<Int128> diameter,
                   std::optional<Int128> status, std::string group) {
  facts.min_degree = facts.max_degree = degree;
  facts.diameter = diameter;
  facts.min_status = facts.max_status = status;
  if (status) facts.average_status = Rational::of(*status, 1);
  facts.node_symmetric = true;
  facts.group = std::move(group);
}

TopologyFacts product_facts(std::string spec, const std::vector<TopologyFacts>& factors) {
  TopologyFacts out;
  out.spec = std::move(spec);
  out.nodes = out.endpoints = 1;
  for (const TopologyFacts& factor : factors) {
    out.nodes = checked_product(out.nodes, factor.nodes, "number of nodes");
    out.endpoints = checked_product(out.endpoints, factor.endpoints, "number of endpoints");
  }
  for (const TopologyFacts& factor : factors) {
    out.links += checked_product(factor.links, out.nodes / factor.nodes, "number of links");
  }
  out.min_degree = sum_of(factors, &TopologyFacts::min_degree);
  out.max_degree = sum_of(factors, &TopologyFacts::max_degree);
  out.diameter = sum_of(factors, &TopologyFacts::diameter);
  out.min_status = status_of(out, factors, &TopologyFacts::min_status);
  out.max_status = status_of(out, factors, &TopologyFacts::max_status);
  Rational relative = 0;
  bool known = true;
  for (const TopologyFacts& factor : factors) {
    known = known && factor.average_status.has_value();
    if (known) relative = relative + *factor.average_status * Rational::of(1, factor.endpoints);
  }
  if (known) out.average_status = relative * Rational::of(out.endpoints, 1);
  out.node_symmetric = all_symmetric(factors);
  if (std::all_of(factors.begin(), factors.end(), [](const TopologyFacts& f) { return !f.group.empty(); })) {
    for (const TopologyFacts& factor : factors) out.group += (out.group.empty() ? "" : " x ") + factor.group;
  }
  out.bisection = lifted_bisection(out, factors);
  out.exchange_load = lifted_load(out, factors);
  prove_by_exchange(out);
  return out;
}

void prove_by_exchange(TopologyFacts& facts) {
  if (!facts.bisection || facts.bisection->proved || !facts.exchange_load) return;
  if (*facts.exchange_load == Rational(0)) {
    facts.bisection->proved = facts.nodes == 1;
    return;
  }
  // In this order: there may be more pairs than can be counted.
  const Int128 half = facts.endpoints / 2;
  const Rational least =
      Rational::of(half, 1) / *facts.exchange_load * Rational::of(facts.endpoints - half, 1);
  // Whole capacities: one less than the cut would have to be at least the bound.
  if (least > Rational::of(facts.bisection->capacity - 1, 1)) {
    facts.bisection->proved = true;
    facts.bisection->reason += "; a total exchange shows that nothing is cheaper";
  }
}

}  // namespace quadrille
