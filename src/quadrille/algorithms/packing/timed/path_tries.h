// Path tries: one list schedule after another over the same paths, forward or backward in time, for path_schedule.h.
//
// A link serves what waits for it by keys, or the neighbour that has most left to do; where ports are short, a matching says
// in each step which links are used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/timed/port_matching.h"
#include "quadrille/algorithms/packing/timed/urgent_first.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// When every hop goes.
struct PathSchedule {
  uint32_t steps = 0;
  std::vector<uint32_t> step_of;  // of every hop, in the order of the paths
};

enum class Direction : uint8_t { kForward, kBackward };

/// One try after another over the same paths. Backward, time and all arcs run the other way.
class PathTries {
 public:
  PathTries(const Problem& problem, const PricedPaths& paths);

  /// How a link chooses among the blocks that wait for it: the least key, or, where `pull` is not 0, of the
  /// neighbour with most left to do, `pull` times what waits for it taken off.
  PathSchedule run(Direction direction, const std::vector<uint32_t>& keys, int64_t pull);

  /// Whether links that have to go in nearly every step come before all others, from the next run on. Where nodes have almost as many
  /// links as ports, some link is always left out; it must not be one that has work for all the steps that are left.
  void serve_tight_links_first(bool they_are) { tight_first_ = they_are; }
  /// Whether that may make a difference.
  [[nodiscard]] bool has_choice_of_links() const;

  /// Hops still to go, for every hop: the longest way first.
  [[nodiscard]] std::vector<uint32_t> by_hops_left(Direction direction) const;

 private:
  // Where each rank stands in the circle of whom everybody serves next. Hosts are numbered group by group, and at the same time a whole
  // group would send to another one, over the few links there are; so they stand in any order. (In trees their own order does as well.)
  [[nodiscard]] static std::vector<uint32_t> places(const Problem& problem);

  struct Waiting {
    uint64_t key;
    uint32_t path;
    bool operator>(const Waiting& other) const {
      return key != other.key ? key > other.key : path > other.path;
    }
  };

  void start(const std::vector<uint32_t>& keys);

  void wait(uint32_t path, const std::vector<uint32_t>& keys);

  // How much a link wants to be served: what it has left to do, less what waits for it already.
  [[nodiscard]] int64_t pull_of(uint32_t arc, int64_t pull) const;

  uint32_t take_from(uint32_t arc, int64_t pull);

  // Where ports are short: first the arcs whose link or ports have most left to do.
  void order_arcs(uint32_t step);

  static constexpr uint32_t kNoNext = UINT32_MAX;

  const Topology& topology_;
  const PricedPaths& paths_;
  LinkUse use_;
  bool limited_;
  uint64_t send_ports_;
  uint64_t receive_ports_;
  std::vector<uint32_t> place_out_;  // of an arc among those that leave its tail
  std::vector<uint32_t> place_in_;   // of an arc among those that enter its head
  std::vector<uint32_t> in_degree_;
  std::vector<uint32_t> rank_distance_;
  std::vector<uint32_t> order_of_paths_;
  std::optional<UrgentFirst> urgent_first_{};

  Direction direction_ = Direction::kForward;
  bool pulls_ = false;
  std::vector<size_t>
      first_queue_;  // of each arc; its queues are: those that end here, then, if it pulls, one a next arc
  std::vector<std::vector<Waiting>> queues_;
  std::vector<uint32_t> queue_arc_;
  std::vector<uint32_t> waiting_;  // per arc
  std::vector<uint32_t> chosen_;   // in this step, for each next arc
  std::vector<uint64_t> rest_;     // hops over an arc that are still to come
  std::vector<uint64_t> rest_out_;
  std::vector<uint64_t> rest_in_;
  std::vector<uint32_t> at_;
  uint32_t arrivals_ = 0;
  std::vector<uint32_t> order_;
  std::vector<uint64_t> urgency_;
  bool tight_first_ = false;
  std::optional<PortMatching> matching_{};  // otherwise the most urgent transfers are taken
  std::vector<int64_t> used_;               // of a matching, what is left
  uint64_t most_arcs_ = 1;                  // that any node has
};

}  // namespace quadrille
