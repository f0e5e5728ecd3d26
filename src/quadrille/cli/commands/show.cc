// quadrille show: what is known about a topology. Closed forms describe graphs of any size at once; small
// graphs are built, too, and every closed form is held against a search.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/link_rates_report.h"
#include "quadrille/cli/network_questions.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/grouped.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/checked_facts.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/network_options.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/queries/symmetry.h"
#include "quadrille/topology/structure/recognition.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace show_parts {
namespace {

struct ShowOptions {
  std::vector<std::string> topologies{};
  NetworkOptions of_file{};
  bool json = false;
  bool csv = false;
  std::vector<std::string> paths{};
  std::string cut{};
  std::string partition{};
  bool bisection = false;
};

std::string number(Int128 value) { return grouped(to_string(value)); }

std::string counted(Int128 value, std::string_view what) {
  return fmt::format("{} {}{}", number(value), what, value == 1 ? "" : "s");
}

std::string number(const Rational& value) {
  if (value.is_integer()) return number(value.numerator());
  return fmt::format("{}/{} = {}", number(value.numerator()), number(value.denominator()),
                     grouped(fmt::format("{:.4f}", value.to_double())));
}

template <typename T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::string range(const std::optional<Int128>& least, const std::optional<Int128>& most) {
  if (!least || !most) return "not known";
  return *least == *most ? number(*least) : fmt::format("{} to {}", number(*least), number(*most));
}

void report_size(const TopologyFacts& facts, Report& report) {
  const std::string routers = facts.endpoints == facts.nodes
                                  ? ""
                                  : fmt::format(": {} and {}", counted(facts.endpoints, "endpoint"),
                                                counted(facts.nodes - facts.endpoints, "router"));
  report.add("nodes", number(facts.nodes) + routers, facts.nodes);
  report.add_json("endpoints", facts.endpoints);
  report.add("links", number(facts.links), facts.links);
  report.add_text("degree", range(facts.min_degree, facts.max_degree));
  report.add_json("min_degree", json_of(facts.min_degree));
  report.add_json("max_degree", json_of(facts.max_degree));
}

void report_distances(const TopologyFacts& facts, Report& report) {
  report.add("diameter", facts.diameter ? number(*facts.diameter) : "not known", json_of(facts.diameter));
  const std::optional<Rational> average = facts.average_distance();
  report.add("average distance", average ? number(*average) : "not known", json_of(average));
  std::string status = range(facts.min_status, facts.max_status);
  if (facts.average_status && !facts.one_status())
    status += fmt::format(", on average {}", number(*facts.average_status));
  report.add_text("total distance", status);
  report.add_json("min_status", json_of(facts.min_status));
  report.add_json("max_status", json_of(facts.max_status));
  report.add_json("average_status", json_of(facts.average_status));
}

void report_bisection(const TopologyFacts& facts, Report& report) {
  Json json;
  std::string text = "not known";
  if (facts.bisection) {
    const Bisection& cut = *facts.bisection;
    text = fmt::format("{}, {}: {}", number(cut.capacity),
                       cut.proved ? "proved" : "the best cut that is known", cut.reason);
    json = Json::object();
    json.set("capacity", cut.capacity).set("proved", cut.proved).set("reason", cut.reason);
  }
  report.add("bisection", text, std::move(json));
}

// Where the family does not say, the automorphisms of a small network do.
void report_symmetry(const TopologyFacts& facts, const Topology* graph, Report& report) {
  constexpr uint32_t kMostNodesToSearch = 512;
  std::string text = "not known";
  std::optional<bool> symmetric = facts.node_symmetric;
  if (symmetric) text = *symmetric ? "yes" : "no";
  if (!symmetric && graph != nullptr && graph->num_nodes() <= kMostNodesToSearch) {
    const std::vector<uint32_t> orbits = node_orbits(*graph);
    const size_t kinds = std::set<uint32_t>(orbits.begin(), orbits.end()).size();
    symmetric = kinds == 1;
    text = *symmetric ? "yes"
                      : fmt::format("no: nodes of {} kinds, by the automorphisms",
                                    grouped(fmt::format("{}", kinds)));
  }
  if (!facts.group.empty()) text += ", a Cayley graph of " + facts.group;
  report.add("node symmetric", text, symmetric ? Json(*symmetric) : Json());
  report.add_json("group", facts.group.empty() ? Json() : Json(facts.group));
}

void report_structure(const Topology& graph, Report& report) {
  std::vector<std::string> parts;
  if (const ProductStructure* product = graph.product()) {
    std::vector<std::string> factors;
    for (const Topology& factor : product->factors) factors.push_back(factor.name());
    parts.push_back("product of " + join(factors, " x "));
  }
  if (const TreeStructure* tree = graph.tree())
    parts.push_back(fmt::format("tree of height {}", tree->height()));
  if (graph.is_directed()) parts.emplace_back("directed: some links have no way back");
  if (!parts.empty()) report.add("structure", join(parts), join(parts));
}

// As a spec, or where that is long in other words.
std::string called(const Topology& known) {
  constexpr size_t kMostLetters = 100;
  if (known.name().size() <= kMostLetters) return known.name();
  if (known.product() == nullptr)
    return fmt::format("a Cayley graph of {}", plural(known.num_nodes(), "element"));
  std::vector<std::string> factors;
  for (const Topology& factor : known.product()->factors) {
    factors.push_back(factor.name().size() <= kMostLetters / 2
                          ? factor.name()
                          : fmt::format("a network of {}", plural(factor.num_nodes(), "node")));
  }
  return fmt::format("the product of {}", join(factors, " and "));
}

// A network without structure that is a member of a family after all, and which of its nodes is which of ours.
void report_recognised(const Topology& graph, Report& report) {
  constexpr size_t kMostNodesInText = 16;
  const std::vector<Recognised> twins = recognised_as(graph);
  if (twins.empty()) return;
  Json all = Json::array();
  std::string text;
  std::vector<std::string> others;
  for (const Recognised& twin : twins) {
    Json names = Json::array();
    std::vector<std::string> labels;
    for (const NodeId ours : twin.image) {
      labels.push_back(graph.label(ours));
      names.push(labels.back());
    }
    Json one = Json::object();
    one.set("topology", twin.topology.name()).set("nodes", std::move(names));
    all.push(std::move(one));
    if (!text.empty()) {
      others.push_back(called(twin.topology));
      continue;
    }
    text = fmt::format("{}, numbered differently", called(twin.topology));
    if (labels.size() <= kMostNodesInText) text += fmt::format(": its nodes in turn are {}", join(labels));
  }
  if (!others.empty()) text += fmt::format("; the same are {}", join(others));
  report.add("recognised as", text, std::move(all));
}

// All that is said of a network.
struct Shown {
  TopologyFacts facts{};
  Report report{};
};

Shown shown(const std::string& spec, Console& console) {
  const SpecCall call = parse_typed_spec(spec);
  const Family& family = family_of(call);
  CheckedFacts checked =
      while_waiting(console, "looking at the network", [&] { return checked_facts(call); });
  // What its links carry stands in the file, however large it is.
  if (!checked.graph && call_that_opens_a_file(call) != nullptr) checked.graph = build_topology(call);
  if (checked.graph) say_remarks(*checked.graph, console);
  Shown out;
  out.facts = checked.facts;
  const TopologyFacts& facts = out.facts;
  Report& report = out.report;
  report.add("topology", fmt::format("{}: {}", facts.spec, family.summary), facts.spec);
  report.add_json("family", family.name);
  report_size(facts, report);
  if (checked.graph) report_link_rates(*checked.graph, report);
  report_distances(facts, report);
  report_bisection(facts, report);
  report_symmetry(facts, checked.graph ? &*checked.graph : nullptr, report);
  if (checked.graph) {
    report_structure(*checked.graph, report);
    report_recognised(*checked.graph, report);
  }
  report.add("figures", checked.how, checked.how);
  Json searched = Json::array();
  for (const std::string_view figure : facts.searched) searched.push(figure);
  report.add_json("searched", std::move(searched));
  return out;
}

// Networks side by side, a line each; '?' is not known, '<=' not proved.
void print_table(const std::vector<Shown>& all, std::ostream& out) {
  const auto short_of = [](const std::optional<Int128>& value) { return value ? number(*value) : "?"; };
  Table table({"network", "nodes", "endpoints", "links", "degree", "diameter", "avg dist", "bisection"});
  for (const Shown& one : all) {
    const TopologyFacts& facts = one.facts;
    const std::optional<Rational> average = facts.average_distance();
    const std::string least = short_of(facts.min_degree);
    const std::string most = short_of(facts.max_degree);
    const std::string cut = facts.bisection ? number(facts.bisection->capacity) : "?";
    table.row({facts.spec, number(facts.nodes), number(facts.endpoints), number(facts.links),
               least == most ? most : fmt::format("{}-{}", least, most), short_of(facts.diameter),
               average ? fmt::format("{:.3f}", average->to_double()) : "?",
               facts.bisection && !facts.bisection->proved ? "<= " + cut : cut});
  }
  out << table.text();
}

// The same as plain numbers; what is not known is empty.
void print_csv(const std::vector<Shown>& all, std::ostream& out) {
  const auto plain = [](const std::optional<Int128>& value) { return value ? to_string(*value) : ""; };
  out << "network,nodes,endpoints,links,min_degree,max_degree,diameter,average_distance,bisection,"
         "bisection_proved\n";
  for (const Shown& one : all) {
    const TopologyFacts& facts = one.facts;
    const std::optional<Rational> average = facts.average_distance();
    const std::optional<Bisection>& cut = facts.bisection;
    out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_word(facts.spec), to_string(facts.nodes),
                       to_string(facts.endpoints), to_string(facts.links), plain(facts.min_degree),
                       plain(facts.max_degree), plain(facts.diameter),
                       average ? fmt::format("{}", average->to_double()) : "",
                       cut ? to_string(cut->capacity) : "",
                       !cut          ? ""
                       : cut->proved ? "yes"
                                     : "no");
  }
}

int show_several(const ShowOptions& options, Console& console) {
  std::vector<Shown> all;
  for (const std::string& spec : options.topologies) {
    all.push_back(shown(options.of_file.spec_of(spec), console));
  }
  if (options.csv) {
    print_csv(all, console.out);
  } else if (options.json) {
    Json networks = Json::array();
    for (const Shown& one : all) networks.push(one.report.json());
    console.out << networks.text();
  } else {
    print_table(all, console.out);
  }
  return kExitOk;
}

int show(const ShowOptions& options, Console& console) {
  if (options.csv && options.json) throw InputError("--csv and --json: one of them, please");
  const bool asks_more =
      !options.paths.empty() || !options.cut.empty() || !options.partition.empty() || options.bisection;
  const bool several = options.csv || options.topologies.size() > 1;
  if (asks_more && several)
    throw InputError("--paths, --cut, --partition and --bisection ask about one network, and have no --csv");
  if (several) return show_several(options, console);
  const std::string spec = options.of_file.spec_of(options.topologies.front());
  const auto network = [&] {
    Topology out = while_waiting(console, "building the network", [&] { return parse_topology(spec); });
    say_remarks(out, console);
    return out;
  };
  if (!options.paths.empty()) {
    return show_paths(network(), options.paths[0], options.paths[1], options.json, console);
  }
  if (!options.cut.empty()) return show_cut(network(), options.cut, options.json, console);
  if (!options.partition.empty()) return show_partition(network(), options.partition, options.json, console);
  if (options.bisection) return show_bisections(network(), options.json, console);
  shown(spec, console).report.print(console.out, options.json);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ShowOptions>();
  app.add_option("TOPOLOGY...", options->topologies,
                 "such as \"torus(8,8)\": `quadrille list topologies`; several: a table of them")
      ->required()
      ->repeated();
  add_network_options(app, options->of_file);
  app.add_flag("--json", options->json, "print the figures as JSON");
  app.add_flag("--csv", options->csv, "a line for each network");
  Argument* paths = app.add_option("--paths", options->paths,
                                   "instead: paths between two nodes that share no node on the way")
                        ->type_name("A B")
                        ->expected(2);
  Argument* cut =
      app.add_option("--cut", options->cut, "instead: what the cut round these nodes (\"0-7,(1,2)\") proves")
          ->type_name("NODES");
  Argument* partition =
      app.add_option("--partition", options->partition,
                     "instead: the same for each part of a file with the part of every node, one per line")
          ->type_name("FILE");
  Argument* bisection =
      app.add_flag("--bisection", options->bisection,
                   "instead: the cheapest bisection by search, where it is small, and that of METIS");
  paths->excludes(cut)->excludes(partition)->excludes(bisection);
  cut->excludes(partition)->excludes(bisection);
  partition->excludes(bisection);
  return [options](Console& console) { return show(*options, console); };
}

}  // namespace
}  // namespace show_parts

namespace commands {

extern const Command show;

const Command show{
    .name = "show",
    .summary = "size, distances, cuts and symmetry of a network",
    .details =
        "Prints what is known about a network: nodes, links, degree, diameter, average distance, total distance (the "
        "sum of the distances from a node to all endpoints, also called its status), bisection, symmetry. Closed "
        "forms make it as quick for 10^9 nodes as for 16; in small networks a search checks them. Four options ask "
        "for something else instead.",
    .example = R"~($ quadrille show "torus(4,4)"
topology          torus(4,4): rings crossed: a grid that wraps around in every dimension
nodes             16
links             32
degree            4
diameter          4
average distance  32/15 = 2.1333
total distance    32
bisection         8, proved: halves of ring(4); a total exchange shows that nothing is cheaper
node symmetric    yes, a Cayley graph of Z_4 x Z_4
structure         product of ring(4) x ring(4)
figures           closed forms, each checked by a search
)~",
    .setup = show_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
