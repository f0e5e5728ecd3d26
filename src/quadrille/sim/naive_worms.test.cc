#include "quadrille/sim/naive_worms.test.h"

#include <algorithm>
#include <deque>
#include <set>

namespace quadrille::testing {
namespace {

struct Flit {
  uint32_t message = 0;
  uint64_t at = 0;  // the hop that it takes next
  bool is_head = false;
  bool is_tail = false;
};

// A VC of a link with the buffer at its end, or an injection port.
struct Lane {
  std::deque<Flit> buffer{};
  std::deque<std::pair<uint64_t, Flit>> wire{};  // due, what
  std::deque<uint64_t> credits_back{};
  uint32_t credits = 0;
  uint32_t port = 0;   // of its router
  uint32_t level = 0;  // of the message in front
  bool upper = false;
  bool held = false;
  bool drains = false;
  int state = 0;  // 0 idle, 1 its head wants a VC, 2 it has one
  uint32_t output = 0;
  uint32_t next = 0;  // of the next router's lane, or a receive port
  uint64_t asked = 0;
};

struct Output {
  ArcId arc = kNoArc;
  uint32_t rate = 1;
  // Of each level:
  std::vector<std::vector<bool>> receive_held{};
  std::vector<uint32_t> switch_turn{};
  std::vector<uint32_t> channel_turn{};
};

struct Router {
  std::vector<Lane> lanes{};
  std::vector<uint32_t> port_rate{};
  uint32_t injection = 0;  // the first lane of those of the node
  std::vector<Output> outputs{};
};

// What a node does, step by step.
struct Node {
  uint32_t step = 0;
  bool entered = false;
  uint64_t start = 0;
  std::vector<uint32_t> to_send{};  // messages in order
};

class Naive {
 public:
  Naive(const Traffic& traffic, const WormParameters& parameters, const WormRun& run, uint64_t lost_credit)
      : traffic_(traffic), net_(traffic.network), p_(parameters), run_(run), lost_credit_(lost_credit) {
    for (const TrafficMessage& m : traffic.messages) level_numbers_.insert(stated_level(m));
    routers_.resize(net_.num_nodes());
    nodes_.resize(net_.num_nodes());
    lane0_.resize(net_.num_arcs());
    for (const ArcId arc : net_.arcs()) {
      Router& r = routers_[index(net_.head(arc))];
      lane0_[index(arc)] = static_cast<uint32_t>(r.lanes.size());
      const uint32_t vcs = p_.vcs * net_.capacity(arc);
      for (uint32_t v = 0; v < vcs * levels(); ++v) {
        Lane lane;
        lane.credits = p_.buffer;
        lane.port = static_cast<uint32_t>(r.port_rate.size());
        lane.upper = vcs > 1 && v % vcs >= vcs / 2;
        r.lanes.push_back(lane);
      }
      r.port_rate.push_back(net_.capacity(arc));
    }
    for (const NodeId v : net_.nodes()) {
      Router& r = routers_[index(v)];
      r.injection = static_cast<uint32_t>(r.lanes.size());
      for (uint32_t i = traffic.send_ports(v); i > 0; --i) {
        Lane lane;
        lane.port = static_cast<uint32_t>(r.port_rate.size());
        r.lanes.push_back(lane);
        r.port_rate.push_back(1);
      }
      const std::vector<uint32_t> turns(levels(), 0);
      for (const ArcId arc : net_.arcs_from(v))
        r.outputs.push_back({arc, net_.capacity(arc), {}, turns, turns});
      const uint32_t receive = traffic.receive_ports(v);
      r.outputs.push_back(
          {kNoArc, receive, std::vector(levels(), std::vector<bool>(receive, false)), turns, turns});
    }
    for (uint32_t m = 0; m < traffic.messages.size(); ++m)
      nodes_[index(traffic.messages[m].source)].to_send.push_back(m);
    result_.delivered.assign(traffic.messages.size(), kNever);
    due_.assign(traffic.messages.size(), kNever);
    passed_.assign(run.synchronisation.barriers.size(), kNever);
    told_.assign(run.synchronisation.signals.size(), kNever);
  }

  NaiveResult run() {
    for (now_ = 0; !stuck(); ++now_) {
      moved_ = false;
      arrive();
      while (programs_go_on()) moved_ = true;
      inject();
      for (Router& r : routers_) fronts(r);
      for (uint32_t r = 0; r < routers_.size(); ++r) {
        for (uint32_t o = 0; o < routers_[r].outputs.size(); ++o) {
          for (uint32_t level = 0; level < levels(); ++level)
            allocate(routers_[r], routers_[r].outputs[o], o, level);
        }
      }
      freed_.clear();
      see_who_wants();
      for (Router& r : routers_) switch_flits(r);
      for (const auto& [router, lane] : freed_) {
        Lane& l = routers_[router].lanes[lane];
        (p_.atomic ? l.drains : l.held) = p_.atomic;
      }
      for (const auto& [router, level, port] : receive_freed_)
        routers_[router].outputs.back().receive_held[level][port] = false;
      receive_freed_.clear();
      conserve();
    }
    result_.finished =
        std::ranges::all_of(nodes_, [this](const Node& n) { return n.step >= traffic_.steps; });
    return std::move(result_);
  }

 private:
  // Nothing moves, nothing is due, and nobody will go on by itself.
  bool stuck() {
    if (now_ == 0 || moved_) return false;
    for (const Router& r : routers_) {
      for (const Lane& l : r.lanes) {
        if (!l.wire.empty() || !l.credits_back.empty()) return false;
      }
    }
    for (const uint64_t due : due_) {
      if (due != kNever && due >= now_) return false;
    }
    for (const uint64_t at : passed_) {
      if (at != kNever && at >= now_) return false;
    }
    for (const uint64_t at : told_) {
      if (at != kNever && at >= now_) return false;
    }
    for (const Node& n : nodes_) {
      if (n.entered && n.start >= now_) return false;
      if (!n.to_send.empty() && traffic_.messages[n.to_send.front()].release >= now_) return false;
    }
    return true;
  }

  void arrive() {
    for (uint32_t m = 0; m < due_.size(); ++m) {
      if (due_[m] != now_) continue;
      result_.delivered[m] = now_;
      result_.cycles = now_;
    }
    for (Router& r : routers_) {
      for (Lane& l : r.lanes) {
        while (!l.wire.empty() && l.wire.front().first <= now_) {
          l.buffer.push_back(l.wire.front().second);
          l.wire.pop_front();
        }
        while (!l.credits_back.empty() && l.credits_back.front() <= now_) {
          l.credits_back.pop_front();
          if (now_ >= lost_credit_) {
            lost_credit_ = kNever;
            continue;
          }
          ++l.credits;
          if (l.drains && l.credits == p_.buffer) l.drains = l.held = false;
        }
      }
    }
  }

  bool own_messages_over(NodeId node, uint32_t step) const {
    for (uint32_t m = 0; m < traffic_.messages.size(); ++m) {
      const TrafficMessage& message = traffic_.messages[m];
      if (message.step != step || (message.source != node && message.destination != node)) continue;
      if (result_.delivered[m] == kNever) return false;
    }
    return true;
  }
  bool has_messages(NodeId node, uint32_t step) const {
    return std::ranges::any_of(traffic_.messages, [&](const TrafficMessage& m) {
      return m.step == step && (m.source == node || m.destination == node);
    });
  }

  bool may_enter(NodeId node, uint32_t step) const {
    const PlanSynchronisation& sync = run_.synchronisation;
    for (size_t b = 0; b < sync.barriers.size(); ++b) {
      if (sync.barriers[b] < step && (passed_[b] == kNever || passed_[b] > now_)) return false;
    }
    for (size_t s = 0; s < sync.signals.size(); ++s) {
      if (sync.signals[s].to == node && sync.signals[s].before_step == step &&
          (told_[s] == kNever || told_[s] > now_))
        return false;
    }
    return true;
  }

  bool programs_go_on() {
    const PlanSynchronisation& sync = run_.synchronisation;
    bool changed = false;
    for (const NodeId v : net_.nodes()) {
      Node& n = nodes_[index(v)];
      if (n.step >= traffic_.steps) continue;
      if (!n.entered && may_enter(v, n.step)) {
        n.entered = changed = true;
        n.start = now_ + (has_messages(v, n.step) ? run_.stalls.of(v, n.step) : 0);
      }
      if (!n.entered || n.start > now_ || !own_messages_over(v, n.step)) continue;
      for (size_t s = 0; s < sync.signals.size(); ++s) {
        if (sync.signals[s].from == v && sync.signals[s].after_step == n.step)
          told_[s] = now_ + run_.costs.signal;
      }
      ++n.step;
      n.entered = false;
      changed = true;
    }
    for (size_t b = 0; b < sync.barriers.size(); ++b) {
      if (passed_[b] != kNever || (b > 0 && (passed_[b - 1] == kNever || passed_[b - 1] > now_))) continue;
      const auto is_through = [&](const Node& n) { return n.step > sync.barriers[b]; };
      if (!std::ranges::all_of(nodes_, is_through)) continue;
      passed_[b] = now_ + run_.costs.barrier;
      changed = true;
    }
    return changed;
  }

  void inject() {
    for (uint32_t v = 0; v < nodes_.size(); ++v) {
      Node& n = nodes_[v];
      Router& r = routers_[v];
      for (uint32_t l = r.injection; l < r.lanes.size(); ++l) {
        if (!r.lanes[l].buffer.empty() || n.to_send.empty() || !n.entered || n.start > now_) continue;
        const uint32_t m = n.to_send.front();
        const TrafficMessage& message = traffic_.messages[m];
        if (message.step != n.step || message.release > now_) continue;
        n.to_send.erase(n.to_send.begin());
        for (uint32_t f = 0; f < message.flits; ++f)
          r.lanes[l].buffer.push_back({m, message.path, f == 0, f + 1 == message.flits});
        moved_ = true;
      }
    }
  }

  void fronts(Router& r) {
    for (Lane& l : r.lanes) {
      if (l.state != 0 || l.buffer.empty()) continue;
      const Hop hop = traffic_.hops[l.buffer.front().at];
      l.output = hop.is_end() ? static_cast<uint32_t>(r.outputs.size() - 1) : hop.position();
      l.level = level_of(l.buffer.front().message);
      l.state = 1;
      l.asked = now_;
    }
  }

  static bool may_take(VcClass wanted, const Lane& from, const Lane& vc, bool single) {
    if (single || wanted == VcClass::kAny) return true;
    if (wanted == VcClass::kStay) return !from.upper || vc.upper;
    return vc.upper == (wanted == VcClass::kHigh);
  }

  void allocate(Router& r, Output& out, uint32_t o, uint32_t level) {
    const auto lanes = static_cast<uint32_t>(r.lanes.size());
    const uint32_t turn = out.channel_turn[level];
    for (uint32_t k = 0; k < lanes; ++k) {
      const uint32_t l = (turn + k) % lanes;
      Lane& lane = r.lanes[l];
      if (lane.state != 1 || lane.output != o || lane.level != level) continue;
      if (!(out.arc == kNoArc ? take_receive_port(lane, out) : take_vc(lane, out))) {
        if (lane.asked == now_) ++result_.channel_waits;
        continue;
      }
      lane.state = 2;
      out.channel_turn[level] = (l + 1) % lanes;
    }
  }
  static bool take_receive_port(Lane& lane, Output& out) {
    std::vector<bool>& held = out.receive_held[lane.level];
    for (size_t port = held.size(); port-- > 0;) {
      if (held[port]) continue;
      held[port] = true;
      lane.next = static_cast<uint32_t>(port);
      return true;
    }
    return false;
  }
  bool take_vc(Lane& lane, const Output& out) {
    Router& next = routers_[index(net_.head(out.arc))];
    const uint32_t vcs = p_.vcs * net_.capacity(out.arc);
    for (uint32_t v = vcs; v-- > 0;) {
      const uint32_t l = lane0_[index(out.arc)] + lane.level * vcs + v;
      const VcClass wanted = traffic_.hops[lane.buffer.front().at].allowed();
      if (next.lanes[l].held || !may_take(wanted, lane, next.lanes[l], vcs == 1)) continue;
      next.lanes[l].held = true;
      lane.next = l;
      return true;
    }
    return false;
  }

  bool can_send(const Lane& lane, const Output& out) const {
    if (out.arc == kNoArc) return true;
    return routers_[index(net_.head(out.arc))].lanes[lane.next].credits > 0;
  }

  // --- urgency ---------------------------------------------------------------------------------------------

  uint32_t stated_level(const TrafficMessage& m) const {
    uint32_t of_step = 1;
    for (const Priority& p : run_.synchronisation.priorities) {
      if (p.step != m.step) continue;
      if (p.from == m.source && p.to == m.destination) return p.level;
      if (p.of_whole_step()) of_step = p.level;
    }
    return of_step;
  }
  uint32_t levels() const { return static_cast<uint32_t>(std::max<size_t>(1, level_numbers_.size())); }
  uint32_t level_of(uint32_t message) const {
    const auto at = level_numbers_.find(stated_level(traffic_.messages[message]));
    return static_cast<uint32_t>(std::distance(level_numbers_.begin(), at));
  }

  bool wants(const Lane& lane, uint32_t o, const Output& out) const {
    return lane.state == 2 && lane.output == o && !lane.buffer.empty() && can_send(lane, out);
  }
  // Half duplex: what could be sent over each arc, before anything is.
  void see_who_wants() {
    wanted_.assign(net_.num_arcs(), UINT32_MAX);
    if (!traffic_.half_duplex) return;
    for (const Router& r : routers_) {
      for (uint32_t o = 0; o + 1 < r.outputs.size(); ++o) {
        uint32_t& wanted = wanted_[index(r.outputs[o].arc)];
        for (const Lane& lane : r.lanes) {
          if (wants(lane, o, r.outputs[o])) wanted = std::min(wanted, lane.level);
        }
      }
    }
  }
  bool other_direction_goes(const Output& out) const {
    if (!traffic_.half_duplex || out.arc == kNoArc) return false;
    const ArcId back = net_.reverse(out.arc);
    if (back == kNoArc || wanted_[index(back)] == UINT32_MAX) return false;
    const uint32_t mine = wanted_[index(out.arc)];
    const uint32_t other = wanted_[index(back)];
    if (mine != other) return other < mine;
    return now_ % 2 == 0 ? index(back) < index(out.arc) : index(back) > index(out.arc);
  }

  void switch_flits(Router& r) {
    std::vector<uint32_t> port_sent(r.port_rate.size(), 0);
    std::vector<bool> lane_sent(r.lanes.size(), false);
    std::vector<uint32_t> output_sent(r.outputs.size(), 0);
    for (uint32_t level = 0; level < levels(); ++level)
      switch_level(r, level, port_sent, lane_sent, output_sent);
  }

  void switch_level(Router& r, uint32_t level, std::vector<uint32_t>& port_sent, std::vector<bool>& lane_sent,
                    std::vector<uint32_t>& output_sent) {
    const auto outputs = static_cast<uint32_t>(r.outputs.size());
    const auto lanes = static_cast<uint32_t>(r.lanes.size());
    const std::vector<uint32_t> port_sent_before = port_sent;
    for (uint32_t k = 0; k < outputs; ++k) {
      const auto o = static_cast<uint32_t>((now_ + k) % outputs);
      Output& out = r.outputs[o];
      uint32_t can = 0;
      bool blocked = false;
      bool aside = false;
      const auto may_want = [&](uint32_t l) {
        return r.lanes[l].level == level && wants(r.lanes[l], o, out);
      };
      const auto free = [&](uint32_t l) {
        return !lane_sent[l] && port_sent[r.lanes[l].port] < r.port_rate[r.lanes[l].port];
      };
      for (uint32_t l = 0; l < lanes; ++l) {
        if (!may_want(l)) continue;
        const uint32_t port = r.lanes[l].port;
        if (free(l))
          ++can;
        else if (port_sent_before[port] >= r.port_rate[port])
          aside = true;
        else
          blocked = true;
      }
      const uint32_t room = out.rate - output_sent[o];
      if (aside || (room < out.rate && can > room)) ++result_.pushed_aside;
      if (blocked) ++result_.switch_conflicts;
      if (can > 0 && other_direction_goes(out)) {
        ++result_.switch_conflicts;
        continue;
      }
      if (room == out.rate && can > room) ++result_.switch_conflicts;
      for (uint32_t i = 0; i < room; ++i) {
        const uint32_t turn = out.switch_turn[level];
        for (uint32_t j = 0; j < lanes; ++j) {
          const uint32_t l = (turn + j) % lanes;
          if (!may_want(l) || !free(l)) continue;
          out.switch_turn[level] = (l + 1) % lanes;
          lane_sent[l] = true;
          ++port_sent[r.lanes[l].port];
          ++output_sent[o];
          send(r, l, out);
          break;
        }
      }
    }
  }

  void send(Router& r, uint32_t l, const Output& out) {
    Lane& lane = r.lanes[l];
    Flit flit = lane.buffer.front();
    lane.buffer.pop_front();
    moved_ = true;
    if (l < r.injection) lane.credits_back.push_back(now_ + p_.credit_delay);
    if (out.arc == kNoArc) {
      if (flit.is_tail) {
        receive_freed_.push_back({static_cast<uint32_t>(&r - routers_.data()), lane.level, lane.next});
        due_[flit.message] = now_ + p_.router_delay;
      }
    } else {
      const auto head = static_cast<uint32_t>(index(net_.head(out.arc)));
      Lane& next = routers_[head].lanes[lane.next];
      ++flit.at;
      --next.credits;
      next.wire.emplace_back(now_ + p_.hop_delay(), flit);
      ++result_.flit_hops;
      if (flit.is_tail) freed_.emplace_back(head, lane.next);
    }
    if (flit.is_tail) lane.state = 0;
  }

  void conserve() {
    for (const Router& r : routers_) {
      for (uint32_t l = 0; l < r.injection; ++l) {
        const Lane& lane = r.lanes[l];
        if (lane.buffer.size() + lane.wire.size() + lane.credits + lane.credits_back.size() != p_.buffer)
          result_.conserved = false;
      }
    }
  }

  const Traffic& traffic_;
  const Topology& net_;
  const WormParameters& p_;
  const WormRun& run_;
  uint64_t lost_credit_;
  uint64_t now_ = 0;
  bool moved_ = false;
  std::vector<Router> routers_{};
  std::vector<Node> nodes_{};
  std::vector<uint32_t> lane0_{};
  std::vector<uint64_t> due_{};
  std::vector<uint64_t> passed_{};
  std::vector<uint64_t> told_{};  // when it is heard
  std::vector<std::pair<uint32_t, uint32_t>> freed_{};
  struct ReceivePort {
    uint32_t router = 0;
    uint32_t level = 0;
    uint32_t port = 0;
  };
  std::vector<ReceivePort> receive_freed_{};
  std::set<uint32_t> level_numbers_{};
  std::vector<uint32_t> wanted_{};  // of each arc the most urgent level that could send
  NaiveResult result_{};
};

}  // namespace

NaiveResult naive_worms(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                        uint64_t lost_credit) {
  return Naive(traffic, parameters, run, lost_credit).run();
}

}  // namespace quadrille::testing
