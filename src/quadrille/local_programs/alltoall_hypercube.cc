// Figure 4.6 of the dissertation: on a hypercube the queue of node-invariant messages needs no table. What a
// message has still to travel is the bits in which the node and its destination differ, and the next hop
// flips the leftmost of them.
#include <algorithm>
#include <bit>
#include <deque>

#include "quadrille/local/local_program.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_hypercube;

namespace alltoall_hypercube_parts {
namespace {

class Node final : public LocalNode {
 public:
  Node(const Collective& collective, uint32_t self) : collective_(collective), self_(self) {}

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    own_.assign(own.begin(), own.end());
    begin_piece();
  }
  void send(uint64_t, LocalOutbox& out) override {
    const LocalMessage message = queue_.front();
    queue_.pop_front();
    across_ = std::bit_floor(left(message));
    out.send(NodeId{self_ ^ across_}, message);
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override { from.push_back(NodeId{self_ ^ across_}); }
  void receive(uint64_t, NodeId, const LocalMessage& message) override {
    if (left(message) != 0) queue_.push_back(message);
    if (queue_.empty()) begin_piece();
  }
  [[nodiscard]] bool done() const override { return queue_.empty(); }
  [[nodiscard]] size_t table_bytes() const override { return 0; }

 private:
  [[nodiscard]] uint32_t left(const LocalMessage& message) const {
    return static_cast<uint32_t>(index(collective_.destination(message.block))) ^ self_;
  }
  // In ascending order of what they have to travel.
  void begin_piece() {
    if (piece_ == collective_.pieces()) return;
    for (const LocalMessage& message : own_) {
      if (index(message.block) % collective_.pieces() == piece_) queue_.push_back(message);
    }
    std::sort(queue_.begin(), queue_.end(),
              [this](const LocalMessage& a, const LocalMessage& b) { return left(a) < left(b); });
    ++piece_;
  }

  Collective collective_;
  uint32_t self_;
  uint32_t piece_ = 0;
  uint32_t across_ = 0;
  std::vector<LocalMessage> own_;
  std::deque<LocalMessage> queue_;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(problem.collective(), static_cast<uint32_t>(index(self)));
}

}  // namespace
}  // namespace alltoall_hypercube_parts

constinit const LocalProgram alltoall_hypercube = {
    .name = "alltoall_hypercube",
    .rule = "forwards the head of its queue across the leftmost bit in which it differs from its destination",
    .knows = "nothing but its address",
    .node = alltoall_hypercube_parts::node,
};

}  // namespace quadrille::local_programs
