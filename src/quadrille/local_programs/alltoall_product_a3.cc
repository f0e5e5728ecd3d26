// Algorithm A3 as a node does it; see algorithms/products/algorithm_a3.h. Its two procedures run side by side,
// one in its copy of A, one in its copy of B; both are exchanges of the same half, which may itself be a power
// and so consist of two procedures. What a node sends follows from its address, the round and f(r,l).
#include <algorithm>
#include <vector>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/products/algorithm_a3.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/timetable_node.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_product_a3;

namespace alltoall_product_a3_parts {
namespace {

class NodeTimetable final : public Timetable {
 public:
  NodeTimetable(const Problem& problem, uint32_t self) : self_(self) {
    std::vector<Topology> factors;  // dimensions of one node have no part in it
    for (const Topology& factor : problem.topology().product()->factors) {
      if (factor.num_nodes() > 1) factors.push_back(factor);
    }
    const Topology& factor = factors.front();
    const std::shared_ptr<const FactorExchange> exchange = factor_exchange(factor, factor_candidates());
    const uint32_t n = factor.num_nodes();
    uint32_t stride = problem.topology().num_nodes();
    for (size_t i = 0; i < factors.size(); ++i) {
      stride /= n;
      rows_.emplace_back(factor, exchange->plan(), self / stride % n);
    }
    sizes_.push_back(n);
    steps_.push_back(exchange->num_steps());
    for (size_t dimensions = 2; dimensions <= factors.size(); dimensions *= 2) {
      steps_.push_back(sizes_.back() * steps_.back());
      sizes_.push_back(sizes_.back() * sizes_.back());
    }
    ticks_ = steps_.back() * problem.collective().pieces();
  }

  [[nodiscard]] uint64_t ticks() const override { return ticks_; }
  void rides(uint64_t tick, std::vector<Ride>& sent, std::vector<Ride>& heard) const override {
    const auto piece = static_cast<uint32_t>(tick / steps_.back());
    for (const bool sends : {true, false}) {
      std::vector<Ride>& out = sends ? sent : heard;
      const size_t before = out.size();
      exchange(steps_.size() - 1, 0, tick % steps_.back(), sends, out);
      for (size_t i = before; i < out.size(); ++i) out[i].piece = piece;
    }
  }
  [[nodiscard]] size_t table_bytes() const override {
    size_t bytes = 0;
    for (const FactorRow& row : rows_) bytes += row.table_bytes();
    return bytes;
  }

 private:
  // Of the 2^level dimensions from the first on; places and messages are numbered within them.
  void exchange(size_t level, size_t first, uint64_t t, bool sends, std::vector<Ride>& out) const {
    if (level == 0) {
      const std::span<const Ride> rides = sends ? rows_[first].sent(t) : rows_[first].heard(t);
      out.insert(out.end(), rides.begin(), rides.end());
      return;
    }
    const size_t half = size_t{1} << (level - 1);
    const uint32_t n = sizes_[level - 1];
    const uint64_t r = t / steps_[level - 1] + 1;
    const uint64_t s = t % steps_[level - 1];
    const uint32_t i = place(first, half);
    const uint32_t j = place(first + half, half);
    const size_t teb = out.size();
    exchange(level - 1, first + half, s, sends, out);
    for (size_t x = teb; x < out.size(); ++x) {
      const uint32_t l = (out[x].destination + n - out[x].source) % n;
      const uint32_t f = r < n ? a3_offset(n, static_cast<uint32_t>(r), l) : 0;
      out[x] = {i * n + out[x].neighbour, i * n + out[x].source, (i + f) % n * n + out[x].destination, 0};
    }
    const size_t tea = out.size();
    exchange(level - 1, first, s, sends, out);
    for (size_t x = tea; x < out.size(); ++x) {
      const uint32_t f = (out[x].destination + n - out[x].source) % n;
      const uint32_t l = r == 1 ? 0 : arrived(n, static_cast<uint32_t>(r), f);
      out[x] = {out[x].neighbour * n + j, out[x].source * n + (j + n - l) % n, out[x].destination * n + j, 0};
    }
  }
  // What has come in TEB's round before for the node f further in the copy of A, came from l before in that of B:
  // f(r-1,l) = f.
  static uint32_t arrived(uint32_t n, uint32_t r, uint32_t f) {
    const uint32_t turned = (r - 2) % (n - 1);
    return (f - 1 + (n - 1) - turned) % (n - 1) + 1;
  }
  // This node's place in so many dimensions.
  [[nodiscard]] uint32_t place(size_t first, size_t dimensions) const {
    uint32_t out = self_;
    for (size_t i = first + dimensions; i < rows_.size(); ++i) out /= sizes_.front();
    uint32_t size = 1;
    for (size_t i = 0; i < dimensions; ++i) size *= sizes_.front();
    return out % size;
  }

  uint32_t self_;
  uint64_t ticks_ = 0;
  std::vector<FactorRow> rows_;  // by dimension
  std::vector<uint32_t> sizes_;  // by level: nodes of 2^level dimensions
  std::vector<uint64_t> steps_;  // and steps of their exchange
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return timetable_node(problem.collective(), self,
                        std::make_shared<NodeTimetable>(problem, static_cast<uint32_t>(index(self))));
}

}  // namespace
}  // namespace alltoall_product_a3_parts

constinit const LocalProgram alltoall_product_a3 = {
    .name = "alltoall_product_a3",
    .rule =
        "runs its part of a factor's exchange in both halves of its dimensions, and feeds one with what the other brought a round before",
    .knows = "the exchange of the one factor, as it looks from its places there, and the round",
    .node = alltoall_product_a3_parts::node,
};

}  // namespace quadrille::local_programs
