// Counted levels: what one sender has for those at distance d or more crosses from level to level, one after the other.
//
// Of R blocks that go d hops or more at most c_j a step cross from level j - 1 to level j, for every j up to d. None is there
// before j - 1 steps are over, and none that crosses later than d - j steps before the end arrives. So T steps are no less than
// d - 1 + R / c_j: a large count for somebody far away takes its distance on top of what the degree says. What one receiver must
// have is the same backwards. The witness is a cut that moves with time.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard counted_levels;

namespace counted_levels_parts {
namespace {

constexpr uint64_t kMostLooks = 50'000'000;  // at links, from all ranks that are asked

// Levels around one rank: those of receivers by what they want of it, or, backwards, of senders by what they have for it.
class Levels {
 public:
  Levels(const Problem& problem, const Counts& counts, bool backwards)
      : problem_(problem), net_(problem.topology()), counts_(counts), backwards_(backwards) {}

  // Better than `best`, if it is.
  void look_from(Rank rank, std::optional<Bound>& best) {
    root_ = net_.endpoint(rank);
    hops_ = backwards_ ? distances_to(net_, root_) : distances_from(net_, root_);
    count_blocks(rank);
    measure_widths();
    size_t narrow = 1;
    for (size_t d = 1; d < blocks_.size(); ++d) {
      if (width_[d] < width_[narrow]) narrow = d;
      if (d == 1) continue;  // the degree, or the ports
      const Rational value = Rational(static_cast<int64_t>(d) - 1) + Rational::of(blocks_[d], width_[narrow]);
      if (!best || value.ceil() > best->value.ceil()) best = bound(value, d, narrow);
    }
  }

 private:
  // For level d and beyond.
  void count_blocks(Rank rank) {
    blocks_.assign(1, 0);
    for (const Counts::Entry& entry : counts_.from(rank)) {
      if (entry.to == rank) continue;
      const size_t d = hops_[index(net_.endpoint(entry.to))];
      blocks_.resize(std::max(blocks_.size(), d + 1), 0);
      blocks_[d] += entry.count;
    }
    for (size_t d = blocks_.size() - 1; d-- > 0;) blocks_[d] += blocks_[d + 1];
  }

  // What can cross into each level in a step.
  void measure_widths() {
    std::vector<uint64_t> from(net_.num_nodes(), 0);  // over links to the next level
    std::vector<uint64_t> into(net_.num_nodes(), 0);  // over links from the level before
    for (const ArcId arc : net_.arcs()) {
      const NodeId near = backwards_ ? net_.head(arc) : net_.tail(arc);
      const NodeId far = backwards_ ? net_.tail(arc) : net_.head(arc);
      if (hops_[index(near)] == kUnreachable || hops_[index(far)] <= hops_[index(near)]) continue;
      from[index(near)] += net_.capacity(arc);
      into[index(far)] += net_.capacity(arc);
    }
    const Model& model = problem_.model();
    width_.assign(blocks_.size(), 0);
    std::vector<uint64_t> far_side(blocks_.size(), 0);
    for (const NodeId v : net_.nodes()) {
      const size_t d = hops_[index(v)];
      if (d < blocks_.size()) far_side[d] += limited(backwards_ ? model.send : model.receive, into[index(v)]);
      if (d + 1 < blocks_.size())
        width_[d + 1] += limited(backwards_ ? model.receive : model.send, from[index(v)]);
    }
    for (size_t d = 0; d < width_.size(); ++d) width_[d] = std::min(width_[d], far_side[d]);
  }

  [[nodiscard]] Bound bound(const Rational& value, size_t d, size_t narrow) const {
    Bound out{counted_levels.name, value,
              fmt::format("{} must {} distance {} or more {} {}, and {} a step can cross at distance {}",
                          plural(blocks_[d], "block"), backwards_ ? "come from" : "go to", d,
                          backwards_ ? "to" : "from", net_.label(root_), width_[narrow], narrow)};
    const Model& model = problem_.model();
    if (!model.send.unlimited() || !model.receive.unlimited()) return out;
    // Forwards a node is near once blocks can be there; behind the narrow place, once it is too late to go on from there.
    const auto last = static_cast<uint32_t>(value.ceil());
    TimesWitness cut;
    for (const NodeId v : net_.nodes()) {
      const auto hops = static_cast<uint32_t>(std::min<size_t>(hops_[index(v)], d));
      const auto deep = static_cast<uint32_t>(d);
      if (backwards_) {
        cut.times.push_back(hops < narrow ? last - hops : deep - hops);
      } else {
        cut.times.push_back(hops < narrow ? hops : last - (deep - hops));
      }
    }
    out.evidence = std::move(cut);
    return out;
  }

  static constexpr uint32_t kUnreachable = UINT32_MAX;

  const Problem& problem_;
  const Topology& net_;
  const Counts& counts_;
  bool backwards_;
  NodeId root_ = kNoNode;
  std::vector<uint32_t> hops_;
  std::vector<uint64_t> blocks_;
  std::vector<uint64_t> width_;
};

// Those first who have most to do; of a large network some of them.
std::vector<Rank> busiest_ranks(const Counts& counts, uint64_t most) {
  std::vector<Rank> ranks;
  for (uint32_t r = 0; r < counts.num_ranks(); ++r)
    if (counts.sent_by(Rank{r}) > 0) ranks.push_back(Rank{r});
  std::ranges::stable_sort(ranks, std::greater<>(), [&](Rank r) { return counts.sent_by(r); });
  if (ranks.size() > most) ranks.resize(most);
  return ranks;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Counts* counts = problem.collective().counts();
  if (counts == nullptr || problem.model().switching != Switching::kPacket || counts->moved() == 0)
    return std::nullopt;
  std::optional<Bound> best;
  const uint64_t most = 1 + kMostLooks / (problem.topology().num_arcs() + 1);
  for (const bool backwards : {false, true}) {
    const Counts there = backwards ? counts->transposed() : *counts;
    Levels levels(problem, there, backwards);
    for (const Rank rank : busiest_ranks(there, most)) levels.look_from(rank, best);
  }
  return best;
}

}  // namespace
}  // namespace counted_levels_parts

constinit const BoundCard counted_levels = {
    .name = "counted_levels",
    .summary =
        "blocks of one sender, or receiver, that go d hops or more, over what crosses to any nearer distance",
    .source = "counting; flows over time after Ford and Fulkerson 1958",
    .knows_counts = true,
    .evaluate = counted_levels_parts::evaluate,
};

}  // namespace quadrille::bounds
