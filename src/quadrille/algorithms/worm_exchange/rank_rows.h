// Rank rows: a set of ranks for each node, as bits; and of pairs of a source and a destination, those that nobody serves
// yet.
//
//     UnservedPairs left(ranks);
//     left.serve(hear.row(v), tell.row(v));               // whom v has heard of meets whom v will tell
//     left.count(hear.row(u), tell.row(v));               // what a worm from u to v would serve besides
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

class RankRows {
 public:
  RankRows(uint32_t nodes, uint32_t ranks) : words_((ranks + 63) / 64), bits_(size_t{nodes} * words_, 0) {}

  [[nodiscard]] size_t words() const { return words_; }
  [[nodiscard]] std::span<uint64_t> row(size_t v) { return std::span(bits_).subspan(v * words_, words_); }
  [[nodiscard]] std::span<const uint64_t> row(size_t v) const {
    return std::span(bits_).subspan(v * words_, words_);
  }
  void add(size_t v, uint32_t rank) { bits_[v * words_ + rank / 64] |= uint64_t{1} << (rank % 64); }
  [[nodiscard]] bool has(size_t v, uint32_t rank) const {
    return (bits_[v * words_ + rank / 64] >> (rank % 64) & 1U) != 0;
  }
  void add_all(size_t v, std::span<const uint64_t> other) {
    for (size_t w = 0; w < words_; ++w) bits_[v * words_ + w] |= other[w];
  }

 private:
  size_t words_;
  std::vector<uint64_t> bits_;
};

template <typename Each>
void for_each_rank(std::span<const uint64_t> row, Each each) {
  for (size_t w = 0; w < row.size(); ++w) {
    for (uint64_t rest = row[w]; rest != 0; rest &= rest - 1)
      each(static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(rest))));
  }
}

class UnservedPairs {
 public:
  /// All pairs of so many ranks.
  explicit UnservedPairs(uint32_t ranks) : ranks_(ranks), words_((ranks + 63) / 64) { reset(); }

  void reset() {
    few_.fill(~uint64_t{0});
    if (ranks_ > kFew) bits_.assign(size_t{ranks_} * words_, ~uint64_t{0});
  }

  /// How many pairs of one who is heard of and one who will be told are left.
  [[nodiscard]] uint64_t count(std::span<const uint64_t> hear, std::span<const uint64_t> tell) const {
    if (ranks_ <= kFew) return count_few(hear[0], tell[0]);
    uint64_t pairs = 0;
    for_each_rank(tell, [&](uint32_t to) {
      for (size_t w = 0; w < words_; ++w)
        pairs += static_cast<uint64_t>(std::popcount(hear[w] & bits_[to * words_ + w]));
    });
    return pairs;
  }
  void serve(std::span<const uint64_t> hear, std::span<const uint64_t> tell) {
    if (ranks_ <= kFew) {
      for (size_t q = 0; q < few_.size(); ++q) few_[q] &= ~quarter(hear[0], tell[0], q);
      return;
    }
    for_each_rank(tell, [&](uint32_t to) {
      for (size_t w = 0; w < words_; ++w) bits_[to * words_ + w] &= ~hear[w];
    });
  }

 private:
  // Of so few ranks all pairs are four words: the sources of four destinations in each. Searches on small networks do
  // little else than count them.
  static constexpr uint32_t kFew = 16;
  static constexpr uint64_t kOnce = 0x0001'0001'0001'0001U;

  static uint64_t quarter(uint64_t hear, uint64_t tell, size_t q) {
    const uint64_t four = tell >> (4 * q) & 15U;
    // A bit of each of the four to the foot of its sixteen, and from there to all of them.
    const uint64_t feet = (four | four << 15U | four << 30U | four << 45U) & kOnce;
    return hear * kOnce & feet * 0xffffU;
  }
  [[nodiscard]] uint64_t count_few(uint64_t hear, uint64_t tell) const {
    constexpr uint64_t kTwos = 0x3333'3333'3333'3333U;
    constexpr uint64_t kFours = 0x0f0f'0f0f'0f0f'0f0fU;
    uint64_t in_bytes = 0;
    for (size_t q = 0; q < few_.size(); ++q) {
      uint64_t bits = quarter(hear, tell, q) & few_[q];
      bits -= bits >> 1U & 0x5555'5555'5555'5555U;
      bits = (bits & kTwos) + (bits >> 2U & kTwos);
      in_bytes += (bits + (bits >> 4U)) & kFours;
    }
    const uint64_t in_pairs = (in_bytes & 0x00ff'00ff'00ff'00ffU) + (in_bytes >> 8U & 0x00ff'00ff'00ff'00ffU);
    return in_pairs * kOnce >> 48U;
  }

  uint32_t ranks_;
  size_t words_;
  std::array<uint64_t, 4> few_{};
  std::vector<uint64_t> bits_;  // per destination: the sources that it will not have heard of
};

}  // namespace quadrille
