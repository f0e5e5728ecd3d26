#include "quadrille/bounds/kept/kept_bounds.h"

#include <utility>

namespace quadrille {
namespace {

constexpr size_t kMostKept = 1024;

KeptBounds*& keeper() {
  thread_local KeptBounds* kept = nullptr;
  return kept;
}

}  // namespace

KeptBounds::KeptBounds() : is_first_(keeper() == nullptr) {
  if (is_first_) keeper() = this;
}

KeptBounds::~KeptBounds() {
  if (is_first_) keeper() = nullptr;
}

std::optional<Bound> KeptBounds::evaluate(const BoundCard& card, const Problem& problem) {
  if (keeper() == nullptr) return card.evaluate(problem);
  for (const std::unique_ptr<const Entry>& entry : keeper()->entries_) {
    if (entry->card == &card && entry->problem.topology().is_copy_of(problem.topology()) &&
        entry->problem.model() == problem.model() && entry->problem.collective() == problem.collective())
      return entry->bound;
  }
  std::optional<Bound> bound = card.evaluate(problem);
  if (keeper()->entries_.size() < kMostKept)
    keeper()->entries_.push_back(std::make_unique<const Entry>(Entry{&card, problem, bound}));
  return bound;
}

}  // namespace quadrille
