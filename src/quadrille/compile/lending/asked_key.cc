#include "quadrille/compile/lending/asked_key.h"

namespace quadrille {

AskedKey asked_key(const Problem& problem, bool turned) {
  const Model& model = problem.model();
  return {.kind = problem.collective().kind(),
          .turned = turned && problem.topology().is_directed(),
          .sends = model.send.count,
          .receives = model.receive.count,
          .switching = model.switching,
          .packets = model.packets,
          .duplex = model.duplex,
          .routing = model.routing,
          .root = static_cast<uint32_t>(index(problem.collective().root().value_or(Rank{0})))};
}

}  // namespace quadrille
