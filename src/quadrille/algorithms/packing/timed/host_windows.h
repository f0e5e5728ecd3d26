// Host windows: the timetable of a total exchange among hosts of one link each, from the hosts' links inwards.
//
// What such hosts lose at either end is dear, since each has a block to send, and one to receive, in nearly every step. So these
// are given first: the blocks of round r (host_rounds.h) leave their hosts in step r, and enter others in step r + L. That is
// rounds + L steps in all, if every block finds its hops between routers in the L - 1 steps that are its window. Each is given
// the cheapest way through space and time; a slot that too many want gets dearer and stays so (negotiated congestion, McMurchie
// and Ebeling 1995). Since a block's window is short, so is the search for its way, and ten thousand are made in a tenth of a
// second; links of hosts and of routers may both be nine tenths full in the end, which list scheduling by keys does not reach.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/timed/host_rounds.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

class HostWindows {
 public:
  /// Whether it is an alltoall of single packets with all ports in full duplex among hosts of one link of capacity 1.
  [[nodiscard]] static bool knows(const Problem& problem);

  /// For a search down from `most_steps`, which looks at no more than `work` links for ways; another seed draws other rounds.
  HostWindows(const Problem& problem, const PricedPaths& paths, uint32_t most_steps, uint64_t work,
              uint64_t seed = 1);

  /// No timetable of this kind has fewer steps.
  [[nodiscard]] uint32_t least_steps() const { return rounds_.num_rounds() + farthest_ - 1; }
  /// A timetable of so many steps, which are fewer in every call, made of the one before; nothing if it is not found, and then no
  /// more calls.
  [[nodiscard]] std::optional<TimedPaths> within(uint32_t steps);
  [[nodiscard]] uint64_t work_left() const { return work_left_; }

 private:
  struct Hop {
    uint32_t link;
    uint32_t step;
  };
  struct Link {
    uint32_t head;
    uint32_t link;
  };
  // How a router was reached: by which hop, and the way before it.
  struct Way {
    Hop hop;
    uint32_t head;
    uint32_t before;
  };

  [[nodiscard]] size_t slot(const Hop& hop) const { return size_t{hop.step} * arcs_.size() + hop.link; }
  void set_ask(size_t s);
  void put(uint32_t i);
  void take(uint32_t i);
  void route(uint32_t i);
  [[nodiscard]] bool negotiate();
  [[nodiscard]] TimedPaths taken() const;

  const Problem& problem_;
  const PricedPaths& paths_;
  Rng rng_;
  HostRounds rounds_;
  uint32_t farthest_ = 0;  // hops between hosts
  uint32_t time_ = 0;      // L
  uint64_t work_left_;
  std::vector<ArcId> arcs_{};         // between routers
  std::vector<uint32_t> capacity_{};  // of each of them
  std::vector<size_t> first_{};       // of the links of each node
  std::vector<Link> links_{};
  std::vector<std::vector<uint32_t>> hops_to_{};       // of nodes next to hosts
  std::vector<std::pair<uint32_t, uint32_t>> ends_{};  // of each block: the routers next to its hosts
  std::vector<std::vector<Hop>> ways_of_{};
  // Of every slot: who is there, its price, what it costs to come, and whether it is on the list of those that are too full.
  std::vector<std::vector<uint32_t>> here_{};
  std::vector<uint32_t> price_{};
  std::vector<uint32_t> ask_{};
  std::vector<char> is_listed_{};
  std::vector<uint32_t> too_full_{};
  std::vector<uint64_t> cost_{};
  std::vector<uint64_t> coming_{};
  std::vector<uint32_t> way_to_{};
  std::vector<uint32_t> reached_{};
  std::vector<Way> ways_{};
  std::vector<Way> coming_ways_{};
};

}  // namespace quadrille
