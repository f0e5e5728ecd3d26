#include "quadrille/search/maximum_flow.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {

// What is left of every arc, and of its way back, sorted by the node that they leave.
class FlowSearch {
 public:
  explicit FlowSearch(const FlowNetwork& network) : nodes_(network.num_nodes_) {
    begin_.assign(nodes_ + 1, 0);
    for (const FlowNetwork::Arc& arc : network.arcs_) {
      ++begin_[arc.from + 1];
      ++begin_[arc.to + 1];
    }
    for (size_t v = 0; v < nodes_; ++v) begin_[v + 1] += begin_[v];
    next_.assign(begin_.begin(), begin_.end() - 1);
    halves_.resize(2 * network.arcs_.size());
    place_.reserve(network.arcs_.size());
    for (const FlowNetwork::Arc& arc : network.arcs_) {
      const size_t there = next_[arc.from]++;
      const size_t back = next_[arc.to]++;
      halves_[there] = {arc.to, true, back, arc.capacity};
      halves_[back] = {arc.from, false, there, 0};
      place_.push_back(there);
    }
  }

  // Returns what flows, at most `wanted`.
  uint64_t run(uint64_t wanted) {
    on_way_.assign(nodes_, 0);
    const uint64_t flow = fill(FlowNetwork::kSource, FlowNetwork::kSink, wanted,
                               [&](uint32_t, const Half& half) { return half.forward; });
    return flow + lead(FlowNetwork::kSource, FlowNetwork::kSink, wanted - flow);
  }

  // From one node to another what is left lets through, at most `wanted`, over the shortest paths; returns how much.
  uint64_t lead(uint32_t from, uint32_t to, uint64_t wanted) {
    on_way_.resize(nodes_, 0);
    uint64_t flow = 0;
    while (flow < wanted && find_levels(from, to)) {
      flow += fill(from, to, wanted - flow,
                   [&](uint32_t v, const Half& half) { return level_[half.to] == level_[v] + 1; });
    }
    return flow;
  }

  // Makes the arc from the node to the sink so wide; returns what went over it before, which is nowhere now.
  uint64_t open(uint32_t end, uint64_t capacity) {
    for (size_t at = begin_[end]; at < begin_[end + 1]; ++at) {
      Half& half = halves_[at];
      if (half.to != FlowNetwork::kSink || !half.forward) continue;
      half.left = capacity;
      return std::exchange(halves_[half.mate].left, 0);
    }
    QUADRILLE_CHECK(false, "no arc leads from there to the sink");
    return 0;
  }

  // After a flow that was smaller than wanted.
  [[nodiscard]] std::vector<char> side_of_source() const {
    std::vector<char> out(nodes_);
    for (size_t v = 0; v < nodes_; ++v) out[v] = level_[v] != kNowhere ? 1 : 0;
    return out;
  }

  // What went over the k-th arc: what is there to come back.
  [[nodiscard]] uint64_t over(size_t k) const { return halves_[halves_[place_[k]].mate].left; }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  struct Half {
    uint32_t to;
    bool forward;
    size_t mate;
    uint64_t left;
  };

  // Fills paths of allowed halves, depth first, until none is left; what leads nowhere is not tried again.
  template <typename Allowed>
  uint64_t fill(uint32_t from, uint32_t to, uint64_t wanted, Allowed&& allowed) {
    next_.assign(begin_.begin(), begin_.end() - 1);
    uint64_t flow = 0;
    path_.clear();
    uint32_t v = from;
    on_way_[v] = 1;
    while (flow < wanted) {
      if (v == to) {
        flow += send(wanted - flow, v);
        continue;
      }
      size_t& at = next_[v];
      while (at < begin_[v + 1] && !(leads_on(halves_[at]) && allowed(v, halves_[at]))) ++at;
      if (at < begin_[v + 1]) {
        path_.push_back(at);
        v = halves_[at].to;
        on_way_[v] = 1;
      } else if (path_.empty()) {
        break;
      } else {
        v = step_back(v);
        ++next_[v];
      }
    }
    while (!path_.empty()) v = step_back(v);
    on_way_[v] = 0;
    return flow;
  }

  // Something fits, and the node is not on the way already and has untried halves.
  [[nodiscard]] bool leads_on(const Half& half) const {
    return half.left > 0 && on_way_[half.to] == 0 && next_[half.to] < begin_[half.to + 1];
  }

  // From `v`, the end of the path, to the node before it.
  uint32_t step_back(uint32_t v) {
    on_way_[v] = 0;
    const size_t last = path_.back();
    path_.pop_back();
    return halves_[halves_[last].mate].to;
  }

  // As much as fits over the path, and back to where it is full; `v` becomes the node there.
  uint64_t send(uint64_t most, uint32_t& v) {
    for (const size_t half : path_) most = std::min(most, halves_[half].left);
    size_t kept = path_.size();
    for (size_t k = path_.size(); k-- > 0;) {
      Half& half = halves_[path_[k]];
      half.left -= most;
      halves_[half.mate].left += most;
      if (half.left == 0) kept = k;
    }
    while (path_.size() > kept) v = step_back(v);
    return most;
  }

  // How far nodes are from the first over halves with something left, all of them or up to the last; false if that is out of reach.
  bool find_levels(uint32_t from, uint32_t to) {
    level_.assign(nodes_, kNowhere);
    level_[from] = 0;
    queue_.assign(1, from);
    for (size_t k = 0; k < queue_.size() && level_[to] == kNowhere; ++k) {
      const uint32_t v = queue_[k];
      for (size_t at = begin_[v]; at < begin_[v + 1]; ++at) {
        const Half& half = halves_[at];
        if (half.left == 0 || level_[half.to] != kNowhere) continue;
        level_[half.to] = level_[v] + 1;
        queue_.push_back(half.to);
      }
    }
    return level_[to] != kNowhere;
  }

  size_t nodes_;
  std::vector<size_t> begin_{};
  std::vector<Half> halves_{};
  std::vector<size_t> place_{};  // of the k-th arc
  std::vector<size_t> next_{};
  std::vector<size_t> path_{};
  std::vector<char> on_way_{};
  std::vector<uint32_t> level_{};
  std::vector<uint32_t> queue_{};
};

std::optional<std::vector<uint64_t>> FlowNetwork::flow_of(uint64_t wanted) const {
  FlowSearch search(*this);
  if (search.run(wanted) < wanted) return std::nullopt;
  std::vector<uint64_t> out(num_arcs());
  for (size_t k = 0; k < out.size(); ++k) out[k] = search.over(k);
  return out;
}

std::optional<std::vector<char>> FlowNetwork::cut_below(uint64_t wanted) const {
  FlowSearch search(*this);
  if (search.run(wanted) == wanted) return std::nullopt;
  return search.side_of_source();
}

MovingFlow::MovingFlow(const FlowNetwork& network) : search_(std::make_unique<FlowSearch>(network)) {}
MovingFlow::~MovingFlow() = default;

std::optional<std::vector<char>> MovingFlow::cut_below(std::span<const uint32_t> ends, uint64_t wanted) {
  std::vector<std::pair<uint32_t, uint64_t>> came;  // to the last ends
  for (const uint32_t end : ends_) came.emplace_back(end, search_->open(end, 0));
  for (const uint32_t end : ends) search_->open(end, wanted);
  ends_.assign(ends.begin(), ends.end());
  uint64_t flow = 0;
  for (const auto& [end, units] : came) {
    const uint64_t led = search_->lead(end, FlowNetwork::kSink, std::min(units, wanted - flow));
    flow += led;
    const uint64_t back = search_->lead(end, FlowNetwork::kSource, units - led);
    QUADRILLE_CHECK(led + back == units, "what came from the source goes back to it");
  }
  flow += search_->lead(FlowNetwork::kSource, FlowNetwork::kSink, wanted - flow);
  if (flow == wanted) return std::nullopt;
  return search_->side_of_source();
}

}  // namespace quadrille
