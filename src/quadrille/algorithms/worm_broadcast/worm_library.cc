#include "quadrille/algorithms/worm_broadcast/worm_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr std::string_view kEntries[] = {
#include "quadrille/algorithms/worm_broadcast/worm_library/catalog.inc"
};

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool empty() {
    const size_t at = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(std::min(at, rest_.size()));
    return rest_.empty();
  }
  std::string_view next() {
    if (empty()) throw InputError("a stored broadcast ends too soon");
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \n"));
    rest_.remove_prefix(word.size());
    return word;
  }
  [[nodiscard]] bool skip(std::string_view word) {
    Words ahead = *this;
    if (ahead.empty() || ahead.next() != word) return false;
    *this = ahead;
    return true;
  }

 private:
  std::string_view rest_;
};

int32_t number(std::string_view text) {
  int32_t value = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || first == last)
    throw InputError(fmt::format("'{}' in a stored broadcast is no number", text));
  return value;
}

std::vector<uint32_t> read_sides(std::string_view text) {
  std::vector<uint32_t> sides;
  uint64_t places = 1;
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const int32_t side = number(text.substr(0, comma));
    if (side < 2)
      throw InputError(fmt::format("a side of {} in a stored broadcast; at least 2 is allowed", side));
    sides.push_back(static_cast<uint32_t>(side));
    places *= sides.back();
    if (places > UINT32_MAX) throw InputError("a stored broadcast has too many places");
    if (comma == text.size()) return sides;
    text.remove_prefix(comma + 1);
  }
}

// "2+1-3": 2, then +1, -3.
std::vector<int32_t> read_word(std::string_view word, size_t numbers) {
  std::vector<int32_t> out;
  while (!word.empty()) {
    const size_t end = std::min(word.find_first_of("+-", 1), word.size());
    out.push_back(number(word.substr(0, end)));
    word.remove_prefix(end);
  }
  if (out.size() != numbers) {
    throw InputError(
        fmt::format("a word of a stored broadcast has {} numbers; it needs {}", out.size(), numbers));
  }
  return out;
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

// Everybody who sends has heard before, the short way round.
void check_entry(const StoredBroadcast& entry, const std::vector<uint32_t>& heard) {
  for (size_t s = 0; s < entry.plan.size(); ++s) {
    for (size_t w = 0; w < entry.plan[s].size(); ++w) {
      if (heard[entry.plan[s].source(w)] > s)
        throw InputError(
            fmt::format("in step {} of a stored broadcast a place sends that knows nothing", s + 1));
    }
  }
  if (!is_minimal(entry.shape, entry.plan))
    throw InputError("a worm of a stored broadcast goes the long way round");
}

}  // namespace

StoredBroadcast read_stored_broadcast(std::string_view text) {
  Words words(text);
  StoredBroadcast entry;
  entry.shape.sides = read_sides(words.next());
  const size_t k = entry.shape.dimensions();
  entry.shape.circular.assign(k, true);
  const int32_t steps = number(words.next());
  if (steps < 1 || steps > 64) throw InputError(fmt::format("{} steps in a stored broadcast", steps));
  entry.plan.assign(static_cast<size_t>(steps), WormStep(k));
  entry.paired = words.skip("paired");
  const auto places = static_cast<uint32_t>(entry.shape.num_places());
  std::vector<uint32_t> heard(places, 0);
  for (uint32_t p = 0; p < places; ++p) {
    const std::string_view word = words.next();
    if (p == 0 && word == "0") continue;
    std::vector<int32_t> hops = read_word(word, k + 1);
    if (p == 0 || hops[0] < 1 || hops[0] > steps)
      throw InputError(fmt::format("'{}' in a stored broadcast of {} steps", word, steps));
    heard[p] = static_cast<uint32_t>(hops[0]);
    hops.erase(hops.begin());
    std::vector<int32_t> back = hops;
    for (int32_t& each : back) each = -each;
    entry.plan[heard[p] - 1].add(entry.shape.moved(p, back), hops);
  }
  if (!words.empty()) throw InputError("a stored broadcast has more words than places");
  check_entry(entry, heard);
  entry.quiet = quiet_coordinates(entry.shape, entry.plan);
  return entry;
}

std::string write_stored_broadcast(const GridShape& shape, const WormPlan& plan) {
  std::vector<std::string> words(shape.num_places(), "0");
  for (size_t s = 0; s < plan.size(); ++s) {
    for (size_t w = 0; w < plan[s].size(); ++w) {
      std::string& word = words[shape.moved(plan[s].source(w), plan[s].hops(w))];
      word = fmt::format("{}", s + 1);
      for (const int32_t each : plan[s].hops(w)) word += fmt::format("{:+}", each);
    }
  }
  std::string out = fmt::format("{} {}\n", fmt::join(shape.sides, ","), plan.size());
  for (size_t p = 0; p < words.size(); ++p)
    out += words[p] + ((p + 1) % shape.sides.back() == 0 ? '\n' : ' ');
  return out;
}

std::span<const StoredBroadcast> worm_library() {
  static const std::vector<StoredBroadcast> all = [] {
    std::vector<StoredBroadcast> out;
    for (const std::string_view text : kEntries) out.push_back(read_stored_broadcast(text));
    std::stable_sort(out.begin(), out.end(), [](const StoredBroadcast& a, const StoredBroadcast& b) {
      if (a.plan.size() != b.plan.size()) return a.plan.size() < b.plan.size();
      return a.shape.num_places() > b.shape.num_places();
    });
    return out;
  }();
  return all;
}

const StoredBroadcast* find_stored_broadcast(const GridShape& shape, bool paired) {
  for (const StoredBroadcast& entry : worm_library()) {
    if (entry.shape == shape && (paired || !entry.paired)) return &entry;
  }
  return nullptr;
}

}  // namespace quadrille
