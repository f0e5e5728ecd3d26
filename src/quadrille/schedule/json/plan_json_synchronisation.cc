#include "quadrille/schedule/json/plan_json_synchronisation.h"

#include <fmt/format.h>

#include <array>

#include "quadrille/base/input_error.h"

namespace quadrille::plan_json {
namespace {

// Steps are counted from 1 in files.
uint32_t step_number(uint64_t value) {
  if (value == 0) throw InputError("steps are counted from 1");
  return small_number(value, "a step") - 1;
}

NodeId node(uint64_t value) { return NodeId{small_number(value, "a node")}; }

}  // namespace

void SynchronisationReader::open(In inside, size_t offset) {
  if (inside == In::kSynchronisation) stated_.emplace();
  if (inside == In::kSignal) {
    stated_->signals.emplace_back();
    signals_at_.push_back(offset);
  }
  if (inside == In::kPriority) {
    stated_->priorities.emplace_back();
    priorities_at_.push_back(offset);
  }
}

void SynchronisationReader::number(Key key, uint64_t value, size_t offset) {
  switch (key) {
    case Key::kBarrier:
      stated_->barriers.push_back(step_number(value));
      barriers_at_.push_back(offset);
      return;
    case Key::kSignalFrom:
      stated_->signals.back().from = node(value);
      return;
    case Key::kSignalAfter:
      stated_->signals.back().after_step = step_number(value);
      return;
    case Key::kSignalTo:
      stated_->signals.back().to = node(value);
      return;
    case Key::kSignalBefore:
      stated_->signals.back().before_step = step_number(value);
      return;
    case Key::kPriorityStep:
      stated_->priorities.back().step = step_number(value);
      return;
    case Key::kPriorityLevel:
      stated_->priorities.back().level = small_number(value, "a level");
      return;
    case Key::kPriorityFrom:
      stated_->priorities.back().from = node(value);
      return;
    case Key::kPriorityTo:
      stated_->priorities.back().to = node(value);
      return;
    default:
      return;
  }
}

void SynchronisationReader::text(Key key, const std::string& value) {
  if (key == Key::kApart) stated_->ports = parse_apart(value);
}

void SynchronisationReader::check(const Topology& topology, const Plan& plan, FileText text) const {
  if (!stated_) return;
  const auto mistake = find_mistake(*stated_, topology, plan);
  if (!mistake) return;
  struct Stated {
    const char* name;
    const std::vector<size_t>& at;
  };
  const std::array<Stated, 3> all = {Stated{"barriers", barriers_at_}, Stated{"signals", signals_at_},
                                     Stated{"priorities", priorities_at_}};
  const Stated& wrong = all[static_cast<size_t>(mistake->what)];
  text.fail_at({wrong.at[mistake->index]}, fmt::format("synchronisation.{}[{}]", wrong.name, mistake->index),
               mistake->message);
}

}  // namespace quadrille::plan_json
