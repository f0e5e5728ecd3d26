#include "quadrille/cli/network_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <ostream>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/cut_bound.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/topology/queries/disjoint_paths.h"
#include "quadrille/topology/queries/metis_bisection.h"
#include "quadrille/topology/queries/node_names.h"

namespace quadrille {
namespace {

// --- paths ----------------------------------------------------------------------------------------------

std::string how_many(const DisjointPaths& found) {
  const size_t count = found.paths.size();
  const std::string how = found.from_factors ? "made of the factors' paths" : "found by a flow";
  if (count == found.most) return fmt::format("{}, {}; more would need more links", count, how);
  if (found.proved) return fmt::format("{}, {}; a flow shows that there are no more", count, how);
  return fmt::format("{}, {}; the links would allow {}", count, how, found.most);
}

// --- cuts -----------------------------------------------------------------------------------------------

struct CutFigures {
  uint64_t inside = 0;  // endpoints
  CutCapacity across;
  Bound bound;
};

CutFigures figures_of(const Problem& exchange, const Cut& cut) {
  CutFigures out;
  for (const NodeId v : exchange.topology().endpoints()) out.inside += cut.side[index(v)] != 0 ? 1 : 0;
  out.across = capacity_across(exchange.topology(), cut);
  CutBound best(exchange, "given_cut");
  best.hold(cut);
  // Without endpoints on both sides nothing has to cross.
  out.bound = best.take().value_or(
      Bound{"given_cut", Rational(0), "one side has no endpoints: nothing has to cross"});
  return out;
}

std::string steps_text(const Bound& bound) {
  const std::string value = bound.value.is_integer() ? "" : fmt::format("{}, so ", bound.value.to_string());
  return fmt::format("at least {}{}: {}", value, plural(static_cast<uint64_t>(bound.value.ceil()), "step"),
                     bound.witness);
}

Json json_of(const CutFigures& figures, uint64_t endpoints) {
  return std::move(Json::object()
                       .set("endpoints", Json::array().push(figures.inside).push(endpoints - figures.inside))
                       .set("capacity_out", figures.across.out)
                       .set("capacity_in", figures.across.in)
                       .set("alltoall_bound", figures.bound.value)
                       .set("alltoall_steps", figures.bound.value.ceil())
                       .set("witness", figures.bound.witness));
}

// The part of every node; the parts in ascending order, as they are called in the file.
std::map<uint64_t, std::vector<NodeId>> read_partition(const Topology& topology, const std::string& path) {
  const std::string text = read_file(path);
  std::map<uint64_t, std::vector<NodeId>> parts;
  uint32_t nodes = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    size_t first = begin;
    size_t last = end;
    while (first < last && (text[first] == ' ' || text[first] == '\t')) ++first;
    while (last > first && (text[last - 1] == ' ' || text[last - 1] == '\t' || text[last - 1] == '\r'))
      --last;
    begin = end + 1;
    if (first == last || text[first] == '#' || text[first] == '%') continue;
    uint64_t part = 0;
    const auto [stop, error] = std::from_chars(text.data() + first, text.data() + last, part);
    if (error != std::errc() || stop != text.data() + last) {
      throw input_error_at(path, text, first, last - first,
                           "a line of a partition is the number of one node's part, from 0 on");
    }
    if (nodes == topology.num_nodes()) {
      throw input_error_at(path, text, first, last - first,
                           fmt::format("{} has {} nodes, and this line is one too many", topology.name(),
                                       topology.num_nodes()));
    }
    parts[part].push_back(NodeId{nodes++});
  }
  if (nodes < topology.num_nodes()) {
    throw InputError(fmt::format("{}: a partition of {} has {} lines, one per node; the file has {}", path,
                                 topology.name(), topology.num_nodes(), nodes));
  }
  if (parts.size() < 2) {
    throw InputError(fmt::format("{}: all nodes are in part {}; a partition has at least two parts", path,
                                 parts.begin()->first));
  }
  return parts;
}

Cut cut_of(const Topology& topology, const std::vector<NodeId>& nodes, std::string description) {
  Cut cut{std::move(description), std::vector<char>(topology.num_nodes(), 0)};
  for (const NodeId v : nodes) cut.side[index(v)] = 1;
  return cut;
}

// --- bisections -----------------------------------------------------------------------------------------

Json json_of(const std::optional<FoundBisection>& found) {
  if (!found) return {};
  Json side = Json::array();
  for (size_t v = 0; v < found->cut.side.size(); ++v) {
    if (found->cut.side[v] != 0) side.push(v);
  }
  return std::move(Json::object().set("capacity", found->capacity).set("side", std::move(side)));
}

}  // namespace

int show_paths(const Topology& topology, std::string_view from, std::string_view to, bool json,
               Console& console) {
  const NodeId first = find_node(topology, from, "--paths", Numbers::kWhole);
  const NodeId last = find_node(topology, to, "--paths", Numbers::kWhole);
  const DisjointPaths found =
      while_waiting(console, "looking for paths", [&] { return disjoint_paths(topology, first, last); });
  Report report;
  report.add("topology", topology.name(), topology.name());
  report.add("from", topology.label(first), index(first));
  report.add("to", topology.label(last), index(last));
  report.add("paths", how_many(found), found.paths.size());
  report.add_json("most", found.most);
  report.add_json("proved", found.proved);
  report.add_json("method", found.from_factors ? "factors" : "flow");
  Json all = Json::array();
  Table table({"hops", "nodes"});
  for (const NodePath& path : found.paths) {
    Json nodes = Json::array();
    std::vector<std::string> labels;
    for (const NodeId v : path) {
      nodes.push(index(v));
      labels.push_back(topology.label(v));
    }
    all.push(std::move(nodes));
    table.row({fmt::format("{}", path.size() - 1), join(labels, " ")});
  }
  report.add_json("routes", std::move(all));
  report.print(console.out, json);
  if (!json) console.out << '\n' << table.text();
  return kExitOk;
}

int show_cut(const Topology& topology, std::string_view nodes, bool json, Console& console) {
  const Cut cut = cut_of(topology, find_nodes(topology, nodes, "--cut", Numbers::kWhole), "the given nodes");
  if (std::find(cut.side.begin(), cut.side.end(), 0) == cut.side.end())
    throw InputError(fmt::format("--cut: all nodes of {} are on one side", topology.name()));
  const Problem exchange = problem_for_figures(topology, CollectiveKind::kAlltoall);
  const CutFigures figures =
      while_waiting(console, "measuring the cut", [&] { return figures_of(exchange, cut); });
  Report report;
  report.add("topology", topology.name(), topology.name());
  report.add_text("endpoints", fmt::format("{} and {}", with_thousands(figures.inside),
                                           with_thousands(topology.num_endpoints() - figures.inside)));
  report.add_text("capacity", fmt::format("{} out, {} in", with_thousands(figures.across.out),
                                          with_thousands(figures.across.in)));
  report.add_text("total exchange", steps_text(figures.bound));
  report.add_json("cut", json_of(figures, topology.num_endpoints()));
  report.print(console.out, json);
  return kExitOk;
}

int show_partition(const Topology& topology, const std::string& path, bool json, Console& console) {
  const auto parts = read_partition(topology, path);
  const Problem exchange = problem_for_figures(topology, CollectiveKind::kAlltoall);
  Report report;
  report.add("topology", topology.name(), topology.name());
  Json all = Json::array();
  Table table({"part", "endpoints", "capacity out", "in", "total exchange"});
  std::optional<Bound> best;
  for (const auto& [part, nodes] : parts) {
    const std::string name = fmt::format("part {}", part);
    const CutFigures figures = while_waiting(console, "measuring the cuts", [&, &inside = nodes] {
      return figures_of(exchange, cut_of(topology, inside, name));
    });
    if (!best || best->value < figures.bound.value) best = figures.bound;
    all.push(std::move(json_of(figures, topology.num_endpoints()).set("part", part)));
    table.row({fmt::format("{}", part), with_thousands(figures.inside), with_thousands(figures.across.out),
               with_thousands(figures.across.in), figures.bound.value.to_string()});
  }
  report.add_text("parts", fmt::format("{}", parts.size()));
  report.add_text("total exchange", steps_text(*best));
  report.add_json("alltoall_bound", best->value);
  report.add_json("alltoall_steps", best->value.ceil());
  report.add_json("parts", std::move(all));
  report.print(console.out, json);
  if (!json) console.out << '\n' << table.text();
  return kExitOk;
}

int show_bisections(const Topology& topology, bool json, Console& console) {
  if (topology.num_endpoints() < 2)
    throw InputError(fmt::format("{} has one endpoint, and nothing to halve", topology.name()));
  const auto exact =
      while_waiting(console, "searching all bisections", [&] { return exact_bisection(topology); });
  const auto metis =
      while_waiting(console, "looking for a bisection", [&] { return metis_bisection(topology); });
  Report report;
  report.add("topology", topology.name(), topology.name());
  std::string text = "no cheaper bisection exists: all were searched";
  if (exact) {
    text = fmt::format("{}: {}", exact->capacity, text);
  } else {
    text = topology.num_nodes() > kExactBisectionNodes
               ? fmt::format("not searched: more than {} nodes", kExactBisectionNodes)
               : std::string("not found: the search took too long");
  }
  report.add("exact bisection", text, json_of(exact));
  report.add("METIS bisection", fmt::format("{}: a heuristic, a cheaper one may exist", metis->capacity),
             json_of(metis));
  report.print(console.out, json);
  return kExitOk;
}

}  // namespace quadrille
