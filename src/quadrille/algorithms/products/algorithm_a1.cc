#include "quadrille/algorithms/products/algorithm_a1.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/products/paths_from.h"

namespace quadrille {
namespace {

// Whether lines 1 to 4 move the messages of (i,j) for the copy k.
bool is_moved(Print print, uint32_t i, uint32_t j, uint32_t k) {
  return j != k && (print == Print::kCorrected || k != i);
}

// Line 7: every step of an exchange of A, in all copies of A. Messages that were not moved cannot be sent.
class InCopiesOfA final : public StepSink {
 public:
  InCopiesOfA(const TwoFactors& net, uint32_t pieces, Print print, StepSink& sink)
      : net_(net), pieces_(pieces), print_(print), sink_(sink) {}

  void start(uint32_t k, uint32_t piece) {
    k_ = k;
    piece_ = piece;
  }

  void push(const StepView& step) override {
    arcs_.clear();
    blocks_.clear();
    for (size_t t = 0; t < step.size(); ++t) {
      const auto message = static_cast<uint32_t>(index(step.all_blocks[t]));
      const uint32_t from = message / net_.n1();
      const uint32_t to = message % net_.n1();
      for (uint32_t j = 0; j < net_.n2(); ++j) {
        if (j != k_ && !is_moved(print_, from, k_, j)) continue;
        arcs_.push_back(net_.arc_in_a(step.all_arcs[t], j));
        blocks_.push_back(BlockId{net_.block(from, k_, to, j, pieces_) + piece_});
      }
    }
    StepView out;
    out.all_arcs = arcs_;
    out.all_blocks = blocks_;
    sink_.push(out);
  }

 private:
  const TwoFactors& net_;
  uint32_t pieces_;
  Print print_;
  StepSink& sink_;
  uint32_t k_ = 0;
  uint32_t piece_ = 0;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
};

// Line 4, for the copies of B from `first` to before `last` at once: messages one behind another over the path.
void transfer(const TwoFactors& net, uint32_t first, uint32_t last, uint32_t j, uint32_t k,
              const std::vector<ArcId>& path, uint32_t pieces, StepBuilder& step, StepSink& sink) {
  const size_t messages = size_t{net.n1()} * pieces;
  for (size_t s = 0; s < messages + path.size() - 1; ++s) {
    for (size_t hop = s < messages ? 0 : s + 1 - messages; hop < path.size() && hop <= s; ++hop) {
      const auto message = static_cast<uint32_t>(s - hop);
      for (uint32_t i = first; i < last; ++i) {
        const uint32_t block = net.block(i, j, message / pieces, k, pieces) + message % pieces;
        step.add(net.arc_in_b(path[hop], i), BlockId{block});
      }
    }
    step.flush(sink);
  }
}

}  // namespace

Applicability is_product_of_two(const Topology& topology) {
  if (topology.product() != nullptr && topology.product()->factors.size() >= 2) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a product of two factors or more; {} is none", topology.name()));
}

AlgorithmA1::AlgorithmA1(const Problem& problem, std::span<const FactorCandidate> candidates,
                         CopiesOfB copies, Print print)
    : copies_(copies), print_(print), pieces_(problem.collective().pieces()) {
  Topology net = problem.topology();
  for (size_t dimensions = net.product()->factors.size(); dimensions > 1; --dimensions) {
    TwoFactors level(net, dimensions - 1);
    net = level.a();
    levels_.push_back(std::move(level));
  }
  std::reverse(levels_.begin(), levels_.end());
  first_ = factor_exchange(net, candidates, 1, model_of_factor(problem, net));
}

AlgorithmA1::Figures AlgorithmA1::figures(size_t level, uint32_t pieces) const {
  if (level == 0) {
    std::optional<uint64_t> busiest = first_->busiest_link();
    if (busiest) *busiest *= pieces;
    return {pieces * first_->num_steps(), busiest};
  }
  const TwoFactors& net = levels_[level - 1];
  std::vector<uint64_t> load(net.b().num_arcs(), 0);
  uint64_t distances = 0;
  for (uint32_t j = 0; j < net.n2(); ++j) distances += PathsFrom(net.b(), j).add_loads(load);
  const uint64_t messages = uint64_t{net.n1()} * pieces;
  const uint64_t pairs = uint64_t{net.n2()} * (net.n2() - 1);
  const uint64_t turns = copies_ == CopiesOfB::kOneAfterAnother ? net.n1() : 1;
  const uint64_t busiest = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  const Figures inner = figures(level - 1, 1);
  const uint64_t rounds = uint64_t{net.n2()} * pieces;
  Figures out{.steps = turns * (pairs * (messages - 1) + distances) + rounds * inner.steps};
  if (inner.busiest_link) out.busiest_link = std::max(busiest * messages, rounds * *inner.busiest_link);
  return out;
}

Prediction AlgorithmA1::prediction() const {
  const Figures all = figures(levels_.size(), pieces_);
  return {.steps = all.steps, .start_ups = all.steps, .busiest_link = all.busiest_link};
}

void AlgorithmA1::generate(StepSink& sink) const { exchange(levels_.size(), pieces_, sink); }

void AlgorithmA1::exchange(size_t level, uint32_t pieces, StepSink& sink) const {
  if (level == 0) return first_->replay(sink);
  const TwoFactors& net = levels_[level - 1];
  transfer_all(net, pieces, sink);
  InCopiesOfA copies(net, pieces, print_, sink);
  for (uint32_t k = 0; k < net.n2(); ++k) {
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      copies.start(k, piece);
      exchange(level - 1, 1, copies);
    }
  }
}

void AlgorithmA1::transfer_all(const TwoFactors& net, uint32_t pieces, StepSink& sink) const {
  StepBuilder step;
  std::vector<ArcId> path;
  const bool at_once = copies_ == CopiesOfB::kAllAtOnce;
  for (uint32_t i = 0; i < (at_once ? 1 : net.n1()); ++i) {
    for (uint32_t j = 0; j < net.n2(); ++j) {
      const PathsFrom paths(net.b(), j);
      for (uint32_t k = 0; k < net.n2(); ++k) {
        // The improved form of lines 1 to 4 has the right condition.
        if (!is_moved(at_once ? Print::kCorrected : print_, i, j, k)) continue;
        paths.find(k, path);
        transfer(net, i, at_once ? net.n1() : i + 1, j, k, path, pieces, step, sink);
      }
    }
  }
}

}  // namespace quadrille
