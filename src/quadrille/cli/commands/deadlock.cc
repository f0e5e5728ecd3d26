// quadrille deadlock: whether worms on a network with a routing can ever wait for each other in a circle.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/sim/channels/channel_dependencies.h"
#include "quadrille/sim/channels/fewest_channels.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace deadlock_parts {
namespace {

struct DeadlockOptions {
  ProblemOptions network{};  // --without is read as everywhere
  std::string routing = "dor";
  uint32_t vcs = 2;
  bool fewest = false;
  ReportForm form{};
};

constexpr CsvColumn kColumns[] = {{"network", "topology"},       {"routing", "routing"},
                                  {"channels", "channels"},      {"dependencies", "dependencies"},
                                  {"verdict", "verdict"},        {"proof", "proof"},
                                  {"fewest_channels", "fewest"}, {"circle", "circle_length"}};

Routes routes_of(const std::string& word) {
  if (word.find_first_of("./") != std::string::npos) return Routes::kTable;
  if (word == "dor") return Routes::kDimensionOrder;
  if (word == "updown") return Routes::kUpDown;
  if (word == "shortest") return Routes::kShortest;
  throw ValueError(
      fmt::format("--routing is '{}'; allowed are dor, updown, shortest, and files: NAME.txt, ./NAME", word),
      {.of = "--routing", .given = word, .allowed = {"dor", "updown", "shortest", "NAME.txt", "./NAME"}});
}

std::string routing_text(Routes routes, const std::string& word, uint32_t classes) {
  if (routes == Routes::kTable)
    return fmt::format("the table of {}, {}", word,
                       classes == 2 ? "low and high channels as it says" : "one class of channels");
  if (routes == Routes::kUpDown)
    return "towards the root of a breadth-first tree, then away from it (up*/down*)";
  if (routes == Routes::kShortest) return "shortest paths, of the next hops the one with the lowest number";
  return classes == 2 ? "dimension order, low channels before the link that wraps, high ones from there"
                      : "dimension order, one class of channels";
}

std::string channel_text(const Topology& network, const DependencyCheck& check, const Channel& channel) {
  std::string text = fmt::format("{} -> {}", network.label(network.tail(channel.arc)),
                                 network.label(network.head(channel.arc)));
  if (check.classes == 2) text += channel.vc_class == 0 ? " low" : " high";
  return text;
}

// Thousands of faults make a long name.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 200;
  return name.size() <= kMost ? name : name.substr(0, kMost) + " ... )";
}

void report_verdict(const DependencyCheck& check, Report& report) {
  std::string text = "no deadlock: no circle of channels that wait for each other";
  if (!check.acyclic)
    text =
        fmt::format("may deadlock: {} wait for each other in a circle{}",
                    plural(check.circle.size(), "channel"), check.is_shortest ? ", and none is shorter" : "");
  report.add("verdict", std::move(text), check.acyclic ? "acyclic" : "cyclic");
  if (!check.numbering.empty()) {
    report.add("proof", fmt::format("every dependency leads to a higher number; {}", check.numbering),
               check.numbering);
  } else if (check.acyclic) {
    report.add("proof", "channels that nobody waits in front of, taken away one by one, until none is left",
               "removal");
  }
}

void report_fewest(const FewestChannels& fewest, Report& report) {
  std::string text = "1 a link";
  if (fewest.channels > 1)
    text = fmt::format(
        "{} a link, where each of {} is told which to take; {} is refuted: a proof of {} from {}, checked",
        fewest.channels, plural(fewest.routes, "route"), fewest.channels - 1,
        plural(fewest.lemmas + 1, "lemma"), plural(fewest.clauses, "clause"));
  report.add("fewest", std::move(text), fewest.channels);
}

int find_deadlock(const DeadlockOptions& options, Console& console) {
  const Routes routes = routes_of(options.routing);
  const Topology network = while_waiting(console, "building the network",
                                         [&] { return parse_topology(options.network.network()); });
  std::optional<RoutingTable> table;
  if (routes == Routes::kTable)
    table = RoutingTable::read(network, read_file(options.routing), options.routing);
  const DependencyCheck check = while_waiting(console, "looking at every dependency", [&] {
    return check_dependencies(network, routes, options.vcs, table ? &*table : nullptr);
  });
  Report report;
  report.add("topology",
             fmt::format("{}: {} nodes, {} arcs", shortened(network.name()),
                         with_thousands(network.num_nodes()), with_thousands(network.num_arcs())),
             network.name());
  report.add("routing", routing_text(routes, options.routing, check.classes), options.routing);
  report.add("channels", with_thousands(check.channels), check.channels);
  report.add("dependencies", with_thousands(check.dependencies), check.dependencies);
  report_verdict(check, report);
  if (options.fewest) {
    const FewestChannels fewest = while_waiting(console, "searching orders of channels", [&] {
      return fewest_channels(network, routes, table ? &*table : nullptr);
    });
    report_fewest(fewest, report);
  }
  Json circle = Json::array();
  for (const Channel& channel : check.circle) circle.push(channel_text(network, check, channel));
  report.add_json("circle", std::move(circle));
  report.add_json("circle_length", uint64_t{check.circle.size()});
  report.print(console.out, options.form);
  if (check.acyclic) return kExitOk;
  constexpr size_t kMostLines = 40;
  if (options.form.for_people()) {
    console.out << "\n";
    for (size_t i = 0; i < check.circle.size() && i < kMostLines; ++i)
      console.out << "  " << channel_text(network, check, check.circle[i]) << "\n";
    if (check.circle.size() > kMostLines)
      console.out << fmt::format("  and {} more, back to the first\n", check.circle.size() - kMostLines);
  }
  return kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<DeadlockOptions>();
  app.add_option("TOPOLOGY", options->network.topology, "such as \"torus(8,8)\": `quadrille list topologies`")
      ->required();
  app.add_option("--without", options->network.without,
                 "\"link A B\" or \"node A\" is dead; again for more; @FILE: one a line")
      ->type_name("FAULT")
      ->repeated();
  app.add_option(
         "--routing", options->routing,
         "dor (default): dimension order; updown: any network, with faults, too; shortest; or the file of a "
         "table, NODE DESTINATION NEXT in a line")
      ->type_name("HOW");
  app.add_option("--vcs", options->vcs, "virtual channels of a link (default 2)")->type_name("N");
  app.add_flag("--fewest", options->fewest,
               "search for the fewest channels that are enough for these routes; for small networks");
  add_report_form(app, options->form, kColumns, "print it as JSON; its figures as a row of CSV");
  return [options](Console& console) {
    options->form.require_one();
    return find_deadlock(*options, console);
  };
}

}  // namespace
}  // namespace deadlock_parts

namespace commands {

extern const Command deadlock;

const Command deadlock{
    .name = "deadlock",
    .summary = "whether worms can wait for each other in a circle, with a proof",
    .details =
        "A worm that holds a channel may wait for the next one of its route. Where these dependencies have no circle nothing "
        "can deadlock, whatever is sent; where they have one it is printed, the shortest. Without a circle there are two "
        "proofs: numbers that rise along every dependency, and channels taken away until none is left.",
    .example = R"~($ quadrille deadlock "torus(5,5)" --vcs 1 | tail -7
verdict       may deadlock: 5 channels wait for each other in a circle, and none is shorter

  (0,0) -> (0,1)
  (0,1) -> (0,2)
  (0,2) -> (0,3)
  (0,3) -> (0,4)
  (0,4) -> (0,0)
)~",
    .setup = deadlock_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
