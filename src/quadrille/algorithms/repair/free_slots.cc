#include "quadrille/algorithms/repair/free_slots.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/check.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/numbers/bit_count.h"

namespace quadrille {
namespace {

uint64_t bit_of(uint32_t step) { return uint64_t{1} << (step & 63U); }
uint64_t from_bit(size_t bit) { return ~uint64_t{0} << (bit & 63U); }

// The words of all lanes in 64 steps.
void gather(const IdleSlots& idle, uint32_t first, uint32_t end, std::vector<uint64_t>& of_lanes) {
  std::ranges::fill(of_lanes, 0);
  for (uint32_t t = first; t < end; ++t) {
    const uint64_t* row = idle.in_step(t);
    for (size_t w = 0; w < idle.words(); ++w) {
      for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
        of_lanes[w * 64 + static_cast<size_t>(std::countr_zero(bits))] |= bit_of(t);
    }
  }
}

}  // namespace

FreeSlots::FreeSlots(const IdleSlots& idle, uint32_t behind)
    : end_(static_cast<uint32_t>(idle.steps()) + behind), parts_of_lane_(end_ / 64 / 64 + 1) {
  const size_t arcs = idle.of_arcs().size();
  for (size_t a = 0; a <= arcs; ++a) lanes_begin_.push_back(idle.first_lane(id_at<ArcId>(a)));
  const size_t lanes = lanes_begin_.back();
  parts_.resize(lanes * parts_of_lane_);

  std::vector<uint64_t> of_lanes(idle.words() * 64);
  struct Kept {
    uint32_t lane;
    uint32_t w;
    uint64_t word;
  };
  std::vector<Kept> kept;
  const Int128 most = Int128{lanes} * (end_ / 64 + 1) * Int128{sizeof(Kept) + sizeof(uint64_t)};
  require_memory(most, "which slots of arcs are free");
  for (uint32_t w = 0; w <= end_ / 64; ++w) {
    gather(idle, w * 64, std::min(end_, w * 64 + 64), of_lanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      if (of_lanes[lane] == 0) continue;
      parts_[lane * parts_of_lane_ + w / 64].kept |= bit_of(w);
      kept.push_back({lane, w, of_lanes[lane]});
    }
  }
  uint32_t before = 0;
  for (Part& part : parts_) {
    part.some = part.kept;
    part.first_kept = before;
    before += static_cast<uint32_t>(bit_count(part.kept));
  }
  words_.resize(kept.size());
  for (const Kept& one : kept) word(one.lane, one.w * 64) = one.word;
}

const uint64_t& FreeSlots::word(const Part& part, size_t w) const {
  return words_[part.first_kept + bit_count(part.kept & ~from_bit(w))];
}

uint64_t& FreeSlots::word(size_t lane, uint32_t step) {
  const size_t w = step >> 6U;
  const Part& part = parts_[lane * parts_of_lane_ + (w >> 6U)];
  return words_[part.first_kept + bit_count(part.kept & ~from_bit(w))];
}

uint32_t FreeSlots::next(ArcId arc, uint32_t step) const {
  uint32_t first = kNever;
  if (step >= end_) return first;
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    const Part* parts = parts_.data() + lane * parts_of_lane_;
    size_t w = step >> 6U;
    size_t p = w >> 6U;
    uint64_t some = parts[p].some & from_bit(w);
    uint64_t free = 0;
    if ((some & bit_of(static_cast<uint32_t>(w))) != 0) {
      free = word(parts[p], w) & from_bit(step);
      some &= some - 1;
    }
    if (free == 0) {
      while (some == 0 && ++p < parts_of_lane_) some = parts[p].some;
      if (some == 0) continue;
      w = p * 64 + static_cast<size_t>(std::countr_zero(some));
      free = word(parts[p], w);
    }
    first = std::min(first, static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(free)));
  }
  return first;
}

void FreeSlots::take(ArcId arc, uint32_t step) {
  const uint32_t w = step >> 6U;
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    Part& part = parts_[lane * parts_of_lane_ + (w >> 6U)];
    if ((part.some & bit_of(w)) == 0 || (word(lane, step) & bit_of(step)) == 0) continue;
    uint64_t& free = word(lane, step);
    free &= ~bit_of(step);
    if (free == 0) part.some &= ~bit_of(w);
    return;
  }
  QUADRILLE_CHECK(false, "a slot that is taken is free");
}

// Lanes of an arc are alike: any of them that is in use will do.
void FreeSlots::give_back(ArcId arc, uint32_t step) {
  const uint32_t w = step >> 6U;
  for (size_t lane = lanes_begin_[index(arc)]; lane < lanes_begin_[index(arc) + 1]; ++lane) {
    Part& part = parts_[lane * parts_of_lane_ + (w >> 6U)];
    if ((part.kept & bit_of(w)) == 0 || (word(lane, step) & bit_of(step)) != 0) continue;
    word(lane, step) |= bit_of(step);
    part.some |= bit_of(w);
    return;
  }
  QUADRILLE_CHECK(false, "a slot that is given back was taken");
}

}  // namespace quadrille
