#include "quadrille/algorithms/packing/swarms/block_trees.h"

#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/swarms/block_forest.h"
#include "quadrille/algorithms/packing/swarms/forest_times.h"

namespace quadrille {

std::optional<SwarmSteps> send_down_block_trees(const SwarmTask& task, size_t most, uint64_t least) {
  const BlockForest forest = grow_block_forest(task, least);
  std::vector<TreeSend> sends;
  std::vector<std::vector<uint32_t>> into(
      task.net.num_nodes());  // the send by which the block comes to a node
  for (uint32_t b = 0; b < forest.trees.size(); ++b) {
    into[index(task.origins[b])].clear();
    for (const ArcId arc : forest.trees[b]) {
      std::vector<uint32_t> before = into[index(task.net.tail(arc))];
      into[index(task.net.head(arc))].assign(1, static_cast<uint32_t>(sends.size()));
      sends.push_back({arc, b, std::move(before)});
    }
  }
  const std::optional<ForestTimes> found =
      find_forest_times(task.net, task.send, task.receive, sends, most, least);
  if (!found) return std::nullopt;
  SwarmSteps out(found->steps);
  for (size_t i = 0; i < sends.size(); ++i) out[found->step_of[i]].push_back({sends[i].arc, sends[i].block});
  return out;
}

}  // namespace quadrille
