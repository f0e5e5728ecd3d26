#include "quadrille/bounds/exchanges/starved_ends.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace quadrille {
namespace {

constexpr size_t kMostStarved = 64;  // steps at either end

// The dearest so many.
Int128 worth_of(std::vector<std::pair<uint32_t, uint64_t>>& links, uint64_t blocks) {
  std::ranges::sort(links, std::greater<>());
  Int128 worth = 0;
  for (const auto& [weight, number] : links) {
    const uint64_t taken = std::min(number, blocks);
    worth += Int128{weight} * taken;
    blocks -= taken;
  }
  return worth;
}

}  // namespace

StarvedEnds::StarvedEnds(const Topology& topology)
    : topology_(topology), first_(end_of(false)), last_(end_of(true)) {}

StarvedEnds::End StarvedEnds::end_of(bool backwards) const {
  End out;
  const auto from = [&](ArcId arc) { return index(backwards ? topology_.head(arc) : topology_.tail(arc)); };
  const auto to = [&](ArcId arc) { return index(backwards ? topology_.tail(arc) : topology_.head(arc)); };
  std::vector<char> is_router(topology_.num_nodes(), 1);
  for (const NodeId e : topology_.endpoints()) is_router[index(e)] = 0;
  std::vector<uint64_t> width(topology_.num_nodes(), 0);
  uint64_t all = 0;
  for (const ArcId arc : topology_.arcs()) {
    if (is_router[from(arc)] != 0) {
      width[from(arc)] += topology_.capacity(arc);
      all += topology_.capacity(arc);
      out.arcs.push_back(arc);
    } else if (is_router[to(arc)] != 0) {
      out.entering += topology_.capacity(arc);
    }
  }
  std::ranges::stable_sort(out.arcs, {}, from);
  std::vector<size_t> routers;
  for (size_t i = 0; i < out.arcs.size(); ++i) {
    if (i > 0 && from(out.arcs[i]) == from(out.arcs[i - 1])) continue;
    routers.push_back(from(out.arcs[i]));
    out.begin.push_back(i);
  }
  out.begin.push_back(out.arcs.size());
  // What each node has been sent so far; endpoints have enough of their own.
  std::vector<uint64_t> held(topology_.num_nodes(), 0);
  for (size_t t = 0; t < kMostStarved; ++t) {
    const bool has_enough = out.entering * t >= all &&
                            std::ranges::all_of(routers, [&](size_t v) { return held[v] >= width[v]; });
    if (has_enough) break;
    for (const size_t v : routers) out.held.push_back(held[v]);
    ++out.steps;
    std::vector<uint64_t> then(held);
    for (const ArcId arc : topology_.arcs()) {
      const uint64_t can = is_router[from(arc)] != 0 ? held[from(arc)] : UINT64_MAX;
      then[to(arc)] += std::min<uint64_t>(topology_.capacity(arc), can);
    }
    held = std::move(then);
  }
  return out;
}

Int128 StarvedEnds::unsold(const End& end, size_t step, std::span<const uint32_t> weights) {
  if (step >= end.steps) return 0;
  Int128 all = 0;
  Int128 of_each = 0;
  dearest_.clear();
  const size_t routers = end.begin.size() - 1;
  for (size_t i = 0; i < routers; ++i) {
    of_one_.clear();
    for (size_t a = end.begin[i]; a < end.begin[i + 1]; ++a)
      of_one_.emplace_back(weights[index(end.arcs[a])], topology_.capacity(end.arcs[a]));
    for (const auto& [weight, number] : of_one_) all += Int128{weight} * number;
    dearest_.insert(dearest_.end(), of_one_.begin(), of_one_.end());
    of_each += worth_of(of_one_, end.held[step * routers + i]);
  }
  return all - std::min(of_each, worth_of(dearest_, end.entering * step));
}

Rational StarvedEnds::steps(Int128 paid, Int128 sold, std::span<const uint32_t> weights) {
  Rational best = Rational::of(paid, sold);
  Int128 missed = 0;
  for (size_t k = 1; k <= std::max(first_.steps, last_.steps); ++k) {
    const Int128 here = unsold(first_, k - 1, weights) + unsold(last_, k - 1, weights);
    if (here == 0) break;
    missed += here;
    const Rational value = Rational::of(paid + missed, sold);
    if (value <= Rational(static_cast<int64_t>(2 * k))) break;
    best = value;
  }
  return best;
}

}  // namespace quadrille
