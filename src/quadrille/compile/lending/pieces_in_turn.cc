#include "quadrille/compile/lending/pieces_in_turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "quadrille/algorithms/trees/scattering/quickest_scatter.h"
#include "quadrille/base/input_error.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/lent_plan.h"

namespace quadrille {
namespace {

// Blocks of an exchange, or deliveries of an allgather.
constexpr uint64_t kMostOfAll = uint64_t{1} << 18U;
// Whose links are that long full are full, but for a step or two.
constexpr uint64_t kMostAtOnce = 1024;

constexpr std::string_view kWord = "in_turn";

// The steps of a plan for fewer pieces, for those from `first` on.
class ForPieces final : public StepSink {
 public:
  ForPieces(uint32_t of, uint32_t pieces, uint32_t first, StepSink& to)
      : of_(of), pieces_(pieces), first_(first), to_(to) {}

  void push(const StepView& step) override {
    blocks_.resize(step.all_blocks.size());
    if (of_ == 1) {
      for (size_t i = 0; i < blocks_.size(); ++i)
        blocks_[i] = id_at<BlockId>(index(step.all_blocks[i]) * pieces_ + first_);
    } else {
      for (size_t i = 0; i < blocks_.size(); ++i) {
        const auto block = static_cast<uint32_t>(index(step.all_blocks[i]));
        blocks_[i] = id_at<BlockId>(size_t{block / of_} * pieces_ + first_ + block % of_);
      }
    }
    to_.push({step.all_arcs, step.arcs_end, blocks_, step.blocks_end, step.ops, step.slots});
  }

 private:
  uint32_t of_;
  uint32_t pieces_;
  uint32_t first_;
  StepSink& to_;
  std::vector<BlockId> blocks_;
};

// Pushes each lender's plan as often as it is needed.
void push_in_turn(uint32_t at_once, uint32_t pieces, const std::function<void(size_t, StepSink&)>& lender,
                  StepSink& sink) {
  for (uint32_t first = 0; first < pieces; first += at_once) {
    const uint32_t here = std::min(at_once, pieces - first);
    ForPieces some(here, pieces, first, sink);
    lender(here == at_once ? 0 : 1, some);
  }
}

bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
}

bool is_of_all(CollectiveKind kind) {
  return kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAllgather ||
         kind == CollectiveKind::kReduceScatter;
}

bool may_go_in_turn(const Problem& problem) {
  return !carries_many(problem.model()) && problem.collective().counts() == nullptr &&
         problem.collective().pieces() > 1 && problem.collective().is_numbered();
}

// Pieces of which a flow knows the quickest scatter; it may take half as many steps again as links and ports need.
uint64_t most_of_a_flow(const Problem& problem, uint64_t fewest_steps) {
  const Topology& topology = problem.topology();
  const uint64_t of_a_step = uint64_t{topology.num_arcs()} + topology.num_nodes();
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t most_steps = kMostFlowArcs / of_a_step;
  if (fewest_steps + fewest_steps / 2 <= most_steps) return pieces;
  return static_cast<uint64_t>(static_cast<double>(pieces) * static_cast<double>(most_steps) /
                               (1.5 * static_cast<double>(fewest_steps)));
}

}  // namespace

std::optional<Loan> in_turn_loan(const Problem& problem, uint32_t at_once) {
  const uint32_t pieces = problem.collective().pieces();
  if (!may_go_in_turn(problem) || at_once == 0 || at_once >= pieces) return std::nullopt;
  std::vector<Problem> lenders{in_pieces(problem, at_once)};
  if (const uint32_t left = pieces % at_once; left != 0) lenders.push_back(in_pieces(problem, left));
  return Loan{LoanKind::kInTurn, at_once == 1 ? std::string(kWord) : fmt::format("{}_{}", kWord, at_once),
              std::move(lenders),
              [at_once, pieces](const Problem&, std::span<const Plan> plans) {
                Plan out;
                push_in_turn(
                    at_once, pieces, [&](size_t i, StepSink& to) { plans[i].replay(to); }, out);
                return std::optional(std::move(out));
              },
              [at_once, pieces](const Problem&, const std::function<void(size_t, StepSink&)>& lender,
                                StepSink& sink) { push_in_turn(at_once, pieces, lender, sink); }};
}

std::optional<Loan> find_in_turn_loan(const Problem& problem, std::string_view name) {
  if (!name.starts_with(kWord)) return std::nullopt;
  name.remove_prefix(kWord.size());
  if (name.empty()) return in_turn_loan(problem, 1);
  uint32_t at_once = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), at_once);
  if (name.front() != '_' || error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return in_turn_loan(problem, at_once);
}

uint32_t pieces_at_once(const Problem& problem, uint64_t fewest_steps) {
  if (!may_go_in_turn(problem) || problem.model().queue_limit || asks_for_order(problem)) return 0;
  const Collective& collective = problem.collective();
  const uint64_t pieces = collective.pieces();
  const uint64_t blocks = collective.block_count();
  uint64_t at_once = pieces;
  if (has_root(collective.kind())) {
    at_once = most_of_a_flow(problem, fewest_steps);
    if (at_once == 0) return 0;
  } else if (is_of_all(collective.kind())) {
    const uint64_t each =
        blocks / pieces * (collective.kind() == CollectiveKind::kAlltoall ? 1 : collective.num_ranks());
    at_once = std::min(kMostAtOnce, kMostOfAll / std::max<uint64_t>(1, each));
  }
  if (at_once >= pieces) return 0;
  // As many rounds as that takes, of as many pieces each as can be.
  at_once = std::max<uint64_t>(1, at_once);
  const uint64_t rounds = (pieces + at_once - 1) / at_once;
  return static_cast<uint32_t>((pieces + rounds - 1) / rounds);
}

std::optional<Choice> lend_in_turn(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps) {
  const uint32_t at_once = pieces_at_once(problem, fewest_steps);
  if (at_once == 0) return std::nullopt;
  const std::optional<Loan> loan = in_turn_loan(problem, at_once);
  if (!loan) return std::nullopt;
  const uint32_t pieces = problem.collective().pieces();
  try {
    const uint64_t share = (fewest_steps * at_once + pieces - 1) / pieces;
    std::vector<Choice> lenders{choose_algorithm(loan->lenders[0], block_bytes, share)};
    if (loan->lenders.size() > 1)
      lenders.push_back(pick_algorithm(loan->lenders[1], lenders[0].name(), Goal(block_bytes)));
    return lend(problem, *loan, std::move(lenders), Goal(block_bytes));
  } catch (const InputError&) {
    return std::nullopt;  // what serves some pieces does not serve those that are left
  }
}

}  // namespace quadrille
