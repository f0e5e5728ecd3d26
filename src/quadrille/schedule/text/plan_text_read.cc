// Reading the text form. Lines of bounds and of synchronisation have readers of their own.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/schedule/plan_listener.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/schedule/stated_topology.h"
#include "quadrille/schedule/text/plan_text_bounds.h"
#include "quadrille/schedule/text/plan_text_synchronisation.h"
#include "quadrille/schedule/text/plan_text_transfers.h"
#include "quadrille/schedule/text/text_lines.h"

namespace quadrille {
namespace plan_text {
namespace {

constexpr std::string_view kFirstLine = "quadrille-plan 1";

class PlanTextReader {
 public:
  PlanTextReader(std::string_view text, std::string_view source, GraphFiles files, PlanListener* listener)
      : lines_(text, source), source_(source), files_(files), listener_(listener) {}

  PlanFile read() {
    first_line();
    bool more = lines_.next_line();
    for (; more && !at_step(); more = lines_.next_line()) header_line();
    make_problem();
    announce();
    for (; more; more = lines_.next_line()) {
      if (at_step()) {
        if (in_step_) step_.flush(*steps_);
        in_step_ = true;
        lines_.skip(4);
        lines_.end_of_line("after 'step'");
      } else {
        transfer_line();
      }
    }
    if (in_step_) step_.flush(*steps_);
    if (steps_ == &plan_) synchronisation_.check(problem_->topology(), plan_);
    return PlanFile{
        {std::move(*problem_), std::move(algorithm_), claims_, bounds_.take(), synchronisation_.take()},
        std::move(plan_)};
  }

 private:
  using Self = PlanTextReader;

  // --- the head ----------------------------------------------------------------------------------------

  void first_line() {
    if (!lines_.next_line() || lines_.rest() != kFirstLine) {
      lines_.fail(lines_.here(), std::max<size_t>(lines_.end() - lines_.here(), 1),
                  fmt::format("a plan in text form starts with the line '{}'", kFirstLine));
    }
  }

  [[nodiscard]] bool at_step() const { return lines_.at_word("step"); }

  void header_line() {
    struct Line {
      std::string_view word;
      bool often;
      void (*read)(Self& reader);
    };
    static constexpr std::array kLines = {
        Line{"topology", false, [](Self& r) { r.topology_line(); }},
        Line{"nodes", false, [](Self& r) { r.nodes_line(); }},
        Line{"endpoints", false, [](Self& r) { r.endpoints_line(); }},
        Line{"link", true, [](Self& r) { r.links_line(true); }},
        Line{"arc", true, [](Self& r) { r.links_line(false); }},
        Line{"label", true, [](Self& r) { r.label_line(); }},
        Line{"collective", false, [](Self& r) { r.collective_line(); }},
        Line{"count", true, [](Self& r) { r.count_line(); }},
        Line{"model", false, [](Self& r) { r.model_line(); }},
        Line{"algorithm", false, [](Self& r) { r.algorithm_ = plain_name(r.lines_.rest()); }},
        Line{"claim", false, [](Self& r) { r.claim_line(); }},
        Line{"bound", true, [](Self& r) { r.bounds_.bound_line(); }},
        Line{"witness", true, [](Self& r) { r.bounds_.witness_line(); }},
        Line{"weight", true, [](Self& r) { r.bounds_.weight_line(); }},
        Line{"lemma", true, [](Self& r) { r.bounds_.lemma_line(); }},
        Line{"synchronisation", false, [](Self& r) { r.synchronisation_.synchronisation_line(); }},
        Line{"barrier", true, [](Self& r) { r.synchronisation_.barrier_line(); }},
        Line{"signal", true, [](Self& r) { r.synchronisation_.signal_line(); }},
        Line{"priority", true, [](Self& r) { r.synchronisation_.priority_line(); }}};
    const size_t begin = lines_.here();
    const std::string_view first = lines_.word();
    const size_t length = first.size();
    if (is_digit(first[0]) || first[0] == '?' || first == "copy") {
      lines_.fail(begin, length, "a transfer stands in a step: the line 'step' is missing before it");
    }
    std::vector<std::string_view> known;
    for (size_t i = 0; i < kLines.size(); ++i) {
      known.push_back(kLines[i].word);
      if (kLines[i].word != first) continue;
      if (!kLines[i].often && (seen_ >> i & 1U) != 0) {
        lines_.fail(begin, length, fmt::format("a second line '{}'", first));
      }
      seen_ |= 1U << i;
      lines_.skip_blanks();
      return kLines[i].read(*this);
    }
    known.push_back("step");
    const std::string_view near = nearest_name(first, known);
    lines_.fail(begin, length,
                fmt::format("a line cannot start with '{}'{}; allowed are {}", plain_name(first),
                            near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join(known)));
  }

  void topology_line() {
    topology_at_ = lines_.here();
    stated_.spec = std::string(lines_.rest());
  }
  void nodes_line() {
    nodes_at_ = lines_.here();
    stated_.nodes = lines_.next_number("the number of nodes");
    lines_.end_of_line("after the number of nodes");
  }
  void endpoints_line() {
    endpoints_at_ = lines_.here();
    stated_.endpoints.emplace();
    lines_.nodes("endpoint", *stated_.endpoints);
  }
  void links_line(bool both) {
    links_at_.insert(links_at_.end(), both ? 2 : 1, lines_.here());
    const uint32_t a = lines_.next_number("the first node of a link");
    const uint32_t b = lines_.next_number("the second node of a link");
    lines_.skip_blanks();
    const uint32_t capacity = lines_.at_end() ? 1 : lines_.next_number("the capacity of a link");
    lines_.end_of_line("after a link: it is two nodes and a capacity");
    if (!stated_.links) stated_.links.emplace();
    stated_.links->push_back({a, b, capacity});
    if (both) stated_.links->push_back({b, a, capacity});
  }

  void label_line() {
    labels_at_.push_back(lines_.here());
    const uint32_t node = lines_.next_number("the node that a label is for");
    lines_.skip_blanks();
    stated_.labels.push_back({node, std::string(lines_.rest())});
  }

  void count_line() {
    counts_at_.push_back(lines_.here());
    StatedCount& stated = counts_.emplace_back();
    stated.from = lines_.next_number("the node that a count is from");
    stated.to = lines_.next_number("the node that a count is for");
    stated.count = lines_.next_number("how many blocks go");
    lines_.end_of_line("after a count: it is from a node to a node, and how many blocks");
  }

  // --- name=value ----------------------------------------------------------------------------------------

  static double cost(std::string_view value) {
    if (const std::optional<double> out = cost_of(value)) return *out;
    throw InputError(
        fmt::format("'{}' is no cost: a number from 0 to {} is needed", plain_name(value), kMostCost));
  }

  void collective_line() {
    static constexpr std::array kSettings = {Setting<Self>{"root",
                                                           [](Self& r, std::string_view value) {
                                                             r.root_ = whole(value);
                                                             r.root_at_ = r.lines_.value_at();
                                                             r.root_length_ = value.size();
                                                           }},
                                             Setting<Self>{"pieces", [](Self& r, std::string_view value) {
                                                             r.pieces_ = whole_id(value, "pieces is");
                                                             r.pieces_at_ = r.lines_.value_at();
                                                             r.pieces_length_ = value.size();
                                                           }}};
    collective_at_ = lines_.here();
    const std::string_view kind = lines_.word();
    collective_length_ = kind.size();
    lines_.at(collective_at_, kind.size(), [&] { kind_ = parse_collective_kind(kind); });
    lines_.settings(*this, kSettings, "collective");
  }

  void model_line() {
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting<Self>{"ports",
                      [](Self& r, View v) { r.model_.send = r.model_.receive = parse_ports(v, "ports"); }},
        Setting<Self>{"send", [](Self& r, View v) { r.model_.send = parse_ports(v, "send"); }},
        Setting<Self>{"receive", [](Self& r, View v) { r.model_.receive = parse_ports(v, "receive"); }},
        Setting<Self>{"switching", [](Self& r, View v) { r.model_.switching = parse_switching(v); }},
        Setting<Self>{"packets", [](Self& r, View v) { r.model_.packets = parse_packets(v); }},
        Setting<Self>{"duplex", [](Self& r, View v) { r.model_.duplex = parse_duplex(v); }},
        Setting<Self>{"routing", [](Self& r, View v) { r.model_.routing = parse_routing(v); }},
        Setting<Self>{"operator", [](Self& r, View v) { r.model_.combining = parse_operator(v); }},
        Setting<Self>{"chunks", [](Self& r, View v) { r.model_.chunks = parse_chunks(v); }},
        Setting<Self>{"queues", [](Self& r, View v) { r.model_.queue_limit = whole_id(v, "queues is"); }},
        Setting<Self>{"queues_per", [](Self& r, View v) { r.model_.queues_per = parse_queues_per(v); }},
        Setting<Self>{"ts", [](Self& r, View v) { r.model_.cost.ts = cost(v); }},
        Setting<Self>{"tx", [](Self& r, View v) { r.model_.cost.tx = cost(v); }},
        Setting<Self>{"tl", [](Self& r, View v) { r.model_.cost.tl = cost(v); }},
        Setting<Self>{"rho", [](Self& r, View v) { r.model_.cost.rho = cost(v); }},
        Setting<Self>{"to", [](Self& r, View v) { r.model_.cost.to = cost(v); }},
        Setting<Self>{"time", [](Self& r, View v) {
                        require_microseconds(v);
                        r.model_.cost.in_microseconds = true;
                      }}};
    model_at_ = lines_.here();
    model_length_ = lines_.end() - lines_.here();
    lines_.settings(*this, kSettings, "model");
  }

  void claim_line() {
    using View = std::string_view;
    static constexpr std::array kSettings = {
        Setting<Self>{"steps", [](Self& r, View v) { r.claims_.steps = whole(v); }},
        Setting<Self>{"start_ups", [](Self& r, View v) { r.claims_.start_ups = whole(v); }},
        Setting<Self>{"busiest_link", [](Self& r, View v) { r.claims_.busiest_link = whole(v); }},
        Setting<Self>{"critical_blocks", [](Self& r, View v) { r.claims_.critical_blocks = whole(v); }}};
    lines_.settings(*this, kSettings, "claim");
  }

  // --- the problem and the steps -------------------------------------------------------------------------

  // Blocks that are counted have neither root nor pieces.
  void make_counted_problem(const Topology& topology) {
    if (root_) lines_.fail(root_at_, root_length_, "alltoallv has no root");
    if (pieces_ != 1)
      lines_.fail(pieces_at_, pieces_length_, "alltoallv counts whole blocks, which are not split");
    try {
      problem_ = counted_problem(topology, counts_of(topology, counts_, most_blocks_of(lines_.text_size())));
    } catch (const StatedCountError& error) {
      lines_.fail_to_end_of_line(counts_at_[error.at()], error.what());
    } catch (const InputError& error) {
      lines_.fail(collective_at_, collective_length_, error.what());
    }
    finish_problem();
  }

  void make_problem() {
    if (!kind_) lines_.fail(lines_.here(), 1, "the line 'collective' is missing before the first step");
    if (!stated_.spec && !stated_.links) {
      lines_.fail(lines_.here(), 1, "the line 'topology' (or lines 'link') is missing before the first step");
    }
    const Topology topology = make_topology();
    if (kind_ == CollectiveKind::kAlltoallv) return make_counted_problem(topology);
    if (!counts_.empty())
      lines_.fail_to_end_of_line(counts_at_.front(),
                                 fmt::format("{} has no counts; alltoallv has", name_of(*kind_)));
    NodeId root = kNoNode;
    if (root_) {
      lines_.at(root_at_, root_length_, [&] {
        if (*root_ >= kMaxIds) throw InputError(fmt::format("a root is at most {}", kMaxIds - 1));
        root = id_at<NodeId>(*root_);
        if (!standard_problem(topology, *kind_, {}, root).collective().root())
          throw InputError(fmt::format("{} has no root", name_of(*kind_)));
      });
    }
    lines_.at(collective_at_, collective_length_,
              [&] { problem_ = standard_problem(topology, *kind_, {}, root); });
    const bool has_pieces = pieces_length_ > 0;
    lines_.at(has_pieces ? pieces_at_ : collective_at_, has_pieces ? pieces_length_ : collective_length_,
              [&] {
                problem_ = standard_problem(topology, *kind_, {}, root, pieces_);
                check_plan_size(*problem_, lines_.text_size());
              });
    finish_problem();
  }

  void finish_problem() {
    lines_.at(model_at_, model_length_,
              [&] { problem_ = Problem(problem_->topology(), problem_->collective(), model_); });
    transfer_.emplace(lines_, *problem_);
    bounds_.check(problem_->topology());
  }

  [[nodiscard]] Topology make_topology() const {
    using Part = StatedTopologyError::Part;
    try {
      return stated_.resolve(source_, {lines_.text(), topology_at_}, lines_.text_size(), files_);
    } catch (const StatedTopologyError& error) {
      size_t offset = topology_at_;
      if (error.part() == Part::kNodes && stated_.nodes) offset = nodes_at_;
      if (error.part() == Part::kEndpoints) offset = endpoints_at_;
      if (error.part() == Part::kLinks && (error.which() || !stated_.spec)) {
        offset = links_at_[error.which().value_or(0)];
      }
      if (error.part() == Part::kLabels) offset = labels_at_[error.which().value_or(0)];
      lines_.fail_to_end_of_line(offset, error.what());
    }
  }

  // Where synchronisation is stated, it is held against a stored plan.
  void announce() {
    if (listener_ == nullptr) return;
    SynchronisationLines synchronisation = synchronisation_;
    if (synchronisation.take()) return;
    BoundLines bounds = bounds_;
    if (StepSink* to = listener_->steps_of({*problem_, algorithm_, claims_, bounds.take(), {}})) steps_ = to;
  }

  void transfer_line() {
    if (listener_ != nullptr) listener_->passed(lines_.here());
    const TransferLine& line = transfer_->read();
    step_.add(line.arcs, line.blocks, line.op, line.slots);
  }

  TextLines lines_;
  std::string_view source_;
  GraphFiles files_;
  PlanListener* listener_;

  unsigned seen_ = 0;
  StatedTopology stated_;
  std::vector<StatedCount> counts_;
  std::optional<CollectiveKind> kind_;
  std::optional<uint64_t> root_;
  uint32_t pieces_ = 1;
  Model model_;
  std::string algorithm_;
  StatedFigures claims_;
  BoundLines bounds_{lines_};
  SynchronisationLines synchronisation_{lines_};
  std::optional<Problem> problem_;
  std::optional<TransferLineReader> transfer_;

  // Where in the text a mistake is that is only found when all of the head is known.
  size_t topology_at_ = 0;
  size_t nodes_at_ = 0;
  size_t endpoints_at_ = 0;
  std::vector<size_t> links_at_;  // of each arc
  std::vector<size_t> labels_at_;
  std::vector<size_t> counts_at_;
  size_t collective_at_ = 0;
  size_t collective_length_ = 1;
  size_t root_at_ = 0;
  size_t root_length_ = 1;
  size_t pieces_at_ = 0;
  size_t pieces_length_ = 0;
  size_t model_at_ = 0;
  size_t model_length_ = 1;

  bool in_step_ = false;
  StepBuilder step_;
  Plan plan_;
  StepSink* steps_ = &plan_;
};

}  // namespace
}  // namespace plan_text

PlanFile read_plan_text(std::string_view text, std::string_view source, GraphFiles files,
                        PlanListener* listener) {
  return plan_text::PlanTextReader(text, source, files, listener).read();
}

}  // namespace quadrille
