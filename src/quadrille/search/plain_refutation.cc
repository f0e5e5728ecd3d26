#include "quadrille/search/plain_refutation.h"

#include <string>
#include <string_view>

#include "quadrille/search/formula.h"
#include "quadrille/search/refutation.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace {

// Variables count from 1 in formulas, and from 0 in witnesses.
Formula formula_of(const Topology& topology, NodeId root, uint32_t steps) {
  Formula formula;
  const int first = formula.variables((size_t{steps} + 1) * topology.num_nodes() + topology.num_arcs());
  const auto informed = [&](NodeId v, uint32_t t) {
    return first + static_cast<int>((steps + 1) * index(v) + t);
  };
  const auto over = [&](ArcId arc) {
    return first + static_cast<int>((steps + 1) * size_t{topology.num_nodes()} + index(arc));
  };
  std::vector<std::vector<int>> into(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    if (topology.head(arc) == root) continue;
    into[index(topology.head(arc))].push_back(over(arc));
    for (uint32_t t = 1; t <= steps; ++t)
      formula.add({-over(arc), -informed(topology.head(arc), t), informed(topology.tail(arc), t - 1)});
  }
  for (const NodeId v : topology.nodes()) {
    formula.add({v == root ? informed(v, 0) : -informed(v, 0)});
    formula.add({informed(v, steps)});
    for (uint32_t t = 1; t <= steps; ++t) formula.add({-informed(v, t - 1), informed(v, t)});
    if (v != root) formula.add(into[index(v)]);
    for (size_t i = 0; i < into[index(v)].size(); ++i) {
      for (size_t j = i + 1; j < into[index(v)].size(); ++j)
        formula.add({-into[index(v)][i], -into[index(v)][j]});
    }
    for (const ArcId a : topology.arcs_from(v)) {
      for (const ArcId b : topology.arcs_from(v)) {
        const NodeId x = topology.head(a);
        const NodeId y = topology.head(b);
        if (a >= b || x == root || y == root) continue;
        for (uint32_t t = 1; t <= steps; ++t) {
          formula.add(
              {-over(a), -over(b), -informed(x, t), -informed(y, t), informed(x, t - 1), informed(y, t - 1)});
        }
      }
    }
  }
  return formula;
}

// The lemmas that a binary proof adds.
std::vector<std::vector<uint32_t>> lemmas_of(std::string_view drat) {
  std::vector<std::vector<uint32_t>> out;
  for (size_t i = 0; i < drat.size();) {
    const bool adds = drat[i++] == 'a';
    std::vector<uint32_t> lemma;
    while (i < drat.size()) {
      uint64_t number = 0;
      for (unsigned shift = 0; i < drat.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(drat[i++]);
        number |= uint64_t{byte & 0x7fU} << shift;
        if ((byte & 0x80U) == 0) break;
      }
      if (number == 0) break;
      lemma.push_back(static_cast<uint32_t>(number - 2));  // 2 v, or 2 v + 1, with v from 1
    }
    if (adds) out.push_back(std::move(lemma));
  }
  if (out.empty() || !out.back().empty()) out.emplace_back();
  return out;
}

}  // namespace

std::optional<std::vector<std::vector<uint32_t>>> plain_refutation(const Topology& topology, NodeId root,
                                                                   uint32_t steps, uint32_t conflicts) {
  const Formula formula = formula_of(topology, root, steps);
  const SearchAnswer answer =
      solve(formula, {.conflicts = conflicts, .focus = SearchFocus::kProofs, .want_proof = true});
  if (!answer.unsatisfiable()) return std::nullopt;
  // To trim it again and again makes it a twentieth shorter, and takes three times as long.
  const RefutationCheck check = check_refutation(formula, answer.proof);
  if (!check.refutes) return std::nullopt;
  return lemmas_of(check.trimmed);
}

}  // namespace quadrille
