#include "quadrille/reproduce/exhibit.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
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

// Figures that draw a network or a notion and state nothing that could be computed anew.
struct Drawing {
  std::string_view name;
  std::string_view what;
  std::string_view instead;
};
constexpr auto kDrawings = std::to_array<Drawing>({
    {"1996.fig1.1", "how processors are joined", "quadrille list topologies"},
    {"1996.fig1.2", "popular networks", "quadrille show \"hypercube(3)\""},
    {"1996.fig2.1", "trees", "quadrille show \"tree(2,2)\""},
    {"1996.fig2.2", "a product of two graphs", "quadrille show \"product(line(2),ring(3))\""},
    {"1996.fig2.3", "two paths", "quadrille show \"mesh(2,3)\" --paths 0 5"},
    {"1996.fig2.4", "lines and rings", "quadrille show \"ring(6)\""},
    {"1996.fig2.5", "an extended ring", "quadrille show \"extended_ring(14,2)\""},
    {"1996.fig2.6", "meshes and tori", "quadrille show \"torus(4,4)\""},
    {"1996.fig2.7", "hypercubes", "quadrille show \"hypercube(3)\""},
    {"1996.fig3.5", "a torus on the plane", "quadrille reproduce 1996.fig3.6"},
    {"1996.fig5.1", "a 4 x 3 torus", "quadrille show \"torus(4,3)\""},
    {"1996.fig5.4", "a 3 x 3 mesh", "quadrille reproduce 1996.table5.2"},
    {"1996.fig6.1", "a tree of 8 leaves", "quadrille show \"fat_tree(2^3)\""},
    {"1996.fig6.2", "a part of a fat tree", "quadrille show \"fat_tree(2^3;exponential)\""},
    {"1996.fig6.5", "the subtrees around a leaf", "quadrille reproduce 1996.table6.1"},
    {"1996.fig6.12", "a tree without its last levels", "quadrille explain fat_tree_leaf_times"},
    {"1998.fig1", "a network", "quadrille show \"product(line(2),ring(3))\""},
    {"1998.fig2", "a network", "quadrille show \"torus(4,3)\""},
    {"1998.fig5", "a network", "quadrille reproduce 1998.table2"},
    {"2000.fig6", "supernodes", "quadrille reproduce 2000.fig7"},
});

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
  for (const Drawing& drawing : kDrawings) {
    if (drawing.name != wanted && drawing.name.substr(drawing.name.find('.') + 1) != wanted) continue;
    throw InputError(fmt::format("{} draws {} and prints no value that could be computed anew; see {}",
                                 drawing.name, drawing.what, drawing.instead));
  }
  const std::string_view near = nearest_name(wanted, exhibits().names());
  const std::vector<std::string_view> names = exhibits().names();
  throw ValueError(fmt::format("no table or figure is called '{}'; {}there are{}", word,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), all_names()),
                   {.of = "exhibit", .given = std::string(word), .allowed = {names.begin(), names.end()}});
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
