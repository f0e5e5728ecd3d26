// Slot exchange: a timetable of packets, put into fewer steps.
//
//     SlotExchange exchange(problem, paths);
//     if (std::optional<TimedPaths> shorter = exchange.within(paths.steps - 1)) exchange.take(*shorter);
//
// In fewer steps some packets have no place. They are given the cheapest way through space and time, even where others
// are; these make room in turn. A slot (a link or port in a step) that was wanted by too many has a price that rises and stays,
// so that whoever has another way takes it in the end: negotiated congestion (McMurchie and Ebeling 1995, who route wires), over the
// network unrolled in time. Who stands in nobody's way keeps his slots. Deterministic; it gives up after so much work.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/transforms/slots/path_resources.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

class SlotExchange {
 public:
  struct Limits {
    uint64_t work;  ///< slots of links that all searches together look at, times what the user's effort is
    uint32_t longer_by;      ///< hops that a way may have more than the shortest one
    std::vector<char> dead;  ///< arcs that nobody may use; empty: none
    int patience = 40;       ///< rounds in which the crowd grows no smaller
  };

  SlotExchange(const Problem& problem, const TimedPaths& first, Limits limits);

  /// Whether slots of the model are numbers that can be added up: not where one direction of a wide link excludes the other.
  [[nodiscard]] static bool knows(const Problem& problem);

  /// Within so many steps; nothing if it is not found.
  [[nodiscard]] std::optional<TimedPaths> within(uint32_t steps);
  void take(const TimedPaths& better) { now_ = better; }
  [[nodiscard]] bool has_work_left() const;

 private:
  struct Hop {
    ArcId arc;
    uint32_t step;
  };

  [[nodiscard]] size_t slot(size_t resource, uint32_t step) const {
    return size_t{step} * resources_.size() + resource;
  }
  [[nodiscard]] bool is_dead(ArcId arc) const {
    return !limits_.dead.empty() && limits_.dead[index(arc)] != 0;
  }
  void change_load(uint32_t i, int by);
  [[nodiscard]] bool is_crowded(uint32_t i) const;
  void crowd(std::vector<uint32_t>& crowded);
  [[nodiscard]] uint64_t price_of(ArcId arc, uint32_t step) const;
  const std::vector<uint32_t>& hops_to(NodeId target);
  const std::vector<uint32_t>& hops_from(NodeId source);
  [[nodiscard]] bool route(uint32_t i);
  [[nodiscard]] TimedPaths taken() const;

  const Problem& problem_;
  const Topology& topology_;
  PathResources resources_;
  TimedPaths now_;
  Limits limits_;
  Rng rng_{1};
  uint32_t steps_ = 0;
  uint64_t work_ = 0;
  std::vector<std::vector<ArcId>> in_;
  std::vector<std::vector<uint32_t>> hops_to_;
  std::vector<std::vector<uint32_t>> hops_from_;  // only where ways may not be as long as they like
  std::vector<int64_t> load_;
  std::vector<uint32_t> price_;
  std::vector<std::vector<Hop>> routes_;
  std::vector<uint32_t> homeless_;
  // How a node was reached: by which hop, when, and the way before it.
  struct Way {
    ArcId arc;
    uint32_t step;
    uint32_t before;
  };
  uint64_t least_of_hop_ = 1;
  std::vector<uint64_t> cost_;    // of the cheapest way to a node so far
  std::vector<uint64_t> coming_;  // with the step that is looked at
  std::vector<uint32_t> way_of_;
  std::vector<Way> ways_;  // the first one is that of the source
  std::vector<Way> coming_ways_;
  std::vector<NodeId> reached_;
};

}  // namespace quadrille
