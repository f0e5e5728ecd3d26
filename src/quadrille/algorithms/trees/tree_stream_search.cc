#include "quadrille/algorithms/trees/tree_stream_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/search/formula.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Literals that always hold, or never.
constexpr int kTrue = INT32_MAX;
constexpr int kFalse = -INT32_MAX;

class TreeStreamFormula {
 public:
  TreeStreamFormula(const Topology& topology, NodeId root, const TreeStreamQuestion& question,
                    const TreeSymmetry& symmetry)
      : net_(topology),
        root_(root),
        question_(question),
        symmetry_(symmetry),
        hops_(distances_from(topology, root)),
        into_(topology.num_nodes()) {
    for (const ArcId arc : net_.arcs()) {
      if (net_.head(arc) != root_) into_[index(net_.head(arc))].push_back(arc);
    }
    if (question_.height > 0) add_trees();
    if (question_.window > 0) add_window();
    share_channels();
  }

  [[nodiscard]] const Formula& formula() const { return formula_; }

  [[nodiscard]] TreeStreams streams(const SearchAnswer& answer) const {
    TreeStreams out;
    out.batch = question_.trees;
    if (question_.height > 0) {
      std::vector<std::vector<ArcId>> arcs(question_.trees, std::vector<ArcId>(net_.num_nodes(), kNoArc));
      for (size_t r = 0; r < over_.size(); ++r) {
        for (const ArcId arc : net_.arcs()) {
          if (over_[r][index(arc)] == 0 || !answer.value(over_[r][index(arc)])) continue;
          ArcId image = arc;
          for (size_t k = 0; k < symmetry_.order; ++k, image = symmetry_.image[index(image)])
            arcs[r * symmetry_.order + k][index(net_.head(image))] = image;
        }
      }
      out.trees = disjoint_trees(net_, root_, std::move(arcs));
    }
    if (question_.window == 0) return out;
    LastBatches last{question_.window, question_.window_steps, {}};
    for (size_t c = 0; c < sent_.size(); ++c) {
      for (const ArcId arc : net_.arcs()) {
        for (uint32_t s = 1; s <= question_.window_steps; ++s) {
          const int sent = sent_at(c, arc, s);
          if (sent == 0 || !answer.value(sent)) continue;
          ArcId image = arc;
          for (uint32_t k = 0; k < symmetry_.order; ++k, image = symmetry_.image[index(image)])
            last.sends.push_back({s, static_cast<uint32_t>(c) * symmetry_.order + k, image});
        }
      }
    }
    keep_what_is_needed(net_, root_, question_.pieces, last);
    out.last = std::move(last);
    return out;
  }

 private:
  [[nodiscard]] bool must_be_reached(NodeId v) const { return net_.rank(v).has_value(); }
  // The clause of these literals, true where one of them always is.
  template <size_t kSize>
  void add(const std::array<int, kSize>& literals) {
    clause_.clear();
    for (const int literal : literals) {
      if (literal == kTrue) return;
      if (literal != kFalse) clause_.push_back(literal);
    }
    formula_.add(clause_);
  }

  // --- trees: over_[r][arc], and below_[r][v][t]: v is at most t deep -----------------------------------

  [[nodiscard]] int at_most_deep(size_t r, NodeId v, int64_t t) const {
    if (v == root_) return t >= 0 ? kTrue : kFalse;
    if (t < hops_[index(v)]) return kFalse;
    if (t >= question_.height && must_be_reached(v)) return kTrue;
    return below_[r][index(v)] + static_cast<int>(std::min<int64_t>(t, question_.height) - hops_[index(v)]);
  }
  void add_trees() {
    const size_t kinds = question_.trees / symmetry_.order;
    over_.assign(kinds, std::vector<int>(net_.num_arcs(), 0));
    below_.assign(kinds, std::vector<int>(net_.num_nodes(), 0));
    for (size_t r = 0; r < kinds; ++r) {
      for (const NodeId v : net_.nodes()) {
        if (v == root_ || hops_[index(v)] > question_.height) continue;
        for (const ArcId arc : into_[index(v)]) over_[r][index(arc)] = formula_.variable();
        below_[r][index(v)] = formula_.variables(question_.height - hops_[index(v)] + 1);
      }
      for (const NodeId v : net_.nodes()) {
        if (v != root_ && hops_[index(v)] <= question_.height) hang(r, v);
      }
    }
    // Where every link of the root must be taken, who takes which does not matter.
    uint32_t links = 0;
    for (const ArcId arc : net_.arcs_from(root_)) links += net_.capacity(arc);
    if (links != question_.trees || links != net_.out_degree(root_)) return;
    std::vector<bool> taken(net_.num_arcs(), false);
    size_t r = 0;
    for (const ArcId arc : net_.arcs_from(root_)) {
      if (taken[index(arc)]) continue;
      formula_.add({over_[r++][index(arc)]});
      ArcId image = arc;
      for (size_t k = 0; k < symmetry_.order; ++k, image = symmetry_.image[index(image)])
        taken[index(image)] = true;
    }
  }
  void hang(size_t r, NodeId v) {
    clause_.clear();
    for (const ArcId arc : into_[index(v)]) clause_.push_back(over_[r][index(arc)]);
    const std::vector<int> ways = clause_;
    formula_.at_most_one(ways);
    if (must_be_reached(v)) {
      formula_.add(ways);
    } else {
      clause_.push_back(-at_most_deep(r, v, question_.height));
      formula_.add(clause_);
    }
    for (int64_t t = hops_[index(v)]; t < question_.height; ++t)
      add(std::array{-at_most_deep(r, v, t), at_most_deep(r, v, t + 1)});
    for (const ArcId arc : into_[index(v)]) {
      const NodeId parent = net_.tail(arc);
      const int over = over_[r][index(arc)];
      add(std::array{-over, at_most_deep(r, v, question_.height)});
      for (int64_t t = hops_[index(v)]; t <= question_.height; ++t)
        add(std::array{-over, -at_most_deep(r, v, t), at_most_deep(r, parent, t - 1)});
    }
  }

  // --- the window: sent_[c][arc] + s, and there_[c][v] + t: v has piece c after t steps -------------------

  [[nodiscard]] uint32_t first_step(ArcId arc) const {
    return std::max(hops_[index(net_.tail(arc))] + 1, hops_[index(net_.head(arc))]);
  }
  [[nodiscard]] int sent_at(size_t c, ArcId arc, uint32_t s) const {
    const int first = sent_[c][index(arc)];
    return first == 0 || s < first_step(arc) ? 0 : first + static_cast<int>(s - first_step(arc));
  }
  [[nodiscard]] int has_by(size_t c, NodeId v, int64_t t) const {
    if (v == root_) return kTrue;
    if (t < hops_[index(v)]) return kFalse;
    if (t >= question_.window_steps && must_be_reached(v)) return kTrue;
    return there_[c][index(v)] +
           static_cast<int>(std::min<int64_t>(t, question_.window_steps) - hops_[index(v)]);
  }
  void add_window() {
    const size_t kinds = question_.pieces / symmetry_.order;
    const int64_t last = question_.window_steps;
    sent_.assign(kinds, std::vector<int>(net_.num_arcs(), 0));
    there_.assign(kinds, std::vector<int>(net_.num_nodes(), 0));
    for (size_t c = 0; c < kinds; ++c) {
      for (const NodeId v : net_.nodes()) {
        if (v == root_ || hops_[index(v)] > last) continue;
        there_[c][index(v)] = formula_.variables(static_cast<size_t>(last) - hops_[index(v)] + 1);
        for (const ArcId arc : into_[index(v)]) {
          if (first_step(arc) <= last)
            sent_[c][index(arc)] = formula_.variables(static_cast<size_t>(last) - first_step(arc) + 1);
        }
      }
      for (const NodeId v : net_.nodes()) {
        if (v == root_ || hops_[index(v)] > last) continue;
        for (int64_t t = hops_[index(v)]; t <= last; ++t) {
          if (t < last) add(std::array{-has_by(c, v, t), has_by(c, v, t + 1)});
          // Who has it now had it before, or is sent it.
          const int now = has_by(c, v, t);
          const int before = has_by(c, v, t - 1);
          clause_.clear();
          if (now != kTrue) clause_.push_back(-now);
          if (before != kFalse) clause_.push_back(before);
          for (const ArcId arc : into_[index(v)]) {
            if (const int sent = sent_at(c, arc, static_cast<uint32_t>(t)); sent != 0)
              clause_.push_back(sent);
          }
          formula_.add(clause_);
        }
        for (const ArcId arc : into_[index(v)]) {
          for (uint32_t s = first_step(arc); s <= last; ++s) {
            if (const int sent = sent_at(c, arc, s); sent != 0)
              add(std::array{-sent, has_by(c, net_.tail(arc), int64_t{s} - 1)});
          }
        }
      }
    }
  }

  // --- no channel is used twice ---------------------------------------------------------------------------

  // Of each cycle of arcs one is looked at; what uses it is what uses the arcs that become it.
  void share_channels() {
    std::vector<bool> done(net_.num_arcs(), false);
    for (const ArcId arc : net_.arcs()) {
      if (done[index(arc)] || net_.head(arc) == root_) continue;
      std::vector<ArcId> cycle;  // as long as the order: a shorter one several times
      for (ArcId at = arc; cycle.size() < symmetry_.order; at = symmetry_.image[index(at)]) {
        done[index(at)] = true;
        cycle.push_back(at);
      }
      share(cycle, net_.capacity(arc));
    }
  }
  void share(const std::vector<ArcId>& cycle, uint32_t capacity) {
    std::vector<int> trees;
    for (const auto& over : over_) {
      for (const ArcId arc : cycle) {
        if (over[index(arc)] != 0) trees.push_back(over[index(arc)]);
      }
    }
    no_more_than(trees, capacity);
    for (uint32_t s = 1; s <= question_.window_steps && question_.window > 0; ++s) {
      std::vector<int> uses;
      for (size_t c = 0; c < sent_.size(); ++c) {
        for (const ArcId arc : cycle) {
          if (const int sent = sent_at(c, arc, s); sent != 0) uses.push_back(sent);
        }
      }
      if (uses.empty()) continue;
      if (capacity > 1) {
        add_earlier_batches(cycle, s, uses);
        no_more_than(uses, capacity);
        continue;
      }
      no_more_than(uses, 1);
      for (size_t r = 0; r < over_.size(); ++r) {
        for (const ArcId arc : cycle) {
          if (over_[r][index(arc)] == 0) continue;
          for (const int use : uses)
            add(std::array{-over_[r][index(arc)], -use, at_most_deep(r, net_.head(arc), s)});
        }
      }
    }
  }
  // A tree's arc carries batches from before the window until the step of its depth.
  void add_earlier_batches(const std::vector<ArcId>& cycle, uint32_t s, std::vector<int>& uses) {
    for (size_t r = 0; r < over_.size(); ++r) {
      for (const ArcId arc : cycle) {
        const int over = over_[r][index(arc)];
        if (over == 0 || at_most_deep(r, net_.head(arc), s) == kTrue) continue;
        uses.push_back(formula_.variable());
        add(std::array{-over, at_most_deep(r, net_.head(arc), s), uses.back()});
      }
    }
  }
  void no_more_than(std::vector<int> literals, uint32_t capacity) {
    // One that stands there more often than there is room for can never hold.
    std::ranges::sort(literals);
    for (size_t i = 0; i < literals.size();) {
      const size_t end =
          static_cast<size_t>(std::ranges::upper_bound(literals, literals[i]) - literals.begin());
      if (end - i > capacity) formula_.add({-literals[i]});
      i = end;
    }
    if (literals.size() <= capacity) return;
    if (capacity == 1) {
      literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
      formula_.at_most_one(literals);
    } else {
      formula_.at_most(literals, capacity);
    }
  }

  const Topology& net_;
  NodeId root_;
  TreeStreamQuestion question_;
  const TreeSymmetry& symmetry_;
  std::vector<uint32_t> hops_;
  std::vector<std::vector<ArcId>> into_;
  Formula formula_;
  std::vector<int> clause_;
  std::vector<std::vector<int>> over_;
  std::vector<std::vector<int>> below_;
  std::vector<std::vector<int>> sent_;
  std::vector<std::vector<int>> there_;
};

bool can_be_answered(const Topology& topology, NodeId root, const TreeStreamQuestion& question,
                     const TreeSymmetry& symmetry) {
  if (question.trees % symmetry.order != 0 || question.pieces % symmetry.order != 0) return false;
  const std::vector<uint32_t> hops = distances_from(topology, root);
  for (const NodeId v : topology.endpoints()) {
    if (question.height > 0 && hops[index(v)] > question.height) return false;
    if (question.window > 0 && hops[index(v)] > question.window_steps) return false;
  }
  return question.window == 0 || question.height <= question.window_steps + 1;
}

}  // namespace

uint64_t formula_size(const Topology& topology, const TreeStreamQuestion& question,
                      const TreeSymmetry& symmetry) {
  const uint64_t arcs = topology.num_arcs();
  const uint64_t trees = question.trees / symmetry.order * arcs * (question.height + 1);
  const uint64_t window = uint64_t{question.pieces} / symmetry.order * arcs * question.window_steps;
  return (question.height > 0 ? trees : 0) + (question.window > 0 ? window : 0);
}

std::optional<TreeStreams> search_tree_streams(const Topology& topology, NodeId root,
                                               const TreeStreamQuestion& question,
                                               const TreeSymmetry& symmetry, uint32_t conflicts) {
  if (!can_be_answered(topology, root, question, symmetry)) return std::nullopt;
  const TreeStreamFormula formula(topology, root, question, symmetry);
  const SearchAnswer answer = solve(formula.formula(), {.conflicts = conflicts});
  if (!answer.satisfiable()) return std::nullopt;
  return formula.streams(answer);
}

}  // namespace quadrille
