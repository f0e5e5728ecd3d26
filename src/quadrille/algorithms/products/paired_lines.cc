#include "quadrille/algorithms/products/paired_lines.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace quadrille {

class PairedLines::Maker {
 public:
  Maker(const Problem& problem, const CrossedLines& lines)
      : topology_(problem.topology()), collective_(problem.collective()), lines_(lines) {}

  std::optional<PairedLines> made() {
    for (const CrossedLines::Dimension& dimension : lines_.dimensions)
      if (dimension.closed) return std::nullopt;
    // The pairs need an even side; the shorter one first, since its rings' waste is what the others carry on.
    std::vector<size_t> order;
    for (size_t d = 0; d < lines_.dimensions.size(); ++d) order.push_back(d);
    std::ranges::stable_sort(order, {}, [&](size_t d) { return std::pair(side(d) % 2, side(d)); });
    if (order.size() < 2 || side(order[0]) % 2 != 0 || side(order[1]) < 3) return std::nullopt;
    knows_.resize(topology_.num_nodes());
    for (const NodeId v : topology_.nodes()) knows_[index(v)] = static_cast<uint32_t>(index(v));
    for (size_t stage = 0; stage < order.size(); ++stage) {
      const size_t along = order[stage];
      const size_t across = stage == 0 ? order[1] : order[0];
      go_round(along, across);
      // Whoever differs from another only in what has been gone along knows the same.
      for (const NodeId v : topology_.nodes()) {
        uint32_t code = lines_.code[index(v)];
        for (size_t s = 0; s <= stage; ++s) code -= place(v, order[s]) * lines_.dimensions[order[s]].stride;
        if (stage == 0) {
          const uint32_t stride = lines_.dimensions[across].stride;
          code = code - place(v, across) * stride + first_of_group(place(v, across), side(across)) * stride;
        }
        knows_[index(v)] = code;
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] uint32_t side(size_t dimension) const { return lines_.dimensions[dimension].side; }
  [[nodiscard]] uint32_t place(NodeId v, size_t dimension) const {
    return lines_.code[index(v)] / lines_.dimensions[dimension].stride % side(dimension);
  }
  // Lines in twos, and the last three together where their number is odd.
  static uint32_t first_of_group(uint32_t place, uint32_t side) {
    if (side % 2 == 1 && place + 3 >= side) return side - 3;
    return place / 2 * 2;
  }

  // Down the first line, and back over the second one, or from side to side over the second and the third.
  [[nodiscard]] std::vector<NodeId> ring(uint32_t corner, size_t along, size_t across, uint32_t width) const {
    const auto at = [&](uint32_t row, uint32_t column) {
      return lines_
          .node[corner + row * lines_.dimensions[along].stride + column * lines_.dimensions[across].stride];
    };
    std::vector<NodeId> out;
    const uint32_t rows = side(along);
    for (uint32_t row = 0; row < rows; ++row) out.push_back(at(row, 0));
    for (uint32_t row = rows; row-- > 0;) {
      const bool turned = (rows - row) % 2 == 0;
      for (uint32_t i = 1; i < width; ++i) out.push_back(at(row, turned ? width - i : i));
    }
    return out;
  }

  void go_round(size_t along, size_t across) {
    std::map<uint32_t, std::vector<BlockId>> known;
    for (const NodeId v : topology_.endpoints())
      for (uint32_t piece = 0; piece < collective_.pieces(); ++piece)
        known[knows_[index(v)]].push_back(collective_.block(*topology_.rank(v), piece));
    std::vector<std::vector<Send>> steps;
    for (const NodeId v : topology_.nodes()) {
      const uint32_t column = place(v, across);
      if (place(v, along) != 0 || first_of_group(column, side(across)) != column) continue;
      const uint32_t width = side(across) - column == 3 ? 3 : 2;
      exchange(ring(lines_.code[index(v)], along, across, width), known, steps);
    }
    for (const std::vector<Send>& step : steps) {
      if (step.empty()) continue;  // the first partners of a ring may all know the same
      out_.sends_.insert(out_.sends_.end(), step.begin(), step.end());
      out_.sends_end_.push_back(out_.sends_.size());
    }
  }

  // Neighbours in pairs, the other ones in every second step: what came last goes on, in the second step with what was there.
  void exchange(const std::vector<NodeId>& ring, const std::map<uint32_t, std::vector<BlockId>>& known,
                std::vector<std::vector<Send>>& steps) {
    const size_t n = ring.size();
    std::map<uint32_t, uint32_t> sharers;
    for (const NodeId v : ring) ++sharers[knows_[index(v)]];
    std::map<uint32_t, uint32_t> taken;
    struct List {
      uint32_t id;
      uint32_t known_by;
    };
    std::vector<std::vector<List>> last(n);
    for (size_t i = 0; i < n; ++i) {
      const uint32_t group = knows_[index(ring[i])];
      const std::vector<BlockId>& all = known.at(group);
      const size_t share = taken[group]++;
      const size_t begin = all.size() * share / sharers[group];
      const size_t end = all.size() * (share + 1) / sharers[group];
      last[i] = {{static_cast<uint32_t>(out_.lists_.size()), group}};
      out_.lists_.emplace_back(all.begin() + static_cast<ptrdiff_t>(begin),
                               all.begin() + static_cast<ptrdiff_t>(end));
    }
    if (steps.size() < n / 2) steps.resize(n / 2);
    for (size_t step = 0; step < n / 2; ++step) {
      std::vector<std::vector<List>> next(n);
      for (size_t i = 0; i < n; ++i) {
        const size_t partner = (i % 2 == 0) == (step % 2 == 0) ? (i + 1) % n : (i + n - 1) % n;
        next[i] = last[partner];
        for (const List& list : last[i]) {
          const bool is_news = list.known_by != knows_[index(ring[partner])] && !out_.lists_[list.id].empty();
          if (is_news) steps[step].push_back({*topology_.find_arc(ring[i], ring[partner]), list.id});
        }
      }
      if (step == 0)
        for (size_t i = 0; i < n; ++i) next[i].insert(next[i].end(), last[i].begin(), last[i].end());
      last.swap(next);
    }
  }

  const Topology& topology_;
  const Collective& collective_;
  const CrossedLines& lines_;
  std::vector<uint32_t> knows_{};  // per node: who has the same number knows the same
  PairedLines out_{};
};

std::optional<PairedLines> PairedLines::of(const Problem& problem, const CrossedLines& lines) {
  return Maker(problem, lines).made();
}

Prediction PairedLines::predicted(const Problem& problem) const {
  const Topology& topology = problem.topology();
  Prediction out;
  out.steps = out.start_ups = sends_end_.size();
  uint64_t rounds = 0;
  std::vector<uint64_t> over(topology.num_arcs(), 0);
  size_t begin = 0;
  for (const size_t end : sends_end_) {
    uint64_t fullest = 0;
    for (size_t i = begin; i < end; ++i) over[index(sends_[i].arc)] += lists_[sends_[i].list].size();
    for (size_t i = begin; i < end; ++i) {
      const uint64_t capacity = topology.capacity(sends_[i].arc);
      fullest = std::max(fullest, (over[index(sends_[i].arc)] + capacity - 1) / capacity);
      over[index(sends_[i].arc)] = 0;
    }
    rounds += fullest;
    begin = end;
  }
  out.critical_blocks = rounds;
  out.further_messages = 0;
  return out;
}

void PairedLines::generate(const Problem& /*problem*/, StepSink& sink) const {
  StepBuilder step;
  std::vector<BlockId> together;
  size_t i = 0;
  for (const size_t end : sends_end_) {
    while (i < end) {
      const ArcId arc = sends_[i].arc;
      together.clear();
      for (; i < end && sends_[i].arc == arc; ++i) {
        const std::vector<BlockId>& list = lists_[sends_[i].list];
        together.insert(together.end(), list.begin(), list.end());
      }
      step.add(std::span(&arc, 1), together);
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
