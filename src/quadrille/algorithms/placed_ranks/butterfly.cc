#include "quadrille/algorithms/placed_ranks/butterfly.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// 1, -1, 3, -5, 11, ..
int64_t swing_distance(size_t round) {
  int64_t power = -2;
  for (size_t i = 0; i < round; ++i) power *= -2;
  return (1 - power) / 3;
}

std::vector<BlockId> all_blocks(uint32_t blocks) {
  std::vector<BlockId> out;
  for (uint32_t b = 0; b < blocks; ++b) out.push_back(BlockId{b});
  return out;
}

// Which ranks a rank and its partners of round i and later stand for. Ranks whose partners are the same stand for
// the same ones, so that there are few regions: of a doubling as many as ranks, over all rounds twice that.
class Regions {
 public:
  explicit Regions(const Butterfly& butterfly) : number_(butterfly.rounds() + 1), regions_(number_.size()) {
    for (uint32_t v = 0; v < butterfly.ranks; ++v) {
      number_.back().push_back(v);
      regions_.back().push_back({v});
    }
    for (size_t i = butterfly.rounds(); i-- > 0;) join(butterfly.partners[i], i);
  }

  /// Which of the regions of a round a rank's is.
  [[nodiscard]] uint32_t number(size_t round, uint32_t rank) const { return number_[round][rank]; }
  [[nodiscard]] std::span<const std::vector<uint32_t>> of(size_t round) const { return regions_[round]; }

 private:
  void join(std::span<const uint32_t> partners, size_t i) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
    for (uint32_t v = 0; v < partners.size(); ++v) {
      const auto [ours, theirs] = std::minmax(number_[i + 1][v], number_[i + 1][partners[v]]);
      const auto [entry, is_new] =
          known.try_emplace({ours, theirs}, static_cast<uint32_t>(regions_[i].size()));
      number_[i].push_back(entry->second);
      if (!is_new) continue;
      std::vector<uint32_t>& both = regions_[i].emplace_back();
      std::ranges::merge(regions_[i + 1][ours], regions_[i + 1][theirs], std::back_inserter(both));
    }
  }

  std::vector<std::vector<uint32_t>> number_;
  std::vector<std::vector<std::vector<uint32_t>>> regions_;
};

// Which pieces there are: so many for each rank, up to an end.
struct Pieces {
  uint32_t each;
  uint32_t end = UINT32_MAX;
};

// The pieces of the ranks of every region of a round, kept once.
std::vector<RankRounds::Blocks> lists_of(const Regions& regions, size_t round, const Pieces& pieces,
                                         RankRounds& out) {
  std::vector<RankRounds::Blocks> lists;
  std::vector<BlockId> blocks;
  for (const std::vector<uint32_t>& ranks : regions.of(round)) {
    blocks.clear();
    for (const uint32_t rank : ranks) {
      const uint32_t end = std::min(pieces.end, (rank + 1) * pieces.each);
      for (uint32_t b = rank * pieces.each; b < end; ++b) blocks.push_back(BlockId{b});
    }
    lists.push_back(out.keep(blocks));
  }
  return lists;
}

RankRounds halve(const Butterfly& butterfly, const Regions& regions, const Pieces& pieces, size_t rounds) {
  RankRounds out;
  for (size_t i = 0; i < rounds; ++i) {
    const std::vector<RankRounds::Blocks> lists = lists_of(regions, i + 1, pieces, out);
    for (uint32_t v = 0; v < butterfly.ranks; ++v) {
      const uint32_t partner = butterfly.partners[i][v];
      out.send(v, partner, lists[regions.number(i + 1, partner)]);
    }
    out.end_round();
  }
  return out;
}

}  // namespace

bool is_power_of_two(uint32_t ranks) { return std::has_single_bit(ranks); }

Applicability butterfly_applies(const Problem& problem) {
  if (Applicability fits = rounds_apply(problem); !fits.applies) return fits;
  const uint32_t ranks = problem.collective().num_ranks();
  if (is_power_of_two(ranks)) return Applicability::yes();
  return Applicability::no(
      fmt::format("every rank has one partner a round, for which a power of two is needed; {} has {} ranks",
                  problem.topology().name(), ranks));
}

Butterfly Butterfly::backwards() const {
  return {ranks, std::vector<std::vector<uint32_t>>(partners.rbegin(), partners.rend())};
}

Butterfly doubling_butterfly(uint32_t ranks) {
  QUADRILLE_CHECK(is_power_of_two(ranks), std::to_string(ranks));
  Butterfly out{ranks, {}};
  for (uint32_t bit = 1; bit < ranks; bit *= 2) {
    std::vector<uint32_t>& partners = out.partners.emplace_back();
    for (uint32_t v = 0; v < ranks; ++v) partners.push_back(v ^ bit);
  }
  return out;
}

Butterfly swing_butterfly(std::span<const uint32_t> sides, size_t first, bool mirrored) {
  Butterfly out;
  for (const uint32_t side : sides) out.ranks *= side;
  QUADRILLE_CHECK(is_power_of_two(out.ranks), std::to_string(out.ranks));
  for (size_t i = 0;; ++i) {
    const size_t before = out.rounds();
    for (size_t turn = 0; turn < sides.size(); ++turn) {
      const size_t dimension = (first + turn) % sides.size();
      const uint32_t side = sides[dimension];
      if ((uint64_t{1} << i) >= side) continue;
      uint32_t stride = 1;
      for (size_t later = dimension + 1; later < sides.size(); ++later) stride *= sides[later];
      std::vector<uint32_t>& partners = out.partners.emplace_back();
      for (uint32_t v = 0; v < out.ranks; ++v) {
        const uint32_t place = v / stride % side;
        const int64_t distance = (place % 2 == 0) == mirrored ? -swing_distance(i) : swing_distance(i);
        const int64_t there = ((place + distance) % side + side) % side;
        partners.push_back(v - place * stride + static_cast<uint32_t>(there) * stride);
      }
    }
    if (out.rounds() == before) return out;
  }
}

uint32_t swing_classes(const Problem& problem) {
  const std::vector<uint32_t> sides = sides_of(problem.topology());
  const auto dimensions = static_cast<uint32_t>(sides.size());
  const bool has_pairs = std::find(sides.begin(), sides.end(), 2U) != sides.end();
  const uint32_t ports = busy_ports(problem);
  if (ports >= 2 * dimensions && !has_pairs) return 2 * dimensions;
  return ports >= dimensions ? dimensions : 1;
}

Butterfly swing_butterfly_of(const Problem& problem, uint32_t klass) {
  const std::vector<uint32_t> sides = sides_of(problem.topology());
  return swing_butterfly(sides, klass % sides.size(), klass >= sides.size());
}

RankRounds butterfly_broadcast(const Butterfly& butterfly, uint32_t pieces) {
  RankRounds out;
  const RankRounds::Blocks blocks = out.keep(all_blocks(pieces));
  std::vector<bool> has(butterfly.ranks, false);
  has[0] = true;
  for (const std::vector<uint32_t>& partners : butterfly.partners) {
    const std::vector<bool> had = has;
    for (uint32_t v = 0; v < butterfly.ranks; ++v) {
      if (!had[v]) continue;
      out.send(v, partners[v], blocks);
      has[partners[v]] = true;
    }
    out.end_round();
  }
  return out;
}

RankRounds butterfly_scatter(const Butterfly& butterfly, uint32_t pieces) {
  RankRounds out;
  const Regions regions(butterfly);
  std::vector<bool> has(butterfly.ranks, false);
  has[0] = true;
  for (size_t i = 0; i < butterfly.rounds(); ++i) {
    const std::vector<bool> had = has;
    const std::vector<RankRounds::Blocks> lists = lists_of(regions, i + 1, {pieces}, out);
    for (uint32_t v = 0; v < butterfly.ranks; ++v) {
      if (!had[v]) continue;
      const uint32_t partner = butterfly.partners[i][v];
      out.send(v, partner, lists[regions.number(i + 1, partner)]);
      has[partner] = true;
    }
    out.end_round();
  }
  return out;
}

RankRounds butterfly_halving(const Butterfly& butterfly, uint32_t pieces) {
  return halve(butterfly, Regions(butterfly), {pieces}, butterfly.rounds());
}

RankRounds butterfly_allreduce(const Butterfly& butterfly, uint32_t pieces, size_t merged) {
  const Pieces dealt{pieces_for_each(pieces, butterfly.ranks), pieces};
  const Regions regions(butterfly);
  const size_t halved = butterfly.rounds() - merged;
  RankRounds out = halve(butterfly, regions, dealt, halved);
  const size_t rounds = out.size();  // fewer where there are fewer pieces than ranks
  const std::vector<RankRounds::Blocks> lists = lists_of(regions, halved, dealt, out);
  for (size_t i = halved; i < butterfly.rounds(); ++i) {
    for (uint32_t v = 0; v < butterfly.ranks; ++v)
      out.send(v, butterfly.partners[i][v], lists[regions.number(halved, v)]);
    out.end_round();
  }
  out.append_backwards(rounds, TransferOp::kCopy);
  return out;
}

RankRounds folded(uint32_t ranks, uint32_t pieces,
                  const std::function<RankRounds(uint32_t ranks)>& of_power_of_two, bool back) {
  const uint32_t power = std::bit_floor(ranks);
  const uint32_t more = ranks - power;
  const std::vector<BlockId> blocks = all_blocks(pieces);
  RankRounds inner = of_power_of_two(power);
  if (more == 0) return inner;
  RankRounds out;
  SharedBlocks taken(inner, out);
  const RankRounds::Blocks all = out.keep(blocks);
  for (uint32_t i = 0; i < more; ++i) out.send(2 * i + 1, 2 * i, all);
  out.end_round();
  const auto stays = [more](uint32_t v) { return v < more ? 2 * v : v + more; };
  for (size_t r = 0; r < inner.size(); ++r) {
    for (const RankRounds::Message& message : inner.round(r))
      out.send(stays(message.from), stays(message.to), taken.of(message), message.op);
    out.end_round();
  }
  if (!back) return out;
  for (uint32_t i = 0; i < more; ++i) out.send(2 * i, 2 * i + 1, all, TransferOp::kCopy);
  out.end_round();
  return out;
}

RankRounds halving_reduce(uint32_t ranks, uint32_t pieces) {
  const auto of_power_of_two = [pieces](uint32_t power) {
    const uint32_t each = pieces_for_each(pieces, power);
    const Butterfly butterfly = doubling_butterfly(power);
    RankRounds out = butterfly_halving(butterfly, each);
    out.append(butterfly_scatter(butterfly, each).reversed(), TransferOp::kCopy);
    return std::move(out).without_blocks_from(pieces);
  };
  return folded(ranks, pieces, of_power_of_two, false);
}

}  // namespace quadrille
