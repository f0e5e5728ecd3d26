#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/shortest_paths.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/worms/kept_packings.h"
#include "quadrille/algorithms/placed_ranks/rank_placements.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"
#include "quadrille/algorithms/placed_ranks/routed/rounds_in_place.h"
#include "quadrille/algorithms/placed_ranks/routed/rounds_meter.h"
#include "quadrille/algorithms/placed_ranks/worth_placing.h"
#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/transforms/compact_steps.h"
#include "quadrille/transforms/sums_in_order.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNeighbours = 256;
constexpr uint32_t kMostOnLines = 1024;
constexpr uint32_t kMostOnComplete = 2048;               // where all are neighbours
constexpr uint64_t kMostEntries = uint64_t{1} << 26U;    // of the table of next hops
constexpr uint64_t kMostCompacted = uint64_t{1} << 20U;  // blocks in all messages

constexpr std::string_view kNoPorts = "it sends more messages in a round than there are ports, or links, for";

// A plan: rounds that are steps as they are, or steps that were packed.
struct Placed {
  RankRounds rounds;
  Placement placement;
  bool is_free = false;
  bool is_left_out = false;  // not worth placing: there are no rounds
  Prediction prediction{};
  MeasuredPlan packed{};
};

uint64_t blocks_of(const RankRounds& rounds) {
  uint64_t blocks = 0;
  for (size_t r = 0; r < rounds.size(); ++r)
    for (const RankRounds::Message& message : rounds.round(r)) blocks += rounds.blocks(message).size();
  return blocks;
}

// Packed, and what it takes.
class Packer {
 public:
  explicit Packer(const Problem& problem) : problem_(problem) {
    if (shares_arcs(problem.model()) || !takes_paths(problem.model())) {
      ways_.emplace(problem, kWays);
    } else {
      packings_.emplace(problem);
    }
  }

  // Nothing where it is given up, since nobody wants what takes so long; a round takes a step and a block at least.
  std::optional<Prediction> pack(const RankRounds& rounds, const Placement& placement, bool may_give_up,
                                 StepSink& sink) {
    RoundsInPlace placed(problem_, rounds, placement);
    const auto is_wanted = [may_give_up](const Prediction& now, size_t left) {
      return !may_give_up || !WorthMaking::is_limited() ||
             WorthMaking::is_any_of(*now.start_ups + left, *now.critical_blocks + left);
    };
    if (!takes_paths(problem_.model())) {
      Plan plan;
      placed.push_forwarded(*ways_, plan);
      MeasuredPlan measured(problem_, 0);
      Both both(measured, sink);
      const bool are_few =
          problem_.collective().num_ranks() <= kMostRanksTried && plan.num_transfers() <= kMostCompacted;
      push_compacted(plan, are_few, both);
      return measured.prediction();
    }
    if (ways_) {
      RoundsMeter meter(problem_, sink);
      const auto go_on = [&](size_t left) { return is_wanted(meter.prediction(), left); };
      return placed.push_shared(*ways_, meter, go_on) ? std::optional(meter.prediction()) : std::nullopt;
    }
    MeasuredPlan measured(0);
    Both both(measured, sink);
    if (problem_.collective().num_ranks() > kMostRanksTried || blocks_of(rounds) > kMostCompacted) {
      const auto go_on = [&](size_t left) { return is_wanted(measured.prediction(), left); };
      if (!placed.push_packed(*packings_, both, go_on)) return std::nullopt;
    } else {
      Plan plan;
      placed.push_packed(*packings_, plan, [](size_t /*left*/) { return true; });
      push_compacted(plan, true, both);
    }
    return measured.prediction();
  }

 private:
  class Both final : public StepSink {
   public:
    Both(StepSink& a, StepSink& b) : a_(a), b_(b) {}
    void push(const StepView& step) override {
      a_.push(step);
      b_.push(step);
    }

   private:
    StepSink& a_;
    StepSink& b_;
  };

  // Where an order counts, as it is unless it keeps that.
  void push_compacted(const Plan& plan, bool is_wanted, StepSink& sink) {
    if (!is_wanted) return plan.replay(sink);
    const Plan compacted = compact_steps(problem_, plan);
    const bool ordered = problem_.model().combining == Operator::kOrdered;
    (!ordered || sums_in_order(problem_, compacted) ? compacted : plan).replay(sink);
  }

  static constexpr uint32_t kWays = 8;

  const Problem& problem_;
  std::optional<KeptPackings> packings_;
  std::optional<ShortestPaths> ways_;
};

bool is_better(const Prediction& a, const Prediction& b) {
  return std::pair(*a.steps, *a.critical_blocks) < std::pair(*b.steps, *b.critical_blocks);
}

Prediction predicted_free(const Problem& problem, RoundsInPlace& placed, const RankRounds& rounds) {
  uint64_t steps = 0;
  uint64_t blocks = 0;
  for (size_t r = 0; r < rounds.size(); ++r) {
    steps += placed.steps_of_free(r);
    blocks += rounds.most_blocks(r);
  }
  Prediction out{.steps = steps, .start_ups = steps, .critical_blocks = blocks, .critical_hops = steps};
  // A link of its own for every message carries its blocks, and nothing else.
  const bool is_known = !has_wide_arcs(problem.topology()) && problem.model().cost.to == 0;
  if (shares_arcs(problem.model()) && !is_known) {
    CountingSink nobody;
    RoundsMeter meter(problem, nobody);
    placed.push_free(meter);
    out.critical_blocks = meter.prediction().critical_blocks;
    out.further_messages = meter.prediction().further_messages;
  }
  return out;
}

// Where all partners are neighbours; without a placement where none makes them so.
Placed place_free(const Problem& problem, RankRounds rounds, std::span<const Placement> all) {
  Placed out{.rounds = std::move(rounds), .placement = {}};
  for (const Placement& placement : all) {
    RoundsInPlace placed(problem, out.rounds, placement);
    if (!placed.are_free()) continue;
    out.placement = placement;
    out.is_free = true;
    out.prediction = predicted_free(problem, placed, out.rounds);
    break;
  }
  return out;
}

// Packets that others pass on.
bool can_be_forwarded(const Problem& problem, const RankRounds& rounds, const Placement& placement) {
  const uint64_t blocks = problem.collective().num_blocks();
  return problem.collective().num_ranks() <= kMostNeighbours &&
         blocks <= kMostEntries / problem.topology().num_nodes() &&
         RoundsInPlace(problem, rounds, placement).can_be_forwarded();
}

// Without a placement where none will do.
Placed place(const Problem& problem, RankRounds rounds, bool by_number, bool may_give_up) {
  const std::vector<Placement> all = placements(problem, by_number);
  Placed out = place_free(problem, std::move(rounds), all);
  if (out.is_free) return out;
  if (!takes_paths(problem.model()) && !can_be_forwarded(problem, out.rounds, all.front())) return out;
  Packer packer(problem);
  for (const Placement& placement : all) {
    MeasuredPlan plan;
    const std::optional<Prediction> prediction = packer.pack(out.rounds, placement, may_give_up, plan);
    if (!prediction || (!out.placement.empty() && !is_better(*prediction, out.prediction))) continue;
    out.placement = placement;
    out.prediction = *prediction;
    out.packed = std::move(plan);
  }
  return out;
}

Placed place_if_wanted(const Problem& problem, const RoundsMember& member) {
  const bool are_forwarded = !takes_paths(problem.model());
  if (are_worth_making(problem, member) && (!are_forwarded || are_worth_forwarding(problem))) {
    RankRounds rounds = member.rounds(problem);
    if (are_worth_placing(problem, rounds, member.by_number)) {
      Placed out = place(problem, std::move(rounds), member.by_number, true);
      out.is_left_out = out.placement.empty();
      return out;
    }
  }
  return {.rounds = {}, .placement = {}, .is_left_out = true};
}

Prediction predicted(const Problem&, const Placed& placed) { return placed.prediction; }

void generate(const Problem& problem, const Placed& placed, StepSink& sink) {
  if (placed.is_free) return RoundsInPlace(problem, placed.rounds, placed.placement).push_free(sink);
  QUADRILLE_CHECK(!placed.placement.empty(), "rounds for which there may be no ports have an outline");
  if (placed.packed.is_kept()) return placed.packed.replay(sink);
  static_cast<void>(Packer(problem).pack(placed.rounds, placed.placement, false, sink));
}

constexpr uint32_t kMostSoonRouted = 2048;
constexpr uint32_t kMostSoonBalanced = 512;  // where links are shared, ways are chosen

Effort effort_of(const Problem& problem, const RoundsMember& member) {
  const bool are_few =
      member.are_few && shares_arcs(problem.model()) && problem.collective().num_ranks() > kMostRanksTried;
  if (!are_few && !is_complete(problem.topology()) && !are_soon_routed(problem)) return Effort::kMuch;
  return some_at_large(problem);
}

Applicability apply_up_to(const Problem& problem, uint32_t most_neighbours) {
  const Model& model = problem.model();
  if (shares_arcs(model) && model.duplex == Duplex::kHalf)
    return Applicability::no("half duplex: its messages would meet on shared links");
  const Topology& topology = problem.topology();
  if (!takes_paths(model)) {
    if (is_complete(topology)) most_neighbours = kMostOnComplete;
    if (topology.num_endpoints() <= most_neighbours) return Applicability::yes();
    return Applicability::no(
        fmt::format("packets: it looks for a placement in which all partners are neighbours, for up to "
                    "{} ranks; {} has {}",
                    most_neighbours, topology.name(), topology.num_endpoints()));
  }
  const uint64_t entries = uint64_t{topology.num_nodes()} * topology.num_endpoints();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it keeps every next hop in memory: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), topology.name(),
                                       with_thousands(entries)));
}

}  // namespace

bool are_soon_routed(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  return takes_paths(problem.model()) && problem.topology().has_routers() && ranks > kMostRanksTried &&
         ranks <= (shares_arcs(problem.model()) ? kMostSoonBalanced : kMostSoonRouted);
}

Applicability rounds_apply(const Problem& problem) { return apply_up_to(problem, kMostNeighbours); }

Applicability line_rounds_apply(const Problem& problem) {
  const Topology& topology = problem.topology();
  const bool has_lines = topology.product() != nullptr && !topology.has_routers();
  return apply_up_to(problem, has_lines ? kMostOnLines : kMostNeighbours);
}

namespace {

// What is known without the rounds.
PreparedPlan foretold(const Problem& problem, const RoundsOutline& outline, const RoundsMember& member) {
  return sharing(
      problem, [member](const Problem& p) { return place(p, member.rounds(p), member.by_number, false); },
      [outline](const Problem& p, Once<Placed>&) {
        const uint64_t steps = carries_many(p.model()) ? outline.rounds : outline.blocks;
        Prediction out{
            .steps = steps, .start_ups = steps, .critical_blocks = outline.blocks, .critical_hops = steps};
        if (shares_arcs(p.model()) && p.model().cost.to > 0) out.further_messages = outline.further_messages;
        return out;
      },
      generate, Effort::kLittle, member.name);
}

// Made once somebody may want it.
PreparedPlan routed(const Problem& problem, RoundsMember member) {
  const auto shared = std::make_shared<const RoundsMember>(std::move(member));
  return sharing(
      problem, [shared](const Problem& p) { return place_if_wanted(p, *shared); }, predicted,
      [shared](const Problem& p, const Placed& placed, StepSink& sink) {
        if (!placed.is_left_out) return generate(p, placed, sink);
        generate(p, place(p, shared->rounds(p), shared->by_number, false), sink);
      },
      effort_of(problem, *shared), shared->name);
}

// Whether rounds of so many messages at a node are steps as they are. A link goes one way in a step of half duplex, and a round may
// use it both ways.
bool are_steps(const Problem& problem, const RoundsOutline& outline) {
  const Model& model = problem.model();
  const auto has_ports = [&](Ports ports) { return ports.unlimited() || ports.count >= outline.messages; };
  return is_complete(problem.topology()) && model.duplex == Duplex::kFull && !outline.meet_on_links &&
         has_ports(model.send) && has_ports(model.receive) &&
         !(shares_arcs(model) &&
           (has_wide_arcs(problem.topology()) || (model.cost.to > 0 && !outline.further_messages)));
}

// Whether messages go to neighbours alone, which machines of one packet and of many, and whoever borrows from them, would find out
// again and again.
bool are_found_free(const Problem& problem, const RoundsMember& member, const std::function<bool()>& find) {
  using Rounds = RankRounds (*)(const Problem&);
  struct Key {
    Rounds rounds;
    std::vector<uint32_t> sides;
    uint32_t pieces;
    std::optional<Rank> root;
    Ports send;
    Ports receive;
    Duplex duplex;
    Operator combining;
    bool by_number;
    bool operator==(const Key&) const = default;
  };
  const Rounds* const rounds = member.rounds.target<Rounds>();
  if (rounds == nullptr || !member.name.empty()) return find();
  static LastAnswers<Key, bool> kept(32);
  const Model& model = problem.model();
  const Collective& collective = problem.collective();
  return kept.of(problem.topology(),
                 {*rounds, sides_of(problem.topology()), collective.pieces(), collective.root(), model.send,
                  model.receive, model.duplex, model.combining, member.by_number},
                 find);
}

std::string why_not_forwarded(const Problem& problem) {
  const std::string further = "its messages go further than to neighbours, and ";
  const Model& model = problem.model();
  if (problem.collective().num_ranks() > kMostNeighbours)
    return further + fmt::format("packets are passed on for up to {} ranks", kMostNeighbours);
  if (model.chunks == Chunks::kInOrder) return further + "where others pass them on pieces come out of order";
  if (problem.collective().flow() != Flow::kCombine)
    return further + "there are too many blocks for packets to be passed on";
  return further + "for the partial sums that others would pass on there are too few slots";
}

}  // namespace

Preparation prepare_rounds(const Problem& problem, std::vector<RoundsMember> members) {
  Preparation out;
  const bool are_neighbours = is_complete(problem.topology());
  // Of so many neighbours rounds are made when they are wanted.
  const bool are_many_neighbours = are_neighbours && problem.model().duplex == Duplex::kFull &&
                                   problem.collective().num_ranks() > kMostNeighbours;
  for (RoundsMember& member : members) {
    const std::optional<RoundsOutline> known =
        are_neighbours && member.outline ? member.outline(problem) : std::nullopt;
    if (known && are_steps(problem, *known)) {
      out.plans.push_back(foretold(problem, *known, member));
      continue;
    }
    if (known && are_many_neighbours && !takes_paths(problem.model())) continue;  // there is no room for it
    if (takes_paths(problem.model()) || are_many_neighbours) {
      out.plans.push_back(routed(problem, std::move(member)));
      continue;
    }
    const std::vector<Placement> all = placements(problem, member.by_number);
    std::optional<Placed> placed;
    const auto find = [&] {
      placed = place_free(problem, member.rounds(problem), all);
      return placed->is_free;
    };
    // Nobody passes packets on among so many.
    if (problem.collective().num_ranks() > kMostNeighbours &&
        (!are_worth_making(problem, member) || !are_found_free(problem, member, find)))
      continue;
    if (!placed) find();
    if (placed->is_free) {
      out.plans.push_back(kept(problem, *std::move(placed), predicted, generate, std::move(member.name)));
    } else if (can_be_forwarded(problem, placed->rounds, all.front())) {
      out.plans.push_back(routed(problem, std::move(member)));
    }
  }
  if (!out.plans.empty()) return out;
  return Preparation::no(are_neighbours ? std::string(kNoPorts) : why_not_forwarded(problem));
}

}  // namespace quadrille
