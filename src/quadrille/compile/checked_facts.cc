#include "quadrille/compile/checked_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/queries/bisection.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// How many arcs a search may look at, over all its starts.
constexpr Int128 kSearchArcs = 20'000'000;

bool is_small(const TopologyFacts& facts) {
  const Int128 searches = facts.group.empty() ? facts.endpoints : 1;
  return facts.links <= kSearchArcs && facts.endpoints <= kSearchArcs &&
         2 * searches * facts.links <= kSearchArcs;
}

TopologyFacts search(const Topology& graph) {
  TopologyFacts out;
  out.nodes = graph.num_nodes();
  out.endpoints = graph.num_endpoints();
  Int128 least = graph.num_arcs();
  Int128 most = 0;
  for (const NodeId node : graph.nodes()) {
    least = std::min(least, Int128{graph.out_degree(node)});
    most = std::max(most, Int128{graph.out_degree(node)});
  }
  for (const ArcId arc : graph.arcs()) {
    const ArcId back = graph.reverse(arc);
    out.links += back == kNoArc || arc < back ? 1 : 0;
  }
  out.min_degree = least;
  out.max_degree = most;
  const DistanceSummary distances = searched_distance_summary(graph);
  out.diameter = distances.diameter;
  out.min_status = distances.min_status;
  out.max_status = distances.max_status;
  out.average_status = distances.average_status;
  return out;
}

std::string text(Int128 value) { return to_string(value); }
std::string text(const Rational& value) { return value.to_string(); }

// Compares a closed form with what was found, or fills it in. True if there was a closed form.
template <typename T>
bool settle(TopologyFacts& facts, std::string_view name, std::optional<T>& closed,
            const std::optional<T>& found) {
  if (closed && std::find(facts.searched.begin(), facts.searched.end(), name) == facts.searched.end()) {
    QUADRILLE_CHECK(closed == found, fmt::format("{} of {}: closed form {}, search {}", name, facts.spec,
                                                 text(*closed), text(*found)));
    return true;
  }
  closed = found;
  if (std::find(facts.searched.begin(), facts.searched.end(), name) == facts.searched.end()) {
    facts.searched.push_back(name);
  }
  return false;
}

void check_sizes(const TopologyFacts& facts, const TopologyFacts& found) {
  QUADRILLE_CHECK(
      facts.nodes == found.nodes && facts.endpoints == found.endpoints && facts.links == found.links,
      fmt::format("{}: closed forms {} nodes, {} endpoints, {} links; built {}, {}, {}", facts.spec,
                  text(facts.nodes), text(facts.endpoints), text(facts.links), text(found.nodes),
                  text(found.endpoints), text(found.links)));
}

// The cheapest of all bisections, where no closed form settles it and the graph is small.
void search_bisection(TopologyFacts& facts, const Topology& graph) {
  if (facts.bisection && facts.bisection->proved) return;
  const std::optional<FoundBisection> found = exact_bisection(graph);
  if (!found) return;
  facts.bisection = Bisection{.capacity = found->capacity,
                              .proved = true,
                              .reason = "no cheaper bisection exists: all were searched"};
  facts.searched.emplace_back("bisection");
}

// A figure as people call it.
std::string in_words(std::string_view figure) {
  if (figure == "min_degree") return "least degree";
  if (figure == "max_degree") return "greatest degree";
  if (figure == "min_status") return "least total distance";
  if (figure == "max_status") return "greatest total distance";
  if (figure == "average_status") return "average total distance";
  return std::string(figure);
}

std::string in_words(const std::vector<std::string_view>& figures) {
  std::vector<std::string> words;
  for (const std::string_view figure : figures) words.push_back(in_words(figure));
  return join(words);
}

}  // namespace

CheckedFacts checked_facts(const SpecCall& call) {
  CheckedFacts out{topology_facts(call), {}, "closed forms; the network is too large to search"};
  TopologyFacts& facts = out.facts;
  if (!is_small(facts)) return out;

  out.graph = build_topology(call);
  const TopologyFacts found = search(*out.graph);
  check_sizes(facts, found);
  bool closed = settle(facts, "min_degree", facts.min_degree, found.min_degree);
  closed = settle(facts, "max_degree", facts.max_degree, found.max_degree) && closed;
  closed = settle(facts, "diameter", facts.diameter, found.diameter) && closed;
  closed = settle(facts, "min_status", facts.min_status, found.min_status) && closed;
  closed = settle(facts, "max_status", facts.max_status, found.max_status) && closed;
  closed = settle(facts, "average_status", facts.average_status, found.average_status) && closed;
  search_bisection(facts, *out.graph);
  out.how =
      closed && facts.searched.empty()
          ? "closed forms, each checked by a search"
          : fmt::format("closed forms, checked by a search; only by search: {}", in_words(facts.searched));
  return out;
}

}  // namespace quadrille
