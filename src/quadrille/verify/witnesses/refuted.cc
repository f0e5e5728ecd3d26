#include "quadrille/verify/witnesses/refuted.h"

#include <initializer_list>
#include <utility>

namespace quadrille {
namespace {

using Clause = std::vector<uint32_t>;

uint32_t negation(uint32_t literal) { return literal ^ 1U; }

// Clauses, and what follows from assumptions by unit propagation. A clause is looked at when all of its
// literals but one may have become false.
class Propagation {
 public:
  explicit Propagation(uint32_t variables) : value_(variables, Value::kOpen), clauses_of_(2 * variables) {}

  [[nodiscard]] size_t variables() const { return value_.size(); }

  void add(Clause clause) {
    for (const uint32_t literal : clause) clauses_of_[literal].push_back(clauses_.size());
    if (clause.size() <= 1) short_.push_back(clauses_.size());
    not_false_.push_back(clause.size());
    clauses_.push_back(std::move(clause));
  }

  // Assuming that all literals of the clause are false, is there a contradiction?
  bool follows(const Clause& clause) {
    bool contradiction = false;
    for (const uint32_t literal : clause) contradiction = contradiction || !make_true(negation(literal));
    for (size_t i = 0; i < short_.size() && !contradiction; ++i) contradiction = !look_at(short_[i]);
    for (size_t done = 0; done < trail_.size() && !contradiction; ++done)
      contradiction = !propagate(negation(trail_[done]));
    undo();
    return contradiction;
  }

 private:
  enum class Value : uint8_t { kOpen, kTrue, kFalse };

  [[nodiscard]] bool is_true(uint32_t literal) const {
    return value_[literal / 2] == (literal % 2 == 0 ? Value::kTrue : Value::kFalse);
  }
  // False where it is false already.
  bool make_true(uint32_t literal) {
    if (is_true(literal)) return true;
    if (value_[literal / 2] != Value::kOpen) return false;
    value_[literal / 2] = literal % 2 == 0 ? Value::kTrue : Value::kFalse;
    trail_.push_back(literal);
    return true;
  }
  // A literal has become false.
  bool propagate(uint32_t literal) {
    for (const size_t c : clauses_of_[literal]) {
      counted_.push_back(c);
      if (--not_false_[c] <= 1 && !look_at(c)) return false;
    }
    return true;
  }
  // True unless all its literals are false; the last open one becomes true.
  bool look_at(size_t c) {
    uint32_t open = 0;
    size_t number = 0;
    for (const uint32_t literal : clauses_[c]) {
      if (is_true(literal)) return true;
      if (value_[literal / 2] != Value::kOpen) continue;
      open = literal;
      ++number;
    }
    if (number == 1) return make_true(open);
    return number > 1;
  }
  void undo() {
    for (const uint32_t literal : trail_) value_[literal / 2] = Value::kOpen;
    for (const size_t c : counted_) ++not_false_[c];
    trail_.clear();
    counted_.clear();
  }

  std::vector<Value> value_;
  std::vector<Clause> clauses_;
  std::vector<std::vector<size_t>> clauses_of_;  // per literal
  std::vector<size_t> not_false_;                // per clause: literals that have not been seen to be false
  std::vector<size_t> short_;                    // clauses of one literal or none
  std::vector<uint32_t> trail_;                  // literals that are true, in order
  std::vector<size_t> counted_;
};

// "A broadcast in so many steps is possible."
void state(const Topology& topology, NodeId root, uint32_t steps, Propagation& formula) {
  const auto informed = [&](NodeId v, uint32_t t) {
    return 2 * ((steps + 1) * static_cast<uint32_t>(index(v)) + t);
  };
  const auto over = [&](ArcId arc) {
    return 2 * ((steps + 1) * topology.num_nodes() + static_cast<uint32_t>(index(arc)));
  };
  std::vector<std::vector<ArcId>> into(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const NodeId head = topology.head(arc);
    if (head == root) continue;
    into[index(head)].push_back(arc);
    for (uint32_t t = 1; t <= steps; ++t)
      formula.add({negation(over(arc)), negation(informed(head, t)), informed(topology.tail(arc), t - 1)});
  }
  for (const NodeId v : topology.nodes()) {
    formula.add({v == root ? informed(v, 0) : negation(informed(v, 0))});
    formula.add({informed(v, steps)});
    for (uint32_t t = 1; t <= steps; ++t) formula.add({negation(informed(v, t - 1)), informed(v, t)});
    if (v == root) continue;
    Clause some;
    for (const ArcId a : into[index(v)]) {
      some.push_back(over(a));
      for (const ArcId b : into[index(v)]) {
        if (a < b) formula.add({negation(over(a)), negation(over(b))});
      }
    }
    formula.add(some);
  }
  for (const NodeId u : topology.nodes()) {
    for (const ArcId a : topology.arcs_from(u)) {
      for (const ArcId b : topology.arcs_from(u)) {
        const NodeId v = topology.head(a);
        const NodeId w = topology.head(b);
        if (a >= b || v == root || w == root) continue;
        for (uint32_t t = 1; t <= steps; ++t) {
          formula.add({negation(over(a)), negation(over(b)), negation(informed(v, t)),
                       negation(informed(w, t)), informed(v, t - 1), informed(w, t - 1)});
        }
      }
    }
  }
}

}  // namespace

bool refutes_broadcast(const Topology& topology, NodeId root, const RefutationWitness& refutation) {
  // A formula that is too large to be looked at is refuted by nobody.
  constexpr uint64_t kMostClauses = 1U << 23U;
  const uint64_t times = uint64_t{refutation.steps} + 1;
  const uint64_t variables = times * topology.num_nodes() + topology.num_arcs();
  uint64_t clauses = times * (uint64_t{topology.num_nodes()} + topology.num_arcs());
  for (const NodeId v : topology.nodes()) clauses += times * topology.out_degree(v) * topology.out_degree(v);
  if (clauses > kMostClauses || variables > kMostClauses) return false;
  Propagation formula(static_cast<uint32_t>(variables));
  state(topology, root, refutation.steps, formula);
  for (const Clause& lemma : refutation.lemmas) {
    for (const uint32_t literal : lemma) {
      if (literal / 2 >= formula.variables()) return false;
    }
    if (!formula.follows(lemma)) return false;
    if (lemma.empty()) return true;
    formula.add(lemma);
  }
  return false;
}

}  // namespace quadrille
