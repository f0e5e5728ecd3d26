// Reading the JSON form. The parser is nlohmann's, as a stream of events; which key may stand where, and what
// it holds, is in plan_json_schema; bounds and synchronisation have readers of their own. Steps go straight into the plan as they are parsed when the topology and
// the collective came before them; otherwise they are skipped, and a second pass over the text reads them.

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/schedule/json/plan_json_bounds.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/json/plan_json_synchronisation.h"
#include "quadrille/schedule/json/tracked_chars.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_listener.h"
#include "quadrille/schedule/stated_topology.h"

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
  StatedTopology topology;
  std::optional<CollectiveKind> kind;
  std::optional<uint64_t> root;
  uint32_t pieces = 1;
  std::vector<StatedCount> counts;
  Model model;
  std::string algorithm;
  StatedFigures claims;
  BoundsReader bounds;
  SynchronisationReader synchronisation;
  std::optional<Problem> problem;  // without the model until the end
  bool has_steps = false;
  Plan plan;
  StepSink* steps = &plan;
};

constexpr size_t kLookedThroughAtOnce = size_t{1} << 20U;

class PlanEvents {
 public:
  // In the first pass everything is read; in the second only the steps.
  PlanEvents(std::string_view text, std::string_view source, GraphFiles files, Harvest& harvest,
             bool only_steps, PlanListener* listener)
      : text_(text),
        source_(source),
        files_(files),
        reached_(text.data()),
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
        fail_at(begin + zero, 1, "",
                "not JSON: a byte of value 0, which no text holds; what follows it would be passed over");
      }
      if (listener_ != nullptr) listener_->passed(begin);
    }
  }

  // The events, as nlohmann's parser wants them.
  bool null() {
    return scalar(kNull, 4, [this](Key key) {
      if (key == Key::kPathNode) nodes_.push_back(kNoNode);
    });
  }
  bool boolean(bool value) {
    return scalar(kBoolean, value ? 4 : 5, [](Key) {});
  }
  bool number_integer(int64_t value) {
    mark_number();
    return scalar(kReal, 0, [&](Key key) { real(key, static_cast<double>(value)); });
  }
  bool number_unsigned(uint64_t value) {
    mark_number();
    if (skipping_ == 0 && top().rule != nullptr && (top().rule->types & kReal) != 0) {
      return scalar(kReal, 0, [&](Key key) { real(key, static_cast<double>(value)); });
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
    return scalar(kReal, 0, [&](Key key) { real(key, value); });
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
  void mark(size_t begin, size_t end) {
    token_ = begin;
    token_length_ = end - begin;
  }
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
  [[noreturn]] void fail(std::string_view message) const { fail_at(token_, token_length_, place(), message); }
  struct Token {
    size_t begin = 0;
    size_t length = 1;
  };
  [[nodiscard]] Token token() const { return {token_, token_length_}; }
  [[noreturn]] void fail_at(Token token, std::string_view place, std::string_view message) const {
    fail_at(token.begin, token.length, place, message);
  }
  [[noreturn]] void fail_at(size_t offset, size_t length, std::string_view place,
                            std::string_view message) const {
    throw input_error_at(source_, text_, offset, length,
                         place.empty() ? std::string(message) : fmt::format("{}: {}", place, message));
  }
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
  bool open(unsigned type);
  bool close();
  void complete(const Frame& frame);
  void make_problem(const Frame& root);
  void announce();
  void make_counted_problem(const Topology& topology);
  [[nodiscard]] Topology make_topology() const;
  void end_link(const Frame& frame);
  void end_path(const Frame& frame);
  void end_block(const Frame& frame);

  void number(Key key, uint64_t value);
  void real(Key key, double value);
  void text(Key key, const std::string& value);
  uint32_t small(uint64_t value, std::string_view what) const;
  [[nodiscard]] uint32_t slot_number(uint64_t value) const;
  void path_node(uint64_t value);

  std::string_view text_;
  std::string_view source_;
  GraphFiles files_;
  const char* reached_;
  Harvest& harvest_;
  bool only_steps_;
  PlanListener* listener_;

  std::vector<Frame> frames_;
  uint64_t skipping_ = 0;  // open brackets of something that is not read
  size_t token_ = 0;
  size_t token_length_ = 1;
  size_t topology_at_ = 0;
  size_t model_at_ = 0;
  Token spec_{};
  bool spec_is_verbatim_ = false;
  Token nodes_token_{};
  size_t endpoints_at_ = 0;
  Token links_token_{};
  std::vector<size_t> links_at_;
  size_t labels_at_ = 0;
  std::vector<size_t> counts_at_;
  Token kind_{};
  Token root_{};
  Token pieces_{};

  std::array<uint32_t, 3> numbers_{};  // of the link or block that is being read
  std::vector<NodeId> nodes_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
  TransferOp op_ = TransferOp::kDefault;
  SumSlots slots_{};
  StepBuilder step_;
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
  fail_at(offset, 1, "", fmt::format("not JSON, or cut off: {}", what));
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
  const std::string_view given = text_.substr(token_, token_length_);
  if (type == kReal && (frame.rule->types & kNumber) != 0 &&
      given.find_first_not_of("0123456789") == std::string_view::npos) {
    fail(fmt::format("this is at most {}, not {}{}", most_of(frame.rule->key), given.substr(0, 40),
                     given.size() > 40 ? "..." : ""));
  }
  fail(fmt::format("this must be {}, not {}", name_of_types(frame.rule->types),
                   is_number ? std::string(text_.substr(token_, std::min<size_t>(token_length_, 40)))
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
  switch (rule.key) {
    case Key::kTopology:
      topology_at_ = token_;
      break;
    case Key::kModel:
      model_at_ = token_;
      break;
    default:
      break;
  }
  const bool steps = rule.inside == In::kSteps;
  if (steps && !only_steps_) {
    make_problem(top());
    harvest_.has_steps = harvest_.problem.has_value();
    if (harvest_.has_steps && listener_ != nullptr) announce();
  }
  const bool skip = only_steps_ ? top().in == In::kRoot && !steps : steps && !harvest_.has_steps;
  if (rule.inside == In::kNowhere || skip) {
    skipping_ = 1;
    return true;
  }
  if (rule.inside == In::kEndpoints) {
    harvest_.topology.endpoints.emplace();
    endpoints_at_ = token_;
  }
  if (rule.inside == In::kLabels) labels_at_ = token_;
  if (rule.inside == In::kLink) links_at_.push_back(token_);
  if (rule.inside == In::kCount) counts_at_.push_back(token_);
  if (rule.inside == In::kLinks) {
    harvest_.topology.links.emplace();
    links_token_ = token();
  }
  at_token([&] { harvest_.bounds.open(rule.key, rule.inside, token_); });
  harvest_.synchronisation.open(rule.inside, token_);
  if (rule.inside == In::kTransfer) {
    op_ = TransferOp::kDefault;
    slots_ = {};
  }
  if (rule.inside == In::kFromSlots) slots_.from = 0;
  if (rule.inside == In::kPath) nodes_.clear();
  if (rule.inside == In::kBlocks) blocks_.clear();
  frames_.push_back({rule.inside, rules_of(rule.inside), nullptr, 0, 0, token_});
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
    case In::kLink:
      return end_link(frame);
    case In::kCount:
      if (frame.count != 3) fail("a count is [from, to, blocks]");
      harvest_.counts.push_back({numbers_[0], numbers_[1], numbers_[2]});
      return;
    case In::kPath:
      return end_path(frame);
    case In::kFromSlots:
      if (frame.count == 0) fail("from lists the slots that are sent; without it all are");
      return;
    case In::kBlock:
      return end_block(frame);
    case In::kTransfer:
      if (listener_ != nullptr) listener_->passed(reached());
      return step_.add(arcs_, blocks_, op_, slots_);
    case In::kStep:
      return step_.flush(*harvest_.steps);
    case In::kRoot:
      if (only_steps_) return;
      make_problem(frame);
      mark(model_at_, model_at_ + 1);
      return at_token([&] {
        harvest_.problem =
            Problem(harvest_.problem->topology(), harvest_.problem->collective(), harvest_.model);
      });
    default:
      return at_token([&] { harvest_.bounds.close(frame.in, frame.count); });
  }
}

// As soon as topology and collective are both there.
void PlanEvents::make_problem(const Frame& root) {
  if (harvest_.problem) return;
  for (size_t i = 0; i < root.rules.size(); ++i) {
    const Key key = root.rules[i].key;
    if ((key == Key::kTopology || key == Key::kCollective) && (root.seen >> i & 1U) == 0) return;
  }
  const Topology topology = make_topology();
  NodeId root_node = kNoNode;
  const auto in = [this](Token token, std::string_view place, auto act) {
    try {
      act();
    } catch (const InputError& error) {
      fail_at(token, place, error.what());
    }
  };
  if (harvest_.kind == CollectiveKind::kAlltoallv) return make_counted_problem(topology);
  if (!counts_at_.empty())
    fail_at(counts_at_[0], 1, "collective.counts", fmt::format("{} has no counts", name_of(*harvest_.kind)));
  if (harvest_.root) {
    in(root_, "collective.root", [&] {
      if (*harvest_.root >= topology.num_nodes()) {
        throw InputError(fmt::format("root {} does not exist: the nodes of {} are 0 to {}", *harvest_.root,
                                     topology.name(), topology.num_nodes() - 1));
      }
      root_node = id_at<NodeId>(*harvest_.root);
      if (!standard_problem(topology, *harvest_.kind, {}, root_node).collective().root())
        throw InputError(fmt::format("{} has no root: leave it out or write null", name_of(*harvest_.kind)));
    });
  }
  in(kind_, "collective.kind",
     [&] { harvest_.problem = standard_problem(topology, *harvest_.kind, {}, root_node); });
  const bool has_pieces = pieces_.begin > 0;
  in(has_pieces ? pieces_ : kind_, has_pieces ? "collective.pieces" : "collective.kind", [&] {
    harvest_.problem = standard_problem(topology, *harvest_.kind, {}, root_node, harvest_.pieces);
    check_plan_size(*harvest_.problem, text_.size());
  });
}

// Where synchronisation is stated, it is held against a stored plan; a mistake has its turn at the end of the text.
void PlanEvents::announce() {
  SynchronisationReader synchronisation = harvest_.synchronisation;
  if (synchronisation.take()) return;
  std::optional<Problem> problem;
  try {
    problem = Problem(harvest_.problem->topology(), harvest_.problem->collective(), harvest_.model);
    harvest_.bounds.check(problem->topology(), text_, source_);
  } catch (const InputError&) {
    return;
  }
  BoundsReader bounds = harvest_.bounds;
  StepSink* const to =
      listener_->steps_of({*std::move(problem), harvest_.algorithm, harvest_.claims, bounds.take(), {}});
  if (to != nullptr) harvest_.steps = to;
}

// Blocks that are counted have neither root nor pieces.
void PlanEvents::make_counted_problem(const Topology& topology) {
  if (harvest_.root) fail_at(root_, "collective.root", "alltoallv has no root: leave it out or write null");
  if (harvest_.pieces != 1)
    fail_at(pieces_, "collective.pieces", "alltoallv counts whole blocks, which are not split");
  try {
    harvest_.problem =
        counted_problem(topology, counts_of(topology, harvest_.counts, most_blocks_of(text_.size())));
  } catch (const StatedCountError& error) {
    fail_at(counts_at_[error.at()], 1, fmt::format("collective.counts[{}]", error.at()), error.what());
  } catch (const InputError& error) {
    fail_at(kind_, "collective", error.what());
  }
}

// Mistakes are shown in the part of the topology where they are.
Topology PlanEvents::make_topology() const {
  using Part = StatedTopologyError::Part;
  const StatedTopology& stated = harvest_.topology;
  try {
    const SpecPlace place = spec_is_verbatim_ ? SpecPlace{text_, spec_.begin + 1} : SpecPlace{};
    return stated.resolve(source_, place, text_.size(), files_);
  } catch (const SpecError& error) {
    if (spec_is_verbatim_) throw;  // it has its own caret
    fail_at(spec_, "topology.spec", error.what());
  } catch (const StatedTopologyError& error) {
    const Part part = error.part();
    if (part == Part::kNodes && stated.nodes) fail_at(nodes_token_, "topology.nodes", error.what());
    if (part == Part::kEndpoints) fail_at(endpoints_at_, 1, "topology.endpoints", error.what());
    if (part == Part::kLinks && error.which()) {
      fail_at(links_at_[*error.which()], 1, fmt::format("topology.links[{}]", *error.which()), error.what());
    }
    if (part == Part::kLabels)
      fail_at(labels_at_, 1, fmt::format("topology.labels[{}]", error.which().value_or(0)), error.what());
    if (part == Part::kLinks) fail_at(links_token_, "topology.links", error.what());
    if (stated.spec) fail_at(spec_, "topology.spec", error.what());
    fail_at(topology_at_, 1, "topology", error.what());
  }
}

void PlanEvents::end_link(const Frame& frame) {
  if (frame.count < 2) fail("a link is [tail, head] or [tail, head, capacity]");
  harvest_.topology.links->push_back({numbers_[0], numbers_[1], frame.count == 3 ? numbers_[2] : 1});
}

void PlanEvents::end_path(const Frame& frame) {
  if (frame.count < 2) fail("a path is at least two nodes");
  path_arcs(harvest_.problem->topology(), nodes_, arcs_);
}

void PlanEvents::end_block(const Frame& frame) {
  const std::optional<BlockId> block =
      harvest_.problem->find_block(std::span<const uint32_t>(numbers_).first(frame.count));
  if (!block) fail(no_such_block(*harvest_.problem));
  blocks_.push_back(*block);
}

uint32_t PlanEvents::small(uint64_t value, std::string_view what) const {
  uint32_t out = 0;
  at_token([&] { out = small_number(value, what); });
  return out;
}

uint32_t PlanEvents::slot_number(uint64_t value) const {
  if (harvest_.problem->collective().flow() != Flow::kCombine) fail(kSlotsElsewhere);
  if (value >= SumSlots::kCount) fail(no_such_slot(value));
  return static_cast<uint32_t>(value);
}

void PlanEvents::path_node(uint64_t value) {
  const Topology& topology = harvest_.problem->topology();
  if (value >= topology.num_nodes()) {
    fail(fmt::format("node {} does not exist: the nodes of {} are 0 to {}", value, topology.name(),
                     topology.num_nodes() - 1));
  }
  nodes_.push_back(id_at<NodeId>(value));
}

void PlanEvents::number(Key key, uint64_t value) {
  switch (key) {
    case Key::kPathNode:
      return path_node(value);
    case Key::kLinkNumber:
    case Key::kCountNumber:
    case Key::kBlockPart:
      if (top().count >= numbers_.size()) {
        fail(key == Key::kBlockPart     ? no_such_block(*harvest_.problem)
             : key == Key::kCountNumber ? "a count is [from, to, blocks]"
                                        : "a link is [tail, head] or [tail, head, capacity]");
      }
      numbers_[top().count] = small(value, key == Key::kBlockPart     ? "a number in a block"
                                           : key == Key::kCountNumber ? "a number in a count"
                                                                      : "a number in a link");
      return;
    case Key::kFromSlot:
      slots_.from |= 1U << slot_number(value);
      return;
    case Key::kToSlot:
      slots_.to = slot_number(value);
      return;
    case Key::kVersion:
      if (value != 1) fail(fmt::format("version {} is not known here; this program reads version 1", value));
      return;
    case Key::kNodes:
      harvest_.topology.nodes = small(value, "the number of nodes");
      nodes_token_ = token();
      return;
    case Key::kEndpoint:
      harvest_.topology.endpoints->push_back(NodeId{small(value, "a node")});
      return;
    case Key::kRootNode:
      harvest_.root = value;
      root_ = token();
      return;
    case Key::kPieces:
      harvest_.pieces = small(value, "the number of pieces");
      pieces_ = token();
      return;
    case Key::kSendPorts:
    case Key::kReceivePorts:
      return text(key, fmt::format("{}", value));
    case Key::kQueues:
      harvest_.model.queue_limit = small(value, "the limit on queues");
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
        harvest_.bounds.number(key, top().count, value);
        harvest_.synchronisation.number(key, value, token_);
      });
  }
}

void PlanEvents::real(Key key, double value) {
  if (key == Key::kNone) return;
  if (!is_cost(value)) fail(fmt::format("a cost is a number from 0 to {}, not {}", kMostCost, value));
  CostConstants& cost = harvest_.model.cost;
  (key == Key::kTs                ? cost.ts
   : key == Key::kTx              ? cost.tx
   : key == Key::kTl              ? cost.tl
   : key == Key::kMessageOverhead ? cost.to
                                  : cost.rho) = value;
}

void PlanEvents::text(Key key, const std::string& value) {
  Model& model = harvest_.model;
  switch (key) {
    case Key::kFormat:
      if (value != "quadrille-plan")
        fail(fmt::format("the format is '{}', not 'quadrille-plan'", plain_name(value)));
      return;
    case Key::kAlgorithm:
      harvest_.algorithm = plain_name(value);
      return;
    case Key::kSpec:
      harvest_.topology.spec = value;
      spec_ = token();
      spec_is_verbatim_ = text_.substr(token_ + 1, value.size()) == value;
      return;
    case Key::kLabel:
      harvest_.topology.labels.push_back({small(top().count, "the number of a node"), value});
      return;
    case Key::kKind:
      kind_ = token();
      return at_token([&] { harvest_.kind = parse_collective_kind(value); });
    case Key::kSendPorts:
      return at_token([&] { model.send = parse_ports(value, "send_ports"); });
    case Key::kReceivePorts:
      return at_token([&] { model.receive = parse_ports(value, "receive_ports"); });
    case Key::kSwitching:
      return at_token([&] { model.switching = parse_switching(value); });
    case Key::kOperator:
      return at_token([&] { model.combining = parse_operator(value); });
    case Key::kChunks:
      return at_token([&] { model.chunks = parse_chunks(value); });
    case Key::kPackets:
      return at_token([&] { model.packets = parse_packets(value); });
    case Key::kDuplex:
      return at_token([&] { model.duplex = parse_duplex(value); });
    case Key::kTimeUnit:
      at_token([&] { require_microseconds(value); });
      model.cost.in_microseconds = true;
      return;
    case Key::kRouting:
      return at_token([&] { model.routing = parse_routing(value); });
    case Key::kQueuesPer:
      return at_token([&] { model.queues_per = parse_queues_per(value); });
    case Key::kOp:
      if (value != "copy") fail(fmt::format("op is 'copy' or left out, not '{}'", plain_name(value)));
      if (harvest_.problem->collective().flow() != Flow::kCombine) fail(kCopyElsewhere);
      op_ = TransferOp::kCopy;
      return;
    default:
      return at_token([&] {
        harvest_.bounds.text(key, value);
        harvest_.synchronisation.text(key, value);
      });
  }
}

}  // namespace
}  // namespace plan_json

PlanFile read_plan_json(std::string_view text, std::string_view source, GraphFiles files,
                        PlanListener* listener) {
  plan_json::Harvest harvest;
  plan_json::PlanEvents(text, source, files, harvest, false, listener).parse();
  if (!harvest.has_steps) plan_json::PlanEvents(text, source, files, harvest, true, listener).parse();
  const Topology& topology = harvest.problem->topology();
  harvest.bounds.check(topology, text, source);
  if (harvest.steps == &harvest.plan) harvest.synchronisation.check(topology, harvest.plan, text, source);
  return PlanFile{{std::move(*harvest.problem), std::move(harvest.algorithm), harvest.claims,
                   harvest.bounds.take(), harvest.synchronisation.take()},
                  std::move(harvest.plan)};
}

}  // namespace quadrille
