// Collective: what has to travel, as data.
//
// A collective is a set of blocks. Each block has an origin (the rank that has it first), the ranks that must
// have it last, and a flow: how a block behaves when it is sent.
//
//   Flow::kMove     it moves: personalised collectives (scatter, gather, alltoall). One holder at any time.
//   Flow::kCopy     it is copied: broadcast, allgather. The sender keeps it.
//   Flow::kCombine  every rank starts with a contribution to every block, and a send adds what the sender has
//                   of the block to what the receiver has: reduce, reduce_scatter, allreduce. A contribution
//                   counts once.
//
//     const Collective c = Collective::standard(CollectiveKind::kAlltoall, 16);
//     c.origin(c.block(Rank{3}, Rank{5}));   // rank 3
//
// Judge, bounds, programs and exporters read this data and never the name of the collective. A block can be
// split into `pieces` equal pieces, each of which is then a block of its own.
//
// Numbering (piece last, fastest):
//   broadcast, reduce            piece
//   allreduce                    piece
//   scatter, reduce_scatter      destination, piece
//   gather, allgather            origin, piece
//   alltoall                     origin, destination, piece     (origin = destination: at home at the start)
//   alltoallv                    origin, destination, number    (as many as its Counts say, 0 and up; whole blocks)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/base/ids.h"

namespace quadrille {

class Counts;

enum class CollectiveKind : uint8_t {
  kBroadcast,
  kScatter,
  kGather,
  kAllgather,
  kAlltoall,
  kReduce,
  kReduceScatter,
  kAllreduce,
  kAlltoallv,
};
/// Those that a number of ranks describes; alltoallv needs Counts besides.
inline constexpr std::array kCollectiveKinds = {CollectiveKind::kBroadcast,     CollectiveKind::kScatter,
                                                CollectiveKind::kGather,        CollectiveKind::kAllgather,
                                                CollectiveKind::kAlltoall,      CollectiveKind::kReduce,
                                                CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce};

/// "broadcast", "reduce_scatter", ...: MPI's words.
[[nodiscard]] std::string_view name_of(CollectiveKind kind);
/// Accepts the papers' words too ("total_exchange", "complete_exchange", "multinode_broadcast", "gossip");
/// '-' and '_' are the same. Throws InputError naming the known ones.
[[nodiscard]] CollectiveKind parse_collective_kind(std::string_view text);

enum class Flow : uint8_t { kMove, kCopy, kCombine };

/// How blocks are named in plans: the ranks that tell a block from others, then the piece.
struct BlockName {
  std::array<uint32_t, 3> parts{};
  uint32_t size = 0;
  /// The last part is a piece, not a rank.
  bool has_piece = false;
};

class Collective {
 public:
  /// A standard collective. `root` is used by the rooted ones and ignored by the others. Throws InputError
  /// for no ranks, a root outside, no pieces, or more blocks than 32 bits can number.
  [[nodiscard]] static Collective standard(CollectiveKind kind, uint32_t num_ranks, Rank root = Rank{0},
                                           uint32_t pieces = 1);

  /// For whoever counts and makes no plan: any number of blocks that 64 bits count, none of which has an id. Throws
  /// InputError as standard() does otherwise.
  [[nodiscard]] static Collective for_figures(CollectiveKind kind, uint32_t num_ranks, Rank root = Rank{0},
                                              uint32_t pieces = 1);

  /// alltoallv: as many blocks from rank to rank as the counts say. Throws InputError for more blocks than 32 bits
  /// can number.
  [[nodiscard]] static Collective counted(Counts counts);

  [[nodiscard]] CollectiveKind kind() const { return kind_; }
  [[nodiscard]] std::string_view name() const { return name_of(kind_); }
  [[nodiscard]] Flow flow() const { return flow_; }
  [[nodiscard]] uint32_t num_ranks() const { return num_ranks_; }
  /// Whether blocks have ids: not where they are only counted.
  [[nodiscard]] bool is_numbered() const { return is_numbered_; }
  /// Of a numbered collective.
  [[nodiscard]] uint32_t num_blocks() const { return num_blocks_; }
  /// Of any.
  [[nodiscard]] uint64_t block_count() const { return block_count_; }
  [[nodiscard]] uint32_t pieces() const { return pieces_; }
  /// Of alltoallv; null elsewhere.
  [[nodiscard]] const Counts* counts() const { return counts_.get(); }
  /// The root of a rooted collective.
  [[nodiscard]] std::optional<Rank> root() const;

  /// The rank that has the block first; not for Flow::kCombine, where every rank has a contribution.
  [[nodiscard]] Rank origin(BlockId block) const {
    switch (kind_) {
      case CollectiveKind::kAlltoall:
        return Rank{static_cast<uint32_t>(index(block)) / row_};
      case CollectiveKind::kAlltoallv:
        return origins_[index(block)];
      case CollectiveKind::kGather:
      case CollectiveKind::kAllgather:
        return Rank{static_cast<uint32_t>(index(block)) / pieces_};
      default:
        return root_;
    }
  }
  /// The one rank that must have the block last; for the collectives in which there is just one.
  [[nodiscard]] Rank destination(BlockId block) const {
    switch (kind_) {
      case CollectiveKind::kAlltoall:
        return Rank{static_cast<uint32_t>(index(block)) % row_ / pieces_};
      case CollectiveKind::kAlltoallv:
        return destinations_[index(block)];
      case CollectiveKind::kScatter:
      case CollectiveKind::kReduceScatter:
        return Rank{static_cast<uint32_t>(index(block)) / pieces_};
      default:
        return root_;
    }
  }
  /// True when every rank must have every block last: broadcast, allgather, allreduce.
  [[nodiscard]] bool delivers_to_all() const {
    return kind_ == CollectiveKind::kBroadcast || kind_ == CollectiveKind::kAllgather ||
           kind_ == CollectiveKind::kAllreduce;
  }
  /// Whether the rank must have the block last.
  [[nodiscard]] bool is_destination(BlockId block, Rank rank) const {
    return delivers_to_all() || destination(block) == rank;
  }

  /// The block from one rank to another (alltoall; scatter and gather, where the other end is the root). In alltoallv
  /// it must be one that is counted.
  [[nodiscard]] BlockId block(Rank origin, Rank destination, uint32_t piece = 0) const;
  /// The block that one rank names: origin (broadcast, allgather, gather) or destination (scatter,
  /// reductions).
  [[nodiscard]] BlockId block(Rank rank, uint32_t piece = 0) const;

  /// [origin, destination] in alltoall, scatter and gather; [origin] in broadcast and allgather;
  /// [destination] in reduce and reduce_scatter; [piece] in allreduce. Where a block is split the piece
  /// follows, in alltoallv always its number among those from origin to destination, as a piece.
  [[nodiscard]] BlockName name(BlockId block) const;
  /// The form that all names have: how many parts, and whether the last is a piece. Also where there is no block.
  [[nodiscard]] BlockName name_form() const;
  /// The block with that name; nothing when there is none.
  [[nodiscard]] std::optional<BlockId> find_block(std::span<const uint32_t> parts) const;

  friend bool operator==(const Collective& a, const Collective& b);

 private:
  CollectiveKind kind_ = CollectiveKind::kBroadcast;
  Flow flow_ = Flow::kCopy;
  uint32_t num_ranks_ = 1;
  uint32_t pieces_ = 1;
  uint32_t num_blocks_ = 1;
  uint64_t block_count_ = 1;
  bool is_numbered_ = true;
  uint32_t row_ = 1;  // alltoall: num_ranks * pieces
  Rank root_{0};
  std::shared_ptr<const Counts> counts_{};
  // The counts' own, for origin() and destination().
  const Rank* origins_ = nullptr;
  const Rank* destinations_ = nullptr;
};

}  // namespace quadrille
