#include "quadrille/algorithms/packing/through_ports.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/colouring/edge_colouring.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// Parts the steps that are pushed as the problem's ports need. Transfers must be of one hop.
class PortsSink final : public StepSink, private SymmetricSink {
 public:
  PortsSink(const Problem& problem, StepSink& sink);

  void push(const StepView& step) override;
  [[nodiscard]] SymmetricSink* symmetric() override { return sink_.symmetric() != nullptr ? this : nullptr; }

 private:
  void push_symmetric(std::span<const SymmetricMove> moves) override;
  // Both say the step of each transfer, and return how many there are.
  uint32_t first_fit(const StepView& step);
  uint32_t coloured(const StepView& step, uint32_t most);

  Problem problem_;
  StepSink& sink_;
  uint32_t ports_;
  std::vector<uint32_t> step_of_{};
  std::vector<uint32_t> order_{};
  std::vector<uint32_t> sent_{};      // by step and node
  std::vector<uint32_t> received_{};  // by step and node
  std::vector<StepBuilder> parts_{};
};

PortsSink::PortsSink(const Problem& problem, StepSink& sink)
    : problem_(problem), sink_(sink), ports_(UINT32_MAX) {
  for (const Ports ports : {problem.model().send, problem.model().receive})
    if (!ports.unlimited()) ports_ = std::min(ports_, ports.count);
}

uint32_t PortsSink::first_fit(const StepView& step) {
  const Topology& topology = problem_.topology();
  order_.resize(step.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return step.blocks(a).size() > step.blocks(b).size(); });
  sent_.clear();
  received_.clear();
  uint32_t steps = 0;
  for (const uint32_t t : order_) {
    const ArcId arc = step.arcs(t).front();
    for (uint32_t s = 0;; ++s) {
      if (s == steps) {
        ++steps;
        sent_.resize(size_t{steps} * topology.num_nodes(), 0);
        received_.resize(size_t{steps} * topology.num_nodes(), 0);
      }
      uint32_t& sent = sent_[size_t{s} * topology.num_nodes() + index(topology.tail(arc))];
      uint32_t& received = received_[size_t{s} * topology.num_nodes() + index(topology.head(arc))];
      if (sent == ports_ || received == ports_) continue;
      ++sent;
      ++received;
      step_of_[t] = s;
      break;
    }
  }
  return steps;
}

// `most` messages at a node.
uint32_t PortsSink::coloured(const StepView& step, uint32_t most) {
  const Topology& topology = problem_.topology();
  std::vector<BipartiteEdge> edges;
  for (size_t t = 0; t < step.size(); ++t) {
    const ArcId arc = step.arcs(t).front();
    edges.push_back(
        {static_cast<uint32_t>(index(topology.tail(arc))), static_cast<uint32_t>(index(topology.head(arc)))});
  }
  const std::vector<uint32_t> colours = edge_colouring(topology.num_nodes(), topology.num_nodes(), edges);
  // Colours of large messages together.
  std::vector<size_t> largest(most, 0);
  for (size_t t = 0; t < step.size(); ++t)
    largest[colours[t]] = std::max(largest[colours[t]], step.blocks(t).size());
  std::vector<uint32_t> by_size(most);
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](uint32_t a, uint32_t b) { return largest[a] > largest[b]; });
  std::vector<uint32_t> step_of_colour(most);
  for (uint32_t i = 0; i < most; ++i) step_of_colour[by_size[i]] = i / ports_;
  for (size_t t = 0; t < step.size(); ++t) step_of_[t] = step_of_colour[colours[t]];
  return (most - 1) / ports_ + 1;
}

void PortsSink::push(const StepView& step) {
  const Topology& topology = problem_.topology();
  std::vector<uint32_t> out(topology.num_nodes(), 0);
  std::vector<uint32_t> in(topology.num_nodes(), 0);
  uint32_t most = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    QUADRILLE_CHECK(step.arcs(t).size() == 1, "a path may pass through nodes without a port left");
    const ArcId arc = step.arcs(t).front();
    most = std::max({most, ++out[index(topology.tail(arc))], ++in[index(topology.head(arc))]});
  }
  if (most <= ports_) {
    sink_.push(step);
    return;
  }
  step_of_.resize(step.size());
  uint32_t steps = first_fit(step);
  if (steps > (most - 1) / ports_ + 1) steps = coloured(step, most);
  parts_.resize(std::max<size_t>(parts_.size(), steps));
  for (size_t t = 0; t < step.size(); ++t)
    parts_[step_of_[t]].add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
  for (uint32_t s = 0; s < steps; ++s) parts_[s].flush(sink_);
}

// Every node sends, and receives, one message for each transfer of a node, so the largest go first. That is what first_fit()
// finds at all nodes.
void PortsSink::push_symmetric(std::span<const SymmetricMove> moves) {
  std::vector<std::span<const SymmetricMove>> transfers;
  for (size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    end = begin + 1;
    while (end < moves.size() && moves[end].joins) ++end;
    transfers.push_back(moves.subspan(begin, end - begin));
  }
  if (transfers.size() <= ports_) return sink_.symmetric()->push_symmetric(moves);
  std::ranges::stable_sort(transfers, std::greater<>{}, &std::span<const SymmetricMove>::size);
  std::vector<SymmetricMove> part;
  for (size_t t = 0; t < transfers.size(); ++t) {
    part.insert(part.end(), transfers[t].begin(), transfers[t].end());
    if ((t + 1) % ports_ != 0 && t + 1 < transfers.size()) continue;
    sink_.symmetric()->push_symmetric(part);
    part.clear();
  }
}

}  // namespace

Problem with_all_links(const Problem& problem) {
  Model model = problem.model();
  const uint64_t links = std::max(most_links_out(problem.topology()), most_links_in(problem.topology()));
  const auto are_enough = [links](Ports ports) { return ports.unlimited() || ports.count >= links; };
  if (model.switching != Switching::kPacket || (are_enough(model.send) && are_enough(model.receive)))
    return problem;
  model.send = model.receive = kAllPorts;
  return {problem.topology(), problem.collective(), model};
}

Preparation through_ports(const Problem& problem, Preparation (*prepare)(const Problem&)) {
  const Problem wide = with_all_links(problem);
  Preparation out = prepare(wide);
  if (wide.model() == problem.model()) return out;
  for (PreparedPlan& plan : out.plans) {
    const auto generate = [plan](const Problem& p, StepSink& sink) {
      PortsSink ports(p, sink);
      plan->generate(ports);
    };
    const auto predicted = [plan, generate, prepare](const Problem& p) -> Prediction {
      if (const auto measured_before = KeptPaths::figures(p, prepare, plan->member()))
        return *measured_before;
      const Prediction with_all = plan->prediction();
      if (!with_all.steps || !WorthMaking::is_any_of(*with_all.steps)) return {};
      count_work(Work::kSearching);
      MeasuredPlan measured(p, 0);
      generate(p, measured);
      Prediction known = measured.prediction();
      known.busiest_link = with_all.busiest_link;
      KeptPaths::keep_figures(p, prepare, plan->member(), known);
      return known;
    };
    plan = std::make_shared<Prepared>(problem, predicted, generate, plan->effort(), plan->member());
  }
  return out;
}

}  // namespace quadrille
