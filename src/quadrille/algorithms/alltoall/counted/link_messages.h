// Link messages: what goes over each link in a step of an exchange of many packets, gathered from whoever has something to send.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// What goes over each link in a step, as one message, or one for each of its lanes.
class BlocksByArc {
 public:
  explicit BlocksByArc(const Problem& problem) : problem_(problem), of_(problem.topology().num_arcs()) {}

  /// So many that follow each other.
  void add(ArcId arc, BlockId first, uint64_t count);
  /// And forgets them.
  void send(StepBuilder& step);

 private:
  const Problem& problem_;
  std::vector<std::vector<BlockId>> of_;
  std::vector<ArcId> used_;
};

/// The same where blocks are only counted.
class RoundsOfLinks {
 public:
  explicit RoundsOfLinks(const Topology& topology) : topology_(topology), of_(topology.num_arcs(), 0) {}

  void add(ArcId arc, uint64_t count);
  /// Rounds of the step: most blocks over a link, for each unit of its capacity; 0 where nothing is sent. And forgets it.
  [[nodiscard]] uint64_t end_step();

 private:
  const Topology topology_;
  std::vector<uint64_t> of_;
  std::vector<ArcId> used_;
};

}  // namespace quadrille
