#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {
namespace {

constexpr std::string_view kFirstLine = "quadrille-plan 1";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PlanTextReader {
 public:
  PlanTextReader(std::string_view text, std::string_view source, GraphFiles files)
      : text_(text), source_(source), files_(files) {}

  PlanFile read() {
    first_line();
    bool more = next_line();
    for (; more && !at_step(); more = next_line()) header_line();
    make_problem();
    for (; more; more = next_line()) {
      if (at_step()) {
        if (in_step_) step_.flush(plan_);
        in_step_ = true;
        at_ += 4;
        end_of_line("after 'step'");
      } else {
        transfer_line();
      }
    }
    if (in_step_) step_.flush(plan_);
    check_synchronisation();
    return PlanFile{{std::move(*problem_), std::move(algorithm_), claims_, std::move(bounds_),
                     std::move(synchronisation_)},
                    std::move(plan_)};
  }

 private:
  [[noreturn]] void fail(size_t offset, size_t length, std::string_view message) const {
    throw input_error_at(source_, text_, offset, length, message);
  }
  // Says where a mistake is that was found by someone who knows nothing of this text.
  template <typename Act>
  void at(size_t offset, size_t length, Act act) const {
    try {
      act();
    } catch (const InputError& error) {
      fail(offset, length, error.what());
    }
  }

  // --- lines and words -------------------------------------------------------------------------------

  // Goes to the next line that has more than blanks and a comment: at_ .. end_.
  bool next_line() {
    while (next_ < text_.size()) {
      at_ = next_;
      const size_t line_end = std::min(text_.find('\n', at_), text_.size());
      next_ = std::min(line_end + 1, text_.size());
      end_ = line_end;
      for (size_t i = text_.find('#', at_); i < line_end; i = text_.find('#', i + 1)) {
        if (i > at_ && !is_blank(text_[i - 1])) continue;
        end_ = i;
        break;
      }
      while (end_ > at_ && is_blank(text_[end_ - 1])) --end_;
      skip_blanks();
      if (at_ < end_) return true;
    }
    at_ = end_ = text_.size();
    return false;
  }
  void skip_blanks() {
    while (at_ < end_ && is_blank(text_[at_])) ++at_;
  }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_, end_ - at_); }
  std::string_view word() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < end_ && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void end_of_line(std::string_view where) {
    skip_blanks();
    if (at_ < end_) fail(at_, end_ - at_, fmt::format("nothing more may stand in the line {}", where));
  }
  // A whole number that starts right here.
  uint64_t number(std::string_view what, uint64_t limit = UINT64_MAX) {
    const size_t begin = at_;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
    at_ = static_cast<size_t>(end - text_.data());
    if (at_ == begin) fail(begin, 1, fmt::format("{} is needed here: a whole number", what));
    if (error != std::errc() || value > limit) {
      fail(begin, at_ - begin, fmt::format("{} is at most {}", what, limit));
    }
    return value;
  }
  uint32_t next_number(std::string_view what) {
    skip_blanks();
    const auto value = static_cast<uint32_t>(number(what, kMaxIds - 1));
    if (at_ < end_ && !is_blank(text_[at_])) {
      fail(at_, 1, fmt::format("a blank is needed after {}", what));
    }
    return value;
  }

  // --- the head ----------------------------------------------------------------------------------------

  void first_line() {
    if (!next_line() || rest() != kFirstLine) {
      fail(at_, std::max<size_t>(end_ - at_, 1),
           fmt::format("a plan in text form starts with the line '{}'", kFirstLine));
    }
  }

  [[nodiscard]] bool at_step() const {
    return rest().starts_with("step") && (end_ == at_ + 4 || is_blank(text_[at_ + 4]));
  }

  void header_line() {
    struct Line {
      std::string_view word;
      bool often;
      void (PlanTextReader::*read)();
    };
    using Self = PlanTextReader;
    static constexpr std::array kLines = {Line{"topology", false, &Self::topology_line},
                                          Line{"nodes", false, &Self::nodes_line},
                                          Line{"endpoints", false, &Self::endpoints_line},
                                          Line{"link", true, &Self::link_line},
                                          Line{"arc", true, &Self::arc_line},
                                          Line{"collective", false, &Self::collective_line},
                                          Line{"model", false, &Self::model_line},
                                          Line{"algorithm", false, &Self::algorithm_line},
                                          Line{"claim", false, &Self::claim_line},
                                          Line{"bound", true, &Self::bound_line},
                                          Line{"witness", true, &Self::witness_line},
                                          Line{"weight", true, &Self::weight_line},
                                          Line{"lemma", true, &Self::lemma_line},
                                          Line{"synchronisation", false, &Self::synchronisation_line},
                                          Line{"barrier", true, &Self::barrier_line},
                                          Line{"signal", true, &Self::signal_line},
                                          Line{"priority", true, &Self::priority_line}};
    const size_t begin = at_;
    const std::string_view first = word();
    const size_t length = first.size();
    if (is_digit(first[0]) || first[0] == '?' || first == "copy") {
      fail(begin, length, "a transfer stands in a step: the line 'step' is missing before it");
    }
    std::vector<std::string_view> known;
    for (size_t i = 0; i < kLines.size(); ++i) {
      known.push_back(kLines[i].word);
      if (kLines[i].word != first) continue;
      if (!kLines[i].often && (seen_ >> i & 1U) != 0) {
        fail(begin, length, fmt::format("a second line '{}'", first));
      }
      seen_ |= 1U << i;
      skip_blanks();
      return (this->*kLines[i].read)();
    }
    known.push_back("step");
    const std::string_view near = nearest_name(first, known);
    fail(begin, length,
         fmt::format("a line cannot start with '{}'{}; allowed are {}", plain_name(first),
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join(known)));
  }

  void topology_line() {
    topology_at_ = at_;
    stated_.spec = std::string(rest());
  }
  void nodes_line() {
    nodes_at_ = at_;
    stated_.nodes = next_number("the number of nodes");
    end_of_line("after the number of nodes");
  }
  void endpoints_line() {
    endpoints_at_ = at_;
    stated_.endpoints.emplace();
    read_nodes("endpoint", *stated_.endpoints);
  }
  void read_nodes(std::string_view noun, std::vector<NodeId>& nodes) {
    // A graph that is written out has a line for each node; a range must not ask for more.
    const uint64_t most = std::max<uint64_t>(text_.size(), 1 << 16);
    for (skip_blanks(); at_ < end_; skip_blanks()) {
      const size_t begin = at_;
      const uint64_t first = number(fmt::format("{} {}", noun == "endpoint" ? "an" : "a", noun), kMaxIds - 1);
      uint64_t last = first;
      if (rest().starts_with("..")) {
        at_ += 2;
        last = number(fmt::format("the last {} of a range", noun), kMaxIds - 1);
      }
      if (at_ < end_ && !is_blank(text_[at_])) {
        fail(at_, 1, fmt::format("{}s are written 0 1 2 or 0..2", noun));
      }
      if (last < first)
        fail(begin, at_ - begin, fmt::format("a range of {}s goes from small to large", noun));
      if (nodes.size() + (last - first) > most) {
        fail(begin, at_ - begin, fmt::format("more {}s than a file of this size can have links", noun));
      }
      for (uint64_t node = first; node <= last; ++node) nodes.push_back(id_at<NodeId>(node));
    }
  }
  void link_line() { links_line(true); }
  void arc_line() { links_line(false); }
  void links_line(bool both) {
    links_at_.insert(links_at_.end(), both ? 2 : 1, at_);
    const uint32_t a = next_number("the first node of a link");
    const uint32_t b = next_number("the second node of a link");
    skip_blanks();
    const uint32_t capacity = at_ < end_ ? next_number("the capacity of a link") : 1;
    end_of_line("after a link: it is two nodes and a capacity");
    if (!stated_.links) stated_.links.emplace();
    stated_.links->push_back({a, b, capacity});
    if (both) stated_.links->push_back({b, a, capacity});
  }
  void algorithm_line() { algorithm_ = plain_name(rest()); }
  void bound_line() {
    const size_t begin = at_;
    const std::string_view line = rest();
    const size_t blank = line.find_last_of(" \t\r");
    const auto value = parse_rational(line.substr(blank == std::string_view::npos ? 0 : blank + 1));
    std::string_view name = line.substr(0, blank == std::string_view::npos ? 0 : blank);
    while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
    if (name.empty()) {
      fail(begin, line.size(),
           "a bound is a name and a number or fraction, like 'bound average_status 15/2'");
    }
    if (!value) fail(begin + blank + 1, line.size() - blank - 1, no_such_bound(line.substr(blank + 1)));
    bounds_.push_back({plain_name(name), *value});
  }

  // --- what proves a bound -------------------------------------------------------------------------------

  // Of the bound in the line before.
  void witness_line() {
    witnesses_at_.resize(bounds_.size(), at_);
    const size_t begin = at_;
    const std::string_view kind = word();
    if (bounds_.empty()) fail(begin, kind.size(), "a witness stands below the line of its bound");
    std::optional<BoundWitness>& witness = bounds_.back().witness;
    if (witness) fail(begin, kind.size(), "a bound has one witness; this is a second one");
    witnesses_at_.back() = begin;
    if (kind == "cut") {
      CutWitness cut;
      read_nodes("node", cut.nodes);
      std::ranges::sort(cut.nodes);
      witness = std::move(cut);
    } else if (kind == "node") {
      witness = NodeWitness{NodeId{next_number("a node")}};
    } else if (kind == "informed") {
      const NodeId node{next_number("a node")};
      witness = InformedWitness{node, next_number("a number of hops")};
    } else if (kind == "weights") {
      witness = WeightsWitness{};
    } else if (kind == "refutation") {
      witness = RefutationWitness{next_number("a number of steps"), {}};
    } else if (kind == "times") {
      TimesWitness cut;
      for (skip_blanks(); at_ < end_; skip_blanks()) cut.times.push_back(next_number("a time"));
      witness = std::move(cut);
    } else {
      fail(begin, std::max<size_t>(kind.size(), 1),
           "a witness is one of cut, node, informed, weights, refutation, times");
    }
    end_of_line("after a witness");
  }
  template <typename Kind>
  Kind& open_witness(std::string_view line, std::string_view kind) {
    Kind* open =
        bounds_.empty() || !bounds_.back().witness ? nullptr : std::get_if<Kind>(&*bounds_.back().witness);
    if (open != nullptr) return *open;
    fail(at_, std::max<size_t>(end_ - at_, 1),
         fmt::format("a line '{}' stands below a line 'witness {}'", line, kind));
  }
  void weight_line() {
    auto& weights = open_witness<WeightsWitness>("weight", "weights");
    const size_t begin = at_;
    const std::string_view what = word();
    if (what == "link") {
      const NodeId tail{next_number("the first node of a link")};
      const NodeId head{next_number("the second node of a link")};
      weights.links.push_back({tail, head, next_number("a weight")});
    } else if (what == "sender" || what == "receiver") {
      const NodeId node{next_number("a node")};
      (what == "sender" ? weights.senders : weights.receivers).push_back({node, next_number("a weight")});
    } else {
      fail(begin, std::max<size_t>(what.size(), 1), "what has a weight is a link, a sender or a receiver");
    }
    end_of_line("after a weight");
  }
  void lemma_line() {
    auto& lemmas = open_witness<RefutationWitness>("lemma", "refutation").lemmas;
    lemmas.emplace_back();
    for (skip_blanks(); at_ < end_; skip_blanks()) lemmas.back().push_back(next_number("a literal"));
  }
  void check_witnesses() const {
    for (size_t b = 0; b < bounds_.size(); ++b) {
      if (!bounds_[b].witness) continue;
      const auto mistake = find_mistake(*bounds_[b].witness, problem_->topology());
      if (!mistake) continue;
      const size_t end = std::min(text_.find_first_of("#\r\n", witnesses_at_[b]), text_.size());
      fail(witnesses_at_[b], std::max<size_t>(end - witnesses_at_[b], 1), "witness: " + *mistake);
    }
  }

  // --- name=value ----------------------------------------------------------------------------------------

  struct Setting {
    std::string_view name;
    void (*set)(PlanTextReader&, std::string_view value);
  };

  // Returns which were given: bit i for allowed[i].
  template <size_t kCount>
  unsigned settings(const std::array<Setting, kCount>& allowed, std::string_view where) {
    unsigned seen = 0;
    for (skip_blanks(); at_ < end_; skip_blanks()) {
      const size_t begin = at_;
      const std::string_view given = word();
      const size_t equals = std::min(given.find('='), given.size());
      const std::string_view name = given.substr(0, equals);
      const auto found = std::ranges::find(allowed, name, &Setting::name);
      if (found == allowed.end() || equals == given.size()) {
        std::vector<std::string_view> known;
        for (const Setting& setting : allowed) known.push_back(setting.name);
        fail(
            begin, given.size(),
            fmt::format("in a line '{}' stands name=value, where the name is one of {}", where, join(known)));
      }
      const unsigned bit = 1U << (found - allowed.begin());
      if ((seen & bit) != 0) fail(begin, name.size(), fmt::format("{} is given twice", name));
      seen |= bit;
      value_at_ = begin + equals + 1;
      const std::string_view value = given.substr(equals + 1);
      at(value_at_, value.size(), [&] { found->set(*this, value); });
    }
    return seen;
  }

  static uint64_t whole(std::string_view value) {
    uint64_t out = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
    if (error != std::errc() || end != value.data() + value.size() || value.empty()) {
      throw InputError(fmt::format("'{}' is not a whole number from 0 to {}", plain_name(value), UINT64_MAX));
    }
    return out;
  }
  static double cost(std::string_view value) {
    if (const std::optional<double> out = cost_of(value)) return *out;
    throw InputError(
        fmt::format("'{}' is no cost: a number from 0 to {} is needed", plain_name(value), kMostCost));
  }

  void collective_line() {
    static constexpr std::array kSettings = {
        Setting{"root",
                [](PlanTextReader& r, std::string_view value) {
                  r.root_ = whole(value);
                  r.root_at_ = r.value_at_;
                  r.root_length_ = value.size();
                }},
        Setting{"pieces", [](PlanTextReader& r, std::string_view value) {
                  const uint64_t pieces = whole(value);
                  if (pieces >= kMaxIds) throw InputError(fmt::format("pieces is at most {}", kMaxIds - 1));
                  r.pieces_ = static_cast<uint32_t>(pieces);
                  r.pieces_at_ = r.value_at_;
                  r.pieces_length_ = value.size();
                }}};
    collective_at_ = at_;
    const std::string_view kind = word();
    collective_length_ = kind.size();
    at(collective_at_, kind.size(), [&] { kind_ = parse_collective_kind(kind); });
    settings(kSettings, "collective");
  }

  void model_line() {
    using R = PlanTextReader;
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting{"ports", [](R& r, View v) { r.model_.send = r.model_.receive = parse_ports(v, "ports"); }},
        Setting{"send", [](R& r, View v) { r.model_.send = parse_ports(v, "send"); }},
        Setting{"receive", [](R& r, View v) { r.model_.receive = parse_ports(v, "receive"); }},
        Setting{"switching", [](R& r, View v) { r.model_.switching = parse_switching(v); }},
        Setting{"packets", [](R& r, View v) { r.model_.packets = parse_packets(v); }},
        Setting{"duplex", [](R& r, View v) { r.model_.duplex = parse_duplex(v); }},
        Setting{"routing", [](R& r, View v) { r.model_.routing = parse_routing(v); }},
        Setting{"queues",
                [](R& r, View v) {
                  const uint64_t limit = whole(v);
                  if (limit >= kMaxIds) throw InputError(fmt::format("queues is at most {}", kMaxIds - 1));
                  r.model_.queue_limit = static_cast<uint32_t>(limit);
                }},
        Setting{"queues_per", [](R& r, View v) { r.model_.queues_per = parse_queues_per(v); }},
        Setting{"ts", [](R& r, View v) { r.model_.cost.ts = cost(v); }},
        Setting{"tx", [](R& r, View v) { r.model_.cost.tx = cost(v); }},
        Setting{"tl", [](R& r, View v) { r.model_.cost.tl = cost(v); }},
        Setting{"rho", [](R& r, View v) { r.model_.cost.rho = cost(v); }},
        Setting{"time", [](R& r, View v) {
                  require_microseconds(v);
                  r.model_.cost.in_microseconds = true;
                }}};
    model_at_ = at_;
    model_length_ = end_ - at_;
    settings(kSettings, "model");
  }

  void claim_line() {
    using R = PlanTextReader;
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting{"steps", [](R& r, View v) { r.claims_.steps = whole(v); }},
        Setting{"start_ups", [](R& r, View v) { r.claims_.start_ups = whole(v); }},
        Setting{"busiest_link", [](R& r, View v) { r.claims_.busiest_link = whole(v); }},
        Setting{"critical_blocks", [](R& r, View v) { r.claims_.critical_blocks = whole(v); }}};
    settings(kSettings, "claim");
  }

  // --- how the steps are kept apart ----------------------------------------------------------------------

  PlanSynchronisation& synchronisation() {
    return synchronisation_ ? *synchronisation_ : synchronisation_.emplace();
  }
  // Steps are counted from 1 here.
  static uint32_t step_number(std::string_view value) {
    const uint64_t step = whole(value);
    if (step == 0 || step >= kMaxIds) {
      throw InputError(fmt::format("steps are counted from 1, and are at most {}", kMaxIds - 1));
    }
    return static_cast<uint32_t>(step - 1);
  }
  static uint32_t level_number(std::string_view value) {
    const uint64_t level = whole(value);
    if (level >= kMaxIds) throw InputError(fmt::format("levels are at most {}", kMaxIds - 1));
    return static_cast<uint32_t>(level);
  }
  static NodeId signal_node(std::string_view value) {
    const uint64_t node = whole(value);
    if (node >= kMaxIds) throw InputError(fmt::format("a node is at most {}", kMaxIds - 1));
    return id_at<NodeId>(node);
  }

  void synchronisation_line() {
    static constexpr std::array kSettings = {Setting{"apart", [](PlanTextReader& r, std::string_view value) {
                                                       r.synchronisation().ports = parse_apart(value);
                                                     }}};
    (void)synchronisation();
    settings(kSettings, "synchronisation");
  }

  void barrier_line() {
    static constexpr std::array kSettings = {Setting{"after", [](PlanTextReader& r, std::string_view value) {
                                                       r.synchronisation().barriers.push_back(
                                                           step_number(value));
                                                       r.barriers_at_.push_back(r.value_at_);
                                                     }}};
    if (settings(kSettings, "barrier") == 0) fail(at_, 1, "a barrier is written 'barrier after=STEP'");
  }

  void signal_line() {
    using R = PlanTextReader;
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting{"from", [](R& r, View v) { r.signal_.from = signal_node(v); }},
        Setting{"after", [](R& r, View v) { r.signal_.after_step = step_number(v); }},
        Setting{"to", [](R& r, View v) { r.signal_.to = signal_node(v); }},
        Setting{"before", [](R& r, View v) { r.signal_.before_step = step_number(v); }}};
    signals_at_.push_back(at_);
    if (settings(kSettings, "signal") != 15) {
      fail(at_, 1, "a signal is written 'signal from=NODE after=STEP to=NODE before=STEP'");
    }
    synchronisation().signals.push_back(signal_);
  }

  void priority_line() {
    using R = PlanTextReader;
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting{"step", [](R& r, View v) { r.priority_.step = step_number(v); }},
        Setting{"level", [](R& r, View v) { r.priority_.level = level_number(v); }},
        Setting{"from", [](R& r, View v) { r.priority_.from = signal_node(v); }},
        Setting{"to", [](R& r, View v) { r.priority_.to = signal_node(v); }}};
    priorities_at_.push_back(at_);
    priority_ = {};
    const unsigned seen = settings(kSettings, "priority");
    if (seen != 3 && seen != 15) {
      fail(at_, 1, "a priority is written 'priority step=STEP level=LEVEL', or with 'from=NODE to=NODE'");
    }
    synchronisation().priorities.push_back(priority_);
  }

  [[nodiscard]] size_t place_of(const SynchronisationMistake& mistake) const {
    switch (mistake.what) {
      case SynchronisedBy::kBarrier:
        return barriers_at_[mistake.index];
      case SynchronisedBy::kSignal:
        return signals_at_[mistake.index];
      case SynchronisedBy::kPriority:
        break;
    }
    return priorities_at_[mistake.index];
  }

  // Only when all steps are there it is known which exist.
  void check_synchronisation() const {
    if (!synchronisation_) return;
    const auto mistake = find_mistake(*synchronisation_, problem_->topology(), plan_);
    if (!mistake) return;
    const size_t offset = place_of(*mistake);
    const bool is_number = mistake->what == SynchronisedBy::kBarrier;
    const size_t end = std::min(text_.find_first_of(is_number ? "# \t\r\n" : "#\r\n", offset), text_.size());
    fail(offset, std::max<size_t>(end - offset, 1), mistake->message);
  }

  // --- the problem and the steps -------------------------------------------------------------------------

  void make_problem() {
    if (!kind_) fail(at_, 1, "the line 'collective' is missing before the first step");
    if (!stated_.spec && !stated_.links) {
      fail(at_, 1, "the line 'topology' (or lines 'link') is missing before the first step");
    }
    const Topology topology = make_topology();
    NodeId root = kNoNode;
    if (root_) {
      at(root_at_, root_length_, [&] {
        if (*root_ >= kMaxIds) throw InputError(fmt::format("a root is at most {}", kMaxIds - 1));
        root = id_at<NodeId>(*root_);
        if (!standard_problem(topology, *kind_, {}, root).collective().root())
          throw InputError(fmt::format("{} has no root", name_of(*kind_)));
      });
    }
    at(collective_at_, collective_length_, [&] { problem_ = standard_problem(topology, *kind_, {}, root); });
    const bool has_pieces = pieces_length_ > 0;
    at(has_pieces ? pieces_at_ : collective_at_, has_pieces ? pieces_length_ : collective_length_, [&] {
      problem_ = standard_problem(topology, *kind_, {}, root, pieces_);
      check_plan_size(*problem_, text_.size());
    });
    at(model_at_, model_length_,
       [&] { problem_ = Problem(problem_->topology(), problem_->collective(), model_); });
    block_form_ = problem_->collective().name(BlockId{0});
    check_witnesses();
  }

  [[nodiscard]] Topology make_topology() const {
    using Part = StatedTopologyError::Part;
    try {
      return stated_.resolve(source_, {text_, topology_at_}, text_.size(), files_);
    } catch (const StatedTopologyError& error) {
      size_t offset = topology_at_;
      if (error.part() == Part::kNodes && stated_.nodes) offset = nodes_at_;
      if (error.part() == Part::kEndpoints) offset = endpoints_at_;
      if (error.part() == Part::kLinks && (error.link() || !stated_.spec)) {
        offset = links_at_[error.link().value_or(0)];
      }
      const size_t end = std::min(text_.find_first_of("#\r\n", offset), text_.size());
      fail(offset, std::max<size_t>(end - offset, 1), error.what());
    }
  }

  void transfer_line() {
    TransferOp op = TransferOp::kDefault;
    if (rest().starts_with("copy") && is_blank(text_[at_ + 4])) {
      if (problem_->collective().flow() != Flow::kCombine) fail(at_, 4, kCopyElsewhere);
      op = TransferOp::kCopy;
      at_ += 4;
      skip_blanks();
    }
    const SumSlots slots = read_slots();
    if (at_ < end_ && !is_digit(text_[at_]) && text_[at_] != '?') {
      fail(at_, std::min(rest().find(' '), rest().size()),
           "after the first step come only the lines 'step' and transfers, like '0>1: 0-5' (path: blocks)");
    }
    read_path();
    read_blocks();
    path_arcs(problem_->topology(), nodes_, arcs_);
    step_.add(arcs_, blocks_, op, slots);
  }

  // "from=0,2 to=1", or only one of them, or nothing.
  SumSlots read_slots() {
    SumSlots out;
    if (rest().starts_with("from=")) {
      require_slots_allowed(5);
      at_ += 5;
      out.from = 1U << slot_number();
      while (at_ < end_ && text_[at_] == ',') {
        ++at_;
        out.from |= 1U << slot_number();
      }
      skip_blanks();
    }
    if (rest().starts_with("to=")) {
      require_slots_allowed(3);
      at_ += 3;
      out.to = slot_number();
      skip_blanks();
    }
    return out;
  }
  void require_slots_allowed(size_t length) const {
    if (problem_->collective().flow() != Flow::kCombine) fail(at_, length, kSlotsElsewhere);
  }
  uint32_t slot_number() {
    const size_t begin = at_;
    const uint64_t slot = number("a slot");
    if (slot >= SumSlots::kCount) fail(begin, at_ - begin, no_such_slot(slot));
    return static_cast<uint32_t>(slot);
  }

  void read_path() {
    const Topology& topology = problem_->topology();
    const size_t begin = at_;
    nodes_.clear();
    while (true) {
      if (at_ < end_ && text_[at_] == '?') {
        ++at_;
        nodes_.push_back(kNoNode);
      } else {
        const size_t start = at_;
        const uint64_t node = number("a node of the path");
        if (node >= topology.num_nodes()) {
          fail(start, at_ - start,
               fmt::format("node {} does not exist: the nodes of {} are 0 to {}", node, topology.name(),
                           topology.num_nodes() - 1));
        }
        nodes_.push_back(id_at<NodeId>(node));
      }
      if (at_ < end_ && text_[at_] == '>') {
        ++at_;
      } else {
        break;
      }
    }
    if (at_ == end_ || text_[at_] != ':') {
      fail(at_, 1, "a path goes on with '>' and a node, or ends with ':' and the blocks");
    }
    if (nodes_.size() < 2) fail(begin, at_ - begin, "a path is at least two nodes, like 0>1");
    ++at_;
  }

  void read_blocks() {
    blocks_.clear();
    for (skip_blanks(); at_ < end_; skip_blanks()) {
      const size_t begin = at_;
      std::array<uint32_t, 3> parts{};
      uint32_t count = 0;
      bool fits = true;
      while (true) {
        const uint64_t part = number("a number of a block", kMaxIds - 1);
        if (count < parts.size()) parts[count] = static_cast<uint32_t>(part);
        ++count;
        if (at_ == end_ || is_blank(text_[at_])) break;
        const bool piece_next = block_form_.has_piece && count + 1 == block_form_.size;
        if (text_[at_] != '-' && text_[at_] != '.')
          fail(at_, 1, "a block is numbers with '-' or '.' between");
        fits = fits && text_[at_] == (piece_next ? '.' : '-');
        ++at_;
      }
      std::optional<BlockId> block;
      if (fits && count <= parts.size()) {
        block = problem_->find_block(std::span<const uint32_t>(parts).first(count));
      }
      if (!block) fail(begin, at_ - begin, no_such_block(*problem_));
      blocks_.push_back(*block);
    }
  }

  std::string_view text_;
  std::string_view source_;
  GraphFiles files_;
  size_t at_ = 0;    // next byte of the line
  size_t end_ = 0;   // of the line, without comment
  size_t next_ = 0;  // start of the next line

  unsigned seen_ = 0;
  StatedTopology stated_;
  std::optional<CollectiveKind> kind_;
  std::optional<uint64_t> root_;
  uint32_t pieces_ = 1;
  Model model_;
  std::string algorithm_;
  StatedFigures claims_;
  std::vector<PlanBound> bounds_;
  std::vector<size_t> witnesses_at_;  // per bound, where its witness is
  std::optional<PlanSynchronisation> synchronisation_;
  Signal signal_;      // of the line that is being read
  Priority priority_;  // of the line that is being read
  std::optional<Problem> problem_;
  BlockName block_form_;

  // Where in the text a mistake is that is only found when all of the head is known.
  size_t value_at_ = 0;
  size_t topology_at_ = 0;
  size_t nodes_at_ = 0;
  size_t endpoints_at_ = 0;
  std::vector<size_t> links_at_;  // of each arc
  size_t collective_at_ = 0;
  size_t collective_length_ = 1;
  size_t root_at_ = 0;
  size_t root_length_ = 1;
  size_t pieces_at_ = 0;
  size_t pieces_length_ = 0;
  size_t model_at_ = 0;
  size_t model_length_ = 1;
  std::vector<size_t> barriers_at_;
  std::vector<size_t> signals_at_;
  std::vector<size_t> priorities_at_;

  bool in_step_ = false;
  StepBuilder step_;
  std::vector<NodeId> nodes_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
  Plan plan_;
};

}  // namespace

PlanFile read_plan_text(std::string_view text, std::string_view source, GraphFiles files) {
  return PlanTextReader(text, source, files).read();
}

}  // namespace quadrille
