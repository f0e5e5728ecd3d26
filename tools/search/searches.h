// The searches behind data/: each takes the words after its name and makes an entry.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "quadrille/stored/stored_entry.h"

namespace quadrille::search_tool {

/// Nothing was found within the limits that were asked for; says which.
class NothingFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Made {
  std::string entry{};  ///< the whole text, ready to be stored
  std::string proof{};  ///< of a refutation: what its file holds
};

struct Search {
  std::string_view name{};
  std::string_view usage{};  ///< arguments and options, lines of the help
  const StoredKind& (*kind)() = nullptr;
  /// Throws InputError for words that it does not understand, NothingFound where there is nothing to store.
  Made (*make)(std::span<const std::string> words) = nullptr;
  /// What is wrong with `made` as another answer to the question that `stored` answers; "" if nothing is.
  std::string (*falls_short)(const StoredEntry& stored, const StoredEntry& made) = nullptr;
};

extern const Search broadcast_search;
extern const Search exchange_search;
extern const Search lattice_search;
extern const Search refutation_search;

}  // namespace quadrille::search_tool
