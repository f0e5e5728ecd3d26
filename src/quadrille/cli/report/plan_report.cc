#include "quadrille/cli/report/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/base/text.h"
#include "quadrille/cli/report/model_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/collective/counts.h"
#include "quadrille/compile/array_meter.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/verify/finding.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Json json_of(const std::optional<uint64_t>& value) { return value ? Json(*value) : Json(); }

// Figures that were given before the judge counted: an algorithm predicts them, a stranger's file states
// them.
std::string_view given_word(const Compiled& judged) { return judged.reason.empty() ? "stated" : "predicted"; }

// " (predicted 8)", or nothing.
std::string given_text(const Compiled& judged, const std::optional<uint64_t>& given) {
  return given ? fmt::format(" ({} {})", given_word(judged), with_thousands(*given)) : "";
}

std::string measured(const Compiled& judged, uint64_t value, const std::optional<uint64_t>& given) {
  return with_thousands(value) + given_text(judged, given);
}

std::string arc_text(const Topology& topology, ArcId arc) {
  return fmt::format("{} > {}", topology.label(topology.tail(arc)), topology.label(topology.head(arc)));
}

// How far above the bound.
std::string distance_text(uint64_t steps, uint64_t bound) {
  if (steps == bound) return "optimal: no plan takes fewer steps";
  if (steps < bound)
    return "below a lower bound, which is false then: an error of this program, please report it";
  if (bound == 0) return fmt::format("{} above the best lower bound", plural(steps, "step"));
  return fmt::format("{} ({:.1f} %) above the best lower bound; whether fewer are possible is not known here",
                     plural(steps - bound, "step"),
                     100.0 * static_cast<double>(steps - bound) / static_cast<double>(bound));
}

// A block as plan files name it: [0,5].
Json json_of(const BlockName& name) {
  Json out = Json::array();
  for (uint32_t i = 0; i < name.size; ++i) out.push(name.parts[i]);
  return out;
}

// What is found in a step has a number there, from 1; what is found at the end is about a block.
Json json_of(const Problem& problem, const Finding& finding) {
  const bool at_end = finding.step == Finding::kAtEnd;
  const bool named = finding.transfer != Finding::kAtEnd;
  Json out = Json::object();
  out.set("rule", finding.rule)
      .set("step", at_end ? Json() : Json(finding.step + 1))
      .set("transfer", at_end || !named ? Json() : Json(finding.transfer + 1));
  const FindingPlace& place = finding.place;
  const Topology& topology = problem.topology();
  if (place.node != kNoNode) out.set("node", index(place.node));
  if (place.arc != kNoArc) {
    Json link = Json::array();
    link.push(index(topology.tail(place.arc)));
    link.push(index(topology.head(place.arc)));
    out.set("link", std::move(link));
  }
  if (place.block) out.set("block", json_of(problem.block_name(*place.block)));
  out.set("message", finding.message);
  return out;
}

// Blocks on the critical path, where a transfer can carry more than one.
void report_critical_blocks(const Compiled& judged, Report& report) {
  const Figures& figures = judged.verdict.figures;
  if (sends_single_packets(judged.head.problem.model())) {
    report.add_json("critical_blocks", figures.critical_blocks);
    return;
  }
  const Bound best = best_of(judged.bounds, BoundOn::kCriticalBlocks);
  const auto least = static_cast<uint64_t>(best.value.ceil());
  std::string text = plural(figures.critical_blocks, "block") +
                     given_text(judged, judged.head.stated_figures.critical_blocks);
  if (least > 0) {
    text += fmt::format("; at least {} by {}: {}", with_thousands(least), best.name, best.witness);
  }
  report.add("critical path", text, figures.critical_blocks);
  report.add_json("lower_bound_critical_blocks", least);
}

// The parts of a time, and what they add up to, in the unit of the constants.
std::string time_text(const Problem& problem, double time) {
  return fmt::format("{:.6g}{}", time, problem.model().cost.in_microseconds ? " us" : "");
}

Json json_of(const PlanTime& time) {
  Json out = Json::object();
  out.set("latency", time.latency)
      .set("messages", time.messages)
      .set("propagation", time.propagation)
      .set("transfer", time.transfer)
      .set("rearrangement", time.rearrangement ? Json(*time.rearrangement) : Json());
  return out;
}

// "9 us: latency 5 us + messages 1 us + transfer 3 us, for blocks of 64 bytes; at least 7 us".
void report_time(const Problem& problem, const PlanTime& time, bool knows_hops, bool knows_messages,
                 std::string_view rearranging, uint64_t message_bytes, Report& report) {
  const auto text = [&problem](double part) { return time_text(problem, part); };
  std::string parts = "latency " + text(time.latency);
  std::string missing;
  if (messages_cost(problem)) {
    if (knows_messages) parts += " + messages " + text(time.messages);
    if (!knows_messages) missing += "; further messages not counted";
  }
  if (hops_cost(problem)) {
    if (knows_hops) parts += " + propagation " + text(time.propagation);
    if (!knows_hops) missing += "; propagation not counted";
  }
  parts += " + transfer " + text(time.transfer);
  if (rearranging_costs(problem)) {
    if (time.rearrangement) parts += " + rearrangement " + text(*time.rearrangement);
    if (!time.rearrangement) missing += "; rearrangement not counted";
    if (!time.rearrangement) missing += rearranging;
    report.add_json("rearrangement_counted", time.rearrangement.has_value());
  }
  const CostConstants& cost = problem.model().cost;
  const bool is_of_any_size = cost.tx == 0 && cost.rho == 0;
  std::string least = text(time.least);
  if (time.of_many_packets && time.of_many_packets->time < time.least)
    least += fmt::format(", with many packets a step {}", text(time.of_many_packets->time));
  report.add("time",
             fmt::format("{}: {}{}, for {}; at least {}", text(time.total), parts, missing,
                         is_of_any_size ? "messages of any size (their bytes cost nothing)"
                                        : message_text(problem, message_bytes),
                         least),
             time.total);
  report.add_json("time_unit", time_unit_json(cost));
  report.add_json("time_parts", json_of(time));
  report.add_json("lower_bound_time", time.least);
  report.add_json("lower_bound_time_by", time.bound.to_text());
  if (time.of_many_packets) report.add_json("lower_bound_time_many_packets", time.of_many_packets->time);
}

void report_bounds(std::span<const Bound> bounds, uint64_t steps, Report& report) {
  const Bound best = best_of(bounds);
  const auto least = static_cast<uint64_t>(best.value.ceil());
  const std::string exact = best.value.is_integer() ? "" : fmt::format(" ({})", best.value.to_string());
  report.add_text("lower bound",
                  fmt::format("{}{} by {}: {}", with_thousands(least), exact, best.name, best.witness));
  report.add_text("quality", distance_text(steps, least));

  Json all = Json::array();
  for (const Bound& bound : bounds) {
    Json one = Json::object();
    one.set("name", bound.name)
        .set("on", name_of(bound.on))
        .set("value", bound.value)
        .set("witness", bound.witness);
    all.push(std::move(one));
  }
  report.add_json("lower_bound", least);
  report.add_json("bounds", std::move(all));
  report.add_json("optimal", steps == least);
}

}  // namespace

void report_problem(const Problem& problem, Report& report) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const std::string routers =
      topology.has_routers() ? fmt::format(", {} of them endpoints", with_thousands(topology.num_endpoints()))
                             : "";
  report.add("topology",
             fmt::format("{}: {}{}, {}", topology.name(), plural(topology.num_nodes(), "node"), routers,
                         plural(arc_count(topology), "arc") + (topology.is_outline() ? ", in outline" : "")),
             topology.name());
  std::string what = fmt::format("{}: {}", collective.name(), plural(collective.block_count(), "block"));
  if (const Counts* counts = collective.counts(); counts != nullptr && counts->num_blocks() > 0) {
    uint32_t most = 0;
    for (const Counts::Entry& e : counts->entries()) most = std::max(most, e.count);
    const size_t pairs = counts->entries().size();
    what += pairs == 1
                ? ", all of one pair"
                : fmt::format(" of {} pairs, at most {} of one", with_thousands(pairs), with_thousands(most));
  }
  if (collective.pieces() > 1) what += fmt::format(" ({} pieces each)", collective.pieces());
  if (collective.root())
    what += fmt::format(", root {}", topology.label(topology.endpoint(*collective.root())));
  report.add("collective", what, collective.name());
  if (collective.root())
    report.add_json("root", static_cast<uint64_t>(index(topology.endpoint(*collective.root()))));
  report.add_json("pieces", collective.pieces());
  report.add("model", describe(problem.model()), model_json(problem.model()));
  const CostConstants& cost = problem.model().cost;
  report_machine(cost, "machine", report);
  if (cost != CostConstants{}) report.add_json("costs", costs_json(cost));
}

void report_figures(const Compiled& judged, Report& report) {
  const StatedFigures& given = judged.head.stated_figures;
  const Figures& figures = judged.verdict.figures;
  report.add("steps", measured(judged, figures.steps, given.steps), figures.steps);
  report_bounds(judged.bounds, figures.steps, report);
  if (!judged.stated.proved.empty()) report.add_text("witness", join(judged.stated.proved, "; "));
  report.add("start-ups", measured(judged, figures.start_ups, given.start_ups), figures.start_ups);
  report_critical_blocks(judged, report);
  report.add_json("critical_hops", figures.critical_hops);
  const Problem& problem = judged.head.problem;
  if (problem.model().switching == Switching::kShared || messages_cost(problem)) {
    std::string text = fmt::format("at most {} a node and step", with_thousands(figures.messages));
    if (messages_cost(problem)) {
      text += fmt::format("; {} beyond the first of a step", with_thousands(figures.further_messages));
      report.add_json("further_messages", figures.further_messages);
    }
    report.add("messages", text, figures.messages);
  }
  report.add("transfers", with_thousands(figures.transfers), figures.transfers);
  report.add("block hops", with_thousands(figures.block_hops), figures.block_hops);
  std::string busiest = plural(figures.busiest_link, "block") + given_text(judged, given.busiest_link);
  if (figures.busiest_arc != kNoArc) {
    busiest += ", first over " + arc_text(judged.head.problem.topology(), figures.busiest_arc);
  }
  report.add("busiest link", busiest, figures.busiest_link);
  Json figures_given = Json::object();
  figures_given.set("steps", json_of(given.steps))
      .set("start_ups", json_of(given.start_ups))
      .set("busiest_link", json_of(given.busiest_link))
      .set("critical_blocks", json_of(given.critical_blocks));
  report.add_json(given_word(judged), std::move(figures_given));
}

void report_predicted(const Decision& decision, uint64_t message_bytes, Report& report) {
  const Problem& problem = decision.head.problem;
  const StatedFigures& figures = decision.head.stated_figures;
  const auto add = [&](std::string_view label, const std::optional<uint64_t>& value, std::string_view what) {
    if (value) report.add(label, fmt::format("{}{}", with_thousands(*value), what), *value);
  };
  add("steps", figures.steps, " (predicted)");
  if (figures.steps) report_bounds(decision.bounds, *figures.steps, report);
  add("start-ups", figures.start_ups, " (predicted)");
  if (figures.critical_blocks && carries_many(problem.model())) {
    const Bound best = best_of(decision.bounds, BoundOn::kCriticalBlocks);
    const auto least = static_cast<uint64_t>(best.value.ceil());
    add("critical path", figures.critical_blocks,
        fmt::format(" blocks (predicted); at least {} by {}: {}", with_thousands(least), best.name,
                    best.witness));
    report.add_json("lower_bound_critical_blocks", least);
  }
  add("busiest link", figures.busiest_link, " blocks (predicted)");
  const CostConstants& cost = problem.model().cost;
  if ((cost.tx == 0 && cost.tl == 0 && cost.rho == 0 && cost.to == 0 && !cost.in_microseconds) ||
      !figures.start_ups)
    return;
  // Of single packets a step has one round.
  const std::optional<uint64_t> rounds = figures.critical_blocks || !sends_single_packets(problem.model())
                                             ? figures.critical_blocks
                                             : figures.start_ups;
  if (!rounds) return;
  Figures predicted;
  predicted.steps = figures.steps.value_or(*figures.start_ups);
  predicted.start_ups = *figures.start_ups;
  predicted.critical_blocks = *rounds;
  predicted.critical_hops = decision.critical_hops.value_or(0);
  predicted.further_messages = decision.further_messages.value_or(0);
  PlanTime time = time_of(problem, predicted, decision.bounds, decision.rearranged, message_bytes);
  time.of_many_packets = decision.least_of_many;
  report_time(problem, time, decision.critical_hops.has_value(), decision.further_messages.has_value(), "",
              message_bytes, report);
}

namespace {

// What is not counted can be, where arrays can be laid out for certain: why_no_array_layout() (program/arrays/array_layout.h).
std::string_view how_to_count_rearrangement(const Problem& problem, const Figures& figures) {
  const Model& model = problem.model();
  const bool sends_one = (model.send == kOnePort && model.receive == kOnePort) ||
                         (model.switching == Switching::kShared && figures.messages <= 1);
  const bool lies_in_arrays =
      problem.collective().flow() == Flow::kMove && !problem.topology().has_routers() && sends_one;
  return lies_in_arrays ? " (--slices counts it)" : "";
}

}  // namespace

void report_time(const Compiled& judged, uint64_t message_bytes, Report& report) {
  if (!judged.time) return;
  const Problem& problem = judged.head.problem;
  report_time(problem, *judged.time, true, true, how_to_count_rearrangement(problem, judged.verdict.figures),
              message_bytes, report);
}

void report_time_on(const CostConstants& cost, const Compiled& judged, uint64_t message_bytes,
                    Report& report) {
  const Problem& problem = judged.head.problem;
  Model model = problem.model();
  model.cost = cost;
  const Problem priced(problem.topology(), problem.collective(), model);
  if (cost != problem.model().cost) {
    report_machine(cost, "priced on", report);
    report.add_json("priced_costs", costs_json(cost));
  }
  std::optional<uint64_t> rearranged = judged.rearranged;
  if (!rearranged && rearranging_costs(priced) && judged.schedule &&
      problem.topology().num_nodes() <= kMostNodesOfArrays)
    rearranged = total(rearranged_before(*judged.schedule));
  // Messages are counted where they cost something.
  Figures figures = judged.verdict.figures;
  const bool lacks_messages = messages_cost(priced) && !messages_cost(problem);
  if (lacks_messages && judged.schedule) {
    Judge again(priced);
    judged.schedule->plan().replay(again);
    figures = again.finish().figures;
  }
  report_time(priced, time_of(priced, figures, judged.bounds, rearranged, message_bytes), true,
              !lacks_messages || judged.schedule.has_value(), how_to_count_rearrangement(problem, figures),
              message_bytes, report);
}

void report_queues(const Problem& problem, const std::optional<QueueFigures>& measured, Report& report) {
  if (!measured) return;
  const Topology& topology = problem.topology();
  const QueueFigures& queues = *measured;
  std::string text = "none: no block ever waits";
  if (queues.link > 0) {
    text = fmt::format("{} for {} after step {}; {} from {} after step {}; {} at {} after step {}",
                       plural(queues.link, "block"), arc_text(topology, queues.arc), queues.link_step + 1,
                       plural(queues.incoming, "block"), arc_text(topology, queues.incoming_arc),
                       queues.incoming_step + 1, plural(queues.node, "block"), topology.label(queues.at),
                       queues.node_step + 1);
  }
  Json json = Json::object();
  json.set("link", queues.link).set("incoming", queues.incoming).set("node", queues.node);
  report.add("queues", text, std::move(json));
}

namespace {

std::string how_it_was_judged(const Verdict& verdict) {
  if (verdict.mended) return fmt::format(", at one node for all but {}", plural(*verdict.mended, "block"));
  return verdict.at_one_node ? ", at one node for all: every step is the same at all nodes" : "";
}

}  // namespace

void report_verdict(const Problem& problem, const Verdict& verdict, Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : verdict.findings) findings.push(json_of(problem, finding));
  report.add("verdict",
             verdict.passed() ? fmt::format("verified: {}, no violations{}",
                                            plural(rule_catalog().size(), "rule"), how_it_was_judged(verdict))
                              : fmt::format("rejected: {}", plural(verdict.total_findings, "violation")),
             verdict.passed() ? "passed" : "rejected");
  if (verdict.at_one_node) report.add_json("judged_at_one_node", true);
  if (verdict.mended) report.add_json("blocks_judged_apart", *verdict.mended);
  report.add_json("total_findings", verdict.total_findings);
  report.add_json("findings", std::move(findings));
}

std::string findings_text(const Verdict& verdict) {
  std::string out;
  for (const Finding& finding : verdict.findings) out += to_text(finding) + "\n";
  const uint64_t more = verdict.total_findings - verdict.findings.size();
  if (more > 0) out += fmt::format("... and {}\n", plural(more, "more violation"));
  return out;
}

}  // namespace quadrille
