#include "quadrille/algorithms/products/algorithm_a3.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/topology/products/cartesian_product.h"

namespace quadrille {
namespace {

// Without the dimensions of one node: nodes and links are numbered the same.
std::vector<Topology> proper_factors(const Topology& topology) {
  std::vector<Topology> out;
  for (const Topology& factor : topology.product()->factors)
    if (factor.num_nodes() > 1) out.push_back(factor);
  return out;
}

// The copies of A, or of B, in one of the two procedures: which message goes from one place to another.
struct OneStep {
  std::vector<ArcId> arcs;
  std::vector<BlockId> blocks;

  void push_to(StepSink& sink) {
    StepView step;
    step.all_arcs = arcs;
    step.all_blocks = blocks;
    sink.push(step);
    arcs.clear();
    blocks.clear();
  }
};

// Both halves alike: n nodes each, and one total exchange.
class BothProcedures {
 public:
  BothProcedures(const TwoFactors& net, const Plan& half, uint32_t pieces)
      : net_(net), half_(half), pieces_(pieces), n_(net.n1()), arrived_(net.n1(), 0) {}

  // Lines 4 to 8.
  void teb(uint32_t r, size_t s, uint32_t piece, OneStep& out) const {
    const StepView step = half_.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const auto [from, to] = ends(step.all_blocks[t]);
      const uint32_t l = (to + n_ - from) % n_;
      const uint32_t f = r < n_ ? a3_offset(n_, r, l) : 0;
      for (uint32_t i = 0; i < n_; ++i) {
        out.arcs.push_back(net_.arc_in_b(step.all_arcs[t], i));
        out.blocks.push_back(BlockId{net_.block(i, from, (i + f) % n_, to, pieces_) + piece});
      }
    }
  }

  // Lines 9 to 13.
  void tea(uint32_t r, size_t s, uint32_t piece, OneStep& out) {
    if (s == 0) find_arrived(r);
    const StepView step = half_.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const auto [from, to] = ends(step.all_blocks[t]);
      const uint32_t l = arrived_[(to + n_ - from) % n_];
      for (uint32_t j = 0; j < n_; ++j) {
        out.arcs.push_back(net_.arc_in_a(step.all_arcs[t], j));
        out.blocks.push_back(BlockId{net_.block(from, (j + n_ - l) % n_, to, j, pieces_) + piece});
      }
    }
  }

 private:
  [[nodiscard]] std::pair<uint32_t, uint32_t> ends(BlockId message) const {
    const auto number = static_cast<uint32_t>(index(message));
    return {number / n_, number % n_};
  }

  // The message for a node that lies f further in A_j came, in TEB's round before, from l before in B_i.
  void find_arrived(uint32_t r) {
    for (uint32_t l = 1; l < n_; ++l) arrived_[r == 1 ? l : a3_offset(n_, r - 1, l)] = r == 1 ? 0 : l;
  }

  const TwoFactors& net_;
  const Plan& half_;
  uint32_t pieces_;
  uint32_t n_;
  std::vector<uint32_t> arrived_;  // by f: l
};

}  // namespace

Applicability is_even_power(const Topology& topology) {
  if (topology.product() == nullptr)
    return Applicability::no(fmt::format("it needs a product of graphs; {} is none", topology.name()));
  const std::vector<Topology> factors = proper_factors(topology);
  for (const Topology& factor : factors) {
    if (factor.same_graph(factors.front())) continue;
    return Applicability::no(fmt::format("it needs equal factors; {} has {} and {}", topology.name(),
                                         factors.front().name(), factor.name()));
  }
  if (factors.size() >= 2 && std::has_single_bit(factors.size())) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs 2, 4, 8, .. dimensions; {} has {}", topology.name(), factors.size()));
}

AlgorithmA3::AlgorithmA3(const Problem& problem, std::span<const FactorCandidate> candidates, Print print)
    : topology_(
          cartesian_product(std::string(problem.topology().name()), proper_factors(problem.topology()))),
      print_(print),
      pieces_(problem.collective().pieces()) {
  first_ = factor_exchange(topology_.product()->factors.front(), candidates);
}

// Every doubling of the dimensions takes as many rounds as the half has nodes.
Prediction AlgorithmA3::prediction() const {
  const std::vector<Topology>& factors = topology_.product()->factors;
  uint64_t rounds = pieces_;
  uint64_t nodes = factors.front().num_nodes();
  for (size_t dimensions = 1; dimensions < factors.size(); dimensions *= 2) {
    rounds *= nodes;
    nodes *= nodes;
  }
  const uint64_t steps = rounds * first_->num_steps();
  std::optional<uint64_t> busiest = first_->busiest_link();
  if (busiest) *busiest *= rounds;
  return {.steps = steps, .start_ups = steps, .busiest_link = busiest};
}

void AlgorithmA3::generate(StepSink& sink) const {
  const std::vector<Topology>& factors = topology_.product()->factors;
  const Plan* half = &first_->plan();
  Plan made;
  for (size_t dimensions = 2; dimensions < factors.size(); dimensions *= 2) {
    const Topology power =
        cartesian_product("power", {factors.begin(), factors.begin() + static_cast<ptrdiff_t>(dimensions)});
    const TwoFactors net(power, dimensions / 2);
    const Int128 transfers = Int128{half->num_transfers()} * Int128{2 * net.n1()} * Int128{net.n1()};
    require_memory(transfers * Int128{sizeof(ArcId) + sizeof(BlockId)},
                   fmt::format("the exchange of half the dimensions of {}", topology_.name()));
    Plan doubled;
    exchange(net, *half, 1, doubled);
    made = std::move(doubled);
    half = &made;
  }
  exchange(TwoFactors(topology_, factors.size() / 2), *half, pieces_, sink);
}

void AlgorithmA3::exchange(const TwoFactors& net, const Plan& half, uint32_t pieces, StepSink& sink) const {
  BothProcedures run(net, half, pieces);
  OneStep step;
  const uint32_t n = net.n1();
  const uint32_t last = print_ == Print::kAsPrinted ? n - 1 : n;  // line 11; round 1 is line 9
  for (uint32_t piece = 0; piece < pieces; ++piece) {
    for (uint32_t r = 1; r <= n; ++r) {
      for (size_t s = 0; s < half.num_steps(); ++s) {
        run.teb(r, s, piece, step);
        if (r <= std::max(last, 1U)) run.tea(r, s, piece, step);
        step.push_to(sink);
      }
    }
  }
}

}  // namespace quadrille
