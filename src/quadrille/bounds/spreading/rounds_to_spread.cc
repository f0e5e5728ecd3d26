#include "quadrille/bounds/spreading/rounds_to_spread.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "quadrille/bounds/demand.h"

namespace quadrille {
namespace {

double number(uint64_t value) { return static_cast<double>(value); }

}  // namespace

RoundsToSpread::RoundsToSpread(const Problem& problem, NodeId origin, bool backwards, uint64_t steps_of_one)
    : others_(number(problem.collective().num_ranks() - 1)), steps_of_one_(steps_of_one) {
  const Topology& topology = problem.topology();
  const Model& model = problem.model();
  const NodeCapacities links = node_capacities(topology);
  const std::vector<uint64_t>& capacity = backwards ? links.in : links.out;
  const std::vector<uint64_t>& opposite = backwards ? links.out : links.in;
  const Ports ports = backwards ? model.receive : model.send;
  const Ports others_ports = backwards ? model.send : model.receive;
  const BlocksARound a_round(problem);
  own_ = number(a_round(ports, capacity[index(origin)]));
  growth_ = 1 + number(most_messages(problem, std::ranges::max(capacity), ports));
  uint64_t doubling = 0;
  for (double reached = 1; reached <= others_; reached *= growth_) ++doubling;
  steps_of_one_ = std::max(steps_of_one_, doubling);

  std::vector<uint64_t> each;
  uint64_t received = 0;
  for (const NodeId v : topology.nodes()) {
    if (v == origin) continue;
    each.push_back(a_round(ports, capacity[index(v)]));
    received += a_round(others_ports, opposite[index(v)]);
  }
  std::ranges::sort(each, std::greater<>());
  if (model.duplex == Duplex::kHalf)
    received = std::min(received, std::accumulate(links.both.begin(), links.both.end(), uint64_t{0}) / 2);
  double together = own_;
  double knowing = 1;
  for (size_t counted = 0;; knowing *= growth_) {
    for (; counted < each.size() && number(counted) + 1 < knowing; ++counted)
      together += number(each[counted]);
    sent_.push_back(std::max(own_, std::min(together, number(received))));
    if (counted == each.size()) return;
  }
}

double RoundsToSpread::sent(uint64_t step) const { return sent_[std::min<size_t>(step, sent_.size()) - 1]; }

double RoundsToSpread::price_of_knowing(uint64_t steps, double of_leaving) const {
  // What is left of the price of a round; below it, what is paid for the origin's sends must stay.
  const auto cost = [&](uint64_t step) { return step + steps_of_one_ <= steps + 1 ? 1 - of_leaving : 1.0; };
  struct Excess {
    double value = -1;
    double slope = 1;  // by the last price
  };
  const auto excess = [&](double last) {
    Excess out;
    double price = last;
    double slope = 1;
    for (uint64_t step = steps; step >= 1; --step) {
      const double over = own_ * price - cost(step);
      if (over > out.value) out = {over, own_ * slope};
      const double all = sent(step);
      const double paid = all * price - cost(step);
      if (paid <= 0 || all <= own_) continue;
      price += (growth_ - 1) * paid / (all - own_);
      slope *= 1 + (growth_ - 1) * all / (all - own_);
    }
    return out;
  };
  // Newton's way from above: the excess is convex in the last price, and grows with it.
  double last = 1 / own_;
  for (int i = 0; i < 60; ++i) {
    const Excess now = excess(last);
    if (now.value <= 0) return last;
    const double next = last - now.value / now.slope;
    if (next <= 0) return 0;
    last = next < last * (1 - 1e-12) ? next : last * (1 - 1e-12);
  }
  return 0;
}

double RoundsToSpread::operator()(uint64_t steps) const {
  if (others_ == 0) return 0;
  const auto at = [&](double of_leaving) {
    return others_ * price_of_knowing(steps, of_leaving) + of_leaving / own_;
  };
  // The best is a concave function of the price of leaving.
  double from = 0;
  double to = 1;
  double best = std::max(at(from), at(to));
  for (int i = 0; i < 60; ++i) {
    const double low = from + (to - from) / 3;
    const double high = to - (to - from) / 3;
    const double at_low = at(low);
    const double at_high = at(high);
    best = std::max({best, at_low, at_high});
    (at_low < at_high ? from : to) = at_low < at_high ? low : high;
  }
  return best;
}

}  // namespace quadrille
