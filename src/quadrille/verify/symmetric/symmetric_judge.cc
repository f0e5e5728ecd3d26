#include "quadrille/verify/symmetric/symmetric_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/verify/rule.h"

namespace quadrille {
namespace {

// Of each generator what one of its arcs carries at once; nothing where they differ.
std::optional<uint32_t> capacity_of(const Topology& topology, size_t generator) {
  const CayleyStructure& cayley = *topology.cayley();
  const uint32_t first = topology.capacity(cayley.arc(NodeId{0}, generator));
  for (const NodeId x : topology.nodes())
    if (topology.capacity(cayley.arc(x, generator)) != first) return std::nullopt;
  return first;
}

void require_arcs(const Topology& topology, size_t generator) {
  const CayleyStructure& cayley = *topology.cayley();
  std::vector<uint32_t> heads(topology.num_nodes());
  cayley.group->right_translation(cayley.generators[generator], heads);
  for (const NodeId x : topology.nodes()) {
    const ArcId arc = cayley.arc(x, generator);
    QUADRILLE_CHECK(
        topology.tail(arc) == x && index(topology.head(arc)) == heads[index(x)],
        fmt::format("arc {} of {} does not lead along generator {}", index(arc), topology.name(), generator));
  }
}

bool all_rules_are_known(const Model& model) {
  return model.switching == Switching::kPacket && model.duplex == Duplex::kFull && !model.queue_limit &&
         model.chunks == Chunks::kAnyOrder && model.combining == Operator::kCommutative;
}

uint32_t pieces_of_each(const Collective& collective) {
  const uint32_t pieces = collective.pieces();
  return collective.kind() == CollectiveKind::kAllreduce ? pieces / collective.num_ranks() : pieces;
}

}  // namespace

std::optional<std::string> SymmetricJudge::why_not(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  if (kind != CollectiveKind::kAlltoall && kind != CollectiveKind::kAllgather &&
      kind != CollectiveKind::kReduceScatter && kind != CollectiveKind::kAllreduce)
    return "it is no total exchange, allgather, reduce_scatter or allreduce";
  if (kind == CollectiveKind::kAllreduce &&
      problem.collective().block_count() % problem.collective().num_ranks() != 0)
    return "not every node has as many blocks";
  if (topology.is_outline()) return "its links are not listed";
  if (topology.cayley() == nullptr || topology.has_routers()) return "no group of the network is known";
  if (!all_rules_are_known(problem.model()))
    return "it is not a machine of packets, full duplex, any queues and any order";
  for (size_t k = 0; k < topology.cayley()->generators.size(); ++k)
    if (!capacity_of(topology, k)) return "links that correspond have different capacities";
  return std::nullopt;
}

SymmetricJudge::SymmetricJudge(const Problem& problem, const JudgeOptions& options)
    : problem_(problem),
      watcher_(options.watcher),
      cayley_(*problem_.topology().cayley()),
      flow_(problem_.collective().flow()),
      pieces_(pieces_of_each(problem_.collective())),
      used_(cayley_.generators.size()),
      load_(cayley_.generators.size()),
      blocks_(size_t{problem_.topology().num_nodes()} * pieces_),
      findings_(options.max_findings) {
  QUADRILLE_CHECK(!why_not(problem_), *why_not(problem_));
  QUADRILLE_CHECK(watcher_ == nullptr || watcher_->symmetric() != nullptr,
                  "a watcher that takes no symmetric steps");
  for (size_t k = 0; k < cayley_.generators.size(); ++k) {
    require_arcs(problem_.topology(), k);
    capacity_.push_back(*capacity_of(problem_.topology(), k));
  }
  if (flow_ == Flow::kCombine) sums_of_ranks_.emplace(problem_.topology().num_nodes(), pieces_);
  if (flow_ == Flow::kCopy)
    for (uint32_t piece = 0; piece < pieces_; ++piece) blocks_[place(0, piece)].at = 1;
}

void SymmetricJudge::push(const StepView& /*step*/) {
  QUADRILLE_CHECK(false, "a plan that is the same at all nodes has a step that is written out");
}

std::string SymmetricJudge::label(uint32_t element) const {
  return problem_.topology().label(NodeId{element});
}

std::string SymmetricJudge::label(const SymmetricMove& move) const {
  const Group& group = *cayley_.group;
  const std::string from = label(group.inverse(move.moved));
  const std::string piece = pieces_ > 1 ? fmt::format(", piece {}", move.piece) : "";
  if (problem_.collective().kind() == CollectiveKind::kAllreduce)
    return fmt::format("{}", move.left * pieces_ + move.piece);
  if (flow_ == Flow::kCombine) return label(move.left) + piece;
  return flow_ == Flow::kCopy ? from + piece : fmt::format("{} > {}{}", from, label(move.left), piece);
}

template <typename Message>
void SymmetricJudge::add(std::string_view rule, size_t transfer, Message message) {
  findings_.add(*rule_catalog().find(rule), transfer == Finding::kAtEnd ? Finding::kAtEnd : steps_ - 1,
                transfer, {.node = NodeId{0}}, message);
}

void SymmetricJudge::push_symmetric(std::span<const SymmetricMove> moves) {
  ++steps_;
  for (size_t t = 0; t < moves.size(); ++t) {
    const SymmetricMove& one = moves[t];
    QUADRILLE_CHECK(
        one.generator < cayley_.generators.size() && one.moved < cayley_.group->order() &&
            one.left < cayley_.group->order() && one.piece < pieces_ &&
            (!one.copies || problem_.collective().kind() == CollectiveKind::kAllreduce) &&
            (!one.joins || (carries_many(problem_.model()) && t > 0 &&
                            moves[t - 1].generator == one.generator && moves[t - 1].copies == one.copies)),
        fmt::format("step {} has a move that is none", steps_));
  }
  count_links(moves);
  if (flow_ == Flow::kCombine) add_up(moves);
  for (size_t t = 0; t < moves.size(); ++t) {
    if (flow_ == Flow::kCopy) copy(moves[t], t);
    if (flow_ == Flow::kMove) move(moves[t], t);
  }
  add_figures(moves);
  if (watcher_ != nullptr) watcher_->symmetric()->push_symmetric(moves);
}

// Capacities and ports.
void SymmetricJudge::count_links(std::span<const SymmetricMove> moves) {
  const bool is_limited = sends_single_packets(problem_.model());
  std::ranges::fill(used_, 0);
  messages_ = 0;
  // Where many go over a link, those of a step are one message.
  for (size_t t = 0; t < moves.size(); ++t) {
    const uint32_t k = moves[t].generator;
    ++used_[k];
    if (!is_limited && used_[k] > 1) continue;
    ++messages_;
    const auto check_ports = [&](Ports ports, std::string_view rule, std::string_view verb) {
      if (messages_ != uint64_t{ports.count} + 1 || ports.unlimited()) return;
      add(rule, t, [&] {
        return fmt::format("node {} {} {} messages in this step with this one; it has {} ports", label(0),
                           verb, messages_, ports.count);
      });
    };
    check_ports(problem_.model().send, "send_ports", "sends");
    check_ports(problem_.model().receive, "receive_ports", "receives");
    if (is_limited && used_[k] > capacity_[k]) {
      add("link_capacity", t, [&] {
        return fmt::format(
            "the link from {} to {} carries {} transfers in this step with this one; its capacity is {}",
            label(0), label(cayley_.generators[k]), used_[k], capacity_[k]);
      });
    }
  }
}

void SymmetricJudge::move(const SymmetricMove& move, size_t number) {
  const Group& group = *cayley_.group;
  Block& block = blocks_[place(group.multiply(move.moved, move.left), move.piece)];
  if (block.since == steps_ || block.at != move.moved) {
    add("sender_holds", number,
        [&] { return fmt::format("node {} does not have block {}", label(0), label(move)); });
    return;
  }
  if (move.left == 0) {
    add("delivered_once", number, [&] {
      return fmt::format("block {} leaves node {}, which is its destination", label(move), label(0));
    });
  }
  block = {group.multiply(move.moved, cayley_.generators[move.generator]), steps_};
}

void SymmetricJudge::copy(const SymmetricMove& move, size_t number) {
  const Block& held = blocks_[place(move.moved, move.piece)];
  if (held.at == 0 || held.since == steps_) {
    add("sender_holds", number,
        [&] { return fmt::format("node {} does not have block {}", label(0), label(move)); });
    return;
  }
  const uint32_t next = cayley_.group->multiply(move.moved, cayley_.generators[move.generator]);
  Block& copied = blocks_[place(next, move.piece)];
  if (copied.at != 0) {
    add("delivered_once", number, [&] {
      return fmt::format("node {} receives block {} a second time", label(cayley_.generators[move.generator]),
                         label(move));
    });
    return;
  }
  copied = {1, steps_};
}

// What is sent is set aside before anything arrives: a step reads the state before it. Everybody has something of every block.
void SymmetricJudge::add_up(std::span<const SymmetricMove> moves) {
  const Group& group = *cayley_.group;
  sent_.clear();
  for (const SymmetricMove& one : moves) sums_of_ranks_->send(one.left, one.piece, sent_);
  for (size_t t = 0; t < moves.size(); ++t) {
    const SymmetricMove& one = moves[t];
    const uint32_t along = cayley_.generators[one.generator];
    const uint32_t left = group.multiply(group.inverse(along), one.left);
    const uint64_t* sent = sent_.data() + t * sums_of_ranks_->words();
    // Whether it was a copy that came last, and when anything did.
    Block& last = blocks_[place(left, one.piece)];
    if (last.since == steps_ && (one.copies || last.at != 0)) {
      add("contributions", t, [&] {
        return fmt::format("node {} receives a copy of block {} together with something else for it",
                           label(along), label(one));
      });
    }
    last = {one.copies || (last.since == steps_ && last.at != 0) ? 1U : 0U, steps_};
    if (one.copies) {
      sums_of_ranks_->replace(left, one.piece, sent);
      continue;
    }
    const std::optional<uint32_t> twice = sums_of_ranks_->arrive(left, one.piece, sent);
    if (!twice) continue;
    add("contributions", t, [&] {
      return fmt::format("node {} adds the contribution of {} to block {} a second time", label(along),
                         label(group.multiply(one.left, group.inverse(*twice))), label(one));
    });
  }
}

// Node 0's of the block that has so far to go.
void SymmetricJudge::finish_sums() {
  const Group& group = *cayley_.group;
  const bool is_for_all = problem_.collective().kind() == CollectiveKind::kAllreduce;
  for (uint32_t left = 0; left < (is_for_all ? group.order() : 1U); ++left) {
    for (uint32_t piece = 0; piece < pieces_; ++piece) {
      const std::optional<uint32_t> lost = sums_of_ranks_->missing(left, piece);
      if (!lost) continue;
      add("delivered", Finding::kAtEnd, [&] {
        return fmt::format("block {} at node {} lacks the contribution of {}",
                           label(SymmetricMove{.left = left, .piece = piece}), label(0),
                           label(group.multiply(left, group.inverse(*lost))));
      });
    }
  }
}

void SymmetricJudge::add_figures(std::span<const SymmetricMove> moves) {
  if (moves.empty()) return;
  const uint64_t nodes = problem_.topology().num_nodes();
  uint64_t rounds = 0;
  for (size_t k = 0; k < used_.size(); ++k) {
    load_[k] += used_[k];
    rounds = std::max(rounds, (uint64_t{used_[k]} + capacity_[k] - 1) / capacity_[k]);
  }
  ++sums_.start_ups;
  ++sums_.critical_hops;
  sums_.critical_blocks += rounds;
  sums_.block_hops += moves.size() * nodes;
  sums_.transfers += static_cast<uint64_t>(std::ranges::count(moves, false, &SymmetricMove::joins)) * nodes;
  if (!shares_arcs(problem_.model()) && problem_.model().cost.to == 0) return;
  sums_.messages = std::max(sums_.messages, messages_);
  sums_.further_messages += messages_ - 1;
}

Verdict SymmetricJudge::finish() {
  count_work(Work::kJudging);
  const bool copies = flow_ == Flow::kCopy;
  if (flow_ == Flow::kCombine) finish_sums();
  for (uint32_t element = 0; element < cayley_.group->order() && flow_ != Flow::kCombine; ++element) {
    for (uint32_t piece = 0; piece < pieces_; ++piece) {
      const Block& block = blocks_[place(element, piece)];
      if (copies ? block.at != 0 : block.at == element) continue;
      add("delivered", Finding::kAtEnd, [&] {
        const std::string what = label(SymmetricMove{0, copies ? element : 0, element, piece});
        return copies ? fmt::format("block {} has not reached node {}", what, label(0))
                      : fmt::format("block {} is at node {}, not at its destination", what, label(block.at));
      });
    }
  }
  Figures figures = sums_;
  figures.steps = steps_;
  figures.busiest_link = load_.empty() ? 0 : *std::ranges::max_element(load_);
  if (figures.busiest_link > 0) {
    for (size_t k = 0; k < load_.size(); ++k) {
      if (load_[k] != figures.busiest_link) continue;
      for (const NodeId x : problem_.topology().nodes()) {
        const ArcId arc = cayley_.arc(x, k);
        if (figures.busiest_arc == kNoArc || index(arc) < index(figures.busiest_arc))
          figures.busiest_arc = arc;
      }
    }
  }
  return {.findings = findings_.first(),
          .total_findings = findings_.total(),
          .figures = figures,
          .at_one_node = true};
}

}  // namespace quadrille
