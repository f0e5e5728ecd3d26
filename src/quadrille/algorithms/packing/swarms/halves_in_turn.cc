#include "quadrille/algorithms/packing/swarms/halves_in_turn.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <queue>
#include <utility>

#include "quadrille/algorithms/packing/swarms/scarce_choice.h"
#include "quadrille/algorithms/packing/swarms/swarm_steps.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

constexpr uint32_t kStepsSooner[] = {0, 4, 16, 2, 32};
constexpr uint64_t kTurns = 4;  // of each
constexpr uint64_t kMostTurns = 2 * kTurns * std::size(kStepsSooner);
constexpr uint64_t kLooksOfALink = 8;  // beside those at 64 pieces each

// One turn.
class SpreadAnew {
 public:
  SpreadAnew(const Topology& net, uint32_t pieces)
      : net_(net),
        pieces_(pieces),
        into_(arcs_into(net)),
        scores_(net.num_nodes()),
        taken_(net.num_arcs(), 0),
        queues_(net.num_arcs()) {}

  // Nothing where it takes more than `most` steps.
  std::optional<HalfSteps> run(const HalfSteps& before, uint32_t sooner, size_t most, uint64_t seed) {
    BlockHoldings holdings(net_, pieces_);
    read(before, holdings);
    const std::vector<uint64_t> noise = ScarceChoice::noise_words(seed);
    ScarceChoice choice(net_, holdings, noise);
    Rng rng(seed);
    std::fill(scores_.begin(), scores_.end(), 0);
    HalfSteps out;
    SwarmSteps down;
    while (missing_ > 0 || ups_ > 0) {
      if (out.size() == most) return std::nullopt;
      const size_t now = out.size();
      send_up(now + sooner, out.emplace_back());
      down.emplace_back();
      for (const NodeId v : net_.nodes()) bring_down(v, choice, rng.next(), down.back());
      for (const HalfSend& send : out.back()) {
        const NodeId v = net_.head(send.arc);
        taken_[index(send.arc)] = 0;
        if (--waits_[at(send.piece, v)] == 0) has_all(send.piece, v, holdings);
      }
      for (const SwarmSend& send : down.back()) {
        const NodeId v = net_.head(send.arc);
        holdings.give(v, send.block);
        if (!net_.rank(v)) continue;
        --missing_;
        if (--wanting_[send.block] == 0) holdings.is_everywhere(send.block);
      }
    }
    leave_out_needless(net_, pieces_, down);
    for (size_t s = 0; s < out.size(); ++s)
      for (const SwarmSend& send : down[s]) out[s].push_back({send.arc, send.block, true});
    return out;
  }

 private:
  [[nodiscard]] size_t at(uint32_t piece, NodeId v) const {
    return size_t{piece} * net_.num_nodes() + index(v);
  }

  // What goes up: over which link, in which step before, after how many others.
  void read(const HalfSteps& before, BlockHoldings& holdings) {
    up_.assign(size_t{pieces_} * net_.num_nodes(), kNoArc);
    step_before_.assign(up_.size(), 0);
    waits_.assign(up_.size(), 0);
    for (auto& queue : queues_) queue = {};
    std::fill(taken_.begin(), taken_.end(), 0);
    wanting_.assign(pieces_, static_cast<uint32_t>(net_.num_endpoints()));
    missing_ = uint64_t{pieces_} * net_.num_endpoints();
    ups_ = 0;
    for (size_t s = 0; s < before.size(); ++s) {
      for (const HalfSend& send : before[s]) {
        if (send.down) continue;
        ++ups_;
        const size_t from = at(send.piece, net_.tail(send.arc));
        up_[from] = send.arc;
        step_before_[from] = static_cast<uint32_t>(s);
        ++waits_[at(send.piece, net_.head(send.arc))];
      }
    }
    for (uint32_t p = 0; p < pieces_; ++p) {
      for (const NodeId v : net_.nodes()) {
        const bool goes_up = up_[at(p, v)] != kNoArc;
        if (waits_[at(p, v)] == 0 && goes_up) has_all(p, v, holdings);
        const bool is_root = waits_[at(p, v)] > 0 && !goes_up;
        if (!is_root || !net_.rank(v)) continue;
        --wanting_[p];
        --missing_;
      }
    }
  }

  // Of what is below a node: it can go on, or is whole there.
  void has_all(uint32_t piece, NodeId v, BlockHoldings& holdings) {
    const ArcId arc = up_[at(piece, v)];
    if (arc == kNoArc) {
      holdings.begin(v, piece);
    } else {
      queues_[index(arc)].emplace(step_before_[at(piece, v)], piece);
    }
  }

  // Those of steps before, up to this one.
  void send_up(size_t last, std::vector<HalfSend>& step) {
    for (const ArcId arc : net_.arcs()) {
      Queue& queue = queues_[index(arc)];
      while (!queue.empty() && queue.top().first <= last && taken_[index(arc)] < net_.capacity(arc)) {
        step.push_back({arc, queue.top().second, false});
        ++taken_[index(arc)];
        queue.pop();
        --ups_;
      }
    }
  }

  void bring_down(NodeId v, ScarceChoice& choice, uint64_t seed, std::vector<SwarmSend>& step) {
    channels_.clear();
    for (const ArcId arc : into_[index(v)])
      channels_.insert(channels_.end(), std::min(net_.capacity(arc) - taken_[index(arc)], pieces_), arc);
    if (channels_.empty()) return;
    chosen_.resize(channels_.size());
    choice.choose(v, channels_, seed, scores_[index(v)], chosen_);
    for (size_t i = 0; i < channels_.size(); ++i)
      if (chosen_[i] != ScarceChoice::kNobody) step.push_back({channels_[i], chosen_[i]});
  }

  // By the step before, and the piece.
  using Queue = std::priority_queue<std::pair<uint32_t, uint32_t>, std::vector<std::pair<uint32_t, uint32_t>>,
                                    std::greater<>>;

  const Topology& net_;
  uint32_t pieces_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<uint32_t> scores_;  // per node: see ScarceChoice::choose
  std::vector<uint32_t> taken_;   // per arc: lanes of it, in a step
  std::vector<Queue> queues_;     // per arc: what can go up
  std::vector<ArcId> up_{};       // per piece and node, as what follows
  std::vector<uint32_t> step_before_{};
  std::vector<uint32_t> waits_{};
  std::vector<uint32_t> wanting_{};  // per piece: endpoints
  uint64_t missing_ = 0;
  uint64_t ups_ = 0;
  std::vector<ArcId> channels_{};
  std::vector<uint32_t> chosen_{};
};

HalfSteps backwards(const Topology& net, const HalfSteps& steps) {
  HalfSteps out(steps.size());
  for (size_t s = 0; s < steps.size(); ++s) {
    for (const HalfSend& send : steps[s])
      out[steps.size() - 1 - s].push_back({net.reverse(send.arc), send.piece, !send.down});
  }
  return out;
}

// What leads nowhere: turns that are so much longer.
size_t hopeless(size_t best) { return best + best / 16 + 3; }

}  // namespace

HalfSteps halves_in_turn(const Topology& net, uint32_t pieces, const HalfSteps& first, uint64_t least,
                         uint64_t most_looks) {
  HalfSteps best = first;
  const uint64_t of_a_turn = first.size() * net.num_arcs() * (pieces / 64 + kLooksOfALink);
  const uint64_t all = std::min(SearchLimits::work(kMostTurns), SearchLimits::work(most_looks) / of_a_turn);
  SpreadAnew anew(net, pieces);
  for (uint64_t turn = 0; turn < all;) {
    // Round after round, each with ties of its own.
    const uint32_t sooner = kStepsSooner[turn / kTurns % std::size(kStepsSooner)];
    HalfSteps now = first;
    for (uint64_t i = 0; i < kTurns; ++i, ++turn) {
      if (best.size() <= least || turn >= all || searches_are_stopped()) return best;
      std::optional<HalfSteps> next = anew.run(now, sooner, hopeless(best.size()), turn);
      if (!next) {
        turn += kTurns - i;
        break;
      }
      now = backwards(net, *next);
      if (next->size() < best.size()) best = *std::move(next);
    }
  }
  return best;
}

}  // namespace quadrille
