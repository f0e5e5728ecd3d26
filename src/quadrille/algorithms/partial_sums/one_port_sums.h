// One-port sums: the formula of an allreduce of one block (sum_search.h) where nobody sends, or hears, more than one message in
// a step.
//
// Then a node has one message in a step, whoever gets it, and one part comes to it: what is said is a matter of nodes, and not
// of arcs, and the formula a third as large as for more ports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "quadrille/algorithms/partial_sums/sum_places.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/search/formula.h"
#include "quadrille/search/solve.h"

namespace quadrille {

class OnePortSums {
 public:
  OnePortSums(const Problem& problem, const FreeGroup& group, uint32_t steps);

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] SumPlan plan(const SearchAnswer& answer) const;

 private:
  static constexpr int kTrue = INT32_MAX;
  static constexpr int kFalse = -INT32_MAX;

  void make_variables();
  void exchange(size_t place);
  void take_in(size_t place);
  void say_parts(size_t place);
  void pass_wholes(size_t place);

  void add(std::initializer_list<int> literals);
  void add_collected();

  [[nodiscard]] size_t at(size_t place, uint32_t step) const { return place * steps_ + step - 1; }
  [[nodiscard]] size_t at(size_t place, uint32_t step, size_t x) const {
    return at(place, step) * ranks_ + x;
  }
  [[nodiscard]] bool is_own(size_t place, size_t x) const {
    return net_.endpoints()[x] == places_.node(place);
  }
  // Whether a way is taken.
  [[nodiscard]] int goes(size_t way, uint32_t step) const { return goes_[way * steps_ + step - 1]; }
  // Of who sends it: whether its rank that becomes x is in the message.
  [[nodiscard]] int is_said(const SumPlaces::Coming& coming, uint32_t step, size_t x) const {
    return says_[at(sender(coming), step, places_.back(coming.element, x))];
  }
  [[nodiscard]] size_t sender(const SumPlaces::Coming& coming) const {
    return places_.place_of(places_.ways()[coming.way].from);
  }
  // Of a place: what it has, what it was given, whether it has all, after so many steps.
  [[nodiscard]] int has(size_t place, uint32_t after, size_t x) const;
  [[nodiscard]] int was_given(size_t place, uint32_t after) const;
  [[nodiscard]] int is_full(size_t place, uint32_t after) const;

  const Topology& net_;
  const FreeGroup& group_;
  SumPlaces places_;
  uint32_t steps_;
  size_t ranks_;
  Formula formula_;
  std::vector<int> clause_;

  std::vector<int> goes_;     // per way and step
  std::vector<int> says_;     // per place, step and rank
  std::vector<int> arrives_;  // per place, step and rank
  std::vector<int> has_;      // per place, step and rank
  std::vector<int> whole_;    // per place and step: what it sends is the whole sum
  std::vector<int> gets_;     // per place and step: what it hears is the whole sum
  std::vector<int> given_;    // per place and step: it has heard the whole sum
  std::vector<int> full_;     // per place and step
};

}  // namespace quadrille
