#include "quadrille/algorithms/worm_exchange/found_worms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

struct Found {
  bool line = false;
  uint32_t length = 0;
  uint32_t turn = 0;  // 0: only the whole turn
  bool mirrored = false;
  uint32_t start_ups = 0;
  uint32_t blocks = 0;
  std::string_view phases{};
};

constexpr Found kFound[] = {
#include "quadrille/algorithms/worm_exchange/found_worms.inc"
};

std::vector<FoundCost> costs_of(bool line, uint32_t length) {
  std::vector<FoundCost> out;
  for (const Found& found : kFound) {
    if (found.line == line && found.length == length) out.push_back({found.start_ups, found.blocks});
  }
  std::sort(out.begin(), out.end(),
            [](const FoundCost& a, const FoundCost& b) { return a.start_ups < b.start_ups; });
  return out;
}

std::vector<uint32_t> lengths_of(bool line) {
  std::vector<uint32_t> out;
  for (const Found& found : kFound) {
    if (found.line == line) out.push_back(found.length);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Splits at the separator; "" has no parts.
template <typename Each>
void for_each_part(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

uint32_t number(std::string_view text) {
  uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  QUADRILLE_CHECK(error == std::errc{} && end == text.data() + text.size(),
                  fmt::format("'{}' is no number", text));
  return out;
}

// "a" or "a-b", separated by commas.
std::vector<uint32_t> numbers(std::string_view text) {
  std::vector<uint32_t> out;
  for_each_part(text, ',', [&out](std::string_view part) {
    const size_t dash = part.find('-');
    const uint32_t first = number(part.substr(0, dash));
    const uint32_t last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    for (uint32_t k = first; k <= last; ++k) out.push_back(k);
  });
  return out;
}

// x to places + x, or places - x.
struct Symmetry {
  uint32_t places;
  bool over;
  [[nodiscard]] uint32_t of(uint32_t x, uint32_t n) const {
    return over ? (places + n - x) % n : (places + x) % n;
  }
};

std::vector<Symmetry> symmetries(const Found& found) {
  std::vector<Symmetry> out;
  const uint32_t turn = found.turn == 0 ? found.length : found.turn;
  for (uint32_t places = 0; places < found.length; places += turn) {
    out.push_back({places, false});
    if (found.mirrored) out.push_back({found.line ? found.length - 1 : places + 1, true});
  }
  return out;
}

// Worms of a phase by sender.
struct OpenWorm {
  uint32_t to = 0;
  bool up = true;
  std::vector<FoundBlock> blocks{};
};
using OpenPhase = std::map<uint32_t, OpenWorm>;

void read_worm(std::string_view line, const Found& found, OpenPhase& phase) {
  const uint32_t n = found.length;
  const size_t sign = line.find_first_of("+-");
  const size_t space = line.find(' ');
  QUADRILLE_CHECK(sign < space && space < line.size(), fmt::format("'{}' is no worm", line));
  const bool up = line[sign] == '+';
  const uint32_t from = number(line.substr(0, sign));
  const uint32_t places = number(line.substr(sign + 1, space - sign - 1));
  QUADRILLE_CHECK(from < n && places >= 1 && places < n, fmt::format("'{}' on {} nodes", line, n));
  const uint32_t to = (up ? from + places : from + n - places) % n;
  for (const Symmetry& symmetry : symmetries(found)) {
    const bool image_up = up != symmetry.over;
    OpenWorm& worm = phase[symmetry.of(from, n)];
    QUADRILLE_CHECK(worm.blocks.empty() || (worm.to == symmetry.of(to, n) && worm.up == image_up),
                    fmt::format("'{}': the node sends another worm", line));
    worm.to = symmetry.of(to, n);
    worm.up = image_up;
    for_each_part(line.substr(space + 1), ' ', [&](std::string_view part) {
      const size_t colon = std::min(part.find(':'), part.size() - 1);
      const uint32_t source = number(part.substr(0, colon));
      for (const uint32_t target : numbers(part.substr(colon + 1)))
        worm.blocks.push_back(
            {static_cast<uint16_t>(symmetry.of(source, n)), static_cast<uint16_t>(symmetry.of(target, n))});
    });
  }
}

void write_phase(OpenPhase& phase, FoundSchedule& out) {
  std::vector<FoundWorm>& worms = out.phases.emplace_back();
  for (auto& [from, worm] : phase) worms.push_back({from, worm.to, worm.up, std::move(worm.blocks)});
  phase.clear();
}

FoundSchedule schedule_of(bool line, uint32_t length, uint32_t start_ups) {
  const auto* const found = std::find_if(std::begin(kFound), std::end(kFound), [=](const Found& f) {
    return f.line == line && f.length == length && f.start_ups == start_ups;
  });
  QUADRILLE_CHECK(found != std::end(kFound),
                  fmt::format("nothing found for {} nodes and {} start-ups", length, start_ups));
  FoundSchedule out{.length = length, .phases = {}};
  OpenPhase phase;
  for_each_part(found->phases, '\n', [&](std::string_view text) {
    if (text == ";") {
      write_phase(phase, out);
    } else {
      read_worm(text, *found, phase);
    }
  });
  return out;
}

}  // namespace

FoundCost FoundSchedule::cost() const {
  FoundCost out{.start_ups = static_cast<uint32_t>(phases.size()), .blocks = 0};
  for (const std::vector<FoundWorm>& phase : phases) {
    size_t largest = 0;
    for (const FoundWorm& worm : phase) largest = std::max(largest, worm.blocks.size());
    out.blocks += static_cast<uint32_t>(largest);
  }
  return out;
}

std::vector<FoundCost> found_ring_costs(uint32_t length) { return costs_of(false, length); }
FoundSchedule found_ring(uint32_t length, uint32_t start_ups) {
  return schedule_of(false, length, start_ups);
}

std::vector<FoundCost> found_line_costs(uint32_t length) { return costs_of(true, length); }
FoundSchedule found_line(uint32_t length, uint32_t start_ups) { return schedule_of(true, length, start_ups); }

std::vector<uint32_t> found_ring_lengths() { return lengths_of(false); }
std::vector<uint32_t> found_line_lengths() { return lengths_of(true); }

}  // namespace quadrille
