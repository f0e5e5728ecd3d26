#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

using Fronts = std::map<uint32_t, std::vector<RingOption>>;  // by length

uint64_t nodes_of(const TorusShape& torus) {
  uint64_t out = 1;
  for (const uint32_t side : torus.sides) out *= side;
  return out;
}

Fronts fronts_of(const TorusShape& torus, uint32_t classes) {
  Fronts out;
  for (const uint32_t side : torus.sides) {
    if (!out.contains(side)) out[side] = ring_front(side / classes);
  }
  return out;
}

// A stage in classes: every side's phases run in step with the others'.
struct StageChoice {
  std::map<uint32_t, const RingOption*> by_side;
  WormCost cost{};
  uint64_t hops = 0;
};

WormCost lockstep(const std::map<uint32_t, const RingOption*>& by_side, uint64_t nodes, uint32_t classes) {
  std::vector<uint64_t> largest;
  for (const auto& entry : by_side) {
    const std::vector<uint32_t>& loads = entry.second->loads;
    largest.resize(std::max(largest.size(), loads.size()), 0);
    for (size_t p = 0; p < loads.size(); ++p)
      largest[p] = std::max(largest[p], nodes / entry.first * classes * loads[p]);
  }
  WormCost out{largest.size(), 0};
  for (const uint64_t blocks : largest) out.blocks += blocks;
  return out;
}

uint64_t hops_in_lockstep(const std::map<uint32_t, const RingOption*>& by_side, uint32_t classes) {
  std::vector<uint64_t> longest;
  for (const auto& entry : by_side) {
    const std::vector<uint32_t>& lengths = entry.second->lengths;
    longest.resize(std::max(longest.size(), lengths.size()), 0);
    for (size_t p = 0; p < lengths.size(); ++p)
      longest[p] = std::max(longest[p], uint64_t{classes} * lengths[p]);
  }
  uint64_t out = 0;
  for (const uint64_t links : longest) out += links;
  return out;
}

std::vector<StageChoice> stage_front(const Fronts& fronts, uint64_t nodes, uint32_t classes) {
  std::vector<StageChoice> out(1);
  for (const auto& entry : fronts) {
    std::vector<StageChoice> longer;
    for (const StageChoice& choice : out) {
      for (const RingOption& option : entry.second) {
        longer.push_back(choice);
        longer.back().by_side[entry.first] = &option;
      }
    }
    out = std::move(longer);
  }
  for (StageChoice& choice : out) {
    choice.cost = lockstep(choice.by_side, nodes, classes);
    choice.hops = hops_in_lockstep(choice.by_side, classes);
  }
  keep_front(out);
  return out;
}

std::string name_of_stage(const std::vector<RingRecipe>& recipes) {
  std::string out = recipes.front().name();
  if (std::all_of(recipes.begin(), recipes.end(), [&](const RingRecipe& r) { return r == recipes.front(); }))
    return out;
  for (size_t k = 1; k < recipes.size(); ++k) out += "+" + recipes[k].name();
  return out;
}

}  // namespace

Applicability worms_on_torus(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no(
        "it is for wormhole switching: it sends many blocks over a whole path in one step");
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  const std::optional<TorusShape> torus = as_torus(problem.topology());
  if (!torus || problem.topology().has_routers()) {
    return Applicability::no(
        fmt::format("it needs a torus, a ring or a hypercube; {} is none", problem.topology().name()));
  }
  for (const uint32_t side : torus->sides) {
    if (side <= kLongestWormRing) continue;
    return Applicability::no(fmt::format("it makes rings of up to {} nodes; a side of {} has {}",
                                         kLongestWormRing, problem.topology().name(), side));
  }
  return Applicability::yes();
}

std::string TorusMember::name() const {
  std::string out = classes > 1 ? fmt::format("{}:", classes) : "";
  if (recipes.empty() || recipes.front().empty()) return out + "nothing";
  out += name_of_stage(recipes.front());
  if (std::all_of(recipes.begin(), recipes.end(),
                  [&](const auto& stage) { return stage == recipes.front(); }))
    return out;
  for (size_t s = 1; s < recipes.size(); ++s) out += "/" + name_of_stage(recipes[s]);
  return out;
}

std::vector<TorusMember> plain_members(const TorusShape& torus) {
  count_work(Work::kSearching);
  const Fronts fronts = fronts_of(torus, 1);
  const uint64_t nodes = nodes_of(torus);
  std::vector<TorusMember> out{{.recipes = {{}}}};
  for (const uint32_t side : torus.sides) {
    std::vector<TorusMember> longer;
    for (const TorusMember& member : out) {
      for (const RingOption& option : fronts.at(side)) {
        longer.push_back(member);
        longer.back().recipes.front().push_back(option.recipe);
        longer.back().cost.start_ups += option.cost.start_ups;
        longer.back().cost.blocks += nodes / side * option.cost.blocks;
        for (const uint32_t links : option.lengths) longer.back().hops += links;
      }
    }
    keep_front(longer);
    out = std::move(longer);
  }
  return out;
}

std::vector<uint32_t> classes_on(const TorusShape& torus) {
  std::vector<uint32_t> out;
  const auto dimensions = static_cast<uint32_t>(torus.sides.size());
  if (dimensions < 2) return out;
  // The widest hop, half the classes, takes half of its length in dimensions.
  for (uint32_t classes = std::bit_ceil(dimensions); classes <= 4 * dimensions; classes *= 2) {
    if (std::all_of(torus.sides.begin(), torus.sides.end(), [=](uint32_t n) { return n % classes == 0; }))
      out.push_back(classes);
  }
  return out;
}

std::vector<TorusMember> class_members(const TorusShape& torus, uint32_t classes) {
  count_work(Work::kSearching);
  const Fronts fronts = fronts_of(torus, classes);
  const uint64_t nodes = nodes_of(torus);
  const std::vector<StageChoice> stages = stage_front(fronts, nodes, classes);
  const uint64_t hops = torus.sides.size() * static_cast<uint64_t>(std::bit_width(classes) - 1);
  std::vector<TorusMember> out{{.classes = classes,
                                .cost = {hops, hops * nodes / 2},
                                .hops = torus.sides.size() * uint64_t{classes - 1}}};
  for (uint32_t s = 0; s < classes; ++s) {
    std::vector<TorusMember> longer;
    for (const TorusMember& member : out) {
      for (const StageChoice& choice : stages) {
        longer.push_back(member);
        std::vector<RingRecipe>& recipes = longer.back().recipes.emplace_back();
        for (const uint32_t side : torus.sides) recipes.push_back(choice.by_side.at(side)->recipe);
        longer.back().cost.start_ups += choice.cost.start_ups;
        longer.back().cost.blocks += choice.cost.blocks;
        longer.back().hops += choice.hops;
      }
    }
    keep_front(longer);
    out = std::move(longer);
  }
  return out;
}

void prepare_classes(WormTorus& torus, size_t dimensions, uint32_t classes) {
  for (uint32_t distance = 1; distance < classes; distance *= 2) {
    for (size_t k = 0; k < dimensions; ++k) {
      if (distance <= 2) {
        torus.hop(k, distance, distance == 1 ? HopWay::kUp : HopWay::kByParity);
      } else {
        torus.hop_by_groups(k, distance);
      }
    }
  }
}

WormTorus::WorkOfGroups cyclic_stage(size_t stage, uint32_t classes,
                                     const std::vector<RingRecipe>& by_dimension) {
  WormTorus::WorkOfGroups out(classes);
  for (uint32_t g = 0; g < classes; ++g) {
    const size_t dimension = (g + classes - stage % classes) % classes;
    if (dimension < by_dimension.size()) out[g] = WormTorus::Work{dimension, by_dimension[dimension]};
  }
  return out;
}

WormTorus build_member(const TorusShape& torus, const TorusMember& member) {
  WormTorus out(torus, member.classes);
  if (member.classes == 1) {
    for (size_t k = 0; k < torus.sides.size(); ++k)
      out.exchange({WormTorus::Work{k, member.recipes.front()[k]}});
    return out;
  }
  prepare_classes(out, torus.sides.size(), member.classes);
  for (size_t s = 0; s < member.recipes.size(); ++s)
    out.exchange(cyclic_stage(s, member.classes, member.recipes[s]));
  return out;
}

Prediction prediction_of(const WormCost& cost, uint64_t hops, const Problem& problem) {
  return {.steps = cost.start_ups,
          .start_ups = cost.start_ups,
          .critical_blocks = cost.blocks * problem.collective().pieces(),
          .critical_hops = hops};
}

Prediction worm_torus_prediction(const Problem& problem, const WormTorus& torus) {
  return prediction_of(torus.cost(), torus.critical_hops(), problem);
}

void send_worms_on_torus(const Problem& problem, const WormTorus& torus, StepSink& sink) {
  torus.generate(problem, sink);
}

Preparation prepare_members(const Problem& problem, const std::vector<TorusMember>& members) {
  const TorusShape torus = *as_torus(problem.topology());
  Preparation out;
  for (const TorusMember& member : members) {
    out.plans.push_back(sharing(
        problem, [torus, member](const Problem&) { return build_member(torus, member); },
        [cost = member.cost, hops = member.hops](const Problem& p, Once<WormTorus>&) {
          return prediction_of(cost, hops, p);
        },
        send_worms_on_torus, Effort::kLittle, member.name()));
  }
  return out;
}

}  // namespace quadrille
