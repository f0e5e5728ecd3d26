// Neighbor exchange along the lines of a product of paths and cycles, one dimension after the other (line_exchange.h): an allgather
// in which all that came along the dimensions before goes on together, or a total exchange in which blocks go together that have
// the same way in a dimension.
//
// With one port nothing takes fewer start-ups along a cycle of an even number of nodes, and no node receives a block twice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/algorithms/products/line_exchange.h"

namespace quadrille {

/// Lines crossed, in the order in which they are gone along: paths first, and of cycles the longest first.
struct CrossedLines {
  struct Dimension {
    uint32_t side = 1;
    bool closed = false;
    uint32_t stride = 1;      ///< what one place up adds to the code
    std::vector<ArcId> up{};  ///< per node; kNoArc at the end of a path
    std::vector<ArcId> down{};
  };
  std::vector<Dimension> dimensions{};
  std::vector<uint32_t> code{};  ///< per node: its places as digits, the first dimension's the lowest
  std::vector<NodeId> node{};    ///< per code
};
/// Of a torus, a mesh, or another product of paths and cycles; nothing if the network is not known to be one.
[[nodiscard]] std::optional<CrossedLines> crossed_lines(const Topology& topology);
/// A ring through all nodes, or a walk, where one is found.
[[nodiscard]] std::optional<CrossedLines> one_line(const Topology& topology);

class NeighborExchange;
/// Keeps it for the steps.
[[nodiscard]] PreparedPlan prepared(const Problem& problem, NeighborExchange exchange,
                                    std::string member = {});

class NeighborExchange {
 public:
  /// Two ports both ways, one in turn.
  NeighborExchange(const Problem& problem, CrossedLines lines, LineExchange::Blocks blocks);

  [[nodiscard]] Prediction predicted(const Problem& problem) const;
  void generate(const Problem& problem, StepSink& sink) const;
  /// Blocks times hops of them all.
  [[nodiscard]] uint64_t num_hops() const;

 private:
  [[nodiscard]] uint64_t together(size_t dimension) const;

  CrossedLines lines_;
  LineExchange::Blocks blocks_;
  std::vector<std::shared_ptr<const LineExchange>> exchanges_;  // per dimension
};

}  // namespace quadrille
