#include "quadrille/transforms/side_by_side.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/transforms/compact_steps.h"

namespace quadrille {
namespace {

// Whether no node starts or ends more messages than it has ports: transfers on the same path are one.
bool has_ports(const Problem& problem, const StepView& step) {
  const Model& model = problem.model();
  if (model.send.unlimited() && model.receive.unlimited()) return true;
  const Topology& topology = problem.topology();
  std::vector<std::vector<ArcId>> paths;
  for (size_t t = 0; t < step.size(); ++t) paths.emplace_back(step.arcs(t).begin(), step.arcs(t).end());
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<uint32_t> sent(topology.num_nodes(), 0);
  std::vector<uint32_t> received(topology.num_nodes(), 0);
  return std::ranges::all_of(paths, [&](const std::vector<ArcId>& path) {
    const uint32_t out = ++sent[index(topology.tail(path.front()))];
    const uint32_t in = ++received[index(topology.head(path.back()))];
    return (model.send.unlimited() || out <= model.send.count) &&
           (model.receive.unlimited() || in <= model.receive.count);
  });
}

// Whether no link of half duplex is used both ways.
bool has_one_way(const Problem& problem, const StepView& step) {
  if (problem.model().duplex != Duplex::kHalf) return true;
  const Topology& topology = problem.topology();
  std::vector<bool> used(topology.num_arcs());
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t)) used[index(arc)] = true;
  for (const ArcId arc : topology.arcs()) {
    const ArcId back = topology.reverse(arc);
    if (back != kNoArc && used[index(arc)] && used[index(back)]) return false;
  }
  return true;
}

}  // namespace

std::optional<Plan> side_by_side(const Problem& problem, const Plan& first, const Plan& second) {
  const uint32_t pieces = problem.collective().pieces();
  QUADRILLE_CHECK(pieces % 2 == 0, "there are two halves of the pieces");
  const uint32_t half = pieces / 2;
  const bool together = shares_arcs(problem.model());
  const std::array<const Plan*, 2> plans{&first, &second};
  Plan out;
  StepBuilder builder;
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < std::max(first.num_steps(), second.num_steps()); ++s) {
    for (uint32_t side = 0; side < 2; ++side) {
      if (s >= plans[side]->num_steps()) continue;
      const StepView step = plans[side]->step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        blocks.clear();
        for (const BlockId block : step.blocks(t)) {
          const auto whole = static_cast<uint32_t>(index(block) / half);
          const auto piece = static_cast<uint32_t>(index(block) % half);
          blocks.push_back(id_at<BlockId>(size_t{whole} * pieces + side * half + piece));
        }
        builder.add(step.arcs(t), blocks, step.op(t), step.slots_of(t));
      }
      if (!together) builder.flush(out);
    }
    if (!together) continue;
    if (!has_ports(problem, builder.view()) || !has_one_way(problem, builder.view())) return std::nullopt;
    builder.flush(out);
  }
  return together ? out : compact_steps(problem, out);
}

}  // namespace quadrille
