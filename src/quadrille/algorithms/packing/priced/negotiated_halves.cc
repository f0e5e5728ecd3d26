#include "quadrille/algorithms/packing/priced/negotiated_halves.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Steps before the first and after the last one that may be taken, dearly, until there is room within.
constexpr int32_t kMargin = 4;
constexpr int64_t kOutside = 1000;  // for each
// What a place costs that others have: more in each of the first rounds. Compared with waiting for a step.
constexpr int64_t kTaken = 25;
// Of other roots and moments, whenever a piece is routed anew; of roots at the beginning.
constexpr uint32_t kOtherTries = 2;
constexpr uint32_t kRoots = 8;
// Where so little is in the way, single nodes of pieces are moved, so often.
constexpr uint64_t kFew = 300;
constexpr uint32_t kSweeps = 20;
// Rounds after which hardly anything may be left, and in which something must have got better.
constexpr uint32_t kRoundsToCome = 40;
constexpr uint64_t kLeftByThen = 60;
constexpr uint32_t kRoundsInVain = 40;

// One half of a piece: of every node but the root the link over which it sends its sum, or receives the whole, and in which step.
struct Half {
  std::vector<ArcId> arc;
  std::vector<int32_t> step;
};
struct Piece {
  uint32_t root = 0;
  int32_t whole = 0;  // after that step it is all at the root
  Half up{};
  Half down{};
};

class Negotiation {
 public:
  Negotiation(const Topology& net, int32_t steps, uint64_t& looks)
      : net_(net),
        from_(net.num_nodes()),
        into_(arcs_into(net)),
        steps_(steps),
        width_(steps + 2 * kMargin),
        looks_(looks) {
    for (uint32_t v = 0; v < net.num_nodes(); ++v)
      for (const ArcId arc : net.arcs_from(NodeId{v})) from_[v].push_back(arc);
    places_.assign(net.num_arcs() * static_cast<size_t>(width_), {});
    when_.resize(net.num_nodes());
    limit_.resize(net.num_nodes());
    asked_.resize(net.num_nodes());
  }

  /// Pieces one after the other, each at one of several roots, where it costs least; when they are whole is spread evenly.
  void begin(std::vector<Piece>& pieces, Rng& rng) {
    taken_ = 1;
    const std::vector<uint32_t> farthest = endpoint_distances(net_)->eccentricity;
    for (uint32_t p = 0; p < pieces.size(); ++p) {
      std::optional<int64_t> least;
      for (uint32_t i = 0; i < kRoots; ++i) {
        Piece piece;
        piece.root = static_cast<uint32_t>(rng.below(size_t{net_.num_nodes()}));
        const auto far = static_cast<int32_t>(farthest[piece.root]);
        const auto count = static_cast<int64_t>(pieces.size());
        const int64_t share = (2 * int64_t{p} + 1) * std::max(0, steps_ - 2 * far) / (2 * count);
        piece.whole = far - 1 + static_cast<int32_t>(share);
        const std::optional<int64_t> cost = grow(piece);
        if (!cost || (least && *cost >= *least)) continue;
        least = cost;
        pieces[p] = std::move(piece);
      }
      put(pieces[p], 1);
    }
    std::fill(places_.begin(), places_.end(), Place{});
  }

  /// Whether the pieces get along with so many steps.
  [[nodiscard]] bool settle(std::vector<Piece>& pieces, Rng& rng, uint64_t most_looks) {
    for (const Piece& piece : pieces) put(piece, 1);
    std::vector<uint32_t> order(pieces.size());
    uint64_t fewest = UINT64_MAX;
    uint32_t in_vain = 0;
    for (uint32_t round = 0;; ++round) {
      uint64_t left = look();
      if (left > 0 && left <= kFew) left = move_single(pieces);
      if (left == 0) return true;
      in_vain = left < fewest ? 0 : in_vain + 1;
      fewest = std::min(fewest, left);
      if (in_vain > kRoundsInVain || (round >= kRoundsToCome && fewest > kLeftByThen)) return false;
      if (looks_ >= most_looks || searches_are_stopped()) return false;
      taken_ = std::min<int64_t>(1 + round, kTaken);
      std::iota(order.begin(), order.end(), 0U);
      rng.shuffle(order);
      for (const uint32_t p : order) {
        if (looks_ >= most_looks) break;
        if (is_in_the_way(pieces[p])) route(pieces[p], rng);
      }
    }
  }

 private:
  // One step of one link.
  struct Place {
    int32_t users = 0;
    int32_t dearer = 0;
  };

  [[nodiscard]] Place& place(ArcId arc, int32_t step) {
    return places_[index(arc) * static_cast<size_t>(width_) + static_cast<size_t>(step + kMargin)];
  }
  [[nodiscard]] bool is_outside(int32_t step) const { return step < 0 || step >= steps_; }
  [[nodiscard]] bool is_overfull(ArcId arc, int32_t step) {
    return is_outside(step) || place(arc, step).users > static_cast<int32_t>(net_.capacity(arc));
  }

  // For one more.
  [[nodiscard]] int64_t price(ArcId arc, int32_t step) {
    const Place& here = place(arc, step);
    const int64_t too_many = int64_t{here.users} + 1 - net_.capacity(arc);
    int64_t out = here.dearer + (too_many > 0 ? too_many * taken_ : 0);
    if (step < 0) out += kOutside * -step;
    if (step >= steps_) out += kOutside * (step - steps_ + 1);
    return out;
  }

  template <typename Use>
  void for_places(const Piece& piece, const Use& use) const {
    for (const Half* half : {&piece.up, &piece.down}) {
      for (uint32_t v = 0; v < half->arc.size(); ++v)
        if (v != piece.root) use(half->arc[v], half->step[v]);
    }
  }
  void put(const Piece& piece, int32_t times) {
    for_places(piece, [&](ArcId arc, int32_t step) { place(arc, step).users += times; });
  }
  [[nodiscard]] bool is_in_the_way(const Piece& piece) {
    bool out = false;
    for_places(piece, [&](ArcId arc, int32_t step) { out = out || is_overfull(arc, step); });
    return out;
  }

  // What is too many; such places get dearer.
  [[nodiscard]] uint64_t look() {
    uint64_t out = 0;
    for (const ArcId arc : net_.arcs()) {
      for (int32_t step = -kMargin; step < steps_ + kMargin; ++step) {
        Place& here = place(arc, step);
        if (here.users == 0) continue;
        const int64_t room = is_outside(step) ? 0 : static_cast<int64_t>(net_.capacity(arc));
        if (here.users <= room) continue;
        out += static_cast<uint64_t>(here.users - room);
        if (room > 0) ++here.dearer;
      }
    }
    looks_ += places_.size() / 8;
    return out;
  }

  // Single nodes of pieces go over another link, or in another step, where that costs less and those before and behind them can wait.
  // What stays in the way gets dearer. How much is left.
  [[nodiscard]] uint64_t move_single(std::vector<Piece>& pieces) {
    uint64_t left = 0;
    for (uint32_t sweep = 0; sweep < kSweeps; ++sweep) {
      left = 0;
      for (Piece& piece : pieces) {
        for (const int32_t way : {-1, 1}) {
          Half& half = way > 0 ? piece.down : piece.up;
          for (uint32_t v = 0; v < half.arc.size(); ++v) {
            if (v == piece.root || !is_overfull(half.arc[v], half.step[v])) continue;
            ++left;
            move_single(piece, half, v, way);
          }
        }
      }
      looks_ += pieces.size() * net_.num_nodes() / 4;
      if (left == 0) return look();
    }
    return look();
  }
  void move_single(const Piece& piece, Half& half, uint32_t v, int32_t way) {
    int32_t last = way > 0 ? steps_ - 1 : 0;
    for (const ArcId arc : way > 0 ? from_[v] : into_[v]) {
      const auto w = static_cast<uint32_t>(index(way > 0 ? net_.head(arc) : net_.tail(arc)));
      if (w != piece.root && half.arc[w] == arc && (last - (half.step[w] - way)) * way > 0)
        last = half.step[w] - way;
    }
    Place& here = place(half.arc[v], half.step[v]);
    --here.users;
    int64_t least = price(half.arc[v], half.step[v]);
    bool is_moved = false;
    for (const ArcId arc : way > 0 ? into_[v] : from_[v]) {
      const auto u = static_cast<uint32_t>(index(way > 0 ? net_.tail(arc) : net_.head(arc)));
      const int32_t first = u != piece.root ? half.step[u] : way > 0 ? piece.whole : piece.whole + 1;
      for (int32_t step = first + way; (last - step) * way >= 0; step += way) {
        const int64_t other = price(arc, step);
        ++looks_;
        if (other >= least) continue;
        least = other;
        half.arc[v] = arc;
        half.step[v] = step;
        is_moved = true;
      }
    }
    if (!is_moved) ++here.dearer;
    ++place(half.arc[v], half.step[v]).users;
  }

  // Anew with the same root and moment, or with others that cost less.
  void route(Piece& piece, Rng& rng) {
    put(piece, -1);
    Piece best = piece;
    std::optional<int64_t> least = grow(best);
    for (uint32_t i = 0; i < kOtherTries; ++i) {
      Piece other = piece;
      if (rng.below(2) == 0) {
        const auto by = static_cast<int32_t>(1 + rng.below(3));
        other.whole += rng.below(2) == 0 ? by : -by;
      } else if (rng.below(2) == 0) {
        const std::vector<ArcId>& links = from_[piece.root];
        other.root = static_cast<uint32_t>(index(net_.head(links[rng.below(links.size())])));
      } else {
        other.root = static_cast<uint32_t>(rng.below(size_t{net_.num_nodes()}));
        other.whole = static_cast<int32_t>(rng.below(static_cast<size_t>(steps_)));
      }
      if (other.whole < 0 || other.whole >= steps_ - 1) continue;
      const std::optional<int64_t> cost = grow(other);
      if (!cost || (least && *cost >= *least)) continue;
      least = cost;
      best = std::move(other);
    }
    if (least) piece = std::move(best);
    put(piece, 1);
  }

  [[nodiscard]] std::optional<int64_t> grow(Piece& piece) {
    const std::optional<int64_t> up = grow(piece, piece.up, -1);
    if (!up) return std::nullopt;
    const std::optional<int64_t> down = grow(piece, piece.down, 1);
    return down ? std::optional(*up + *down) : std::nullopt;
  }

  // `way` 1: down, from the root on forwards in time. -1: up, from the root on backwards, over links to it.
  [[nodiscard]] std::optional<int64_t> grow(const Piece& piece, Half& half, int32_t way) {
    const uint32_t size = net_.num_nodes();
    half.arc.assign(size, ArcId{});
    half.step.assign(size, 0);
    const int32_t start = way > 0 ? piece.whole : piece.whole + 1;
    const int32_t end = way > 0 ? steps_ + kMargin - 1 : -kMargin;
    reached_.assign(size, false);
    asked_.assign(size, INT64_MAX);
    heap_ = {};
    uint32_t count = 0;
    const auto reach = [&](uint32_t u, int32_t when) {
      reached_[u] = true;
      when_[u] = when;
      ++count;
      const int64_t since_start = (when - start) * way;
      for (const ArcId arc : way > 0 ? from_[u] : into_[u]) {
        const auto v = static_cast<uint32_t>(index(way > 0 ? net_.head(arc) : net_.tail(arc)));
        if (reached_[v]) continue;
        int64_t least = INT64_MAX;
        int32_t at = 0;
        for (int32_t wait = 1; (end - when) * way >= wait && wait < least; ++wait) {
          const int64_t here = price(arc, when + wait * way) + wait;
          ++looks_;
          if (here >= least) continue;
          least = here;
          at = when + wait * way;
        }
        if (least == INT64_MAX || least + since_start >= asked_[v]) continue;
        asked_[v] = least + since_start;
        heap_.emplace(asked_[v], v, arc, at);
      }
    };
    reach(piece.root, start);
    while (!heap_.empty()) {
      const auto [key, v, arc, step] = heap_.top();
      heap_.pop();
      if (reached_[v]) continue;
      half.arc[v] = arc;
      half.step[v] = step;
      reach(v, step);
    }
    if (count < size) return std::nullopt;
    return hang_anew(piece, half, way, end);
  }

  // Each node over the cheapest link and step that those behind it can wait for. What it costs then.
  [[nodiscard]] int64_t hang_anew(const Piece& piece, Half& half, int32_t way, int32_t end) {
    limit_.assign(net_.num_nodes(), end);
    const auto before = [&](ArcId arc) {
      return static_cast<uint32_t>(index(way > 0 ? net_.tail(arc) : net_.head(arc)));
    };
    const auto is_waited_for = [&](uint32_t u, int32_t step) {
      if ((limit_[u] - (step - way)) * way > 0) limit_[u] = step - way;
    };
    for (uint32_t v = 0; v < net_.num_nodes(); ++v)
      if (v != piece.root) is_waited_for(before(half.arc[v]), half.step[v]);
    int64_t out = 0;
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
      if (v == piece.root) continue;
      int64_t least = price(half.arc[v], half.step[v]);
      for (const ArcId arc : way > 0 ? into_[v] : from_[v]) {
        if (least == 0) break;
        for (int32_t step = when_[before(arc)] + way; (limit_[v] - step) * way >= 0; step += way) {
          const int64_t here = price(arc, step);
          ++looks_;
          if (here >= least) continue;
          least = here;
          half.arc[v] = arc;
          half.step[v] = step;
        }
      }
      when_[v] = half.step[v];
      is_waited_for(before(half.arc[v]), half.step[v]);
      out += least;
    }
    return out;
  }

  const Topology& net_;
  std::vector<std::vector<ArcId>> from_;  // per node
  std::vector<std::vector<ArcId>> into_;
  int32_t steps_;
  int32_t width_;
  uint64_t& looks_;
  int64_t taken_ = 1;
  std::vector<Place> places_{};  // per arc and step
  // Per node, of the half that is grown.
  std::vector<bool> reached_{};
  std::vector<int32_t> when_;
  std::vector<int32_t> limit_;
  std::vector<int64_t> asked_;
  using Offer = std::tuple<int64_t, uint32_t, ArcId, int32_t>;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> heap_{};
};

std::vector<Piece> pieces_of(const Topology& net, uint32_t pieces, const HalfSteps& steps) {
  std::vector<Piece> out(pieces);
  std::vector<bool> sends(size_t{pieces} * net.num_nodes(), false);
  for (Piece& piece : out) {
    for (Half* half : {&piece.up, &piece.down}) {
      half->arc.resize(net.num_nodes());
      half->step.resize(net.num_nodes());
    }
  }
  for (size_t s = 0; s < steps.size(); ++s) {
    for (const HalfSend& send : steps[s]) {
      Half& half = send.down ? out[send.piece].down : out[send.piece].up;
      const size_t v = index(send.down ? net.head(send.arc) : net.tail(send.arc));
      half.arc[v] = send.arc;
      half.step[v] = static_cast<int32_t>(s);
      if (!send.down) sends[send.piece * size_t{net.num_nodes()} + v] = true;
    }
  }
  for (uint32_t p = 0; p < pieces; ++p) {
    Piece& piece = out[p];
    while (sends[p * size_t{net.num_nodes()} + piece.root]) ++piece.root;
    for (uint32_t v = 0; v < net.num_nodes(); ++v)
      if (v != piece.root && index(net.head(piece.up.arc[v])) == piece.root)
        piece.whole = std::max(piece.whole, piece.up.step[v]);
  }
  return out;
}

HalfSteps steps_of(const std::vector<Piece>& pieces, size_t steps) {
  HalfSteps out(steps);
  for (uint32_t p = 0; p < pieces.size(); ++p) {
    for (uint32_t v = 0; v < pieces[p].up.arc.size(); ++v) {
      if (v == pieces[p].root) continue;
      out[static_cast<size_t>(pieces[p].up.step[v])].push_back({pieces[p].up.arc[v], p, false});
      out[static_cast<size_t>(pieces[p].down.step[v])].push_back({pieces[p].down.arc[v], p, true});
    }
  }
  return out;
}

}  // namespace

HalfSteps negotiated_halves(const Topology& net, uint32_t pieces, const HalfSteps& first, uint64_t least,
                            const NegotiationEffort& effort) {
  // From all nodes to a root, and from there to all.
  least = std::max(least, 2 * uint64_t{std::ranges::min(endpoint_distances(net)->eccentricity)});
  HalfSteps best = first;
  if (best.size() <= least) return best;
  Rng rng(effort.seed);
  uint64_t looks = 0;
  const uint64_t most = SearchLimits::work(effort.looks);
  std::vector<Piece> now = pieces_of(net, pieces, first);
  if (effort.begins_anew) Negotiation(net, static_cast<int32_t>(best.size()) - 1, looks).begin(now, rng);
  while (best.size() > least) {
    const size_t steps = best.size() - 1;
    Negotiation negotiation(net, static_cast<int32_t>(steps), looks);
    if (!negotiation.settle(now, rng, most)) break;
    best = steps_of(now, steps);
    looks = 0;
  }
  return best;
}

}  // namespace quadrille
