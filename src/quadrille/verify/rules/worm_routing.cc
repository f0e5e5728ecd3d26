// Rule worm_routing: worms take the paths that the model's routing allows.
#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/rules/hop_distance.h"

namespace quadrille::rules {

extern const RuleCard worm_routing;

namespace worm_routing_parts {
namespace {

// The one coordinate in which the ends of an arc of a product differ.
size_t dimension_of(const ProductStructure& product, NodeId tail, NodeId head) {
  size_t dimension = 0;
  while (product.coordinate(tail, dimension) == product.coordinate(head, dimension)) ++dimension;
  return dimension;
}

class WormRouting final : public StepRule {
 public:
  explicit WormRouting(const Problem& problem);

  void check(const JudgedStep& step, Findings& findings) override;

 private:
  void check_shortest(const JudgedStep& step, size_t t, Findings& findings);
  void check_order(const JudgedStep& step, size_t t, Findings& findings);

  const Problem& problem_;
  HopDistance hops_;
};

WormRouting::WormRouting(const Problem& problem) : problem_(problem), hops_(problem.topology()) {}

void WormRouting::check(const JudgedStep& step, Findings& findings) {
  for (size_t t = 0; t < step.view.size(); ++t) {
    if (problem_.model().routing == Routing::kShortest) {
      check_shortest(step, t, findings);
    } else {
      check_order(step, t, findings);
    }
  }
}

void WormRouting::check_shortest(const JudgedStep& step, size_t t, Findings& findings) {
  const Topology& topology = problem_.topology();
  const auto path = step.view.arcs(t);
  const NodeId from = topology.tail(path.front());
  const NodeId to = topology.head(path.back());
  const uint32_t needed = hops_.between(from, to);
  if (path.size() == needed) return;
  findings.add(worm_routing, step.step(), step.transfer(t), {.node = from, .arc = path.front()}, [&] {
    return fmt::format("the worm from {} to {} takes {} hops; shortest routing takes {}",
                       topology.label(from), topology.label(to), path.size(), needed);
  });
}

void WormRouting::check_order(const JudgedStep& step, size_t t, Findings& findings) {
  const Topology& topology = problem_.topology();
  const ProductStructure& product = *topology.product();
  const auto path = step.view.arcs(t);
  for (size_t i = 0; i < path.size();) {
    const NodeId from = topology.tail(path[i]);
    const size_t dimension = dimension_of(product, from, topology.head(path[i]));
    const size_t start = i;
    while (i < path.size() &&
           dimension_of(product, topology.tail(path[i]), topology.head(path[i])) == dimension)
      ++i;
    const NodeId to = topology.head(path[i - 1]);
    const uint32_t needed =
        hops_.along(dimension, product.coordinate(from, dimension), product.coordinate(to, dimension));
    if (i - start != needed) {
      findings.add(worm_routing, step.step(), step.transfer(t), {.node = from, .arc = path[start]}, [&] {
        return fmt::format("the worm takes {} hops in dimension {}; the short way takes {}", i - start,
                           dimension + 1, needed);
      });
      return;
    }
    if (i == path.size()) return;
    const size_t next = dimension_of(product, topology.tail(path[i]), topology.head(path[i]));
    if (next < dimension) {
      findings.add(worm_routing, step.step(), step.transfer(t), {.node = to, .arc = path[i]}, [&] {
        return fmt::format(
            "the worm turns from dimension {} back to dimension {}; dimension order goes upwards",
            dimension + 1, next + 1);
      });
      return;
    }
  }
}

}  // namespace
}  // namespace worm_routing_parts

const RuleCard worm_routing{
    .name = "worm_routing",
    .summary = "worms take the paths that the model's routing allows",
    .details =
        "Wormhole and shared switching. shortest: as many hops as the distance. dimension_order: in a product the "
        "coordinates are corrected first to last, each by a shortest path in its factor. any: every path.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      const Model& model = problem.model();
      if (!takes_paths(model) || model.routing == Routing::kAny) return nullptr;
      return std::make_unique<worm_routing_parts::WormRouting>(problem);
    },
};

}  // namespace quadrille::rules
