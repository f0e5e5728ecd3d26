// Furthest first on a line (dissertation, 4.2): in both directions a node sends on the message that has
// farthest to go and, of those, the one that has come farthest.
//
// A node keeps one queue a direction. How long its neighbour will go on sending it knows from the neighbour's
// place: the link out of place j carries j(n-j) messages without a pause.
#include <algorithm>
#include <array>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/places.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_line;

namespace alltoall_line_parts {
namespace {

// A message that waits: the one with the larger key goes first.
struct Waiting {
  uint64_t key;
  LocalMessage message;
  friend bool operator<(const Waiting& a, const Waiting& b) { return a.key < b.key; }
};

class Node final : public LocalNode {
 public:
  Node(const Collective& collective, std::span<const NodeId> order, NodeId self)
      : collective_(collective), places_(order), place_(places_.of(self)), length_(uint64_t{order.size()}) {
    for (const uint32_t way : {0U, 1U}) {
      const uint32_t place = count(way);  // 1..n, in this direction
      loads_[way] = place * (length_ - place);
      arrivals_[way] = (place - 1) * (length_ - place + 1);
    }
    if (place_ + 1 < length_) neighbours_[0] = order[place_ + 1];
    if (place_ > 0) neighbours_[1] = order[place_ - 1];
    period_ = length_ * length_ / 4;
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    own_.assign(own.begin(), own.end());
    end_ = period_ * collective_.pieces();
  }

  void send(uint64_t tick, LocalOutbox& out) override {
    now_ = tick + 1;
    if (tick % period_ == 0) begin_piece(static_cast<uint32_t>(tick / period_));
    for (const uint32_t way : {0U, 1U}) {
      if (tick % period_ >= loads_[way]) continue;
      std::pop_heap(queues_[way].begin(), queues_[way].end());
      out.send(neighbours_[way], queues_[way].back().message);
      queues_[way].pop_back();
    }
  }

  void hears(uint64_t tick, std::vector<NodeId>& from) const override {
    for (const uint32_t way : {0U, 1U}) {
      if (tick % period_ < arrivals_[way]) from.push_back(neighbours_[1 - way]);
    }
  }

  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    const uint32_t way = from == neighbours_[1] ? 0 : 1;
    if (places_.of(collective_.destination(message.block)) != place_) enqueue(way, message);
  }

  [[nodiscard]] bool done() const override { return now_ >= end_; }
  [[nodiscard]] size_t table_bytes() const override { return places_.table_bytes(); }

 private:
  // From the end at which the direction begins.
  [[nodiscard]] uint32_t count(uint32_t way) const {
    return way == 0 ? place_ + 1 : static_cast<uint32_t>(length_) - place_;
  }
  void begin_piece(uint32_t piece) {
    for (const LocalMessage& message : own_) {
      if (index(message.block) % collective_.pieces() != piece) continue;
      enqueue(places_.of(collective_.destination(message.block)) > place_ ? 0 : 1, message);
    }
  }
  void enqueue(uint32_t way, const LocalMessage& message) {
    const uint32_t from = places_.of(collective_.origin(message.block));
    const uint32_t to = places_.of(collective_.destination(message.block));
    const uint64_t left = to > place_ ? to - place_ : place_ - to;
    const uint64_t come = from > place_ ? from - place_ : place_ - from;
    queues_[way].push_back({left * length_ + come, message});
    std::push_heap(queues_[way].begin(), queues_[way].end());
  }

  Collective collective_;
  Places places_;
  uint32_t place_;
  uint64_t length_;
  uint64_t period_ = 0;  // steps for one piece
  uint64_t end_ = 0;
  uint64_t now_ = 0;
  std::array<uint64_t, 2> loads_{};     // messages that it sends, by direction
  std::array<uint64_t, 2> arrivals_{};  // and that it hears
  std::array<NodeId, 2> neighbours_{kNoNode, kNoNode};
  std::vector<LocalMessage> own_;
  std::array<std::vector<Waiting>, 2> queues_;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(problem.collective(), *as_path(problem.topology()), self);
}

}  // namespace
}  // namespace alltoall_line_parts

constinit const LocalProgram alltoall_line = {
    .name = "alltoall_line",
    .rule = "sends on, in both directions, the message with the farthest to go",
    .knows = "its place and the length of the line",
    .node = alltoall_line_parts::node,
};

}  // namespace quadrille::local_programs
