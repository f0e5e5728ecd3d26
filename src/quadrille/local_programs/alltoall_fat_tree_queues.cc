// Routers of a fat tree with queues (dissertation, figure 6.8): one first-in-first-out queue a branch, that
// to the parent first, then the children's in turn. A leaf sends its messages, highest level first.
//
// A neighbour cannot know whether it will be served, so it is told by a bare word when it is not. Both ends
// of a branch know how many messages it carries in all, and fall silent after the last.
#include <deque>

#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/tree_seat.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_fat_tree_queues;

namespace alltoall_fat_tree_queues_parts {
namespace {

// The messages over a branch in one direction: what lies below goes to what does not, or back.
uint64_t traffic(const TreeSeat& seat, uint32_t branch) {
  const uint64_t beyond = seat.beyond(branch);
  return beyond * (seat.leaves - beyond);
}

class Node final : public LocalNode {
 public:
  // `turn`: the leaves that a leaf sends to, one after another.
  Node(TreeSeat seat, const Collective& collective, std::vector<uint32_t> turn)
      : seat_(std::move(seat)), collective_(collective), turn_(std::move(turn)) {
    for (uint32_t b = 0; b < seat_.neighbours.size(); ++b) {
      to_send_.push_back(traffic(seat_, b));
      to_hear_.push_back(traffic(seat_, b));
      left_ += 2 * traffic(seat_, b);
    }
    queues_.resize(seat_.neighbours.size());
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    for (const uint32_t leaf : turn_) queues_[0].push_back(own[leaf < seat_.first_leaf ? leaf : leaf - 1]);
  }

  void send(uint64_t, LocalOutbox& out) override {
    const uint32_t served = choose();
    for (uint32_t b = 0; b < queues_.size(); ++b) {
      if (b == served) {
        out.send(seat_.neighbours[b], queues_[b].front());
        queues_[b].pop_front();
        --left_;
        --to_send_[b];
      } else if (to_send_[b] > 0) {
        out.say(seat_.neighbours[b]);
      }
    }
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override {
    for (uint32_t b = 0; b < to_hear_.size(); ++b) {
      if (to_hear_[b] > 0) from.push_back(seat_.neighbours[b]);
    }
  }
  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    if (message.is_word()) return;
    --left_;
    --to_hear_[seat_.position(from)];
    if (seat_.level == 0) return;
    const auto leaf = static_cast<uint32_t>(index(collective_.destination(message.block)));
    queues_[seat_.towards(leaf)].push_back(message);
  }
  [[nodiscard]] bool done() const override { return left_ == 0; }
  [[nodiscard]] size_t table_bytes() const override { return seat_.table_bytes() + bytes_of(turn_); }

 private:
  // The branch that is served in this step; none: one behind the last.
  uint32_t choose() {
    const uint32_t children = seat_.children();
    if (!seat_.is_root() && !queues_[seat_.up()].empty()) return seat_.up();
    for (uint32_t tried = 0; tried < children; ++tried) {
      const uint32_t chosen = child_;
      child_ = child_ + 1 < children ? child_ + 1 : 0;
      if (!queues_[chosen].empty()) return chosen;
    }
    return static_cast<uint32_t>(queues_.size());
  }

  TreeSeat seat_;
  Collective collective_;
  std::vector<uint32_t> turn_;
  std::vector<uint64_t> to_send_;
  std::vector<uint64_t> to_hear_;
  uint64_t left_ = 0;  // sends and receptions
  std::vector<std::deque<LocalMessage>> queues_;
  uint32_t child_ = 0;  // whose turn it is
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  TreeSeat seat(*problem.topology().tree(), self);
  std::vector<uint32_t> turn;
  if (seat.level == 0) {
    const FatTree tree(problem.topology());
    for (uint32_t l = tree.height(); l > 0; --l) {
      for (uint32_t d = tree.below(l - 1); d < tree.below(l); ++d)
        turn.push_back(tree.displaced(seat.first_leaf, d));
    }
  }
  return std::make_unique<Node>(std::move(seat), problem.collective(), std::move(turn));
}

}  // namespace
}  // namespace alltoall_fat_tree_queues_parts

constinit const LocalProgram alltoall_fat_tree_queues = {
    .name = "alltoall_fat_tree_queues",
    .rule =
        "if a leaf, sends its messages highest level first; if a router, serves the queue to its parent, else its "
        "children's in turn",
    .knows = "its level, its parent and its children; a leaf its order of destinations",
    .node = alltoall_fat_tree_queues_parts::node,
};

}  // namespace quadrille::local_programs
