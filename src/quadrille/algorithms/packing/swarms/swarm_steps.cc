#include "quadrille/algorithms/packing/swarms/swarm_steps.h"

#include <algorithm>

namespace quadrille {

void leave_out_needless(const Topology& net, uint32_t blocks, SwarmSteps& steps) {
  if (!net.has_routers()) return;
  std::vector<char> needed(size_t{net.num_nodes()} * blocks, 0);
  for (const NodeId v : net.endpoints())
    std::fill_n(needed.begin() + static_cast<ptrdiff_t>(index(v) * blocks), blocks, char{1});
  for (size_t s = steps.size(); s-- > 0;) {
    std::erase_if(steps[s], [&](const SwarmSend& send) {
      return needed[index(net.head(send.arc)) * blocks + send.block] == 0;
    });
    for (const SwarmSend& send : steps[s]) needed[index(net.tail(send.arc)) * blocks + send.block] = 1;
  }
}

Plan plan_of(SwarmSteps steps) {
  Plan plan;
  StepBuilder step;
  for (std::vector<SwarmSend>& sends : steps) {
    if (sends.empty()) continue;
    for (const SwarmSend& send : sends) step.add(send.arc, BlockId{send.block});
    step.flush(plan);
    sends = {};  // both at once would take twice the memory
  }
  return plan;
}

}  // namespace quadrille
