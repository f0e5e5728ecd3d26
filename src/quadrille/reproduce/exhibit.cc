#include "quadrille/reproduce/exhibit.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/claims/claims.h"

namespace quadrille {

namespace exhibit {
#define QUADRILLE_EXHIBIT(name) extern const Exhibit name;
#include "quadrille/reproduce/catalog.inc"
#undef QUADRILLE_EXHIBIT
}  // namespace exhibit

namespace {

constexpr std::array kCards = {
#define QUADRILLE_EXHIBIT(name) &exhibit::name,
#include "quadrille/reproduce/catalog.inc"
#undef QUADRILLE_EXHIBIT
};

// "figure9" and "Fig.9" are fig9.
std::string normal(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == '_' || c == ' ' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (const size_t at = out.find("figure"); at != std::string::npos) out.erase(at + 3, 3);
  return out;
}

std::string_view paper_of(const Exhibit& card) { return card.name.substr(0, card.name.find('.')); }

std::string all_names() {
  std::string out;
  std::string_view paper;
  for (const Exhibit* card : exhibits()) {
    if (paper_of(*card) != paper) {
      paper = paper_of(*card);
      out += fmt::format("\n  {}: ", paper);
    } else {
      out += ", ";
    }
    out += card->name;
  }
  return out;
}

}  // namespace

const Catalog<Exhibit>& exhibits() {
  static constexpr Catalog<Exhibit> kCatalog(kCards);
  return kCatalog;
}

std::vector<const Exhibit*> exhibits_named(std::string_view word) {
  const std::string wanted = normal(word);
  if (const Exhibit* card = exhibits().find(wanted)) return {card};
  std::vector<const Exhibit*> of_paper;
  std::vector<const Exhibit*> by_end;
  for (const Exhibit* card : exhibits()) {
    if (paper_of(*card) == wanted || card->paper == word) of_paper.push_back(card);
    if (card->name.substr(paper_of(*card).size() + 1) == wanted) by_end.push_back(card);
  }
  if (!of_paper.empty()) return of_paper;
  if (by_end.size() == 1) return by_end;
  if (!by_end.empty()) {
    std::vector<std::string_view> names;
    for (const Exhibit* card : by_end) names.push_back(card->name);
    throw InputError(fmt::format("'{}' is in several papers: {}", word, join(names)));
  }
  const std::string_view near = nearest_name(wanted, exhibits().names());
  throw InputError(fmt::format("no table or figure is called '{}'; {}there are{}", word,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), all_names()));
}

bool covers(const Exhibit& card, const PaperClaim& claim) {
  if (!claim.item.starts_with(card.item)) return false;
  const std::string_view rest = claim.item.substr(card.item.size());
  return rest.empty() || rest.starts_with("(") || rest.starts_with(", ") || rest.starts_with(" and ");
}

std::string verdict_on(const Exhibit& card) {
  std::vector<std::string> out;
  for (const Paper& paper : papers()) {
    if (paper.key != card.paper) continue;
    for (const PaperClaim& claim : paper.claims) {
      if (!covers(card, claim)) continue;
      const std::string_view part = claim.item.substr(card.item.size());
      out.push_back(fmt::format("{}{}{}{}", part.starts_with(", ") ? part.substr(2) : part,
                                part.empty() ? "" : " ", to_text(claim.verdict),
                                claim.note.empty() ? "" : fmt::format(": {}", claim.note)));
    }
  }
  return join(out, "\n");
}

}  // namespace quadrille
