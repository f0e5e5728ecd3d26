#include "quadrille/transforms/merge_steps.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/transforms/block_times.h"

namespace quadrille {
namespace {

// What a step of messages carries already.
class MessageStep {
 public:
  struct Message {
    uint32_t packets = 0;
    TransferOp op = TransferOp::kDefault;
    SumSlots slots{};
  };

  explicit MessageStep(const Topology& topology)
      : messages_(topology.num_arcs()), sent_(topology.num_nodes(), 0), received_(topology.num_nodes(), 0) {}

  [[nodiscard]] Message& over(ArcId arc) { return messages_[index(arc)]; }
  [[nodiscard]] uint32_t& sent(NodeId v) { return sent_[index(v)]; }
  [[nodiscard]] uint32_t& received(NodeId v) { return received_[index(v)]; }

  bool is_closed = false;  // an exchange has it for itself

 private:
  std::vector<Message> messages_;  // by arc
  std::vector<uint32_t> sent_;     // messages, by node
  std::vector<uint32_t> received_;
};

class Merger {
 public:
  Merger(const Problem& problem, const Plan& plan, uint32_t rounds)
      : problem_(problem),
        topology_(problem.topology()),
        plan_(plan),
        rounds_(rounds == 0 ? std::numeric_limits<uint32_t>::max() : rounds),
        times_(problem) {}

  [[nodiscard]] Plan merge() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      if (times_.is_exchange(step)) {
        const size_t at = steps_.size();
        for (size_t t = 0; t < step.size(); ++t) take(step, s, t, at);
        for (size_t t = 0; t < step.size(); ++t) times_.note(step, t, at);
        steps_[at].is_closed = true;
        continue;
      }
      for (size_t t = 0; t < step.size(); ++t) {
        size_t at = times_.earliest(step, t);
        while (at < steps_.size() && !has_room(step, t, at)) ++at;
        take(step, s, t, at);
        times_.note(step, t, at);
      }
    }
    return in_messages();
  }

 private:
  struct Placed {
    size_t at;
    ArcId arc;
    size_t step;  // of the old plan
    size_t transfer;
  };

  [[nodiscard]] static bool has_port(Ports ports, uint32_t used) {
    return ports.unlimited() || used < ports.count;
  }

  // A worm goes along one of the lanes of a link and needs a port, so that as many lie side by side as there are lanes only where
  // there are ports for all.
  [[nodiscard]] uint32_t lanes(ArcId arc) const {
    const Model& model = problem_.model();
    const bool has_ports = model.send.unlimited() && model.receive.unlimited();
    return shares_arcs(model) || has_ports ? topology_.capacity(arc) : 1;
  }

  [[nodiscard]] bool has_room(const StepView& step, size_t t, size_t at) {
    MessageStep& there = steps_[at];
    if (there.is_closed) return false;
    const ArcId arc = step.arcs(t).front();
    const MessageStep::Message& message = there.over(arc);
    if (message.packets == 0) {
      const Model& model = problem_.model();
      const ArcId back = topology_.reverse(arc);
      return (model.duplex != Duplex::kHalf || back == kNoArc || there.over(back).packets == 0) &&
             has_port(model.send, there.sent(topology_.tail(arc))) &&
             has_port(model.receive, there.received(topology_.head(arc)));
    }
    if (message.packets / lanes(arc) >= rounds_) return false;
    return shares_arcs(problem_.model()) || (message.op == step.op(t) && message.slots == step.slots_of(t));
  }

  void take(const StepView& step, size_t s, size_t t, size_t at) {
    while (steps_.size() <= at) steps_.emplace_back(topology_);
    const ArcId arc = step.arcs(t).front();
    MessageStep::Message& message = steps_[at].over(arc);
    if (message.packets++ == 0) {
      message.op = step.op(t);
      message.slots = step.slots_of(t);
      ++steps_[at].sent(topology_.tail(arc));
      ++steps_[at].received(topology_.head(arc));
    }
    placed_.push_back({at, arc, s, t});
  }

  [[nodiscard]] Plan in_messages() {
    std::ranges::stable_sort(placed_, {}, [](const Placed& p) { return std::pair(p.at, index(p.arc)); });
    Plan out;
    StepBuilder builder;
    std::vector<BlockId> blocks;
    for (size_t i = 0; i < placed_.size();) {
      const size_t at = placed_[i].at;
      while (i < placed_.size() && placed_[i].at == at) {
        const Placed& first = placed_[i];
        const StepView view = plan_.step(first.step);
        blocks.clear();
        for (; i < placed_.size() && placed_[i].at == at && placed_[i].arc == first.arc; ++i) {
          const StepView other = plan_.step(placed_[i].step);
          if (other.op(placed_[i].transfer) != view.op(first.transfer) ||
              other.slots_of(placed_[i].transfer) != view.slots_of(first.transfer))
            break;
          blocks.insert(blocks.end(), other.blocks(placed_[i].transfer).begin(),
                        other.blocks(placed_[i].transfer).end());
        }
        const size_t parts =
            shares_arcs(problem_.model()) ? 1 : std::min<size_t>(lanes(first.arc), blocks.size());
        for (size_t part = 0; part < parts; ++part) {
          const size_t from = blocks.size() * part / parts;
          const size_t to = blocks.size() * (part + 1) / parts;
          builder.add({&first.arc, 1}, std::span(blocks).subspan(from, to - from), view.op(first.transfer),
                      view.slots_of(first.transfer));
        }
      }
      builder.flush(out);
    }
    return out;
  }

  const Problem& problem_;
  const Topology& topology_;
  const Plan& plan_;
  uint32_t rounds_;
  BlockTimes times_;
  std::vector<MessageStep> steps_{};
  std::vector<Placed> placed_{};
};

}  // namespace

Plan merge_steps(const Problem& problem, const Plan& plan, uint32_t rounds) {
  return Merger(problem, plan, rounds).merge();
}

}  // namespace quadrille
