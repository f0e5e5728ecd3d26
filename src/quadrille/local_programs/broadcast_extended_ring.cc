// The local rule of extended rings (dissertation, 3.1): the root tells its neighbours how far each is to pass
// the message on; whoever receives it takes one off that weight and, if something is left, passes it on by
// rho in the direction in which it came.
//
// A node knows the size of the ring and rho, and sleeps until the message comes. The root serves the longest
// paths first where it has not ports for all, and starts the next piece when it has served them all.
#include <algorithm>
#include <optional>

#include "quadrille/algorithms/trees/extended_ring_tree.h"
#include "quadrille/local/local_program.h"

namespace quadrille::local_programs {

extern const LocalProgram broadcast_extended_ring;

namespace broadcast_extended_ring_parts {
namespace {

class Node final : public LocalNode {
 public:
  Node(const ExtendedRing& ring, uint32_t self, const Collective& collective, Ports ports)
      : ring_(ring), self_(self), pieces_left_(collective.pieces()) {
    if (collective.root() != Rank{self}) return;
    first_ = first_sends(ring);
    // The longer path first; of equal ones that to the lower number, as it is in the tree's list of children.
    std::sort(first_.begin(), first_.end(), [this](const WeightedSend& a, const WeightedSend& b) {
      return a.weight != b.weight ? a.weight > b.weight : at(a.jump) < at(b.jump);
    });
    ports_ = ports.unlimited() ? std::max<size_t>(1, first_.size()) : ports.count;
    interval_ = std::max<uint64_t>(1, (first_.size() + ports_ - 1) / ports_);
    if (first_.empty()) pieces_left_ = 0;
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override { own_.assign(own.begin(), own.end()); }

  void send(uint64_t tick, LocalOutbox& out) override {
    if (own_.empty()) {
      pass_on(out);
      return;
    }
    const size_t begin = tick % interval_ * ports_;
    const size_t end = std::min(begin + ports_, first_.size());
    for (size_t i = begin; i < end; ++i) {
      LocalMessage message = own_[tick / interval_];
      message.word = first_[i].weight;
      out.send(at(first_[i].jump), message, LocalOutbox::Copy::kKept);
    }
    if (end == first_.size()) --pieces_left_;
  }

  void hears(uint64_t, std::vector<NodeId>& from) const override {
    if (own_.empty() && pieces_left_ > 0) from.push_back(kAnyone);
  }

  void receive(uint64_t, NodeId from, const LocalMessage& message) override {
    // From at most rho behind: clockwise. Where that holds both ways round, nothing is passed on.
    const uint32_t behind = (self_ + ring_.nodes - static_cast<uint32_t>(index(from))) % ring_.nodes;
    next_ = next_send(ring_, {behind <= ring_.reach ? 1 : -1, message.word});
    received_ = message;
    --pieces_left_;
  }

  [[nodiscard]] bool done() const override { return pieces_left_ == 0 && !next_; }
  [[nodiscard]] size_t table_bytes() const override { return 0; }

 private:
  [[nodiscard]] NodeId at(int64_t jump) const {
    const int64_t n = ring_.nodes;
    return id_at<NodeId>((self_ + jump + n) % n);
  }

  void pass_on(LocalOutbox& out) {
    if (!next_) return;
    received_.word = next_->weight;
    out.send(at(next_->jump), received_, LocalOutbox::Copy::kKept);
    next_.reset();
  }

  ExtendedRing ring_;
  uint32_t self_;
  uint32_t pieces_left_;
  // Of the root.
  std::vector<WeightedSend> first_;
  std::vector<LocalMessage> own_;
  size_t ports_ = 1;
  uint64_t interval_ = 1;
  // Of the others: what came, and where it goes.
  LocalMessage received_;
  std::optional<WeightedSend> next_;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(*as_extended_ring(problem.topology()), static_cast<uint32_t>(index(self)),
                                problem.collective(), problem.model().send);
}

}  // namespace
}  // namespace broadcast_extended_ring_parts

constinit const LocalProgram broadcast_extended_ring = {
    .name = "broadcast_extended_ring",
    .rule =
        "takes one off the weight of what it receives and, if something is left, passes it on by rho, the same way",
    .knows = "the size of the ring, and rho",
    .node = broadcast_extended_ring_parts::node,
};

}  // namespace quadrille::local_programs
