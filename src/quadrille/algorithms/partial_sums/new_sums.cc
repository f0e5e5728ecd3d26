#include "quadrille/algorithms/partial_sums/new_sums.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostLooks = 200'000'000;  // at 64 ranks of a part each

class NewSums {
 public:
  explicit NewSums(const Topology& net)
      : net_(net),
        words_((net.num_endpoints() + 63) / 64),
        into_(arcs_into(net)),
        heard_(net.num_nodes()),
        had_(net.num_nodes(), 0),
        known_(net.num_nodes() * words_, 0),
        is_full_(net.num_nodes(), 0),
        news_(words_),
        left_(net.num_endpoints()) {
    for (const NodeId v : net.endpoints()) {
      const size_t rank = index(*net.rank(v));
      known_[index(v) * words_ + rank / 64] |= uint64_t{1} << rank % 64;
      heard_[index(v)].push_back(SumPlan::kOwn);
    }
  }

  [[nodiscard]] std::optional<SumPlan> plan(uint32_t before) {
    for (const NodeId v : net_.endpoints()) look_whether_full(v);
    for (uint32_t step = 1; left_ > 0; ++step) {
      if (step >= before || looks_ > kMostLooks) return std::nullopt;
      const size_t sent = sends_.size();
      for (const NodeId v : net_.nodes()) had_[index(v)] = heard_[index(v)].size();
      was_full_ = is_full_;
      for (const NodeId v : net_.nodes()) {
        if (was_full_[index(v)] == 0) hear(step, v);
      }
      if (sends_.size() == sent) return std::nullopt;
    }
    return without_needless();
  }

 private:
  struct Send {
    uint32_t step;
    ArcId arc;
    bool whole;
    std::vector<uint32_t> parts;
  };

  [[nodiscard]] std::span<uint64_t> known(NodeId v) {
    return std::span(known_).subspan(index(v) * words_, words_);
  }
  [[nodiscard]] std::span<const uint64_t> ranks_of(uint32_t message) const {
    return std::span(ranks_).subspan(message * words_, words_);
  }

  // The parts of the arc's tail that are news at its head; how many ranks, and in news_ which.
  uint64_t look(ArcId arc, std::vector<uint32_t>* parts) {
    const NodeId from = net_.tail(arc);
    const std::span<const uint64_t> there = known(net_.head(arc));
    std::fill(news_.begin(), news_.end(), 0);
    uint64_t count = 0;
    looks_ += had_[index(from)] * words_;
    for (const uint32_t part : std::span(heard_[index(from)]).first(had_[index(from)])) {
      if (part == SumPlan::kOwn) {
        const size_t rank = index(*net_.rank(from));
        const uint64_t bit = uint64_t{1} << rank % 64;
        if ((there[rank / 64] & bit) != 0) continue;
        news_[rank / 64] |= bit;
        ++count;
      } else {
        const std::span<const uint64_t> ranks = ranks_of(part);
        bool overlaps = false;
        for (size_t w = 0; w < words_ && !overlaps; ++w) overlaps = (ranks[w] & there[w]) != 0;
        if (overlaps) continue;
        for (size_t w = 0; w < words_; ++w) {
          news_[w] |= ranks[w];
          count += static_cast<uint64_t>(std::popcount(ranks[w]));
        }
      }
      if (parts != nullptr) parts->push_back(part);
    }
    return count;
  }

  // One step of a node: from whoever has all, or from each neighbour what is new, the most first.
  void hear(uint32_t step, NodeId v) {
    const std::vector<ArcId>& arcs = into_[index(v)];
    const auto full =
        std::ranges::find_if(arcs, [this](ArcId arc) { return was_full_[index(net_.tail(arc))] != 0; });
    if (full != arcs.end()) {
      add({step, *full, true, {}});
      is_full_[index(v)] = 1;
      if (net_.rank(v)) --left_;
      return;
    }
    std::priority_queue<std::pair<uint64_t, size_t>> waiting;  // what it had to say when last asked; arcs
    for (size_t i = 0; i < arcs.size(); ++i) {
      if (const uint64_t count = look(arcs[i], nullptr); count > 0) waiting.emplace(count, arcs.size() - i);
    }
    std::vector<uint32_t> parts;
    while (!waiting.empty()) {
      const auto [said, back] = waiting.top();
      waiting.pop();
      parts.clear();
      const uint64_t count = look(arcs[arcs.size() - back], &parts);
      if (count == 0) continue;
      if (count < said) {
        waiting.emplace(count, back);
        continue;
      }
      heard_[index(v)].push_back(static_cast<uint32_t>(sends_.size()));
      for (size_t w = 0; w < words_; ++w) known(v)[w] |= news_[w];
      add({step, arcs[arcs.size() - back], false, parts});
    }
    look_whether_full(v);
  }

  // Every message has its ranks, those of whole sums as well: theirs are not looked at.
  void add(Send send) {
    sends_.push_back(std::move(send));
    ranks_.insert(ranks_.end(), news_.begin(), news_.end());
  }

  void look_whether_full(NodeId v) {
    uint64_t count = 0;
    for (const uint64_t word : known(v)) count += static_cast<uint64_t>(std::popcount(word));
    if (count < net_.num_endpoints()) return;
    is_full_[index(v)] = 1;
    if (net_.rank(v)) --left_;
  }

  // Who gets the whole sum, or wants none, needs only what it passes on.
  [[nodiscard]] SumPlan without_needless() const {
    std::vector<char> gets_whole(net_.num_nodes(), 0);
    for (const Send& send : sends_) {
      if (send.whole) gets_whole[index(net_.head(send.arc))] = 1;
    }
    std::vector<char> needed(sends_.size(), 0);
    // A router that has all must have put it together where it passes it on.
    std::vector<char> passes_whole(net_.num_nodes(), 0);
    for (size_t m = sends_.size(); m-- > 0;) {
      const Send& send = sends_[m];
      const NodeId to = net_.head(send.arc);
      const bool complete = net_.rank(to).has_value() || passes_whole[index(to)] != 0;
      if (needed[m] == 0) needed[m] = complete && (send.whole || gets_whole[index(to)] == 0) ? 1 : 0;
      if (needed[m] == 0) continue;
      if (send.whole) passes_whole[index(net_.tail(send.arc))] = 1;
      for (const uint32_t part : send.parts) {
        if (part != SumPlan::kOwn) needed[part] = 1;
      }
    }
    uint32_t steps = 0;
    for (size_t m = 0; m < sends_.size(); ++m) {
      if (needed[m] != 0) steps = std::max(steps, sends_[m].step);
    }
    SumPlan out(steps);
    std::vector<uint32_t> number(sends_.size());
    std::vector<uint32_t> parts;
    for (size_t m = 0; m < sends_.size(); ++m) {
      if (needed[m] == 0) continue;
      parts.clear();
      for (const uint32_t part : sends_[m].parts)
        parts.push_back(part == SumPlan::kOwn ? part : number[part]);
      number[m] = out.send(sends_[m].step, sends_[m].arc, parts, sends_[m].whole);
    }
    return out;
  }

  const Topology& net_;
  size_t words_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<std::vector<uint32_t>> heard_;  // per node: messages, and kOwn
  std::vector<size_t> had_;                   // how many of them when the step began
  std::vector<uint64_t> known_;               // ranks, per node
  std::vector<char> is_full_;
  std::vector<char> was_full_;
  std::vector<uint64_t> news_;
  std::vector<Send> sends_;
  std::vector<uint64_t> ranks_;  // per message
  size_t left_;
  uint64_t looks_ = 0;
};

}  // namespace

std::optional<SumPlan> new_sums(const Topology& topology, uint32_t before) {
  return NewSums(topology).plan(before);
}

}  // namespace quadrille
