#include "quadrille/verify/holdings/rank_sets.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

// A finaliser in the manner of splitmix64: all bits of the word matter for all bits of the result.
constexpr uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

uint64_t hash_of(std::span<const uint64_t> bits) {
  uint64_t hash = bits.size();
  for (const uint64_t word : bits) hash = mixed(hash ^ word);
  return hash;
}

}  // namespace

RankSets::RankSets(uint32_t ranks) : ranks_(ranks), words_((size_t{ranks} + 63) / 64), scratch_(words_) {
  by_hash_.assign(std::bit_ceil(size_t{ranks} * 2 + 16), kEmpty);
  made_.assign(1024, {});
  bits_.reserve((size_t{ranks} + 1) * words_);
  std::vector<uint64_t> one(words_, 0);
  (void)add(one, hash_of(one));
  for (uint32_t r = 0; r < ranks; ++r) {
    one[r / 64] = uint64_t{1} << (r % 64);
    (void)add(one, hash_of(one));
    one[r / 64] = 0;
  }
}

RankSets::Set RankSets::add(std::span<const uint64_t> bits, uint64_t hash) {
  if (hashes_.size() + 1 >= UINT32_MAX) throw InputError("the plan makes too many different partial sums");
  const auto set = static_cast<Set>(hashes_.size());
  bits_.insert(bits_.end(), bits.begin(), bits.end());
  hashes_.push_back(hash);
  if (set == kEmpty) return set;
  if (hashes_.size() * 2 > by_hash_.size()) grow_sets();
  size_t at = hash & (by_hash_.size() - 1);
  while (by_hash_[at] != kEmpty) at = (at + 1) & (by_hash_.size() - 1);
  by_hash_[at] = set;
  return set;
}

void RankSets::grow_sets() {
  // Doubling twice the bits of all sets is the most that is ever asked for at once.
  require_memory(2 * bits_.size() * sizeof(uint64_t), "the sets of contributions of this plan");
  by_hash_.assign(by_hash_.size() * 2, kEmpty);
  for (Set set = 1; set + 1 < hashes_.size(); ++set) {
    size_t at = hashes_[set] & (by_hash_.size() - 1);
    while (by_hash_[at] != kEmpty) at = (at + 1) & (by_hash_.size() - 1);
    by_hash_[at] = set;
  }
}

RankSets::Set RankSets::of(std::span<const uint64_t> bits) {
  const uint64_t hash = hash_of(bits);
  if (std::ranges::all_of(bits, [](uint64_t word) { return word == 0; })) return kEmpty;
  for (size_t at = hash & (by_hash_.size() - 1); by_hash_[at] != kEmpty;
       at = (at + 1) & (by_hash_.size() - 1)) {
    const Set set = by_hash_[at];
    if (hashes_[set] == hash && std::ranges::equal(this->bits(set), bits)) return set;
  }
  return add(bits, hash);
}

RankSets::Union RankSets::join(Set a, Set b) {
  if (a == kEmpty || b == kEmpty) return {a + b, false};
  const uint64_t key = (uint64_t{std::max(a, b)} << 32U) | std::min(a, b);
  size_t at = mixed(key) & (made_.size() - 1);
  while (made_[at].key != 0) {
    if (made_[at].key == key) return {made_[at].set, made_[at].overlap != 0};
    at = (at + 1) & (made_.size() - 1);
  }
  uint64_t both = 0;
  const auto of_a = bits(a);
  const auto of_b = bits(b);
  for (size_t w = 0; w < words_; ++w) {
    both |= of_a[w] & of_b[w];
    scratch_[w] = of_a[w] | of_b[w];
  }
  const Set set = of(scratch_);
  made_[at] = {key, set, both != 0 ? 1U : 0U};
  if (++num_made_ * 2 > made_.size()) grow_made();
  return {set, both != 0};
}

void RankSets::grow_made() {
  std::vector<Made> before(made_.size() * 2);
  before.swap(made_);
  for (const Made& entry : before) {
    if (entry.key == 0) continue;
    size_t at = mixed(entry.key) & (made_.size() - 1);
    while (made_[at].key != 0) at = (at + 1) & (made_.size() - 1);
    made_[at] = entry;
  }
}

std::optional<Rank> RankSets::first_common(Set a, Set b) const {
  for (size_t w = 0; w < words_; ++w) {
    const uint64_t both = bits(a)[w] & bits(b)[w];
    if (both != 0) return Rank{static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(both))};
  }
  return std::nullopt;
}

bool RankSets::is_interval(Set set) const {
  uint64_t count = 0;
  uint64_t first = UINT64_MAX;
  uint64_t last = 0;
  const auto words = bits(set);
  for (size_t w = 0; w < words_; ++w) {
    if (words[w] == 0) continue;
    count += static_cast<uint64_t>(std::popcount(words[w]));
    first = std::min<uint64_t>(first, w * 64 + static_cast<uint64_t>(std::countr_zero(words[w])));
    last = w * 64 + 63 - static_cast<uint64_t>(std::countl_zero(words[w]));
  }
  return count == 0 || last - first + 1 == count;
}

std::optional<Rank> RankSets::first_missing(Set set) const {
  for (uint32_t r = 0; r < ranks_; ++r) {
    if ((bits(set)[r / 64] >> (r % 64) & 1U) == 0) return Rank{r};
  }
  return std::nullopt;
}

}  // namespace quadrille
