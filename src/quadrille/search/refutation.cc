#include "quadrille/search/refutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// --- the binary form ------------------------------------------------------------------------------------

struct ProofLine {
  bool deletes = false;
  std::vector<int> literals{};
};

class ProofReader {
 public:
  explicit ProofReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] size_t offset() const { return at_; }

  // The next line; nothing when the bytes are no proof.
  [[nodiscard]] std::optional<ProofLine> next() {
    ProofLine line;
    const char kind = bytes_[at_++];
    if (kind != 'a' && kind != 'd') return std::nullopt;
    line.deletes = kind == 'd';
    while (true) {
      const std::optional<uint32_t> code = number();
      if (!code.has_value() || *code == 1) return std::nullopt;
      if (*code == 0) return line;
      const int variable = static_cast<int>(*code >> 1U);
      line.literals.push_back((*code & 1U) != 0 ? -variable : variable);
    }
  }

 private:
  std::optional<uint32_t> number() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 35 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) {
        if (value > UINT32_MAX) return std::nullopt;
        return static_cast<uint32_t>(value);
      }
    }
    return std::nullopt;
  }

  std::string_view bytes_;
  size_t at_ = 0;
};

void write_lemma(std::string& bytes, std::span<const int> literals) {
  bytes += 'a';
  for (const int literal : literals) {
    uint32_t code = literal > 0 ? 2U * static_cast<uint32_t>(literal)
                                : 2U * static_cast<uint32_t>(-static_cast<int64_t>(literal)) + 1U;
    for (; code >= 0x80U; code >>= 7U) bytes += static_cast<char>(code | 0x80U);
    bytes += static_cast<char>(code);
  }
  bytes += '\0';
}

// --- unit propagation -----------------------------------------------------------------------------------

using ClauseId = uint32_t;
constexpr ClauseId kNoClause = UINT32_MAX;

// The clauses that stand, and what follows from them by unit propagation. Each clause of two literals or more
// is watched at its first two, which are never both false unless the propagation has ended in a conflict.
class Propagator {
 public:
  explicit Propagator(int variables)
      : values_(literals_of(variables)),
        reason_(static_cast<size_t>(variables) + 1, kNoClause),
        watches_(literals_of(variables)) {}

  [[nodiscard]] size_t num_clauses() const { return begin_.size(); }
  [[nodiscard]] std::span<const int> clause(ClauseId id) const {
    return std::span<const int>(literals_).subspan(begin_[id], size_[id]);
  }
  [[nodiscard]] ClauseId reason(int literal) const { return reason_[static_cast<size_t>(std::abs(literal))]; }
  [[nodiscard]] bool is_true(int literal) const { return values_[slot(literal)] > 0; }
  [[nodiscard]] bool is_false(int literal) const { return values_[slot(literal)] < 0; }
  [[nodiscard]] size_t mark() const { return trail_.size(); }

  // Adds a clause under the values that stand; what it implies is propagated. Returns the clause in which all
  // literals are false, if that comes out.
  ClauseId add(std::vector<int> literals) {
    const auto id = static_cast<ClauseId>(begin_.size());
    // Those that are not false come first, to be watched.
    std::stable_partition(literals.begin(), literals.end(), [this](int l) { return !is_false(l); });
    begin_.push_back(literals_.size());
    size_.push_back(static_cast<uint32_t>(literals.size()));
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    if (literals.size() >= 2) {
      watches_[slot(literals[0])].push_back(id);
      watches_[slot(literals[1])].push_back(id);
    }
    if (literals.empty() || is_false(literals[0])) return id;
    if ((literals.size() == 1 || is_false(literals[1])) && !is_true(literals[0])) {
      assign(literals[0], id);
      return propagate();
    }
    return kNoClause;
  }

  // It propagates no more; what it says can still be read. Unless a value rests on it: keeping a clause that
  // follows is never wrong. (Returns whether it is gone.)
  bool remove(ClauseId id) {
    if (size_[id] < 2 || reason(literals_[begin_[id]]) == id || reason(literals_[begin_[id] + 1]) == id)
      return false;
    for (size_t w = 0; w < 2; ++w) {
      std::vector<ClauseId>& watch = watches_[slot(literals_[begin_[id] + w])];
      watch.erase(std::find(watch.begin(), watch.end(), id));
    }
    return true;
  }

  // A clause that was removed stands again, under the values that it stood under, or fewer: nothing new follows.
  void restore(ClauseId id) {
    int* const c = &literals_[begin_[id]];
    std::stable_partition(c, c + size_[id], [this](int l) { return !is_false(l); });
    // Of literals that are false the last one is free again first.
    if (is_false(c[1])) {
      size_t latest = 1;
      for (size_t at = trail_.size(); at-- > 0;) {
        const int* const found = std::find(c + 1, c + size_[id], -trail_[at]);
        if (found == c + size_[id]) continue;
        latest = static_cast<size_t>(found - c);
        break;
      }
      std::swap(c[1], c[latest]);
    }
    for (size_t w = 0; w < 2; ++w) watches_[slot(c[w])].push_back(id);
  }

  void assume(int literal) { assign(literal, kNoClause); }

  ClauseId propagate() {
    while (next_ < trail_.size()) {
      const ClauseId conflict = visit(-trail_[next_++]);
      if (conflict != kNoClause) return conflict;
    }
    return kNoClause;
  }

  void undo(size_t mark) {
    while (trail_.size() > mark) {
      values_[slot(trail_.back())] = values_[slot(-trail_.back())] = 0;
      reason_[static_cast<size_t>(std::abs(trail_.back()))] = kNoClause;
      trail_.pop_back();
    }
    next_ = mark;
  }

 private:
  static size_t literals_of(int variables) { return 2 * (static_cast<size_t>(variables) + 1); }
  static size_t slot(int literal) {
    return 2 * static_cast<size_t>(std::abs(literal)) + static_cast<size_t>(literal < 0);
  }

  void assign(int literal, ClauseId reason) {
    values_[slot(literal)] = 1;
    values_[slot(-literal)] = -1;
    reason_[static_cast<size_t>(std::abs(literal))] = reason;
    trail_.push_back(literal);
  }

  // Looks at the clauses that watch a literal which has become false.
  ClauseId visit(int falsified) {
    std::vector<ClauseId>& watch = watches_[slot(falsified)];
    size_t kept = 0;
    ClauseId conflict = kNoClause;
    for (size_t i = 0; i < watch.size(); ++i) {
      const ClauseId id = watch[i];
      if (conflict != kNoClause || !moves_on(id, falsified)) {
        watch[kept++] = id;
        if (conflict != kNoClause) continue;
        const int first = literals_[begin_[id]];
        if (is_false(first))
          conflict = id;
        else if (!is_true(first))
          assign(first, id);
      }
    }
    watch.resize(kept);
    return conflict;
  }

  // Puts the false literal second, and watches another literal instead if there is one that is not false.
  bool moves_on(ClauseId id, int falsified) {
    int* const c = &literals_[begin_[id]];
    if (c[0] == falsified) std::swap(c[0], c[1]);
    if (is_true(c[0])) return false;
    for (uint32_t k = 2; k < size_[id]; ++k) {
      if (is_false(c[k])) continue;
      std::swap(c[1], c[k]);
      watches_[slot(c[1])].push_back(id);
      return true;
    }
    return false;
  }

  std::vector<int> literals_;
  std::vector<size_t> begin_;
  std::vector<uint32_t> size_;
  std::vector<signed char> values_;  // by literal: 1 true, -1 false
  std::vector<ClauseId> reason_;     // by variable: the clause that forced it
  std::vector<std::vector<ClauseId>> watches_;
  std::vector<int> trail_;
  size_t next_ = 0;
};

// --- the check ------------------------------------------------------------------------------------------

// Sorted, each literal once: how clauses are compared. Nothing for a clause that is always true.
std::optional<std::vector<int>> normal_form(std::span<const int> clause) {
  std::vector<int> literals(clause.begin(), clause.end());
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  for (const int literal : literals) {
    if (literal > 0 && std::binary_search(literals.begin(), literals.end(), -literal)) return std::nullopt;
  }
  return literals;
}

uint64_t hash_of(std::span<const int> sorted) {
  uint64_t hash = sorted.size();
  for (const int literal : sorted) {
    hash = (hash ^ static_cast<uint64_t>(static_cast<int64_t>(literal))) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

class Checker {
 public:
  // Whether every lemma is checked, or only those that the contradiction rests on.
  enum class Checked : uint8_t { kAll, kNeeded };

  Checker(const Formula& formula, std::string_view drat, Checked checked)
      : checked_(checked),
        variables_(formula.num_variables()),
        reader_(drat),
        state_(formula.num_variables()) {
    for (size_t i = 0; i < formula.num_clauses() && conflict_ == kNoClause; ++i) {
      const std::optional<std::vector<int>> clause = normal_form(formula.clause(i));
      if (clause.has_value()) insert(*clause);
    }
    given_ = state_.num_clauses();
  }

  RefutationCheck run() {
    while (conflict_ == kNoClause && result_.why.empty()) {
      if (reader_.at_end()) {
        result_.why = fmt::format("no contradiction after {} lemmas", result_.lemmas);
      } else {
        read_line();
      }
    }
    if (conflict_ == kNoClause) return std::move(result_);
    if (checked_ == Checked::kNeeded) {
      result_.refutes = go_back();
      return std::move(result_);
    }
    result_.refutes = true;
    used_by_.push_back(antecedents(conflict_, {}));
    trim();
    return std::move(result_);
  }

 private:
  void read_line() {
    const size_t at = reader_.offset();
    const std::optional<ProofLine> line = reader_.next();
    if (!line.has_value()) {
      result_.why = fmt::format("byte {} starts no line of a binary DRAT proof", at);
      return;
    }
    for (const int literal : line->literals) {
      if (std::abs(literal) > variables_) {
        result_.why =
            fmt::format("literal {} after byte {}: the formula has {} variables", literal, at, variables_);
        return;
      }
    }
    const std::optional<std::vector<int>> clause = normal_form(line->literals);
    if (!clause.has_value()) return;  // always true: neither helps nor harms
    if (line->deletes) {
      forget(*clause);
    } else {
      learn(*clause);
    }
  }

  void learn(const std::vector<int>& lemma) {
    ++result_.lemmas;
    if (checked_ == Checked::kNeeded) {
      past_.push_back({false, static_cast<ClauseId>(state_.num_clauses()), state_.mark()});
      return insert(lemma);
    }
    std::optional<std::vector<ClauseId>> used = what_proves(lemma);
    if (!used) {
      result_.why = fmt::format("lemma {} does not follow by unit propagation", result_.lemmas);
      return;
    }
    used_by_.push_back(*std::move(used));
    insert(lemma);
  }

  // The clauses that it follows from by unit propagation; nothing if it does not.
  std::optional<std::vector<ClauseId>> what_proves(std::span<const int> lemma) {
    const size_t mark = state_.mark();
    ClauseId conflict = kNoClause;
    std::vector<int> satisfied;
    for (const int literal : lemma) {
      if (state_.is_true(literal)) {
        satisfied.push_back(literal);  // it follows from what forced this literal
        break;
      }
      if (!state_.is_false(literal)) state_.assume(-literal);
    }
    if (satisfied.empty()) conflict = state_.propagate();
    if (satisfied.empty() && conflict == kNoClause) return std::nullopt;
    std::vector<ClauseId> used = antecedents(conflict, satisfied);
    state_.undo(mark);
    return used;
  }

  // Backwards through the proof, each lemma that is needed with what stood before it alone.
  bool go_back() {
    std::vector<bool> needed(state_.num_clauses(), false);
    for (const ClauseId id : antecedents(conflict_, {})) needed[id] = true;
    uint64_t lemma = result_.lemmas;
    for (; !past_.empty(); past_.pop_back()) {
      const Event& event = past_.back();
      if (event.removes) {
        state_.restore(event.id);
        continue;
      }
      state_.undo(event.mark);
      state_.remove(event.id);
      if (needed[event.id]) {
        const std::optional<std::vector<ClauseId>> used = what_proves(lemma_literals(event.id));
        if (!used) {
          result_.why = fmt::format("lemma {} does not follow by unit propagation", lemma);
          return false;
        }
        for (const ClauseId id : *used) needed[id] = true;
      }
      --lemma;
    }
    return true;
  }

  void insert(const std::vector<int>& clause) {
    by_hash_.emplace(hash_of(clause), static_cast<ClauseId>(state_.num_clauses()));
    conflict_ = state_.add(clause);
  }

  void forget(const std::vector<int>& clause) {
    auto [at, end] = by_hash_.equal_range(hash_of(clause));
    for (; at != end; ++at) {
      const std::span<const int> candidate = state_.clause(at->second);
      if (!std::is_permutation(candidate.begin(), candidate.end(), clause.begin(), clause.end())) continue;
      if (state_.remove(at->second) && checked_ == Checked::kNeeded) past_.push_back({true, at->second, 0});
      by_hash_.erase(at);
      return;
    }
  }

  // The clauses that a propagation used: those that forced the literals of the conflict, and so on.
  std::vector<ClauseId> antecedents(ClauseId conflict, const std::vector<int>& literals) {
    std::vector<ClauseId> used;
    std::vector<int> open = literals;
    const auto use = [&](ClauseId id) {
      used.push_back(id);
      const std::span<const int> clause = state_.clause(id);
      open.insert(open.end(), clause.begin(), clause.end());
    };
    seen_.resize(static_cast<size_t>(variables_) + 1, 0);
    if (conflict != kNoClause) use(conflict);
    ++visit_;
    while (!open.empty()) {
      const int literal = open.back();
      open.pop_back();
      uint64_t& seen = seen_[static_cast<size_t>(std::abs(literal))];
      if (seen == visit_) continue;
      seen = visit_;
      if (state_.reason(literal) != kNoClause) use(state_.reason(literal));
    }
    return used;
  }

  // Backwards from the contradiction: what it used, what that used, ...
  void trim() {
    std::vector<bool> needed(state_.num_clauses(), false);
    for (const ClauseId id : used_by_.back()) needed[id] = true;
    for (size_t i = state_.num_clauses(); i-- > given_;) {
      if (!needed[i]) continue;
      for (const ClauseId id : used_by_[i - given_]) needed[id] = true;
    }
    for (size_t i = 0; i < state_.num_clauses(); ++i) {
      if (!needed[i]) continue;
      if (i < given_) {
        ++result_.core;
      } else if (!state_.clause(static_cast<ClauseId>(i)).empty()) {
        write_lemma(result_.trimmed, lemma_literals(i));
      }
    }
    write_lemma(result_.trimmed, {});
  }

  std::vector<int> lemma_literals(size_t id) const {
    const std::span<const int> clause = state_.clause(static_cast<ClauseId>(id));
    std::vector<int> literals(clause.begin(), clause.end());
    std::sort(literals.begin(), literals.end());
    return literals;
  }

  // What became of the clauses, as it was read.
  struct Event {
    bool removes;
    ClauseId id;
    size_t mark;  // values that stood before a lemma
  };

  Checked checked_;
  int variables_;
  ProofReader reader_;
  Propagator state_;
  size_t given_ = 0;
  ClauseId conflict_ = kNoClause;
  std::unordered_multimap<uint64_t, ClauseId> by_hash_;  // looked up, never walked
  std::vector<std::vector<ClauseId>> used_by_;           // per lemma, and last the contradiction
  std::vector<Event> past_;
  std::vector<uint64_t> seen_;
  uint64_t visit_ = 0;
  RefutationCheck result_;
};

}  // namespace

RefutationCheck check_refutation(const Formula& formula, std::string_view drat) {
  return Checker(formula, drat, Checker::Checked::kAll).run();
}

RefutationCheck check_what_is_needed(const Formula& formula, std::string_view drat) {
  return Checker(formula, drat, Checker::Checked::kNeeded).run();
}

std::string trimmed(const Formula& formula, std::string_view drat, int rounds) {
  std::string best(drat);
  for (int round = 0; round < rounds; ++round) {
    RefutationCheck check = check_refutation(formula, best);
    QUADRILLE_CHECK(check.refutes, check.why);
    if (check.trimmed.size() >= best.size()) break;
    best = std::move(check.trimmed);
  }
  return best;
}

}  // namespace quadrille
