#include <fmt/format.h>

#include <string>
#include <vector>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/topology/structure/recognition.h"
#include "quadrille/transforms/relabel.h"

namespace quadrille {
namespace {

// "as_torus_4x4"; what takes more words is called by what it is.
std::string word_for(const Topology& known) {
  constexpr size_t kMostLetters = 40;
  const std::string& name = known.name();
  if (name.size() > kMostLetters || name.find_first_of(" \"[") != std::string::npos) {
    if (known.product() == nullptr) return fmt::format("as_cayley_of_{}", known.num_nodes());
    std::vector<uint32_t> sides;
    for (const Topology& factor : known.product()->factors) sides.push_back(factor.num_nodes());
    return fmt::format("as_product_{}", fmt::join(sides, "x"));
  }
  std::string out = "as_";
  for (const char c : name) {
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
                       },
                       [lender, image = twin.image](
                           const Problem& ours, const std::function<void(StepSink&)>& make, StepSink& sink) {
                         RelabelledSteps steps(lender, image, ours.topology(), sink);
                         make(steps);
                       },
                       twin.is_family});
  }
  return out;
}

}  // namespace quadrille
