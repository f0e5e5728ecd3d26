#include "quadrille/bounds/time_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/bounds/spreading/relayed_rounds.h"
#include "quadrille/bounds/spreading/rounds_over_hops.h"
#include "quadrille/bounds/spreading/rounds_to_spread.h"
#include "quadrille/bounds/spreading/tree_hops.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille {
namespace {

// More steps than these are not looked at one by one.
constexpr uint64_t kMostSteps = uint64_t{1} << 16U;

double number(uint64_t value) { return static_cast<double>(value); }

// The same with blocks that are sent whole.
Problem in_one_piece(const Problem& problem) {
  const std::optional<Rank> root = problem.collective().root();
  const NodeId node = root ? problem.topology().endpoint(*root) : kNoNode;
  const CollectiveKind kind = problem.collective().kind();
  return problem.collective().is_numbered()
             ? standard_problem(problem.topology(), kind, problem.model(), node)
             : problem_for_figures(problem.topology(), kind, problem.model(), node);
}

// What says most of the rounds that each piece takes, whatever their number.
void take_rounds(const Problem& problem, std::span<const Bound> bounds, TimeBound& out) {
  // Where a step has one round, steps are rounds.
  const BoundOn counted = sends_single_packets(problem.model()) ? BoundOn::kSteps : BoundOn::kCriticalBlocks;
  for (const Bound& bound : bounds) {
    if (bound.on != counted) continue;
    const BoundCard* const card = bound_catalog().find(bound.name);
    if (card == nullptr || !card->in_proportion || bound.value <= out.rounds) continue;
    out.rounds = bound.value;
    out.rounds_by = bound.name;
  }
  for (const BoundCard* card : bound_catalog()) {
    const std::optional<Rational> rounds = rounds_of_each(*card, problem);
    if (!rounds || *rounds <= out.rounds) continue;
    out.rounds = *rounds;
    out.rounds_by = card->name;
  }
}

// Bounds of one piece.
TimeBound from(const Problem& problem, std::span<const Bound> bounds) {
  TimeBound out;
  const Bound steps = best_of(bounds);
  out.start_ups = static_cast<uint64_t>(steps.value.ceil());
  out.start_ups_by = steps.name;
  take_rounds(problem, bounds, out);
  return out;
}

// The fewest messages of one node beyond its first with which so many steps can reach all ranks.
uint64_t further_messages(uint64_t steps, uint64_t ranks) {
  if (steps == 0 || steps >= 64) return 0;
  std::vector<uint64_t> factors(steps, 2);
  const auto product = [&] {
    uint64_t out = 1;
    for (const uint64_t factor : factors) {
      out *= factor;
      if (out >= ranks) break;
    }
    return out;
  };
  uint64_t out = 0;
  // As equal as can be: no others have a larger product.
  for (size_t i = 0; product() < ranks; i = (i + 1) % factors.size()) {
    factors[i] += 1;
    ++out;
  }
  return out;
}

// Where pieces follow each other: from which node, or backwards to it.
struct Source {
  NodeId node;
  bool backwards;
};

std::optional<Source> source_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  if (!sends_single_packets(problem.model()) || collective.num_ranks() < 2) return std::nullopt;
  const bool backwards = collective.kind() == CollectiveKind::kReduce;
  if (collective.kind() == CollectiveKind::kBroadcast || backwards)
    return Source{topology.endpoint(*collective.root()), backwards};
  if (collective.kind() == CollectiveKind::kAllreduce)
    return Source{quickest_to_all(topology, topology.endpoint(Rank{0}), true, 1).node, false};
  return std::nullopt;
}

// Paths of least total length from one node to another.
struct PathsTo {
  std::vector<SuccessivePaths::Length> paths;
  NodeId to = kNoNode;
};

// To those nodes that are the last for few pieces and for many.
std::vector<PathsTo> find_flows(const Topology& topology, const Source& source) {
  constexpr uint64_t kMany = uint64_t{1} << 40U;
  const auto [from, backwards] = source;
  std::vector<PathsTo> out;
  SuccessivePaths paths(topology, from, backwards);
  for (const uint64_t pieces : {uint64_t{1}, uint64_t{64}, kMany}) {
    const NodeId to = quickest_to_all(topology, from, backwards, pieces).node;
    if (std::ranges::any_of(out, [&](const PathsTo& flow) { return flow.to == to; })) continue;
    if (paths.quickest(to, kMany) == 0 || paths.lengths().empty()) continue;
    out.push_back({paths.lengths(), to});
  }
  return out;
}

std::vector<PathsTo> flows_of(const Topology& topology, const Source& source) {
  static LastAnswers<std::pair<NodeId, bool>, std::vector<PathsTo>> kept(8);
  return kept.of(topology, {source.node, source.backwards}, [&] { return find_flows(topology, source); });
}

// Of more steps the last of these is said.
constexpr size_t kMostSpreads = 64;
// Where one piece takes more, it is by its way; what is known on it, step by step, would say little.
constexpr uint64_t kMostStepsToSpread = 256;

// Of a broadcast, a reduce, and an allreduce, in which the message of each rank spreads: of the one with the fewest links.
std::vector<double> spread_of(const Problem& problem, uint64_t steps, double least) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const CollectiveKind kind = collective.kind();
  if (sends_single_packets(problem.model()) || collective.num_ranks() < 2 || steps > kMostStepsToSpread)
    return {};
  if (kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce) {
    const NodeId root = topology.endpoint(*collective.root());
    const RoundsToSpread spread(problem, root, kind == CollectiveKind::kReduce, steps);
    return spread.in_steps(steps, kMostSpreads, least);
  }
  if (kind != CollectiveKind::kAllreduce) return {};
  const std::vector<uint64_t> links = node_capacities(topology).out;
  const NodeId origin =
      *std::ranges::min_element(topology.endpoints(), {}, [&](NodeId v) { return links[index(v)]; });
  return RoundsToSpread(problem, origin, false, 0).in_steps(steps, kMostSpreads, least);
}

}  // namespace

std::string TimeBound::to_text() const {
  if (relayed) {
    return fmt::format("{}, with which a link or port must carry {:.6g} messages (relayed in so few steps)",
                       plural(relayed->start_ups, "start-up"), relayed->rounds);
  }
  if (over_hops) {
    return fmt::format(
        "{}, with which a link or port must carry {:.6g} messages (over so many hops in so few steps)",
        plural(over_hops->start_ups, "start-up"), over_hops->rounds);
  }
  if (spread) {
    return fmt::format("{}, with which a link or port must carry {:.6g} messages (spreading in so few steps)",
                       plural(spread->start_ups, "start-up"), spread->rounds);
  }
  if (tree) {
    return fmt::format("{}, with which a link must carry {:.6g} messages (trees of so few levels)",
                       plural(tree->start_ups, "start-up"), tree->rounds.to_double());
  }
  if (stream) {
    return fmt::format("{}, which bring at most {} to {}", plural(stream->steps, "step"),
                       plural(stream->pieces, "piece"),
                       stream->to.empty() ? "all (links and ports)" : stream->to + " (quickest_flow)");
  }
  std::string out = plural(start_ups, "start-up");
  if (!start_ups_by.empty() && start_ups > 0) out += fmt::format(" ({})", start_ups_by);
  if (further_messages > 0) out += fmt::format(", {}", plural(further_messages, "further message"));
  if (!rounds_by.empty())
    out += fmt::format(" and {:.6g} messages over a link ({})", rounds.to_double(), rounds_by);
  return out;
}

LeastTime::LeastTime(const Problem& problem, std::span<const Bound> bounds)
    : cost_(problem.model().cost), ranks_(problem.collective().num_ranks()) {
  std::vector<Bound> of_one;
  if (problem.collective().pieces() > 1) {
    of_one = all_bounds(in_one_piece(problem));
    bounds = of_one;
  }
  whole_ = from(problem.collective().pieces() > 1 ? in_one_piece(problem) : problem, bounds);
  if (problem.topology().is_outline()) return;  // what follows looks at its links
  if (auto trees = std::make_shared<const TreeHops>(problem); trees->is_known()) trees_ = std::move(trees);
  for (const ArcId arc : problem.topology().arcs()) links_ += problem.topology().capacity(arc);
  spread_ = spread_of(problem, whole_.start_ups, whole_.rounds.to_double());
  if (problem.model().packets == Packets::kMany) over_hops_ = std::make_shared<const RoundsOverHops>(problem);
  relayed_ = relayed_rounds(problem, whole_.start_ups, whole_.rounds.to_double());
  const std::optional<Source> source = source_of(problem);
  if (!source) return;
  // Values of all ranks, in an allreduce: those of one need no more.
  const bool from_root = problem.collective().kind() != CollectiveKind::kAllreduce;
  deliveries_.emplace(problem, source->node, source->backwards, from_root ? whole_.start_ups : 0);
  for (const PathsTo& flow : flows_of(problem.topology(), *source)) {
    streams_.push_back({{}, problem.topology().label(flow.to)});
    for (const auto& [hops, capacity] : flow.paths) streams_.back().paths.push_back({hops, capacity});
  }
}

Rational LeastTime::rounds_of_trees(uint64_t levels) const {
  return Rational::of(trees_->in_levels(levels), static_cast<Int128>(links_));
}

double LeastTime::time_of_steps(uint64_t steps) const {
  // Whatever starts goes somewhere.
  const double time = number(steps) * (cost_.ts + cost_.tl);
  return cost_.to > 0 ? time + number(further_messages(steps, ranks_)) * cost_.to : time;
}

TimeBound LeastTime::operator()(uint64_t message_bytes) const {
  TimeBound out = whole_;
  const double byte_time = number(message_bytes) * cost_.tx;
  double latency = time_of_steps(whole_.start_ups);
  // More steps need fewer messages.
  for (uint64_t steps = whole_.start_ups + 1; cost_.to > 0 && steps < 64; ++steps) {
    const double time = time_of_steps(steps);
    if (time >= latency) continue;
    latency = time;
    out.start_ups = steps;
    out.start_ups_by = "messages cost";
  }
  if (cost_.to > 0) out.further_messages = further_messages(out.start_ups, ranks_);
  out.time = latency + byte_time * whole_.rounds.to_double();
  for (const Stream& stream : streams_) {
    const TimeBound::Stream best = least(stream, byte_time);
    const double time = time_of_stream(best, byte_time);
    if (time <= out.time * (1 + 1e-12)) continue;
    out.time = time;
    out.stream = best;
  }
  if (const auto spread = least_spread(byte_time)) {
    const double time = time_of_steps(spread->start_ups) + byte_time * spread->rounds;
    if (time > out.time * (1 + 1e-12)) {
      out.time = time;
      out.spread = spread;
    }
  }
  if (over_hops_) {
    const auto [steps, rounds, time] =
        over_hops_->least(whole_.start_ups, whole_.rounds.to_double(), cost_.ts + cost_.tl, byte_time);
    if (time > out.time * (1 + 1e-12)) {
      out.time = time;
      out.over_hops = TimeBound::Spread{steps, rounds};
    }
  }
  if (const auto relayed = least_relayed(byte_time)) {
    const double time = time_of_steps(relayed->start_ups) + byte_time * relayed->rounds;
    if (time > out.time * (1 + 1e-12)) {
      out.time = time;
      out.relayed = relayed;
    }
  }
  if (!trees_) return out;
  const uint64_t most = std::max<uint64_t>(out.start_ups, trees_->most_levels());
  std::optional<TimeBound::Tree> best;
  double least = 0;
  for (uint64_t steps = whole_.start_ups; steps <= most; ++steps) {
    const Rational rounds = std::max(rounds_of_trees(steps), whole_.rounds);
    const double time = time_of_steps(steps) + byte_time * rounds.to_double();
    if (best && time >= least) continue;
    best = {steps, rounds};
    least = time;
  }
  if (best && least > out.time * (1 + 1e-12)) {
    out.time = least;
    out.tree = best;
  }
  return out;
}

std::optional<TimeBound::Spread> LeastTime::least_spread(double byte_time) const {
  std::optional<TimeBound::Spread> out;
  if (spread_.empty()) return out;
  // Of the last, and all that follow: no less than all must carry. They need more start-ups, but fewer messages where these cost.
  const size_t looked_at = cost_.to > 0 ? std::max(spread_.size(), kMostSpreads) : spread_.size();
  double least = 0;
  for (size_t i = 0; i < looked_at; ++i) {
    const uint64_t steps = whole_.start_ups + i;
    const double rounds = i + 1 < spread_.size() ? spread_[i] : whole_.rounds.to_double();
    const double time = time_of_steps(steps) + byte_time * rounds;
    if (out && time >= least) continue;
    out = {steps, rounds};
    least = time;
  }
  return out;
}

std::optional<TimeBound::Spread> LeastTime::least_relayed(double byte_time) const {
  std::optional<TimeBound::Spread> out;
  double least = 0;
  // More start-ups than those that are known need no less than all must carry.
  for (size_t i = 0; !relayed_.empty() && i <= relayed_.size(); ++i) {
    const uint64_t steps = whole_.start_ups + i;
    const double rounds = i < relayed_.size() ? relayed_[i] : whole_.rounds.to_double();
    const double time = time_of_steps(steps) + byte_time * rounds;
    if (out && time >= least) continue;
    out = {steps, rounds};
    least = time;
  }
  return out;
}

double LeastTime::time_of_stream(const TimeBound::Stream& stream, double byte_time) const {
  const double rounds = number(stream.steps) / number(stream.pieces);
  return time_of_steps(stream.steps) + byte_time * std::max(whole_.rounds.to_double(), rounds);
}

uint64_t LeastTime::Stream::pieces(uint64_t steps) const {
  uint64_t out = 0;
  for (const auto& [hops, capacity] : paths) out += steps >= hops ? capacity * (steps - hops + 1) : 0;
  return out;
}

// By the flow, or by what all can send.
TimeBound::Stream LeastTime::pieces_of(const Stream& stream, uint64_t steps) const {
  const uint64_t flow = stream.pieces(steps);
  const uint64_t sent = deliveries_->pieces(steps);
  if (sent < flow) return {steps, sent, ""};
  return {steps, flow, stream.to};
}

// Over all numbers of steps.
TimeBound::Stream LeastTime::least(const Stream& stream, double byte_time) const {
  uint64_t channels = 0;
  uint64_t nearest = UINT64_MAX;
  for (const auto& [hops, capacity] : stream.paths) {
    channels += capacity;
    nearest = std::min(nearest, hops);
  }
  TimeBound::Stream best;
  // No number of steps brings more of a message in each of them.
  const double least_rounds = std::max(whole_.rounds.to_double(), 1.0 / number(channels));
  double time = std::numeric_limits<double>::infinity();
  for (uint64_t steps = std::max(nearest, whole_.start_ups);; ++steps) {
    const double floor = time_of_steps(steps) + byte_time * least_rounds;
    if (floor >= time) return best;
    TimeBound::Stream now = pieces_of(stream, steps);
    // Far out, all channels are as good as full.
    if (steps > kMostSteps) now = {steps, channels * steps, stream.to};
    if (now.pieces == 0) continue;
    const double here = time_of_stream(now, byte_time);
    if (here < time) {
      time = here;
      best = now;
    }
    if (steps > kMostSteps) return best;
  }
}

Rational least_rounds(const Problem& problem) {
  std::vector<Bound> bounds;
  for (const BoundCard* card : bound_catalog()) {
    if (!card->in_proportion || card->takes_long) continue;
    for (Bound& bound : bounds_of(*card, problem)) bounds.push_back(std::move(bound));
  }
  TimeBound out;
  take_rounds(problem, bounds, out);
  return out.rounds;
}

TimeBound least_time(const Problem& problem, uint64_t message_bytes, std::span<const Bound> bounds) {
  return LeastTime(problem, bounds)(message_bytes);
}

}  // namespace quadrille
