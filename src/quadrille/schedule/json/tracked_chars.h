// Characters of a text that tell how far a parser has read them, so that a mistake can be shown where it is.
#pragma once

#include <cstddef>
#include <iterator>

namespace quadrille::plan_json {

/// An iterator for nlohmann's parser: `reached` follows it.
class TrackedChars {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedChars(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  TrackedChars& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackedChars operator++(int) {
    const TrackedChars before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const TrackedChars& a, const TrackedChars& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

}  // namespace quadrille::plan_json
