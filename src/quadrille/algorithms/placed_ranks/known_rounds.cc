#include "quadrille/algorithms/placed_ranks/known_rounds.h"

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

uint64_t ranks_of(const Problem& problem) { return problem.collective().num_ranks(); }

}  // namespace

uint64_t hops_round(const Problem& problem) { return ranks_of(problem) - 1; }
uint64_t hops_round_twice(const Problem& problem) { return 2 * hops_round(problem); }
uint64_t hops_half_round(const Problem& problem) { return ranks_of(problem) / 2; }
uint64_t hops_half_round_twice(const Problem& problem) { return 2 * hops_half_round(problem); }

uint64_t hops_along_sides(const Problem& problem) {
  uint64_t hops = 0;
  for (const uint32_t side : sides_of(problem.topology())) hops += side - 1;
  return hops;
}
uint64_t hops_along_sides_twice(const Problem& problem) { return 2 * hops_along_sides(problem); }

uint64_t round_a_piece(const Problem& problem) { return problem.collective().pieces(); }

namespace {

// Of so many pieces for each rank, in all so many at most.
RoundsOutline ring_of(uint64_t ranks, uint64_t each) {
  return {.rounds = ranks - 1, .blocks = (ranks - 1) * each};
}

RoundsOutline two_way_ring_of(uint64_t ranks, uint64_t each) {
  if (ranks == 2) return ring_of(ranks, each);
  const uint64_t rounds = ranks / 2;
  // Of one piece to the rank opposite there is a single message.
  const bool ends_with_one = ranks % 2 == 0 && each == 1;
  return {.rounds = rounds,
          .blocks = ((ranks - 1) * each + 1) / 2,
          .messages = rounds > (ends_with_one ? 1U : 0U) ? 2U : 1U,
          .further_messages = rounds - (ends_with_one ? 1 : 0)};
}

RoundsOutline trivance_of(uint64_t ranks, uint64_t each, uint64_t all) {
  RoundsOutline out;
  uint64_t further = 0;
  for (uint64_t width = 1; width < ranks; width *= 3) {
    const uint64_t missing = std::min(2 * width, ranks - width);
    ++out.rounds;
    out.blocks += std::min(all, (missing + 1) / 2 * each);
    out.meet_on_links =
        out.meet_on_links || (missing > 1 && 2 * width == ranks);  // either side is the rank opposite
    if (missing < 2) continue;
    out.messages = 2;
    ++further;
  }
  out.further_messages = further;
  return out;
}

RoundsOutline bruck_of(uint64_t ranks, uint64_t messages, uint64_t each, uint64_t all) {
  RoundsOutline out;
  uint64_t further = 0;
  for (uint64_t width = 1; width < ranks; width *= messages + 1) {
    const uint64_t left = std::min(ranks - width, width * messages);
    const uint64_t here = std::min<uint64_t>(messages, left);
    ++out.rounds;
    out.blocks += std::min(all, (left + here - 1) / here * each);
    out.messages = std::max(out.messages, here);
    further += here - 1;
  }
  out.further_messages = further;
  return out;
}

// There and back, of a vector: the first rank has as many pieces as any.
RoundsOutline both_ways_of(RoundsOutline outline) {
  outline.rounds *= 2;
  outline.blocks *= 2;
  if (outline.further_messages) *outline.further_messages *= 2;
  return outline;
}

uint64_t each_of(const Problem& problem) {
  return pieces_for_each(problem.collective().pieces(), problem.collective().num_ranks());
}

// Where some ranks have no pieces, a rank may send one way alone.
RoundsOutline of_both_sides(const Problem& problem, RoundsOutline outline) {
  if (problem.collective().pieces() < ranks_of(problem)) outline.further_messages = std::nullopt;
  return both_ways_of(outline);
}

}  // namespace

std::optional<RoundsOutline> ring_outline(const Problem& problem) {
  return ring_of(ranks_of(problem), problem.collective().pieces());
}
std::optional<RoundsOutline> two_way_ring_outline(const Problem& problem) {
  return two_way_ring_of(ranks_of(problem), problem.collective().pieces());
}
std::optional<RoundsOutline> trivance_outline(const Problem& problem) {
  return trivance_of(ranks_of(problem), problem.collective().pieces(), UINT64_MAX);
}
RoundsOutline bruck_outline(const Problem& problem, uint32_t messages) {
  return bruck_of(ranks_of(problem), messages, problem.collective().pieces(), UINT64_MAX);
}

std::optional<RoundsOutline> ring_outline_both_ways(const Problem& problem) {
  return both_ways_of(ring_of(ranks_of(problem), each_of(problem)));
}
std::optional<RoundsOutline> two_way_ring_outline_both_ways(const Problem& problem) {
  return of_both_sides(problem, two_way_ring_of(ranks_of(problem), each_of(problem)));
}
std::optional<RoundsOutline> trivance_outline_both_ways(const Problem& problem) {
  return of_both_sides(problem,
                       trivance_of(ranks_of(problem), each_of(problem), problem.collective().pieces()));
}
std::optional<RoundsOutline> bruck_outline_both_ways(const Problem& problem, uint32_t messages) {
  return both_ways_of(bruck_of(ranks_of(problem), messages, each_of(problem), problem.collective().pieces()));
}

namespace {

bool is_one_ring(const Problem& problem) {
  return sides_of(problem.topology()).size() == 1 && swing_classes(problem) == 1;
}

}  // namespace

namespace {

// Along several dimensions, of so many pieces for each rank: what the class with most of them takes. No complete network has these.
std::optional<RoundsOutline> along_sides_of(const Problem& problem, uint64_t each) {
  if (is_complete(problem.topology())) return std::nullopt;
  const uint64_t classes = swing_classes(problem);
  return RoundsOutline{.rounds = hops_along_sides(problem),
                       .blocks = (ranks_of(problem) - 1) * ((each + classes - 1) / classes)};
}

}  // namespace

std::optional<RoundsOutline> bucket_outline(const Problem& problem) {
  return is_one_ring(problem) ? ring_outline(problem)
                              : along_sides_of(problem, problem.collective().pieces());
}
std::optional<RoundsOutline> bucket_outline_both_ways(const Problem& problem) {
  if (is_one_ring(problem)) return ring_outline_both_ways(problem);
  // Some may have one more.
  const uint64_t each = problem.collective().pieces() / ranks_of(problem);
  const std::optional<RoundsOutline> one_way = each == 0 ? std::nullopt : along_sides_of(problem, each);
  return one_way ? std::optional(both_ways_of(*one_way)) : std::nullopt;
}

namespace {

RoundsOutline pat_of(uint64_t ranks, uint64_t each) {
  RoundsOutline out;
  for (uint64_t jump = std::bit_ceil(ranks) / 2; jump > 0; jump /= 2) {
    ++out.rounds;
    out.blocks += (ranks - jump + 2 * jump - 1) / (2 * jump) * each;
  }
  return out;
}

}  // namespace

std::optional<RoundsOutline> pat_outline(const Problem& problem) {
  return pat_of(ranks_of(problem), problem.collective().pieces());
}
std::optional<RoundsOutline> pat_outline_both_ways(const Problem& problem) {
  if (problem.collective().pieces() % ranks_of(problem) != 0)
    return std::nullopt;  // what is missing lies anywhere
  return both_ways_of(pat_of(ranks_of(problem), each_of(problem)));
}

std::optional<RoundsOutline> scatter_and_ring_outline(const Problem& problem) {
  const uint64_t ranks = ranks_of(problem);
  if (ranks < 2) return std::nullopt;
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t each = each_of(problem);
  RoundsOutline out = ring_of(ranks, each);
  // In the scatter of a piece for each rank, whose pieces there are.
  const RankRounds scatter = knomial_scatter(problem.collective().num_ranks(), 2, 1);
  for (size_t r = 0; r < scatter.size(); ++r) {
    uint64_t most = 0;
    for (const RankRounds::Message& message : scatter.round(r)) {
      const uint64_t begin = index(scatter.blocks(message).front()) * each;
      const uint64_t end = std::min(pieces, begin + scatter.blocks(message).size() * each);
      most = std::max(most, end - std::min(begin, end));
    }
    out.rounds += most > 0 ? 1 : 0;
    out.blocks += most;
  }
  return out;
}

std::optional<RoundsOutline> all_at_once_outline(const Problem& problem) {
  const uint64_t others = ranks_of(problem) - 1;
  if (others == 0) return RoundsOutline{};
  return RoundsOutline{.rounds = 1,
                       .blocks = problem.collective().pieces(),
                       .messages = others,
                       .further_messages = others - 1};
}

}  // namespace quadrille
