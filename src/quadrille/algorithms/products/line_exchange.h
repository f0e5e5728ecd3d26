// Line exchange: who sends what to which neighbour so that all nodes of a path, or a cycle, hear from all, in few steps of many
// blocks.
//
// Everything goes the shorter way. With two ports all send both ways in every step. With one port neighbours talk in pairs, the links
// with an even lower end in one step and the others in the next, and what goes on at all goes on in the next step: n/2 steps on a
// cycle of an even number of nodes, n-1 or n on a path. Cycles of an odd number go half round one way and then the other.
// So for an allgather (on a cycle the neighbor exchange of Chen and others 2005) as for a total exchange.
//
//     const LineExchange line({.side = 8, .closed = true, .both_ways = false}, LineExchange::Blocks::kOfOrigins);
//     for (uint32_t step = 0; step < line.num_steps(); ++step)
//       for (const LineExchange::Move& move : line.moves(step)) use(move, line.items(move));
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

class LineExchange {
 public:
  struct Line {
    uint32_t side = 1;
    bool closed = false;     ///< of three nodes or more
    bool both_ways = false;  ///< every node has two ports
  };
  /// Whether each node's block is for all, or it has another one for each.
  enum class Blocks : uint8_t { kOfOrigins, kOfPairs };

  /// What goes on from a node. Of blocks for all, `destination` is the last that gets it on this way.
  struct Item {
    uint32_t origin = 0;
    uint32_t destination = 0;
  };
  /// From a place to the next one up or down.
  struct Move {
    uint32_t from = 0;
    bool up = false;
    uint32_t begin = 0;  ///< of its items
    uint32_t end = 0;
  };

  LineExchange(Line line, Blocks blocks);

  [[nodiscard]] uint32_t num_steps() const { return static_cast<uint32_t>(steps_.size()) - 1; }
  [[nodiscard]] std::span<const Move> moves(uint32_t step) const {
    return std::span(moves_).subspan(steps_[step], steps_[step + 1] - steps_[step]);
  }
  [[nodiscard]] std::span<const Item> items(const Move& move) const {
    return std::span(items_).subspan(move.begin, move.end - move.begin);
  }
  /// Of one move in the step.
  [[nodiscard]] uint64_t most_items(uint32_t step) const;
  /// Over one link in all steps.
  [[nodiscard]] uint64_t busiest_link() const;
  [[nodiscard]] uint64_t num_items() const { return items_.size(); }

 private:
  [[nodiscard]] bool sends(uint32_t step, uint32_t from, bool up) const;
  [[nodiscard]] uint32_t reach_up(uint32_t origin) const;
  [[nodiscard]] uint32_t reach_down(uint32_t origin) const;

  Line line_;
  std::vector<size_t> steps_{0};
  std::vector<Move> moves_;
  std::vector<Item> items_;
};

}  // namespace quadrille
