// Worm library: broadcasts on small tori that a search has found, stored in data/worm_broadcasts.
//
// They were found by a SAT solver with every link of every step a variable (tools/search/worm_broadcast.h),
// and they are as good as the bounds allow: each takes as many steps as the larger of the bounds `doubling`
// and `dimension_order`, or one step fewer is known to be impossible. Tests judge all of them.
//
// An entry (stored/stored_entry.h) has the sides of its torus, its steps, and where there are any the
// coordinates at which nobody sends: "quiet 5;4,5" says 5 in the first dimension, 4 and 5 in the second, and
// "-" stands for none. Its data is one word for every place in row-major order. "2+1-3" means that the place
// hears in step 2 from a worm that takes one hop up in dimension 1 and three down in dimension 2; "0" is the
// root. "paired" marks sides of 2 with two links instead of one: such an entry is no torus of this house, but
// the pattern from which larger ones are composed (worm_broadcast/worm_composition.h).
//
// Who plans looks at the heads of all entries and needs the plan of one or two: plan() reads the data when it
// is first asked.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"
#include "quadrille/stored/stored_entry.h"

namespace quadrille {

class StoredBroadcast {
 public:
  /// Reads the head. Throws InternalError for anything else than the form above.
  explicit StoredBroadcast(StoredEntry entry);

  [[nodiscard]] const GridShape& shape() const { return shape_; }
  [[nodiscard]] size_t steps() const { return steps_; }
  [[nodiscard]] bool paired() const { return paired_; }
  /// For each dimension the coordinates other than 0 at which nobody sends.
  [[nodiscard]] const std::vector<std::vector<uint32_t>>& quiet() const { return quiet_; }
  /// Who sends what. Throws InternalError for data that is no such plan: a worm from a place that does not
  /// know yet, one that goes the long way round, somebody who sends where the head says that nobody does.
  [[nodiscard]] const WormPlan& plan() const;
  [[nodiscard]] const StoredEntry& entry() const { return entry_; }

 private:
  struct Plan {
    std::once_flag read{};
    WormPlan plan{};
  };
  [[nodiscard]] WormPlan read_plan() const;

  StoredEntry entry_;
  GridShape shape_{};
  size_t steps_ = 0;
  bool paired_ = false;
  std::vector<std::vector<uint32_t>> quiet_{};
  std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
};

/// All entries, fewest steps first, among these the largest first, and then by sides.
[[nodiscard]] std::span<const StoredBroadcast> worm_library();
/// The entry for exactly this torus, or null.
[[nodiscard]] const StoredBroadcast* find_stored_broadcast(const GridShape& shape, bool paired);

/// What the heads of entries say.
[[nodiscard]] const StoredKind& stored_broadcast_kind();
/// The coordinates other than 0 at which nobody sends, for each dimension; and as a head says it.
[[nodiscard]] std::vector<std::vector<uint32_t>> quiet_coordinates(const GridShape& shape,
                                                                   const WormPlan& plan);
[[nodiscard]] std::string quiet_text(const std::vector<std::vector<uint32_t>>& quiet);
/// The data of an entry; the plan must reach every place once.
[[nodiscard]] std::string write_worms(const GridShape& shape, const WormPlan& plan);

}  // namespace quadrille
