#include "quadrille/algorithms/torus_classes/lattice_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 256;

constexpr std::array<std::string_view, 5> kRequired = {"torus", "steps", "messages", "tile", "hops"};
constexpr StoredKind kKind = {
    .name = "lattice_design", .folder = "data/lattice_designs/", .required = kRequired, .optional = {}};

// Cut off the front, up to a separator that goes with it.
std::string_view cut(std::string_view& rest, char separator) {
  const size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

// What a near design sends in one step: displacements that turn into each other.
class Messages {
 public:
  Messages(const StoredEntry& entry, const TorusClasses& torus, bool near)
      : entry_(entry), torus_(torus), near_(near) {}

  void add(std::string_view word, uint32_t displacement) {
    if (displacement == 0) entry_.spoilt(word, fmt::format("'{}' goes nowhere", word));
    const uint32_t way = torus_.way(displacement).displacement;
    if (near_ && way_ != 0 && way != way_)
      entry_.spoilt(word, fmt::format("'{}' goes another way than what is sent with it", word));
    way_ = way;
  }

 private:
  const StoredEntry& entry_;
  const TorusClasses& torus_;
  bool near_;
  uint32_t way_ = 0;
};

class Reader {
 public:
  Reader(const StoredLattice& stored, const TorusClasses& torus)
      : stored_(stored), entry_(stored.entry()), torus_(torus), lattice_(torus, {}) {}

  [[nodiscard]] LatticeDesign read() {
    for (std::string_view rest = entry_.data(); !rest.empty();) {
      const std::string_view line = cut(rest, '\n');
      std::string_view words = line;
      const std::string_view what = cut(words, ' ');
      if (words.empty()) entry_.spoilt(line, "nothing is sent");
      if (what == "exchange" && tree_.levels == 0) {
        read_exchange(words);
      } else if (what == "level") {
        read_level(words);
      } else {
        entry_.spoilt(line, "neither an exchange nor, after these, a level");
      }
    }
    if (tree_.edges.size() + 1 != lattice_.num_cosets())
      entry_.spoilt(entry_.data(), "not every coset has a node in the tile");
    LatticeDesign out{lattice_, exchanges_, tree_};
    if (out.steps() != stored_.steps() || out.load(torus_) != stored_.hops() ||
        lattice_.num_cosets() != stored_.tile()) {
      entry_.spoilt(entry_.data(), fmt::format("{} steps, {} nodes to a tile, {} hops", out.steps(),
                                               lattice_.num_cosets(), out.load(torus_)));
    }
    return out;
  }

 private:
  [[nodiscard]] uint32_t node(std::string_view word) const {
    return entry_.number_in(word, 0, torus_.num_nodes() - 1);
  }

  void read_exchange(std::string_view words) {
    const std::string_view all = words;
    Messages messages(entry_, torus_, stored_.near());
    std::vector<uint32_t> step;
    std::set<uint32_t> cosets{0};
    while (!words.empty()) {
      const std::string_view word = cut(words, ' ');
      step.push_back(node(word));
      messages.add(word, step.back());
      if (!cosets.insert(lattice_.coset(step.back())).second)
        entry_.spoilt(word, fmt::format("'{}' leads where others lead", word));
    }
    generators_.insert(generators_.end(), step.begin(), step.end());
    const uint32_t before = lattice_.order();
    lattice_ = TorusLattice(torus_, generators_);
    if (cosets.size() * before != lattice_.order())
      entry_.spoilt(all, "an owner is left out of the exchange");
    exchanges_.push_back(std::move(step));
  }

  void read_level(std::string_view words) {
    Messages messages(entry_, torus_, stored_.near());
    if (tree_.levels++ == 0) reached_ = {0};
    const std::set<uint32_t> known = reached_;
    while (!words.empty()) {
      const std::string_view word = cut(words, ' ');
      std::string_view rest = word;
      const uint32_t from = node(cut(rest, '>'));
      const uint32_t to = node(rest);
      messages.add(word, torus_.moved(to, torus_.back(from)));
      if (!known.contains(from))
        entry_.spoilt(word, fmt::format("'{}' comes from a node that has nothing", word));
      if (!cosets_.insert(lattice_.coset(to)).second || lattice_.coset(to) == 0)
        entry_.spoilt(word, fmt::format("'{}' leads to a coset that is reached already", word));
      reached_.insert(to);
      tree_.edges.push_back({tree_.levels, from, to});
    }
  }

  const StoredLattice& stored_;
  const StoredEntry& entry_;
  const TorusClasses& torus_;
  TorusLattice lattice_;
  std::vector<uint32_t> generators_;
  std::vector<std::vector<uint32_t>> exchanges_;
  LevelTree tree_;
  std::set<uint32_t> reached_;
  std::set<uint32_t> cosets_;
};

}  // namespace

const StoredKind& stored_lattice_kind() { return kKind; }

StoredLattice::StoredLattice(StoredEntry entry)
    : entry_(std::move(entry)),
      steps_(entry_.number("steps", 1, 1000)),
      tile_(entry_.number("tile", 1, kMostNodes)),
      hops_(entry_.number("hops", 1, UINT32_MAX)) {
  const std::vector<uint32_t> sides = entry_.numbers("torus", 2, kMostNodes);
  side_ = sides.front();
  dimensions_ = static_cast<uint32_t>(sides.size());
  uint64_t nodes = 1;
  for (const uint32_t side : sides) {
    nodes *= side;
    if (side != side_ || nodes > kMostNodes)
      entry_.spoilt(entry_.value("torus"), "no torus with equal sides, or too large");
  }
  const std::string_view messages = entry_.value("messages");
  near_ = messages == "near";
  if (!near_ && messages != "any") entry_.spoilt(messages, "neither 'near' nor 'any'");
}

// The nodes of other tori are numbered in another order.
bool StoredLattice::is_for(const TorusClasses& torus) const {
  if (!torus.is_even() || torus.sides().front() != side_ || torus.sides().size() != dimensions_) return false;
  uint32_t stride = torus.num_nodes();
  return std::all_of(torus.strides().begin(), torus.strides().end(),
                     [&](uint32_t each) { return each == (stride /= side_); });
}

LatticeDesign StoredLattice::design(const TorusClasses& torus) const { return Reader(*this, torus).read(); }

const std::vector<StoredLattice>& lattice_library() {
  static const std::vector<StoredLattice> all = [] {
    std::vector<StoredLattice> out;
    for (StoredEntry& entry : stored_entries(kKind)) out.emplace_back(std::move(entry));
    return out;
  }();
  return all;
}

std::string write_lattice(const LatticeDesign& design) {
  std::string out;
  for (const std::vector<uint32_t>& step : design.exchanges) {
    out += "exchange";
    for (const uint32_t h : step) out += fmt::format(" {}", h);
    out += '\n';
  }
  for (uint32_t level = 1; level <= design.tile.levels; ++level) {
    out += "level";
    for (const LevelTree::Edge& edge : design.tile.edges)
      if (edge.level == level) out += fmt::format(" {}>{}", edge.from, edge.to);
    out += '\n';
  }
  return out;
}

}  // namespace quadrille
