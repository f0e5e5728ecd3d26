// Interruption: Ctrl-C ends a search, and not the program, as long as there is a search to end.
//
//     const StopsSearches at_interrupt;            // until the end of the scope
//     const Decision decision = decide(problem);   // with the best plan so far, where somebody lost patience
//     if (at_interrupt.happened()) ...
//
// The second Ctrl-C ends the program as ever. Who ignores or handles the signal already is left alone.
#pragma once

namespace quadrille {

class StopsSearches {
 public:
  StopsSearches();
  /// `said`, a literal, is what the first Ctrl-C is answered.
  explicit StopsSearches(const char* said);
  ~StopsSearches();
  StopsSearches(const StopsSearches&) = delete;
  StopsSearches& operator=(const StopsSearches&) = delete;

  [[nodiscard]] bool happened() const;

 private:
  bool installed_ = false;
};

}  // namespace quadrille
