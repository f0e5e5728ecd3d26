// quadrille explain: the card of a name; with --on, what it says about a problem.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/catalog_entries.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/model_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/sizes/size_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/comparison/offers.h"
#include "quadrille/compile/lending/loan_words.h"
#include "quadrille/compile/sizes/size_reasons.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/rule.h"

namespace quadrille {
namespace explain_parts {
namespace {

// For whatever asks all algorithms.
constexpr unsigned kThreads = 2;

struct ExplainOptions {
  std::string name{};
  std::string on{};
  std::string topology{};  ///< the same, without the option
  std::string bytes{};
  std::string collective{};
  ProblemOptions part{};  // what of the network takes part
  ModelOptions model{};
  CollectiveOptions rest{};
  ReportForm form{};
  const ArgumentParser* app = nullptr;  // knows which options were given

  [[nodiscard]] std::optional<Problem> problem(CollectiveKind kind) const {
    if (on.empty()) return std::nullopt;
    const Topology net = parse_topology_for_figures(on);
    return rest.problem_for_figures(net, kind, model.model(!bytes.empty(), net.link_rates()));
  }
};

void add_unless_empty(Report& report, std::string_view label, std::string_view text) {
  if (!text.empty()) report.add(label, std::string(text), text);
}

std::string figure(std::string_view what, const std::optional<uint64_t>& value) {
  return value ? fmt::format("{} {}", with_thousands(*value), what) : "";
}

std::string prediction_text(const Offer& offer) {
  const StatedFigures& predicted = offer.predicted;
  std::vector<std::string> parts;
  for (std::string part : {figure("steps", predicted.steps), figure("start-ups", predicted.start_ups),
                           figure("blocks on the busiest link", predicted.busiest_link),
                           figure("blocks on the critical path", predicted.critical_blocks),
                           figure("blocks rearranged", offer.rearranged)}) {
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts.empty() ? "no figures: they are known once the plan exists" : join(parts);
}

Json json_of(const StatedFigures& predicted) {
  const auto json = [](const std::optional<uint64_t>& value) { return value ? Json(*value) : Json(); };
  Json out = Json::object();
  out.set("steps", json(predicted.steps))
      .set("start_ups", json(predicted.start_ups))
      .set("busiest_link", json(predicted.busiest_link))
      .set("critical_blocks", json(predicted.critical_blocks));
  return out;
}

std::string yes_or_no(const Offer& offer) {
  const std::string answer = offer.applies ? "yes" : "no";
  return offer.reason.empty() ? answer : fmt::format("{}: {}", answer, offer.reason);
}

void explain_algorithm(const Algorithm& card, const ExplainOptions& options, Report& report) {
  report.add("algorithm", fmt::format("{}, for {}", card.name, name_of(card.collective)), card.name);
  report.add_json("collective", name_of(card.collective));
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "remarks", card.remarks);
  add_unless_empty(report, "source", card.source);
  if (const LocalProgram* local = local_program_catalog().find(card.name)) {
    report.add("local", fmt::format("a node {}; it knows {}", local->rule, local->knows), local->rule);
    report.add_json("local_table", local->knows);
  }
  const std::optional<Problem> problem = options.problem(card.collective);
  if (!problem) return;
  const Offer offer = offer_of(card.name, *problem);
  report.add("on", fmt::format("{}, {}", problem->topology().name(), describe(problem->model())),
             problem->topology().name());
  report.add("applies", yes_or_no(offer), offer.applies);
  if (!offer.reason.empty()) report.add_json("reason", offer.reason);
  if (!offer.applies) {
    const std::string instead = instead_of(card, *problem);
    report.add("instead", instead, instead);
    return;
  }
  report.add("predicts", prediction_text(offer), json_of(offer.predicted));
  const Bound best = best_bound(*problem);
  report.add("lower bound",
             fmt::format("{} steps by {}: {}", with_thousands(static_cast<uint64_t>(best.value.ceil())),
                         best.name, best.witness),
             best.value.ceil());
}

void explain_bound(const BoundCard& card, const ExplainOptions& options, Report& report) {
  report.add("bound", std::string(card.name), card.name);
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "source", card.source);
  if (options.on.empty()) return;
  if (options.collective.empty()) {
    throw InputError(fmt::format("--on {}: say for which --collective the bound is wanted", options.on));
  }
  const std::optional<Problem> problem = options.problem(parse_collective_kind(options.collective));
  const std::vector<Bound> bounds = bounds_of(card, *problem);
  const Bound* bound = bounds.empty() ? nullptr : &bounds.front();
  report.add("on", fmt::format("{}, {}", problem->title(), describe(problem->model())), problem->title());
  report.add(
      "value",
      bound ? fmt::format("{} {}", bound->value.to_string(), name_of(bound->on)) : "it says nothing here",
      bound ? Json(bound->value) : Json());
  if (bound) report.add("witness", bound->witness, bound->witness);
}

void explain_cost(const PublishedCost& card, const ExplainOptions& options, Report& report) {
  report.add("cost",
             fmt::format("{}, for {}; model only: a formula, no plan", card.name, name_of(card.collective)),
             card.name);
  report.add_json("collective", name_of(card.collective));
  report.add_json("model_only", true);
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "formula", card.formula);
  add_unless_empty(report, "source", card.source);
  const std::optional<Problem> problem = options.problem(card.collective);
  if (!problem) return;
  report.add("on", fmt::format("{}, {}", problem->topology().name(), describe(problem->model())),
             problem->topology().name());
  const std::optional<std::string> reason = card.refuses(*problem);
  report.add("applies", reason ? "no: " + *reason : "yes", !reason);
  if (reason) {
    report.add_json("reason", *reason);
    return;
  }
  const CostParts parts = card.cost(*problem);
  const auto json = [](const std::optional<uint64_t>& value) { return value ? Json(*value) : Json(); };
  Json promised = Json::object();
  promised.set("start_ups", parts.start_ups)
      .set("critical_blocks", json(parts.critical_blocks))
      .set("rearranged", json(parts.rearranged));
  report.add("promises", parts.to_text(), std::move(promised));
}

void explain_rule(const RuleCard& card, Report& report) {
  report.add("rule", std::string(card.name), card.name);
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "details", card.details);
}

void explain_machine(const Machine& card, Report& report) {
  report.add("machine", std::string(card.name), card.name);
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "network", card.network);
  report.add("costs", to_text(card.cost), costs_json(card.cost));
  report.add_json("time_unit", time_unit_json(card.cost));
  add_unless_empty(report, "source", card.source);
}

void explain_family(const Family& card, Report& report) {
  report.add("topology", std::string(card.syntax), card.name);
  add_unless_empty(report, "summary", card.summary);
  add_unless_empty(report, "parameters", card.parameters);
  add_unless_empty(report, "numbering", card.numbering);
  if (!card.aliases.empty()) report.add("also called", join(card.aliases), join(card.aliases));
  add_unless_empty(report, "source", card.source);
  std::vector<std::string_view> few(card.samples.begin(), card.samples.end());
  if (few.size() > 6) few.resize(6);
  if (!few.empty()) report.add("examples", join(few), join(few));
}

void explain_exporter(const Exporter& card, Report& report) {
  report.add("exporter", std::string(card.name), card.name);
  report.add("summary", std::string(card.summary), card.summary);
  if (!card.extension.empty()) report.add("files", "usually *" + std::string(card.extension), card.extension);
  report.add("more", "docs/exports.md", "docs/exports.md");
}

// Why one is the best for messages of that size.
void explain_size(const Problem& asked, const ExplainOptions& options, Report& report) {
  const Problem problem = with_packets_of_sizes(asked, options.model.packets.empty());
  if (problem.model() != asked.model())
    report.add_text("packets", "many a link and step, or one: what is faster");
  const uint64_t bytes = parse_bytes(options.bytes, "--bytes");
  require_size_counts(problem.model().cost, "--bytes");
  const CostConstants& cost = problem.model().cost;
  report.add_json("model", model_json(problem.model()));
  report.add("machine", machine_text(cost), machine_json(cost));
  report.add_json("costs", costs_json(cost));
  report.add_json("time_unit", time_unit_json(cost));
  const Problem one = problem.collective().pieces() == 1 ? problem : in_pieces(problem, 1);
  const bool chosen = options.rest.any_pieces(true);
  report_size_reasons(
      one, bytes,
      why_at(one, bytes, kThreads, chosen ? std::nullopt : std::optional(options.rest.first_pieces())),
      report);
}

void explain_collective(CollectiveKind kind, const ExplainOptions& options, Report& report) {
  report.add("collective", std::string(name_of(kind)), name_of(kind));
  report.add("summary", std::string(summary_of(kind)), summary_of(kind));
  const std::optional<Problem> problem = options.problem(kind);
  if (problem)
    report.add("on", fmt::format("{}, {}", problem->topology().name(), describe(problem->model())),
               problem->title());
  if (problem && !options.bytes.empty()) return explain_size(*problem, options, report);
  Json cards = Json::array();
  const auto add = [&](std::string_view name, const std::string& text, const Offer* offer) {
    report.add_text("algorithm", fmt::format("{}: {}", name, text));
    Json one = Json::object();
    one.set("name", name);
    if (offer != nullptr) one.set("applies", offer->applies);
    if (offer != nullptr && offer->applies) one.set("predicts", json_of(offer->predicted));
    one.set("text", text);
    cards.push(std::move(one));
  };
  if (problem) {
    for (const Offer& offer : offers(*problem)) {
      add(offer.name,
          offer.applies ? "applies: " + prediction_text(offer) : "does not apply: " + offer.reason, &offer);
    }
  } else {
    for (const Algorithm* card : algorithm_catalog())
      if (card->collective == kind) add(card->name, std::string(card->summary), nullptr);
  }
  report.add_json("algorithms", std::move(cards));
}

// Throws InputError for an option that says nothing about what the name stands for.
void require_use(const ExplainOptions& options) {
  const std::string& name = options.name;
  const bool is_bound = bound_catalog().find(name) != nullptr;
  const bool is_kind = std::ranges::any_of(listed_collectives(),
                                           [&name](CollectiveKind kind) { return name_of(kind) == name; });
  const bool has_answers = is_bound || is_kind || algorithm_catalog().find(name) != nullptr ||
                           published_costs().find(name) != nullptr;
  if (!options.on.empty() && !has_answers) {
    throw InputError(fmt::format(
        "--on {}: {} is a {}; --on goes with algorithms, collectives, bounds and costs", options.on, name,
        rule_catalog().find(name) != nullptr       ? "rule"
        : machine_catalog().find(name) != nullptr  ? "machine"
        : exporter_catalog().find(name) != nullptr ? "exporter"
                                                   : "topology"));
  }
  if (!options.collective.empty() && !is_bound)
    throw InputError(
        fmt::format("--collective {}: it goes with a bound, and {} is none", options.collective, name));
  if (!options.bytes.empty() && !is_kind) {
    throw InputError(fmt::format(
        "--bytes {}: it asks which algorithm of a collective is the best; {} is none", options.bytes, name));
  }
  if (!options.on.empty()) return;
  for (const Argument& option : options.app->arguments()) {
    if (option.count() == 0 || !option.is_option() || option.name() == "--json" || option.name() == "--csv")
      continue;
    throw InputError(fmt::format("{} says something with --on TOPOLOGY only", option.name()));
  }
}

// A name that reports print and no catalog has: "mirrored(allreduce_factors)", "alltoall_combining:4". Nothing where some word of it
// is unknown.
std::vector<Report> explain_parts_of(const ExplainOptions& options) {
  std::vector<Report> reports;
  const std::vector<NamePart> parts = parts_of_name(options.name);
  ExplainOptions part_options = options;
  if (parts.size() > 1) part_options.on.clear();
  std::set<std::string_view> said;
  for (const NamePart& part : parts) {
    if (!said.insert(part.word).second) continue;
    Report report;
    if (!part.meaning.empty()) {
      report.add("plan", part.word == "+" ? "X + Y" : part.word + "(X)", part.word);
      report.add("summary", std::string(part.meaning), part.meaning);
    } else if (const Algorithm* card = algorithm_catalog().find(part.word)) {
      part_options.name = part.word;
      explain_algorithm(*card, part_options, report);
    } else {
      return {};
    }
    reports.push_back(std::move(report));
  }
  if (parts.size() > 1 && !options.on.empty())
    throw InputError(fmt::format("--on {}: it goes with one name; {} is made of several, such as {}",
                                 options.on, options.name, parts.back().word));
  return reports;
}

// A name may be in several catalogs.
std::vector<Report> explain_all(const ExplainOptions& options) {
  std::vector<Report> reports;
  const std::string& name = options.name;
  if (const Family* card = family_catalog().find(name)) explain_family(*card, reports.emplace_back());
  for (const CollectiveKind kind : listed_collectives()) {
    if (name_of(kind) == name) explain_collective(kind, options, reports.emplace_back());
  }
  if (const Algorithm* card = algorithm_catalog().find(name))
    explain_algorithm(*card, options, reports.emplace_back());
  if (const BoundCard* card = bound_catalog().find(name))
    explain_bound(*card, options, reports.emplace_back());
  if (const RuleCard* card = rule_catalog().find(name)) explain_rule(*card, reports.emplace_back());
  if (const Machine* card = machine_catalog().find(name)) explain_machine(*card, reports.emplace_back());
  if (const Exporter* card = exporter_catalog().find(name)) explain_exporter(*card, reports.emplace_back());
  if (const PublishedCost* card = published_costs().find(name))
    explain_cost(*card, options, reports.emplace_back());
  if (reports.empty()) {
    reports = explain_parts_of(options);
    if (reports.empty()) throw no_such_name(name);
    return reports;
  }
  require_use(options);
  return reports;
}

// One row for each card; of a collective one for each of its algorithms.
void print_rows(const std::vector<Report>& reports, std::ostream& out) {
  out << "kind,name,on,applies,steps,start_ups,busiest_link,lower_bound,text\n";
  const auto cell = [](const Report& report, const std::string& member) {
    const Json* value = report.json().at(member);
    return value == nullptr ? std::string() : csv_word(value->cell());
  };
  constexpr const char* kKinds[] = {"algorithm", "bound",    "rule",       "machine", "exporter",
                                    "cost",      "topology", "collective", "plan"};
  for (const Report& report : reports) {
    std::string kind;
    for (const char* each : kKinds)
      if (kind.empty() && report.json().at(each) != nullptr) kind = each;
    const std::string on = cell(report, "on");
    if (report.json().at("algorithms/0") != nullptr) {
      for (size_t i = 0; report.json().at(fmt::format("algorithms/{}", i)) != nullptr; ++i) {
        const std::string one = fmt::format("algorithms/{}/", i);
        out << fmt::format("algorithm,{},{},{},{},{},{},,{}\n", cell(report, one + "name"), on,
                           cell(report, one + "applies"), cell(report, one + "predicts/steps"),
                           cell(report, one + "predicts/start_ups"),
                           cell(report, one + "predicts/busiest_link"), cell(report, one + "text"));
      }
      continue;
    }
    const bool sized = report.json().at("best") != nullptr;  // the best for messages of a size
    const std::string text = cell(report, "reason");
    out << fmt::format("{},{},{},{},{},{},{},{},{}\n", sized ? "algorithm" : kind,
                       cell(report, sized ? "best/algorithm" : kind), on, cell(report, "applies"),
                       cell(report, "predicts/steps"),
                       cell(report, sized ? "best/start_ups" : "predicts/start_ups"),
                       cell(report, "predicts/busiest_link"), cell(report, "lower_bound"),
                       text.empty() ? cell(report, "summary") : text);
  }
}

int explain(const ExplainOptions& given, Console& console) {
  ExplainOptions options = given;
  if (!options.topology.empty() && !options.on.empty())
    throw InputError(fmt::format("--on {}: the network is '{}' already", options.on, options.topology));
  if (options.on.empty()) options.on = options.topology;
  if (!options.on.empty()) options.on = options.part.network_of(options.on);
  const std::vector<Report> reports =
      while_waiting(console, "asking the algorithms", [&] { return explain_all(options); });
  if (options.form.csv) {
    print_rows(reports, console.out);
    return kExitOk;
  }
  for (const Report& report : reports) {
    if (&report != &reports.front()) console.out << "\n";
    report.print(console.out, options.form);
  }
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ExplainOptions>();
  options->app = &app;
  app.add_option("NAME", options->name, "of a topology, collective, algorithm, bound, rule, cost or machine")
      ->required();
  app.add_option("TOPOLOGY", options->topology, "the same as --on TOPOLOGY");
  app.add_option("--on", options->on, "what it says about this network")->type_name("TOPOLOGY");
  app.add_option("--collective", options->collective, "with --on, for a bound: of which collective")
      ->type_name("COLLECTIVE");
  add_part_options(app, options->part);
  add_model_options(app, options->model);
  add_collective_options(app, options->rest);
  app.add_option("--bytes", options->bytes,
                 "of a collective on a network: why one algorithm is the best for messages of that size")
      ->type_name("B")
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_bytes(value, name)); });
  add_report_form(app, options->form, {}, "print it as JSON; as CSV, a row for each thing of that name");
  return [options](Console& console) {
    options->form.require_one();
    return explain(*options, console);
  };
}

}  // namespace
}  // namespace explain_parts

namespace commands {

extern const Command explain;

const Command explain{
    .name = "explain",
    .summary = "what a name means; with --on, what it predicts there",
    .details =
        "Says what is known of anything that `quadrille list` prints, and takes names of reports apart, such as "
        "\"mirrored(allreduce_factors)\". With --on TOPOLOGY: why an algorithm applies, or which condition fails, and what it "
        "predicts there; with --bytes, too, which one of a collective is the fastest for messages of that size, why, and from "
        "which size on another one is.",
    .example = R"~($ quadrille explain alltoall_cayley --on "mesh(3,3)" --ports one
algorithm  alltoall_cayley, for alltoall
summary    all nodes of a Cayley graph forward the same relative message along the same generator in
           every step
remarks    any Cayley graph, one port is enough; optimal with one port: the total distance of a node
source     collective communication dissertation 1996, theorem 4.11
local      a node forwards the head of its queue along the generator that one table names; own
           messages join a window of 16; it knows the table W of first hops, one entry per relative
           message
on         mesh(3,3), one-port, packet switching, full duplex
applies    no: it needs a Cayley graph; no group is known for mesh(3,3)
instead    alltoall_balanced_paths applies, and predicts 18 steps
)~",
    .setup = explain_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
