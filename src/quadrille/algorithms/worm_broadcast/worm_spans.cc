#include "quadrille/algorithms/worm_broadcast/worm_spans.h"

#include <map>

#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// One stage: everybody in a translate of the span does the same, so it is enough to know the translates.
// Dimensions count from 0 here.
class Stage {
 public:
  // `index` runs from 1 to k; `span` are the places of U_(index-1).
  Stage(const GridShape& shape, size_t index, const std::vector<uint32_t>& span)
      : shape_(shape), k_(shape.dimensions()), n_(shape.sides.front()), index_(index), span_(span) {
    ports_ = dead();
    const std::vector<size_t> live = live_ports();
    ports_.insert(ports_.end(), live.begin(), live.end());
    translates_.emplace(0, std::vector<int64_t>(k_, 0));
  }

  void run(WormPlan& plan) {
    const uint32_t steps = steps_to_reach(2 * k_ + 1, static_cast<uint64_t>(n_));
    const Strip ring{0, -((n_ - 1) / 2), n_ / 2};
    for (const std::vector<StripSend>& sends : ring_strips(static_cast<uint32_t>(k_), {ring}, steps)) {
      WormStep step(k_);
      for (const StripSend& send : sends) add(step, send.from, hops_of(send), send.to);
      plan.push_back(std::move(step));
    }
    if (index_ < k_) plan.push_back(aligned());
  }

  // U_index.
  [[nodiscard]] std::vector<uint32_t> next_span() const {
    std::vector<uint32_t> out;
    for (const auto& [position, offset] : translates_) {
      for (const uint32_t member : span_) out.push_back(shape_.moved(member, narrow(offset)));
    }
    return out;
  }

 private:
  [[nodiscard]] bool first() const { return index_ == 1 && k_ > 1; }
  // The dimension that the alignment corrects: e_1 in stage 1, e_(k-i+1) later.
  [[nodiscard]] size_t aim() const { return first() ? 0 : k_ - index_; }

  // Dimensions whose hops do not move a worm along the ring, the one that can land in place first.
  [[nodiscard]] std::vector<size_t> dead() const {
    std::vector<size_t> out;
    if (index_ == k_) return out;
    out.push_back(aim());
    const size_t begin = first() ? 0 : 1;
    const size_t end = first() ? k_ - 1 : k_ - index_ + 1;
    for (size_t d = begin; d < end; ++d) {
      if (d != aim()) out.push_back(d);
    }
    return out;
  }
  [[nodiscard]] std::vector<size_t> live_ports() const {
    if (first()) return {k_ - 1};
    std::vector<size_t> out{0};
    for (size_t d = k_ - index_ + 1; d < k_; ++d) {
      if (d != 0) out.push_back(d);
    }
    return out;
  }
  [[nodiscard]] bool is_dead(size_t port) const {
    return index_ < k_ && (first() ? port + 1 < k_ : port >= 1 && port <= k_ - index_);
  }

  // Into (-n/2, n/2].
  [[nodiscard]] int64_t centred(int64_t x) const {
    const int64_t r = (x % n_ + n_) % n_;
    return 2 * r > n_ ? r - n_ : r;
  }

  [[nodiscard]] std::vector<int64_t> hops_of(const StripSend& send) const {
    std::vector<int64_t> hops(k_, 0);
    const int64_t d = send.to - send.from;
    const int64_t sign = d > 0 ? 1 : -1;
    const size_t port = ports_[send.rank - 1];
    // Towards the ring's positions dimension 1 counts up and, from stage 2 on, all others down.
    const int64_t along = first() ? d : -d;
    if (!is_dead(port)) {
      hops[port] = port == 0 ? d : along;
      return hops;
    }
    hops[k_ - 1] = along;
    hops[port] = sign;
    if (port == aim()) {
      const int64_t wanted = centred(send.to - translates_.at(send.from)[port]);
      if (wanted * sign > 0) hops[port] = wanted;
    }
    return hops;
  }

  [[nodiscard]] WormStep aligned() {
    WormStep step(k_);
    for (auto& [position, offset] : translates_) {
      std::vector<int64_t> hops(k_, 0);
      bool moves = false;
      for (const size_t d : dead()) {
        hops[d] = centred((d == aim() ? position : 0) - offset[d]);
        moves = moves || hops[d] != 0;
      }
      if (!moves) continue;
      const std::vector<int32_t> worm = narrow(hops);
      for (const uint32_t member : span_) step.add(shape_.moved(member, narrow(offset)), worm);
      for (size_t d = 0; d < k_; ++d) offset[d] += hops[d];
    }
    return step;
  }

  void add(WormStep& step, int64_t from, const std::vector<int64_t>& hops, int64_t to) {
    const std::vector<int64_t>& offset = translates_.at(from);
    const std::vector<int32_t> worm = narrow(hops);
    for (const uint32_t member : span_) step.add(shape_.moved(member, narrow(offset)), worm);
    std::vector<int64_t> there = offset;
    for (size_t d = 0; d < k_; ++d) there[d] += hops[d];
    translates_.emplace(to, std::move(there));
  }

  [[nodiscard]] static std::vector<int32_t> narrow(const std::vector<int64_t>& wide) {
    return {wide.begin(), wide.end()};
  }

  const GridShape& shape_;
  size_t k_;
  int64_t n_;
  size_t index_;
  const std::vector<uint32_t>& span_;
  std::vector<size_t> ports_;                           // of rank 1..k
  std::map<int64_t, std::vector<int64_t>> translates_;  // by position along the ring: span + offset
};

}  // namespace

WormPlan worm_spans(const GridShape& square_torus) {
  count_work(Work::kSearching);
  QUADRILLE_CHECK(square_torus.is_square_torus(), square_torus.text());
  WormPlan plan;
  std::vector<uint32_t> span{0};
  for (size_t i = 1; i <= square_torus.dimensions(); ++i) {
    Stage stage(square_torus, i, span);
    stage.run(plan);
    if (i < square_torus.dimensions()) span = stage.next_span();
  }
  return without_repeats(square_torus, 0, plan);
}

uint32_t worm_spans_steps(const GridShape& square_torus) {
  const auto k = static_cast<uint32_t>(square_torus.dimensions());
  const uint32_t n = square_torus.sides.front();
  return k * steps_to_reach(2 * k + 1, n) + (n >= 4 ? k - 1 : 0);
}

}  // namespace quadrille
