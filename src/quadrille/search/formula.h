// Formula: what an exact search asks, as clauses.
//
// A variable is a number from 1 on, a literal is a variable or its negative, a clause is a set of literals of
// which one must be true, and a formula is a set of clauses that must all hold: the DIMACS convention, so
// that formulas and proofs can be read by any other program.
//
//     Formula formula;
//     const int rain = formula.variable();
//     const int umbrella = formula.variable();
//     formula.add({-rain, umbrella});            // if it rains, the umbrella is there
//     formula.at_most_one(std::vector{rain, umbrella});
//
// The order in which variables and clauses are made is all that a search depends on: the same calls give the
// same answer. The counting constraints add variables of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace quadrille {

class Formula {
 public:
  /// A new variable, as its positive literal.
  int variable() { return ++variables_; }
  /// That many new variables, consecutive; returns the first.
  int variables(size_t count);

  /// One of the literals must be true. No literal at all is a contradiction. Variables must have been made.
  void add(std::span<const int> clause);
  void add(std::initializer_list<int> clause) { add(std::span<const int>(clause.begin(), clause.size())); }

  /// Among the literals at most one is true: pair by pair up to six, a chain of helpers beyond.
  void at_most_one(std::span<const int> literals);
  void exactly_one(std::span<const int> literals);
  /// At most `limit` are true: a unary counter of literals.size() * limit helpers.
  void at_most(std::span<const int> literals, size_t limit);

  [[nodiscard]] int num_variables() const { return variables_; }
  [[nodiscard]] size_t num_clauses() const { return ends_.size(); }
  [[nodiscard]] std::span<const int> clause(size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span<const int>(literals_).subspan(begin, ends_[i] - begin);
  }
  /// The text that other solvers and checkers read: "p cnf 2 2\n-1 2 0\n...".
  [[nodiscard]] std::string to_dimacs() const;

 private:
  int variables_ = 0;
  std::vector<int> literals_;
  std::vector<size_t> ends_;
};

}  // namespace quadrille
