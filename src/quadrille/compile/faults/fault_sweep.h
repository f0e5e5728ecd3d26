// What faults cost: the same collective on a network that lacks a link or a node, for every link, or many drawn at random.
//
//     const FaultSweep sweep = sweep_faults(problem, {.what = FaultWhat::kLinks});
//     sweep.trials.front().faults       // {"link (0,0) (0,1)"}: what costs most
//     sweep.trials.front().steps        // of the plan for what is left, judged
//
// Each faulty network is planned anew, as a whole, and its plan is judged; so is the bound its own. Where nodes are cut
// off, the collective is among the others. Links that a symmetry of the network takes to each other are tried once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/compile/compile.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

enum class FaultWhat : uint8_t { kLinks, kNodes };

struct FaultQuestion {
  FaultWhat what = FaultWhat::kLinks;
  std::optional<uint64_t> draws{};  ///< so many at random; empty: every one
  uint64_t at_once = 1;             ///< faults of a trial; more than one only at random
  uint64_t seed = 1;
  unsigned threads = 1;
  Wishes wishes{};       ///< of every plan: algorithm, bytes, pieces
  Crew* crew = nullptr;  ///< processes that share the trials, instead of threads
  /// Called when another trial is done, with how many of how many are; perhaps from several threads, one at a time.
  std::function<void(size_t, size_t)> done{};
};

struct FaultTrial {
  std::vector<std::string> faults;     ///< "link (0,0) (0,1)"
  std::vector<std::string> like{};     ///< single faults that a symmetry makes the same as this one
  uint32_t ranks = 0;                  ///< that are left
  std::vector<std::string> cut_off{};  ///< nodes, not dead themselves, that take no part
  std::string algorithm{};
  uint64_t steps = 0;
  uint64_t bound = 0;
  std::optional<double> time{};  ///< where the wishes name a size

  /// For how many cases it stands.
  [[nodiscard]] uint64_t alike() const { return like.size() + 1; }
};

struct FaultSweep {
  FaultTrial healthy;
  /// The most expensive first; then those that cut nodes off, whose collective is a smaller one, likewise.
  std::vector<FaultTrial> trials;
  size_t unfinished = 0;  ///< trials that somebody's Ctrl-C has left out
};

/// A rooted collective keeps its root: a trial without it is left out. Throws InputError where there is no such fault to
/// try, and for `at_once` above the number of links or nodes. Where searches are stopped what is finished is all.
[[nodiscard]] FaultSweep sweep_faults(const Problem& problem, const FaultQuestion& question);

}  // namespace quadrille
