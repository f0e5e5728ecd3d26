// Catalog: cards that can be looked up by name.
//
// Whatever can be listed and asked for by name (algorithms, bounds, rules, families of topologies, published
// costs, commands) introduces itself by a constant card with a `name`, in a file of its own that declares and
// defines it, and by a line in a catalog.inc that one source alone includes:
//
//     namespace bounds {
//     #define QUADRILLE_BOUND(name) extern const BoundCard name;
//     #include "quadrille/bounds/catalog.inc"
//     #undef QUADRILLE_BOUND
//     }
//     constexpr std::array kCards = {
//     #define QUADRILLE_BOUND(name) &bounds::name,
//     #include "quadrille/bounds/catalog.inc"
//     #undef QUADRILLE_BOUND
//     };
//     const Catalog<BoundCard>& bound_catalog() {
//       static constexpr Catalog<BoundCard> kCatalog(kCards);
//       return kCatalog;
//     }
//
// So a new line rebuilds that source, and nothing else sees the list. What else is in the file of a card lies in a
// namespace <name>_parts: the files of a folder may be compiled as one (cmake/groups.cmake).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace quadrille {

template <typename Card>
class Catalog {
 public:
  /// Of cards sorted by name, which must outlive the catalog.
  explicit constexpr Catalog(std::span<const Card* const> cards) : cards_(cards) {}

  [[nodiscard]] constexpr auto begin() const { return cards_.begin(); }
  [[nodiscard]] constexpr auto end() const { return cards_.end(); }
  [[nodiscard]] constexpr size_t size() const { return cards_.size(); }

  /// The card with that name, or with that alias where cards have aliases; null if there is none.
  [[nodiscard]] const Card* find(std::string_view name) const {
    for (const Card* card : cards_) {
      if (card->name == name) return card;
      if constexpr (requires { card->aliases; }) {
        if (std::find(card->aliases.begin(), card->aliases.end(), name) != card->aliases.end()) return card;
      }
    }
    return nullptr;
  }

  /// All names, sorted.
  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    out.reserve(cards_.size());
    for (const Card* card : cards_) out.push_back(card->name);
    return out;
  }

  /// All names and aliases: what find() knows.
  [[nodiscard]] std::vector<std::string_view> words() const {
    std::vector<std::string_view> out = names();
    if constexpr (requires(const Card& card) { card.aliases; }) {
      for (const Card* card : cards_) out.insert(out.end(), card->aliases.begin(), card->aliases.end());
    }
    return out;
  }

 private:
  std::span<const Card* const> cards_;
};

}  // namespace quadrille
