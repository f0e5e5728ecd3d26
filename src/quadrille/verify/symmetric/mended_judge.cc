#include "quadrille/verify/symmetric/mended_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/work_count.h"
#include "quadrille/verify/rule.h"

namespace quadrille {
namespace {

bool are_single_packets_alone(const Model& model) {
  return model.switching == Switching::kPacket && sends_single_packets(model) &&
         model.duplex == Duplex::kFull && !model.queue_limit && model.chunks == Chunks::kAnyOrder &&
         model.combining == Operator::kCommutative && model.cost.to == 0;
}

// Then ports limit nothing.
bool has_ports_for_all(const Problem& problem) {
  const Topology& topology = problem.topology();
  std::vector<uint64_t> out(topology.num_nodes(), 0);
  std::vector<uint64_t> in(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    out[index(topology.tail(arc))] += topology.capacity(arc);
    in[index(topology.head(arc))] += topology.capacity(arc);
  }
  const auto are_enough = [](Ports ports, const std::vector<uint64_t>& lanes) {
    return ports.unlimited() || std::ranges::all_of(lanes, [&](uint64_t n) { return n <= ports.count; });
  };
  return are_enough(problem.model().send, out) && are_enough(problem.model().receive, in);
}

bool all_nodes_are_ranks(const Topology& topology) {
  if (topology.num_endpoints() != topology.num_nodes()) return false;
  for (const NodeId v : topology.nodes())
    if (!topology.rank(v)) return false;
  return true;
}

}  // namespace

std::optional<std::string> MendedJudge::why_not(const Problem& problem) {
  if (problem.collective().kind() != CollectiveKind::kAlltoall) return "it is no total exchange";
  if (!problem.collective().is_numbered()) return "its blocks have no numbers";
  if (problem.topology().is_outline()) return "its links are not listed";
  if (!all_nodes_are_ranks(problem.topology())) return "not every node takes part";
  if (!are_single_packets_alone(problem.model())) return "the model asks for more";
  if (!has_ports_for_all(problem)) return "there are fewer ports than packets that links can carry";
  return std::nullopt;
}

MendedJudge::MendedJudge(const Problem& problem, const JudgeOptions& options)
    : problem_(problem),
      watcher_(options.watcher),
      max_findings_(options.max_findings),
      findings_(options.max_findings) {
  QUADRILLE_CHECK(!why_not(problem_), *why_not(problem_));
  QUADRILLE_CHECK(watcher_ == nullptr || watcher_->mended() != nullptr,
                  "a watcher that takes no mended steps");
}

void MendedJudge::push(const StepView& /*step*/) {
  QUADRILLE_CHECK(false, "a plan in the short form has a step that is written out");
}

template <typename Message>
void MendedJudge::add(std::string_view rule, uint64_t step, uint64_t transfer, Message message) {
  findings_.add(*rule_catalog().find(rule), step, transfer, {}, message);
}

void MendedJudge::begin_mended(const MendedPlanHead& head) {
  QUADRILLE_CHECK(!whole_, "a plan begins twice");
  whole_ = standard_problem(head.whole, CollectiveKind::kAlltoall, problem_.model(), kNoNode,
                            problem_.collective().pieces());
  const std::optional<std::string> refusal = SymmetricJudge::why_not(*whole_);
  QUADRILLE_CHECK(!refusal, *refusal);
  base_.emplace(*whole_, JudgeOptions{.max_findings = max_findings_});
  embed(head);
  const uint32_t num_blocks = whole_->collective().num_blocks();
  removed_.assign(head.removed.begin(), head.removed.end());
  removed_bits_.assign(num_blocks / 64 + 1, 0);
  for (size_t i = 0; i < removed_.size(); ++i) {
    QUADRILLE_CHECK(index(removed_[i]) < num_blocks && (i == 0 || removed_[i - 1] < removed_[i]),
                    "blocks that are removed are listed once, in order");
    removed_bits_[index(removed_[i]) / 64] |= uint64_t{1} << (index(removed_[i]) % 64);
  }
  if (watcher_ != nullptr) watcher_->mended()->begin_mended(head);
}

// Every node and arc that is left is another one of the whole, with the same capacity.
void MendedJudge::embed(const MendedPlanHead& head) {
  const Topology& left = problem_.topology();
  const Topology& whole = whole_->topology();
  const CayleyStructure& cayley = *whole.cayley();
  QUADRILLE_CHECK(head.original.size() == left.num_nodes(), "every node that is left was one before");
  left_of_node_.assign(whole.num_nodes(), kNoNode);
  for (const NodeId v : left.nodes()) {
    const NodeId before = head.original[index(v)];
    QUADRILLE_CHECK(index(before) < whole.num_nodes() && left_of_node_[index(before)] == kNoNode,
                    "a node that is left was none, or is another one, too");
    left_of_node_[index(before)] = v;
  }
  left_of_arc_.assign(whole.num_arcs(), kNoArc);
  generator_of_.resize(left.num_arcs());
  for (const ArcId arc : left.arcs()) {
    const NodeId tail = head.original[index(left.tail(arc))];
    const NodeId end = head.original[index(left.head(arc))];
    bool is_there = false;
    for (uint32_t k = 0; k < cayley.generators.size() && !is_there; ++k) {
      const ArcId before = cayley.arc(tail, k);
      if (whole.head(before) != end || left_of_arc_[index(before)] != kNoArc) continue;
      is_there = whole.capacity(before) == left.capacity(arc);
      if (!is_there) continue;
      left_of_arc_[index(before)] = arc;
      generator_of_[index(arc)] = k;
    }
    QUADRILLE_CHECK(is_there, fmt::format("arc {} that is left was none", index(arc)));
  }
  for (const NodeId x : whole.nodes())
    QUADRILLE_CHECK(whole.endpoint(Rank{static_cast<uint32_t>(index(x))}) == x, "ranks are nodes in order");
}

void MendedJudge::push_mended(std::span<const SymmetricMove> moves, const StepView& moved) {
  QUADRILLE_CHECK(whole_, "a plan has steps before it begins");
  if (moves_end_.size() + 1 >= kMaxIds)
    throw InputError("a plan of more than 4294967294 steps cannot be judged");
  base_->symmetric()->push_symmetric(moves);
  QUADRILLE_CHECK(moved.is_unit() && moved.all_arcs.size() == moved.all_blocks.size() && moved.ops.empty() &&
                      moved.slots.empty(),
                  "what is moved is one block over one arc");
  for (size_t i = 0; i < moved.size(); ++i) {
    QUADRILLE_CHECK(index(moved.all_arcs[i]) < problem_.topology().num_arcs() &&
                        index(moved.all_blocks[i]) < problem_.collective().num_blocks(),
                    "what is moved exists");
  }
  moves_.insert(moves_.end(), moves.begin(), moves.end());
  moves_end_.push_back(moves_.size());
  arcs_.insert(arcs_.end(), moved.all_arcs.begin(), moved.all_arcs.end());
  blocks_.insert(blocks_.end(), moved.all_blocks.begin(), moved.all_blocks.end());
  moved_end_.push_back(arcs_.size());
  if (watcher_ != nullptr) watcher_->mended()->push_mended(moves, moved);
}

// Whatever crosses a dead arc must be removed.
void MendedJudge::find_hit_blocks() {
  const Topology& whole = whole_->topology();
  const CayleyStructure& cayley = *whole.cayley();
  std::vector<std::vector<BaseMove>> along(cayley.generators.size());
  for (size_t s = 0, m = 0; s < moves_end_.size(); ++s)
    for (; m < moves_end_[s]; ++m)
      along[moves_[m].generator].push_back({moves_[m], static_cast<uint32_t>(s)});
  for (const NodeId x : whole.nodes()) {
    for (uint32_t k = 0; k < along.size(); ++k) {
      if (left_of_arc_[index(cayley.arc(x, k))] != kNoArc) continue;
      for (const BaseMove& one : along[k]) {
        const BlockId block = block_at(*whole_, one.move, x);
        if (is_removed(block)) continue;
        add("transfer_form", one.step, 0, [&] {
          return fmt::format("a block from {} to {} goes over the dead link from {} to {}",
                             whole.label(whole_->origin(block)), whole.label(whole_->destination(block)),
                             whole.label(x), whole.label(whole.head(cayley.arc(x, k))));
        });
      }
    }
  }
}

// The arcs and steps of removed blocks, which the moves of their displacement tell.
void MendedJudge::free_slots() {
  const CayleyStructure& cayley = *whole_->topology().cayley();
  const Group& group = *cayley.group;
  const uint32_t pieces = whole_->collective().pieces();
  const size_t steps = moves_end_.size();
  // Moves sorted by what they move; of one thing they stay in order.
  std::vector<size_t> begin(size_t{group.order()} * pieces + 1, 0);
  std::vector<size_t> of_move(moves_.size());
  for (size_t m = 0; m < moves_.size(); ++m) {
    of_move[m] = size_t{group.multiply(moves_[m].moved, moves_[m].left)} * pieces + moves_[m].piece;
    ++begin[of_move[m] + 1];
  }
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<BaseMove> sorted(moves_.size());
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t s = 0, m = 0; s < steps; ++s)
    for (; m < moves_end_[s]; ++m) sorted[next[of_move[m]]++] = {moves_[m], static_cast<uint32_t>(s)};

  taken_away_.assign(steps, 0);
  std::vector<Hop> freed;
  for (const BlockId block : removed_) {
    const auto from = static_cast<uint32_t>(index(whole_->origin(block)));
    const auto to = static_cast<uint32_t>(index(whole_->destination(block)));
    const size_t what = size_t{group.multiply(group.inverse(from), to)} * pieces + index(block) % pieces;
    for (size_t i = begin[what]; i < begin[what + 1]; ++i) {
      const SymmetricMove& move = sorted[i].move;
      ++taken_away_[sorted[i].step];
      const ArcId arc =
          left_of_arc_[index(cayley.arc(NodeId{group.multiply(from, move.moved)}, move.generator))];
      if (arc != kNoArc) freed.push_back({sorted[i].step, arc});
    }
  }
  std::vector<size_t> place(steps + 1, 0);
  for (const Hop& hop : freed) ++place[hop.step + 1];
  for (size_t s = 0; s < steps; ++s) place[s + 1] += place[s];
  freed_end_.assign(place.begin() + 1, place.end());
  freed_.resize(freed.size());
  for (const Hop& hop : freed) freed_[place[hop.step]++] = hop;
}

// Every removed block whose ends live, from its origin to its destination.
void MendedJudge::follow() {
  const Topology& left = problem_.topology();
  const Collective& collective = problem_.collective();
  const uint32_t pieces = collective.pieces();
  std::vector<Followed> followed;
  for (const BlockId block : removed_) {
    const NodeId from = left_of_node_[index(whole_->origin(block))];
    const NodeId to = left_of_node_[index(whole_->destination(block))];
    if (from == kNoNode || to == kNoNode) continue;
    const auto piece = static_cast<uint32_t>(index(block) % pieces);
    followed.push_back({collective.block(*left.rank(from), *left.rank(to), piece), from, 0});
  }
  std::ranges::sort(followed, {}, &Followed::block);
  followed_ = followed.size();
  const auto text = [&](BlockId block) {
    return fmt::format("block {} > {}", left.label(problem_.origin(block)),
                       left.label(problem_.destination(block)));
  };
  for (size_t s = 0, t = 0; s < moved_end_.size(); ++s) {
    const size_t first = t;
    for (; t < moved_end_[s]; ++t) {
      const auto found = std::ranges::lower_bound(followed, blocks_[t], {}, &Followed::block);
      const NodeId tail = left.tail(arcs_[t]);
      const bool is_apart = found != followed.end() && found->block == blocks_[t];
      if (!is_apart || found->at != tail || found->since == s + 1) {
        add("sender_holds", s, t - first, [&] {
          return is_apart ? fmt::format("node {} does not have {}", left.label(tail), text(blocks_[t]))
                          : fmt::format("{} is moved and goes its way as well", text(blocks_[t]));
        });
        continue;
      }
      if (tail == problem_.destination(blocks_[t])) {
        add("delivered_once", s, t - first, [&] {
          return fmt::format("{} leaves node {}, which is its destination", text(blocks_[t]),
                             left.label(tail));
        });
      }
      found->at = left.head(arcs_[t]);
      found->since = s + 1;
    }
  }
  for (const Followed& one : followed) {
    if (one.at == problem_.destination(one.block)) continue;
    add("delivered", Finding::kAtEnd, Finding::kAtEnd, [&] {
      return fmt::format("{} is at node {}, not at its destination", text(one.block), left.label(one.at));
    });
  }
}

// Capacities, and all that is measured.
void MendedJudge::count() {
  const Topology& left = problem_.topology();
  const uint64_t nodes = whole_->topology().num_nodes();
  const size_t num_generators = whole_->topology().cayley()->generators.size();
  std::vector<uint64_t> along(num_generators, 0);  // moves of a step
  std::vector<uint64_t> of_plan(num_generators, 0);
  std::vector<int64_t> here(left.num_arcs(), 0);   // in a step, beyond what is sent along the generator
  std::vector<int64_t> apart(left.num_arcs(), 0);  // the same in all steps
  for (size_t s = 0, m = 0, t = 0, f = 0; s < moves_end_.size(); ++s) {
    const size_t first_move = m;
    const size_t first = t;
    const size_t first_freed = f;
    for (; m < moves_end_[s]; ++m) ++along[moves_[m].generator];
    for (; f < freed_end_[s]; ++f) --here[index(freed_[f].arc)];
    for (; t < moved_end_[s]; ++t) {
      const size_t arc = index(arcs_[t]);
      const int64_t used = static_cast<int64_t>(along[generator_of_[arc]]) + ++here[arc];
      if (used <= int64_t{left.capacity(arcs_[t])}) continue;
      add("link_capacity", s, t - first, [&] {
        return fmt::format(
            "the link from {} to {} carries {} transfers in this step with this one; its capacity is {}",
            left.label(left.tail(arcs_[t])), left.label(left.head(arcs_[t])), used, left.capacity(arcs_[t]));
      });
    }
    const uint64_t sent = (m - first_move) * nodes - taken_away_[s] + (t - first);
    figures_.steps += 1;
    figures_.start_ups += sent > 0 ? 1 : 0;
    figures_.transfers += sent;
    for (size_t i = first_freed; i < f; ++i) {
      --apart[index(freed_[i].arc)];
      here[index(freed_[i].arc)] = 0;
    }
    for (size_t i = first; i < t; ++i) {
      ++apart[index(arcs_[i])];
      here[index(arcs_[i])] = 0;
    }
    for (size_t i = first_move; i < m; ++i) {
      ++of_plan[moves_[i].generator];
      along[moves_[i].generator] = 0;
    }
  }
  figures_.block_hops = figures_.transfers;
  figures_.critical_blocks = figures_.critical_hops = figures_.start_ups;
  for (const ArcId arc : left.arcs()) {
    const auto load = of_plan[generator_of_[index(arc)]] + static_cast<uint64_t>(apart[index(arc)]);
    if (load <= figures_.busiest_link) continue;
    figures_.busiest_link = load;
    figures_.busiest_arc = arc;
  }
}

Verdict MendedJudge::finish() {
  QUADRILLE_CHECK(whole_, "a plan that never began");
  Verdict whole = base_->finish();
  // Steps and arcs of a plan that is wrong on the whole say nothing.
  if (!whole.passed()) return whole;
  find_hit_blocks();
  free_slots();
  follow();
  count();
  return {.findings = findings_.first(),
          .total_findings = findings_.total(),
          .figures = figures_,
          .at_one_node = true,
          .mended = followed_};
}

}  // namespace quadrille
