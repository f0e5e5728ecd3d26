#include "quadrille/algorithms/products/product_rounds.h"

#include <algorithm>

#include "quadrille/topology/cayley/abelian_group.h"

namespace quadrille {
namespace {

struct Transfers {
  std::vector<ArcId> arcs;
  std::vector<BlockId> blocks;
};

// The rounds of one dimension. The number of a block is a sum of what depends on the rider and the line and
// of what depends on the ends of the ride in the line.
class Dimension {
 public:
  Dimension(const Problem& problem, const DimensionRounds& rounds)
      : topology_(problem.topology()),
        factor_(topology_.product()->factors[rounds.dimension]),
        rounds_(rounds),
        stride_(topology_.product()->strides[rounds.dimension]),
        size_(factor_.num_nodes()),
        pieces_(problem.collective().pieces()),
        riders_(size_t{rounds.copies} * size_) {
    find_lines();
    lift_arcs();
    bases_.resize(riders_.size() * starts_.size());
  }

  void rewind() { round_ = 0; }

  // What this dimension does in step t.
  void add(uint64_t t, uint32_t piece, Transfers& out) {
    if (round_ < rounds_.num_rounds && rounds_.start(round_) == t) {
      rounds_.board(round_, riders_);
      find_bases();
      ++round_;
      step_ = 0;
    }
    if (round_ == 0 || step_ >= rounds_.plan->num_steps()) return;
    const StepView step = rounds_.plan->step(step_++);
    for (size_t i = 0; i < step.size(); ++i) add_transfer(step.all_arcs[i], step.all_blocks[i], piece, out);
  }

 private:
  void find_lines() {
    std::vector<uint32_t> other_sides;
    for (size_t j = 0; j < topology_.product()->factors.size(); ++j) {
      if (j != rounds_.dimension) other_sides.push_back(topology_.product()->factors[j].num_nodes());
    }
    lines_ = abelian_group(std::move(other_sides));
    for (uint32_t outer = 0; outer < topology_.num_nodes(); outer += stride_ * size_) {
      for (uint32_t inner = 0; inner < stride_; ++inner) starts_.push_back(outer + inner);
    }
    sources_.resize(starts_.size());
    destinations_.resize(starts_.size());
  }

  // arcs_[a * lines + l]: arc a of the factor in line l.
  void lift_arcs() {
    arcs_.reserve(size_t{factor_.num_arcs()} * starts_.size());
    for (const ArcId a : factor_.arcs()) {
      const auto tail = static_cast<uint32_t>(index(factor_.tail(a))) * stride_;
      const auto head = static_cast<uint32_t>(index(factor_.head(a))) * stride_;
      for (const uint32_t start : starts_)
        arcs_.push_back(*topology_.find_arc(NodeId{start + tail}, NodeId{start + head}));
    }
  }

  // A displacement without this dimension, as an element of the group of lines.
  [[nodiscard]] uint32_t across(uint32_t displacement) const {
    return displacement / (stride_ * size_) * stride_ + displacement % stride_;
  }

  void find_bases() {
    const size_t lines = starts_.size();
    for (size_t r = 0; r < riders_.size(); ++r) {
      if (r % size_ == 0) continue;
      const uint32_t moved = across(riders_[r].moved);
      const uint32_t back = lines_->inverse(moved);
      lines_->right_translation(back, sources_);
      lines_->right_translation(lines_->multiply(back, across(riders_[r].displacement)), destinations_);
      for (size_t l = 0; l < lines; ++l)
        bases_[r * lines + l] = block(starts_[sources_[l]], starts_[destinations_[l]]);
    }
  }

  [[nodiscard]] uint32_t block(uint32_t source, uint32_t destination) const {
    return (source * topology_.num_nodes() + destination) * pieces_;
  }

  void add_transfer(ArcId arc, BlockId ride, uint32_t piece, Transfers& out) const {
    const auto number = static_cast<uint32_t>(index(ride));
    const uint32_t copy = number % rounds_.copies;
    const uint32_t from = number / rounds_.copies / size_;
    const uint32_t to = number / rounds_.copies % size_;
    const uint32_t offset = to >= from ? to - from : to + size_ - from;
    const size_t lines = starts_.size();
    const uint32_t* base = bases_.data() + (size_t{copy} * size_ + offset) * lines;
    const uint32_t ends = block(from * stride_, to * stride_) + piece;
    const auto lifted = arcs_.begin() + static_cast<ptrdiff_t>(index(arc) * lines);
    out.arcs.insert(out.arcs.end(), lifted, lifted + static_cast<ptrdiff_t>(lines));
    const size_t first = out.blocks.size();
    out.blocks.resize(first + lines);
    BlockId* to_fill = out.blocks.data() + first;
    for (size_t l = 0; l < lines; ++l) to_fill[l] = BlockId{base[l] + ends};
  }

  const Topology& topology_;
  const Topology& factor_;
  const DimensionRounds& rounds_;
  uint32_t stride_;
  uint32_t size_;
  uint32_t pieces_;
  std::shared_ptr<const Group> lines_;
  std::vector<uint32_t> starts_;  // the node of each line with coordinate 0
  std::vector<ArcId> arcs_;

  uint64_t round_ = 0;  // the next one
  uint64_t step_ = 0;   // of the plan, in the round under way
  std::vector<Rider> riders_;
  std::vector<uint32_t> bases_;  // per rider and line
  std::vector<uint32_t> sources_;
  std::vector<uint32_t> destinations_;
};

}  // namespace

void product_rounds(const Problem& problem, const std::vector<DimensionRounds>& dimensions, uint64_t steps,
                    StepSink& sink) {
  std::vector<Dimension> under_way;
  under_way.reserve(dimensions.size());
  for (const DimensionRounds& rounds : dimensions) under_way.emplace_back(problem, rounds);
  Transfers out;
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    for (Dimension& dimension : under_way) dimension.rewind();
    for (uint64_t t = 0; t < steps; ++t) {
      for (Dimension& dimension : under_way) dimension.add(t, piece, out);
      StepView step;
      step.all_arcs = out.arcs;
      step.all_blocks = out.blocks;
      sink.push(step);
      out.arcs.clear();
      out.blocks.clear();
    }
  }
}

}  // namespace quadrille
