// Reading the JSON form. The parser is nlohmann's, as a stream of events; which key may stand where, and what it holds, is in
// plan_json_schema; problem, bounds, synchronisation and steps have readers of their own. Steps go straight into the plan as they
// are parsed when the topology and the collective came before them; otherwise they are skipped, and a second pass over the text
// reads them.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/json/file_text.h"
#include "quadrille/schedule/json/plan_json_bounds.h"
#include "quadrille/schedule/json/plan_json_problem.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/json/plan_json_steps.h"
#include "quadrille/schedule/json/plan_json_synchronisation.h"
#include "quadrille/schedule/json/tracked_chars.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_listener.h"

namespace quadrille {
namespace plan_json {
namespace {

// The largest number that a value may be.
uint64_t most_of(Key key) {
  switch (key) {
    case Key::kVersion:
      return 1;
    case Key::kClaimedSteps:
    case Key::kClaimedStartUps:
    case Key::kClaimedBusiestLink:
    case Key::kClaimedCriticalBlocks:
      return UINT64_MAX;
    default:
      return kMaxIds - 1;
  }
}

// What one pass over the text hands to the next, and in the end to the reader's caller.
struct Harvest {
  ProblemReader stated_problem;
  std::optional<Problem> problem{};  // without the model until the end
  std::string algorithm{};
  StatedFigures claims{};
  BoundsReader bounds{};
  SynchronisationReader synchronisation{};
  bool has_steps = false;
  Plan plan{};
  StepSink* steps = &plan;
};

constexpr size_t kLookedThroughAtOnce = size_t{1} << 20U;

class PlanEvents {
 public:
  // In the first pass everything is read; in the second only the steps.
  PlanEvents(FileText text, Harvest& harvest, bool only_steps, PlanListener* listener)
      : source_(text),
        text_(text.text),
        reached_(text_.data()),
        harvest_(harvest),
        only_steps_(only_steps),
        listener_(listener) {
    frames_.push_back({In::kFile, rules_of(In::kFile)});
  }

  void parse() {
    nlohmann::json::sax_parse(TrackedChars(text_.data(), &reached_),
                              TrackedChars(text_.data() + text_.size(), &reached_), this);
    // The parser takes a byte of value 0 for the end.
    for (size_t begin = 0; begin < text_.size(); begin += kLookedThroughAtOnce) {
      const size_t zero = text_.substr(begin, kLookedThroughAtOnce).find('\0');
      if (zero != std::string_view::npos) {
        source_.fail_at(
            {begin + zero}, "",
            "not JSON: a byte of value 0, which no text holds; what follows it would be passed over");
      }
      if (listener_ != nullptr) listener_->passed(begin);
    }
  }

  // The events, as nlohmann's parser wants them.
  bool null() {
    return scalar(kNull, 4, [this](Key key) {
      if (key == Key::kPathNode) steps_.no_node();
    });
  }
  bool boolean(bool value) {
    return scalar(kBoolean, value ? 4 : 5, [](Key) {});
  }
  bool number_integer(int64_t value) {
    mark_number();
    return real(static_cast<double>(value));
  }
  bool number_unsigned(uint64_t value) {
    mark_number();
    if (skipping_ == 0 && top().rule != nullptr && (top().rule->types & kReal) != 0) {
      return real(static_cast<double>(value));
    }
    return scalar(kNumber, 0, [&](Key key) { number(key, value); });
  }
  bool number_float(double value, const std::string& digits) {
    mark_number();
    // A whole number of more than 64 bits: a bound may be one.
    if (skipping_ == 0 && top().rule != nullptr && top().rule->key == Key::kBoundValue &&
        digits.find_first_not_of("0123456789") == std::string::npos) {
      return scalar(kNumber, 0, [&](Key key) { text(key, digits); });
    }
    return real(value);
  }
  bool string(std::string& value) {
    mark_text(value);
    return scalar(kText, 0, [&](Key key) { text(key, value); });
  }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool start_object(size_t) { return open(kObject); }
  bool start_array(size_t) { return open(kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& word);
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& error);

 private:
  struct Frame {
    In in = In::kFile;
    std::span<const Rule> rules{};
    const Rule* rule = nullptr;  // of the value that comes next or is being read
    uint64_t count = 0;          // elements so far
    unsigned seen = 0;           // bit i: rules[i] has come
    size_t start = 0;            // offset of the bracket
  };

  Frame& top() { return frames_.back(); }
  [[nodiscard]] size_t reached() const { return static_cast<size_t>(reached_ - text_.data()); }
  void mark(size_t begin, size_t end) { token_ = {begin, end - begin}; }
  // A number ends where something else begins, which the parser has then read.
  void mark_number() {
    if (skipping_ > 0) return;
    const auto part_of_number = [](char c) {
      return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    };
    size_t end = reached();
    if (end > 0 && !part_of_number(text_[end - 1])) --end;
    size_t begin = end;
    while (begin > 0 && part_of_number(text_[begin - 1])) --begin;
    mark(begin, end);
  }
  void mark_text(std::string_view value) {
    const size_t end = reached();
    const size_t length = std::min(end, value.size() + 2);
    mark(text_[end - length] == '"' ? end - length : end - 1, end);  // with escapes: only its end
  }

  [[nodiscard]] std::string place() const;
  [[noreturn]] void fail(std::string_view message) const { source_.fail_at(token_, place(), message); }
  // Runs a part that knows nothing of this text, and says where its mistake is.
  template <typename Act>
  void at_token(Act act) const {
    try {
      act();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void expect(unsigned type);
  template <typename Act>
  bool scalar(unsigned type, size_t length, Act act) {
    if (skipping_ > 0) return true;
    if (length > 0) mark(reached() - length, reached());
    expect(type);
    act(top().rule->key);
    ++top().count;
    return true;
  }
  bool real(double value) {
    return scalar(kReal, 0, [&](Key key) { at_token([&] { harvest_.stated_problem.real(key, value); }); });
  }
  bool open(unsigned type);
  bool close();
  void complete(const Frame& frame);
  void make_problem();
  void announce();

  void number(Key key, uint64_t value);
  void text(Key key, const std::string& value);

  FileText source_;
  std::string_view text_;  // of the source
  const char* reached_;
  Harvest& harvest_;
  bool only_steps_;
  PlanListener* listener_;

  std::vector<Frame> frames_;
  uint64_t skipping_ = 0;  // open brackets of something that is not read
  Token token_;
  StepsReader steps_;
};

std::string PlanEvents::place() const {
  std::string out;
  for (const Frame& frame : frames_) {
    if (frame.in == In::kFile || frame.rule == nullptr) continue;
    if (frame.rule->word.empty()) {
      out += fmt::format("[{}]", frame.count);
    } else {
      out += fmt::format("{}{}", out.empty() ? "" : ".", frame.rule->word);
    }
  }
  return out;
}

bool PlanEvents::parse_error(size_t position, const std::string&, const nlohmann::json::exception& error) {
  std::string_view what = error.what();
  // Only the sentence: the parser's own position and excerpt are in ours already.
  for (const std::string_view start : {std::string_view("] "), std::string_view("syntax error ")}) {
    const size_t at = what.find(start);
    if (at != std::string_view::npos) what.remove_prefix(at + start.size());
  }
  what = what.substr(0, what.find("; last read: "));
  const size_t offset = std::min(position > 0 ? position - 1 : 0, text_.size());
  source_.fail_at({offset}, "", fmt::format("not JSON, or cut off: {}", what));
}

bool PlanEvents::key(std::string& word) {
  if (skipping_ > 0) return true;
  mark_text(word);
  Frame& frame = top();
  frame.rule = nullptr;
  if (word.starts_with("x-")) return true;
  for (size_t i = 0; i < frame.rules.size(); ++i) {
    if (frame.rules[i].word != word) continue;
    if ((frame.seen >> i & 1U) != 0) {
      // Said of the object: the place of the first is long gone.
      fail(fmt::format("the key '{}' comes twice", word));
    }
    frame.seen |= 1U << i;
    frame.rule = &frame.rules[i];
    return true;
  }
  std::vector<std::string_view> known;
  for (const Rule& rule : frame.rules) known.push_back(rule.word);
  const std::string_view near = nearest_name(word, known);
  fail(fmt::format("unknown key '{}'{}; allowed here are {} and keys that start with x-", plain_name(word),
                   near.empty() ? "" : fmt::format(", did you mean '{}'", near), join(known)));
}

void PlanEvents::expect(unsigned type) {
  Frame& frame = top();
  if (frame.rules[0].word.empty()) frame.rule = &frame.rules[0];
  // After a key that starts with x- anything may follow.
  static constexpr Rule kAnything{"x-", Key::kNone, ~0U, In::kNowhere};
  if (frame.rule == nullptr) frame.rule = &kAnything;
  if ((frame.rule->types & type) != 0) return;
  const bool is_number = (type & (kNumber | kReal)) != 0;
  const std::string_view given = text_.substr(token_.begin, token_.length);
  if (type == kReal && (frame.rule->types & kNumber) != 0 &&
      given.find_first_not_of("0123456789") == std::string_view::npos) {
    fail(fmt::format("this is at most {}, not {}{}", most_of(frame.rule->key), given.substr(0, 40),
                     given.size() > 40 ? "..." : ""));
  }
  fail(fmt::format("this must be {}, not {}", name_of_types(frame.rule->types),
                   is_number ? std::string(text_.substr(token_.begin, std::min<size_t>(token_.length, 40)))
                             : name_of_types(type)));
}

bool PlanEvents::open(unsigned type) {
  if (skipping_ > 0) {
    ++skipping_;
    return true;
  }
  mark(reached() - 1, reached());
  expect(type);
  const Rule& rule = *top().rule;
  const bool steps = rule.inside == In::kSteps;
  if (steps && !only_steps_) {
    make_problem();
    harvest_.has_steps = harvest_.problem.has_value();
    if (harvest_.has_steps && listener_ != nullptr) announce();
  }
  const bool skip = only_steps_ ? top().in == In::kRoot && !steps : steps && !harvest_.has_steps;
  if (rule.inside == In::kNowhere || skip) {
    skipping_ = 1;
    return true;
  }
  if (steps) steps_.begin(*harvest_.problem);
  steps_.open(rule.inside);
  harvest_.stated_problem.open(rule.inside, token_);
  at_token([&] { harvest_.bounds.open(rule.key, rule.inside, token_.begin); });
  harvest_.synchronisation.open(rule.inside, token_.begin);
  frames_.push_back({rule.inside, rules_of(rule.inside), nullptr, 0, 0, token_.begin});
  return true;
}

bool PlanEvents::close() {
  if (skipping_ > 0) {
    if (--skipping_ == 0) ++top().count;
    return true;
  }
  const Frame frame = top();
  frames_.pop_back();
  mark(frame.start, reached());
  for (size_t i = 0; i < frame.rules.size(); ++i) {
    if (frame.rules[i].required && (frame.seen >> i & 1U) == 0) {
      mark(reached() - 1, reached());
      fail(fmt::format("the key '{}' is missing", frame.rules[i].word));
    }
  }
  complete(frame);
  ++top().count;
  return true;
}

void PlanEvents::complete(const Frame& frame) {
  switch (frame.in) {
    case In::kTransfer:
      if (listener_ != nullptr) listener_->passed(reached());
      return steps_.end_transfer();
    case In::kStep:
      return steps_.end_step(*harvest_.steps);
    case In::kRoot:
      if (only_steps_) return;
      make_problem();
      harvest_.problem = harvest_.stated_problem.with_model(*harvest_.problem);
      return;
    default:
      return at_token([&] {
        steps_.close(frame.in, frame.count);
        harvest_.stated_problem.close(frame.in, frame.count);
        harvest_.bounds.close(frame.in, frame.count);
      });
  }
}

// As soon as topology and collective are both there.
void PlanEvents::make_problem() {
  if (!harvest_.problem && harvest_.stated_problem.is_stated())
    harvest_.problem = harvest_.stated_problem.without_model();
}

// Where synchronisation is stated, it is held against a stored plan; a mistake has its turn at the end of the text.
void PlanEvents::announce() {
  SynchronisationReader synchronisation = harvest_.synchronisation;
  if (synchronisation.take()) return;
  std::optional<Problem> problem;
  try {
    problem = harvest_.stated_problem.with_model(*harvest_.problem);
    harvest_.bounds.check(problem->topology(), source_);
  } catch (const InputError&) {
    return;
  }
  BoundsReader bounds = harvest_.bounds;
  StepSink* const to =
      listener_->steps_of({*std::move(problem), harvest_.algorithm, harvest_.claims, bounds.take(), {}});
  if (to != nullptr) harvest_.steps = to;
}

void PlanEvents::number(Key key, uint64_t value) {
  const uint64_t place = top().count;
  switch (key) {
    case Key::kPathNode:
    case Key::kBlockPart:
    case Key::kFromSlot:
    case Key::kToSlot:
      return at_token([&] { steps_.number(key, place, value); });
    case Key::kVersion:
      if (value != 1) fail(fmt::format("version {} is not known here; this program reads version 1", value));
      return;
    case Key::kClaimedSteps:
      harvest_.claims.steps = value;
      return;
    case Key::kClaimedStartUps:
      harvest_.claims.start_ups = value;
      return;
    case Key::kClaimedBusiestLink:
      harvest_.claims.busiest_link = value;
      return;
    case Key::kClaimedCriticalBlocks:
      harvest_.claims.critical_blocks = value;
      return;
    default:
      return at_token([&] {
        harvest_.stated_problem.number(key, place, value, token_);
        harvest_.bounds.number(key, place, value);
        harvest_.synchronisation.number(key, value, token_.begin);
      });
  }
}

void PlanEvents::text(Key key, const std::string& value) {
  switch (key) {
    case Key::kFormat:
      if (value != "quadrille-plan")
        fail(fmt::format("the format is '{}', not 'quadrille-plan'", plain_name(value)));
      return;
    case Key::kAlgorithm:
      harvest_.algorithm = plain_name(value);
      return;
    case Key::kOp:
      return at_token([&] { steps_.op(value); });
    default:
      return at_token([&] {
        harvest_.stated_problem.text(key, top().count, value, token_);
        harvest_.bounds.text(key, value);
        harvest_.synchronisation.text(key, value);
      });
  }
}

}  // namespace
}  // namespace plan_json

PlanFile read_plan_json(std::string_view text, std::string_view source, GraphFiles files,
                        PlanListener* listener) {
  const plan_json::FileText of{text, source};
  plan_json::Harvest harvest{.stated_problem = {of, files}};
  plan_json::PlanEvents(of, harvest, false, listener).parse();
  if (!harvest.has_steps) plan_json::PlanEvents(of, harvest, true, listener).parse();
  const Topology& topology = harvest.problem->topology();
  harvest.bounds.check(topology, of);
  if (harvest.steps == &harvest.plan) harvest.synchronisation.check(topology, harvest.plan, of);
  return PlanFile{{std::move(*harvest.problem), std::move(harvest.algorithm), harvest.claims,
                   harvest.bounds.take(), harvest.synchronisation.take()},
                  std::move(harvest.plan)};
}

}  // namespace quadrille
