#include "quadrille/bounds/kept/kept_bounds.h"

namespace quadrille {
namespace {

constexpr size_t kMostKept = 1024;

KeptBounds*& keeper() {
  thread_local KeptBounds* kept = nullptr;
  return kept;
}

}  // namespace

KeptBounds::KeptBounds() : KeptBounds(nullptr) {}

KeptBounds::KeptBounds(KeptBounds* of_job) : is_first_(keeper() == nullptr) {
  if (is_first_) keeper() = of_job == nullptr ? this : of_job;
}

KeptBounds::~KeptBounds() {
  if (is_first_) keeper() = nullptr;
}

KeptBounds* KeptBounds::of_this_thread() { return keeper(); }

KeptBounds::Entry* KeptBounds::entry_of(const BoundCard& card, const Problem& problem) {
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->card == &card && entry->problem.topology().is_copy_of(problem.topology()) &&
        entry->problem.model() == problem.model() && entry->problem.collective() == problem.collective())
      return entry.get();
  }
  if (entries_.size() >= kMostKept) return nullptr;
  return entries_.emplace_back(std::make_unique<Entry>(card, problem)).get();
}

std::optional<Bound> KeptBounds::evaluate(const BoundCard& card, const Problem& problem) {
  Entry* const entry = keeper() == nullptr ? nullptr : keeper()->entry_of(card, problem);
  if (entry == nullptr) return card.evaluate(problem);
  const std::lock_guard lock(entry->mutex);
  if (!entry->bound) entry->bound.emplace(card.evaluate(problem));
  return *entry->bound;
}

}  // namespace quadrille
