// Worth making: of how many steps a plan may be before nobody wants it.
//
// A card may have to make its plan, or half of it, to say how many steps that has. Who asks several cards about a large
// network says how many steps are known to do; a card that is sure not to do with fewer may then predict nothing.
//
//     const WorthMaking wanted(best.steps);                       // who asks
//     if (!WorthMaking::is_any_of(least_steps(problem))) return {};   // the card
#pragma once

#include <cstdint>

namespace quadrille {

class WorthMaking {
 public:
  /// While it lives, on this thread, plans of fewer steps alone are; where several live, the fewest count.
  explicit WorthMaking(uint64_t fewer_than);
  ~WorthMaking();
  WorthMaking(const WorthMaking&) = delete;
  WorthMaking& operator=(const WorthMaking&) = delete;

  /// Whether a plan of at least so many steps may be.
  [[nodiscard]] static bool is_any_of(uint64_t least_steps);
  /// Whether somebody has said what is; else every plan is, and there is no need to find out how long it may be.
  [[nodiscard]] static bool is_limited();

 private:
  uint64_t before_;
};

}  // namespace quadrille
