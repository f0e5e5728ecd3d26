#include "quadrille/verify/reference.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

// A transfer as the rules' text speaks of it.
struct Sent {
  uint64_t number;  // within its step
  NodeId from;
  NodeId to;
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  bool copy;
  SumSlots slots;
};

class ReferenceJudge {
 public:
  explicit ReferenceJudge(const Problem& problem) : problem_(problem), net_(problem.topology()) {
    const Collective& c = problem.collective();
    for (uint32_t b = 0; b < c.num_blocks(); ++b) {
      if (c.flow() == Flow::kCombine) {
        for (uint32_t r = 0; r < c.num_ranks(); ++r) {
          parts_[{BlockId{b}, net_.endpoint(Rank{r})}][0].insert(Rank{r});
        }
      } else {
        holders_[BlockId{b}].insert(problem.origin(BlockId{b}));
      }
    }
  }

  Verdict judge(const Plan& plan) {
    for (size_t s = 0; s < plan.num_steps(); ++s) judge_step(s, plan.step(s));
    judge_end();
    if (problem_.model().queue_limit) judge_queues();
    std::stable_sort(verdict_.findings.begin(), verdict_.findings.end(),
                     [](const Finding& a, const Finding& b) {
                       return std::tuple(a.step, a.transfer, a.rule) < std::tuple(b.step, b.transfer, b.rule);
                     });
    verdict_.total_findings = verdict_.findings.size();
    for (const auto& [arc, load] : load_) {
      if (load <= verdict_.figures.busiest_link) continue;
      verdict_.figures.busiest_link = load;
      verdict_.figures.busiest_arc = arc;
    }
    return std::move(verdict_);
  }

 private:
  void find(std::string_view rule, uint64_t step, uint64_t transfer) {
    verdict_.findings.push_back({rule, step, transfer, std::string(rule)});
  }

  bool is_right_form(const StepView& view, size_t s, size_t t) {
    const auto arcs = view.arcs(t);
    const auto blocks = view.blocks(t);
    const bool packet = problem_.model().switching == Switching::kPacket;
    const bool one = packet && problem_.model().packets == Packets::kOne;
    bool good =
        !arcs.empty() && !blocks.empty() && (!packet || arcs.size() == 1) && (!one || blocks.size() == 1);
    for (const BlockId b : blocks) good = good && index(b) < problem_.collective().num_blocks();
    if (view.op(t) == TransferOp::kCopy && problem_.collective().flow() != Flow::kCombine) good = false;
    const SumSlots slots = view.slots_of(t);
    if (slots != SumSlots{} && problem_.collective().flow() != Flow::kCombine) good = false;
    if (slots.from == 0 || slots.to > 31) good = false;
    if (!good) {
      find("transfer_form", s, t);
      return false;
    }
    for (size_t i = 0; i < arcs.size(); ++i) {
      const bool exists = index(arcs[i]) < net_.num_arcs();
      if (exists && (i == 0 || net_.head(arcs[i - 1]) == net_.tail(arcs[i]))) continue;
      find("path_exists", s, t);
      return false;
    }
    return true;
  }

  void judge_step(size_t s, const StepView& view) {
    std::vector<Sent> step;
    for (size_t t = 0; t < view.size(); ++t) {
      if (!is_right_form(view, s, t)) continue;
      const auto arcs = view.arcs(t);
      const auto blocks = view.blocks(t);
      step.push_back({t,
                      net_.tail(arcs.front()),
                      net_.head(arcs.back()),
                      {arcs.begin(), arcs.end()},
                      {blocks.begin(), blocks.end()},
                      view.op(t) == TransferOp::kCopy,
                      view.slots_of(t)});
    }
    judge_ports(s, step);
    judge_links(s, step);
    judge_routes(s, step);
    judge_chunks(s, step);
    if (problem_.collective().flow() == Flow::kMove) judge_moves(s, step);
    if (problem_.collective().flow() == Flow::kCopy) judge_copies(s, step);
    if (problem_.collective().flow() == Flow::kCombine) judge_contributions(s, step);
    measure(step);
    history_.push_back(std::move(step));
  }

  // With these, transfers add up on an arc, and those that take the same path are one message.
  [[nodiscard]] bool arcs_are_shared() const {
    return problem_.model().switching == Switching::kShared || problem_.model().packets == Packets::kMany;
  }

  void judge_ports(size_t s, const std::vector<Sent>& step) {
    std::map<NodeId, uint32_t> starts;
    std::map<NodeId, uint32_t> ends;
    const Ports send = problem_.model().send;
    const Ports receive = problem_.model().receive;
    std::set<std::vector<ArcId>> messages;
    for (const Sent& sent : step) {
      if (arcs_are_shared() && !messages.insert(sent.path).second) continue;
      if (++starts[sent.from] > send.count && !send.unlimited()) find("send_ports", s, sent.number);
      if (++ends[sent.to] > receive.count && !receive.unlimited()) find("receive_ports", s, sent.number);
    }
  }

  void judge_links(size_t s, const std::vector<Sent>& step) {
    const bool packet = problem_.model().switching == Switching::kPacket;
    std::map<std::pair<NodeId, NodeId>, uint32_t> uses;
    for (const Sent& sent : step) {
      std::set<ArcId> own;  // what this worm holds: it waits for itself where it comes a second time
      for (const ArcId arc : sent.path) {
        const auto ends = std::pair(net_.tail(arc), net_.head(arc));
        const bool again = !own.insert(arc).second;
        const bool too_many = !again && ++uses[ends] > net_.capacity(arc);
        if (!arcs_are_shared() && (again || too_many))
          find(packet ? "link_capacity" : "worms_disjoint", s, sent.number);
        if (problem_.model().duplex == Duplex::kHalf && uses.contains({ends.second, ends.first})) {
          find("half_duplex", s, sent.number);
        }
      }
    }
  }

  uint64_t distance(NodeId from, NodeId to) const {
    std::set<NodeId> ball{from};
    for (uint64_t d = 0;; ++d) {
      if (ball.contains(to)) return d;
      std::set<NodeId> larger = ball;
      for (const NodeId v : ball) {
        for (const ArcId arc : net_.arcs_from(v)) larger.insert(net_.head(arc));
      }
      ball = std::move(larger);
    }
  }

  // In dimension order the path is cut at every change of dimension; the dimensions must ascend, and each
  // piece must be as long as the distance of its ends, which differ in one coordinate only.
  bool is_ordered(const Sent& sent) const {
    const ProductStructure& product = *net_.product();
    size_t last = 0;
    size_t i = 0;
    while (i < sent.path.size()) {
      const NodeId start = net_.tail(sent.path[i]);
      size_t dimension = 0;
      size_t hops = 0;
      NodeId end = start;
      for (; i < sent.path.size(); ++i, ++hops) {
        const NodeId next = net_.head(sent.path[i]);
        size_t d = 0;
        while (product.coordinate(end, d) == product.coordinate(next, d)) ++d;
        if (hops > 0 && d != dimension) break;
        dimension = d;
        end = next;
      }
      if (dimension < last || hops != distance(start, end)) return false;
      last = dimension;
    }
    return true;
  }

  void judge_routes(size_t s, const std::vector<Sent>& step) {
    if (problem_.model().switching == Switching::kPacket) return;
    for (const Sent& sent : step) {
      const Routing routing = problem_.model().routing;
      if ((routing == Routing::kShortest && sent.path.size() != distance(sent.from, sent.to)) ||
          (routing == Routing::kDimensionOrder && !is_ordered(sent))) {
        find("worm_routing", s, sent.number);
      }
    }
  }

  // A piece is late if a later one came over the same link, as it does, in an earlier step.
  void judge_chunks(size_t s, const std::vector<Sent>& step) {
    if (problem_.model().chunks != Chunks::kInOrder) return;
    const uint32_t pieces = problem_.collective().pieces();
    const auto piece = [&](BlockId b) { return index(b) % pieces; };
    const auto whole = [&](BlockId b) { return index(b) / pieces; };
    for (const Sent& sent : step) {
      for (const BlockId b : sent.blocks) {
        bool late = false;
        for (const std::vector<Sent>& earlier : history_) {
          for (const Sent& other : earlier) {
            if (other.path.back() != sent.path.back() || other.copy != sent.copy) continue;
            for (const BlockId c : other.blocks) late = late || (whole(c) == whole(b) && piece(c) > piece(b));
          }
        }
        if (late) find("chunks_in_order", s, sent.number);
      }
    }
  }

  void judge_moves(size_t s, const std::vector<Sent>& step) {
    std::set<BlockId> moved;
    for (const Sent& sent : step) {
      for (const BlockId b : sent.blocks) {
        if (!holders_[b].contains(sent.from) || moved.contains(b)) {
          find("sender_holds", s, sent.number);
        } else if (sent.from == problem_.destination(b)) {
          find("delivered_once", s, sent.number);
        }
        moved.insert(b);
        holders_[b] = {sent.to};
      }
    }
  }

  void judge_copies(size_t s, const std::vector<Sent>& step) {
    const auto before = holders_;
    for (const Sent& sent : step) {
      for (const BlockId b : sent.blocks) {
        if (!before.at(b).contains(sent.from)) find("sender_holds", s, sent.number);
        const bool again = !holders_[b].insert(sent.to).second;
        if (again && net_.rank(sent.to)) find("delivered_once", s, sent.number);
      }
    }
  }

  // All that is in the slots of the mask, and whether any of it is there twice.
  static std::set<Rank> sum_of(const std::map<uint32_t, std::set<Rank>>& slots, uint32_t mask, bool& meet) {
    std::set<Rank> sum;
    for (const auto& [slot, part] : slots) {
      if ((mask >> slot & 1U) == 0) continue;
      for (const Rank r : part) meet = !sum.insert(r).second || meet;
    }
    return sum;
  }

  void judge_contributions(size_t s, const std::vector<Sent>& step) {
    const auto before = parts_;
    // Into which slot, and whether it was a copy, of each so far.
    std::map<std::pair<BlockId, NodeId>, std::vector<std::pair<uint32_t, bool>>> arrivals;
    std::vector<std::tuple<uint64_t, BlockId, NodeId, uint32_t>> added;  // to which slots, by which first
    for (const Sent& sent : step) {
      for (const BlockId b : sent.blocks) {
        const auto found = before.find({b, sent.from});
        bool meet = false;
        const std::set<Rank> part =
            found == before.end() ? std::set<Rank>{} : sum_of(found->second, sent.slots.from, meet);
        if (part.empty()) find("sender_holds", s, sent.number);
        if (meet) find("contributions", s, sent.number);
        if (found != before.end() && filled(found->second, sent.slots.from) > 1 && is_out_of_order(part))
          find("ranks_in_order", s, sent.number);
        auto& here = arrivals[{b, sent.to}];
        const uint32_t into = sent.slots.to;
        bool clash = false;
        for (const auto& [slot, copied] : here) {
          // One that replaces everything stands alone; one that replaces a slot is alone in it.
          if ((copied && slot == 0) || (sent.copy && into == 0)) clash = true;
          if (slot == into && (copied || sent.copy)) clash = true;
        }
        if (clash) find("contributions", s, sent.number);
        const bool first =
            std::none_of(here.begin(), here.end(), [&](const auto& h) { return h.first == into; });
        if (first && !sent.copy) added.emplace_back(sent.number, b, sent.to, into);
        here.emplace_back(into, sent.copy);
        std::map<uint32_t, std::set<Rank>>& slots = parts_[{b, sent.to}];
        if (sent.copy && into == 0) slots.clear();
        std::set<Rank>& at = slots[into];
        if (sent.copy) {
          at = part;
          continue;
        }
        bool twice = false;
        for (const Rank r : part) twice = !at.insert(r).second || twice;
        if (twice) find("contributions", s, sent.number);
      }
    }
    for (const auto& [number, block, node, slot] : added)
      if (is_out_of_order(parts_[{block, node}][slot])) find("ranks_in_order", s, number);
  }

  static size_t filled(const std::map<uint32_t, std::set<Rank>>& slots, uint32_t mask) {
    size_t out = 0;
    for (const auto& [slot, part] : slots) out += (mask >> slot & 1U) != 0 && !part.empty() ? 1 : 0;
    return out;
  }
  [[nodiscard]] bool is_out_of_order(const std::set<Rank>& sum) const {
    if (problem_.model().combining != Operator::kOrdered || sum.empty()) return false;
    return index(*sum.rbegin()) - index(*sum.begin()) + 1 != sum.size();
  }

  // The last step before `step` in which the block came to the node to stay for a while; nothing if it was
  // there from the start, if it had gone again, or if it is at home.
  std::optional<size_t> came(BlockId block, NodeId node, size_t step) const {
    const bool moves = problem_.collective().flow() == Flow::kMove;
    if (moves ? node == problem_.destination(block) : net_.rank(node).has_value()) return std::nullopt;
    for (size_t s = step; s-- > 0;) {
      for (size_t t = history_[s].size(); t-- > 0;) {
        const Sent& sent = history_[s][t];
        if (std::count(sent.blocks.begin(), sent.blocks.end(), block) == 0) continue;
        if (sent.to == node) return s;
        if (moves) return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // The link on which a block came to a node in a step; of several, the one that is named last.
  [[nodiscard]] ArcId came_over(BlockId block, NodeId node, size_t step) const {
    ArcId over = kNoArc;
    for (const Sent& sent : history_[step]) {
      if (sent.to == node && std::count(sent.blocks.begin(), sent.blocks.end(), block) > 0)
        over = sent.path.back();
    }
    return over;
  }

  // Waits of one block at one node: for each link over which it goes, or, by the link that it came on, from
  // its arrival until it has gone over the last.
  void judge_queues() {
    std::map<ArcId, std::vector<uint32_t>> waiting;  // at the end of each step
    std::map<std::tuple<BlockId, NodeId, size_t>, size_t> last_sent;
    const bool incoming = problem_.model().queues_per == QueuesPer::kIncoming;
    const auto wait = [&](ArcId link, size_t r, size_t s) {
      std::vector<uint32_t>& queue = waiting[link];
      queue.resize(history_.size(), 0);
      for (size_t t = r + 1; t < s; ++t) ++queue[t];
    };
    for (size_t s = 0; s < history_.size(); ++s) {
      for (const Sent& sent : history_[s]) {
        for (const BlockId b : sent.blocks) {
          const std::optional<size_t> r = came(b, sent.from, s);
          if (!r) continue;
          if (!incoming) wait(sent.path.front(), *r, s);
          if (incoming) last_sent[{b, sent.from, *r}] = s;
        }
      }
    }
    for (const auto& [stay, s] : last_sent) {
      const auto& [block, node, r] = stay;
      wait(came_over(block, node, r), r, s);
    }
    for (const auto& [arc, queue] : waiting) {
      for (size_t s = 0; s < queue.size(); ++s) {
        const uint32_t limit = *problem_.model().queue_limit;
        if (queue[s] > limit && (s == 0 || queue[s - 1] <= limit)) find("queue_limit", s, Finding::kAtEnd);
      }
    }
  }

  void judge_end() {
    const Collective& c = problem_.collective();
    for (uint32_t b = 0; b < c.num_blocks(); ++b) {
      for (uint32_t r = 0; r < c.num_ranks(); ++r) {
        if (!c.is_destination(BlockId{b}, Rank{r})) continue;
        const NodeId node = net_.endpoint(Rank{r});
        bool meet = false;
        const bool there = c.flow() == Flow::kCombine
                               ? sum_of(parts_[{BlockId{b}, node}], UINT32_MAX, meet).size() == c.num_ranks()
                               : holders_[BlockId{b}].contains(node);
        if (meet) find("contributions", Finding::kAtEnd, b);
        if (!there) find("delivered", Finding::kAtEnd, b);
      }
    }
  }

  void measure(const std::vector<Sent>& step) {
    Figures& f = verdict_.figures;
    uint64_t most = 0;
    uint64_t farthest = 0;
    std::map<ArcId, uint64_t> on_arc;
    std::map<NodeId, std::set<std::vector<ArcId>>> started;
    std::map<NodeId, std::set<std::vector<ArcId>>> ended;
    std::map<NodeId, uint64_t> starts;
    std::map<NodeId, uint64_t> ends;
    for (const Sent& sent : step) {
      started[sent.from].insert(sent.path);
      ended[sent.to].insert(sent.path);
      starts[sent.from] += 1;
      ends[sent.to] += 1;
      for (const ArcId arc : sent.path) on_arc[arc] += sent.blocks.size();
      farthest = std::max<uint64_t>(farthest, sent.path.size());
      most = std::max<uint64_t>(most, sent.blocks.size());
      f.block_hops += sent.blocks.size() * sent.path.size();
      for (const ArcId arc : sent.path) load_[arc] += sent.blocks.size();
    }
    if (arcs_are_shared()) {
      most = 0;
      for (const auto& [arc, blocks] : on_arc) {
        const uint64_t capacity = net_.capacity(arc);
        most = std::max(most, blocks / capacity + (blocks % capacity == 0 ? 0 : 1));
      }
    }
    uint64_t messages = 0;
    if (arcs_are_shared()) {
      for (const auto& [v, paths] : started) messages = std::max<uint64_t>(messages, paths.size());
      for (const auto& [v, paths] : ended) messages = std::max<uint64_t>(messages, paths.size());
    } else if (problem_.model().cost.to > 0) {
      for (const auto& [v, count] : starts) messages = std::max(messages, count);
      for (const auto& [v, count] : ends) messages = std::max(messages, count);
    }
    f.messages = std::max(f.messages, messages);
    f.further_messages += messages > 1 ? messages - 1 : 0;
    f.steps += 1;
    f.start_ups += step.empty() ? 0 : 1;
    f.transfers += step.size();
    f.critical_blocks += most;
    f.critical_hops += farthest;
  }

  const Problem& problem_;
  const Topology& net_;
  std::map<BlockId, std::set<NodeId>> holders_;
  std::map<std::pair<BlockId, NodeId>, std::map<uint32_t, std::set<Rank>>> parts_;  // by slot
  std::map<ArcId, uint64_t> load_;
  std::vector<std::vector<Sent>> history_;
  Verdict verdict_;
};

}  // namespace

Verdict reference_verify(const Problem& problem, const Plan& plan) {
  return ReferenceJudge(problem).judge(plan);
}

}  // namespace quadrille
