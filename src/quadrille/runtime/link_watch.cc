#include "quadrille/runtime/link_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/runtime/thread_transport.h"

namespace quadrille {
namespace {

using Way = std::tuple<uint32_t, NodeId, NodeId>;  // step, from, to

// The links and the port that all of a step holds that one node sends another.
std::map<Way, std::vector<uint32_t>> links_of(const Schedule& schedule, bool ports) {
  const Problem& problem = schedule.problem();
  const Topology& net = problem.topology();
  const bool half = problem.model().duplex == Duplex::kHalf;
  std::map<Way, std::vector<uint32_t>> out;
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const std::span<const ArcId> path = step.arcs(t);
      const NodeId to = net.head(path.back());
      std::vector<uint32_t>& links = out[{static_cast<uint32_t>(s), net.tail(path.front()), to}];
      for (const ArcId arc : path) {
        const ArcId back = half ? net.reverse(arc) : kNoArc;
        links.push_back(
            static_cast<uint32_t>(back == kNoArc ? index(arc) : std::min(index(arc), index(back))));
      }
      if (ports) links.push_back(static_cast<uint32_t>(net.num_arcs() + index(to)));
    }
  }
  for (auto& [way, links] : out) {
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
  return out;
}

}  // namespace

// One rank's end: counts what it sends and receives, so that it knows which message is which.
class WatchedTransport final : public Transport {
 public:
  WatchedTransport(LinkWatch& watch, Transport& inner)
      : watch_(watch), inner_(inner), sent_(inner.num_ranks(), 0), received_(inner.num_ranks(), 0) {}

  [[nodiscard]] Rank rank() const override { return inner_.rank(); }
  [[nodiscard]] uint32_t num_ranks() const override { return inner_.num_ranks(); }

  Request start_send(Rank to, std::span<const ConstBytes> from) override {
    if (from.empty()) return note(inner_.start_send(to, from), {});
    const LinkWatch::MessageId message = next(watch_.between(rank(), to), sent_[index(to)]);
    watch_.start(message);
    return note(inner_.start_send(to, from), {message, Part::kSender});
  }

  Request start_receive(Rank from, std::span<const Bytes> into, const Reduction* reduction) override {
    if (into.empty()) return note(inner_.start_receive(from, into, reduction), {});
    const LinkWatch::MessageId message = next(watch_.between(from, rank()), received_[index(from)]);
    return note(inner_.start_receive(from, into, reduction), {message, Part::kReceiver});
  }

  // What is received may have to let others pass, so it is taken one by one, by steps: whom it waits for is of
  // an earlier one.
  void wait(std::span<const Request> requests) override {
    std::vector<Request> rest;
    std::vector<Request> receives;
    for (const Request r : requests) {
      const bool in_turn = watch_.has_priorities_ && noted_[index(r)].part == Part::kReceiver;
      (in_turn ? receives : rest).push_back(r);
    }
    std::ranges::stable_sort(receives, {}, [this](Request r) { return step_of(r); });
    for (const Request r : receives) {
      if (!watch_.wait_until_clear(noted_[index(r)].message)) throw PeerGaveUp();
      inner_.wait(std::array{r});
      watch_.end(noted_[index(r)].message);
    }
    inner_.wait(rest);
    for (const Request r : rest) {
      if (noted_[index(r)].part != Part::kNone) watch_.end(noted_[index(r)].message);
    }
  }

  void barrier() override { inner_.barrier(); }
  void give_up() noexcept override {
    watch_.give_up();
    inner_.give_up();
  }

 private:
  enum class Part : uint8_t { kNone, kSender, kReceiver };
  struct Noted {
    LinkWatch::MessageId message = 0;
    Part part = Part::kNone;
  };

  // Iteration after iteration the same ones.
  static LinkWatch::MessageId next(const std::vector<LinkWatch::MessageId>& all, size_t& count) {
    QUADRILLE_CHECK(!all.empty(), "a message that the program does not have");
    return all[count++ % all.size()];
  }

  Request note(Request request, Noted what) {
    if (index(request) >= noted_.size()) noted_.resize(index(request) + 1);
    noted_[index(request)] = what;
    return request;
  }

  [[nodiscard]] uint32_t step_of(Request request) const {
    return watch_.messages_[noted_[index(request)].message].step;  // never written
  }

  LinkWatch& watch_;
  Transport& inner_;
  std::vector<size_t> sent_;      // per receiver
  std::vector<size_t> received_;  // per sender
  std::vector<Noted> noted_;      // per request
};

LinkWatch::LinkWatch(const Schedule& schedule, const Program& program, const PlanSynchronisation& stated)
    : num_ranks_(program.ranks.size()), has_priorities_(!stated.priorities.empty()) {
  const Topology& net = schedule.problem().topology();
  if (net.has_routers()) {
    throw InputError(fmt::format(
        "the links of {} cannot be watched: what its routers pass on is no one message", net.name()));
  }
  const bool ports = stated.ports && !schedule.problem().model().receive.unlimited();
  const std::map<Way, std::vector<uint32_t>> links = links_of(schedule, ports);
  const PriorityTable priorities(stated.priorities);
  pairs_.resize(num_ranks_ * num_ranks_);
  on_link_.resize(net.num_arcs() + net.num_nodes());
  for (const RankProgram& rank : program.ranks) {
    for (const Action& action : rank.actions) {
      if (action.kind != ActionKind::kSend || action.begin == action.end) continue;
      const Way way{action.step, net.endpoint(rank.rank), net.endpoint(action.peer)};
      pairs_[index(rank.rank) * num_ranks_ + index(action.peer)].push_back(
          static_cast<MessageId>(messages_.size()));
      messages_.push_back({.step = action.step,
                           .level = priorities.level(action.step, std::get<1>(way), std::get<2>(way)),
                           .links = links.at(way)});
    }
  }
}

const std::vector<LinkWatch::MessageId>& LinkWatch::between(Rank from, Rank to) const {
  return pairs_[index(from) * num_ranks_ + index(to)];
}

std::unique_ptr<Transport> LinkWatch::watch(Transport& inner) {
  return std::make_unique<WatchedTransport>(*this, inner);
}

LinkMeetings LinkWatch::meetings() const {
  const std::lock_guard lock(mutex_);
  return meetings_;
}

bool LinkWatch::gives_way(const Message& later, const Message& earlier) const {
  return has_priorities_ && earlier.step < later.step && earlier.level < later.level;
}

void LinkWatch::start(MessageId message) {
  const std::lock_guard lock(mutex_);
  Message& mine = messages_[message];
  std::vector<MessageId> met;
  for (const uint32_t link : mine.links) {
    for (const MessageId other : on_link_[link]) {
      if (messages_[other].step != mine.step) met.push_back(other);
    }
    on_link_[link].push_back(message);
  }
  std::ranges::sort(met);
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (const MessageId other : met) {
    const bool apart = gives_way(messages_[other], mine) || gives_way(mine, messages_[other]);
    ++(apart ? meetings_.pushed_aside : meetings_.conflicts);
  }
  mine.under_way = true;
}

// Both ends say so, each before it goes on.
void LinkWatch::end(MessageId message) {
  const std::lock_guard lock(mutex_);
  Message& mine = messages_[message];
  if (!mine.under_way) return;
  mine.under_way = false;
  for (const uint32_t link : mine.links) std::erase(on_link_[link], message);
  if (has_priorities_) changed_.notify_all();
}

bool LinkWatch::wait_until_clear(MessageId message) {
  std::unique_lock lock(mutex_);
  const Message& mine = messages_[message];
  changed_.wait(lock, [&] {
    return gave_up_ || std::ranges::none_of(mine.links, [&](uint32_t link) {
             return std::ranges::any_of(on_link_[link],
                                        [&](MessageId other) { return gives_way(mine, messages_[other]); });
           });
  });
  return !gave_up_;
}

void LinkWatch::give_up() noexcept {
  const std::lock_guard lock(mutex_);
  gave_up_ = true;
  changed_.notify_all();
}

}  // namespace quadrille
