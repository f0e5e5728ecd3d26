#include "quadrille/algorithms/graphs/translated_messages.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/algorithms/graphs/over_lanes.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {
namespace {

// Of a small group: a*b for every a and b.
class Products {
 public:
  explicit Products(const Group& group) : order_(group.order()), table_(size_t{order_} * order_) {
    std::vector<uint32_t> column(order_);
    for (uint32_t b = 0; b < order_; ++b) {
      group.right_translation(b, column);
      for (uint32_t a = 0; a < order_; ++a) table_[size_t{a} * order_ + b] = static_cast<uint16_t>(column[a]);
    }
  }

  [[nodiscard]] uint32_t operator()(uint32_t a, uint32_t b) const { return table_[size_t{a} * order_ + b]; }

 private:
  uint32_t order_;
  std::vector<uint16_t> table_;
};

// Larger groups are asked.
constexpr uint32_t kMostOfTable = 2048;

// What one node does in a step, given where the identity's blocks are before it; then they are where they are after it.
std::vector<SymmetricMove> moves_of(const CayleyStructure& cayley, std::span<const uint32_t> hops,
                                    uint32_t steps, uint32_t step, std::vector<uint32_t>& places) {
  const Group& group = *cayley.group;
  std::vector<SymmetricMove> moves;
  for (uint32_t d = 0; d < group.order(); ++d) {
    const uint32_t hop = hops[size_t{d} * steps + step];
    if (hop == 0) continue;
    moves.push_back(
        {.generator = hop - 1, .moved = places[d], .left = group.multiply(group.inverse(places[d]), d)});
    places[d] = group.multiply(places[d], cayley.generators[hop - 1]);
  }
  std::ranges::stable_sort(moves, {}, &SymmetricMove::generator);
  for (size_t m = 1; m < moves.size(); ++m) moves[m].joins = moves[m].generator == moves[m - 1].generator;
  return moves;
}

}  // namespace

void push_translated_messages(const Problem& problem, std::span<const uint32_t> hops, uint32_t steps,
                              StepSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Group& group = *cayley.group;
  std::vector<uint32_t> places(group.order(), 0);
  if (SymmetricSink* brief = sink.symmetric()) {
    for (uint32_t t = 0; t < steps; ++t)
      if (const std::vector<SymmetricMove> moves = moves_of(cayley, hops, steps, t, places); !moves.empty())
        brief->push_symmetric(moves);
    return;
  }
  std::optional<Products> table;
  if (group.order() <= kMostOfTable) table.emplace(group);
  const auto product = [&](uint32_t a, uint32_t b) { return table ? (*table)(a, b) : group.multiply(a, b); };
  StepBuilder step;
  std::vector<BlockId> blocks;
  for (uint32_t t = 0; t < steps; ++t) {
    std::vector<SymmetricMove> moves = moves_of(cayley, hops, steps, t, places);
    if (moves.empty()) continue;
    for (SymmetricMove& move : moves) move.moved = group.inverse(move.moved);  // back to where it began
    for (const NodeId node : problem.topology().nodes()) {
      const auto x = static_cast<uint32_t>(index(node));
      for (size_t m = 0; m < moves.size();) {
        const ArcId arc = cayley.arc(node, moves[m].generator);
        blocks.clear();
        do {
          blocks.push_back(
              problem.collective().block(Rank{product(x, moves[m].moved)}, Rank{product(x, moves[m].left)}));
        } while (++m < moves.size() && moves[m].joins);
        add_over_lanes(problem, arc, blocks, step);
      }
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
