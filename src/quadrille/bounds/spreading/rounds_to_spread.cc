#include "quadrille/bounds/spreading/rounds_to_spread.h"

#include <algorithm>
#include <functional>
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

RoundsToSpread::Price RoundsToSpread::price_of_knowing(uint64_t steps, double of_leaving,
                                                       double at_most) const {
  // What of a round is not paid for by the origin's sends.
  const auto is_early = [&](uint64_t step) { return step + steps_of_one_ <= steps + 1; };
  struct Excess {
    double value = -1;
    double by_last = 1;  // its slopes
    double by_leaving = 0;
  };
  const auto excess = [&](double last) {
    Excess out;
    Excess price{last, 1, 0};
    for (uint64_t step = steps; step >= 1; --step) {
      const double cost = is_early(step) ? 1 - of_leaving : 1.0;
      const double cost_by_leaving = is_early(step) ? -1.0 : 0.0;
      const double over = own_ * price.value - cost;
      if (over > out.value) out = {over, own_ * price.by_last, own_ * price.by_leaving - cost_by_leaving};
      const double all = sent(step);
      if (all * price.value <= cost || all <= own_) continue;
      const double factor = (growth_ - 1) / (all - own_);
      price.value += factor * (all * price.value - cost);
      price.by_leaving += factor * (all * price.by_leaving - cost_by_leaving);
      price.by_last += factor * all * price.by_last;
    }
    return out;
  };
  // Newton's way from above: the excess is convex in the last price, and grows with it.
  Price out{at_most, 0};
  for (int i = 0; i < 60; ++i) {
    const Excess now = excess(out.value);
    if (now.value <= 0) return out;
    out.slope = -now.by_leaving / now.by_last;
    out.value = std::min(out.value - now.value / now.by_last, out.value * (1 - 1e-13));
    if (out.value <= 0) break;
  }
  return {0, out.slope};
}

double RoundsToSpread::best_of(uint64_t steps, double& at_most) const {
  struct Line {
    double at;
    Price price;
    double value;
    double slope;
  };
  const auto line_at = [&](double of_leaving, double most) {
    const Price price = price_of_knowing(steps, of_leaving, most);
    return Line{of_leaving, price, others_ * price.value + of_leaving / own_,
                others_ * price.slope + 1 / own_};
  };
  // Concave, and of few straight pieces: its top is looked for where tangents from both sides meet.
  Line low = line_at(0, at_most);
  at_most = low.price.value;
  Line high = line_at(1, at_most);
  double best = std::max(low.value, high.value);
  for (int i = 0; i < 40 && low.slope > 0 && high.slope < 0; ++i) {
    const double meet =
        (high.value - low.value + low.slope * low.at - high.slope * high.at) / (low.slope - high.slope);
    if (!(meet > low.at && meet < high.at)) break;
    const double farther = meet - low.at;
    const Line now = line_at(meet, low.price.value + low.price.slope * farther);
    best = std::max(best, now.value);
    if (now.value >= (low.value + low.slope * farther) * (1 - 1e-12)) break;
    (now.slope > 0 ? low : high) = now;
  }
  return best;
}

std::vector<double> RoundsToSpread::in_steps(uint64_t from, size_t count, double least) const {
  std::vector<double> out;
  // With more steps what is known costs no more: of fewer ones it is found in a moment for the next.
  double at_most = 1 / own_;
  for (uint64_t fewer = 1; fewer < from; ++fewer) at_most = price_of_knowing(fewer, 0, at_most).value;
  for (uint64_t steps = from; out.size() < count; ++steps) {
    out.push_back(others_ == 0 ? least : std::max(least, best_of(steps, at_most)));
    if (out.back() <= least) break;
  }
  return out;
}

}  // namespace quadrille
