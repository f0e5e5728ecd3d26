#include <string>
#include <vector>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/topology/queries/recognition.h"
#include "quadrille/transforms/relabel.h"

namespace quadrille {
namespace {

// "as_torus_4x4".
std::string word_for(const Topology& known) {
  std::string out = "as_";
  for (const char c : known.name()) {
    if (c == ',') out += 'x';
    if (c == '(' || c == ';') out += '_';
    if (c != ',' && c != '(' && c != ';' && c != ')') out += c;
  }
  return out;
}

}  // namespace

std::vector<Loan> loans_by_name(const Problem& problem) {
  std::vector<Loan> out;
  if (problem.model().queue_limit || problem.model().routing == Routing::kDimensionOrder) return out;
  for (const Recognised& twin : recognised_as(problem.topology())) {
    // Without a structure it has no plans of its own.
    if (twin.topology.product() == nullptr && twin.topology.cayley() == nullptr &&
        twin.topology.tree() == nullptr)
      continue;
    std::vector<NodeId> back(twin.image.size());
    for (size_t v = 0; v < back.size(); ++v) back[index(twin.image[v])] = id_at<NodeId>(v);
    Problem lender = relabelled(problem, back, twin.topology);
    out.push_back(Loan{LoanKind::kNamed,
                       word_for(twin.topology),
                       {lender},
                       [lender, image = twin.image](const Problem& ours, std::span<const Plan> plans) {
                         return std::optional(relabel(lender, plans[0], image, ours.topology()));
                       }});
  }
  return out;
}

}  // namespace quadrille
