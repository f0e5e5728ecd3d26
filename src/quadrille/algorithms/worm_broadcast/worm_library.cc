#include "quadrille/algorithms/worm_broadcast/worm_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

namespace quadrille {
namespace {

constexpr uint32_t kMostSteps = 64;
constexpr uint32_t kMostPlaces = 1U << 24U;

constexpr std::array<std::string_view, 2> kRequired = {"torus", "steps"};
constexpr std::array<std::string_view, 2> kOptional = {"paired", "quiet"};
constexpr StoredKind kKind = {.name = "worm_broadcast",
                              .folder = "data/worm_broadcasts/",
                              .required = kRequired,
                              .optional = kOptional};

// The words of the data, separated by blanks and ends of lines.
class Words {
 public:
  explicit Words(const StoredEntry& entry) : entry_(entry), rest_(entry.data()) {}

  [[nodiscard]] bool empty() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    return rest_.empty();
  }
  [[nodiscard]] std::string_view next() {
    if (empty()) entry_.spoilt(rest_, "the data ends too soon");
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \n"));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  const StoredEntry& entry_;
  std::string_view rest_;
};

// "2+1-3": step 2; `hops` becomes +1, -3.
uint32_t read_word(const StoredEntry& entry, std::string_view word, std::span<int32_t> hops,
                   uint32_t most_steps) {
  const size_t sign = std::min(word.find_first_of("+-"), word.size());
  const uint32_t step = entry.number_in(word.substr(0, sign), 1, most_steps);
  std::string_view rest = word.substr(sign);
  for (int32_t& hop : hops) {
    const size_t end = std::min(rest.find_first_of("+-", 1), rest.size());
    const auto [at, error] = std::from_chars(rest.data() + std::min<size_t>(1, end), rest.data() + end, hop);
    if (error != std::errc() || at != rest.data() + end)
      entry.spoilt(word, fmt::format("'{}' is not a step and {} numbers of hops", word, hops.size()));
    if (rest.front() == '-') hop = -hop;
    rest.remove_prefix(end);
  }
  if (!rest.empty())
    entry.spoilt(word, fmt::format("'{}' has more than {} numbers of hops", word, hops.size()));
  return step;
}

// "5;4,5", with "-" where a dimension has none.
std::vector<std::vector<uint32_t>> read_quiet(const StoredEntry& entry, const GridShape& shape) {
  std::vector<std::vector<uint32_t>> out(shape.dimensions());
  if (!entry.has("quiet")) return out;
  const std::string_view all = entry.value("quiet");
  if (static_cast<size_t>(std::count(all.begin(), all.end(), ';')) + 1 != out.size())
    entry.spoilt(all, fmt::format("'{}' has not one part for each of {} dimensions", all, out.size()));
  std::string_view rest = all;
  for (size_t d = 0; d < out.size(); ++d) {
    const size_t end = std::min(rest.find(';'), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part == "-") continue;
    while (true) {
      const size_t comma = part.find(',');
      const uint32_t least = out[d].empty() ? 1 : out[d].back() + 1;
      out[d].push_back(entry.number_in(part.substr(0, comma), least, shape.sides[d] - 1));
      if (comma == std::string_view::npos) break;
      part.remove_prefix(comma + 1);
    }
  }
  return out;
}

}  // namespace

const StoredKind& stored_broadcast_kind() { return kKind; }

StoredBroadcast::StoredBroadcast(StoredEntry entry)
    : entry_(std::move(entry)), steps_(entry_.number("steps", 1, kMostSteps)) {
  shape_.sides = entry_.numbers("torus", 2, kMostPlaces);
  shape_.circular.assign(shape_.sides.size(), true);
  uint64_t places = 1;
  for (const uint32_t side : shape_.sides) {
    places *= side;
    if (places > kMostPlaces) entry_.spoilt(entry_.value("torus"), "a torus with too many places");
  }
  paired_ = entry_.has("paired");
  if (paired_ && entry_.value("paired") != "yes")
    entry_.spoilt(entry_.value("paired"), "only 'yes' is known");
  quiet_ = read_quiet(entry_, shape_);
}

const WormPlan& StoredBroadcast::plan() const {
  std::call_once(plan_->read, [this] { plan_->plan = read_plan(); });
  return plan_->plan;
}

WormPlan StoredBroadcast::read_plan() const {
  Words words(entry_);
  const size_t k = shape_.dimensions();
  WormPlan plan(steps_, WormStep(k));
  const auto places = static_cast<uint32_t>(shape_.num_places());
  std::vector<uint32_t> heard(places, 0);
  std::vector<std::string_view> said(places);
  std::vector<uint32_t> sources(places, 0);
  std::vector<int32_t> hops(k);
  std::vector<int32_t> back(k);
  if (const std::string_view root = words.next(); root != "0")
    entry_.spoilt(root, fmt::format("'{}' where the root has '0'", root));
  for (uint32_t p = 1; p < places; ++p) {
    said[p] = words.next();
    heard[p] = read_word(entry_, said[p], hops, static_cast<uint32_t>(steps_));
    for (size_t d = 0; d < k; ++d) {
      if (2 * uint64_t{static_cast<uint32_t>(std::abs(hops[d]))} > shape_.sides[d])
        entry_.spoilt(said[p], fmt::format("'{}' goes the long way round", said[p]));
      back[d] = -hops[d];
    }
    sources[p] = shape_.moved(p, back);
    plan[heard[p] - 1].add(sources[p], hops);
  }
  if (!words.empty()) entry_.spoilt(words.next(), "more words than places");
  for (uint32_t p = 1; p < places; ++p) {
    if (heard[sources[p]] >= heard[p])
      entry_.spoilt(said[p], fmt::format("'{}' comes from a place that knows nothing yet", said[p]));
  }
  if (quiet_coordinates(shape_, plan) != quiet_) {
    entry_.spoilt(entry_.has("quiet") ? entry_.value("quiet") : entry_.value("torus"),
                  fmt::format("the coordinates at which nobody sends are {}",
                              quiet_text(quiet_coordinates(shape_, plan))));
  }
  return plan;
}

std::vector<std::vector<uint32_t>> quiet_coordinates(const GridShape& shape, const WormPlan& plan) {
  std::vector<std::set<uint32_t>> loud(shape.dimensions());
  for (const WormStep& step : plan) {
    for (size_t w = 0; w < step.size(); ++w) {
      const std::vector<uint32_t> from = shape.coordinates(step.source(w));
      for (size_t d = 0; d < from.size(); ++d) loud[d].insert(from[d]);
    }
  }
  std::vector<std::vector<uint32_t>> out(shape.dimensions());
  for (size_t d = 0; d < out.size(); ++d) {
    for (uint32_t x = 1; x < shape.sides[d]; ++x) {
      if (loud[d].count(x) == 0) out[d].push_back(x);
    }
  }
  return out;
}

std::string quiet_text(const std::vector<std::vector<uint32_t>>& quiet) {
  std::string out;
  for (size_t d = 0; d < quiet.size(); ++d) {
    if (d > 0) out += ';';
    if (quiet[d].empty()) out += '-';
    for (size_t i = 0; i < quiet[d].size(); ++i) out += fmt::format("{}{}", i > 0 ? "," : "", quiet[d][i]);
  }
  return out;
}

std::string write_worms(const GridShape& shape, const WormPlan& plan) {
  std::vector<std::string> words(shape.num_places(), "0");
  for (size_t s = 0; s < plan.size(); ++s) {
    for (size_t w = 0; w < plan[s].size(); ++w) {
      std::string& word = words[shape.moved(plan[s].source(w), plan[s].hops(w))];
      word = fmt::format("{}", s + 1);
      for (const int32_t each : plan[s].hops(w)) word += fmt::format("{:+}", each);
    }
  }
  std::string out;
  for (size_t p = 0; p < words.size(); ++p)
    out += words[p] + ((p + 1) % shape.sides.back() == 0 ? '\n' : ' ');
  return out;
}

std::span<const StoredBroadcast> worm_library() {
  static const std::vector<StoredBroadcast> all = [] {
    std::vector<StoredBroadcast> out;
    for (StoredEntry& entry : stored_entries(kKind)) out.emplace_back(std::move(entry));
    std::sort(out.begin(), out.end(), [](const StoredBroadcast& a, const StoredBroadcast& b) {
      if (a.steps() != b.steps()) return a.steps() < b.steps();
      if (a.shape().num_places() != b.shape().num_places())
        return a.shape().num_places() > b.shape().num_places();
      return a.shape().sides < b.shape().sides;
    });
    return out;
  }();
  return all;
}

const StoredBroadcast* find_stored_broadcast(const GridShape& shape, bool paired) {
  for (const StoredBroadcast& entry : worm_library()) {
    if (entry.shape() == shape && (paired || !entry.paired())) return &entry;
  }
  return nullptr;
}

}  // namespace quadrille
