#include "quadrille/search/one_port_broadcast.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "quadrille/search/refutation.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Literals that are true or false from the start, and that no clause is given.
constexpr int kTrue = std::numeric_limits<int>::max();
constexpr int kFalse = -kTrue;

// A transmission in a step, for nobody_informs_two_at_once: over which arc, and the head informed by then and
// just before.
struct Transmission {
  int over;
  int now;
  int earlier;
};

constexpr size_t kPairwiseTransmissions = 8;

// --- what looks alike -----------------------------------------------------------------------------------

// Whether x -> 2 fixed - x, modulo the number of nodes, keeps all arcs.
bool reflects(const Topology& graph, uint32_t fixed) {
  const uint64_t n = graph.num_nodes();
  const auto image = [&](NodeId v) { return id_at<NodeId>((2 * uint64_t{fixed} + n - index(v)) % n); };
  for (const ArcId arc : graph.arcs()) {
    if (!graph.find_arc(image(graph.tail(arc)), image(graph.head(arc))).has_value()) return false;
  }
  return true;
}

// The links of the source in one factor.
struct Direction {
  Topology factor;
  uint32_t coordinate;
  std::vector<ArcId> arcs;
};

std::vector<Direction> directions(const Topology& topology, NodeId source) {
  const ProductStructure* product = topology.product();
  if (product == nullptr) {
    Direction all{topology, static_cast<uint32_t>(index(source)), {}};
    for (const ArcId arc : topology.arcs_from(source)) all.arcs.push_back(arc);
    if (all.arcs.empty()) return {};
    return {all};
  }
  std::vector<Direction> out;
  for (size_t i = 0; i < product->factors.size(); ++i) {
    Direction one{product->factors[i], product->coordinate(source, i), {}};
    for (const ArcId arc : one.factor.arcs_from(NodeId{one.coordinate})) {
      const NodeId head =
          product->with_coordinate(source, i, static_cast<uint32_t>(index(one.factor.head(arc))));
      one.arcs.push_back(*topology.find_arc(source, head));
    }
    if (!one.arcs.empty()) out.push_back(std::move(one));  // a factor of one node has no links
  }
  return out;
}

// Links of the source of which the second may be made to wait for the first. Applied to a broadcast, a
// reflection exchanges the two links of one factor and touches no other link of the source; an exchange of
// equal factors permutes their links as they are. So all these can be had at once: first reflect, then sort
// equal factors by when their first link is used.
std::vector<std::pair<ArcId, ArcId>> links_in_order(const Topology& topology, NodeId source) {
  std::vector<std::pair<ArcId, ArcId>> out;
  const std::vector<Direction> all = directions(topology, source);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].arcs.size() == 2 && reflects(all[i].factor, all[i].coordinate))
      out.emplace_back(all[i].arcs[0], all[i].arcs[1]);
    for (size_t j = i + 1; j < all.size(); ++j) {
      if (all[i].coordinate != all[j].coordinate || !all[i].factor.same_graph(all[j].factor)) continue;
      out.emplace_back(all[i].arcs[0], all[j].arcs[0]);
      break;  // and from j on to the next
    }
  }
  return out;
}

}  // namespace

// --- the formula ----------------------------------------------------------------------------------------

OnePortBroadcast::OnePortBroadcast(const Topology& topology, NodeId source, uint32_t steps)
    : topology_(topology),
      source_(source),
      steps_(steps),
      distance_(distances_from(topology, source)),
      informed_(topology.num_nodes(), 0),
      over_(topology.num_arcs(), 0) {
  for (const NodeId v : topology.nodes()) {
    const uint32_t nearest = distance_[index(v)];
    if (v == source) continue;
    if (nearest > steps) formula_.add({});  // too far
    if (nearest < steps) informed_[index(v)] = formula_.variables(steps - nearest);
  }
  for (const ArcId arc : topology.arcs()) {
    if (topology.head(arc) != source) over_[index(arc)] = formula_.variable();
  }
  everybody_is_informed_once();
  for (const NodeId v : topology.nodes()) nobody_informs_two_at_once(v);
  for (const auto& [first, second] : links_in_order(topology, source)) before(first, second);
}

// The source from the start, a node at some distance not before and at the latest in the end.
int OnePortBroadcast::informed_by_end_of(NodeId node, uint32_t step) const {
  if (node == source_ || step >= steps_) return kTrue;
  if (step < distance_[index(node)]) return kFalse;
  return informed_[index(node)] + static_cast<int>(step - distance_[index(node)]);
}

void OnePortBroadcast::add(std::initializer_list<int> clause) {
  std::vector<int> open;
  for (const int literal : clause) {
    if (literal == kTrue) return;
    if (literal != kFalse) open.push_back(literal);
  }
  formula_.add(open);
}

void OnePortBroadcast::everybody_is_informed_once() {
  std::vector<std::vector<int>> into(topology_.num_nodes());
  for (const ArcId arc : topology_.arcs()) {
    const NodeId head = topology_.head(arc);
    if (head == source_) continue;
    into[index(head)].push_back(over_[index(arc)]);
    // Only a node that was informed before informs another.
    for (uint32_t t = 1; t <= steps_; ++t)
      add({-over_[index(arc)], -informed_by_end_of(head, t), informed_by_end_of(topology_.tail(arc), t - 1)});
  }
  for (const NodeId v : topology_.nodes()) {
    if (v == source_) continue;
    formula_.exactly_one(into[index(v)]);
    for (uint32_t t = 1; t <= steps_; ++t) add({-informed_by_end_of(v, t - 1), informed_by_end_of(v, t)});
  }
}

void OnePortBroadcast::nobody_informs_two_at_once(NodeId informer) {
  for (uint32_t t = distance_[index(informer)] + 1; t <= steps_; ++t) {
    std::vector<Transmission> transmissions;
    for (const ArcId arc : topology_.arcs_from(informer)) {
      const NodeId head = topology_.head(arc);
      if (head == source_ || informed_by_end_of(head, t) == kFalse) continue;
      transmissions.push_back(
          {over_[index(arc)], informed_by_end_of(head, t), informed_by_end_of(head, t - 1)});
    }
    if (transmissions.size() <= kPairwiseTransmissions) {
      for (size_t i = 0; i < transmissions.size(); ++i) {
        for (size_t j = i + 1; j < transmissions.size(); ++j) {
          const Transmission& a = transmissions[i];
          const Transmission& b = transmissions[j];
          add({-a.over, -b.over, -a.now, -b.now, a.earlier, b.earlier});
        }
      }
      continue;
    }
    std::vector<int> in_this_step;
    for (const Transmission& a : transmissions) {
      in_this_step.push_back(formula_.variable());
      add({-a.over, -a.now, a.earlier, in_this_step.back()});
    }
    formula_.at_most_one(in_this_step);
  }
}

void OnePortBroadcast::before(ArcId first, ArcId second) {
  add({-over_[index(second)], over_[index(first)]});
  for (uint32_t t = 1; t <= steps_; ++t) {
    add({-over_[index(second)], -informed_by_end_of(topology_.head(second), t),
         informed_by_end_of(topology_.head(first), t - 1)});
  }
}

std::vector<ArcId> OnePortBroadcast::informed_over(const SearchAnswer& solution) const {
  std::vector<ArcId> out(topology_.num_nodes(), kNoArc);
  for (const ArcId arc : topology_.arcs()) {
    if (over_[index(arc)] != 0 && solution.value(over_[index(arc)])) out[index(topology_.head(arc))] = arc;
  }
  return out;
}

// --- the floor ------------------------------------------------------------------------------------------

uint32_t one_port_simple_floor(const Topology& topology, NodeId source) {
  const std::vector<uint32_t> distance = distances_from(topology, source);
  uint32_t doublings = 0;
  while ((uint64_t{1} << doublings) < topology.num_nodes()) ++doublings;
  return std::max(doublings, *std::max_element(distance.begin(), distance.end()));
}

uint32_t one_port_floor_of_nodes_apart(const Topology& topology) {
  // Those of few links first, each that has no link with one before.
  std::vector<NodeId> order;
  for (const NodeId v : topology.nodes()) order.push_back(v);
  std::ranges::stable_sort(order, {}, [&](NodeId v) { return topology.out_degree(v); });
  std::vector<std::vector<NodeId>> near(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    near[index(topology.tail(arc))].push_back(topology.head(arc));
    near[index(topology.head(arc))].push_back(topology.tail(arc));
  }
  std::vector<char> is_near(topology.num_nodes(), 0);
  uint64_t apart = 0;
  for (const NodeId v : order) {
    if (is_near[index(v)] != 0) continue;
    ++apart;
    for (const NodeId w : near[index(v)]) is_near[index(w)] = 1;
  }
  uint32_t before_last = 0;
  while ((uint64_t{1} << before_last) < apart) ++before_last;
  return apart < topology.num_nodes() ? before_last + 1 : 0;
}

OnePortFloor one_port_floor(const Topology& topology, NodeId source, uint32_t conflicts) {
  OnePortFloor floor{one_port_simple_floor(topology, source), 0};
  while (true) {
    const OnePortBroadcast question(topology, source, floor.steps);
    const SearchAnswer answer = solve(question.formula(), {.conflicts = conflicts, .want_proof = true});
    if (!answer.unsatisfiable()) return floor;
    const RefutationCheck check = check_refutation(question.formula(), answer.proof);
    if (!check.refutes) return floor;
    floor = {floor.steps + 1, std::max<uint64_t>(check.lemmas, 1)};
  }
}

}  // namespace quadrille
