#include "quadrille/algorithms/worm_exchange/gossip_among_few.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/numbers/bit_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint64_t bit(size_t v) { return uint64_t{1} << v; }

template <typename Word>
size_t take_lowest(Word& word) {
  const auto lowest = static_cast<size_t>(std::countr_zero(word));
  word &= word - 1;
  return lowest;
}

// How many bits are set, in a form that a compiler turns into one for several words at once.
constexpr uint32_t bits(uint32_t word) {
  word -= word >> 1U & 0x5555'5555U;
  word = (word & 0x3333'3333U) + (word >> 2U & 0x3333'3333U);
  word = (word + (word >> 4U)) & 0x0f0f'0f0fU;
  word += word >> 8U;
  return (word + (word >> 16U)) & 63U;
}

// A value, rounded, and behind it whose it is: the largest says both. Nothing is worth nothing.
constexpr int32_t key(uint32_t value, size_t u, size_t v) {
  constexpr uint32_t kWho = GossipAmongFew::kMostNodes * GossipAmongFew::kMostNodes - 1;
  const auto who = static_cast<uint32_t>(u * GossipAmongFew::kMostNodes + v);
  return static_cast<int32_t>(value == 0 ? 0 : (value & ~kWho) | who);
}

constexpr size_t kNoises = 4096;  // as many as pairs of nodes: each fill begins elsewhere

}  // namespace

bool GossipAmongFew::can_search(const Topology& topology) {
  return topology.num_endpoints() <= kMostRanks && topology.num_nodes() <= kMostNodes;
}

GossipAmongFew::GossipAmongFew(const Problem& problem, const std::vector<NodeId>& places)
    : topology_(problem.topology()),
      nodes_(topology_.num_nodes()),
      row_((nodes_ + 7) / 8 * 8),
      ranks_(places.size()),
      all_ranks_(static_cast<uint32_t>((uint64_t{1} << ranks_) - 1)),
      all_nodes_(nodes_ == 64 ? ~uint64_t{0} : bit(nodes_) - 1),
      half_duplex_(problem.model().duplex == Duplex::kHalf),
      send_ports_(problem.model().send.unlimited() ? UINT32_MAX : problem.model().send.count),
      receive_ports_(problem.model().receive.unlimited() ? UINT32_MAX : problem.model().receive.count),
      arc_of_(kStride * kStride, 0),
      hops_(nodes_ * row_, 0),
      noise_(2 * kNoises),
      hop_price_(nodes_ * row_, 0),
      load_(topology_.num_arcs(), 0),
      values_(nodes_ * row_, 0),
      lengths_(nodes_ * row_, 0),
      told_(ranks_ * row_, 0) {
  for (const ArcId arc : topology_.arcs()) {
    const size_t tail = index(topology_.tail(arc));
    const size_t head = index(topology_.head(arc));
    arc_of_[tail * kStride + head] = static_cast<uint32_t>(index(arc));
    out_[tail] |= bit(head);
    in_[head] |= bit(tail);
  }
  for (size_t u = 0; u < nodes_; ++u) {
    uint64_t seen = bit(u);
    uint64_t level = seen;
    for (uint8_t hops = 1; level != 0; ++hops) {
      uint64_t next = 0;
      for (uint64_t rest = level; rest != 0;) next |= out_[take_lowest(rest)];
      level = next & ~seen;
      seen |= level;
      for (uint64_t rest = level; rest != 0;) hops_[u * row_ + take_lowest(rest)] = hops;
    }
  }
  for (size_t r = 0; r < ranks_; ++r) own_[index(places[r])] |= uint32_t{1} << r;
  // Up to three fifths more decide among worms that are alike. Twice, so that every offset has a whole table behind it.
  for (size_t i = 0; i < kNoises; ++i)
    noise_[i] = noise_[kNoises + i] = 1024 + static_cast<uint32_t>(rng_.below(614));
}

void GossipAmongFew::set_price(uint32_t tenths) {
  for (size_t hops = 1; hops < price_.size(); ++hops)
    price_[hops] = 10240 / (10 + tenths * static_cast<uint32_t>(hops - 1));
  for (size_t i = 0; i < hop_price_.size(); ++i) hop_price_[i] = price_[hops_[i]];
}

int32_t GossipAmongFew::value(uint32_t pairs, size_t u, size_t v) const {
  return key(pairs * noise_[offset_ + u * row_ + v] * price_[lengths_[u * row_ + v]], u, v);
}

void GossipAmongFew::serve(uint32_t hear, uint32_t tell) {
  for (uint32_t rest = tell; rest != 0;) left_[take_lowest(rest)] &= ~hear;
}

uint32_t GossipAmongFew::count(uint32_t hear, uint32_t tell) const {
  uint64_t pairs = 0;
  for (uint32_t rest = tell; rest != 0;) pairs += bit_count(hear & left_[take_lowest(rest)]);
  return static_cast<uint32_t>(pairs);
}

uint64_t GossipAmongFew::missing() const {
  uint64_t pairs = 0;
  for (size_t d = 0; d < ranks_; ++d) pairs += bit_count(left_[d]);
  return pairs;
}

// A step in which nothing is told yet: whoever keeps what it has heard of serves pairs, too.
void GossipAmongFew::open_step(const Sets& hear, const Sets& tell) {
  made_.clear();
  std::fill(load_.begin(), load_.end(), 0);
  free_out_ = out_;
  free_in_ = in_;
  sent_.fill(0);
  received_.fill(0);
  can_send_ = can_receive_ = all_nodes_;
  left_.fill(0);
  for (size_t d = 0; d < ranks_; ++d) left_[d] = all_ranks_;
  for (size_t v = 0; v < nodes_; ++v) serve(hear[v], tell[v]);
}

bool GossipAmongFew::can_take(const Worm& worm, const Step& of) const {
  if ((can_send_ & bit(worm.from)) == 0 || (can_receive_ & bit(worm.to)) == 0) return false;
  size_t at = worm.from;
  for (size_t i = worm.begin; i < worm.end; ++i) {
    const size_t head = index(topology_.head(ArcId{of.arcs[i]}));
    if ((free_out_[at] & bit(head)) == 0) return false;
    at = head;
  }
  return true;
}

void GossipAmongFew::take(size_t from, size_t to, const uint32_t* arcs, size_t count) {
  const size_t begin = made_.arcs.size();
  for (size_t i = 0; i < count; ++i) {
    const ArcId arc{arcs[i]};
    const size_t tail = index(topology_.tail(arc));
    const size_t head = index(topology_.head(arc));
    if (++load_[arcs[i]] >= topology_.capacity(arc)) {
      free_out_[tail] &= ~bit(head);
      free_in_[head] &= ~bit(tail);
    }
    if (half_duplex_) {
      free_out_[head] &= ~bit(tail);
      free_in_[tail] &= ~bit(head);
    }
    made_.arcs.push_back(arcs[i]);
  }
  if (++sent_[from] >= send_ports_) can_send_ &= ~bit(from);
  if (++received_[to] >= receive_ports_) can_receive_ &= ~bit(to);
  made_.worms.push_back({static_cast<uint8_t>(from), static_cast<uint8_t>(to), static_cast<uint16_t>(begin),
                         static_cast<uint16_t>(made_.arcs.size())});
}

void GossipAmongFew::keep(const Worm& worm, const Step& of, const Sets& hear, const Sets& tell) {
  if (!can_take(worm, of) || count(hear[worm.from], tell[worm.to]) == 0) return;
  take(worm.from, worm.to, of.arcs.data() + worm.begin, size_t{worm.end} - worm.begin);
  serve(hear[worm.from], tell[worm.to]);
}

// A shortest way of free links: levels of nodes, and back along them.
bool GossipAmongFew::find_way(const Words& out, const Words& in, size_t from, size_t to) {
  Words levels;
  uint64_t seen = bit(from);
  levels[0] = seen;
  size_t last = 0;
  while ((seen & bit(to)) == 0) {
    uint64_t next = 0;
    for (uint64_t rest = levels[last]; rest != 0;) next |= out[take_lowest(rest)];
    next &= ~seen;
    work_ += 4;
    if (next == 0) return false;
    seen |= next;
    levels[++last] = next;
  }
  way_.resize(last);
  size_t at = to;
  while (last-- > 0) {
    // Of several the one from here on upwards, or else the first: no node is everybody's.
    const uint64_t before = in[at] & levels[last];
    const uint64_t upwards = before & ~(bit((offset_ + at) % nodes_) - 1);
    const auto tail = static_cast<size_t>(std::countr_zero(upwards != 0 ? upwards : before));
    way_[last] = arc_of_[tail * kStride + at];
    at = tail;
  }
  return true;
}

// What every worm would serve, and its value; of each sender the best.
void GossipAmongFew::weigh(const Sets& hear, const Sets& tell) {
  std::fill(told_.begin(), told_.end(), 0);
  for (uint64_t nodes = can_receive_; nodes != 0;) {
    const size_t v = take_lowest(nodes);
    if (free_in_[v] == 0) continue;
    for (uint32_t rest = tell[v]; rest != 0;) told_[take_lowest(rest) * row_ + v] = 1;
  }
  lengths_ = hops_;
  best_.fill(0);
  work_ += nodes_ * ranks_;
  std::array<uint16_t, kMostRanks> of;
  std::array<uint16_t, kMostNodes> pairs;
  for (uint64_t nodes = can_send_; nodes != 0;) {
    const size_t u = take_lowest(nodes);
    if (free_out_[u] == 0) continue;
    for (size_t d = 0; d < ranks_; ++d) of[d] = static_cast<uint16_t>(bits(hear[u] & left_[d]));
    for (size_t v = 0; v < row_; ++v) pairs[v] = 0;
    for (size_t d = 0; d < ranks_; ++d) {
      const uint16_t* const told = told_.data() + d * row_;
      for (size_t v = 0; v < row_; ++v) pairs[v] = static_cast<uint16_t>(pairs[v] + of[d] * told[v]);
    }
    pairs[u] = 0;
    int32_t* const values = values_.data() + u * row_;
    const uint32_t* const noise = noise_.data() + offset_ + u * row_;
    const uint32_t* const price = hop_price_.data() + u * row_;
    int32_t best = 0;
    for (size_t v = 0; v < row_; ++v) {
      values[v] = key(pairs[v] * noise[v] * price[v], u, v);
      best = std::max(best, values[v]);
    }
    best_[u] = best;
  }
}

void GossipAmongFew::find_best(size_t u) {
  const int32_t* const values = values_.data() + u * row_;
  int32_t best = 0;
  for (size_t v = 0; v < row_; ++v) best = std::max(best, values[v]);
  best_[u] = best;
}

// Worms that serve most, as long as there are free links and ports: values only fall, so the best that is as good as it
// was is the best there is.
void GossipAmongFew::fill(const Sets& hear, const Sets& tell) {
  offset_ = rng_.below(kNoises);
  weigh(hear, tell);
  while (true) {
    int32_t best = 0;
    for (size_t v = 0; v < row_; ++v) best = std::max(best, best_[v]);
    if (best == 0) return;
    work_ += 16;
    const size_t u = static_cast<size_t>(best) / kMostNodes % kMostNodes;
    const size_t v = static_cast<size_t>(best) % kMostNodes;
    if ((can_send_ & bit(u)) == 0 || free_out_[u] == 0) {
      best_[u] = 0;
      continue;
    }
    int32_t& stored = values_[u * row_ + v];
    const bool open = (can_receive_ & bit(v)) != 0 && free_in_[v] != 0;
    int32_t now = open ? value(count(hear[u], tell[v]), u, v) : 0;
    if (now == stored) {
      if (!find_way(free_out_, free_in_, u, v)) {
        now = 0;
      } else if (way_.size() > lengths_[u * row_ + v]) {
        lengths_[u * row_ + v] = static_cast<uint8_t>(way_.size());
        now = value(count(hear[u], tell[v]), u, v);
      }
    }
    if (now == stored) {
      take(u, v, way_.data(), way_.size());
      serve(hear[u], tell[v]);
      now = 0;
    }
    stored = now;
    find_best(u);
  }
}

void GossipAmongFew::follow_after(size_t t) {
  for (; t < steps_.size(); ++t) {
    hear_[t + 1] = hear_[t];
    for (const Worm& worm : steps_[t].worms) hear_[t + 1][worm.to] |= hear_[t][worm.from];
  }
}

void GossipAmongFew::follow_before(size_t t) {
  for (++t; t-- > 0;) {
    tell_[t] = tell_[t + 1];
    for (const Worm& worm : steps_[t].worms) tell_[t][worm.from] |= tell_[t + 1][worm.to];
  }
}

void GossipAmongFew::start(size_t steps) {
  steps_.assign(steps, {});
  hear_.assign(steps + 1, own_);
  tell_.assign(steps + 1, own_);
}

void GossipAmongFew::start(const GossipSteps& steps) {
  start(steps.size());
  for (size_t t = 0; t < steps.size(); ++t) {
    for (const GossipWorm& worm : steps[t]) {
      const size_t begin = steps_[t].arcs.size();
      for (const ArcId arc : worm.path) steps_[t].arcs.push_back(static_cast<uint32_t>(index(arc)));
      steps_[t].worms.push_back({static_cast<uint8_t>(index(worm.from)), static_cast<uint8_t>(index(worm.to)),
                                 static_cast<uint16_t>(begin), static_cast<uint16_t>(steps_[t].arcs.size())});
    }
  }
}

GossipSteps GossipAmongFew::plan() const {
  GossipSteps out(steps_.size());
  for (size_t t = 0; t < steps_.size(); ++t) {
    for (const Worm& worm : steps_[t].worms) {
      GossipWorm& to = out[t].emplace_back(GossipWorm{id_at<NodeId>(worm.from), id_at<NodeId>(worm.to), {}});
      for (size_t i = worm.begin; i < worm.end; ++i) to.path.push_back(ArcId{steps_[t].arcs[i]});
    }
  }
  return out;
}

GossipSteps GossipAmongFew::forward() {
  set_price(10);
  start(size_t{0});
  while (true) {
    open_step(hear_.back(), own_);
    if (missing() == 0) return plan();
    // Routers will tell their neighbours: otherwise nobody would send to them.
    fill(hear_.back(), own_);
    QUADRILLE_CHECK(!made_.worms.empty(), "no worm serves a pair that is not served");
    steps_.push_back(made_);
    hear_.push_back(hear_.back());
    follow_after(steps_.size() - 1);
  }
}

// Some worms of a step stay.
void GossipAmongFew::change(size_t t, size_t keeps) {
  open_step(hear_[t], tell_[t + 1]);
  for (const Worm& worm : steps_[t].worms)
    if (rng_.below(4) < keeps) keep(worm, steps_[t], hear_[t], tell_[t + 1]);
  fill(hear_[t], tell_[t + 1]);
}

// A pair that nobody serves: a worm from one who has heard of the source to one who will tell the destination, along the
// shortest way whoever is in it, and of the others those that have a place beside it.
void GossipAmongFew::change_for_a_pair(size_t t) {
  size_t nth = rng_.below(missing_);
  size_t to = 0;
  while (nth >= bit_count(unserved_[to])) nth -= bit_count(unserved_[to++]);
  uint32_t sources = unserved_[to];
  while (nth-- > 0) take_lowest(sources);
  const uint32_t source = sources & (~sources + 1);
  uint64_t hearers = 0;
  uint64_t tellers = 0;
  for (size_t v = 0; v < nodes_; ++v) {
    if ((hear_[t][v] & source) != 0 && out_[v] != 0) hearers |= bit(v);
    if ((tell_[t + 1][v] >> to & 1U) != 0) tellers |= bit(v);
  }
  const auto one_of = [this](uint64_t nodes) {
    for (size_t skip = rng_.below(bit_count(nodes)); skip > 0; --skip) take_lowest(nodes);
    return static_cast<size_t>(std::countr_zero(nodes));
  };
  size_t u = one_of(hearers);
  size_t v = one_of(tellers);
  for (int more = 0; more < 2; ++more) {
    const size_t x = one_of(hearers);
    const size_t y = one_of(tellers);
    if (hops_[x * row_ + y] < hops_[u * row_ + v]) {
      u = x;
      v = y;
    }
  }
  open_step(hear_[t], tell_[t + 1]);
  offset_ = rng_.below(kNoises);
  find_way(out_, in_, u, v);
  take(u, v, way_.data(), way_.size());
  serve(hear_[t][u], tell_[t + 1][v]);
  // Who stays is not always who was there first.
  const size_t worms = steps_[t].worms.size();
  const size_t first = worms == 0 ? 0 : rng_.below(worms);
  for (size_t i = 0; i < worms; ++i) {
    keep(steps_[t].worms[(first + i) % worms], steps_[t], hear_[t], tell_[t + 1]);
  }
  fill(hear_[t], tell_[t + 1]);
}

// How many pairs more may be left than before: as a rule none, so that what is nearly a plan is left behind, too.
uint64_t GossipAmongFew::bears() {
  if (rng_.below(100) >= 30) return 0;
  uint64_t more = 1;
  while (more < 20 && rng_.below(100) < 60) ++more;
  return more;
}

std::optional<GossipSteps> GossipAmongFew::with_fewer(const GossipSteps& steps, uint64_t most_work) {
  constexpr uint32_t kMostStall = 600;  // changes that leave no fewer pairs than ever, before a fresh start
  constexpr uint64_t kFewPairs = 24;
  const uint64_t begin = work_;
  const uint64_t end = begin + most_work;
  const uint64_t all = ranks_ * ranks_;
  uint64_t fewest = all;
  for (uint32_t turn = 0; work_ < end; ++turn) {
    set_price(1 + turn % 4);
    const bool anew = turn % 2 != 0;
    if (anew) {
      start(steps.size() - 1);
    } else {
      GossipSteps fewer = steps;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(rng_.below(fewer.size())));
      start(fewer);
    }
    follow_after(0);
    follow_before(steps_.size() - 1);
    // What is heard before the first step and told from there on is all that the plan serves.
    open_step(hear_.front(), tell_.front());
    unserved_ = left_;
    missing_ = missing();
    uint64_t least = missing_;
    for (uint32_t stall = 0; missing_ > 0 && stall < kMostStall && work_ < end; ++stall) {
      const bool in_turn = anew && stall < steps_.size();
      const size_t t = in_turn ? stall : rng_.below(steps_.size());
      if (!in_turn && missing_ <= kFewPairs && rng_.below(8) >= 2) {
        change_for_a_pair(t);
      } else {
        change(t, rng_.below(4));
      }
      const uint64_t then = missing();
      if (then > missing_ + bears()) continue;
      if (then < least) {
        stall = 0;
        least = then;
        fewest = std::min(fewest, least);
      }
      missing_ = then;
      unserved_ = left_;
      std::swap(steps_[t], made_);
      follow_after(t);
      follow_before(t);
      if (is_hopeless(fewest, work_ - begin, most_work)) return std::nullopt;
    }
    if (missing_ == 0) return plan();
  }
  return std::nullopt;
}

// Where there is a plan few pairs are left soon. On networks of 16 nodes a tenth of them at most were left after an
// eighth of the work wherever one was found in the end; where none is, as a rule a fifth are left for good.
bool GossipAmongFew::is_hopeless(uint64_t fewest, uint64_t work, uint64_t most_work) const {
  const uint64_t all = ranks_ * ranks_;
  if (work * 8 >= most_work && fewest * 8 > all) return true;
  if (work * 4 >= most_work && fewest * 12 > all) return true;
  return work * 2 >= most_work && fewest * 20 > all;
}

GossipSteps GossipAmongFew::improved(GossipSteps best, size_t least, uint64_t most_work) {
  const uint64_t end = work_ + most_work;
  while (best.size() > least && work_ < end) {
    std::optional<GossipSteps> fewer = with_fewer(best, end - work_);
    if (!fewer) break;
    best = *std::move(fewer);
  }
  return best;
}

}  // namespace quadrille
