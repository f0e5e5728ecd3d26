// Total exchange with few ports on large networks: paths that load all ports evenly (packing/timed/even_routes.h), and a matching of ports
// in every step (packing/timed/orbit_schedule.h), which as a rule loses nothing. What a mirror image tells is not looked for: a quarter
// of the pairs is enough on a mesh of even sides.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/timed/orbit_schedule.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_even_routes;

namespace alltoall_even_routes_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 20U;

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  const Model& model = problem.model();
  if (model.send.unlimited() && model.receive.unlimited())
    return Applicability::no("it is for few ports; the model has a port for every link");
  const uint32_t nodes = problem.topology().num_nodes();
  const uint64_t blocks = uint64_t{nodes} * nodes;
  if (blocks <= kMostBlocks) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                       with_thousands(kMostBlocks), problem.title(), with_thousands(blocks)));
}

struct Exchange {
  explicit Exchange(const Problem& problem)
      : topology(problem.topology()),
        mirrors(topology),
        links(topology, mirrors),
        routes(topology, mirrors, links, problem.model().send, problem.model().receive),
        schedule(schedule_orbits(routes, mirrors, links, problem.model().send, problem.model().receive)) {}

  Topology topology;
  Mirrors mirrors;
  OrbitLinks links;
  EvenRoutes routes;
  OrbitSchedule schedule;
};

using Made = std::shared_ptr<const Exchange>;  // the routes look at the mirrors

bool is_small(const Problem& problem) { return problem.topology().num_nodes() <= EvenRoutes::kFewNodes; }

// Machines of one packet and of many ask for the same one, which may take a hundred megabytes; small ones, such as those of factors,
// are made in a moment.
Made exchange_of(const Problem& problem) {
  static LastAnswers<std::pair<Ports, Ports>, Made> kept(1);
  count_work(Work::kSearching);
  const auto make = [&] { return std::make_shared<const Exchange>(problem); };
  if (is_small(problem)) return make();
  return kept.of(problem.topology(), {problem.model().send, problem.model().receive}, make);
}

// None where it is sure not to be worth it; of small networks whoever has others need not ask.
Made exchange_if_wanted(const Problem& problem) {
  if (WorthMaking::is_limited() &&
      (is_small(problem) || !WorthMaking::is_any_of_packets(paths_at_least(problem))))
    return nullptr;
  return exchange_of(problem);
}

Prediction predicted(const Problem& problem, const Made& made) {
  if (!made) return {};
  const uint64_t pieces = problem.collective().pieces();
  const std::vector<uint64_t>& loads = made->routes.loads();
  const uint64_t busiest = loads.empty() ? 0 : *std::ranges::max_element(loads);
  return {.steps = pieces * made->schedule.steps(),
          .start_ups = pieces * made->schedule.steps(),
          .busiest_link = pieces * busiest};
}

void generate_all(const Problem& problem, const Exchange& exchange, StepSink& sink) {
  const Collective& collective = problem.collective();
  const std::vector<std::vector<uint32_t>>& nodes = exchange.mirrors.images();
  const std::vector<std::vector<ArcId>> arcs_of_images = exchange.mirrors.images_of_arcs(problem.topology());
  const size_t images = arcs_of_images.size();
  // The images of an arc, and of each path the blocks of all images, one beside the other: they are asked for at every hop.
  std::vector<ArcId> arcs;
  for (const ArcId arc : problem.topology().arcs())
    for (const std::vector<ArcId>& image : arcs_of_images) arcs.push_back(image[index(arc)]);
  const std::vector<OrbitSchedule::Move>& moves = exchange.schedule.moves;
  constexpr size_t kAhead = 16;
  std::vector<BlockId> blocks;
  std::vector<ArcId> step_arcs;
  std::vector<BlockId> step_blocks;
  for (uint32_t piece = 0; piece < collective.pieces(); ++piece) {
    blocks.clear();
    for (size_t path = 0; path < exchange.routes.size(); ++path) {
      const size_t from = index(exchange.routes.source(path));
      const size_t to = index(exchange.routes.destination(path));
      for (const std::vector<uint32_t>& image : nodes)
        blocks.push_back(from == to ? BlockId{}
                                    : collective.block(Rank{image[from]}, Rank{image[to]}, piece));
    }
    size_t move = 0;
    for (const size_t end : exchange.schedule.step_ends) {
      step_arcs.resize((end - move) * images);
      step_blocks.resize(step_arcs.size());
      for (size_t at = 0; move < end; ++move) {
        // Paths come in any order.
        if (move + kAhead < moves.size())
          __builtin_prefetch(blocks.data() + moves[move + kAhead].path * images);
        const auto [path, arc] = moves[move];
        const ArcId* const of_arc = arcs.data() + index(arc) * images;
        const BlockId* const of_path = blocks.data() + path * images;
        for (size_t m = 0; m < images; ++m, ++at) {
          step_arcs[at] = of_arc[m];
          step_blocks[at] = of_path[m];
        }
      }
      StepView step;
      step.all_arcs = step_arcs;
      step.all_blocks = step_blocks;
      sink.push(step);
    }
  }
}

void generate(const Problem& problem, const Made& made, StepSink& sink) {
  generate_all(problem, made ? *made : *exchange_of(problem), sink);
}

}  // namespace
}  // namespace alltoall_even_routes_parts

constinit const Algorithm alltoall_even_routes = {
    .name = "alltoall_even_routes",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "paths that give all ports as much to do, found tree by tree, and a matching of ports in every step",
    .source = "ours; prices after Garg and Koenemann 2007",
    .remarks =
        "any graph of up to 1,024 nodes, few ports; for more than 128 nodes: on meshes within some per cent of the bound: mesh(32,32), one port, 22,805 steps (average status 21,824)",
    .applies = alltoall_even_routes_parts::applies,
    .prepare = by_search<alltoall_even_routes_parts::exchange_if_wanted,
                         alltoall_even_routes_parts::predicted, alltoall_even_routes_parts::generate>,
};

}  // namespace quadrille::algorithms
