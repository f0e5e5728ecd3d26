// Total exchange on a fat tree in which no message ever waits: level after level, from the root down.
//
// While level l is exchanged, all subtrees below all nodes of level l send a window of their messages in each
// step, see fat_trees/fat_tree_windows.h: as many as the narrowest place on the way up lets through. Nobody
// waits, so branches of level j carry up what departed j-1 steps ago, and down what departed 2l-j steps ago:
// two idle steps before the next lower level keep the two apart. In all
//
//     sum over l of ceil((k_l - 1) N_(l-1)^2 / e_l)  +  2h - 1     steps,
//
// for any arities and capacities. (Above 256 leaves in a subtree capacities can be found for which it is
// more; the card says so where it applies.)
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_flight.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/fat_trees/fat_tree_windows.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_fat_tree_queue_free;

namespace alltoall_fat_tree_queue_free_parts {
namespace {

using Exchanges = std::vector<LevelExchange>;

Prediction predicted(const Problem& problem, const Exchanges& exchanges) {
  const FatTree tree(problem.topology());
  const uint32_t h = tree.height();
  Prediction prediction{.steps = 2 * h - 1, .start_ups = 2 * h - 1, .busiest_link = 0, .queue = 0};
  for (const LevelExchange& exchange : exchanges) *prediction.steps += exchange.steps();
  for (uint32_t l = 1; l <= h; ++l) {
    prediction.busiest_link =
        std::max(*prediction.busiest_link, uint64_t{tree.below(l - 1)} * (tree.leaves() - tree.below(l - 1)));
  }
  prediction.start_ups = prediction.steps;
  return prediction;
}

// One message of every subtree of the level.
void depart_everywhere(FatTreeFlight& flight, const FatTree& tree, uint32_t level, uint32_t sister,
                       uint32_t from, uint32_t to) {
  const uint32_t subtree = tree.below(level - 1);
  const uint32_t apex = tree.below(level);
  for (uint32_t first = 0; first < tree.leaves(); first += apex) {
    uint32_t other = first + sister * subtree;
    for (uint32_t mine = first; mine < first + apex; mine += subtree) {
      flight.depart(level, mine + from, other + to);
      other = other + subtree < first + apex ? other + subtree : first;
    }
  }
}

void generate(const Problem& problem, const Exchanges& exchanges, StepSink& sink) {
  const FatTree tree(problem.topology());
  FatTreeFlight flight(tree, sink);
  for (const LevelExchange& exchange : exchanges) {
    uint64_t step = 0;
    uint64_t sent = 0;
    exchange.for_each_message([&](uint32_t sister, uint32_t from, uint32_t to) {
      if (sent == exchange.sent(step)) {
        flight.end_step();
        ++step;
      }
      depart_everywhere(flight, tree, exchange.level, sister, from, to);
      ++sent;
    });
    flight.end_step();
    if (exchange.level > 1) flight.end_steps(2);
  }
  flight.land();
}

Preparation prepare(const Problem& problem) {
  Exchanges exchanges = level_exchanges(FatTree(problem.topology()));
  std::string how = special_windows(exchanges);
  return {{true, std::move(how)}, {kept(problem, std::move(exchanges), predicted, generate)}};
}

}  // namespace
}  // namespace alltoall_fat_tree_queue_free_parts

constinit const Algorithm alltoall_fat_tree_queue_free = {
    .name = "alltoall_fat_tree_queue_free",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "level by level, each subtree sends as much as its narrowest branches carry; no message ever queues",
    .source =
        "collective communication dissertation 1996, figure 6.11 and equation 6.5, with the capacities "
        "corrected and windows that fit any of them",
    .remarks =
        "any fat tree, any arities and capacities, all ports; (n^2-1)/(k+1)+2h-1 steps with unit "
        "capacities, n+2h-2 with exponential ones; a flow makes the steps where no formula does",
    .applies = fits_multiport_fat_tree,
    .prepare = alltoall_fat_tree_queue_free_parts::prepare,
};

}  // namespace quadrille::algorithms
