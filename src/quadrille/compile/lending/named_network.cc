#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/structure/recognition.h"
#include "quadrille/transforms/relabel.h"

namespace quadrille {
namespace {

// Up to so many nodes a network without a structure is asked as it is numbered, too: searches are lucky with either.
constexpr uint32_t kNodesAskedBothWays = 128;

using Names = std::shared_ptr<const std::vector<Recognised>>;

// A decision asks for them once for each number of pieces, and more; what a network is called says what it is a member of.
Names names_of(const Topology& topology) {
  static LastAnswers<std::string, Names> kept(1);
  return kept.of(topology, topology.name(),
                 [&] { return std::make_shared<const std::vector<Recognised>>(recognised_as(topology)); });
}

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

bool goes_by_plain_name(const Topology& topology) {
  if (topology.num_nodes() <= kNodesAskedBothWays || topology.is_outline()) return false;
  const Names known = names_of(topology);
  return !known->empty() && std::ranges::none_of(*known, [](const Recognised& twin) {
    return has_plans_of_its_own(twin.topology);
  });
}

std::vector<Loan> loans_by_name(const Problem& problem) {
  std::vector<Loan> out;
  const uint32_t nodes = problem.topology().num_nodes();
  if (problem.model().queue_limit || problem.model().routing == Routing::kDimensionOrder) return out;
  bool has_plain_name = false;
  const Names known = names_of(problem.topology());
  for (const Recognised& twin : *known) {
    // Without a structure it has no plans of its own, but its numbering may suit those for ranks: under one name.
    const bool is_plain = !has_plans_of_its_own(twin.topology);
    if (is_plain && has_plain_name) continue;
    has_plain_name = has_plain_name || is_plain;
    std::vector<NodeId> back(twin.image.size());
    for (size_t v = 0; v < back.size(); ++v) back[index(twin.image[v])] = id_at<NodeId>(v);
    Problem lender = relabelled(problem, back, twin.topology);
    Loan loan{LoanKind::kNamed,
              word_for(twin.topology),
              {lender},
              [lender, image = twin.image](const Problem& ours, std::span<const Plan> plans) {
                return std::optional(relabel(lender, plans[0], image, ours.topology()));
              }};
    loan.stream = [lender, image = twin.image](const Problem& ours,
                                               const std::function<void(size_t, StepSink&)>& make,
                                               StepSink& sink) {
      RelabelledSteps steps(lender, image, ours.topology(), sink);
      make(0, steps);
    };
    loan.of_any_size = true;
    loan.settles = twin.is_family && (!is_plain || nodes > kNodesAskedBothWays);
    out.push_back(std::move(loan));
  }
  return out;
}

}  // namespace quadrille
