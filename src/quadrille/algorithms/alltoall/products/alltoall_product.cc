// Total exchange in a product by algorithm A2, for which one port is enough: dimension after dimension, from
// the last to the first.
//
// While dimension i is corrected, a message sits at the node that has the destination's coordinates in the
// dimensions after i and the source's in the others. In one round every line of dimension i runs the total
// exchange of its factor on messages that agree in everything else that is free: the destination's
// coordinates before i and the source's after i. There are N/n_i rounds of T_i steps, so the whole takes
// N * sum of T_i/n_i steps; if every T_i is the average total distance of its factor, the total is
// that of the product, which is optimal.
//
// T_i is the time of the best plan that any card has for the factor, with as many ports as the problem's.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/schedule/plan.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product;

namespace alltoall_product_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.product() == nullptr) {
    return Applicability::no(fmt::format(
        "it needs a product of graphs, such as a mesh, a torus or a hypercube; {} is none", topology.name()));
  }
  if (topology.has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  }
  return Applicability::yes();
}

using FactorPlans = std::vector<std::shared_ptr<const FactorExchange>>;

// Equal factors share a plan.
FactorPlans factor_plans(const Problem& problem) {
  const std::vector<Topology>& factors = problem.topology().product()->factors;
  FactorPlans plans;
  for (size_t i = 0; i < factors.size(); ++i) {
    for (size_t j = 0; j < i && plans.size() == i; ++j) {
      if (factors[j].same_graph(factors[i])) plans.push_back(plans[j]);
    }
    if (plans.size() == i) {
      plans.push_back(
          factor_exchange(factors[i], factor_candidates(), 1, model_of_factor(problem, factors[i])));
    }
  }
  return plans;
}

Prediction predicted(const Problem& problem, const FactorPlans& plans) {
  const std::vector<Topology>& factors = problem.topology().product()->factors;
  uint64_t steps = 0;
  std::optional<uint64_t> busiest = 0;
  for (size_t i = 0; i < factors.size(); ++i) {
    const uint64_t rounds =
        uint64_t{problem.topology().num_nodes() / factors[i].num_nodes()} * problem.collective().pieces();
    steps += rounds * plans[i]->num_steps();
    const std::optional<uint64_t> here = plans[i]->busiest_link();
    busiest = busiest && here ? std::optional(std::max(*busiest, rounds * *here)) : std::nullopt;
  }
  return {.steps = steps, .start_ups = steps, .busiest_link = busiest};
}

// The nodes with coordinate 0 in one dimension, ascending: one for each line of the dimension.
std::vector<uint32_t> line_starts(uint32_t num_nodes, uint32_t stride, uint32_t size) {
  std::vector<uint32_t> starts;
  starts.reserve(num_nodes / size);
  for (uint32_t outer = 0; outer < num_nodes; outer += stride * size) {
    for (uint32_t inner = 0; inner < stride; ++inner) starts.push_back(outer + inner);
  }
  return starts;
}

// One dimension of the exchange. Numbers of blocks are sums of what depends on the round, on the line, and on
// the factor's message; all sums are below the number of blocks.
class DimensionExchange final : public StepSink {
 public:
  DimensionExchange(const Problem& problem, size_t dimension, const FactorExchange& exchange, StepSink& sink)
      : topology_(problem.topology()),
        factor_(topology_.product()->factors[dimension]),
        exchange_(exchange),
        sink_(sink),
        stride_(topology_.product()->strides[dimension]),
        pieces_(problem.collective().pieces()),
        starts_(line_starts(topology_.num_nodes(), stride_, factor_.num_nodes())) {
    lift_arcs();
  }

  void run() {
    // A round is a choice of the free coordinates: exactly what numbers a line.
    for (const uint32_t round : starts_) {
      for (uint32_t piece = 0; piece < pieces_; ++piece) {
        // Source: the round after the dimension. Destination: the round before it.
        base_ = block(round % stride_, round - round % stride_) + piece;
        exchange_.replay(*this);
      }
    }
  }

  // A step of the factor, in all lines.
  void push(const StepView& step) override {
    const size_t lines = starts_.size();
    out_arcs_.resize(step.size() * lines);
    out_blocks_.resize(step.size() * lines);
    for (size_t t = 0; t < step.size(); ++t) {
      const auto message = static_cast<uint32_t>(index(step.all_blocks[t]));
      const uint32_t source = message / factor_.num_nodes();
      const uint32_t destination = message % factor_.num_nodes();
      const uint32_t first = base_ + block(source * stride_, destination * stride_);
      std::copy_n(arcs_.begin() + static_cast<ptrdiff_t>(index(step.all_arcs[t]) * lines), lines,
                  out_arcs_.begin() + static_cast<ptrdiff_t>(t * lines));
      for (size_t l = 0; l < lines; ++l) out_blocks_[t * lines + l] = BlockId{first + line_blocks_[l]};
    }
    StepView out;
    out.all_arcs = out_arcs_;
    out.all_blocks = out_blocks_;
    sink_.push(out);
  }

 private:
  [[nodiscard]] uint32_t block(uint32_t source, uint32_t destination) const {
    return (source * topology_.num_nodes() + destination) * pieces_;
  }

  // arcs_[a * lines + l]: arc a of the factor in line l.
  void lift_arcs() {
    arcs_.resize(size_t{factor_.num_arcs()} * starts_.size());
    for (const ArcId a : factor_.arcs()) {
      const auto tail = static_cast<uint32_t>(index(factor_.tail(a))) * stride_;
      const auto head = static_cast<uint32_t>(index(factor_.head(a))) * stride_;
      for (size_t l = 0; l < starts_.size(); ++l) {
        arcs_[index(a) * starts_.size() + l] =
            *topology_.find_arc(NodeId{starts_[l] + tail}, NodeId{starts_[l] + head});
      }
    }
    // Source: the line before the dimension. Destination: the line after it.
    for (const uint32_t start : starts_)
      line_blocks_.push_back(block(start - start % stride_, start % stride_));
  }

  const Topology& topology_;
  const Topology& factor_;
  const FactorExchange& exchange_;
  StepSink& sink_;
  uint32_t stride_;
  uint32_t pieces_;
  std::vector<uint32_t> starts_;
  std::vector<ArcId> arcs_;
  std::vector<uint32_t> line_blocks_;
  uint32_t base_ = 0;  // of the round
  std::vector<ArcId> out_arcs_;
  std::vector<BlockId> out_blocks_;
};

void generate(const Problem& problem, const FactorPlans& plans, StepSink& sink) {
  for (size_t i = plans.size(); i-- > 0;) DimensionExchange(problem, i, *plans[i], sink).run();
}

}  // namespace
}  // namespace alltoall_product_parts

constinit const Algorithm alltoall_product = {
    .name = "alltoall_product",
    .collective = CollectiveKind::kAlltoall,
    .summary = "dimension by dimension, every line runs its factor's total exchange",
    .source =
        "collective communication dissertation 1996, algorithm A2 and theorem 5.5; "
        "total exchange 1998, figure 4",
    .remarks =
        "any product, one port is enough; N times the sum of T_i / n_i steps; optimal with one port where every "
        "T_i is the average total distance of its factor, so in products of Cayley graphs",
    .counts_alone = true,
    .applies = alltoall_product_parts::applies,
    .prepare = by_plan<alltoall_product_parts::factor_plans, alltoall_product_parts::predicted,
                       alltoall_product_parts::generate>,
};

}  // namespace quadrille::algorithms
