#include "quadrille/algorithms/partial_sums/sum_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "quadrille/algorithms/partial_sums/one_port_sums.h"
#include "quadrille/algorithms/partial_sums/sum_places.h"
#include "quadrille/base/check.h"
#include "quadrille/search/formula.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace {

constexpr int kTrue = INT32_MAX;
constexpr int kFalse = -INT32_MAX;

using Coming = SumPlaces::Coming;

class SumFormula {
 public:
  SumFormula(const Problem& problem, const FreeGroup& group, uint32_t steps)
      : problem_(problem),
        net_(problem.topology()),
        group_(group),
        places_(net_, group),
        steps_(steps),
        ranks_(net_.num_endpoints()) {}

  // There are at least so many clauses: hardly more, and known before any is made.
  [[nodiscard]] uint64_t fewest_clauses() const;

  void make() {
    make_variables();
    for (size_t p = 0; p < places_.size(); ++p) follow(places_.node(p));
    for (size_t w = 0; w < ways().size(); ++w) make_of_parts(w);
    limit_ports();
  }

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] SumPlan plan(const SearchAnswer& answer) const;

 private:
  void make_variables();
  void follow(NodeId u);
  void make_of_parts(size_t w);
  void limit_ports();

  template <size_t kSize>
  void add(const std::array<int, kSize>& literals) {
    clause_.clear();
    for (const int literal : literals) {
      if (literal == kTrue) return;
      if (literal != kFalse) clause_.push_back(literal);
    }
    formula_.add(clause_);
  }
  void add_collected() {
    std::erase(clause_, kFalse);
    if (std::find(clause_.begin(), clause_.end(), kTrue) == clause_.end()) formula_.add(clause_);
  }

  // The step from which on the rank may be in a message of the way.
  [[nodiscard]] uint32_t first_step(const SumPlaces::Way& way, size_t x) const {
    return endpoint(x) == way.to ? steps_ + 1 : std::min(steps_, places_.hops(x, way.from)) + 1;
  }

  [[nodiscard]] const std::vector<SumPlaces::Way>& ways() const { return places_.ways(); }
  [[nodiscard]] size_t place_of(NodeId v) const { return places_.place_of(v); }
  [[nodiscard]] NodeId endpoint(size_t x) const { return net_.endpoints()[x]; }
  // Whether x is in the message of the way in that step.
  [[nodiscard]] int says(size_t way, uint32_t step, size_t x) const {
    if (step < 1 || step > steps_) return kFalse;
    return says_[(way * steps_ + step - 1) * ranks_ + x];
  }
  [[nodiscard]] int says(const Coming& coming, uint32_t step, size_t x) const {
    return says(coming.way, step, places_.back(coming.element, x));
  }
  [[nodiscard]] int is_whole(size_t way, uint32_t step) const { return whole_[way * steps_ + step - 1]; }
  [[nodiscard]] int is_sent(size_t way, uint32_t step) const { return sent_[way * steps_ + step - 1]; }
  // Of a place: whether it has x, has been given the whole sum, has it in whatever way, after that many steps.
  [[nodiscard]] int has(size_t place, uint32_t after, size_t x) const {
    if (endpoint(x) == places_.node(place)) return kTrue;
    return after == 0 ? kFalse : has_[(place * steps_ + after - 1) * ranks_ + x];
  }
  [[nodiscard]] int was_given(size_t place, uint32_t after) const {
    return after == 0 ? kFalse : given_[place * steps_ + after - 1];
  }
  [[nodiscard]] int is_full(size_t place, uint32_t after) const {
    return after == 0 ? kFalse : full_[place * steps_ + after - 1];
  }

  const Problem& problem_;
  const Topology& net_;
  const FreeGroup& group_;
  SumPlaces places_;
  uint32_t steps_;
  size_t ranks_;
  Formula formula_;
  std::vector<int> clause_;

  std::vector<int> says_;
  std::vector<int> whole_;
  std::vector<int> sent_;
  std::vector<int> has_;
  std::vector<int> given_;
  std::vector<int> full_;
};

// Of what follow() and make_of_parts() make: for whatever rank may be in a message at a step four, less where it is the only one
// that tells the place of the rank, or the first step; of an earlier message and a later one of its receiver one, and one more if the
// rank may be in the later, too.
uint64_t SumFormula::fewest_clauses() const {
  uint64_t out = 0;
  std::vector<uint32_t> later(ranks_);
  for (const SumPlaces::Way& way : ways()) {
    for (size_t x = 0; x < ranks_; ++x) {
      later[x] = first_step(way, x);
      const uint64_t steps = steps_ + 1 - later[x];
      out += 4 * steps - std::min<uint64_t>(2, 2 * steps);
    }
    for (const Coming& coming : places_.into(place_of(way.from))) {
      for (size_t x = 0; x < ranks_; ++x) {
        const uint32_t first = first_step(ways()[coming.way], places_.back(coming.element, x));
        if (first >= steps_) continue;
        const uint64_t pairs = steps_ - first;
        out += pairs * (pairs + 1) / 2;
        for (uint32_t step = std::max(first + 1, later[x]); step <= steps_; ++step) out += step - first;
      }
    }
  }
  return out - std::min<uint64_t>(out, places_.size() * ranks_);
}

void SumFormula::make_variables() {
  says_.assign(ways().size() * steps_ * ranks_, kFalse);
  whole_.assign(ways().size() * steps_, kFalse);
  sent_.assign(ways().size() * steps_, kFalse);
  for (size_t w = 0; w < ways().size(); ++w) {
    for (uint32_t s = 1; s <= steps_; ++s) {
      if (s > 1) whole_[w * steps_ + s - 1] = formula_.variable();
      sent_[w * steps_ + s - 1] = formula_.variable();
      for (size_t x = 0; x < ranks_; ++x) {
        if (s >= first_step(ways()[w], x)) says_[(w * steps_ + s - 1) * ranks_ + x] = formula_.variable();
      }
    }
  }
  has_.assign(places_.size() * steps_ * ranks_, kFalse);
  given_.assign(places_.size() * steps_, kFalse);
  full_.assign(places_.size() * steps_, kFalse);
  for (size_t p = 0; p < places_.size(); ++p) {
    for (uint32_t s = 1; s <= steps_; ++s) {
      given_[p * steps_ + s - 1] = formula_.variable();
      full_[p * steps_ + s - 1] = formula_.variable();
      for (size_t x = 0; x < ranks_; ++x) {
        if (places_.hops(x, places_.node(p)) <= s)
          has_[(p * steps_ + s - 1) * ranks_ + x] = formula_.variable();
      }
    }
  }
}

// What a place has at what time; each rank once.
void SumFormula::follow(NodeId u) {
  const size_t p = place_of(u);
  std::vector<int> ways;
  for (size_t x = 0; x < ranks_; ++x) {
    if (endpoint(x) == u) continue;
    ways.clear();
    for (uint32_t s = 1; s <= steps_; ++s) {
      for (const Coming& coming : places_.into(p)) {
        const int said = says(coming, s, x);
        if (said == kFalse) continue;
        ways.push_back(said);
        add(std::array{-said, has(p, s, x)});
      }
      clause_ = ways;
      clause_.push_back(-has(p, s, x));
      add_collected();
    }
    formula_.at_most_one(ways);
  }
  std::vector<int> wholes;
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (const Coming& coming : places_.into(p)) {
      const int whole = is_whole(coming.way, s);
      if (whole == kFalse) continue;
      wholes.push_back(whole);
      add(std::array{-whole, was_given(p, s)});
      for (const Coming& other : places_.into(p))
        add(std::array{-is_sent(other.way, s), -whole, is_whole(other.way, s)});
    }
    clause_ = wholes;
    clause_.push_back(-was_given(p, s));
    add_collected();
    add(std::array{-was_given(p, s - 1), was_given(p, s)});
    add(std::array{-is_full(p, s - 1), is_full(p, s)});
    add(std::array{-was_given(p, s), is_full(p, s)});
    for (size_t x = 0; x < ranks_; ++x) add(std::array{-is_full(p, s), was_given(p, s), has(p, s, x)});
    for (const size_t w : places_.from(p)) {
      add(std::array{-is_whole(w, s), is_full(p, s - 1)});
      // Who was given the whole has no parts any more.
      add(std::array{-was_given(p, s - 1), -is_sent(w, s), is_whole(w, s)});
    }
    for (const Coming& coming : places_.into(p))
      add(std::array{-was_given(p, s - 1), -is_sent(coming.way, s)});
  }
  formula_.at_most_one(wholes);
  if (net_.rank(u)) formula_.add({is_full(p, steps_)});
}

// A message says what its sender has, and of every earlier message all or nothing.
void SumFormula::make_of_parts(size_t w) {
  const size_t p = place_of(ways()[w].from);
  for (uint32_t s = 1; s <= steps_; ++s) {
    add(std::array{-is_whole(w, s), is_sent(w, s)});
    for (size_t x = 0; x < ranks_; ++x) {
      const int said = says(w, s, x);
      if (said == kFalse) continue;
      add(std::array{-said, is_sent(w, s)});
      add(std::array{-said, -is_whole(w, s)});
      add(std::array{-said, has(p, s - 1, x)});
    }
    for (uint32_t before = 1; before < s; ++before) {
      for (const Coming& coming : places_.into(p)) {
        const int taken = formula_.variable();
        for (size_t x = 0; x < ranks_; ++x) {
          const int part = says(coming, before, x);
          if (part == kFalse) continue;
          const int said = says(w, s, x);
          add(std::array{-taken, -part, said});
          add(std::array{taken, -part, -said});
        }
      }
    }
  }
}

void SumFormula::limit_ports() {
  const Model& model = problem_.model();
  std::vector<int> used;
  for (size_t p = 0; p < places_.size(); ++p) {
    for (uint32_t s = 1; s <= steps_; ++s) {
      if (!model.send.unlimited() && model.send.count < places_.from(p).size()) {
        used.clear();
        for (const size_t w : places_.from(p)) used.push_back(is_sent(w, s));
        formula_.at_most(used, model.send.count);
      }
      if (!model.receive.unlimited() && model.receive.count < places_.into(p).size()) {
        used.clear();
        for (const Coming& coming : places_.into(p)) used.push_back(is_sent(coming.way, s));
        formula_.at_most(used, model.receive.count);
      }
    }
  }
}

SumPlan SumFormula::plan(const SearchAnswer& answer) const {
  const auto holds = [&answer](int literal) { return literal != kFalse && answer.value(literal); };
  SumPlan plan(steps_);
  std::vector<uint32_t> number(ways().size() * steps_ * group_.order(), UINT32_MAX);
  std::vector<uint32_t> parts;
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (size_t w = 0; w < ways().size(); ++w) {
      const auto says_it = [&](size_t x) { return holds(says(w, s, x)); };
      bool is_empty = true;
      for (size_t x = 0; x < ranks_; ++x) is_empty = is_empty && !says_it(x);
      if (is_empty && !holds(is_whole(w, s))) continue;
      const NodeId from = ways()[w].from;
      const size_t p = place_of(from);
      for (size_t h = 0; h < group_.order(); ++h) {
        parts.clear();
        if (!holds(is_whole(w, s))) {
          if (const std::optional<Rank> own = net_.rank(from); own && says_it(index(*own)))
            parts.push_back(SumPlan::kOwn);
          for (uint32_t before = 1; before < s; ++before) {
            for (const Coming& coming : places_.into(p)) {
              bool taken = false;
              for (size_t x = 0; x < ranks_ && !taken; ++x)
                taken = holds(says(coming, before, x)) && says_it(x);
              if (!taken) continue;
              // The message came from the image of the way under both elements.
              const NodeId start =
                  group_.images[h][index(group_.images[coming.element][index(ways()[coming.way].from)])];
              parts.push_back(
                  number[(coming.way * steps_ + before - 1) * group_.order() + places_.element_of(start)]);
            }
          }
        }
        const NodeId tail = group_.images[h][index(from)];
        const NodeId head = group_.images[h][index(ways()[w].to)];
        number[(w * steps_ + s - 1) * group_.order() + h] =
            plan.send(s, *net_.find_arc(tail, head), parts, holds(is_whole(w, s)));
      }
    }
  }
  return plan;
}

}  // namespace

namespace {

// Whether the formula is not too large to be made.
bool is_small(const Problem& problem, const FreeGroup& group, uint32_t steps) {
  constexpr uint64_t kMostParts = uint64_t{1} << 22U;
  const Topology& net = problem.topology();
  const uint64_t ways = net.num_arcs() / group.order();
  const uint64_t degree = net.num_arcs() / net.num_nodes() + 1;
  return ways * steps * (steps - 1) / 2 * degree * net.num_endpoints() <= kMostParts;
}

// What a conflict takes grows with the clauses.
uint64_t affordable_conflicts(const SumSearchBudget& budget, uint64_t clauses) {
  constexpr uint64_t kMostConflicts = 6'000;
  return std::min(kMostConflicts, std::min(budget.clauses, budget.at_once) / clauses);
}

// Whether so many clauses leave too little for a search; then none of as many steps is asked again for as little.
bool is_too_large(uint64_t clauses, uint32_t steps, const SumSearchBudget& budget,
                  SumSearchBudget::Known& known) {
  if (affordable_conflicts(budget, clauses) >= budget.fewest_conflicts) return false;
  known.large = steps;
  known.clauses = clauses;
  return true;
}

template <typename SumsFormula>
std::optional<SumPlan> solved(const SumsFormula& formula, SearchFocus focus, uint32_t steps,
                              SumSearchBudget& budget, SumSearchBudget::Known& known) {
  const uint64_t clauses = formula.formula().num_clauses() + 1;
  if (is_too_large(clauses, steps, budget, known)) return std::nullopt;
  const uint64_t conflicts = affordable_conflicts(budget, clauses);
  const SearchAnswer answer =
      solve(formula.formula(), {.conflicts = static_cast<uint32_t>(conflicts), .focus = focus});
  if (answer.satisfiable()) return formula.plan(answer);
  if (answer.unsatisfiable()) {
    known.refuted = steps;
  } else {
    budget.clauses -= conflicts * clauses;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SumPlan> search_sums(const Problem& problem, const FreeGroup& group, uint32_t steps,
                                   SumSearchBudget& budget) {
  if (!is_small(problem, group, steps)) return std::nullopt;
  SumSearchBudget::Known& known = budget.known[&group];
  if (steps <= known.refuted) return std::nullopt;
  if (steps >= known.large && affordable_conflicts(budget, known.clauses) < budget.fewest_conflicts)
    return std::nullopt;
  const Model& model = problem.model();
  const auto is_one = [](Ports ports) { return !ports.unlimited() && ports.count == 1; };
  // Of a large network the other one is solved sooner, as a rule.
  constexpr uint32_t kMostOfOnePort = 32;
  const bool has_one_port = is_one(model.send) && is_one(model.receive);
  if (has_one_port && problem.topology().num_nodes() <= kMostOfOnePort)
    return solved(OnePortSums(problem, group, steps), SearchFocus::kSteady, steps, budget, known);
  SumFormula formula(problem, group, steps);
  if (is_too_large(formula.fewest_clauses() + 1, steps, budget, known)) return std::nullopt;
  formula.make();
  QUADRILLE_CHECK(formula.formula().num_clauses() >= formula.fewest_clauses(), problem.title());
  return solved(formula, SearchFocus::kSolutions, steps, budget, known);
}

}  // namespace quadrille
