#include "quadrille/cli/plan_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <span>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/interruption.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/groups/plan_groups.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/faults/node_numbers.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace plan_groups_cli_parts {
namespace {

std::vector<RankGroup> groups_of(const Topology& net, const ProblemOptions& options,
                                 const std::string& given) {
  const CollectiveKind kind = parse_collective_kind(options.collective);
  const uint32_t pieces = options.rest.first_pieces();
  if (std::optional<std::vector<RankGroup>> grid = grid_groups(net, given, kind, pieces))
    return *std::move(grid);
  return read_groups(net, read_file(given.starts_with("@") ? given.substr(1) : given), kind, pieces,
                     given.starts_with("@") ? given.substr(1) : given);
}

void require_plain(const ProblemOptions& options) {
  if (!options.ranks.empty()) throw InputError("--groups and --ranks: groups say themselves who takes part");
  if (!options.rest.counts.empty())
    throw InputError(
        "--groups and --counts: groups do collectives that a number of ranks describes; leave --counts out");
  if (!options.rest.root.empty())
    throw InputError("--groups and --root: a group names its own: root=NODE in its line");
  if (!options.relay.empty())
    throw InputError(
        "--groups and --relay: of each group both are tried, and those who relay are listed; leave --relay out");
  if (!options.bytes.empty() || options.rest.pieces == kAutoPieces)
    throw InputError(
        "--groups goes by steps: the size of a group is its pieces, and --bytes and --pieces auto are not asked");
}

// "rows.json" becomes "rows.3.json".
std::string file_of(const std::string& output, size_t group) {
  const std::filesystem::path path(output);
  return (path.parent_path() /
          fmt::format("{}.{}{}", path.stem().string(), group + 1, path.extension().string()))
      .string();
}

std::string title_of(const PlannedGroup& planned) {
  std::string out(name_of(planned.group.kind));
  if (planned.group.pieces > 1) out += fmt::format(" x{}", planned.group.pieces);
  return out;
}

bool alike(const PlannedGroup& a, const PlannedGroup& b) {
  return a.group.kind == b.group.kind && a.group.pieces == b.group.pieces &&
         a.group.ranks.size() == b.group.ranks.size() && a.head.algorithm == b.head.algorithm &&
         a.alone == b.alone && a.bound == b.bound &&
         a.schedule->plan().num_steps() == b.schedule->plan().num_steps();
}

// As the user counts them: those of the network before it lost nodes.
std::string who_of(const NodeNumbers& numbers, std::span<const Rank> ranks) {
  std::vector<Rank> out;
  for (const Rank rank : ranks) out.push_back(Rank{numbers.number_of(rank)});
  return ranks_text(out);
}

std::string table_of(const NodeNumbers& numbers, const GroupPlan& made) {
  Table table({"steps", "bound", "ranks", "collective", "algorithm", "relays", "who"});
  std::vector<char> said(made.groups.size(), 0);
  for (size_t i = 0; i < made.groups.size(); ++i) {
    if (said[i] != 0) continue;
    const PlannedGroup& planned = made.groups[i];
    size_t others = 0;
    for (size_t j = i + 1; j < made.groups.size(); ++j) {
      if (said[j] != 0 || !alike(planned, made.groups[j])) continue;
      said[j] = 1;
      ++others;
    }
    std::string who = who_of(numbers, planned.group.ranks);
    if (planned.group.root) who += fmt::format(" root {}", numbers.number_of(*planned.group.root));
    if (others > 0) who += fmt::format(", and {} like it", others);
    table.row({fmt::format("{}", planned.schedule->plan().num_steps()), fmt::format("{}", planned.bound),
               fmt::format("{}", planned.group.ranks.size()), title_of(planned), planned.head.algorithm,
               planned.alone ? "none" : "others", who});
  }
  return table.text();
}

Json json_of(const NodeNumbers& numbers, const GroupPlan& made) {
  Json out = Json::array();
  for (const PlannedGroup& planned : made.groups) {
    Json group = Json::object();
    group.set("collective", std::string(name_of(planned.group.kind)));
    group.set("ranks", who_of(numbers, planned.group.ranks));
    if (planned.group.root) group.set("root", uint64_t{numbers.number_of(*planned.group.root)});
    group.set("pieces", uint64_t{planned.group.pieces});
    group.set("algorithm", planned.head.algorithm);
    group.set("others_relay", !planned.alone);
    group.set("steps", uint64_t{planned.schedule->plan().num_steps()});
    group.set("steps_alone", planned.steps_alone);
    group.set("lower_bound", planned.bound);
    out.push(std::move(group));
  }
  return out;
}

void report(const Topology& net, const Model& model, const GroupPlan& made, const GroupsWish& wish,
            Console& console) {
  Report report;
  const NodeNumbers numbers(net, Numbers::kWhole);
  const std::string routers =
      net.has_routers() ? fmt::format("{} of them endpoints, ", with_thousands(net.num_endpoints())) : "";
  report.add("topology",
             fmt::format("{}: {}, {}{}", net.name(), plural(net.num_nodes(), "node"), routers,
                         plural(net.num_arcs(), "arc")),
             net.name());
  report.add("model", describe(model), describe(model));
  size_t ranks = 0;
  for (const PlannedGroup& planned : made.groups) ranks += planned.group.ranks.size();
  report.add_text("groups", fmt::format("{} with {} of {} ranks", made.groups.size(), with_thousands(ranks),
                                        with_thousands(net.num_endpoints())));
  report.add_json("groups", json_of(numbers, made));
  const auto least = static_cast<uint64_t>(made.bound.value.ceil());
  report.add("steps", with_thousands(made.steps), made.steps);
  report.add("lower bound", fmt::format("{} of all together: {}", with_thousands(least), made.bound.witness),
             least);
  const bool optimal = made.steps == least;
  report.add("quality",
             optimal
                 ? std::string("optimal: no plan of all groups takes fewer steps")
                 : fmt::format("{:.1f} % above the bound",
                               100.0 * (static_cast<double>(made.steps) / static_cast<double>(least) - 1.0)),
             optimal ? "optimal" : "above the bound");
  const Figures& figures = made.together.figures;
  report.add("transfers", with_thousands(figures.transfers), figures.transfers);
  report.add("block hops", with_thousands(figures.block_hops), figures.block_hops);
  report.add("busiest link", plural(figures.busiest_link, "block"), figures.busiest_link);
  report.add("verdict", "verified: every group by itself, and all together on links and ports, no violations",
             "passed");
  if (!wish.output.empty())
    report.add("written",
               fmt::format("{} to {}", file_of(wish.output, 0), file_of(wish.output, made.groups.size() - 1)),
               wish.output);
  report.print(console.out, wish.json);
  if (!wish.json) console.out << "\n" << table_of(numbers, made);
}

}  // namespace
}  // namespace plan_groups_cli_parts

GroupPlan planned_groups(const ProblemOptions& problem, const std::string& wanted, const Wishes& wishes,
                         Console& console) {
  using plan_groups_cli_parts::groups_of;
  using plan_groups_cli_parts::require_plain;
  require_plain(problem);
  const Topology net = parse_topology(problem.network());
  const Model model = problem.model.model();
  const std::vector<RankGroup> groups = groups_of(net, problem, wanted);
  return while_waiting(console, fmt::format("planning {}", plural(groups.size(), "group")), [&] {
    const StopsSearches at_interrupt;
    return plan_groups(net, model, groups, wishes);
  });
}

int plan_all_groups(const ProblemOptions& problem, const GroupsWish& wish, Console& console) {
  using plan_groups_cli_parts::file_of;
  using plan_groups_cli_parts::report;
  if (wish.output == "-") throw InputError("--groups and -o -: every group has a file of its own; name one");
  if (!wish.output.empty()) static_cast<void>(plan_format_of(wish.output));
  const GroupPlan made = planned_groups(problem, wish.groups, wish.search, console);
  if (!wish.output.empty()) {
    for (size_t i = 0; i < made.groups.size(); ++i)
      write_plan_file(file_of(wish.output, i), made.groups[i].head, made.groups[i].schedule->plan());
  }
  const Problem& first = made.groups.front().head.problem;
  report(parse_topology(problem.network()), first.model(), made, wish, console);
  return kExitOk;
}

}  // namespace quadrille
