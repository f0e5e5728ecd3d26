#include "quadrille/local_programs/product_a1_node.h"

#include <algorithm>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/products/paths_from.h"
#include "quadrille/local_programs/timetable_node.h"

namespace quadrille {
namespace {

constexpr uint32_t kNotOnPath = UINT32_MAX;

// The transfers of one dimension, as a node at some coordinate of it sees them: one pair of coordinates after
// another, each with so many messages that follow each other along a path.
class Transfers {
 public:
  struct Passage {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t place = kNotOnPath;  // of this node on the path; from 0
    uint32_t length = 0;
    uint32_t before = 0;  // its neighbours on the path
    uint32_t after = 0;
    uint64_t start = 0;
  };

  Transfers(const Topology& factor, uint32_t self, uint64_t messages) : messages_(messages) {
    std::vector<ArcId> path;
    const auto number = [](NodeId node) { return static_cast<uint32_t>(index(node)); };
    for (uint32_t j = 0; j < factor.num_nodes(); ++j) {
      const PathsFrom paths(factor, j);
      for (uint32_t k = 0; k < factor.num_nodes(); ++k) {
        if (j == k) continue;
        paths.find(k, path);
        Passage passage{j, k, kNotOnPath, static_cast<uint32_t>(path.size()), 0, 0, steps_};
        for (uint32_t hop = 0; hop < path.size(); ++hop) {
          if (number(factor.tail(path[hop])) == self) {
            passage.place = hop;
            passage.after = number(factor.head(path[hop]));
          }
          if (number(factor.head(path[hop])) == self) {
            passage.place = hop + 1;
            passage.before = number(factor.tail(path[hop]));
          }
        }
        steps_ += messages + path.size() - 1;
        passages_.push_back(passage);
      }
    }
  }

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t messages() const { return messages_; }
  [[nodiscard]] const Passage& at(uint64_t step) const {
    return *(std::upper_bound(passages_.begin(), passages_.end(), step,
                              [](uint64_t s, const Passage& passage) { return s < passage.start; }) -
             1);
  }
  [[nodiscard]] size_t table_bytes() const { return bytes_of(passages_); }

 private:
  uint64_t messages_;
  uint64_t steps_ = 0;
  std::vector<Passage> passages_;
};

class A1Timetable final : public Timetable {
 public:
  A1Timetable(const Problem& problem, uint32_t self, CopiesOfB copies)
      : self_(self), row_(row_of(problem, self)) {
    const ProductStructure& product = *problem.topology().product();
    first_stride_ = product.strides.front();
    uint32_t inner = product.factors.front().num_nodes();  // nodes of A
    uint64_t steps = row_.steps();
    for (size_t l = 1; l < product.factors.size(); ++l) {
      const Topology& factor = product.factors[l];
      const uint32_t n = factor.num_nodes();
      const uint32_t stride = product.strides[l];
      const uint32_t pieces = l + 1 < product.factors.size() ? 1 : problem.collective().pieces();
      levels_.push_back({stride, n, pieces, copies == CopiesOfB::kOneAfterAnother ? inner : 1, steps,
                         Transfers(factor, self / stride % n, uint64_t{inner} * pieces)});
      const Level& level = levels_.back();
      steps = level.turns * level.transfers.steps() + uint64_t{n} * pieces * steps;
      inner *= n;
    }
    ticks_ = steps;
  }

  [[nodiscard]] uint64_t ticks() const override { return ticks_; }

  void rides(uint64_t tick, std::vector<Ride>& sent, std::vector<Ride>& heard) const override {
    uint32_t rounds = 0;  // the coordinates k of the rounds under way
    uint32_t piece = 0;
    for (size_t l = levels_.size(); l-- > 0;) {
      const Level& level = levels_[l];
      const uint64_t moving = level.turns * level.transfers.steps();
      if (tick < moving) {
        transfer(level, tick, rounds, piece, l + 1 == levels_.size(), sent, heard);
        return;
      }
      tick -= moving;
      const uint64_t round = tick / level.steps_in_a;
      tick %= level.steps_in_a;
      rounds += static_cast<uint32_t>(round / level.pieces) * level.stride;
      if (level.pieces > 1) piece = static_cast<uint32_t>(round % level.pieces);
    }
    const auto add = [&](std::span<const Ride> rides, std::vector<Ride>& out) {
      for (const Ride& ride : rides) {
        out.push_back({ride.neighbour * first_stride_ + self_ % first_stride_,
                       ride.source * first_stride_ + rounds,
                       ride.destination * first_stride_ + self_ % first_stride_, piece});
      }
    };
    add(row_.sent(tick), sent);
    add(row_.heard(tick), heard);
  }
  [[nodiscard]] size_t table_bytes() const override {
    size_t bytes = row_.table_bytes();
    for (const Level& level : levels_) bytes += level.transfers.table_bytes();
    return bytes;
  }

 private:
  // A dimension after the first: B, where A is the product of those before it.
  struct Level {
    uint32_t stride;
    uint32_t size;
    uint32_t pieces;
    uint64_t turns;       // of the copies of B, one after another
    uint64_t steps_in_a;  // of an exchange of A
    Transfers transfers;
  };

  static FactorRow row_of(const Problem& problem, uint32_t self) {
    const Topology& first = problem.topology().product()->factors.front();
    const std::shared_ptr<const FactorExchange> exchange =
        factor_exchange(first, factor_candidates(), 1, model_of_factor(problem, first));
    return {first, exchange->plan(), self / problem.topology().product()->strides.front()};
  }

  void transfer(const Level& level, uint64_t t, uint32_t rounds, uint32_t piece, bool outermost,
                std::vector<Ride>& sent, std::vector<Ride>& heard) const {
    const uint32_t copy = self_ / (level.stride * level.size);  // i
    if (level.turns > 1 && t / level.transfers.steps() != copy) return;
    t %= level.transfers.steps();
    const Transfers::Passage& passage = level.transfers.at(t);
    if (passage.place == kNotOnPath) return;
    const uint64_t step = t - passage.start;
    const auto add = [&](uint64_t delay, uint32_t neighbour, std::vector<Ride>& out) {
      if (step < delay || step - delay >= level.transfers.messages()) return;
      const auto message = static_cast<uint32_t>(step - delay);
      const auto place = [&](uint32_t a, uint32_t b) { return (a * level.size + b) * level.stride; };
      out.push_back({place(copy, neighbour) + self_ % level.stride, place(copy, passage.from) + rounds,
                     place(message / level.pieces, passage.to) + self_ % level.stride,
                     outermost ? message % level.pieces : piece});
    };
    if (passage.place < passage.length) add(passage.place, passage.after, sent);
    if (passage.place > 0) add(passage.place - 1, passage.before, heard);
  }

  uint32_t self_;
  uint32_t first_stride_ = 1;
  uint64_t ticks_ = 0;
  FactorRow row_;  // of the first dimension
  std::vector<Level> levels_;
};

}  // namespace

std::unique_ptr<LocalNode> product_a1_node(const Problem& problem, NodeId self, CopiesOfB copies) {
  return timetable_node(problem.collective(), self,
                        std::make_shared<A1Timetable>(problem, static_cast<uint32_t>(index(self)), copies));
}

}  // namespace quadrille
