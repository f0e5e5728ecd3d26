#include "quadrille/algorithms/repair/free_slots.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/check.h"
#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {

FreeSlots::FreeSlots(const IdleSlots& idle, uint32_t behind)
    : end_(static_cast<uint32_t>(idle.steps()) + behind), words_(end_ / 64 + 1), notes_(words_ / 64 + 1) {
  const size_t arcs = idle.of_arcs().size();
  for (size_t a = 0; a <= arcs; ++a) lanes_begin_.push_back(idle.first_lane(id_at<ArcId>(a)));
  require_memory(Int128{lanes_begin_.back()} * Int128{words_} * 8, "which slots of arcs are free");
  bits_.assign(lanes_begin_.back() * words_, 0);
  for (uint32_t t = 0; t < end_; ++t) {
    const uint64_t* row = idle.in_step(t);
    for (size_t w = 0; w < idle.words(); ++w) {
      for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
        word(w * 64 + static_cast<size_t>(std::countr_zero(bits)), t) |= uint64_t{1} << (t & 63U);
    }
  }
  any_.assign(lanes_begin_.back() * notes_, 0);
  for (size_t lane = 0; lane < lanes_begin_.back(); ++lane) {
    for (size_t w = 0; w < words_; ++w)
      if (bits_[lane * words_ + w] != 0) any_[lane * notes_ + (w >> 6U)] |= uint64_t{1} << (w & 63U);
  }
}

void FreeSlots::note(size_t lane, uint32_t step) {
  const size_t w = step >> 6U;
  const uint64_t bit = uint64_t{1} << (w & 63U);
  uint64_t& all = any_[lane * notes_ + (w >> 6U)];
  all = bits_[lane * words_ + w] != 0 ? all | bit : all & ~bit;
}

uint32_t FreeSlots::next(ArcId arc, uint32_t step) const {
  uint32_t first = kNever;
  if (step >= end_) return first;
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    const uint64_t* bits = bits_.data() + lane * words_;
    const uint64_t* any = any_.data() + lane * notes_;
    size_t w = step >> 6U;
    size_t n = w >> 6U;
    uint64_t rest = any[n] & (~uint64_t{0} << (w & 63U));
    uint64_t word = 0;
    if (((rest >> (w & 63U)) & 1U) != 0) {
      word = bits[w] & (~uint64_t{0} << (step & 63U));
      rest &= rest - 1;
    }
    if (word == 0) {
      while (rest == 0 && ++n < notes_) rest = any[n];
      if (rest == 0) continue;
      w = n * 64 + static_cast<size_t>(std::countr_zero(rest));
      word = bits[w];
    }
    first = std::min(first, static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(word)));
  }
  return first;
}

void FreeSlots::take(ArcId arc, uint32_t step) {
  const uint64_t bit = uint64_t{1} << (step & 63U);
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    if ((word(lane, step) & bit) == 0) continue;
    word(lane, step) &= ~bit;
    note(lane, step);
    return;
  }
  QUADRILLE_CHECK(false, "a slot that is taken is free");
}

// Lanes of an arc are alike: any of them that is in use will do.
void FreeSlots::give_back(ArcId arc, uint32_t step) {
  const uint64_t bit = uint64_t{1} << (step & 63U);
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    if ((word(lane, step) & bit) != 0) continue;
    word(lane, step) |= bit;
    note(lane, step);
    return;
  }
  QUADRILLE_CHECK(false, "a slot that is given back was taken");
}

}  // namespace quadrille
