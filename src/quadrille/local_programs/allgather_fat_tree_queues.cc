// Routers of a fat tree that replicate (dissertation, figure 6.6): a message goes into the queues of all
// branches but the one that it came on. Until the blocks of all leaves below it have gone up, a router sends
// to its parent only; then to its children in turn, empty queues skipped.
//
// A neighbour that is not served is told so by a bare word, until the branch has carried all that it ever
// will.
#include <fmt/format.h>

#include <deque>

#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/tree_seat.h"

namespace quadrille::local_programs {

extern const LocalProgram allgather_fat_tree_queues;

namespace allgather_fat_tree_queues_parts {
namespace {

class Node final : public LocalNode {
 public:
  explicit Node(TreeSeat seat) : seat_(std::move(seat)) {
    for (uint32_t b = 0; b < seat_.neighbours.size(); ++b) {
      to_hear_.push_back(seat_.beyond(b));
      to_send_.push_back(seat_.leaves - seat_.beyond(b));
      left_ += seat_.leaves;
    }
    queues_.resize(seat_.neighbours.size());
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    if (seat_.level != 0) return;
    stored_.push_back({own.front(), 1});
    queues_[0].push_back(0);
  }
  void send(uint64_t, LocalOutbox& out) override {
    const uint32_t served = choose();
    for (uint32_t b = 0; b < queues_.size(); ++b) {
      if (b != served) {
        if (to_send_[b] > 0) out.say(seat_.neighbours[b]);
        continue;
      }
      Stored& stored = stored_[queues_[b].front()];
      queues_[b].pop_front();
      --to_send_[b];
      --left_;
      out.send(seat_.neighbours[b], stored.message,
               --stored.owed > 0 ? LocalOutbox::Copy::kKept : LocalOutbox::Copy::kGiven);
    }
  }
  // The parent first: that is the order in which messages of one step join a queue.
  void hears(uint64_t, std::vector<NodeId>& from) const override {
    for (size_t b = to_hear_.size(); b-- > seat_.children();) add(b, from);
    for (size_t b = 0; b < seat_.children(); ++b) add(b, from);
  }
  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    if (message.is_word()) return;
    const uint32_t came = seat_.position(from);
    --to_hear_[came];
    --left_;
    if (seat_.level == 0) return;
    stored_.push_back({message, static_cast<uint32_t>(queues_.size()) - 1});
    for (uint32_t b = 0; b < queues_.size(); ++b) {
      if (b != came) queues_[b].push_back(static_cast<uint32_t>(stored_.size()) - 1);
    }
  }
  [[nodiscard]] bool done() const override { return left_ == 0; }
  [[nodiscard]] size_t table_bytes() const override { return seat_.table_bytes(); }

 private:
  struct Stored {
    LocalMessage message;
    uint32_t owed;
  };

  void add(size_t branch, std::vector<NodeId>& from) const {
    if (to_hear_[branch] > 0) from.push_back(seat_.neighbours[branch]);
  }
  // The branch that is served in this step; none: one behind the last.
  uint32_t choose() {
    const auto none = static_cast<uint32_t>(queues_.size());
    if (!seat_.is_root() && to_send_[seat_.up()] > 0) return queues_[seat_.up()].empty() ? none : seat_.up();
    const uint32_t children = seat_.children();
    for (uint32_t tried = 0; tried < children; ++tried) {
      const uint32_t chosen = child_;
      child_ = child_ + 1 < children ? child_ + 1 : 0;
      if (!queues_[chosen].empty()) return chosen;
    }
    return none;
  }

  TreeSeat seat_;
  std::vector<uint32_t> to_send_;
  std::vector<uint32_t> to_hear_;
  uint64_t left_ = 0;  // sends and receptions
  std::vector<Stored> stored_;
  std::vector<std::deque<uint32_t>> queues_;  // of what is stored
  uint32_t child_ = 0;                        // whose turn it is
};

std::string refuses(const Problem& problem) {
  if (problem.model().receive.unlimited()) return "";
  return fmt::format(
      "its routers send whenever they have something, so all receive ports are needed; the model has {}",
      to_text(problem.model().receive));
}

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(TreeSeat(*problem.topology().tree(), self));
}

}  // namespace
}  // namespace allgather_fat_tree_queues_parts

constinit const LocalProgram allgather_fat_tree_queues = {
    .name = "allgather_fat_tree_queues",
    .rule =
        "copies a message into the queues of all other branches; serves its parent until all from below has gone "
        "up, then its children in turn",
    .knows = "its level, its parent and its children",
    .refuses = allgather_fat_tree_queues_parts::refuses,
    .node = allgather_fat_tree_queues_parts::node,
};

}  // namespace quadrille::local_programs
