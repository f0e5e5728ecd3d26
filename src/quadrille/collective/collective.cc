#include "quadrille/collective/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/collective/counts.h"

namespace quadrille {
namespace {

struct KindWord {
  std::string_view word;
  CollectiveKind kind;
};

// MPI's word first for each kind, then the words of the papers.
constexpr std::array kWords = {
    KindWord{"broadcast", CollectiveKind::kBroadcast},
    KindWord{"scatter", CollectiveKind::kScatter},
    KindWord{"gather", CollectiveKind::kGather},
    KindWord{"allgather", CollectiveKind::kAllgather},
    KindWord{"alltoall", CollectiveKind::kAlltoall},
    KindWord{"reduce", CollectiveKind::kReduce},
    KindWord{"reduce_scatter", CollectiveKind::kReduceScatter},
    KindWord{"allreduce", CollectiveKind::kAllreduce},
    KindWord{"alltoallv", CollectiveKind::kAlltoallv},
    KindWord{"bcast", CollectiveKind::kBroadcast},
    KindWord{"multinode_broadcast", CollectiveKind::kAllgather},
    KindWord{"gossip", CollectiveKind::kAllgather},
    KindWord{"total_exchange", CollectiveKind::kAlltoall},
    KindWord{"complete_exchange", CollectiveKind::kAlltoall},
    KindWord{"all_to_all", CollectiveKind::kAlltoall},
};

enum class Shape : uint8_t { kNone, kOne, kTwo };

// How many ranks number the blocks of a kind.
Shape shape_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kAlltoallv:
      return Shape::kTwo;
    case CollectiveKind::kScatter:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAllgather:
      return Shape::kOne;
    default:
      return Shape::kNone;
  }
}

Flow flow_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kAllgather:
      return Flow::kCopy;
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kAlltoallv:
      return Flow::kMove;
    default:
      return Flow::kCombine;
  }
}

bool is_rooted(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter ||
         kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  return std::find_if(kWords.begin(), kWords.end(), [kind](const KindWord& w) { return w.kind == kind; })
      ->word;
}

CollectiveKind parse_collective_kind(std::string_view text) {
  std::string word(text);
  std::replace(word.begin(), word.end(), '-', '_');
  for (const KindWord& known : kWords) {
    if (known.word == word) return known.kind;
  }
  std::vector<std::string_view> names;
  for (const KindWord& known : kWords) names.push_back(known.word);
  const std::string_view near = nearest_name(word, names);
  names.resize(kCollectiveKinds.size() + 1);  // MPI's words
  throw ValueError(fmt::format("unknown collective '{}'; {}known are {}", text,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), join(names)),
                   {.of = "collective", .given = std::string(text), .allowed = {names.begin(), names.end()}});
}

Collective Collective::for_figures(CollectiveKind kind, uint32_t num_ranks, Rank root, uint32_t pieces) {
  if (num_ranks == 0) throw InputError("a collective needs at least one rank");
  if (pieces == 0) throw InputError("a block cannot be split into 0 pieces");
  if (kind == CollectiveKind::kAlltoallv)
    throw InputError("alltoallv needs counts: how many blocks go from each rank to each");
  if (is_rooted(kind) && index(root) >= num_ranks) {
    throw InputError(
        fmt::format("root {} does not exist: the ranks are 0 to {}", index(root), num_ranks - 1));
  }
  const uint64_t per_rank = shape_of(kind) == Shape::kNone ? 1 : num_ranks;
  const uint64_t rows = shape_of(kind) == Shape::kTwo ? num_ranks : 1;
  Collective out;
  if (__builtin_mul_overflow(per_rank * rows, uint64_t{pieces}, &out.block_count_)) {
    throw InputError(fmt::format("{} of {} ranks in {} pieces each has more blocks than 64 bits can count",
                                 name_of(kind), num_ranks, pieces));
  }
  out.kind_ = kind;
  out.flow_ = flow_of(kind);
  out.num_ranks_ = num_ranks;
  out.pieces_ = pieces;
  // More than any id: whoever asks for less than he needs finds that it is too much.
  out.num_blocks_ = UINT32_MAX;
  out.is_numbered_ = false;
  out.root_ = is_rooted(kind) ? root : Rank{0};
  return out;
}

Collective Collective::standard(CollectiveKind kind, uint32_t num_ranks, Rank root, uint32_t pieces) {
  Collective out = for_figures(kind, num_ranks, root, pieces);
  if (out.block_count_ >= kMaxIds) {
    throw InputError(fmt::format("{} of {} ranks{} has more blocks than can be numbered ({})", name_of(kind),
                                 num_ranks, pieces == 1 ? "" : fmt::format(" in {} pieces each", pieces),
                                 kMaxIds - 1));
  }
  const uint64_t rows = shape_of(kind) == Shape::kTwo ? num_ranks : 1;
  out.num_blocks_ = static_cast<uint32_t>(out.block_count_);
  out.row_ = static_cast<uint32_t>(out.block_count_ / rows);
  out.is_numbered_ = true;
  return out;
}

Collective Collective::counted(Counts counts) {
  Collective out;
  out.counts_ = std::make_shared<const Counts>(std::move(counts));
  out.kind_ = CollectiveKind::kAlltoallv;
  out.flow_ = Flow::kMove;
  out.num_ranks_ = out.counts_->num_ranks();
  out.num_blocks_ = out.counts_->num_blocks();
  out.block_count_ = out.num_blocks_;
  out.origins_ = out.counts_->origins().data();
  out.destinations_ = out.counts_->destinations().data();
  return out;
}

bool operator==(const Collective& a, const Collective& b) {
  const auto figures = [](const Collective& c) {
    return std::tuple(c.kind_, c.num_ranks_, c.pieces_, c.block_count_, c.is_numbered_, c.root_);
  };
  if (figures(a) != figures(b)) return false;
  return a.counts_ == b.counts_ || (a.counts_ != nullptr && b.counts_ != nullptr && *a.counts_ == *b.counts_);
}

std::optional<Rank> Collective::root() const {
  if (!is_rooted(kind_)) return std::nullopt;
  return root_;
}

BlockId Collective::block(Rank origin, Rank destination, uint32_t piece) const {
  QUADRILLE_CHECK(is_numbered_, "a block that is only counted");
  if (shape_of(kind_) != Shape::kTwo)
    return block(kind_ == CollectiveKind::kGather ? origin : destination, piece);
  if (counts_ != nullptr) {
    const size_t entry = counts_->find(origin, destination);
    QUADRILLE_CHECK(entry < counts_->entries().size() && piece < counts_->entries()[entry].count,
                    fmt::format("{}-{}.{} is not counted", index(origin), index(destination), piece));
    return id_at<BlockId>(counts_->first_block(entry) + piece);
  }
  return id_at<BlockId>((index(origin) * num_ranks_ + index(destination)) * pieces_ + piece);
}

BlockId Collective::block(Rank rank, uint32_t piece) const {
  QUADRILLE_CHECK(shape_of(kind_) != Shape::kTwo, "an alltoall block is named by two ranks");
  return id_at<BlockId>((shape_of(kind_) == Shape::kOne ? index(rank) * pieces_ : 0) + piece);
}

BlockName Collective::name_form() const {
  BlockName out;
  out.has_piece = pieces_ > 1 || kind_ == CollectiveKind::kAllreduce || counts_ != nullptr;
  out.size = flow_ == Flow::kMove ? 2 : kind_ == CollectiveKind::kAllreduce ? 0 : 1;
  if (out.has_piece) ++out.size;
  return out;
}

BlockName Collective::name(BlockId block) const {
  const auto number = static_cast<uint32_t>(index(block));
  BlockName out = name_form();
  uint32_t* part = out.parts.data();
  if (flow_ == Flow::kMove) {
    *part++ = static_cast<uint32_t>(index(origin(block)));
    *part++ = static_cast<uint32_t>(index(destination(block)));
  } else if (flow_ == Flow::kCopy) {
    *part++ = static_cast<uint32_t>(index(origin(block)));
  } else if (kind_ != CollectiveKind::kAllreduce) {
    *part++ = static_cast<uint32_t>(index(destination(block)));
  }
  if (!out.has_piece) return out;
  *part = counts_ == nullptr
              ? number % pieces_
              : number - counts_->first_block(counts_->find(origin(block), destination(block)));
  return out;
}

std::optional<BlockId> Collective::find_block(std::span<const uint32_t> parts) const {
  const BlockName form = name_form();
  if (parts.size() != form.size) return std::nullopt;
  const size_t ranks = form.size - (form.has_piece ? 1U : 0U);
  for (size_t i = 0; i < ranks; ++i) {
    if (parts[i] >= num_ranks_) return std::nullopt;
  }
  const uint32_t piece = form.has_piece ? parts.back() : 0;
  if (counts_ != nullptr) {
    if (piece >= counts_->count(Rank{parts[0]}, Rank{parts[1]})) return std::nullopt;
    return block(Rank{parts[0]}, Rank{parts[1]}, piece);
  }
  if (piece >= pieces_) return std::nullopt;
  const BlockId found = ranks == 2   ? block(Rank{parts[0]}, Rank{parts[1]}, piece)
                        : ranks == 1 ? block(Rank{parts[0]}, piece)
                                     : block(Rank{0}, piece);
  // A rooted collective has only the blocks of its root.
  const BlockName there = name(found);
  if (!std::equal(parts.begin(), parts.end(), there.parts.begin())) return std::nullopt;
  return found;
}

}  // namespace quadrille
