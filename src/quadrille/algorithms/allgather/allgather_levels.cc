// Allgather along trees of few levels, on tori where paths may share links.
//
// Every node's block goes to all others down a level tree (torus_classes/level_tree.h), in as many steps as it has levels,
// over paths as short as so few steps allow. One class of the chunks for each turn of the torus (torus_classes.h) makes all
// links carry the same if all sides are equal: the tree's hops over the degree, and no tree of as many levels and fewer hops, no
// better allgather in as many steps.
//
// A member for each number of levels below the diameter: fewer start-ups, or fewer blocks. In those whose name ends in
// "-near" no node sends more messages than it has links; on rings these may have one class (torus_classes/ring_levels.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/torus_classes/ring_levels.h"
#include "quadrille/algorithms/torus_classes/turned_messages.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_levels;

namespace allgather_levels_parts {
namespace {

constexpr uint32_t kMostNearNodes = 256;
constexpr uint32_t kMostLevels = 8;

struct Member {
  TorusClasses torus;
  LevelTree tree;
  uint32_t classes;  // all of the torus, or one

  [[nodiscard]] uint64_t load_of(uint32_t level) const {
    return classes > 1 ? tree.load_of(torus, level) : busier_direction(torus, tree, level);
  }
};

Member with_all_classes(const TorusClasses& torus, LevelTree tree) {
  return {torus, std::move(tree), torus.classes()};
}

// With few ports: on rings also trees of one class.
std::optional<Member> near_member(const TorusClasses& torus, uint32_t levels, bool limited) {
  std::optional<LevelTree> turned = near_level_tree(torus, levels);
  std::optional<LevelTree> ring = limited ? ring_level_tree(torus, levels) : std::nullopt;
  if (ring && (!turned || busier_direction(torus, *ring) * torus.classes() < turned->load(torus)))
    return Member{torus, *std::move(ring), 1};
  if (!turned) return std::nullopt;
  return with_all_classes(torus, *std::move(turned));
}

Prediction predicted(const Problem& problem, const Member& member) {
  Prediction out{.steps = member.tree.levels, .start_ups = member.tree.levels, .critical_hops = 0};
  const uint64_t pieces = problem.collective().pieces() / member.classes;
  uint64_t blocks = 0;
  for (uint32_t level = 1; level <= member.tree.levels; ++level) {
    *out.critical_hops += longest_edge(member.torus, member.tree, level);
    blocks += member.load_of(level) * pieces;
  }
  // Where every class has as many pieces all links in dimensions of one length carry as much; what else is not predicted.
  if (problem.collective().pieces() % member.classes == 0) out.critical_blocks = out.busiest_link = blocks;
  return out;
}

void generate(const Problem& problem, const Member& member, StepSink& sink) {
  const Collective& collective = problem.collective();
  const TorusClasses& torus = member.torus;
  StepBuilder step;
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  struct Behind {
    uint32_t back;
    uint32_t klass;
  };
  std::vector<Behind> sources;
  for (uint32_t level = 1; level <= member.tree.levels; ++level) {
    for (const TurnedMessage& message :
         turned_messages(torus, member.tree, level, std::min(member.classes, collective.pieces()))) {
      sources.clear();
      for (const auto& [behind, klass] : message.behind) sources.push_back({torus.back(behind), klass});
      for (uint32_t v = 0; v < torus.num_nodes(); ++v) {
        torus.path(v, message.displacement, message.turns, path);
        blocks.clear();
        for (const auto& [back, klass] : sources) {
          const Rank source{torus.moved(v, back)};
          for (uint32_t piece = klass; piece < collective.pieces(); piece += member.classes)
            blocks.push_back(collective.block(source, piece));
        }
        step.add(path, blocks);
      }
    }
    step.flush(sink);
  }
}

Applicability applies(const Problem& problem) {
  return turned_messages_apply(problem, kMostNodesOfLevelTrees);
}

Preparation prepare(const Problem& problem) {
  const TorusClasses torus = *TorusClasses::of(problem.topology());
  const bool limited = !problem.model().send.unlimited() || !problem.model().receive.unlimited();
  const uint32_t diameter = torus.length(torus.by_length().back());
  Preparation out;
  for (uint32_t levels = 1; levels <= std::min(kMostLevels, diameter) && !limited; ++levels) {
    // No tree has fewer hops: the way to the farthest node is longer than its levels.
    const uint64_t hops = torus.num_nodes() - 1 + (diameter - levels);
    const auto make = [torus, levels, hops](const Problem& p) -> std::optional<Member> {
      const uint64_t least = hops * p.collective().pieces() / torus.directions().size();
      if (!WorthMaking::is_any_of(levels, least)) return std::nullopt;
      return with_all_classes(torus, level_tree(torus, levels));
    };
    const PreparedPlan plan = sharing(
        problem, make,
        [](const Problem& p, const std::optional<Member>& member) {
          return member ? predicted(p, *member) : Prediction{};
        },
        [torus, levels](const Problem& p, const std::optional<Member>& member, StepSink& sink) {
          generate(p, member ? *member : with_all_classes(torus, level_tree(torus, levels)), sink);
        },
        some_at_large(problem), fmt::format("levels-{}", levels));
    plan->takes_at_least(levels);
    out.plans.push_back(plan);
  }
  // Whether there is a tree takes a search.
  for (uint32_t levels = 1; levels <= std::min(kMostLevels, diameter) && torus.num_nodes() <= kMostNearNodes;
       ++levels) {
    std::optional<Member> member = near_member(torus, levels, limited);
    if (!member) continue;
    out.plans.push_back(
        kept(problem, *std::move(member), predicted, generate, fmt::format("levels-{}-near", levels)));
  }
  if (out.plans.empty()) return Preparation::no("no trees of so few messages were found");
  return out;
}

Chunking chunks(const Problem& problem) {
  const std::optional<TorusClasses> torus = TorusClasses::of(problem.topology());
  if (!torus) return {};
  return {.unit = torus->classes()};
}

}  // namespace
}  // namespace allgather_levels_parts

constinit const Algorithm allgather_levels = {
    .name = "allgather_levels",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "every block down a tree of few levels over short paths, a class of chunks for each turn of the torus",
    .source = "ours; Swing's trees are such trees",
    .remarks = "tori, shared links, all ports; as few steps as wanted, and few blocks for so few",
    .applies = allgather_levels_parts::applies,
    .chunks = allgather_levels_parts::chunks,
    .prepare = allgather_levels_parts::prepare,
};

}  // namespace quadrille::algorithms
