#include "quadrille/algorithms/cayley/translated_step.h"

#include "quadrille/base/check.h"

namespace quadrille {

TranslatedStep::TranslatedStep(const Problem& problem, StepSink& sink)
    : cayley_(*problem.topology().cayley()),
      sink_(sink),
      brief_(sink.symmetric()),
      num_nodes_(problem.topology().num_nodes()),
      pieces_(problem.collective().pieces()) {
  QUADRILLE_CHECK(problem.collective().num_ranks() == num_nodes_, "every node takes part");
  if (brief_ != nullptr) return;
  sources_.resize(num_nodes_);
  destinations_.resize(num_nodes_);
  hops_.resize(cayley_.generators.size());
  for (size_t k = 0; k < hops_.size(); ++k) {
    hops_[k].resize(num_nodes_);
    for (uint32_t x = 0; x < num_nodes_; ++x) hops_[k][x] = cayley_.arc(NodeId{x}, k);
  }
}

void TranslatedStep::translate(uint32_t moved, uint32_t left) {
  cayley_.group->right_translation(cayley_.group->inverse(moved), sources_);
  cayley_.group->right_translation(left, destinations_);
}

void TranslatedStep::add(size_t generator, uint32_t moved, uint32_t left) {
  if (brief_ != nullptr) {
    moves_.push_back({static_cast<uint32_t>(generator), moved, left, piece_});
    return;
  }
  translate(moved, left);
  arcs_.insert(arcs_.end(), hops_[generator].begin(), hops_[generator].end());
  const size_t first = blocks_.size();
  blocks_.resize(first + num_nodes_);
  BlockId* out = blocks_.data() + first;
  for (uint32_t x = 0; x < num_nodes_; ++x)
    out[x] = BlockId{(sources_[x] * num_nodes_ + destinations_[x]) * pieces_ + piece_};
}

void TranslatedStep::add(size_t generator, uint32_t moved, uint32_t left, const std::vector<bool>& chosen) {
  QUADRILLE_CHECK(brief_ == nullptr, "a step of some nodes is not the same at all nodes");
  translate(moved, left);
  for (uint32_t x = 0; x < num_nodes_; ++x) {
    if (!chosen[x]) continue;
    arcs_.push_back(hops_[generator][x]);
    blocks_.push_back(BlockId{(sources_[x] * num_nodes_ + destinations_[x]) * pieces_ + piece_});
  }
}

void TranslatedStep::flush() {
  if (brief_ != nullptr) {
    brief_->push_symmetric(moves_);
    moves_.clear();
    return;
  }
  StepView step;
  step.all_arcs = arcs_;
  step.all_blocks = blocks_;
  sink_.push(step);
  arcs_.clear();
  blocks_.clear();
}

}  // namespace quadrille
