#include "quadrille/draw/schedule_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr size_t kMostCells = 20'000;  // more are seen as means

std::vector<uint64_t> loads_by_capacity(const StepRecord& record) {
  std::vector<uint64_t> loads = record.loads();
  for (size_t a = 0; a < loads.size(); ++a) {
    const uint64_t capacity = record.problem().topology().capacity(id_at<ArcId>(a));
    loads[a] = (loads[a] + capacity - 1) / capacity;
  }
  return loads;
}

}  // namespace

NetworkScene step_scene(const StepRecord& record, const NetworkLayout& layout, uint64_t step) {
  if (step < record.first() || step >= record.last())
    throw InputError(fmt::format("there is no step {}; the plan has {}", with_thousands(step + 1),
                                 plural(record.steps(), "step")));
  const Topology& topology = record.problem().topology();
  NetworkScene out{
      .topology = topology, .layout = layout, .title = fmt::format("step {}", with_thousands(step + 1))};
  out.scale = record.scale();
  out.values.resize(topology.num_arcs());
  for (const DrawnUse& use : record.step(step))
    out.values[index(use.arc)] = static_cast<float>(record.value_of(use));
  return out;
}

NetworkScene scene_at_rest(const Problem& problem, const NetworkLayout& layout) {
  return {.topology = problem.topology(), .layout = layout, .note = "no steps: nothing has to be sent"};
}

NetworkScene load_scene(const StepRecord& record, const NetworkLayout& layout) {
  const Topology& topology = record.problem().topology();
  NetworkScene out{.topology = topology, .layout = layout};
  const std::vector<uint64_t> loads = loads_by_capacity(record);
  for (const uint64_t load : loads) out.values.push_back(static_cast<float>(load));
  const uint64_t largest = loads.empty() ? 1 : *std::max_element(loads.begin(), loads.end());
  out.scale = {.name = "blocks over a link", .largest = std::max(1.0, static_cast<double>(largest))};
  return out;
}

LoadHistogram load_histogram_of(const StepRecord& record) {
  LoadHistogram out{.loads = loads_by_capacity(record)};
  double sum = 0;
  for (const uint64_t load : out.loads) sum += static_cast<double>(load);
  out.mean = out.loads.empty() ? 0 : sum / static_cast<double>(out.loads.size());
  return out;
}

SpaceTime space_time_of(const StepRecord& record, const NetworkLayout& layout) {
  const LinkRows rows = link_rows(layout);
  SpaceTime out{.groups = rows.groups};
  out.end = static_cast<double>(record.last() - record.first());
  out.first_step = record.first() + 1;
  out.scale = record.scale();
  for (uint64_t s = record.first(); s < record.last(); ++s) {
    const auto start = static_cast<double>(s - record.first());
    for (const DrawnUse& use : record.step(s))
      out.cells.push_back({rows.row[index(use.arc)], start, start + 1, record.value_of(use)});
  }
  if (out.cells.size() > kMostCells) {
    out.mean = true;
    out.scale.whole = false;
    if (out.scale.words.empty()) out.scale.name += ", mean of links and steps";
  }
  return out;
}

NetworkScene witness_scene(const Topology& topology, const NetworkLayout& layout,
                           const BoundWitness& witness) {
  NetworkScene out{.topology = topology, .layout = layout};
  if (const auto* cut = std::get_if<CutWitness>(&witness)) {
    out.cut = cut->nodes;
  } else if (const auto* node = std::get_if<NodeWitness>(&witness)) {
    out.ringed = {node->node};
  } else if (const auto* informed = std::get_if<InformedWitness>(&witness)) {
    out.ringed = {informed->node};
  } else if (const auto* weights = std::get_if<WeightsWitness>(&witness)) {
    out.values.resize(topology.num_arcs());
    uint32_t largest = 1;
    for (const WeightsWitness::Link& link : weights->links) {
      if (const auto arc = topology.find_arc(link.tail, link.head))
        out.values[index(*arc)] = static_cast<float>(link.weight);
      largest = std::max(largest, link.weight);
    }
    out.scale = {.name = "weight of a link", .largest = static_cast<double>(largest)};
    for (const WeightsWitness::Node& one : weights->senders)
      if (weights->senders.size() < topology.num_nodes()) out.ringed.push_back(one.node);
  } else if (const auto* among = std::get_if<BetweenWitness>(&witness)) {
    out.ringed = among->nodes;
  }
  return out;
}

void point_out(std::span<const Finding> findings, uint64_t step, NetworkScene& scene) {
  for (const Finding& finding : findings) {
    if (finding.step != step) continue;
    if (finding.place.arc != kNoArc) scene.wrong.push_back(finding.place.arc);
    if (finding.place.arc == kNoArc && finding.place.node != kNoNode)
      scene.wrong_nodes.push_back(finding.place.node);
    if (scene.note.empty()) scene.note = to_text(finding);
  }
}

void point_out(std::span<const Finding> findings, const StepRecord& record, const LinkRows& rows,
               SpaceTime& diagram) {
  for (const Finding& finding : findings) {
    if (finding.place.arc == kNoArc || finding.step < record.first() || finding.step >= record.last())
      continue;
    diagram.marks.push_back(
        {rows.row[index(finding.place.arc)], static_cast<double>(finding.step - record.first()) + 0.5});
  }
}

}  // namespace quadrille
