// Link use: what of the machine is taken within one step, for generators that pack transfers greedily.
//
//     LinkUse use(problem);
//     if (use.take(path)) step.add(path, blocks);     // the ports and links were free, and are taken now
//     use.next_step();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class LinkUse {
 public:
  explicit LinkUse(const Problem& problem);

  /// Whether a node can still start, or end, a transfer in this step.
  [[nodiscard]] bool can_send(NodeId node) const { return sent_[index(node)] < send_ports_; }
  [[nodiscard]] bool can_receive(NodeId node) const { return received_[index(node)] < receive_ports_; }
  /// Whether an arc can still carry a transfer in this step, whatever the ports.
  [[nodiscard]] bool is_free(ArcId arc) const {
    if (load_[index(arc)] >= topology_.capacity(arc)) return false;
    if (!half_duplex_) return true;
    const ArcId back = topology_.reverse(arc);
    return back == kNoArc || load_[index(back)] == 0;
  }

  /// Takes the ports and arcs of a transfer, if all are free.
  bool take(ArcId arc) { return take(std::span<const ArcId>(&arc, 1)); }
  bool take(std::span<const ArcId> path);
  void next_step();

 private:
  const Topology topology_;
  bool half_duplex_;
  uint64_t send_ports_;
  uint64_t receive_ports_;
  std::vector<uint32_t> load_;  // per arc
  std::vector<uint32_t> sent_;  // per node
  std::vector<uint32_t> received_;
  std::vector<ArcId> taken_;     // arcs with a load
  std::vector<NodeId> touched_;  // nodes with a port in use
};

}  // namespace quadrille
