#include "quadrille/algorithms/repair/one_nodes_moves.h"

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// Counted off into `buckets` by a number of each; of one number they stay in order.
template <typename Number>
void bucket(std::span<const OneNodesMoves::Timed> all, size_t buckets, Number number,
            std::vector<OneNodesMoves::Timed>& out, std::vector<size_t>& begin) {
  begin.assign(buckets + 1, 0);
  for (const OneNodesMoves::Timed& one : all) ++begin[number(one.move) + 1];
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  out.resize(all.size());
  for (const OneNodesMoves::Timed& one : all) out[next[number(one.move)]++] = one;
}

}  // namespace

void OneNodesMoves::Recorder::push(const StepView& /*step*/) {
  QUADRILLE_CHECK(false, "a plan that is the same at all nodes has a step that is written out");
}

void OneNodesMoves::Recorder::push_symmetric(std::span<const SymmetricMove> moves) {
  to_.moves_.insert(to_.moves_.end(), moves.begin(), moves.end());
  to_.end_.push_back(to_.moves_.size());
}

void OneNodesMoves::sort() {
  std::vector<Timed> all;
  all.reserve(moves_.size());
  for (size_t s = 0; s < end_.size(); ++s)
    for (const SymmetricMove& move : in_step(s)) all.push_back({move, static_cast<uint32_t>(s)});
  const CayleyStructure& cayley = *whole_.topology().cayley();
  const Group& group = *cayley.group;
  const uint32_t pieces = whole_.collective().pieces();
  bucket(
      all, cayley.generators.size(), [](const SymmetricMove& m) { return size_t{m.generator}; }, along_,
      along_begin_);
  bucket(
      all, size_t{group.order()} * pieces,
      [&](const SymmetricMove& m) { return size_t{group.multiply(m.moved, m.left)} * pieces + m.piece; },
      moving_, moving_begin_);
}

std::span<const OneNodesMoves::Timed> OneNodesMoves::of(BlockId block) const {
  const Group& group = *whole_.topology().cayley()->group;
  const uint32_t pieces = whole_.collective().pieces();
  const auto from = static_cast<uint32_t>(index(whole_.origin(block)));
  const auto to = static_cast<uint32_t>(index(whole_.destination(block)));
  const size_t displacement = group.multiply(group.inverse(from), to);
  return part(moving_, moving_begin_, displacement * pieces + index(block) % pieces);
}

}  // namespace quadrille
