#include "quadrille/sim/packed/packed_worms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/sim/packed/group_set.h"
#include "quadrille/sim/packed/packed_words.h"

namespace quadrille {
namespace {

template <typename Word, uint32_t kVcs>
class PackedRouters : private PackedWords<Word> {
 public:
  PackedRouters(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                NodePrograms& nodes, const PackedNeeds& needs)
      : traffic_(traffic),
        network_(traffic.network),
        parameters_(parameters),
        options_(run),
        nodes_(nodes),
        inputs_(needs.inputs),
        outputs_(needs.outputs) {
    place_routers();
    lay_out_words();
    link_routers();
    const uint32_t slots = std::bit_ceil(
        std::max({parameters_.hop_delay(), parameters_.credit_delay, parameters_.router_delay}) + 1);
    slot_mask_ = slots - 1;
    deliveries_.resize(slots);
    if (parameters_.hop_delay() > 1) arriving_.assign(size_t{slots} * routers_, 0);
    if (parameters_.credit_delay > 1) returning_.assign(size_t{slots} * routers_, 0);
    due_.resize(slots);
    due_any_.assign(slots, 0);
    for (GroupSet& set : due_) set.resize(routers_ / kWidth);
    result_.delivered.assign(traffic.messages.size(), kNever);
    result_.started.assign(traffic.messages.size(), kNever);
    result_.link_flits.assign(network_.num_arcs(), 0);
  }

  std::optional<WormResult> run() {
    uint64_t t = 0;
    while (t != kNever) {
      now_ = t;
      deliver();
      find_fronts();
      allocate_channels();
      const bool sent = grant();
      const bool moved = sent || is_due(now_ + 1);
      if (moved) commit(now_ + 1);
      ++result_.evaluated;
      if (options_.check_conservation) check_conservation();
      t = moved || !fronts_.empty() || !dirty_.empty() || !idle_ports_.empty() ? now_ + 1 : next_cycle();
    }
    if (!nodes_.finished()) return std::nullopt;
    for (const uint64_t flits : result_.link_flits) result_.flit_hops += flits;
    return std::move(result_);
  }

 private:
  using Words = PackedWords<Word>;
  using typename Words::Vec;
  using Words::any;
  using Words::count_lanes;
  using Words::kLanes;
  using Words::kWidth;
  using Words::load;
  using Words::store;
  using Words::take_turn;
  using Words::where;
  static constexpr uint32_t kNobody = UINT32_MAX;

  struct Entry {
    uint32_t message = 0;
    uint32_t at = 0;  // its next hop
    uint32_t flits = 0;
  };
  // What is known of a lane besides its bits and counters.
  struct Lane {
    uint64_t asked = 0;
    Entry front{};
    uint32_t allowed = 0;
    uint8_t output = 0;
    uint8_t vc = 0;
    uint8_t queue_begin = 0;
    uint8_t queue_end = 0;
  };
  struct Output {
    uint32_t waiting = 0;  // lanes whose head wants a channel
    uint32_t free = 0;     // channels
    uint32_t arc = UINT32_MAX;
    uint32_t next = 0;  // the lane at the other end
    uint32_t router = 0;
    uint8_t output = 0;
    uint8_t turn = 0;
    bool is_dirty = false;
  };

  // --- where things lie ------------------------------------------------------------------------------------

  // Routers with the same number of outputs come together, since all of a group begin with the same output.
  void place_routers() {
    std::vector<uint32_t> order(network_.num_nodes());
    for (uint32_t v = 0; v < order.size(); ++v) order[v] = v;
    const auto degree = [this](uint32_t v) { return network_.out_degree(NodeId{v}); };
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return degree(a) < degree(b); });
    place_.resize(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
      if (i > 0 && degree(order[i]) != degree(order[i - 1])) node_.resize(round_up(node_.size()), kNobody);
      place_[order[i]] = static_cast<uint32_t>(node_.size());
      node_.push_back(order[i]);
    }
    node_.resize(round_up(node_.size()), kNobody);
    routers_ = static_cast<uint32_t>(node_.size());
  }
  static size_t round_up(size_t routers) { return (routers + kWidth - 1) / kWidth * kWidth; }

  // Of a group: channels of outputs with who has them, then round-robin masks, what is sent, room behind; single rows;
  // and the counters of all lanes, a row for each binary digit.
  void lay_out_words() {
    for (uint32_t vc = 0; vc < kVcs; ++vc) {
      for (uint32_t r = 0; r < kWidth; ++r) channel_bits_[vc][r] = static_cast<Word>(1U << vc);
    }
    uint32_t least = UINT32_MAX;
    uint32_t most = 1;
    for (const TrafficMessage& m : traffic_.messages) {
      least = std::min(least, m.flits);
      most = std::max(most, m.flits);
    }
    buffer_digits_ = static_cast<uint32_t>(std::bit_width(parameters_.buffer));
    left_digits_ = static_cast<uint32_t>(std::bit_width(most));
    above_ = outputs_ * kVcs;
    send_ = above_ + outputs_;
    credit_ = send_ + outputs_;
    full_ = credit_ + outputs_;
    granted_ = full_ + 1;
    links_ = granted_ + 1;
    taken_ = links_ + 1;
    flits_ = taken_ + 1;
    room_ = flits_ + buffer_digits_;
    left_ = room_ + buffer_digits_;
    stride_ = (left_ + left_digits_) * kWidth;
    // One group more that is always empty, for inputs that are not there.
    words_.assign(size_t{stride_} * (routers_ / kWidth + 1), 0);
    nothing_ = static_cast<uint32_t>(words_.size() - stride_);
    const uint32_t groups = routers_ / kWidth;
    QUADRILLE_CHECK(words_.size() < UINT32_MAX, "words of routers");
    busy_groups_.resize(groups);
    touched_.resize(groups);
    sent_.resize(groups);
    first_port_.assign(routers_, 0);
    lanes_.resize(size_t{routers_} * kLanes);
    queue_mask_ = std::bit_ceil((parameters_.buffer - 1) / least + 3) - 1;
    queue_.resize(lanes_.size() * (queue_mask_ + 1));
    outs_.resize(size_t{routers_} * outputs_);
    count_.assign(groups, 1);
    receive_.assign(groups, 1);
  }
  [[nodiscard]] uint32_t word(uint32_t row, uint32_t router) const {
    return router / kWidth * stride_ + row * kWidth + router % kWidth;
  }

  void link_routers() {
    source_.assign(size_t{routers_} * inputs_, nothing_);
    std::vector<uint32_t> inputs(routers_, 0);
    std::vector<std::vector<uint32_t>> behind(routers_ / kWidth);
    for (const ArcId arc : network_.arcs()) {  // ascending, as the inputs of a router are numbered
      const uint32_t from = place_[index(network_.tail(arc))];
      const uint32_t to = place_[index(network_.head(arc))];
      const auto o = static_cast<uint32_t>(index(arc) - index(network_.arcs_from(network_.tail(arc))[0]));
      Output& out = outs_[size_t{from} * outputs_ + o];
      out.arc = static_cast<uint32_t>(index(arc));
      out.free = (1U << kVcs) - 1;
      out.next = to * kLanes + inputs[to] * kVcs;
      source_[size_t{to} * inputs_ + inputs[to]] = word(send_ + o, from);
      ++inputs[to];
      behind[from / kWidth].push_back(to / kWidth);
    }
    behind_begin_.push_back(0);
    for (auto& groups : behind) {
      std::ranges::sort(groups);
      groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      behind_.insert(behind_.end(), groups.begin(), groups.end());
      behind_begin_.push_back(static_cast<uint32_t>(behind_.size()));
    }
    for (uint32_t r = 0; r < routers_; ++r) {
      first_port_[r] = inputs[r] * kVcs;
      words_[word(links_, r)] = static_cast<Word>((uint64_t{1} << first_port_[r]) - 1);
      for (uint32_t digit = 0; digit < buffer_digits_; ++digit) {
        if ((parameters_.buffer >> digit & 1U) != 0) words_[word(room_ + digit, r)] = words_[word(links_, r)];
      }
      if (node_[r] == kNobody) continue;
      const NodeId node{node_[r]};
      const auto last = static_cast<uint32_t>(network_.out_degree(node));
      for (uint32_t o = 0; o <= last; ++o) {
        Output& out = outs_[size_t{r} * outputs_ + o];
        out.router = r;
        out.output = static_cast<uint8_t>(o);
        if (o < last) words_[word(credit_ + o, r)] = (1U << kVcs) - 1;
      }
      const uint32_t ports = traffic_.receive_ports(node);
      outs_[size_t{r} * outputs_ + last].free = static_cast<uint32_t>((uint64_t{1} << ports) - 1);
      count_[r / kWidth] = last + 1;
      receive_[r / kWidth] = std::max(receive_[r / kWidth], ports);
    }
  }

  // --- a cycle ---------------------------------------------------------------------------------------------

  void deliver() {
    auto& over = deliveries_[slot(now_)];
    for (const uint32_t message : over) {
      result_.delivered[message] = now_;
      result_.cycles = now_;
      nodes_.delivered(message, now_);
    }
    over.clear();
    while (nodes_.next_wake() <= now_) nodes_.wake(now_);
    for (const NodeId v : nodes_.changed()) inject(place_[index(v)]);
    nodes_.clear_changed();
  }

  void inject(uint32_t r) {
    const NodeId node{node_[r]};
    const uint32_t end = first_port_[r] + traffic_.send_ports(node);
    for (uint32_t lane = first_port_[r]; lane < end; ++lane) {
      if ((words_[word(taken_, r)] >> lane & 1U) != 0) continue;
      const std::optional<uint32_t> message = nodes_.take(node, now_);
      if (!message) return;
      const TrafficMessage& m = traffic_.messages[*message];
      lanes_[size_t{r} * kLanes + lane].front = {*message, static_cast<uint32_t>(m.path), m.flits};
      words_[word(flits_, r)] |= static_cast<Word>(1U << lane);  // one, that stays until the tail
      words_[word(full_, r)] |= static_cast<Word>(1U << lane);
      busy_groups_.add(r / kWidth);
      result_.started[*message] = now_;
      ask(r, lane);
    }
  }

  // Messages that come to the front of a lane, as the last cycle left them.
  void find_fronts() {
    for (const uint32_t r : idle_ports_) inject(r);
    idle_ports_.clear();
    for (const uint32_t r : fronts_) {
      uint32_t found = words_[word(full_, r)] & ~words_[word(taken_, r)] & words_[word(links_, r)];
      for (; found != 0; found &= found - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(found));
        const size_t id = size_t{r} * kLanes + lane;
        Lane& l = lanes_[id];
        l.front = queue_[id * (queue_mask_ + 1) + (l.queue_begin++ & queue_mask_)];
        ask(r, lane);
      }
    }
    fronts_.clear();
  }

  void ask(uint32_t r, uint32_t lane) {
    Lane& l = lanes_[size_t{r} * kLanes + lane];
    Word* const left = &words_[word(left_, r)];
    for (uint32_t digit = 0; digit < left_digits_; ++digit)  // 0 now
      left[digit * kWidth] |= static_cast<Word>((l.front.flits >> digit & 1U) << lane);
    words_[word(taken_, r)] |= static_cast<Word>(1U << lane);
    l.asked = now_;
    const Hop hop = traffic_.hops[l.front.at];
    const uint32_t last = count_[r / kWidth] - 1;
    const uint32_t o = hop.is_end() ? last : hop.position();
    l.output = static_cast<uint8_t>(o);
    l.allowed = o == last ? UINT32_MAX : channels_for(hop.allowed(), r, lane);
    Output& out = outs_[size_t{r} * outputs_ + o];
    out.waiting |= 1U << lane;
    mark(out);
  }
  [[nodiscard]] uint32_t channels_for(VcClass wanted, uint32_t r, uint32_t lane) const {
    constexpr uint32_t kAll = (1U << kVcs) - 1;
    constexpr uint32_t kLow = (1U << (kVcs / 2)) - 1;
    if (kVcs == 1 || wanted == VcClass::kAny) return kAll;
    if (wanted == VcClass::kLow) return kLow;
    if (wanted == VcClass::kHigh) return kAll & ~kLow;
    return lane < first_port_[r] && lane % kVcs >= kVcs / 2 ? kAll & ~kLow : kAll;
  }
  void mark(Output& out) {
    if (out.is_dirty) return;
    out.is_dirty = true;
    dirty_.push_back(static_cast<uint32_t>(&out - outs_.data()));
  }

  void allocate_channels() {
    for (const uint32_t id : dirty_) {
      Output& out = outs_[id];
      out.is_dirty = false;
      const uint32_t turn = out.turn;
      const uint32_t waiting = out.waiting;
      if ((waiting & (waiting - 1)) == 0) {
        if (waiting != 0) give_channel(out, static_cast<uint32_t>(std::countr_zero(waiting)));
        continue;
      }
      const uint32_t from = turn >= 32 ? 0 : UINT32_MAX << turn;
      for (const uint32_t part : {waiting & from, waiting & ~from}) {
        for (uint32_t rest = part; rest != 0; rest &= rest - 1)
          give_channel(out, static_cast<uint32_t>(std::countr_zero(rest)));
      }
    }
    dirty_.clear();
  }

  void give_channel(Output& out, uint32_t lane) {
    Lane& l = lanes_[size_t{out.router} * kLanes + lane];
    const uint32_t can = out.free & l.allowed;
    if (can == 0) {
      if (l.asked == now_) note_channel_wait(out, l);
      return;
    }
    const auto vc = static_cast<uint32_t>(std::bit_width(can)) - 1;
    out.free &= ~(1U << vc);
    out.waiting &= ~(1U << lane);
    out.turn = static_cast<uint8_t>(lane + 1);
    l.vc = static_cast<uint8_t>(vc);
    const bool is_link = out.arc != UINT32_MAX;
    words_[word(out.output * kVcs + (is_link ? vc : 0), out.router)] |= static_cast<Word>(1U << lane);
    if (!is_link) return;
    const size_t next = out.next + vc;
    queue_[next * (queue_mask_ + 1) + (lanes_[next].queue_end++ & queue_mask_)] = {
        l.front.message, l.front.at + 1, l.front.flits};
    result_.link_flits[out.arc] += l.front.flits;
  }

  // Every output of every router chooses; whether anything is sent.
  bool grant() {
    bool sent = false;
    uint32_t count = 0;
    uint32_t first = 0;
    Vec conflicts{};
    uint32_t summed = 0;
    busy_groups_.each([&](uint32_t g) {
      if (count_[g] != count) {
        count = count_[g];
        first = static_cast<uint32_t>(now_ % count);
      }
      Word* const w = &words_[size_t{g} * stride_];
      if (!any(load(w + full_ * kWidth))) return busy_groups_.remove(g);
      if (!grant_group(g, first, conflicts)) return;
      sent = true;
      sent_.add(g);
      touched_.add(g);
      for (uint32_t i = behind_begin_[g]; i < behind_begin_[g + 1]; ++i) touched_.add(behind_[i]);
      if (++summed == 512) {
        add_conflicts(conflicts);
        summed = 0;
      }
    });
    add_conflicts(conflicts);
    return sent;
  }
  void add_conflicts(Vec& conflicts) {
    if (!any(conflicts)) return;
    for (uint32_t i = 0; i < kWidth; ++i) result_.switch_conflicts += conflicts[i];
    conflicts = Vec{};
  }

  bool grant_group(uint32_t g, uint32_t first, Vec& conflicts) {
    Word* const w = &words_[size_t{g} * stride_];
    const uint32_t count = count_[g];
    const Vec full = load(w + full_ * kWidth);
    const Vec links = load(w + links_ * kWidth);
    const bool notes = result_.contentions.size() < options_.most_contentions;
    if (notes) old_above_.assign(w + above_ * kWidth, w + (above_ + outputs_) * kWidth);
    const Vec conflicts_before = conflicts;
    Vec rest = full;  // lanes that may still send
    Vec total{};
    uint32_t o = first;
    for (uint32_t k = 0; k < count; ++k, o = o + 1 == count ? 0 : o + 1) {
      Word* const above_word = w + (above_ + o) * kWidth;
      const Word* const hold = w + o * kVcs * kWidth;
      if (o + 1 == count) {
        const Vec ready = load(hold) & full;
        conflicts -= ~where(ready & ~rest, Vec{});
        for (uint32_t i = receive_[g]; i > 0; --i) {
          const Vec winner = take_turn(ready & rest, above_word);
          if (!any(winner)) break;
          total |= winner;
          rest &= ~Words::template with_port<kVcs>(winner, links);
        }
        continue;
      }
      const Vec credit = load(w + (credit_ + o) * kWidth);
      Vec holds[kVcs];
      Vec ready{};
      for (uint32_t vc = 0; vc < kVcs; ++vc) {
        holds[vc] = load(hold + vc * kWidth);
        ready |= holds[vc] & where(credit & channel_bits_[vc], channel_bits_[vc]);
      }
      ready &= full;
      const Vec can = ready & rest;
      conflicts -= ~where(ready & ~rest, Vec{});
      conflicts -= ~where(can & (can - static_cast<Word>(1)), Vec{});
      const Vec winner = take_turn(can, above_word);
      total |= winner;
      rest &= ~Words::template with_port<kVcs>(winner, links);
      Vec send{};
      for (uint32_t vc = 0; vc < kVcs; ++vc) send |= ~where(winner & holds[vc], Vec{}) & channel_bits_[vc];
      store(w + (send_ + o) * kWidth, send);
    }
    store(w + granted_ * kWidth, total);
    if (notes && any(conflicts - conflicts_before)) note_conflicts(g, first);
    return any(total);
  }
  // What was sent is taken away here and is there, or on its way; the state of cycle `due` is left.
  void commit(uint64_t due) {
    touched_.take(due_[slot(due)]);
    due_any_[slot(due)] = 0;
    // Known numbers of inputs make shorter loops: two and three dimensions.
    if (inputs_ == 4)
      touched_.each([&](uint32_t g) { commit_group<4>(g, due); });
    else if (inputs_ == 6)
      touched_.each([&](uint32_t g) { commit_group<6>(g, due); });
    else
      touched_.each([&](uint32_t g) { commit_group<0>(g, due); });
    touched_.clear();
    sent_.each([&](uint32_t g) {
      Word* const w = &words_[size_t{g} * stride_];
      std::fill_n(w + send_ * kWidth, outputs_ * kWidth, Word{0});
      std::fill_n(w + granted_ * kWidth, kWidth, Word{0});
    });
    sent_.clear();
  }

  template <uint32_t kInputs>
  void commit_group(uint32_t g, uint64_t due) {
    const uint32_t inputs = kInputs > 0 ? kInputs : inputs_;
    Word* const all = words_.data();
    Word* const w = all + size_t{g} * stride_;
    const uint32_t* const source = &source_[size_t{g} * kWidth * inputs];
    Word coming_words[kWidth];
    for (uint32_t i = 0; i < kWidth; ++i) {
      uint32_t coming = 0;
      for (uint32_t p = 0; p < inputs; ++p) coming |= uint32_t{all[source[i * inputs + p]]} << (p * kVcs);
      coming_words[i] = static_cast<Word>(coming);
    }
    const Vec coming = load(coming_words);
    const Vec sends = load(w + granted_ * kWidth);
    const Vec links = load(w + links_ * kWidth);
    const Vec leaving = sends & links;
    const Vec arrived = later(arriving_, parameters_.hop_delay(), coming, g, due);
    const Vec returned = later(returning_, parameters_.credit_delay, leaving, g, due);
    if (!any(coming | sends | arrived | returned)) return;
    const Vec full = count_lanes(w + flits_ * kWidth, buffer_digits_, arrived, leaving);
    const Vec room = count_lanes(w + room_ * kWidth, buffer_digits_, returned, coming);
    const Vec unfinished = count_lanes(w + left_ * kWidth, left_digits_, Vec{}, sends);
    store(w + full_ * kWidth, full);
    // Rows of credits lie behind those of sends.
    const uint32_t to_credits = (credit_ - send_) * kWidth;
    Word room_words[kWidth];
    store(room_words, room);
    for (uint32_t i = 0; i < kWidth; ++i) {
      for (uint32_t p = 0; p < inputs; ++p)
        all[source[i * inputs + p] + to_credits] = static_cast<Word>(uint32_t{room_words[i]} >> (p * kVcs));
    }
    const Vec tails = sends & ~unfinished;
    if (any(tails)) {
      Word tail_words[kWidth];
      store(tail_words, tails);
      for (uint32_t i = 0; i < kWidth; ++i) {
        for (uint32_t rest = tail_words[i]; rest != 0; rest &= rest - 1)
          end_message(g * kWidth + i, static_cast<uint32_t>(std::countr_zero(rest)));
      }
    }
    const Vec left = load(w + full_ * kWidth);
    if (any(left)) busy_groups_.add(g);
    const Vec fronts = left & links & ~load(w + taken_ * kWidth);
    if (!any(fronts)) return;
    Word front_words[kWidth];
    store(front_words, fronts);
    for (uint32_t i = 0; i < kWidth; ++i) {
      if (front_words[i] != 0) fronts_.push_back(g * kWidth + i);
    }
  }

  // What is sent now and there at once in the next cycle, or was sent before and is there then.
  Vec later(std::vector<Word>& ring, uint32_t delay, Vec what, uint32_t g, uint64_t due) {
    if (delay == 1) return what;
    const auto at = [&](uint32_t s) { return &ring[size_t{s} * routers_ + size_t{g} * kWidth]; };
    if (any(what)) {
      const uint32_t s = slot(now_ + delay);
      store(at(s), what);
      due_[s].add(g);
      due_any_[s] = 1;
    }
    Word* const now = at(slot(due));
    const Vec there = load(now);
    store(now, Vec{});
    return there;
  }

  void end_message(uint32_t r, uint32_t lane) {
    const Lane& l = lanes_[size_t{r} * kLanes + lane];
    Output& out = outs_[size_t{r} * outputs_ + l.output];
    const bool is_link = out.arc != UINT32_MAX;
    const auto others = static_cast<Word>(~(1U << lane));
    words_[word(l.output * kVcs + (is_link ? l.vc : 0), r)] &= others;
    words_[word(taken_, r)] &= others;
    out.free |= 1U << l.vc;
    mark(out);
    if (lane >= first_port_[r]) {
      words_[word(flits_, r)] &= others;
      words_[word(full_, r)] &= others;
      idle_ports_.push_back(r);
    }
    if (!is_link) deliveries_[slot(now_ + parameters_.router_delay)].push_back(l.front.message);
  }

  [[nodiscard]] uint32_t slot(uint64_t t) const { return static_cast<uint32_t>(t) & slot_mask_; }
  [[nodiscard]] bool is_due(uint64_t t) const { return due_any_[slot(t)] != 0; }

  // Nothing is sent now, so nothing changes until something is due or a node goes on.
  uint64_t next_cycle() {
    const uint64_t wake = nodes_.next_wake() == kNever ? kNever : std::max(nodes_.next_wake(), now_ + 1);
    for (uint64_t t = now_ + 1; t <= now_ + slot_mask_ && t <= wake; ++t) {
      if (is_due(t))
        commit(t);
      else if (deliveries_[slot(t)].empty())
        continue;
      return t;
    }
    return wake;
  }

  // --- what is said of it ----------------------------------------------------------------------------------

  void note(Contention::What what, const Output& out, uint32_t winner, uint32_t loser) {
    if (result_.contentions.size() >= options_.most_contentions) return;
    const ArcId arc = out.arc == UINT32_MAX ? kNoArc : ArcId{out.arc};
    result_.contentions.push_back({what, now_, NodeId{node_[out.router]}, arc, winner, loser});
  }

  void note_channel_wait(const Output& out, const Lane& l) {
    ++result_.channel_waits;
    uint32_t winner = UINT32_MAX;
    if (out.arc != UINT32_MAX) {
      const uint32_t allowed = l.allowed & ((1U << kVcs) - 1);
      const auto vc = static_cast<uint32_t>(std::bit_width(allowed)) - 1;
      const uint32_t holder = words_[word(out.output * kVcs + vc, out.router)];
      if (holder != 0)
        winner = lanes_[size_t{out.router} * kLanes + static_cast<uint32_t>(std::countr_zero(holder))]
                     .front.message;
    }
    note(Contention::What::kChannel, out, winner, l.front.message);
  }

  // Goes once more through the choices of a group, one by one, as they were made.
  void note_conflicts(uint32_t g, uint32_t first) {
    for (uint32_t i = 0; i < kWidth; ++i) {
      const uint32_t r = g * kWidth + i;
      const uint32_t full = words_[word(full_, r)];
      const uint32_t links = words_[word(links_, r)];
      uint32_t used = 0;
      uint32_t winner_of[kLanes] = {};
      for (uint32_t k = 0; k < count_[g]; ++k) {
        const uint32_t o = (first + k) % count_[g];
        const Output& out = outs_[size_t{r} * outputs_ + o];
        const bool is_link = o + 1 < count_[g];
        uint32_t ready = 0;
        for (uint32_t vc = 0; vc < (is_link ? kVcs : 1); ++vc) {
          if (is_link && (words_[word(credit_ + o, r)] >> vc & 1U) == 0) continue;
          ready |= words_[word(o * kVcs + vc, r)];
        }
        ready &= full;
        const auto message = [&](uint32_t lane) { return lanes_[size_t{r} * kLanes + lane].front.message; };
        if ((ready & used) != 0) {
          const auto lane = static_cast<uint32_t>(std::countr_zero(ready & used));
          note(Contention::What::kSwitch, out, winner_of[lane], message(lane));
        }
        uint32_t above = old_above_[o * kWidth + i];
        const uint32_t most = is_link ? 1 : receive_[g];
        for (uint32_t n = 0; n < most && (ready & ~used) != 0; ++n) {
          const uint32_t can = ready & ~used;
          const uint32_t from = (can & above) != 0 ? can & above : can;
          const auto lane = static_cast<uint32_t>(std::countr_zero(from));
          above = ~((2U << lane) - 1);
          const uint32_t port =
              (links >> lane & 1U) != 0 ? ((1U << kVcs) - 1) << (lane / kVcs * kVcs) : 1U << lane;
          used |= port;
          for (uint32_t l = 0; l < kLanes; ++l) {
            if ((port >> l & 1U) != 0) winner_of[l] = message(lane);
          }
          const uint32_t losers = can & ~used;
          if (is_link && (can & (can - 1)) != 0 && losers != 0) {
            const uint32_t later = (losers & above) != 0 ? losers & above : losers;
            note(Contention::What::kSwitch, out, message(lane),
                 message(static_cast<uint32_t>(std::countr_zero(later))));
          }
        }
      }
    }
  }

  void check_conservation() const {
    for (uint32_t r = 0; r < routers_; ++r) {
      for (uint32_t lane = 0; lane < first_port_[r]; ++lane) {
        const auto bit = [&](Word w) { return uint32_t{w} >> lane & 1U; };
        uint32_t sum = 0;
        for (uint32_t digit = 0; digit < buffer_digits_; ++digit)
          sum += (bit(words_[word(flits_ + digit, r)]) + bit(words_[word(room_ + digit, r)])) << digit;
        for (size_t i = r; i < arriving_.size(); i += routers_) sum += bit(arriving_[i]);
        for (size_t i = r; i < returning_.size(); i += routers_) sum += bit(returning_[i]);
        QUADRILLE_CHECK(sum == parameters_.buffer,
                        fmt::format("cycle {}, node {}, lane {}: {} flits and credits, of {}", now_, node_[r],
                                    lane, sum, parameters_.buffer));
      }
    }
  }

  const Traffic& traffic_;
  const Topology& network_;
  const WormParameters parameters_;
  const WormRun& options_;
  NodePrograms& nodes_;
  const uint32_t inputs_;   // most of a router
  const uint32_t outputs_;  // and with the receive ports
  WormResult result_{};
  uint64_t now_ = 0;

  uint32_t routers_ = 0;           // with those that only fill up a group
  std::vector<uint32_t> place_{};  // of a node
  std::vector<uint32_t> node_{};   // at a place
  std::vector<Word> words_{};      // a group after the other, in rows of kWidth
  uint32_t above_ = 0;             // where rows begin
  uint32_t send_ = 0;
  uint32_t credit_ = 0;
  uint32_t full_ = 0;
  uint32_t granted_ = 0;
  uint32_t links_ = 0;
  uint32_t taken_ = 0;  // lanes with a message in front
  uint32_t flits_ =
      0;  // digits of counters: flits in the buffer, places in it that are free, left of the message
  uint32_t room_ = 0;
  uint32_t left_ = 0;
  uint32_t buffer_digits_ = 0;
  uint32_t left_digits_ = 0;
  uint32_t stride_ = 0;
  uint32_t nothing_ = 0;
  std::vector<uint32_t> source_{};  // of each input the word that says what is sent to it
  std::vector<uint32_t> first_port_{};
  std::vector<Lane> lanes_{};
  std::vector<Entry> queue_{};
  uint32_t queue_mask_ = 0;
  std::vector<Output> outs_{};
  std::vector<uint32_t> count_{};    // outputs of the routers of a group
  std::vector<uint32_t> receive_{};  // receive ports
  std::vector<uint32_t> behind_begin_{};
  std::vector<uint32_t> behind_{};  // groups to which one sends
  GroupSet busy_groups_{};
  GroupSet touched_{};
  GroupSet sent_{};
  std::vector<uint32_t> fronts_{};
  std::vector<uint32_t> idle_ports_{};
  std::vector<uint32_t> dirty_{};
  std::vector<Word> old_above_{};
  // What is on its way, by the cycle in which it is due.
  uint32_t slot_mask_ = 0;
  Vec channel_bits_[kVcs]{};  // the bit of each virtual channel, in all routers of a group
  std::vector<std::vector<uint32_t>> deliveries_{};
  std::vector<Word> arriving_{};
  std::vector<Word> returning_{};
  std::vector<GroupSet> due_{};
  std::vector<uint8_t> due_any_{};
};

template <typename Word>
std::optional<WormResult> run_in(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                                 NodePrograms& nodes, const PackedNeeds& needs) {
  if (parameters.vcs == 1) return PackedRouters<Word, 1>(traffic, parameters, run, nodes, needs).run();
  if (parameters.vcs == 2) return PackedRouters<Word, 2>(traffic, parameters, run, nodes, needs).run();
  return PackedRouters<Word, 4>(traffic, parameters, run, nodes, needs).run();
}

}  // namespace

std::optional<WormResult> run_packed_worms(const Traffic& traffic, const WormParameters& parameters,
                                           const WormRun& run, NodePrograms& nodes) {
  const PackedNeeds needs = packed_needs(traffic, parameters.vcs);
  require_memory(
      uint64_t{traffic.network.num_nodes()} * (needs.lanes <= 16 ? 16 : 32) *
          (60 + 12 * uint64_t{parameters.buffer}),
      fmt::format("simulation: {} has {} nodes and", traffic.network.name(), traffic.network.num_nodes()));
  if (needs.lanes <= 16) return run_in<uint16_t>(traffic, parameters, run, nodes, needs);
  return run_in<uint32_t>(traffic, parameters, run, nodes, needs);
}

}  // namespace quadrille
