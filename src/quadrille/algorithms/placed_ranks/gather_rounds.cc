#include "quadrille/algorithms/placed_ranks/gather_rounds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

// What every rank v does alike: it sends the blocks of v + first .. v + first + count - 1 to the rank at that distance.
class Circle {
 public:
  Circle(uint32_t ranks, uint32_t pieces) : ranks_(ranks), pieces_(pieces) {}

  void send(int64_t distance, int64_t first, int64_t count) { send(distance, first, count, 0, pieces_); }
  void send(int64_t distance, int64_t first, int64_t count, uint32_t begin_piece, uint32_t end_piece) {
    const std::vector<RankRounds::Blocks>& lists = lists_of(count, begin_piece, end_piece);
    for (uint32_t v = 0; v < ranks_; ++v) rounds_.send(v, at(v, distance), lists[at(v, first)]);
  }
  void end_round() { rounds_.end_round(); }
  [[nodiscard]] RankRounds take() { return std::move(rounds_); }

 private:
  // The blocks of every rank and the next ones, so many in all. What a rank passes on is what it was sent.
  const std::vector<RankRounds::Blocks>& lists_of(int64_t count, uint32_t begin_piece, uint32_t end_piece) {
    std::vector<RankRounds::Blocks>& lists = lists_[{count, begin_piece, end_piece}];
    for (auto v = static_cast<uint32_t>(lists.size()); v < ranks_; ++v) {
      blocks_.clear();
      for (int64_t i = 0; i < count; ++i)
        for (uint32_t piece = begin_piece; piece < end_piece; ++piece)
          blocks_.push_back(BlockId{at(v, i) * pieces_ + piece});
      lists.push_back(rounds_.keep(blocks_));
    }
    return lists;
  }
  [[nodiscard]] uint32_t at(uint32_t v, int64_t distance) const {
    const int64_t p = ranks_;
    return static_cast<uint32_t>(((v + distance) % p + p) % p);
  }

  uint32_t ranks_;
  uint32_t pieces_;
  RankRounds rounds_;
  std::map<std::tuple<int64_t, uint32_t, uint32_t>, std::vector<RankRounds::Blocks>> lists_;
  std::vector<BlockId> blocks_;
};

// Class `klass` of `classes` of the bucket algorithm, with the pieces that are its own: dimension after dimension from
// `first` on.
RankRounds bucket(std::span<const uint32_t> sides, size_t first, bool down, uint32_t klass, uint32_t classes,
                  uint32_t pieces) {
  uint32_t ranks = 1;
  for (const uint32_t side : sides) ranks *= side;
  std::vector<uint32_t> strides(sides.size(), 1);
  for (size_t i = sides.size(); i-- > 1;) strides[i - 1] = strides[i] * sides[i];
  RankRounds out;
  std::vector<uint32_t> gathered{0};  // offsets of what a rank at the origin of the dimensions done has
  std::vector<BlockId> blocks;
  std::vector<size_t> done;
  for (size_t turn = 0; turn < sides.size(); ++turn) {
    const size_t dimension = (first + turn) % sides.size();
    const uint32_t side = sides[dimension];
    const uint32_t stride = strides[dimension];
    std::vector<std::optional<RankRounds::Blocks>> lists(ranks);  // of what came from a rank
    for (uint32_t t = 1; t < side; ++t) {
      for (uint32_t v = 0; v < ranks; ++v) {
        const uint32_t place = v / stride % side;
        const uint32_t line = v - place * stride;
        const uint32_t to = line + (down ? (place + side - 1) % side : (place + 1) % side) * stride;
        uint32_t source = line + (down ? (place + t - 1) % side : (place + side - t + 1) % side) * stride;
        for (const size_t d : done) source -= source / strides[d] % sides[d] * strides[d];
        if (!lists[source]) {
          blocks.clear();
          for (const uint32_t offset : gathered)
            for (uint32_t piece = klass; piece < pieces; piece += classes)
              blocks.push_back(BlockId{(source + offset) * pieces + piece});
          lists[source] = out.keep(blocks);
        }
        out.send(v, to, *lists[source]);
      }
      out.end_round();
    }
    const size_t had = gathered.size();
    for (uint32_t x = 1; x < side; ++x)
      for (size_t i = 0; i < had; ++i) gathered.push_back(gathered[i] + x * stride);
    done.push_back(dimension);
  }
  return out;
}

}  // namespace

RankRounds bucket_allgather(std::span<const uint32_t> sides, uint32_t classes, uint32_t pieces) {
  std::vector<RankRounds> parts;
  for (uint32_t klass = 0; klass < std::min(classes, pieces); ++klass)
    parts.push_back(bucket(sides, klass % sides.size(), klass >= sides.size(), klass, classes, pieces));
  return side_by_side(parts);
}

RankRounds ring_allgather(uint32_t ranks, uint32_t pieces) {
  Circle circle(ranks, pieces);
  for (int64_t t = 0; t + 1 < ranks; ++t) {
    circle.send(1, -t, 1);
    circle.end_round();
  }
  return circle.take();
}

RankRounds two_way_ring_allgather(uint32_t ranks, uint32_t pieces) {
  Circle circle(ranks, pieces);
  for (int64_t t = 1; 2 * t <= ranks; ++t) {
    const bool opposite = 2 * t == ranks && ranks > 2;
    circle.send(1, 1 - t, 1, 0, opposite ? (pieces + 1) / 2 : pieces);
    if (ranks > 2) circle.send(-1, t - 1, 1, opposite ? (pieces + 1) / 2 : 0, pieces);
    circle.end_round();
  }
  return circle.take();
}

RankRounds bruck_allgather(uint32_t ranks, uint32_t ports, uint32_t pieces) {
  Circle circle(ranks, pieces);
  for (int64_t width = 1; width < ranks; width *= int64_t{ports} + 1) {
    // What is still missing; in the last round as much from each.
    const int64_t left = std::min<int64_t>(ranks - width, width * int64_t{ports});
    const int64_t messages = std::min<int64_t>(ports, left);
    for (int64_t j = 0; j < messages; ++j) {
      const int64_t begin = j * left / messages;
      circle.send(-(width + begin), 0, (j + 1) * left / messages - begin);
    }
    circle.end_round();
  }
  return circle.take();
}

RankRounds grouped_allgather(uint32_t ranks, uint32_t group, uint32_t pieces) {
  RankRounds out;
  const auto blocks_of = [&](uint32_t first, uint32_t count) {
    std::vector<BlockId> blocks;
    for (uint32_t b = first * pieces; b < (first + count) * pieces; ++b) blocks.push_back(BlockId{b});
    return out.keep(blocks);
  };
  for (uint32_t v = 0; v < ranks; ++v) {
    const uint32_t first = v / group * group;
    const RankRounds::Blocks own = blocks_of(v, 1);
    for (uint32_t w = first; w < first + group; ++w)
      if (w != v) out.send(v, w, own);
  }
  out.end_round();
  for (uint32_t first = 0; first < ranks; first += group) {
    const RankRounds::Blocks all = blocks_of(first, group);
    for (uint32_t i = 0; i < group; ++i)
      for (uint32_t w = i; w < ranks; w += group)
        if (w != first + i) out.send(first + i, w, all);
  }
  out.end_round();
  return out;
}

RankRounds circulant_allgather(uint32_t ranks, uint32_t pieces) {
  std::vector<int64_t> jumps;
  for (int64_t jump = ranks; jump > 1;) {
    jump = (jump + 1) / 2;
    jumps.push_back(jump);
  }
  Circle circle(ranks, pieces);
  for (size_t i = jumps.size(); i-- > 0;) {
    const int64_t before = i == 0 ? ranks : jumps[i - 1];
    circle.send(-jumps[i], 0, before - jumps[i]);
    circle.end_round();
  }
  return circle.take();
}

RankRounds pat_allgather(uint32_t ranks, uint32_t pieces) {
  RankRounds out;
  uint32_t jump = 1;
  while (2 * uint64_t{jump} < ranks) jump *= 2;
  std::vector<BlockId> blocks;
  for (; jump > 0 && ranks > 1; jump /= 2) {
    for (uint32_t v = 0; v < ranks; ++v) {
      blocks.clear();
      for (uint64_t offset = 0; offset + jump < ranks; offset += 2 * uint64_t{jump}) {
        const auto source = static_cast<uint32_t>((v + ranks - offset) % ranks);
        for (uint32_t piece = 0; piece < pieces; ++piece) blocks.push_back(BlockId{source * pieces + piece});
      }
      out.send(v, (v + jump) % ranks, blocks);
    }
    out.end_round();
  }
  return out;
}

RankRounds trivance_allgather(uint32_t ranks, uint32_t pieces) {
  Circle circle(ranks, pieces);
  // So far v has what lies between v - reach and v + reach.
  for (int64_t reach = 0; 2 * reach + 1 < ranks;) {
    const int64_t width = 2 * reach + 1;
    const int64_t missing = std::min<int64_t>(2 * width, ranks - width);
    const int64_t up = (missing + 1) / 2;  // to what is missing below the receiver
    const int64_t down = missing / 2;
    // The nearest of the missing ones must not be left out: the sender's upper end lies next to the receiver's window.
    circle.send(width, reach - up + 1, up);
    if (down > 0) circle.send(-width, -reach, down);
    circle.end_round();
    if (up < width || down < width) break;
    reach += width;
  }
  return circle.take();
}

}  // namespace quadrille
