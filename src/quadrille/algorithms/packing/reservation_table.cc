#include "quadrille/algorithms/packing/reservation_table.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr size_t kWord = 64;
constexpr uint64_t kFull = ~uint64_t{0};

}  // namespace

ReservationTable::ReservationTable(const Problem& problem, uint32_t sharing)
    : topology_(problem.topology()),
      half_duplex_(problem.model().duplex == Duplex::kHalf),
      first_send_port_(topology_.num_arcs()),
      first_receive_port_(first_send_port_ + topology_.num_nodes()) {
  room_.reserve(first_receive_port_ + topology_.num_nodes());
  for (const ArcId arc : topology_.arcs()) {
    const uint64_t room = uint64_t{topology_.capacity(arc)} * sharing;
    room_.push_back(static_cast<uint32_t>(std::min<uint64_t>(room, UINT32_MAX)));
  }
  // No more transfers start or end at a node in a step than 2^32.
  room_.insert(room_.end(), topology_.num_nodes(), problem.model().send.count);
  room_.insert(room_.end(), topology_.num_nodes(), problem.model().receive.count);
  counted_ = std::any_of(room_.begin(), room_.end(), [](uint32_t room) { return room > 1; });
  clear();
}

void ReservationTable::clear() {
  full_.assign(room_.size() * words_, 0);
  taken_.clear();
  first_open_.assign(room_.size(), 0);
}

void ReservationTable::collect(std::span<const ArcId> path) {
  rows_.clear();
  const size_t send = first_send_port_ + index(topology_.tail(path.front()));
  const size_t receive = first_receive_port_ + index(topology_.head(path.back()));
  if (room_[send] > 0) rows_.push_back(send);
  if (room_[receive] > 0) rows_.push_back(receive);
  for (const ArcId arc : path) rows_.push_back(index(arc));
  work_ += rows_.size();
}

uint32_t ReservationTable::first_step(std::span<const ArcId> path, uint32_t before) {
  collect(path);
  size_t word = 0;
  for (const size_t row : rows_) word = std::max<size_t>(word, first_open_[row]);
  for (; word * kWord < before; ++word) {
    uint64_t full = 0;
    if (word < words_) {
      for (const size_t row : rows_) {
        full |= full_[row * words_ + word];
        ++work_;
        if (full == kFull) break;
      }
    }
    if (full != kFull)
      return std::min(before,
                      static_cast<uint32_t>(word * kWord) + static_cast<uint32_t>(std::countr_one(full)));
  }
  return before;
}

void ReservationTable::take(std::span<const ArcId> path, uint32_t step) {
  if (step / kWord >= words_) grow(std::max(step / kWord + 1, 2 * words_));
  collect(path);
  if (counted_ && taken_.size() <= size_t{step} * room_.size())
    taken_.resize((size_t{step} + 1) * room_.size(), 0);
  for (const size_t row : rows_) {
    if (room_[row] == 1 || ++taken_[step * room_.size() + row] == room_[row]) fill(row, step);
  }
  if (!half_duplex_) return;
  for (const ArcId arc : path) {
    const ArcId back = topology_.reverse(arc);
    if (back != kNoArc) fill(index(back), step);
  }
}

void ReservationTable::fill(size_t row, uint32_t step) {
  uint64_t* words = &full_[row * words_];
  words[step / kWord] |= uint64_t{1} << (step % kWord);
  while (first_open_[row] < words_ && words[first_open_[row]] == kFull) ++first_open_[row];
}

void ReservationTable::grow(size_t words) {
  std::vector<uint64_t> full(room_.size() * words, 0);
  for (size_t row = 0; row < room_.size(); ++row) {
    std::copy_n(full_.begin() + static_cast<ptrdiff_t>(row * words_), words_,
                full.begin() + static_cast<ptrdiff_t>(row * words));
  }
  full_.swap(full);
  words_ = words;
}

}  // namespace quadrille
