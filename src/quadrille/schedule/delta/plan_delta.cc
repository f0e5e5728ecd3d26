#include "quadrille/schedule/delta/plan_delta.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/schedule/text/plan_text_transfers.h"
#include "quadrille/schedule/text/text_lines.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/faults/faults.h"

namespace quadrille {
namespace plan_delta_parts {
namespace {

using plan_text::TextLines;
using plan_text::TransferLine;
using plan_text::TransferLineReader;

constexpr std::string_view kFirstLine = "quadrille-delta 1";
constexpr int kHexadecimal = 16;

class DeltaReader {
 public:
  DeltaReader(std::string_view text, std::string_view source, const PlanFile& base)
      : lines_(text, source), base_(base), transfers_(lines_, base.problem) {}

  PlanDelta read() {
    if (!lines_.next_line() || lines_.rest() != kFirstLine)
      lines_.fail(lines_.here(), std::max<size_t>(lines_.end() - lines_.here(), 1),
                  fmt::format("a delta starts with the line '{}'", kFirstLine));
    bool more = lines_.next_line();
    for (; more && !lines_.at_word("step"); more = lines_.next_line()) head_line();
    if (!base_is_named_) lines_.fail(lines_.here(), 1, "the line 'base' is missing: which plan is changed?");
    if (delta_.faults.empty()) lines_.fail(lines_.here(), 1, "a line 'without' is missing: what is dead?");
    for (; more; more = lines_.next_line()) {
      if (lines_.at_word("step")) {
        step_line();
      } else {
        transfer_line();
      }
    }
    if (in_step_) flush();
    return std::move(delta_);
  }

 private:
  void head_line() {
    const size_t begin = lines_.here();
    const std::string_view word = lines_.word();
    lines_.skip_blanks();
    if (word == "base") {
      base_line();
    } else if (word == "without") {
      const std::string_view fault = lines_.rest();
      if (plain_name(fault) != fault)
        lines_.fail(lines_.here(), fault.size(),
                    "a fault is written in letters that can be seen, and blanks");
      delta_.faults.emplace_back(fault);
      Faults faults;
      lines_.at(lines_.here(), std::max<size_t>(fault.size(), 1),
                [&] { add_fault(base_.problem.topology(), delta_.faults.back(), faults); });
    } else if (word == "later") {
      const size_t at = lines_.here();
      const uint64_t later = lines_.number("how many steps later the plan's come");
      // Each of them has something in it.
      if (later > lines_.text_size())
        lines_.fail(at, lines_.here() - at, "so many steps are not in this delta");
      delta_.later = static_cast<uint32_t>(later);
      lines_.end_of_line("after 'later' and a number");
    } else {
      lines_.fail(
          begin, word.size(),
          fmt::format("a line before the first step cannot start with '{}'; allowed are base, without, "
                      "later, step",
                      plain_name(word)));
    }
  }

  void base_line() {
    const size_t begin = lines_.here();
    const std::string_view word = lines_.word();
    const auto [end, error] =
        std::from_chars(word.data(), word.data() + word.size(), delta_.base, kHexadecimal);
    if (error != std::errc{} || end != word.data() + word.size())
      lines_.fail(begin, std::max<size_t>(word.size(), 1), "a plan is named by 16 hexadecimal digits");
    lines_.end_of_line("after the plan that is changed");
    base_is_named_ = true;
    if (const uint64_t ours = digest_of(base_.problem, base_.plan); delta_.base != ours)
      lines_.fail(begin, word.size(),
                  fmt::format("this delta is for another plan: the one that is given is {:016x}", ours));
  }

  void step_line() {
    lines_.skip(4);
    lines_.skip_blanks();
    const size_t begin = lines_.here();
    const uint64_t number = lines_.number("the number of a step");
    const uint64_t most = base_.plan.num_steps() + delta_.later + lines_.text_size();
    const uint64_t least = delta_.dropped.num_steps() + (in_step_ ? 2 : 1);
    if (number < least || number > most)
      lines_.fail(begin, lines_.here() - begin,
                  number > most ? fmt::format("the plan has {} steps", base_.plan.num_steps())
                                : std::string("steps are counted from 1 and come in their order"));
    lines_.end_of_line("after the number of a step");
    if (in_step_) flush();
    in_step_ = true;
    while (delta_.dropped.num_steps() + 1 < number) flush();
  }

  void transfer_line() {
    if (!lines_.at_char('-') && !lines_.at_char('+'))
      lines_.fail(lines_.here(), 1,
                  "after the first step come only the lines 'step', '- 0>1: 0-5' (not sent any more) and "
                  "'+ 0>1: 0-5' (sent, too)");
    const bool is_dropped = lines_.take('-');
    if (!is_dropped) lines_.skip(1);
    lines_.skip_blanks();
    const TransferLine& line = transfers_.read();
    (is_dropped ? dropped_ : added_).add(line.arcs, line.blocks, line.op, line.slots);
  }

  void flush() {
    dropped_.flush(delta_.dropped);
    added_.flush(delta_.added);
  }

  TextLines lines_;
  const PlanFile& base_;
  TransferLineReader transfers_;
  PlanDelta delta_;
  bool base_is_named_ = false;
  bool in_step_ = false;
  StepBuilder dropped_;
  StepBuilder added_;
};

StepView step_of(const Plan& plan, size_t s) { return s < plan.num_steps() ? plan.step(s) : StepView{}; }

// What faults leave, and how what is there was numbered before.
class Left {
 public:
  Left(const Problem& base, const PlanDelta& delta) : base_(base) {
    const Topology& whole = base.topology();
    std::string faults;
    for (const std::string& fault : delta.faults)
      faults += fmt::format("{}{}", faults.empty() ? "" : ",", in_quotes(fault));
    FaultyNetwork left =
        without(whole, faults_of(whole, delta), fmt::format("without({};{})", whole.name(), faults));
    if (!left.cut_off.empty())
      throw InputError(
          fmt::format("{} is cut off from the others: to leave it out, its plan has to be another one",
                      whole.label(left.cut_off.front())));
    number_.assign(whole.num_nodes(), kNoNode);
    for (size_t i = 0; i < left.original.size(); ++i) number_[index(left.original[i])] = id_at<NodeId>(i);
    problem_.emplace(left.topology, collective_on(left.topology), base.model());
  }

  [[nodiscard]] const Problem& problem() const { return *problem_; }

  void path(std::span<const ArcId> arcs, size_t step, std::vector<ArcId>& out) {
    path_nodes(base_.topology(), arcs, nodes_);
    for (NodeId& node : nodes_) {
      if (node == kNoNode) continue;
      if (number_[index(node)] == kNoNode)
        throw InputError(fmt::format("step {}: a transfer goes through {}, which is dead", step + 1,
                                     base_.topology().label(node)));
      node = number_[index(node)];
    }
    path_arcs(problem_->topology(), nodes_, out);
  }

  [[nodiscard]] BlockId block(BlockId block, size_t step) const {
    BlockName name = base_.block_name(block);
    for (uint32_t i = 0; i < name.size; ++i) {
      if (name.has_piece && i + 1 == name.size) break;
      const NodeId now = number_[name.parts[i]];
      if (now == kNoNode)
        throw InputError(fmt::format("step {}: block {} is sent, an end of which is dead", step + 1,
                                     base_.block_label(block)));
      name.parts[i] = static_cast<uint32_t>(index(now));
    }
    const std::optional<BlockId> out =
        problem_->find_block(std::span<const uint32_t>(name.parts).first(name.size));
    if (!out)
      throw InputError(
          fmt::format("step {}: there is no block {} any more", step + 1, base_.block_label(block)));
    return *out;
  }

 private:
  [[nodiscard]] Collective collective_on(const Topology& left) const {
    const Collective& whole = base_.collective();
    const auto rank_of = [&](Rank rank) {
      return left.rank(number_[index(base_.topology().endpoint(rank))]);
    };
    const auto lives = [&](Rank rank) { return number_[index(base_.topology().endpoint(rank))] != kNoNode; };
    if (const Counts* const counts = whole.counts()) {
      std::vector<Counts::Entry> entries;
      for (const Counts::Entry& entry : counts->entries())
        if (lives(entry.from) && lives(entry.to))
          entries.push_back({*rank_of(entry.from), *rank_of(entry.to), entry.count});
      return Collective::counted(Counts(left.num_endpoints(), std::move(entries)));
    }
    const std::optional<Rank> root = whole.root();
    if (root && !lives(*root))
      throw InputError(fmt::format("the root, {}, is dead: nobody can take its place",
                                   base_.topology().label(base_.topology().endpoint(*root))));
    return Collective::standard(whole.kind(), left.num_endpoints(), root ? *rank_of(*root) : Rank{0},
                                whole.pieces());
  }

  const Problem& base_;
  std::vector<NodeId> number_;
  std::optional<Problem> problem_;
  std::vector<NodeId> nodes_;
};

// A transfer as what tells it from others of its step.
bool same_way(const StepView& a, size_t s, const StepView& b, size_t t) {
  return std::ranges::equal(a.arcs(s), b.arcs(t)) && a.op(s) == b.op(t) && a.slots_of(s) == b.slots_of(t);
}

// A step of the base without what is dropped.
class Thinned {
 public:
  Thinned(const Problem& base, const StepView& whole, const StepView& dropped, size_t number)
      : whole_(whole) {
    by_first_arc_.reserve(whole.size());
    if (dropped.size() > 0) {
      for (size_t t = 0; t < whole.size(); ++t) by_first_arc_.emplace_back(whole.arcs(t).front(), t);
      std::ranges::sort(by_first_arc_);
      kept_.resize(whole.size());
    }
    for (size_t d = 0; d < dropped.size(); ++d) {
      for (const BlockId block : dropped.blocks(d)) {
        if (take_out(dropped, d, block)) continue;
        throw InputError(fmt::format("step {}: the plan does not send {} there, and it cannot be dropped",
                                     number + 1, base.block_label(block)));
      }
    }
  }

  // Blocks that a transfer keeps.
  [[nodiscard]] std::span<const BlockId> blocks(size_t t) const {
    return t < kept_.size() && kept_[t] ? std::span<const BlockId>(*kept_[t]) : whole_.blocks(t);
  }

 private:
  bool take_out(const StepView& dropped, size_t d, BlockId block) {
    const ArcId first = dropped.arcs(d).front();
    auto at = std::ranges::lower_bound(by_first_arc_, std::pair<ArcId, size_t>{first, 0});
    for (; at != by_first_arc_.end() && at->first == first; ++at) {
      const size_t t = at->second;
      if (!same_way(dropped, d, whole_, t)) continue;
      const std::span<const BlockId> now = blocks(t);
      const auto found = std::ranges::find(now, block);
      if (found == now.end()) continue;
      std::vector<BlockId> rest(now.begin(), found);
      rest.insert(rest.end(), found + 1, now.end());
      kept_[t] = std::move(rest);
      return true;
    }
    return false;
  }

  StepView whole_;
  std::vector<std::pair<ArcId, size_t>> by_first_arc_;
  std::vector<std::optional<std::vector<BlockId>>> kept_;
};

}  // namespace
}  // namespace plan_delta_parts

uint64_t digest_of(const Problem& problem, const Plan& plan) {
  // FNV-1a over the plan as text.
  constexpr uint64_t kPrime = 0x100000001b3U;
  uint64_t value = 0xcbf29ce484222325U;
  const auto writer = text_plan_writer(PlanHead{.problem = problem}, [&value](std::string_view part) {
    for (const char c : part) value = (value ^ static_cast<unsigned char>(c)) * kPrime;
  });
  plan.replay(*writer);
  writer->finish();
  return value;
}

PlanDelta read_plan_delta(std::string_view text, std::string_view source, const PlanFile& base) {
  return plan_delta_parts::DeltaReader(text, source, base).read();
}

std::string write_plan_delta(const Problem& base, const PlanDelta& delta) {
  std::string out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "{}\nbase {:016x}\n", plan_delta_parts::kFirstLine, delta.base);
  for (const std::string& fault : delta.faults) fmt::format_to(append, "without {}\n", plain_name(fault));
  if (delta.later > 0) fmt::format_to(append, "later {}\n", delta.later);
  std::vector<NodeId> scratch;
  for (size_t s = 0; s < std::max(delta.dropped.num_steps(), delta.added.num_steps()); ++s) {
    const StepView dropped = plan_delta_parts::step_of(delta.dropped, s);
    const StepView added = plan_delta_parts::step_of(delta.added, s);
    if (dropped.size() + added.size() == 0) continue;
    fmt::format_to(append, "step {}\n", s + 1);
    for (const auto& [step, sign] : {std::pair{dropped, "- "}, std::pair{added, "+ "}}) {
      for (size_t t = 0; t < step.size(); ++t) {
        fmt::format_to(append, "{}", sign);
        plan_text::append_transfer(base, step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t), scratch,
                                   out);
      }
    }
  }
  return out;
}

Faults faults_of(const Topology& base, const PlanDelta& delta) {
  Faults out;
  for (const std::string& fault : delta.faults) add_fault(base, fault, out);
  return out;
}

PlanFile with_delta(const PlanFile& base, const PlanDelta& delta) {
  using plan_delta_parts::Left;
  using plan_delta_parts::step_of;
  using plan_delta_parts::Thinned;
  Left left(base.problem, delta);
  PlanFile out{{left.problem(), base.algorithm.empty() ? "" : fmt::format("{}, mended", base.algorithm)}, {}};
  const size_t of_base = base.plan.num_steps() + delta.later;
  const size_t steps = std::max({of_base, delta.dropped.num_steps(), delta.added.num_steps()});
  StepBuilder builder;
  size_t empty = 0;  // at the end there are none
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < steps; ++s) {
    const StepView whole = s >= delta.later && s < of_base ? base.plan.step(s - delta.later) : StepView{};
    const StepView dropped = step_of(delta.dropped, s);
    const StepView added = step_of(delta.added, s);
    const auto add = [&](const StepView& step, size_t t, std::span<const BlockId> carried) {
      left.path(step.arcs(t), s, path);
      blocks.clear();
      for (const BlockId block : carried) blocks.push_back(left.block(block, s));
      for (; empty > 0; --empty) StepBuilder().flush(out.plan);
      builder.add(path, blocks, step.op(t), step.slots_of(t));
    };
    const Thinned kept(base.problem, whole, dropped, s);
    for (size_t t = 0; t < whole.size(); ++t) {
      // An empty transfer of the base stays one: the judge has a word for it.
      if (!kept.blocks(t).empty() || whole.blocks(t).empty()) add(whole, t, kept.blocks(t));
    }
    for (size_t t = 0; t < added.size(); ++t) add(added, t, added.blocks(t));
    if (builder.empty()) {
      ++empty;
    } else {
      builder.flush(out.plan);
    }
  }
  return out;
}

uint32_t nodes_changed(const Topology& base, const PlanDelta& delta) {
  std::vector<char> changed(base.num_nodes(), 0);
  for (const Plan* const plan : {&delta.dropped, &delta.added}) {
    for (size_t s = 0; s < plan->num_steps(); ++s) {
      const StepView step = plan->step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        for (const auto& [arc, of] :
             {std::pair{step.arcs(t).front(), 0}, std::pair{step.arcs(t).back(), 1}}) {
          if (arc == kNoArc) continue;
          changed[index(of == 0 ? base.tail(arc) : base.head(arc))] = 1;
        }
      }
    }
  }
  return static_cast<uint32_t>(std::ranges::count(changed, 1));
}

}  // namespace quadrille
