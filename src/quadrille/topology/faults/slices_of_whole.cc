#include "quadrille/topology/faults/slices_of_whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/topology/faults/faulty_origin.h"

namespace quadrille {
namespace {

constexpr uint32_t kLongestFactor =
    256;  // rows of it are as many as its square, and each is looked at link by link

bool goes_round(const Topology& factor) {
  return factor.cayley() != nullptr && factor.cayley()->group->cyclic_moduli().size() == 1;
}

// What is left of one dimension, coordinate by coordinate.
class Layers {
 public:
  Layers(const Topology& left, const FaultyOrigin& origin, size_t dimension)
      : product_(*origin.whole.product()),
        original_(origin.original),
        dimension_(dimension),
        size_(product_.factors[dimension].num_nodes()),
        between_(size_t{size_} * size_, 0) {
    for (const ArcId arc : left.arcs())
      between_[size_t{at(left.tail(arc))} * size_ + at(left.head(arc))] += left.capacity(arc);
  }

  void visit_thinnest(uint32_t length, const std::function<void(const Cut&)>& visit) const {
    struct Row {
      uint32_t first;
      CutCapacity across;
    };
    std::optional<Row> out;
    std::optional<Row> in;
    const uint32_t places = goes_round(product_.factors[dimension_]) ? size_ : size_ - length + 1;
    for (uint32_t first = 0; first < places; ++first) {
      const Row row{first, across(first, length)};
      if (!out || row.across.out < out->across.out) out = row;
      if (!in || row.across.in < in->across.in) in = row;
    }
    show(cut(out->first, length), visit);
    if (in->first != out->first) show(cut(in->first, length), visit);
  }

 private:
  // Where all nodes of a row are dead there is nothing to part.
  static void show(const Cut& cut, const std::function<void(const Cut&)>& visit) {
    const bool parts = std::ranges::find(cut.side, cut.side.front() == 0 ? 1 : 0) != cut.side.end();
    if (parts) visit(cut);
  }
  [[nodiscard]] uint32_t at(NodeId v) const { return product_.coordinate(original_[index(v)], dimension_); }
  [[nodiscard]] bool is_in(uint32_t coordinate, uint32_t first, uint32_t length) const {
    return (coordinate + size_ - first) % size_ < length;
  }
  [[nodiscard]] CutCapacity across(uint32_t first, uint32_t length) const {
    CutCapacity sum;
    for (uint32_t i = 0; i < length; ++i) {
      const uint32_t inside = (first + i) % size_;
      for (uint32_t other = 0; other < size_; ++other) {
        if (is_in(other, first, length)) continue;
        sum.out += between_[size_t{inside} * size_ + other];
        sum.in += between_[size_t{other} * size_ + inside];
      }
    }
    return sum;
  }
  [[nodiscard]] Cut cut(uint32_t first, uint32_t length) const {
    const Topology& factor = product_.factors[dimension_];
    const std::string from = factor.label(NodeId{first});
    const std::string to = factor.label(NodeId{(first + length - 1) % size_});
    Cut out{fmt::format("what is left of {} of {} in dimension {}",
                        length == 1 ? "node " + from : fmt::format("nodes {} to {}", from, to), factor.name(),
                        dimension_ + 1),
            std::vector<char>(original_.size(), 0)};
    for (size_t v = 0; v < out.side.size(); ++v)
      out.side[v] = is_in(at(id_at<NodeId>(v)), first, length) ? 1 : 0;
    return out;
  }

  const ProductStructure& product_;
  const std::vector<NodeId>& original_;
  size_t dimension_;
  uint32_t size_;
  std::vector<uint64_t> between_;  // [from * size + to]
};

}  // namespace

void for_each_slice_of_whole(const Topology& topology, const std::function<void(const Cut&)>& visit) {
  const std::optional<FaultyOrigin> origin = faulty_origin(topology);
  if (!origin || origin->whole.product() == nullptr) return;
  const std::vector<Topology>& factors = origin->whole.product()->factors;
  for (size_t d = 0; d < factors.size(); ++d) {
    const uint32_t size = factors[d].num_nodes();
    if (size < 2 || size > kLongestFactor) continue;
    const Layers layers(topology, *origin, d);
    const uint32_t longest = goes_round(factors[d]) ? size / 2 : size - 1;
    for (uint32_t length = 1; length <= longest; ++length) layers.visit_thinnest(length, visit);
  }
}

}  // namespace quadrille
