#include "quadrille/algorithms/in_order/in_order_rounds.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/next_hops.h"

namespace quadrille {
namespace {

struct Message {
  uint32_t from;
  uint32_t to;
  uint32_t round;
};

// Ranks first .. last at `owner`, in rounds below `rounds`.
void collect(uint32_t first, uint32_t last, uint32_t owner, uint32_t rounds, uint32_t radix,
             std::vector<Message>& out) {
  uint64_t below = owner - first;
  uint32_t low = owner;  // what it has by now: low .. high - 1
  uint32_t high = owner + 1;
  uint64_t size = 1;
  for (uint32_t round = 0; round < rounds; ++round, size *= radix) {
    const auto from_below = static_cast<uint32_t>(below % radix);
    below /= radix;
    for (uint32_t i = 0; i < from_below; ++i) {
      const auto begin = static_cast<uint32_t>(low - size);
      collect(begin, low - 1, low - 1, round, radix, out);
      out.push_back({low - 1, owner, round});
      low = begin;
    }
    for (uint32_t i = from_below; i + 1 < radix && high <= last; ++i) {
      const auto end = static_cast<uint32_t>(std::min<uint64_t>(high + size, uint64_t{last} + 1));
      collect(high, end - 1, high, round, radix, out);
      out.push_back({high, owner, round});
      high = end;
    }
  }
}

std::vector<Message> messages(uint32_t ranks, uint32_t root, uint32_t radix) {
  uint32_t rounds = 0;
  for (uint64_t size = 1; size < ranks; size *= radix) ++rounds;
  std::vector<Message> out;
  collect(0, ranks - 1, root, rounds, radix, out);
  std::stable_sort(out.begin(), out.end(),
                   [](const Message& a, const Message& b) { return a.round < b.round; });
  return out;
}

// How much of something is taken in which step.
class Taken {
 public:
  explicit Taken(size_t count) : steps_(count) {}
  [[nodiscard]] uint32_t at(size_t what, size_t step) const {
    return step < steps_[what].size() ? steps_[what][step] : 0;
  }
  void take(size_t what, size_t step) {
    if (steps_[what].size() <= step) steps_[what].resize(step + 1, 0);
    ++steps_[what][step];
  }

 private:
  std::vector<std::vector<uint32_t>> steps_;
};

class Router {
 public:
  explicit Router(const Problem& problem)
      : problem_(problem),
        topology_(problem.topology()),
        hops_(next_hops_of(topology_, Routing::kShortest)),
        arcs_(topology_.num_arcs()),
        sent_(topology_.num_nodes()),
        received_(topology_.num_nodes()) {}

  void route(uint32_t piece, const std::vector<Message>& messages) {
    const Collective& collective = problem_.collective();
    kept_.assign(topology_.num_nodes(), {});
    // From which step on a rank has what came last.
    std::vector<size_t> ready(collective.num_ranks(), 0);
    for (const Message& message : messages) {
      size_t start = ready[message.from];
      // Sums come to a node in the order of the messages, so that they fit what it has.
      while (!go(piece, Rank{message.from}, Rank{message.to}, start, ready[message.to])) ++start;
    }
    const Rank root = *collective.root();
    if (kept_[index(topology_.endpoint(root))].empty()) return;
    clear_slots(piece, topology_.endpoint(root), ready[index(root)]);
  }

  void push(StepSink& sink) {
    std::stable_sort(sends_.begin(), sends_.end(),
                     [](const Send& a, const Send& b) { return a.step < b.step; });
    StepBuilder step;
    size_t number = 0;
    for (const Send& send : sends_) {
      while (number < send.step) {
        step.flush(sink);
        ++number;
      }
      step.add({&send.arc, 1}, {&send.block, 1}, send.copy ? TransferOp::kCopy : TransferOp::kDefault,
               send.slots);
    }
    if (!step.empty()) step.flush(sink);
  }

 private:
  struct Send {
    size_t step;
    ArcId arc;
    BlockId block;
    bool copy;
    SumSlots slots;
  };
  struct Stay {
    uint32_t slot;
    size_t from;
    size_t until;
  };

  [[nodiscard]] bool is_free(ArcId arc, size_t step) const {
    const Model& model = problem_.model();
    const auto fits = [](Ports ports, uint32_t taken) { return ports.unlimited() || taken < ports.count; };
    if (arcs_.at(index(arc), step) >= topology_.capacity(arc)) return false;
    if (model.duplex == Duplex::kHalf) {
      const std::optional<ArcId> back = topology_.find_arc(topology_.head(arc), topology_.tail(arc));
      if (back && arcs_.at(index(*back), step) > 0) return false;
    }
    return fits(model.send, sent_.at(index(topology_.tail(arc)), step)) &&
           fits(model.receive, received_.at(index(topology_.head(arc)), step));
  }

  void send(size_t step, ArcId arc, uint32_t piece, bool copy, SumSlots slots) {
    arcs_.take(index(arc), step);
    sent_.take(index(topology_.tail(arc)), step);
    received_.take(index(topology_.head(arc)), step);
    sends_.push_back({step, arc, BlockId{piece}, copy, slots});
  }

  [[nodiscard]] size_t first_free(ArcId arc, size_t step) const {
    while (!is_free(arc, step)) ++step;
    return step;
  }

  [[nodiscard]] std::optional<uint32_t> free_slot(NodeId node, size_t from, size_t until) const {
    uint32_t taken = 1;
    for (const Stay& stay : kept_[index(node)])
      if (stay.from < until && from < stay.until) taken |= 1U << stay.slot;
    for (uint32_t slot = 1; slot < SumSlots::kCount; ++slot)
      if ((taken >> slot & 1U) == 0) return slot;
    return std::nullopt;
  }

  // From step `start` on; it does not arrive before `ready`, which then is the step after. False where a slot is
  // missing on the way: then nothing was taken.
  bool go(uint32_t piece, Rank from, Rank to, size_t start, size_t& ready) {
    std::vector<ArcId> path;
    const NodeId end = topology_.endpoint(to);
    for (NodeId v = topology_.endpoint(from); v != end; v = topology_.head(path.back()))
      path.push_back(hops_->arc(to, v));
    std::vector<size_t> steps;
    size_t step = start;
    for (size_t i = 0; i < path.size(); ++i) {
      if (i + 1 == path.size()) step = std::max(step, ready == 0 ? 0 : ready - 1);
      step = first_free(path[i], step);
      steps.push_back(step++);
    }
    std::vector<uint32_t> slots{0};
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      const std::optional<uint32_t> slot = free_slot(topology_.head(path[i]), steps[i], steps[i + 1]);
      if (!slot) return false;
      slots.push_back(*slot);
    }
    slots.push_back(0);
    for (size_t i = 0; i < path.size(); ++i) {
      const bool last = i + 1 == path.size();
      send(steps[i], path[i], piece, !last, {1U << slots[i], slots[i + 1]});
      if (!last) kept_[index(topology_.head(path[i]))].push_back({slots[i + 1], steps[i], steps[i + 1]});
    }
    ready = steps.back() + 1;
    return true;
  }

  // What passed through the root is still in its slots: the whole sum goes to a neighbour and comes back, which
  // replaces all.
  void clear_slots(uint32_t piece, NodeId root, size_t step) {
    const ArcId away = *topology_.arcs_from(root).begin();
    step = first_free(away, step);
    send(step++, away, piece, true, {1U, 1U});
    for (NodeId v = topology_.head(away); v != root;) {
      const ArcId arc = hops_->arc(*problem_.collective().root(), v);
      v = topology_.head(arc);
      step = first_free(arc, step);
      send(step++, arc, piece, true, {2U, v == root ? 0U : 1U});
    }
  }

  const Problem& problem_;
  const Topology& topology_;
  std::shared_ptr<const NextHops> hops_;
  Taken arcs_;
  Taken sent_;
  Taken received_;
  std::vector<std::vector<Stay>> kept_{};  // of the piece, per node
  std::vector<Send> sends_{};
};

}  // namespace

RankRounds in_order_rounds(uint32_t ranks, uint32_t root, uint32_t radix, uint32_t pieces) {
  std::vector<BlockId> blocks;
  for (uint32_t piece = 0; piece < pieces; ++piece) blocks.push_back(BlockId{piece});
  RankRounds out;
  uint32_t round = 0;
  for (const Message& message : messages(ranks, root, radix)) {
    for (; round < message.round; ++round) out.end_round();
    out.send(message.from, message.to, blocks);
  }
  out.end_round();
  return out;
}

void route_in_order_rounds(const Problem& problem, StepSink& sink) {
  const Collective& collective = problem.collective();
  const std::vector<Message> rounds =
      messages(collective.num_ranks(), static_cast<uint32_t>(index(*collective.root())), 2);
  Router router(problem);
  for (uint32_t piece = 0; piece < collective.pieces(); ++piece) router.route(piece, rounds);
  router.push(sink);
}

}  // namespace quadrille
