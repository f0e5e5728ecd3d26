#include "quadrille/bounds/spreading/most_deliveries.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {

MostDeliveries::MostDeliveries(const Problem& problem, NodeId root, bool backwards, uint64_t steps_of_one)
    : others_(problem.collective().num_ranks() - 1), steps_of_one_(steps_of_one) {
  const Topology& topology = problem.topology();
  const NodeCapacities links = node_capacities(topology);
  const std::vector<uint64_t>& capacity = backwards ? links.in : links.out;
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  // What any nodes send together in a step, the root and those that can send most.
  std::vector<uint64_t> together;
  for (const NodeId v : topology.nodes())
    if (v != root) together.push_back(limited(ports, capacity[index(v)]));
  own_ = limited(ports, capacity[index(root)]);
  std::sort(together.begin(), together.end(), std::greater<>());
  together.insert(together.begin(), own_);
  for (size_t i = 1; i < together.size(); ++i) together[i] += together[i - 1];
  at_most_ = together.back();

  const std::vector<uint32_t> hops =
      backwards ? distances_to(topology, root) : distances_from(topology, root);
  uint32_t farthest = 0;
  for (const NodeId v : topology.endpoints()) farthest = std::max(farthest, hops[index(v)]);
  std::vector<uint64_t> within;  // nodes within t hops
  for (const uint32_t h : hops) {
    if (h >= within.size()) within.resize(h + size_t{1});
    ++within[h];
  }
  for (size_t t = 1; t < within.size(); ++t) within[t] += within[t - 1];

  sent_ = {0};
  uint64_t having = 1;
  uint64_t steps = 0;
  while (having <= others_ && steps < within.size() + others_) {
    const uint64_t now = together[having - 1];
    sent_.push_back(sent_.back() + now);
    ++steps;
    having = std::min(
        {having + now, within[std::min<size_t>(steps, within.size() - 1)], uint64_t{together.size()}});
  }
  steps_of_one_ = std::max({steps_of_one_, steps, uint64_t{farthest}});
  // Until as many have something as ever will.
  while (having < together.size() && sent_.size() < within.size() + others_) {
    const uint64_t now = together[having - 1];
    sent_.push_back(sent_.back() + now);
    having = std::min({having + now, within[std::min<size_t>(sent_.size() - 1, within.size() - 1)],
                       uint64_t{together.size()}});
  }
}

uint64_t MostDeliveries::pieces(uint64_t steps) const {
  if (others_ == 0) return UINT64_MAX;
  if (steps < steps_of_one_) return 0;
  const uint64_t known = sent_.size() - 1;
  const uint64_t sent = steps <= known ? sent_[steps] : sent_[known] + (steps - known) * at_most_;
  return std::min(own_ * (steps - steps_of_one_ + 1), sent / others_);
}

}  // namespace quadrille
