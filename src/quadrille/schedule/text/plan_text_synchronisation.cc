#include "quadrille/schedule/text/plan_text_synchronisation.h"

#include <fmt/format.h>

#include <array>

namespace quadrille::plan_text {
namespace {

// Steps are counted from 1 here.
uint32_t step_number(std::string_view value) {
  const uint64_t step = whole(value);
  if (step == 0 || step >= kMaxIds) {
    throw InputError(fmt::format("steps are counted from 1, and are at most {}", kMaxIds - 1));
  }
  return static_cast<uint32_t>(step - 1);
}
uint32_t level_number(std::string_view value) { return whole_id(value, "levels are"); }
NodeId node(std::string_view value) { return NodeId{whole_id(value, "a node is")}; }

}  // namespace

void SynchronisationLines::synchronisation_line() {
  static constexpr std::array kSettings = {
      Setting<Self>{"apart", [](Self& s, std::string_view v) { s.stated().ports = parse_apart(v); }}};
  (void)stated();
  lines_.settings(*this, kSettings, "synchronisation");
}

void SynchronisationLines::barrier_line() {
  static constexpr std::array kSettings = {Setting<Self>{"after", [](Self& s, std::string_view v) {
                                                           s.stated().barriers.push_back(step_number(v));
                                                           s.barriers_at_.push_back(s.lines_.value_at());
                                                         }}};
  if (lines_.settings(*this, kSettings, "barrier") == 0) {
    lines_.fail(lines_.here(), 1, "a barrier is written 'barrier after=STEP'");
  }
}

void SynchronisationLines::signal_line() {
  using View = std::string_view;
  static constexpr std::array kSettings = {
      Setting<Self>{"from", [](Self& s, View v) { s.signal_.from = node(v); }},
      Setting<Self>{"after", [](Self& s, View v) { s.signal_.after_step = step_number(v); }},
      Setting<Self>{"to", [](Self& s, View v) { s.signal_.to = node(v); }},
      Setting<Self>{"before", [](Self& s, View v) { s.signal_.before_step = step_number(v); }}};
  signals_at_.push_back(lines_.here());
  if (lines_.settings(*this, kSettings, "signal") != 15) {
    lines_.fail(lines_.here(), 1, "a signal is written 'signal from=NODE after=STEP to=NODE before=STEP'");
  }
  stated().signals.push_back(signal_);
}

void SynchronisationLines::priority_line() {
  using View = std::string_view;
  static constexpr std::array kSettings = {
      Setting<Self>{"step", [](Self& s, View v) { s.priority_.step = step_number(v); }},
      Setting<Self>{"level", [](Self& s, View v) { s.priority_.level = level_number(v); }},
      Setting<Self>{"from", [](Self& s, View v) { s.priority_.from = node(v); }},
      Setting<Self>{"to", [](Self& s, View v) { s.priority_.to = node(v); }}};
  priorities_at_.push_back(lines_.here());
  priority_ = {};
  const unsigned seen = lines_.settings(*this, kSettings, "priority");
  if (seen != 3 && seen != 15) {
    lines_.fail(lines_.here(), 1,
                "a priority is written 'priority step=STEP level=LEVEL', or with 'from=NODE to=NODE'");
  }
  stated().priorities.push_back(priority_);
}

void SynchronisationLines::check(const Topology& topology, const Plan& plan) const {
  if (!stated_) return;
  const auto mistake = find_mistake(*stated_, topology, plan);
  if (!mistake) return;
  switch (mistake->what) {
    case SynchronisedBy::kBarrier:
      lines_.fail_to_end_of_line(barriers_at_[mistake->index], mistake->message, " \t");
    case SynchronisedBy::kSignal:
      lines_.fail_to_end_of_line(signals_at_[mistake->index], mistake->message);
    case SynchronisedBy::kPriority:
      lines_.fail_to_end_of_line(priorities_at_[mistake->index], mistake->message);
  }
}

}  // namespace quadrille::plan_text
