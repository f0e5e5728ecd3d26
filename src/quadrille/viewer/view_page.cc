#include "quadrille/viewer/view_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/viewer/packed_text.h"

namespace quadrille {
namespace {

constexpr std::string_view kPlansGoHere = "<!--PLANS-->";

std::string_view word_of(Flow flow) {
  return flow == Flow::kMove ? "move" : flow == Flow::kCopy ? "copy" : "combine";
}

Json pair_of(size_t id, uint32_t weight) { return std::move(Json::array().push(id).push(weight)); }

Json json_of(const std::vector<WeightsWitness::Node>& nodes) {
  Json out = Json::array();
  for (const WeightsWitness::Node& node : nodes) out.push(pair_of(index(node.node), node.weight));
  return out;
}

Json nodes_json(std::span<const NodeId> nodes) {
  Json out = Json::array();
  for (const NodeId node : nodes) out.push(index(node));
  return out;
}

Json json_of(const BoundWitness& witness, const Topology& net) {
  Json out = Json::object();
  std::visit(
      [&](const auto& w) {
        using Kind = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<Kind, CutWitness>) {
          out.set("kind", "cut").set("nodes", nodes_json(w.nodes));
        } else if constexpr (std::is_same_v<Kind, NodeWitness>) {
          out.set("kind", "node").set("nodes", nodes_json(std::span(&w.node, 1)));
        } else if constexpr (std::is_same_v<Kind, InformedWitness>) {
          out.set("kind", "informed").set("nodes", nodes_json(std::span(&w.node, 1))).set("hops", w.hops);
        } else if constexpr (std::is_same_v<Kind, WeightsWitness>) {
          Json links = Json::array();
          for (const WeightsWitness::Link& link : w.links)
            if (const auto arc = net.find_arc(link.tail, link.head))
              links.push(pair_of(index(*arc), link.weight));
          out.set("kind", "weights").set("links", std::move(links));
          out.set("senders", json_of(w.senders)).set("receivers", json_of(w.receivers));
        } else if constexpr (std::is_same_v<Kind, TimesWitness>) {
          Json times = Json::array();
          for (const uint32_t time : w.times) times.push(time);
          out.set("kind", "times").set("times", std::move(times));
        } else if constexpr (std::is_same_v<Kind, BetweenWitness>) {
          out.set("kind", "between").set("nodes", nodes_json(w.nodes));
        } else if constexpr (std::is_same_v<Kind, OrderWitness>) {
          Json sides = Json::array();
          for (const uint32_t side : w.sides) sides.push(side);
          out.set("kind", "order").set("cut", w.cut).set("sides", std::move(sides));
        } else if constexpr (std::is_same_v<Kind, SendsWitness>) {
          out.set("kind", "sends").set("steps", w.steps);
        } else {
          static_assert(std::is_same_v<Kind, RefutationWitness>);
          out.set("kind", "refutation").set("lemmas", w.lemmas.size());
        }
      },
      witness);
  return out;
}

// Steps count from the first one on the page; a finding elsewhere is only counted.
Json findings_json(const PagePlan& plan) {
  const PageColumns& steps = plan.steps;
  const uint64_t first = steps.selection().first_step;
  Json out = Json::array();
  for (const Finding& finding : plan.verdict->findings) {
    const bool at_end = finding.step == Finding::kAtEnd;
    if (!at_end && (finding.step < first || finding.step >= first + steps.steps())) continue;
    Json one = Json::object();
    one.set("rule", finding.rule).set("step", at_end ? Json() : Json(finding.step - first));
    one.set("message", finding.message);
    if (finding.place.node != kNoNode) one.set("node", index(finding.place.node));
    if (finding.place.arc != kNoArc) one.set("arc", index(finding.place.arc));
    if (finding.place.block) one.set("block", page_block_key(steps.problem(), *finding.place.block));
    out.push(std::move(one));
  }
  return out;
}

std::vector<std::string> notes_of(const PagePlan& plan) {
  std::vector<std::string> notes = plan.notes;
  const PageSelection& chosen = plan.steps.selection();
  if (plan.steps.steps() < plan.steps.total_steps())
    notes.push_back(fmt::format(
        "This page shows steps {} to {} of {}.", with_thousands(chosen.first_step + 1),
        with_thousands(chosen.first_step + plan.steps.steps()), with_thousands(plan.steps.total_steps())));
  if (!chosen.all_nodes())
    notes.push_back(fmt::format("It shows what nodes {} to {} send and receive, and no other transfers.",
                                chosen.first_node, chosen.end_node - 1));
  if (plan.steps.missing_hops() > 0)
    notes.push_back(fmt::format("{} of its paths lead over no link, and cannot be drawn.",
                                plural(plan.steps.missing_hops(), "hop")));
  return notes;
}

std::string meta_of(const PagePlan& plan, const NetworkLayout& layout) {
  const Problem& problem = plan.steps.problem();
  Json meta = Json::object();
  meta.set("collective", problem.collective().name()).set("flow", word_of(problem.collective().flow()));
  meta.set("spec", problem.topology().name()).set("algorithm", plan.algorithm);
  meta.set("pieces", problem.collective().pieces()).set("first_step", plan.steps.selection().first_step);
  meta.set("total_steps", plan.steps.total_steps()).set("passed", plan.verdict->passed());
  if (!plan.verdict->passed())
    meta.set("total_findings", plan.verdict->total_findings).set("findings", findings_json(plan));
  if (plan.bound) {
    Json bound = Json::object();
    bound.set("name", plan.bound->name).set("value", plan.bound->value.to_string());
    bound.set("steps", plan.bound->value.ceil()).set("text", plan.bound->text);
    if (plan.bound->witness) bound.set("witness", json_of(*plan.bound->witness, problem.topology()));
    meta.set("bound", std::move(bound));
  }
  const std::string_view unit = problem.model().cost.in_microseconds ? "µs" : "units";
  meta.set("unit", unit);
  if (plan.time)
    meta.set("time", std::move(Json::object()
                                   .set("total", plan.time->total)
                                   .set("least", plan.time->least)
                                   .set("bytes", plan.time->message_bytes)));
  if (plan.run) meta.set("cycle_microseconds", plan.run->cycle_microseconds);
  Json groups = Json::array();
  for (const std::string& name : layout.group_names) groups.push(name);
  meta.set("layout", name_of(layout.kind))
      .set("pitch", double{layout.pitch})
      .set("groups", std::move(groups));
  if (!layout.is_flat())
    meta.set("yaw", std::round(100.0 * layout.yaw) / 100).set("tilt", std::round(100.0 * layout.tilt) / 100);
  Json notes = Json::array();
  for (std::string& note : notes_of(plan)) notes.push(std::move(note));
  meta.set("notes", std::move(notes));
  return meta.text();
}

// By the cycle in which they begin, then by link.
void append_run(PageRun run, std::string& packed) {
  std::sort(run.holds.begin(), run.holds.end(), [](const LinkHold& a, const LinkHold& b) {
    return std::tuple(a.from, a.arc, a.to, a.step) < std::tuple(b.from, b.arc, b.to, b.step);
  });
  std::array<std::vector<uint64_t>, 4> columns;
  for (const LinkHold& hold : run.holds) {
    columns[0].push_back(index(hold.arc));
    columns[1].push_back(hold.from);
    columns[2].push_back(hold.to - hold.from);
    columns[3].push_back(hold.step);
  }
  for (uint32_t i = 0; i < columns.size(); ++i) PageColumns::append_numbers(packed, 30 + i, columns[i]);
}

std::string packed(const PagePlan& plan, const NetworkLayout& layout) {
  std::string out = plan.steps.pack(layout);
  if (plan.run) append_run(*plan.run, out);
  return base64(gzip(out));
}

// Within an element of a script nothing may look like its end, or like a comment.
std::string in_script(std::string text) {
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string view_page(std::span<const PagePlan> plans, uint64_t most_bytes) {
  const std::string_view page = empty_page();
  const size_t at = page.find(kPlansGoHere);
  QUADRILLE_CHECK(at != std::string_view::npos, "the page has no place for plans");
  std::string out(page.substr(0, at));
  std::optional<NetworkLayout> layout;
  for (size_t i = 0; i < plans.size(); ++i) {
    QUADRILLE_CHECK(plans[i].verdict != nullptr, "a plan without a verdict");
    const Topology& net = plans[i].steps.problem().topology();
    if (!layout || !net.same_graph(plans[i - 1].steps.problem().topology())) layout = layout_of(net);
    out += fmt::format("<script type=\"application/json\" id=meta{}>{}</script>\n", i,
                       in_script(meta_of(plans[i], *layout)));
    out += fmt::format("<script type=\"application/octet-stream\" id=data{}>{}</script>\n", i,
                       packed(plans[i], *layout));
  }
  out += page.substr(at + kPlansGoHere.size());
  if (out.size() > most_bytes) {
    const uint64_t steps = plans[0].steps.steps();
    throw InputError(fmt::format(
        "the page would have {} bytes, a browser should be given at most {}: show some steps alone, such as --steps 0:{}, or "
        "what some nodes send and receive, such as --nodes 0:16",
        with_thousands(out.size()), with_thousands(most_bytes),
        std::max<uint64_t>(1, steps * most_bytes / out.size() / 2)));
  }
  return out;
}

}  // namespace quadrille
