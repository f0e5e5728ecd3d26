#include "quadrille/compile/lending/by_time/loans_at_large.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostRanksOfSums = 4096;
// A vector is short that takes no longer than so many start-ups.
constexpr double kStartUpsOfShort = 100;

// Going along an allgather saves start-ups, and only these: blocks that take several of them are not worth the search for one.
bool may_go_along_allgather(const Problem& problem, uint64_t bytes) {
  constexpr double kStartUpsOfLong = 4;
  const CostConstants& cost = problem.model().cost;
  return problem.collective().kind() != CollectiveKind::kAlltoall ||
         static_cast<double>(bytes) * cost.tx < kStartUpsOfLong * cost.ts;
}

// Between switches single packets come near the bound in hundreds of steps, of which so many are one; unless all that comes to a host
// takes it hardly more than a start-up.
bool may_be_merged(const Problem& problem, uint64_t bytes, uint32_t pieces) {
  constexpr uint32_t kMostRanksMerged = 512;
  constexpr double kStartUpsOfHost = 1.5;
  const CollectiveKind kind = problem.collective().kind();
  const CostConstants& cost = problem.model().cost;
  const uint32_t ranks = problem.collective().num_ranks();
  return (kind == CollectiveKind::kAllgather || kind == CollectiveKind::kAlltoall) && pieces <= 1 &&
         problem.topology().has_routers() && problem.model().packets == Packets::kMany &&
         ranks <= kMostRanksMerged &&
         ranks * static_cast<double>(bytes) * cost.tx >= kStartUpsOfHost * cost.ts;
}

// What a total exchange does for one of its parts is found out block by block.
bool is_followed_soon(const Loan& part) {
  constexpr uint64_t kMostHops = uint64_t{1} << 25U;
  const Problem& lender = part.lenders[0];
  return lender.collective().kind() != CollectiveKind::kAlltoall ||
         hops_of_all_pairs(lender.topology()) * lender.collective().pieces() <= kMostHops;
}

}  // namespace

bool moves_vector(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kAllreduce;
}

bool is_short_vector(const Problem& problem, uint64_t bytes) {
  const CostConstants& cost = problem.model().cost;
  return static_cast<double>(bytes) * cost.tx <= kStartUpsOfShort * cost.ts;
}

std::vector<Loan> loans_at_large(const Problem& one, uint64_t bytes, uint32_t pieces) {
  std::vector<Loan> out;
  const CollectiveKind kind = one.collective().kind();
  const auto add = [&](std::optional<Loan> loan) {
    if (loan) out.push_back(*std::move(loan));
  };
  add(find_loan(one, "packets"));
  add(find_loan(one, "packet"));
  add(find_loan(one, "wormhole"));
  const uint32_t ranks = one.collective().num_ranks();
  if (one.topology().num_endpoints() > kMostNodesOfSums) {
    for (Loan& loan : loans_for(one))
      if (loan.kind == LoanKind::kReversed) out.push_back(std::move(loan));
    const bool is_sum = kind == CollectiveKind::kAllreduce && pieces == 0;
    if (!is_sum || ranks > kMostRanksOfSums || ranks > bytes) return out;
    for (Loan& loan : loans_for(in_pieces(one, ranks)))
      if (loan.kind == LoanKind::kSum && !is_up_and_down(loan)) out.push_back(std::move(loan));
    return out;
  }
  for (Loan& loan : loans_for(one)) {
    // A sum at all nodes takes twice a broadcast, as a rule, but where switches send to all hosts, or, of a short vector, where
    // links are shared.
    const bool is_of_sums = loan.lenders[0].collective().kind() == CollectiveKind::kAllreduce;
    const bool is_part = loan.kind == LoanKind::kPart && is_followed_soon(loan) &&
                         (!is_of_sums || one.topology().has_routers() ||
                          (is_short_vector(one, bytes) && shares_arcs(one.model())));
    if (loan.kind == LoanKind::kReversed || is_part) out.push_back(std::move(loan));
  }
  // What gathers is a part of an allgather, and what sends out is that read backwards.
  if (kind == CollectiveKind::kGather)
    std::stable_partition(out.begin(), out.end(),
                          [](const Loan& loan) { return loan.kind != LoanKind::kReversed; });
  // Of other numbers of ports hardly more is learnt, but where hosts have a link or two and switches many: what comes to a root is known soon.
  if (one.model().send.unlimited() || one.model().send.count > 1) add(find_loan(one, "ports_1"));
  const bool is_of_root = kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
  if (is_of_root && one.topology().has_routers()) {
    for (const uint32_t ports : {2U, 3U})
      if (one.model().send.unlimited() || one.model().send.count > ports)
        add(find_loan(one, fmt::format("ports_{}", ports)));
  }
  // Blocks go together down one tree, and up.
  if (one.model().packets == Packets::kMany || takes_paths(one.model())) {
    const bool is_split = pieces > 1;
    for (Loan& loan : loans_for(is_split ? in_pieces(one, pieces) : one)) {
      const bool gathers = loan.kind == LoanKind::kSum && kind == CollectiveKind::kAllgather && !is_split;
      const bool is_personal = loan.kind == LoanKind::kPersonalised && may_go_along_allgather(one, bytes);
      if (gathers || is_personal || (is_split && loan.kind == LoanKind::kTogether))
        out.push_back(std::move(loan));
    }
  }
  for (const uint32_t packets : {64U, 16U, 4U})
    if (may_be_merged(one, bytes, pieces)) add(merged_loan(one, packets));
  // A short vector goes whole to one node, and from there.
  if (kind == CollectiveKind::kAllreduce && pieces <= 1) {
    for (Loan& loan : loans_for(one))
      if (is_up_and_down(loan)) out.push_back(std::move(loan));
  }
  if (!moves_vector(kind) || pieces != 0 || ranks > bytes) return out;
  for (Loan& loan : loans_for(in_pieces(one, ranks))) {
    // In pieces a reduce and a broadcast are hardly ever better than what halves the vector, and cost a search each.
    if (loan.kind == LoanKind::kSum && !is_up_and_down(loan)) out.push_back(std::move(loan));
  }
  return out;
}

bool is_up_and_down(const Loan& loan) {
  return loan.kind == LoanKind::kSum && loan.lenders[0].collective().kind() == CollectiveKind::kReduce;
}

std::optional<Loan> same_loan_at_large(const Problem& ours, const Loan& known) {
  if (known.kind == LoanKind::kWeaker || known.kind == LoanKind::kMerged) return find_loan(ours, known.name);
  for (Loan& loan : loans_for(ours)) {
    if (loan.kind != known.kind || loan.name != known.name || loan.lenders.size() != known.lenders.size())
      continue;
    const auto alike = [](const Problem& a, const Problem& b) {
      return a.collective().kind() == b.collective().kind() && a.model() == b.model();
    };
    if (std::ranges::equal(loan.lenders, known.lenders, alike)) return std::move(loan);
  }
  return std::nullopt;
}

bool scatters_first(const Loan& loan) {
  return loan.lenders.size() == 2 && loan.lenders[0].collective().kind() == CollectiveKind::kScatter &&
         loan.lenders[1].collective().kind() == CollectiveKind::kAllgather;
}

bool lends_parts(const Loan& loan) {
  return loan.kind == LoanKind::kSum || loan.kind == LoanKind::kPersonalised ||
         loan.kind == LoanKind::kTogether;
}

}  // namespace quadrille
