#include "quadrille/algorithms/packing/worth_making.h"

#include <algorithm>

namespace quadrille {
namespace {

uint64_t& fewer_than_now() {
  thread_local uint64_t steps = UINT64_MAX;
  return steps;
}

}  // namespace

WorthMaking::WorthMaking(uint64_t fewer_than) : before_(fewer_than_now()) {
  fewer_than_now() = std::min(before_, fewer_than);
}

WorthMaking::~WorthMaking() { fewer_than_now() = before_; }

bool WorthMaking::is_any_of(uint64_t least_steps) { return least_steps < fewer_than_now(); }

bool WorthMaking::is_limited() { return fewer_than_now() != UINT64_MAX; }

}  // namespace quadrille
