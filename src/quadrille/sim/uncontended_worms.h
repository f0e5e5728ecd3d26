// UncontendedWorms: worms that never wait for each other, message by message and without a flit.
//
// A worm that starts in cycle s and meets nobody uses its i-th link in the cycles s + iD to s + iD + F - 1, a receive
// port as if it were one link more, and is delivered at s + hD + F - 1 + tr. So only the nodes are run, one event a message, and
// afterwards it is checked that no link carries more at once than it can. If none does, the flit-level run is the same,
// delivery for delivery: each flit is alone at its output and its input, the VC was free the cycle before, and credits are
// there as B >= D + C. If one does, all is exact up to the first cycle in which that happens, which is where worms compete.
//
//     UncontendedWorms worms(traffic, parameters, signals);
//     for (uint64_t seed = 1; seed <= 10'000; ++seed)
//       if (worms.run({.most = 300, .seed = seed}).first_conflict) ..   // nodes drifted so that worms met
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/sim/node_programs.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

class UncontendedWorms {
 public:
  /// Throws InputError where inexact() says why.
  UncontendedWorms(const Traffic& traffic, const WormParameters& parameters, const PlanSynchronisation& sync,
                   SynchronisationCosts costs = {});

  /// Why even worms that do not compete take longer than said above; nothing where they do not.
  [[nodiscard]] static std::optional<std::string> inexact(const Traffic& traffic,
                                                          const WormParameters& parameters);

  struct Run {
    uint64_t cycles = 0;
    std::optional<uint64_t> first_conflict{};  ///< cycle; deliveries up to it are as said
    uint64_t conflicts = 0;                    ///< worms that start on a link while it has no room
    bool finished = true;                      ///< all nodes are through
  };
  [[nodiscard]] Run run(Stalls stalls);

  /// Of each message in the last run.
  [[nodiscard]] std::span<const uint64_t> started() const { return started_; }
  [[nodiscard]] std::span<const uint64_t> delivered() const { return delivered_; }

 private:
  struct Use {
    uint32_t message = 0;
    uint32_t delay = 0;  // from the message's start
  };
  struct Interval {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  void find_uses();
  void check_link(size_t link, Run& run);

  const Traffic& traffic_;
  WormParameters parameters_;
  NodeTurns turns_;
  SynchronisationCosts costs_;
  std::vector<uint32_t> length_{};
  std::vector<uint32_t> send_ports_{};
  std::vector<uint64_t> uses_begin_{};  // by link: the arcs, then the receive ports of the nodes
  std::vector<Use> uses_{};
  std::vector<uint32_t> room_{};  // of each link: worms at once
  std::vector<uint64_t> started_{};
  std::vector<uint64_t> delivered_{};
  std::vector<Interval> intervals_{};
};

}  // namespace quadrille
