// Counts: how many blocks go from each rank to each, as a sparse matrix; what alltoallv is made of.
//
//     const Counts counts(4, {{Rank{0}, Rank{2}, 5}, {Rank{3}, Rank{0}, 1}});
//     const Collective c = Collective::counted(counts);   // 6 blocks: 0-2.0 to 0-2.4, and 3-0.0
//
// What is not listed is 0. A rank may have blocks for itself: they are at home from the start. Memory is that of the
// entries and of the blocks, never that of the square of the ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

class Counts {
 public:
  struct Entry {
    Rank from{};
    Rank to{};
    uint32_t count = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Entries in any order; those of 0 are left out. Throws InputError for no ranks, a rank outside, two entries for
  /// one pair, or more blocks than 32 bits can number.
  Counts(uint32_t num_ranks, std::vector<Entry> entries);

  [[nodiscard]] uint32_t num_ranks() const { return static_cast<uint32_t>(rows_.size() - 1); }
  /// All blocks; what an id is below.
  [[nodiscard]] uint32_t num_blocks() const { return static_cast<uint32_t>(origins_.size()); }
  /// Those that are not 0: by `from`, then `to`. The blocks are numbered in the same order.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] std::span<const Entry> from(Rank rank) const;
  [[nodiscard]] uint32_t count(Rank from, Rank to) const;
  /// Blocks that a rank has for others, and others for it.
  [[nodiscard]] uint64_t sent_by(Rank rank) const { return sent_[index(rank)]; }
  [[nodiscard]] uint64_t received_by(Rank rank) const { return received_[index(rank)]; }
  /// Blocks that have to move.
  [[nodiscard]] uint64_t moved() const { return moved_; }
  /// The first block of the pair with that number in entries(), and the one behind its last.
  [[nodiscard]] uint32_t first_block(size_t entry) const { return first_blocks_[entry]; }
  /// The number in entries() of a pair; entries().size() where its count is 0.
  [[nodiscard]] size_t find(Rank from, Rank to) const;
  /// By block.
  [[nodiscard]] std::span<const Rank> origins() const { return origins_; }
  [[nodiscard]] std::span<const Rank> destinations() const { return destinations_; }
  /// Everything the other way.
  [[nodiscard]] Counts transposed() const;

  friend bool operator==(const Counts& a, const Counts& b) {
    return a.rows_.size() == b.rows_.size() && a.entries_ == b.entries_;
  }

 private:
  std::vector<size_t> rows_;  // by rank: where its entries begin
  std::vector<Entry> entries_;
  std::vector<uint32_t> first_blocks_;
  std::vector<uint64_t> sent_;
  std::vector<uint64_t> received_;
  uint64_t moved_ = 0;
  std::vector<Rank> origins_;
  std::vector<Rank> destinations_;
};

}  // namespace quadrille
