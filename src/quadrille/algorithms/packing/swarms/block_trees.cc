#include "quadrille/algorithms/packing/swarms/block_trees.h"

#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/swarms/block_forest.h"
#include "quadrille/algorithms/packing/swarms/forest_times.h"
#include "quadrille/algorithms/packing/swarms/one_swarm.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

// Trees that are a little lower, though ports are used less evenly, have shorter timetables as a rule, but not always. Streams, which are
// asked for in many numbers of pieces, have one try: in haste unless they are long.
constexpr uint64_t kHaste = kFullPrice / 256;

std::vector<uint64_t> hastes_for(const SwarmTask& task) {
  if (!is_stream(task)) return {kHaste, 0};
  return {task.origins.size() > 2 * size_t{task.net.num_nodes()} ? 0 : kHaste};
}

// Where a try takes a tenth of a second: those who are no better in haste are none with time.
bool are_many(const SwarmTask& task) { return task.origins.size() * task.net.num_nodes() > 30'000; }

std::optional<SwarmSteps> send_down(const SwarmTask& task, const BlockForest& forest, size_t most,
                                    uint64_t least) {
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

}  // namespace

std::optional<SwarmSteps> send_down_block_trees(const SwarmTask& task, size_t most, uint64_t least) {
  std::optional<SwarmSteps> best;
  for (const uint64_t haste : hastes_for(task)) {
    if (best && (best->size() <= least || searches_are_stopped())) break;
    std::optional<SwarmSteps> found =
        send_down(task, grow_block_forest(task, least, haste), best ? best->size() - 1 : most, least);
    if (found) best = std::move(found);
    if (!best && are_many(task)) break;
  }
  return best;
}

}  // namespace quadrille
