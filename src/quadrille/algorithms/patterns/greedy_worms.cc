#include "quadrille/algorithms/patterns/greedy_worms.h"

#include <algorithm>

#include "quadrille/algorithms/patterns/link_use.h"
#include "quadrille/algorithms/patterns/next_hops.h"

namespace quadrille {
namespace {

class GreedyWorms {
 public:
  explicit GreedyWorms(const Problem& problem)
      : problem_(problem),
        topology_(problem.topology()),
        hops_(topology_, problem.model().routing),
        remaining_(topology_.num_endpoints()),
        use_(problem) {
    const uint32_t ranks = topology_.num_endpoints();
    for (uint32_t s = 0; s < ranks; ++s) {
      const NodeId from = topology_.endpoint(Rank{s});
      // Sources start with different destinations: s+1, s+2, ... among those equally far away.
      for (uint32_t i = 1; i < ranks; ++i) remaining_[s].push_back(id_at<Rank>((uint64_t{s} + i) % ranks));
      std::stable_sort(remaining_[s].begin(), remaining_[s].end(),
                       [&](Rank a, Rank b) { return hops_.length(a, from) > hops_.length(b, from); });
      undelivered_ += remaining_[s].size();
    }
  }

  void run(StepSink& sink) {
    const size_t ranks = remaining_.size();
    for (size_t s = 0; undelivered_ > 0; ++s) {
      for (size_t i = 0; i < ranks; ++i) send_from(id_at<Rank>((s + i) % ranks));
      use_.next_step();
      step_.flush(sink);
    }
  }

 private:
  void send_from(Rank source) {
    const NodeId from = topology_.endpoint(source);
    std::vector<Rank>& worms = remaining_[index(source)];
    size_t kept = 0;
    size_t next = 0;
    for (; next < worms.size() && use_.can_send(from); ++next) {
      if (!try_send(source, from, worms[next])) worms[kept++] = worms[next];
    }
    worms.erase(worms.begin() + static_cast<ptrdiff_t>(kept), worms.begin() + static_cast<ptrdiff_t>(next));
  }

  bool try_send(Rank source, NodeId from, Rank to) {
    const NodeId end = topology_.endpoint(to);
    if (!use_.can_receive(end)) return false;
    path_.clear();
    for (NodeId v = from; v != end; v = topology_.head(path_.back())) {
      path_.push_back(hops_.arc(to, v));
      if (!use_.is_free(path_.back())) return false;
    }
    if (!use_.take(path_)) return false;
    blocks_.clear();
    for (uint32_t piece = 0; piece < problem_.collective().pieces(); ++piece) {
      blocks_.push_back(problem_.collective().block(source, to, piece));
    }
    step_.add(path_, blocks_);
    --undelivered_;
    return true;
  }

  const Problem& problem_;
  const Topology& topology_;
  NextHops hops_;
  std::vector<std::vector<Rank>> remaining_;  // per source, longest path first
  LinkUse use_;
  uint64_t undelivered_ = 0;
  StepBuilder step_;
  std::vector<ArcId> path_;
  std::vector<BlockId> blocks_;
};

}  // namespace

void greedy_worms(const Problem& problem, StepSink& sink) { GreedyWorms(problem).run(sink); }

}  // namespace quadrille
