#include "quadrille/algorithms/worm_broadcast/worm_spans.h"

#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

std::vector<int32_t> sum(std::span<const int32_t> a, std::span<const int32_t> b) {
  std::vector<int32_t> out(a.begin(), a.end());
  for (size_t d = 0; d < out.size(); ++d) out[d] += b[d];
  return out;
}

// Makes one stage. Dimensions count from 0 here.
class StageMaker {
 public:
  // `index` runs from 1 to k.
  StageMaker(const GridShape& shape, size_t index)
      : k_(shape.dimensions()), n_(shape.sides.front()), index_(index) {
    ports_ = dead();
    const std::vector<size_t> live = live_ports();
    ports_.insert(ports_.end(), live.begin(), live.end());
    out_.landed.emplace(0, std::vector<int32_t>(k_, 0));
  }

  SpanStage run() {
    const uint32_t steps = steps_to_reach(2 * k_ + 1, static_cast<uint64_t>(n_));
    const Strip ring{0, -((n_ - 1) / 2), n_ / 2};
    for (const std::vector<StripSend>& sends : ring_strips(static_cast<uint32_t>(k_), {ring}, steps)) {
      out_.steps.emplace_back();
      for (const StripSend& send : sends) {
        std::vector<int32_t> hops = narrow(hops_of(send));
        out_.landed.emplace(send.to, sum(out_.landed.at(send.from), hops));
        out_.steps.back().push_back({send.from, send.to, std::move(hops)});
      }
    }
    if (index_ < k_) align();
    return std::move(out_);
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
      const int64_t wanted = centred(send.to - out_.landed.at(send.from)[port]);
      if (wanted * sign > 0) hops[port] = wanted;
    }
    return hops;
  }

  void align() {
    for (const auto& [position, offset] : out_.landed) {
      std::vector<int64_t> hops(k_, 0);
      bool moves = false;
      for (const size_t d : dead()) {
        hops[d] = centred((d == aim() ? position : 0) - offset[d]);
        moves = moves || hops[d] != 0;
      }
      if (moves) out_.shifts.emplace(position, narrow(hops));
    }
  }

  [[nodiscard]] static std::vector<int32_t> narrow(const std::vector<int64_t>& wide) {
    return {wide.begin(), wide.end()};
  }

  size_t k_;
  int64_t n_;
  size_t index_;
  std::vector<size_t> ports_;  // of rank 1..k
  SpanStage out_;
};

}  // namespace

std::vector<SpanStage> span_stages(const GridShape& square_torus) {
  QUADRILLE_CHECK(square_torus.is_square_torus(), square_torus.text());
  std::vector<SpanStage> out;
  for (size_t i = 1; i <= square_torus.dimensions(); ++i) out.push_back(StageMaker(square_torus, i).run());
  return out;
}

WormPlan worm_spans(const GridShape& square_torus) {
  count_work(Work::kSearching);
  WormPlan plan;
  std::vector<uint32_t> span{0};  // U_(i-1)
  for (const SpanStage& stage : span_stages(square_torus)) {
    const auto add = [&](WormStep& step, int64_t position, std::span<const int32_t> hops) {
      for (const uint32_t member : span)
        step.add(square_torus.moved(member, stage.landed.at(position)), hops);
    };
    for (const std::vector<SpanStage::Send>& sends : stage.steps) {
      plan.emplace_back(square_torus.dimensions());
      for (const SpanStage::Send& send : sends) add(plan.back(), send.from, send.hops);
    }
    plan.emplace_back(square_torus.dimensions());
    std::vector<uint32_t> next;
    for (const auto& [position, offset] : stage.landed) {
      const auto shift = stage.shifts.find(position);
      if (shift != stage.shifts.end()) add(plan.back(), position, shift->second);
      const std::vector<int32_t> moved = shift == stage.shifts.end() ? offset : sum(offset, shift->second);
      for (const uint32_t member : span) next.push_back(square_torus.moved(member, moved));
    }
    span = std::move(next);
  }
  return without_repeats(square_torus, 0, plan);
}

uint32_t worm_spans_steps(const GridShape& square_torus) {
  const auto k = static_cast<uint32_t>(square_torus.dimensions());
  const uint32_t n = square_torus.sides.front();
  return k * steps_to_reach(2 * k + 1, n) + (n >= 4 ? k - 1 : 0);
}

}  // namespace quadrille
