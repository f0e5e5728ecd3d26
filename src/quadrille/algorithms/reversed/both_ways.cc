#include "quadrille/algorithms/reversed/both_ways.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace {

uint32_t pieces_for_each(const Problem& allreduce) {
  return (allreduce.collective().pieces() - 1) / allreduce.collective().num_ranks() + 1;
}

Problem half_of(const Problem& allreduce, CollectiveKind kind) {
  const Collective& collective = allreduce.collective();
  Model model = allreduce.model();
  model.combining = Operator::kCommutative;  // an allgather has none
  return Problem(allreduce.topology(),
                 Collective::standard(kind, collective.num_ranks(), Rank{0}, pieces_for_each(allreduce)),
                 model);
}

// The allgather that is the first half once it is read backwards: over the links turned round, and with the ports
// exchanged.
Problem first_half(const Problem& allreduce) {
  return reversed(half_of(allreduce, CollectiveKind::kReduceScatter));
}
Problem second_half(const Problem& allreduce) { return half_of(allreduce, CollectiveKind::kAllgather); }

// Block b of the halves is piece b of the whole. Where the last ranks have fewer pieces, the blocks that are not there are
// left out, and steps that have no other.
class Dealt final : public StepSink {
 public:
  Dealt(const Problem& allreduce, TransferOp op, StepSink& sink)
      : pieces_(allreduce.collective().num_blocks()),
        all_there_(pieces_ % allreduce.collective().num_ranks() == 0),
        op_(op),
        sink_(sink) {}

  void push(const StepView& step) override {
    if (all_there_ && op_ == TransferOp::kDefault) return sink_.push(step);
    for (size_t t = 0; t < step.size(); ++t) {
      blocks_.clear();
      for (const BlockId block : step.blocks(t))
        if (index(block) < pieces_) blocks_.push_back(block);
      if (!blocks_.empty()) out_.add(step.arcs(t), blocks_, op_);
    }
    if (all_there_ || !out_.empty()) out_.flush(sink_);
  }

 private:
  uint32_t pieces_;
  bool all_there_;
  TransferOp op_;
  StepSink& sink_;
  StepBuilder out_;
  std::vector<BlockId> blocks_;
};

// One plan of the allgather for the first half, one for the second.
struct Halves {
  PreparedPlan first;
  PreparedPlan second;
};

void generate(const Problem& allreduce, const Halves& halves, StepSink& sink) {
  {
    Plan plan;
    halves.first->generate(plan);
    Dealt dealt(allreduce, TransferOp::kDefault, sink);
    reverse(halves.first->problem(), plan).replay(dealt);
  }
  Dealt dealt(allreduce, TransferOp::kCopy, sink);
  halves.second->generate(dealt);
}

std::optional<uint64_t> sum(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

// What the halves predict, if no pieces are missing.
Prediction predicted(const Halves& halves) {
  const Prediction first = halves.first->prediction();
  const Prediction second = halves.second->prediction();
  return {.steps = sum(first.steps, second.steps),
          .start_ups = sum(first.start_ups, second.start_ups),
          .critical_blocks = sum(first.critical_blocks, second.critical_blocks),
          .critical_hops = sum(first.critical_hops, second.critical_hops),
          .measured = first.measured || second.measured};
}

// With few pieces, which leave out most of a half, the longer one alone is sure; but whatever is there of the first rank's goes to it
// and to all from there.
uint64_t start_ups_at_least(const Problem& allreduce, const Halves& halves) {
  const uint64_t first = halves.first->least_start_ups();
  const uint64_t second = halves.second->least_start_ups();
  if (allreduce.collective().pieces() % allreduce.collective().num_ranks() == 0) return first + second;
  if (allreduce.model().switching != Switching::kPacket) return std::max(first, second);
  const Topology& net = allreduce.topology();
  const uint64_t there = eccentricity(halves.first->problem().topology(), net.endpoint(Rank{0}));
  return std::max({first, second, there + eccentricity(net, net.endpoint(Rank{0}))});
}

PreparedPlan join(const Problem& allreduce, const Halves& halves, uint64_t least) {
  const Effort effort = std::max(halves.first->effort(), halves.second->effort());
  const std::string member = halves.first->member();
  if (allreduce.collective().pieces() % allreduce.collective().num_ranks() == 0) {
    return std::make_shared<Prepared>(
        allreduce, [halves](const Problem&) { return predicted(halves); },
        [halves](const Problem& problem, StepSink& sink) { generate(problem, halves, sink); }, effort,
        member);
  }
  return sharing(
      allreduce,
      [halves](const Problem& problem) {
        MeasuredPlan plan;
        generate(problem, halves, plan);
        return plan;
      },
      [least](const Problem& problem, Once<MeasuredPlan>& plan) -> Prediction {
        if (!plan.is_made() && WorthMaking::is_limited() && !WorthMaking::is_any_of(least)) return {};
        // What is measured is the longest transfer, not what shares an arc: who chooses by time does without.
        if (shares_arcs(problem.model()) && WorthMaking::is_by_time()) return {};
        Prediction out = measured_up_to<kMostMeasuredPackets>(problem, plan);
        if (shares_arcs(problem.model())) out.critical_blocks.reset();
        return out;
      },
      [halves](const Problem& problem, Once<MeasuredPlan>& plan, StepSink& sink) {
        if (plan.is_made() && plan.get().is_kept()) return plan.get().replay(sink);
        generate(problem, halves, sink);
      },
      effort, member);
}

PreparedPlan joined(const Problem& allreduce, const Halves& halves) {
  const uint64_t least = start_ups_at_least(allreduce, halves);
  PreparedPlan out = join(allreduce, halves, least);
  out->takes_at_least(least);
  return out;
}

}  // namespace

Applicability applies_both_ways(const Algorithm& allgather, const Problem& allreduce) {
  if (Applicability fits = allgather.applies(first_half(allreduce)); !fits.applies) return fits;
  return allgather.applies(second_half(allreduce));
}

Chunking chunks_both_ways(const Algorithm& allgather, const Problem& allreduce) {
  Chunking out = allgather.chunks == nullptr ? Chunking{} : allgather.chunks(second_half(allreduce));
  out.unit *= allreduce.collective().num_ranks();
  return out;
}

Preparation prepare_both_ways(const Algorithm& allgather, const Problem& allreduce) {
  Preparation first = prepare(allgather, first_half(allreduce));
  if (!first.fits.applies) return first;
  // Where both ways are alike, what the one half has found out serves the other.
  const bool alike = first_half(allreduce).topology().tails().data() == allreduce.topology().tails().data() &&
                     allreduce.model().send == allreduce.model().receive;
  Preparation second = alike ? first : prepare(allgather, second_half(allreduce));
  if (!second.fits.applies) return second;
  Preparation out;
  for (PreparedPlan& plan : first.plans) {
    if (PreparedPlan same = plan->member().empty() ? second.plans.front() : second.find(plan->member()))
      out.plans.push_back(joined(allreduce, {plan, std::move(same)}));
  }
  QUADRILLE_CHECK(!out.plans.empty(), allgather.name);
  return out;
}

}  // namespace quadrille
