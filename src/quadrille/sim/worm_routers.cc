#include "quadrille/sim/worm_routers.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {

// --- the network -------------------------------------------------------------------------------------------

WormRouters::WormRouters(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                         NodePrograms& nodes)
    : traffic_(traffic),
      network_(traffic.network),
      parameters_(parameters),
      options_(run),
      urgency_(traffic, run.synchronisation.priorities),
      nodes_(nodes) {
  uint64_t lanes = 0;
  for (const ArcId arc : network_.arcs()) lanes += uint64_t{parameters_.vcs} * network_.capacity(arc);
  lanes *= urgency_.levels();
  const uint32_t queue = queue_length();
  require_memory(
      (lanes + 2 * uint64_t{network_.num_nodes()}) * (sizeof(Channel) + 24 + queue * sizeof(Entry)),
      fmt::format("simulation: {} has {} virtual channels and", network_.name(), lanes));
  if (lanes >= UINT32_MAX / 2) throw InputError("simulation: more virtual channels than 32 bits count");
  queue_mask_ = queue - 1;
  lay_out_inputs();
  lay_out_outputs();
  queue_.resize(channels_.size() * size_t{queue});
  const uint32_t longest =
      std::max({parameters_.hop_delay(), parameters_.credit_delay, parameters_.router_delay});
  const uint32_t slots = std::bit_ceil(longest + 1);
  slot_mask_ = slots - 1;
  arrivals_.resize(slots);
  credits_.resize(slots);
  deliveries_.resize(slots);
  result_.delivered.assign(traffic.messages.size(), kNever);
  result_.started.assign(traffic.messages.size(), kNever);
  result_.link_flits.assign(network_.num_arcs(), 0);
}

// A buffer of b flits has at most this many messages in it or on the way to it.
uint32_t WormRouters::queue_length() const {
  uint32_t least = UINT32_MAX;
  for (const TrafficMessage& m : traffic_.messages) least = std::min(least, m.flits);
  return std::bit_ceil((parameters_.buffer - 1) / least + 3);
}

void WormRouters::lay_out_inputs() {
  const uint32_t n = network_.num_nodes();
  const std::vector<std::vector<ArcId>> into = arcs_into(network_);
  vc0_.assign(network_.num_arcs(), 0);
  for (uint32_t r = 0; r < n; ++r) {
    Router router;
    router.first_channel = static_cast<uint32_t>(channels_.size());
    uint32_t lane = 0;
    const auto add_port = [&](ArcId arc, uint32_t of_level, uint32_t levels, uint32_t rate) {
      const auto port = static_cast<uint32_t>(ports_.size());
      const uint32_t count = of_level * levels;
      ports_.push_back(
          {.arc = arc, .first_lane = lane, .lanes = count, .lanes_of_level = of_level, .rate = rate});
      for (uint32_t i = 0; i < count; ++i) {
        Channel c;
        c.router = r;
        c.lane = lane++;
        c.port = port;
        c.credits = arc == kNoArc ? 0 : parameters_.buffer;
        channels_.push_back(c);
      }
    };
    for (const ArcId arc : into[r]) {
      vc0_[index(arc)] = static_cast<uint32_t>(channels_.size());
      add_port(arc, parameters_.vcs * network_.capacity(arc), urgency_.levels(), network_.capacity(arc));
    }
    router.injection = lane;
    for (uint32_t i = traffic_.send_ports(NodeId{r}); i > 0; --i) add_port(kNoArc, 1, 1, 1);
    router.lanes = lane;
    router.words = lane_set::words_of(lane);
    routers_.push_back(router);
  }
}

void WormRouters::lay_out_outputs() {
  uint32_t most_words = 1;
  for (uint32_t r = 0; r < network_.num_nodes(); ++r) {
    Router& router = routers_[r];
    router.first_output = static_cast<uint32_t>(outputs_.size());
    router.ready_outputs = static_cast<uint32_t>(ready_outputs_.size());
    const auto first_wire = static_cast<uint32_t>(wires_.size());
    uint32_t wire = first_wire;
    uint32_t level = 0;
    const auto add_output = [&](ArcId arc, uint32_t vcs, uint32_t rate) {
      Output out{.arc = arc, .router = r, .level = level, .vcs = vcs, .rate = rate, .wire = wire++};
      out.lanes = static_cast<uint32_t>(ready_.size());
      ready_.resize(ready_.size() + router.words);
      out.free = static_cast<uint32_t>(free_.size());
      free_.resize(free_.size() + lane_set::words_of(vcs));
      for (uint32_t vc = 0; vc < vcs; ++vc) lane_set::add(&free_[out.free], vc);
      outputs_.push_back(out);
    };
    const uint32_t receive = traffic_.receive_ports(NodeId{r});
    for (; level < urgency_.levels(); ++level) {
      wire = first_wire;
      for (const ArcId arc : network_.arcs_from(NodeId{r}))
        add_output(arc, parameters_.vcs * network_.capacity(arc), network_.capacity(arc));
      add_output(kNoArc, receive, receive);
    }
    router.outputs = wire - first_wire;
    wires_.resize(wire);
    router.output_words = lane_set::words_of(router.outputs * urgency_.levels());
    most_words = std::max({most_words, router.words, router.output_words});
    ready_outputs_.resize(ready_outputs_.size() + router.output_words);
  }
  waiting_.assign(ready_.size(), 0);
  is_dirty_.assign(outputs_.size(), 0);
  active_.assign(lane_set::words_of(network_.num_nodes()), 0);
  used_.assign(most_words, 0);
  used_before_.assign(most_words, 0);
  none_.assign(most_words, 0);
}

// --- a cycle -----------------------------------------------------------------------------------------------

WormResult WormRouters::run() {
  for (uint64_t t = 0; t != kNever; t = next_cycle(t)) {
    now_ = t;
    arrive();
    find_fronts();
    allocate_channels();
    sent_ = false;
    if (traffic_.half_duplex) see_who_wants();
    for (uint32_t w = 0; w < active_.size(); ++w) {
      for (uint64_t word = active_[w]; word != 0; word &= word - 1)
        evaluate(w * 64 + static_cast<uint32_t>(std::countr_zero(word)));
    }
    ++result_.evaluated;
    if (options_.check_conservation) check_conservation();
  }
  if (!nodes_.finished()) diagnose();
  return std::move(result_);
}

// Messages that are over, nodes that go on, flits and credits.
void WormRouters::arrive() {
  const uint32_t slot = static_cast<uint32_t>(now_) & slot_mask_;
  for (const uint32_t message : deliveries_[slot]) {
    result_.delivered[message] = now_;
    result_.cycles = now_;
    nodes_.delivered(message, now_);
  }
  deliveries_[slot].clear();
  while (nodes_.next_wake() <= now_) nodes_.wake(now_);
  for (const NodeId v : nodes_.changed()) inject(static_cast<uint32_t>(index(v)));
  nodes_.clear_changed();
  for (const uint32_t id : arrivals_[slot]) {
    Channel& c = channels_[id];
    if (c.flits++ > 0) continue;
    if (c.state == State::kIdle) {
      take_front(id);
    } else if (c.state == State::kSends && has_room(c)) {
      set_ready(c);
    }
  }
  arrivals_[slot].clear();
  for (const uint32_t id : credits_[slot]) {
    Channel& c = channels_[id];
    const bool was_empty = c.credits++ == 0;
    if (c.owner == kDraining) {
      if (c.credits == parameters_.buffer) free_channel(id);
    } else if (c.owner != kNoChannel && was_empty) {
      if (channels_[c.owner].flits > 0) set_ready(channels_[c.owner]);
    }
  }
  credits_[slot].clear();
}

// A free port of the node takes its next message.
void WormRouters::inject(uint32_t r) {
  const Router& router = routers_[r];
  for (uint32_t lane = router.injection; lane < router.lanes; ++lane) {
    const uint32_t id = router.first_channel + lane;
    Channel& c = channels_[id];
    if (c.state != State::kIdle) continue;
    const std::optional<uint32_t> message = nodes_.take(NodeId{r}, now_);
    if (!message) return;
    const TrafficMessage& m = traffic_.messages[*message];
    c.message = *message;
    c.at = m.path;
    c.flits = m.flits;
    c.left = m.flits;
    result_.started[*message] = now_;
    ask(id);
  }
}

// Who has sent a tail in the last cycle turns to the next message.
void WormRouters::find_fronts() {
  for (const uint32_t id : tails_) {
    const Channel& c = channels_[id];
    if (ports_[c.port].arc == kNoArc)
      inject(c.router);
    else if (c.state == State::kIdle && c.flits > 0)
      take_front(id);
  }
  tails_.clear();
}

void WormRouters::take_front(uint32_t id) {
  Channel& c = channels_[id];
  const Entry& front = queue_[size_t{id} * (queue_mask_ + 1) + c.queue_begin];
  c.queue_begin = (c.queue_begin + 1) & queue_mask_;
  c.message = front.message;
  c.at = front.at;
  c.left = traffic_.messages[front.message].flits;
  ask(id);
}

// The head asks for a VC of its next link, or for a receive port.
void WormRouters::ask(uint32_t id) {
  Channel& c = channels_[id];
  const Router& router = routers_[c.router];
  const Hop hop = traffic_.hops[c.at];
  c.output = router.first_output + urgency_.of(c.message) * router.outputs +
             (hop.is_end() ? router.outputs - 1 : hop.position());
  c.state = State::kAsks;
  c.asked = now_;
  lane_set::add(&waiting_[outputs_[c.output].lanes], c.lane);
  mark(c.output);
}

// VCs [begin, end) of the output that the head in a channel may take.
WormRouters::Range WormRouters::allowed(const Channel& c) const {
  const uint32_t vcs = outputs_[c.output].vcs;
  const Hop hop = traffic_.hops[c.at];
  if (hop.is_end() || vcs == 1) return {0, vcs};
  VcClass wanted = hop.allowed();
  const Port& in = ports_[c.port];
  if (wanted == VcClass::kStay)
    wanted = in.lanes_of_level > 1 && (c.lane - in.first_lane) % in.lanes_of_level >= in.lanes_of_level / 2
                 ? VcClass::kHigh
                 : VcClass::kAny;
  if (wanted == VcClass::kLow) return {0, vcs / 2};
  if (wanted == VcClass::kHigh) return {vcs / 2, vcs};
  return {0, vcs};
}

void WormRouters::allocate_channels() {
  for (const uint32_t o : dirty_) {
    is_dirty_[o] = 0;
    Output& out = outputs_[o];
    const Router& router = routers_[out.router];
    uint64_t* const waiting = &waiting_[out.lanes];
    // In turn, from whom it was at first: two runs over the lanes.
    const uint32_t start = out.channel_turn;
    for (uint32_t part = 0; part < 2; ++part) {
      const uint32_t end = part == 0 ? router.lanes : start;
      uint32_t lane = part == 0 ? start : 0;
      while ((lane = lane_set::first_from(waiting, no_lanes(), router.words, lane)) < end) {
        if (grant_channel(o, router.first_channel + lane)) {
          lane_set::remove(waiting, lane);
          out.channel_turn = lane + 1;
        }
        ++lane;
      }
    }
  }
  dirty_.clear();
}

bool WormRouters::grant_channel(uint32_t o, uint32_t id) {
  const Output& out = outputs_[o];
  Channel& c = channels_[id];
  const Range range = allowed(c);
  const uint32_t vc = lane_set::last_within(&free_[out.free], range.begin, range.end);
  if (vc == lane_set::kNone) {
    if (c.asked == now_) {
      ++result_.channel_waits;
      uint32_t winner = UINT32_MAX;
      if (out.arc != kNoArc) winner = channels_[holder(o, range.end - 1)].message;
      note(Contention::What::kChannel, out, winner, c.message);
    }
    return false;
  }
  lane_set::remove(&free_[out.free], vc);
  c.vc = vc;
  c.granted = now_;
  c.state = State::kSends;
  if (out.arc == kNoArc) {
    c.next = kNoChannel;
    if (c.flits > 0) set_ready(c);
    return true;
  }
  c.next = vc0_[index(out.arc)] + out.level * out.vcs + vc;
  Channel& next = channels_[c.next];
  next.owner = id;
  queue_[size_t{c.next} * (queue_mask_ + 1) + next.queue_end] = {c.at + 1, c.message};
  next.queue_end = (next.queue_end + 1) & queue_mask_;
  if (next.credits > 0 && c.flits > 0) set_ready(c);
  return true;
}

// The channel whose message has a VC of a link; of one that drains the VC itself.
uint32_t WormRouters::holder(uint32_t o, uint32_t vc) const {
  const Output& out = outputs_[o];
  const uint32_t id = vc0_[index(out.arc)] + out.level * out.vcs + vc;
  const uint32_t owner = channels_[id].owner;
  return owner == kNoChannel || owner == kDraining ? id : owner;
}

// The outputs of a router send, each to one of those who can, in turn.
void WormRouters::evaluate(uint32_t r) {
  const Router& router = routers_[r];
  uint64_t* const outputs = &ready_outputs_[router.ready_outputs];
  if (lane_set::empty(outputs, router.output_words)) {
    lane_set::remove(active_.data(), r);
    return;
  }
  sent_ = true;
  std::fill_n(used_.begin(), router.words, 0);
  for (uint32_t level = 0; level < urgency_.levels(); ++level) evaluate_level(r, level);
}

void WormRouters::evaluate_level(uint32_t r, uint32_t level) {
  const Router& router = routers_[r];
  const uint64_t* const outputs = &ready_outputs_[router.ready_outputs];
  if (level > 0) std::copy_n(used_.begin(), router.words, used_before_.begin());
  const uint32_t begin = level * router.outputs;
  const uint32_t end = begin + router.outputs;
  const auto first = begin + static_cast<uint32_t>(now_ % router.outputs);
  uint32_t o = first;
  while ((o = lane_set::first_from(outputs, no_lanes(), router.output_words, o)) < end)
    serve(router.first_output + o++);
  o = begin;
  while ((o = lane_set::first_from(outputs, no_lanes(), router.output_words, o)) < first)
    serve(router.first_output + o++);
}

// Half duplex: which directions of links somebody could send in, before anybody does.
void WormRouters::see_who_wants() {
  for (uint32_t w = 0; w < active_.size(); ++w) {
    for (uint64_t word = active_[w]; word != 0; word &= word - 1) {
      const Router& router = routers_[w * 64 + static_cast<uint32_t>(std::countr_zero(word))];
      const uint64_t* const outputs = &ready_outputs_[router.ready_outputs];
      for (uint32_t o = 0;
           (o = lane_set::first_from(outputs, no_lanes(), router.output_words, o)) != lane_set::kNone; ++o) {
        const Output& out = outputs_[router.first_output + o];
        Wire& wire = wires_[out.wire];
        if (wire.wanted_in == now_) continue;  // by a more urgent one
        wire.wanted_in = now_;
        wire.wanted_level = out.level;
      }
    }
  }
}

// The direction with the more urgent message goes; if both are alike that of the arc with the lower number in even cycles.
bool WormRouters::other_direction_goes(const Output& out) const {
  const ArcId back = network_.reverse(out.arc);
  if (back == kNoArc) return false;
  const Wire& mine = wires_[out.wire];
  const Wire& other = wires_[outputs_[output_of(back)].wire];
  if (other.wanted_in != now_) return false;
  if (other.wanted_level != mine.wanted_level) return other.wanted_level < mine.wanted_level;
  return (index(back) < index(out.arc)) == (now_ % 2 == 0);
}

void WormRouters::serve(uint32_t o) {
  Output& out = outputs_[o];
  const Router& router = routers_[out.router];
  Wire& wire = wires_[out.wire];
  const uint64_t* const ready = &ready_[out.lanes];
  uint32_t can = 0;
  bool blocked = false;  // by messages that are no more urgent
  bool aside = false;
  for (uint32_t w = 0; w < router.words; ++w) {
    can += static_cast<uint32_t>(std::popcount(ready[w] & ~used_[w]));
    uint64_t waits = ready[w] & used_[w];
    if (out.level > 0) {
      aside = aside || (waits & used_before_[w]) != 0;
      waits &= ~used_before_[w];
    }
    blocked = blocked || waits != 0;
  }
  if (blocked) note_blocked(out, router);
  if (wire.cycle != now_) {
    wire.cycle = now_;
    wire.sent = 0;
  }
  const uint32_t room = out.rate - wire.sent;
  if (aside || (room < out.rate && can > room)) ++result_.pushed_aside;
  if (traffic_.half_duplex && can > 0 && out.arc != kNoArc && other_direction_goes(out)) {
    ++result_.switch_conflicts;
    return;
  }
  const bool conflict = room == out.rate && can > room;
  if (conflict) ++result_.switch_conflicts;
  for (uint32_t i = std::min(can, room); i > 0; --i) {
    const uint32_t lane = lane_set::first_in_turn(ready, used_.data(), router.words, out.switch_turn);
    if (lane == lane_set::kNone) break;  // the rest came by ports that have sent what they can
    out.switch_turn = lane + 1;
    ++wire.sent;
    const uint32_t winner = channels_[router.first_channel + lane].message;
    use_port(router, lane);
    if (conflict && i == 1) {
      const uint32_t loser = lane_set::first_in_turn(ready, used_.data(), router.words, out.switch_turn);
      if (loser != lane_set::kNone)
        note(Contention::What::kSwitch, out, winner, channels_[router.first_channel + loser].message);
    }
    send(router.first_channel + lane);
  }
}

// Somebody could send who came by a port from which another flit has been sent in this cycle.
void WormRouters::note_blocked(const Output& out, const Router& router) {
  ++result_.switch_conflicts;
  if (result_.contentions.size() >= options_.most_contentions) return;
  for (uint32_t lane = 0; lane < router.lanes; ++lane) {
    if (!lane_set::has(&ready_[out.lanes], lane) || !lane_set::has(used_.data(), lane)) continue;
    const Channel& c = channels_[router.first_channel + lane];
    return note(Contention::What::kSwitch, out, ports_[c.port].last_message, c.message);
  }
}

// The port has sent; it sends as many flits a cycle as its link has capacity, and one of each VC.
void WormRouters::use_port(const Router& router, uint32_t lane) {
  const Channel& c = channels_[router.first_channel + lane];
  Port& port = ports_[c.port];
  if (port.cycle != now_) {
    port.cycle = now_;
    port.sent = 0;
  }
  port.last_message = c.message;
  if (++port.sent < port.rate) return lane_set::add(used_.data(), lane);
  for (uint32_t l = port.first_lane; l < port.first_lane + port.lanes; ++l) lane_set::add(used_.data(), l);
}

void WormRouters::send(uint32_t id) {
  Channel& c = channels_[id];
  bool ready = --c.flits > 0;
  Output& out = outputs_[c.output];
  if (c.next != kNoChannel) {
    if (--channels_[c.next].credits == 0) ready = false;
    arrivals_[(now_ + parameters_.hop_delay()) & slot_mask_].push_back(c.next);
    ++result_.flit_hops;
  }
  if (ports_[c.port].arc != kNoArc) credits_[(now_ + parameters_.credit_delay) & slot_mask_].push_back(id);
  if (--c.left == 0) {
    ready = false;
    send_tail(id, out);
  }
  if (ready) return;
  const Router& router = routers_[c.router];
  lane_set::remove(&ready_[out.lanes], c.lane);
  if (lane_set::empty(&ready_[out.lanes], router.words))
    lane_set::remove(&ready_outputs_[router.ready_outputs], c.output - router.first_output);
}

void WormRouters::send_tail(uint32_t id, const Output& out) {
  Channel& c = channels_[id];
  if (c.next == kNoChannel) {
    deliveries_[(now_ + parameters_.router_delay) & slot_mask_].push_back(c.message);
    lane_set::add(&free_[out.free], c.vc);
    mark(c.output);
  } else {
    result_.link_flits[index(out.arc)] += traffic_.messages[c.message].flits;
    if (options_.uses != nullptr)
      options_.uses->push_back({c.message, out.arc, out.level * out.vcs + c.vc, c.asked, c.granted, now_});
    if (parameters_.atomic)
      channels_[c.next].owner = kDraining;
    else
      free_channel(c.next);
  }
  c.state = State::kIdle;
  tails_.push_back(id);
}

// A VC can be had again, from the next allocation on.
void WormRouters::free_channel(uint32_t id) {
  Channel& c = channels_[id];
  c.owner = kNoChannel;
  const Port& port = ports_[c.port];
  const uint32_t level = (c.lane - port.first_lane) / port.lanes_of_level;
  const Router& sender = routers_[index(network_.tail(port.arc))];
  const uint32_t o = output_of(port.arc) + level * sender.outputs;
  lane_set::add(&free_[outputs_[o].free], (c.lane - port.first_lane) % port.lanes_of_level);
  mark(o);
}

uint32_t WormRouters::output_of(ArcId arc) const {
  const NodeId tail = network_.tail(arc);
  return static_cast<uint32_t>(routers_[index(tail)].first_output + index(arc) -
                               index(network_.arcs_from(tail)[0]));
}

void WormRouters::set_ready(const Channel& c) {
  const Router& router = routers_[c.router];
  lane_set::add(&ready_[outputs_[c.output].lanes], c.lane);
  lane_set::add(&ready_outputs_[router.ready_outputs], c.output - router.first_output);
  lane_set::add(active_.data(), c.router);
}

void WormRouters::mark(uint32_t o) {
  if (is_dirty_[o] != 0) return;
  is_dirty_[o] = 1;
  dirty_.push_back(o);
}

// Where nothing was sent nothing changes until something arrives or a node goes on.
uint64_t WormRouters::next_cycle(uint64_t t) const {
  if (sent_ || !tails_.empty() || !dirty_.empty()) return t + 1;
  uint64_t next = nodes_.next_wake();
  for (uint64_t i = t + 1; i <= t + slot_mask_; ++i) {
    const uint32_t slot = static_cast<uint32_t>(i) & slot_mask_;
    if (!arrivals_[slot].empty() || !credits_[slot].empty() || !deliveries_[slot].empty())
      return std::min(next, i);
  }
  return next == kNever ? kNever : std::max(next, t + 1);
}

// --- what is said of it ------------------------------------------------------------------------------------

void WormRouters::note(Contention::What what, const Output& out, uint32_t winner, uint32_t loser) {
  if (result_.contentions.size() >= options_.most_contentions) return;
  result_.contentions.push_back({what, now_, NodeId{out.router}, out.arc, winner, loser});
}

void WormRouters::check_conservation() const {
  std::vector<uint64_t> sum(channels_.size(), 0);
  for (const auto& slot : arrivals_) {
    for (const uint32_t id : slot) ++sum[id];
  }
  for (const auto& slot : credits_) {
    for (const uint32_t id : slot) ++sum[id];
  }
  for (size_t id = 0; id < channels_.size(); ++id) {
    const Channel& c = channels_[id];
    if (ports_[c.port].arc == kNoArc) continue;
    QUADRILLE_CHECK(sum[id] + c.flits + c.credits == parameters_.buffer,
                    fmt::format("cycle {}, channel {}: {} flits, {} credits, {} on their way, of {}", now_,
                                id, c.flits, c.credits, sum[id], parameters_.buffer));
  }
}

// What a stuck channel waits for: the buffer in front of it, or the first VC that it may take.
uint32_t WormRouters::waits_for(const Channel& c) const {
  if (c.state == State::kSends) return c.next;
  if (c.state == State::kIdle || outputs_[c.output].arc == kNoArc) return kNoChannel;
  const Output& out = outputs_[c.output];
  return vc0_[index(out.arc)] + out.level * out.vcs + allowed(c).begin;
}

void WormRouters::diagnose() {
  Deadlock deadlock;
  deadlock.cycle = now_;
  deadlock.nodes = nodes_.who_waits(options_.most_contentions);
  std::vector<uint32_t> seen(channels_.size(), 0);
  for (uint32_t start = 0; start < channels_.size() && deadlock.circle.empty(); ++start) {
    if (channels_[start].flits == 0) continue;
    uint32_t id = start;
    while (id != kNoChannel && seen[id] == 0) {
      seen[id] = start + 1;
      id = waits_for(channels_[id]);
    }
    if (id == kNoChannel || seen[id] != start + 1) continue;
    for (uint32_t at = id; deadlock.circle.empty() || at != id; at = waits_for(channels_[at])) {
      const Channel& c = channels_[at];
      const Port& port = ports_[c.port];
      deadlock.circle.push_back({NodeId{c.router}, port.arc, c.lane - port.first_lane, c.message});
    }
  }
  result_.deadlock = std::move(deadlock);
}

}  // namespace quadrille
