// Urgent first: every link sends, of the blocks that wait for it, the one with the least key, in every step; of equal keys the one
// that came first. List scheduling where ports are no limit and every link has one direction, a few nanoseconds a hop: for searches
// that schedule the same paths hundreds of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class UrgentFirst {
 public:
  /// `order`: of the paths, who comes first where keys are equal at the start. Both must outlive this.
  UrgentFirst(const Topology& topology, const PricedPaths& paths, std::span<const uint32_t> order);

  /// Whether there is memory for so many different keys.
  [[nodiscard]] bool can_take(std::span<const uint32_t> keys) const;

  /// The steps that all take. `keys` and `step_of` are per hop, in the order of the paths; backwards paths are gone from their ends,
  /// and steps count from there.
  uint32_t run(bool backwards, std::span<const uint32_t> keys, std::vector<uint32_t>& step_of);

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  // Those with one key who wait for one link, a list in the order of their coming.
  struct Queue {
    uint32_t first = kNobody;
    uint32_t last = kNobody;
  };

  void wait(uint32_t path, uint32_t hop, std::span<const uint32_t> keys);
  [[nodiscard]] uint32_t take(uint32_t arc);

  std::span<const uint32_t> order_;
  std::vector<uint32_t> capacity_;
  std::vector<uint32_t> first_hop_;  // of each path, one more at the end
  std::vector<uint32_t> arcs_;       // of all hops
  std::vector<uint32_t> at_;         // the hop of its own that each path takes next, from the start of all
  std::vector<uint32_t> next_;       // behind each path in its queue
  std::vector<uint32_t> waiting_;    // per arc
  std::vector<uint32_t> moved_;
  size_t num_keys_ = 0;
  size_t num_words_ = 0;
  std::vector<Queue> queues_;     // by arc and key
  std::vector<uint64_t> filled_;  // a bit for each of them that somebody is in
};

}  // namespace quadrille
