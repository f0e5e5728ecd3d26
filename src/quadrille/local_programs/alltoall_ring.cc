// Two queues at every node of a ring (dissertation, 4.2 and 4.3): first in, first out, the farthest
// destination first at the start. The message to the opposite node goes clockwise from even places and
// counterclockwise from odd ones; of two pieces one goes either way.
//
// Nodes of the other parity may have nothing to send where this one has, so both neighbours are told so by a
// bare word until the exchange of a piece is over, which takes as many steps as the ring's length says.
#include <algorithm>
#include <array>
#include <deque>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/places.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_ring;

namespace alltoall_ring_parts {
namespace {

class Node final : public LocalNode {
 public:
  Node(const Collective& collective, std::span<const NodeId> order, NodeId self)
      : collective_(collective), places_(order), place_(places_.of(self)) {
    const uint32_t n = places_.size();
    neighbours_ = {order[(place_ + 1) % n], order[(place_ + n - 1) % n]};
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override { own_.assign(own.begin(), own.end()); }

  void send(uint64_t, LocalOutbox& out) override {
    if (left_ == 0) begin_pieces();
    for (const uint32_t way : {0U, 1U}) {
      if (queues_[way].empty()) {
        out.say(neighbours_[way]);
        continue;
      }
      out.send(neighbours_[way], queues_[way].front());
      queues_[way].pop_front();
    }
  }

  void hears(uint64_t, std::vector<NodeId>& from) const override {
    from.push_back(neighbours_[1]);
    from.push_back(neighbours_[0]);
  }

  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    const uint32_t way = from == neighbours_[1] ? 0 : 1;
    if (!message.is_word() && places_.of(collective_.destination(message.block)) != place_)
      queues_[way].push_back(message);
    if (way == 1) --left_;  // the second of the two
  }

  [[nodiscard]] bool done() const override { return left_ == 0 && begun_ == collective_.pieces(); }
  [[nodiscard]] size_t table_bytes() const override { return places_.table_bytes(); }

 private:
  // The next piece or, in an even ring, the next two.
  void begin_pieces() {
    const uint64_t n = places_.size();
    const bool both = n % 2 == 0 && begun_ + 2 <= collective_.pieces();
    left_ = both ? n * n / 4 : n % 2 != 0 ? (n * n - 1) / 8 : (n * n + 7) / 8;
    std::vector<LocalMessage> now;
    for (const LocalMessage& message : own_) {
      const uint32_t piece = piece_of(message);
      if (piece == begun_ || (both && piece == begun_ + 1)) now.push_back(message);
    }
    std::sort(now.begin(), now.end(), [this](const LocalMessage& a, const LocalMessage& b) {
      const uint32_t far_a = distance(a);
      const uint32_t far_b = distance(b);
      return far_a != far_b ? far_a > far_b : piece_of(a) < piece_of(b);
    });
    for (const LocalMessage& message : now) {
      const uint32_t n32 = places_.size();
      const uint32_t ahead = (places_.of(collective_.destination(message.block)) + n32 - place_) % n32;
      const bool opposite = 2 * ahead == n32;
      const bool first = both ? piece_of(message) == begun_ : place_ % 2 == 0;
      queues_[(opposite ? first : 2 * ahead < n32) ? 0 : 1].push_back(message);
    }
    begun_ += both ? 2 : 1;
  }
  [[nodiscard]] uint32_t piece_of(const LocalMessage& message) const {
    return static_cast<uint32_t>(index(message.block)) % collective_.pieces();
  }
  [[nodiscard]] uint32_t distance(const LocalMessage& message) const {
    const uint32_t n = places_.size();
    const uint32_t ahead = (places_.of(collective_.destination(message.block)) + n - place_) % n;
    return std::min(ahead, n - ahead);
  }

  Collective collective_;
  Places places_;
  uint32_t place_;
  std::array<NodeId, 2> neighbours_{};  // clockwise, counterclockwise
  uint64_t left_ = 0;                   // steps of the pieces under way
  uint32_t begun_ = 0;
  std::vector<LocalMessage> own_;
  std::array<std::deque<LocalMessage>, 2> queues_;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(problem.collective(), *as_cycle(problem.topology()), self);
}

}  // namespace
}  // namespace alltoall_ring_parts

constinit const LocalProgram alltoall_ring = {
    .name = "alltoall_ring",
    .rule = "keeps a queue for each direction, the farthest destination first, and sends from both",
    .knows = "its place and the size of the ring",
    .node = alltoall_ring_parts::node,
};

}  // namespace quadrille::local_programs
