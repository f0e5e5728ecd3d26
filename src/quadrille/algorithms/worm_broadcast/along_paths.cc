#include "quadrille/algorithms/worm_broadcast/along_paths.h"

#include <cstdint>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/worm_broadcast/path_growing.h"
#include "quadrille/algorithms/worm_broadcast/path_merging.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille {
namespace {

BroadcastWorms found(const Topology& topology, NodeId root, Ports send, bool shared) {
  BroadcastWorms merged = merge_along_paths(topology, root, send, shared);
  // Where paths share arcs merging is optimal.
  return shared ? merged : grow_along_paths(topology, {root}, send, std::move(merged));
}

}  // namespace

std::shared_ptr<const BroadcastWorms> broadcast_along_paths(const Topology& topology, NodeId root, Ports send,
                                                            bool shared) {
  // Lenders ask for the same broadcast in other numbers of pieces, and from both threads.
  static LastAnswers<std::tuple<NodeId, uint32_t, bool>, std::shared_ptr<const BroadcastWorms>> kept(4);
  return kept.of(topology, {root, send.count, shared},
                 [&] { return std::make_shared<const BroadcastWorms>(found(topology, root, send, shared)); });
}

}  // namespace quadrille
