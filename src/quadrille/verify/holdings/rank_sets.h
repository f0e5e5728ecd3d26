// RankSets: sets of ranks by number, so that equal sets have equal numbers and a union that was made once is
// looked up.
//
//     RankSets sets(64);
//     const RankSets::Union u = sets.join(sets.of(Rank{3}), sets.of(Rank{5}));
//     u.set, u.overlap                       // {3, 5}; whether they had a rank in common
//
// Whose contributions a node has gathered is one of few sets: a reduction of a thousand blocks that go the
// same ways meets the same unions a thousand times. So a union costs a look into a table, and a holding four
// bytes, whatever the number of ranks; what is kept of a set is kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

class RankSets {
 public:
  /// The number of a set: 0 is empty, 1 + r is {r}.
  using Set = uint32_t;
  static constexpr Set kEmpty = 0;

  explicit RankSets(uint32_t ranks);

  [[nodiscard]] static Set of(Rank rank) { return static_cast<Set>(index(rank)) + 1; }
  /// The set with these bits, 64 ranks a word.
  [[nodiscard]] Set of(std::span<const uint64_t> bits);

  struct Union {
    Set set = kEmpty;
    bool overlap = false;
  };
  [[nodiscard]] Union join(Set a, Set b);

  /// The first rank that is in both; that is not in the set. Nothing where there is none.
  [[nodiscard]] std::optional<Rank> first_common(Set a, Set b) const;
  [[nodiscard]] std::optional<Rank> first_missing(Set set) const;

  /// Whether its ranks are consecutive.
  [[nodiscard]] bool is_interval(Set set) const;

  /// How many different sets there are.
  [[nodiscard]] size_t size() const { return hashes_.size(); }

 private:
  // A union that was made: of the sets in `key`, larger number first. 0: no entry.
  struct Made {
    uint64_t key = 0;
    Set set = kEmpty;
    uint32_t overlap = 0;
  };

  [[nodiscard]] std::span<const uint64_t> bits(Set set) const {
    return std::span(bits_).subspan(size_t{set} * words_, words_);
  }
  Set add(std::span<const uint64_t> bits, uint64_t hash);
  void grow_sets();
  void grow_made();

  uint32_t ranks_;
  size_t words_;
  std::vector<uint64_t> bits_;    // words_ for each set
  std::vector<uint64_t> hashes_;  // of each set
  std::vector<Set> by_hash_;      // open addressing; kEmpty: free
  std::vector<Made> made_;        // open addressing
  size_t num_made_ = 0;
  std::vector<uint64_t> scratch_;
};

}  // namespace quadrille
