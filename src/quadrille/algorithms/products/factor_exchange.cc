#include "quadrille/algorithms/products/factor_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/packing/greedy/greedy_packets.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {

namespace {

// Factors up to so many nodes are planned in a moment, by whomever.
constexpr uint32_t kSmallFactor = 128;
// Of larger ones: hops of all blocks that a plan made in order to predict may have, some seconds' work.
constexpr uint64_t kMostHopsFollowed = uint64_t{1} << 25U;
// Plans that take more are not kept to be replayed.
constexpr uint64_t kMostBytesKept = uint64_t{1} << 28U;
constexpr uint64_t kBytesOfTransfer = sizeof(ArcId) + sizeof(BlockId);
constexpr uint64_t kBytesOfStep = 48;

struct MadeExchange {
  Topology factor;
  const FactorCandidate* candidates;  // a table that is there as long as the program
  uint32_t pieces;
  Model model;
  std::shared_ptr<const FactorExchange> exchange;
};

// What is kept for this thread: by the outermost that lives.
struct KeptExchanges {
  uint32_t keepers = 0;
  std::vector<MadeExchange> made{};
};

KeptExchanges& kept() {
  thread_local KeptExchanges exchanges;
  return exchanges;
}

bool is_optimal_in(const FactorCandidate& candidate, const Model& model) {
  if (model.send == kAllPorts && model.receive == kAllPorts && model.duplex == Duplex::kFull)
    return candidate.is_optimal;
  return model.send == kOnePort && model.receive == kOnePort && candidate.is_optimal_with_one_port;
}

Problem exchange_of(const Topology& factor, uint32_t pieces, const Model& model) {
  const uint64_t blocks = uint64_t{factor.num_endpoints()} * factor.num_endpoints() * pieces;
  return blocks < UINT32_MAX ? standard_problem(factor, CollectiveKind::kAlltoall, model, kNoNode, pieces)
                             : problem_for_figures(factor, CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

// Arcs that all blocks take on shortest paths.
uint64_t hops_of(const Topology& factor, uint32_t pieces) {
  const Rational hops = distance_summary(factor).average_status * Rational(int64_t{factor.num_endpoints()});
  return pieces * static_cast<uint64_t>(hops.ceil());
}

// The candidate with the fewest steps so far.
class Selection {
 public:
  Selection(const Problem& problem, std::span<const FactorCandidate> candidates)
      : problem_(problem), candidates_(candidates) {}

  // Those that `serves` says yes to, in order; none after one that is optimal.
  template <typename Serves>
  void ask(Serves serves) {
    for (const FactorCandidate& candidate : candidates_) {
      if (is_optimal_) return;
      if (problem_.topology().num_nodes() > candidate.most_nodes) continue;
      const Preparation ready = prepare(*candidate.card, problem_);
      if (ready.fits.applies && serves(candidate, ready.plans.front()->effort())) ask(candidate, ready);
    }
  }
  [[nodiscard]] const PreparedPlan& best() const { return best_; }
  [[nodiscard]] uint64_t fewest() const { return fewest_; }
  [[nodiscard]] bool is_optimal() const { return is_optimal_; }
  [[nodiscard]] bool is_measured() const { return is_measured_; }

 private:
  void ask(const FactorCandidate& candidate, const Preparation& ready) {
    const PreparedPlan& plan = cheapest(ready.plans);
    const Prediction prediction = plan->prediction();
    is_measured_ = is_measured_ || prediction.measured;
    is_optimal_ = is_optimal_in(candidate, problem_.model());
    const uint64_t steps = prediction.steps.value_or(UINT64_MAX);
    if (best_ != nullptr && steps >= fewest_) return;
    best_ = plan;
    fewest_ = steps;
  }

  const Problem& problem_;
  std::span<const FactorCandidate> candidates_;
  PreparedPlan best_;
  uint64_t fewest_ = UINT64_MAX;
  bool is_optimal_ = false;
  bool is_measured_ = false;  // what is greedy has made its plan in order to predict
};

// Whether its plans take no more than some seconds to make.
bool is_followed(const Topology& factor, uint32_t pieces) {
  if (factor.num_nodes() <= kSmallFactor) return true;
  constexpr uint32_t kMostSearched = 4096;
  return factor.num_nodes() <= kMostSearched && hops_of(factor, pieces) <= kMostHopsFollowed;
}

Selection select(const Problem& problem, std::span<const FactorCandidate> candidates) {
  Selection out(problem, candidates);
  const Topology& factor = problem.topology();
  if (factor.num_nodes() <= kSmallFactor) {
    out.ask([](const FactorCandidate&, Effort) { return true; });
    return out;
  }
  // Whoever is known to be best, then whoever knows in a moment, then whoever has to search.
  out.ask([&](const FactorCandidate& candidate, Effort effort) {
    return effort != Effort::kMuch && is_optimal_in(candidate, problem.model());
  });
  out.ask([&](const FactorCandidate& candidate, Effort effort) {
    return effort != Effort::kMuch && !is_optimal_in(candidate, problem.model());
  });
  if (out.best() == nullptr || is_followed(factor, problem.collective().pieces()))
    out.ask([](const FactorCandidate&, Effort effort) { return effort == Effort::kMuch; });
  return out;
}

std::shared_ptr<const FactorExchange> make_exchange(const Topology& factor,
                                                    std::span<const FactorCandidate> candidates,
                                                    uint32_t pieces, const Model& model) {
  count_work(Work::kSearching);
  const Problem problem = exchange_of(factor, pieces, model);
  const Selection found = select(problem, candidates);
  const bool followed = is_followed(factor, pieces);
  std::shared_ptr<const FactorExchange> exchange;
  if (found.best() != nullptr && (followed || found.fewest() != UINT64_MAX))
    exchange = std::make_shared<const FactorExchange>(found.best());
  if (exchange != nullptr && (found.is_optimal() || found.is_measured() || !followed)) return exchange;
  if (!problem.collective().is_numbered()) {
    throw InputError(
        fmt::format("nothing predicts the total exchange of {}, a factor, and its blocks cannot be numbered",
                    factor.name()));
  }
  if (!followed) {
    require_memory(Int128{hops_of(factor, pieces)} * Int128{kBytesOfTransfer},
                   fmt::format("a plan for {}, a factor,", factor.name()));
  }
  Plan greedy;
  greedy_packets(problem, greedy);
  if (exchange != nullptr && exchange->num_steps() <= greedy.num_steps()) return exchange;
  return std::make_shared<const FactorExchange>(factor, std::move(greedy));
}

}  // namespace

Model model_of_factor(const Problem& product, const Topology& factor) {
  uint64_t most = 0;
  for (const NodeId v : factor.nodes()) {
    uint64_t links = 0;
    for (const ArcId arc : factor.arcs_from(v)) links += factor.capacity(arc);
    most = std::max(most, links);
  }
  const auto at_most = [most](Ports ports) { return ports.count >= most ? kAllPorts : ports; };
  const Model& model = product.model();
  return {.send = at_most(model.send), .receive = at_most(model.receive), .duplex = model.duplex};
}

SharedFactorExchanges::SharedFactorExchanges() { ++kept().keepers; }

SharedFactorExchanges::~SharedFactorExchanges() {
  if (--kept().keepers == 0) kept().made.clear();
}

FactorExchange::FactorExchange(PreparedPlan prepared)
    : factor_(prepared->problem().topology()),
      prepared_(std::move(prepared)),
      busiest_link_(prepared_->prediction().busiest_link) {
  if (const std::optional<uint64_t> steps = prepared_->prediction().steps) {
    steps_ = *steps;
  } else {
    steps_ = plan().num_steps();
  }
}

FactorExchange::FactorExchange(const Topology& factor, Plan plan)
    : factor_(factor), steps_(plan.num_steps()), plan_(std::move(plan)) {}

void FactorExchange::measure() const {
  std::vector<uint64_t> load(factor_.num_arcs(), 0);
  for (size_t s = 0; s < plan().num_steps(); ++s) {
    for (const ArcId arc : plan().step(s).all_arcs) ++load[index(arc)];
  }
  busiest_link_ = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

std::optional<uint64_t> FactorExchange::busiest_link() const {
  const std::lock_guard<std::recursive_mutex> alone(asked_);
  if (!busiest_link_ && (plan_ || factor_.num_nodes() <= kSmallFactor)) measure();
  return busiest_link_;
}

uint64_t FactorExchange::bytes() const {
  return hops_of(factor_, prepared_->problem().collective().pieces()) * kBytesOfTransfer +
         steps_ * kBytesOfStep;
}

const Plan& FactorExchange::plan() const {
  const std::lock_guard<std::recursive_mutex> alone(asked_);
  if (!plan_) {
    if (factor_.num_nodes() > kSmallFactor)
      require_memory(Int128{bytes()},
                     fmt::format("the plan of {}, which its products repeat,", factor_.name()));
    prepared_->generate(plan_.emplace());
  }
  return *plan_;
}

void FactorExchange::replay(StepSink& sink) const {
  const std::lock_guard<std::recursive_mutex> alone(asked_);
  if (!plan_ && factor_.num_nodes() > kSmallFactor && bytes() > kMostBytesKept) {
    prepared_->generate(sink);
  } else {
    plan().replay(sink);
  }
}

std::shared_ptr<const FactorExchange> factor_exchange(const Topology& factor,
                                                      std::span<const FactorCandidate> candidates,
                                                      uint32_t pieces, const Model& model) {
  for (const MadeExchange& made : kept().made) {
    if (made.pieces == pieces && made.candidates == candidates.data() && made.model == model &&
        made.factor.same_graph(factor))
      return made.exchange;
  }
  auto exchange = make_exchange(factor, candidates, pieces, model);
  if (kept().keepers > 0) kept().made.push_back({factor, candidates.data(), pieces, model, exchange});
  return exchange;
}

std::shared_ptr<const FactorExchange> FactorExchanges::of(const Topology& factor, uint32_t pieces) {
  for (const auto& [topology, its_pieces, exchange] : made_) {
    if (its_pieces == pieces && topology.same_graph(factor)) return exchange;
  }
  auto exchange = factor_exchange(factor, candidates_, pieces);
  made_.emplace_back(factor, pieces, exchange);
  return exchange;
}

}  // namespace quadrille
