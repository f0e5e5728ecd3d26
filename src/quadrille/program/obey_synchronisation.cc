#include "quadrille/program/obey_synchronisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/program/synchronisation_events.h"

namespace quadrille {
namespace {

// Writes a rank's actions anew, with events among them. Requests get new numbers.
class Inserter {
 public:
  Inserter(RankProgram& program, std::span<const SynchronisationEvent> events)
      : program_(program), old_requests_(program.requests), events_(events) {
    QUADRILLE_CHECK(std::ranges::is_sorted(program.actions, {}, &Action::step),
                    fmt::format("the actions of rank {} are not in order", index(program.rank)));
  }

  void run() {
    const std::vector<Action> old = std::exchange(program_.actions, {});
    program_.requests.clear();
    for (const Action& action : old) {
      while (next_ < events_.size() && events_[next_].before_step <= action.step) add(events_[next_++]);
      keep(action);
    }
    while (next_ < events_.size()) add(events_[next_++]);
    if (!told_.empty()) add_wait(last_step(), told_);
  }

 private:
  [[nodiscard]] uint32_t last_step() const {
    return program_.actions.empty() ? 0 : program_.actions.back().step;
  }

  void add(const SynchronisationEvent& event) {
    switch (event.kind) {
      case EventKind::kListen:
        QUADRILLE_CHECK(event.message == heard_.size(), "signals are heard in the order of their numbers");
        heard_.push_back(start(ActionKind::kReceive, event));
        return;
      case EventKind::kTell:
        told_.push_back(start(ActionKind::kSend, event));
        return;
      case EventKind::kMeet:
        program_.actions.push_back({.kind = ActionKind::kBarrier, .step = event.before_step - 1});
        return;
      case EventKind::kAwait:
        add_wait(event.before_step - 1, std::span(heard_).subspan(event.message, 1));
        return;
    }
  }

  uint32_t start(ActionKind kind, const SynchronisationEvent& event) {
    const auto runs = static_cast<uint32_t>(program_.runs.size());
    program_.actions.push_back({.kind = kind,
                                .peer = event.peer,
                                .step = event.before_step - 1,
                                .begin = runs,
                                .end = runs,
                                .blocks_begin = static_cast<uint32_t>(program_.blocks.size())});
    return started_++;
  }

  void keep(Action action) {
    if (action.kind == ActionKind::kWait) {
      const auto begin = static_cast<uint32_t>(program_.requests.size());
      for (uint32_t i = action.begin; i < action.end; ++i)
        program_.requests.push_back(renamed_[old_requests_[i]]);
      action.begin = begin;
      action.end = static_cast<uint32_t>(program_.requests.size());
    }
    if (starts_request(action.kind)) renamed_.push_back(started_++);
    program_.actions.push_back(action);
  }

  void add_wait(uint32_t step, std::span<const uint32_t> requests) {
    const auto begin = static_cast<uint32_t>(program_.requests.size());
    program_.requests.insert(program_.requests.end(), requests.begin(), requests.end());
    program_.actions.push_back({.kind = ActionKind::kWait,
                                .step = step,
                                .begin = begin,
                                .end = static_cast<uint32_t>(program_.requests.size())});
  }

  RankProgram& program_;
  const std::vector<uint32_t> old_requests_;
  std::span<const SynchronisationEvent> events_;
  size_t next_ = 0;
  uint32_t started_ = 0;           // sends and receives so far
  std::vector<uint32_t> renamed_;  // per old request
  std::vector<uint32_t> heard_;    // per null message that is listened for: its request
  std::vector<uint32_t> told_;     // of the null messages that are sent
};

}  // namespace

void obey(Program& program, const PlanSynchronisation& stated, const Topology& topology) {
  const std::vector<std::vector<SynchronisationEvent>> events =
      events_by_rank(stated, topology, RanksAre::kEndpoints);
  QUADRILLE_CHECK(events.size() == program.ranks.size(), "a program for another network");
  for (size_t r = 0; r < events.size(); ++r) {
    if (!events[r].empty()) Inserter(program.ranks[r], events[r]).run();
  }
}

}  // namespace quadrille
