// Theorem 6.1 of the dissertation as routers do it: whoever is informed from below informs its parent first
// and then its other children, left to right; whoever is informed from above informs its children. As many a
// step as there are send ports.
#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/tree_seat.h"

namespace quadrille::local_programs {

extern const LocalProgram broadcast_fat_tree;

namespace broadcast_fat_tree_parts {
namespace {

class Node final : public LocalNode {
 public:
  Node(TreeSeat seat, Ports ports) : seat_(std::move(seat)), ports_(ports) {}

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    if (own.empty()) return;
    message_ = own.front();
    informed_ = true;
    to_tell_.push_back(seat_.neighbours[seat_.up()]);
  }
  void send(uint64_t, LocalOutbox& out) override {
    for (uint32_t port = 0; told_ < to_tell_.size() && (ports_.unlimited() || port < ports_.count); ++port) {
      const NodeId to = to_tell_[told_++];
      out.send(to, message_, told_ < to_tell_.size() ? LocalOutbox::Copy::kKept : LocalOutbox::Copy::kGiven);
    }
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override {
    if (!informed_) from.push_back(kAnyone);
  }
  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    message_ = message;
    informed_ = true;
    const auto tell = [&](uint32_t i) {
      if (seat_.neighbours[i] != from) to_tell_.push_back(seat_.neighbours[i]);
    };
    if (!seat_.is_root()) tell(seat_.up());
    for (uint32_t i = 0; i < seat_.children(); ++i) tell(i);
  }
  [[nodiscard]] bool done() const override { return informed_ && told_ == to_tell_.size(); }
  [[nodiscard]] size_t table_bytes() const override { return seat_.table_bytes(); }

 private:
  TreeSeat seat_;
  Ports ports_;
  bool informed_ = false;
  LocalMessage message_;
  std::vector<NodeId> to_tell_;
  size_t told_ = 0;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(TreeSeat(*problem.topology().tree(), self), problem.model().send);
}

}  // namespace
}  // namespace broadcast_fat_tree_parts

constinit const LocalProgram broadcast_fat_tree = {
    .name = "broadcast_fat_tree",
    .rule =
        "once informed, informs its parent, unless it was that, and then its other children from left to right",
    .knows = "its parent and its children",
    .node = broadcast_fat_tree_parts::node,
};

}  // namespace quadrille::local_programs
