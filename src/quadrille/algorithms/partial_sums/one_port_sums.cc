#include "quadrille/algorithms/partial_sums/one_port_sums.h"

#include <algorithm>
#include <optional>

namespace quadrille {
OnePortSums::OnePortSums(const Problem& problem, const FreeGroup& group, uint32_t steps)
    : net_(problem.topology()),
      group_(group),
      places_(net_, group),
      steps_(steps),
      ranks_(net_.num_endpoints()) {
  make_variables();
  for (size_t p = 0; p < places_.size(); ++p) {
    exchange(p);
    take_in(p);
    say_parts(p);
    pass_wholes(p);
  }
}

void OnePortSums::add(std::initializer_list<int> literals) {
  clause_.assign(literals);
  add_collected();
}

void OnePortSums::add_collected() {
  std::erase(clause_, kFalse);
  if (std::find(clause_.begin(), clause_.end(), kTrue) == clause_.end()) formula_.add(clause_);
}

int OnePortSums::has(size_t place, uint32_t after, size_t x) const {
  if (is_own(place, x)) return kTrue;
  return after == 0 ? kFalse : has_[at(place, after, x)];
}

int OnePortSums::was_given(size_t place, uint32_t after) const {
  return after == 0 ? kFalse : given_[at(place, after)];
}

int OnePortSums::is_full(size_t place, uint32_t after) const {
  return after == 0 ? kFalse : full_[at(place, after)];
}

void OnePortSums::make_variables() {
  goes_.resize(places_.ways().size() * steps_);
  for (int& variable : goes_) variable = formula_.variable();
  const size_t moments = places_.size() * steps_;
  says_.assign(moments * ranks_, kFalse);
  arrives_ = has_ = says_;
  whole_.assign(moments, kFalse);
  gets_ = given_ = full_ = whole_;
  for (size_t p = 0; p < places_.size(); ++p) {
    for (uint32_t s = 1; s <= steps_; ++s) {
      full_[at(p, s)] = formula_.variable();
      if (s > 1) {
        whole_[at(p, s)] = formula_.variable();
        gets_[at(p, s)] = formula_.variable();
        given_[at(p, s)] = formula_.variable();
      }
      for (size_t x = 0; x < ranks_; ++x) {
        const uint32_t hops = places_.hops(x, places_.node(p));
        if (hops < s) says_[at(p, s, x)] = formula_.variable();
        if (hops == 0 || hops > s) continue;
        arrives_[at(p, s, x)] = formula_.variable();
        has_[at(p, s, x)] = formula_.variable();
      }
    }
  }
}

// What comes in a step is what one neighbour says; who says something says it to one.
void OnePortSums::exchange(size_t place) {
  std::vector<int> used;
  for (uint32_t s = 1; s <= steps_; ++s) {
    used.clear();
    for (const size_t w : places_.from(place)) used.push_back(goes(w, s));
    formula_.at_most_one(used);
    used.clear();
    for (const SumPlaces::Coming& coming : places_.into(place)) used.push_back(goes(coming.way, s));
    formula_.at_most_one(used);
    for (size_t x = 0; x < ranks_; ++x) {
      const int arrives = arrives_[at(place, s, x)];
      for (const SumPlaces::Coming& coming : places_.into(place)) {
        const int said = is_said(coming, s, x);
        if (said != kFalse) add({-goes(coming.way, s), -said, arrives});
        if (arrives != kFalse) add({-goes(coming.way, s), -arrives, said});
      }
      if (arrives == kFalse) continue;
      clause_ = used;
      clause_.push_back(-arrives);
      add_collected();
    }
  }
}

// Each rank once.
void OnePortSums::take_in(size_t place) {
  for (size_t x = 0; x < ranks_; ++x) {
    if (is_own(place, x)) continue;
    for (uint32_t s = 1; s <= steps_; ++s) {
      const int arrives = arrives_[at(place, s, x)];
      if (arrives == kFalse) continue;
      const int before = has(place, s - 1, x);
      const int after = has(place, s, x);
      add({-arrives, after});
      add({-before, after});
      add({-after, before, arrives});
      add({-before, -arrives});
    }
  }
}

// A message says what its sender has, and of every earlier message all or nothing.
void OnePortSums::say_parts(size_t place) {
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (size_t x = 0; x < ranks_; ++x) {
      const int said = says_[at(place, s, x)];
      if (said != kFalse && !is_own(place, x)) add({-said, has(place, s - 1, x)});
    }
    for (uint32_t before = 1; before < s; ++before) {
      const int taken = formula_.variable();
      for (size_t x = 0; x < ranks_; ++x) {
        const int part = arrives_[at(place, before, x)];
        if (part == kFalse) continue;
        const int said = says_[at(place, s, x)];
        add({-taken, -part, said});
        add({taken, -part, -said});
      }
    }
  }
}

// Who has all may send the whole sum, and who was given that has no parts any more.
void OnePortSums::pass_wholes(size_t place) {
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (size_t x = 0; x < ranks_; ++x) add({-is_full(place, s), was_given(place, s), has(place, s, x)});
    if (s == 1) continue;
    const int whole = whole_[at(place, s)];
    const int gets = gets_[at(place, s)];
    const int given = was_given(place, s);
    add({-whole, is_full(place, s - 1)});
    for (size_t x = 0; x < ranks_; ++x) {
      if (says_[at(place, s, x)] != kFalse) add({-whole, -says_[at(place, s, x)]});
    }
    clause_.assign(1, -gets);
    for (const SumPlaces::Coming& coming : places_.into(place)) {
      const int goes_there = goes(coming.way, s);
      clause_.push_back(goes_there);
    }
    add_collected();
    for (const SumPlaces::Coming& coming : places_.into(place)) {
      const int goes_there = goes(coming.way, s);
      const int sent = whole_[at(sender(coming), s)];
      add({-goes_there, -sent, gets});
      add({-goes_there, -gets, sent});
      add({-was_given(place, s - 1), -goes_there});
    }
    add({-gets, given});
    add({-was_given(place, s - 1), given});
    add({-given, was_given(place, s - 1), gets});
    add({-is_full(place, s - 1), is_full(place, s)});
    add({-given, is_full(place, s)});
    for (const size_t w : places_.from(place)) add({-was_given(place, s - 1), -goes(w, s), whole});
  }
  if (net_.rank(places_.node(place))) formula_.add({is_full(place, steps_)});
}

SumPlan OnePortSums::plan(const SearchAnswer& answer) const {
  const auto holds = [&answer](int literal) { return literal != kFalse && answer.value(literal); };
  SumPlan plan(steps_);
  std::vector<uint32_t> number(places_.ways().size() * steps_ * group_.order(), UINT32_MAX);
  std::vector<uint32_t> parts;
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (size_t w = 0; w < places_.ways().size(); ++w) {
      const SumPlaces::Way& way = places_.ways()[w];
      const size_t p = places_.place_of(way.from);
      const bool is_whole = holds(whole_[at(p, s)]);
      const auto says = [&](size_t x) { return holds(says_[at(p, s, x)]); };
      bool is_empty = true;
      for (size_t x = 0; x < ranks_; ++x) is_empty = is_empty && !says(x);
      if (!holds(goes(w, s)) || (is_empty && !is_whole)) continue;
      for (size_t h = 0; h < group_.order(); ++h) {
        parts.clear();
        if (const std::optional<Rank> own = net_.rank(way.from); !is_whole && own && says(index(*own)))
          parts.push_back(SumPlan::kOwn);
        for (uint32_t before = 1; before < s && !is_whole; ++before) {
          bool is_taken = false;
          for (size_t x = 0; x < ranks_; ++x)
            is_taken = is_taken || (holds(arrives_[at(p, before, x)]) && says(x));
          if (!is_taken) continue;
          for (const SumPlaces::Coming& coming : places_.into(p)) {
            if (!holds(goes(coming.way, before))) continue;
            // The message came from the image of the way under both elements.
            const NodeId start =
                group_
                    .images[h][index(group_.images[coming.element][index(places_.ways()[coming.way].from)])];
            parts.push_back(
                number[(coming.way * steps_ + before - 1) * group_.order() + places_.element_of(start)]);
          }
        }
        const NodeId tail = group_.images[h][index(way.from)];
        const NodeId head = group_.images[h][index(way.to)];
        number[(w * steps_ + s - 1) * group_.order() + h] =
            plan.send(s, *net_.find_arc(tail, head), parts, is_whole);
      }
    }
  }
  return plan;
}

}  // namespace quadrille
