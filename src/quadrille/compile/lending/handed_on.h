// Handed on: what a thread that chooses keeps to (base/search_limits.h), and keeps (bounds/kept/kept_bounds.h,
// packing/timed/kept_paths.h), for another one that does a part of it.
//
//     both_at_once(first, [&, by = HandedOn()] { const TakenOver here(by); second(); });
//
// What is worth making (graphs/worth_making.h) is not: whoever gives work away says with it what may come of it.
#pragma once

#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/kept/kept_bounds.h"

namespace quadrille {

/// Made by the thread that gives.
struct HandedOn {
  SearchWishes wishes = SearchLimits::now();
  KeptBounds* bounds = KeptBounds::of_this_thread();
  KeptPaths* paths = KeptPaths::of_this_thread();
};

/// While it lives, the thread that it was made by has them.
class TakenOver {
 public:
  explicit TakenOver(const HandedOn& from) : limits_(from.wishes), bounds_(from.bounds), paths_(from.paths) {}

 private:
  SearchLimits limits_;
  KeptBounds bounds_;
  KeptPaths paths_;
};

}  // namespace quadrille
