// Path resources: what the paths of packets share, each with a capacity for one step.
//
// Every link is one (both directions together where they exclude each other), and so are the ports of every
// node where the model limits them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class PathResources {
 public:
  explicit PathResources(const Problem& problem)
      : topology_(problem.topology()),
        arc_(topology_.num_arcs()),
        sends_(!problem.model().send.unlimited()),
        receives_(!problem.model().receive.unlimited()) {
    const bool half = problem.model().duplex == Duplex::kHalf;
    for (const ArcId arc : topology_.arcs()) {
      const ArcId back = half ? topology_.reverse(arc) : kNoArc;
      arc_[index(arc)] = static_cast<uint32_t>(index(back == kNoArc ? arc : std::min(arc, back)));
      capacity_.push_back(topology_.capacity(arc));
    }
    first_send_ = capacity_.size();
    if (sends_) capacity_.resize(capacity_.size() + topology_.num_nodes(), problem.model().send.count);
    first_receive_ = capacity_.size();
    if (receives_) capacity_.resize(capacity_.size() + topology_.num_nodes(), problem.model().receive.count);
  }

  [[nodiscard]] size_t size() const { return capacity_.size(); }
  [[nodiscard]] uint64_t capacity(size_t r) const { return capacity_[r]; }
  /// Calls use(r) for each resource that a hop takes.
  template <typename Use>
  void of(ArcId arc, Use use) const {
    use(arc_[index(arc)]);
    if (sends_) use(first_send_ + index(topology_.tail(arc)));
    if (receives_) use(first_receive_ + index(topology_.head(arc)));
  }

 private:
  const Topology& topology_;
  std::vector<uint32_t> arc_;
  bool sends_;
  bool receives_;
  size_t first_send_ = 0;
  size_t first_receive_ = 0;
  std::vector<uint64_t> capacity_;
};

}  // namespace quadrille
