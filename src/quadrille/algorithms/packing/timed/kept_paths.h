// Kept paths: while a choice is made, what the search for balanced paths has found is kept, since lenders ask the same of it
// again: a problem's own plan, that of the same machine with its ports said otherwise, and that of full duplex for half. So are
// routes in levels (graphs/level_routes.h), which know no ports, nor whether a way is held as a whole, what is measured of
// plans whose steps are parted as ports need, and swarms of blocks, which a reduction reads backwards.
//
//     const KeptPaths kept;                              // whoever chooses
//     if (const TimedPaths* known = KeptPaths::find(problem)) return *known;
//     KeptPaths::keep(problem, paths);                   // the search
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quadrille/algorithms/graphs/level_routes.h"
#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

/// While it lives, searches of this thread find in it what they have found; of several the first one counts. Threads that share
/// the parts of a job find what the one who gave it keeps.
class KeptPaths {
 public:
  KeptPaths();
  /// Of a job: whoever keeps where that began, or, if nobody does, this one.
  explicit KeptPaths(KeptPaths* of_job);
  ~KeptPaths();
  KeptPaths(const KeptPaths&) = delete;
  KeptPaths& operator=(const KeptPaths&) = delete;

  /// Who keeps on this thread, if anybody.
  [[nodiscard]] static KeptPaths* of_this_thread();

  /// Null: nobody has looked for it, not under the limits of now (base/search_limits.h) or as far, or nobody keeps. What was asked
  /// for in passing (graphs/worth_making.h) is found by those alone who ask so.
  [[nodiscard]] static const TimedPaths* find(const Problem& problem);
  static void keep(const Problem& problem, const TimedPaths& paths);

  /// The plan of a swarm (packing/swarms/block_swarm.h) that was to come down to so many steps, in as many tries.
  [[nodiscard]] static std::shared_ptr<const Plan> swarm(const Problem& problem, uint64_t good_enough);
  static void keep_swarm(const Problem& problem, uint64_t good_enough, const Plan& plan);

  /// Made, unless somebody keeps them.
  [[nodiscard]] static std::shared_ptr<const LevelRoutes> level_routes(const Problem& problem,
                                                                       uint32_t levels);

  /// What a plan of a card is, whose figures are measured: `maker` prepares the card's plans, of which `member` is this one, or
  /// makes its only one.
  using Maker = std::variant<Preparation (*)(const Problem&), void (*)(const Problem&, StepSink&)>;
  [[nodiscard]] static std::optional<Prediction> figures(const Problem& problem, Maker maker,
                                                         std::string_view member);
  static void keep_figures(const Problem& problem, Maker maker, std::string_view member,
                           const Prediction& figures);

 private:
  struct Entry {
    Problem problem;
    double gap;
    double effort;
    bool in_passing;
    uint64_t good_enough;
    TimedPaths paths;
  };
  struct Swarm {
    Problem problem;
    double gap;
    double effort;
    bool is_hastened;
    uint64_t good_enough;
    std::shared_ptr<const Plan> plan;
  };
  struct Levels {
    Problem problem;
    uint32_t levels;
    std::shared_ptr<const LevelRoutes> routes;
  };
  struct Figures {
    Problem problem;
    Maker maker;
    std::string member;
    Prediction figures;
  };
  std::mutex mutex_{};
  std::vector<std::unique_ptr<const Entry>> entries_{};
  std::vector<Swarm> swarms_{};
  std::vector<Levels> levels_{};
  std::vector<Figures> figures_{};
  size_t hops_ = 0;
  bool is_first_ = false;
};

}  // namespace quadrille
