// Algorithm A2 as a node does it (dissertation, 5.3): it knows its address, the exchanges of the factors, and
// the number of the round.
//
// Dimension after dimension, from the last to the first, every line runs its factor's exchange once for each
// choice of the other coordinates. In such a round the message from place s of the line to place d is that
// whose source has the line's coordinates before the dimension and the round's after it, and whose
// destination has the round's before and the line's after.
#include <vector>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/timetable_node.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_product;

namespace alltoall_product_parts {
namespace {

class NodeTimetable final : public Timetable {
 public:
  NodeTimetable(const Problem& problem, uint32_t self)
      : self_(self), nodes_(problem.topology().num_nodes()), pieces_(problem.collective().pieces()) {
    const ProductStructure& product = *problem.topology().product();
    for (size_t i = product.factors.size(); i-- > 0;) {
      const Topology& factor = product.factors[i];
      const std::shared_ptr<const FactorExchange> exchange =
          factor_exchange(factor, factor_candidates(), 1, model_of_factor(problem, factor));
      const uint32_t stride = product.strides[i];
      dimensions_.push_back({stride, factor.num_nodes(),
                             FactorRow(factor, exchange->plan(), self / stride % factor.num_nodes())});
      ticks_ += rounds(dimensions_.back()) * dimensions_.back().row.steps();
    }
  }

  [[nodiscard]] uint64_t ticks() const override { return ticks_; }

  void rides(uint64_t tick, std::vector<Ride>& sent, std::vector<Ride>& heard) const override {
    for (const Dimension& d : dimensions_) {
      const uint64_t length = rounds(d) * d.row.steps();
      if (tick >= length) {
        tick -= length;
        continue;
      }
      const uint64_t turn = tick / d.row.steps();
      const uint64_t step = tick % d.row.steps();
      const auto piece = static_cast<uint32_t>(turn % pieces_);
      const auto line = static_cast<uint32_t>(turn / pieces_);
      // The line's first node: its number without the dimension's coordinate.
      const uint32_t round = line / d.stride * d.stride * d.size + line % d.stride;
      const auto add = [&](std::span<const Ride> rides, std::vector<Ride>& out) {
        for (const Ride& ride : rides) {
          out.push_back({with_coordinate(self_, d, ride.neighbour),
                         before(self_, d) + ride.source * d.stride + after(round, d),
                         before(round, d) + ride.destination * d.stride + after(self_, d), piece});
        }
      };
      add(d.row.sent(step), sent);
      add(d.row.heard(step), heard);
      return;
    }
  }
  [[nodiscard]] size_t table_bytes() const override {
    size_t bytes = 0;
    for (const Dimension& d : dimensions_) bytes += d.row.table_bytes();
    return bytes;
  }

 private:
  struct Dimension {
    uint32_t stride;
    uint32_t size;
    FactorRow row;
  };

  [[nodiscard]] uint64_t rounds(const Dimension& d) const { return uint64_t{nodes_ / d.size} * pieces_; }
  [[nodiscard]] static uint32_t before(uint32_t node, const Dimension& d) {
    return node - node % (d.stride * d.size);
  }
  [[nodiscard]] static uint32_t after(uint32_t node, const Dimension& d) { return node % d.stride; }
  [[nodiscard]] static uint32_t with_coordinate(uint32_t node, const Dimension& d, uint32_t value) {
    return before(node, d) + value * d.stride + after(node, d);
  }

  uint32_t self_;
  uint32_t nodes_;
  uint32_t pieces_;
  uint64_t ticks_ = 0;
  std::vector<Dimension> dimensions_;  // from the last
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return timetable_node(problem.collective(), self,
                        std::make_shared<NodeTimetable>(problem, static_cast<uint32_t>(index(self))));
}

}  // namespace
}  // namespace alltoall_product_parts

constinit const LocalProgram alltoall_product = {
    .name = "alltoall_product",
    .rule = "runs, dimension by dimension and round by round, its own part of the exchange of a factor",
    .knows = "the exchanges of the factors, as they look from its places there, and the round",
    .node = alltoall_product_parts::node,
};

}  // namespace quadrille::local_programs
