#include "quadrille/algorithms/worm_exchange/found_worms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 64;

constexpr std::array<std::string_view, 4> kRequired = {"graph", "start-ups", "blocks", "at-least"};
constexpr std::array<std::string_view, 2> kOptional = {"turn", "mirrored"};
constexpr StoredKind kKind = {
    .name = "worm_exchange", .folder = "data/worm_exchanges/", .required = kRequired, .optional = kOptional};

// The head of an entry.
struct Found {
  StoredEntry entry;
  bool line = false;
  uint32_t length = 0;
  uint32_t turn = 0;
  bool mirrored = false;
  uint32_t start_ups = 0;
  uint32_t blocks = 0;

  explicit Found(StoredEntry from) : entry(std::move(from)) {
    const std::string_view graph = entry.value("graph");
    line = graph.starts_with("line(");
    if ((!line && !graph.starts_with("ring(")) || !graph.ends_with(')'))
      entry.spoilt(graph, fmt::format("'{}' is neither ring(N) nor line(N)", graph));
    length = entry.number_in(graph.substr(5, graph.size() - 6), 2, kMostNodes);
    start_ups = entry.number("start-ups", 1, kMostNodes);
    blocks = entry.number("blocks", 1, kMostNodes * kMostNodes);
    turn = entry.has("turn") ? entry.number("turn", 1, length) : length;
    if (length % turn != 0 || (line && entry.has("turn")))
      entry.spoilt(entry.value("turn"), "only a ring can be turned, and by a part of its length");
    mirrored = entry.has("mirrored");
    if (mirrored && entry.value("mirrored") != "yes")
      entry.spoilt(entry.value("mirrored"), "only 'yes' is known");
  }
};

std::span<const Found> all_found() {
  static const std::vector<Found> all = [] {
    std::vector<Found> out;
    for (StoredEntry& entry : stored_entries(kKind)) out.emplace_back(std::move(entry));
    return out;
  }();
  return all;
}

std::vector<FoundCost> costs_of(bool line, uint32_t length) {
  std::vector<FoundCost> out;
  for (const Found& found : all_found()) {
    if (found.line == line && found.length == length) out.push_back({found.start_ups, found.blocks});
  }
  std::sort(out.begin(), out.end(),
            [](const FoundCost& a, const FoundCost& b) { return a.start_ups < b.start_ups; });
  return out;
}

std::vector<uint32_t> lengths_of(bool line) {
  std::vector<uint32_t> out;
  for (const Found& found : all_found()) {
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

// "a" or "a-b", separated by commas.
std::vector<uint32_t> nodes_in(const Found& found, std::string_view text) {
  std::vector<uint32_t> out;
  for_each_part(text, ',', [&](std::string_view part) {
    const size_t dash = part.find('-');
    const uint32_t first = found.entry.number_in(part.substr(0, dash), 0, found.length - 1);
    const uint32_t last = dash == std::string_view::npos
                              ? first
                              : found.entry.number_in(part.substr(dash + 1), first, found.length - 1);
    for (uint32_t k = first; k <= last; ++k) out.push_back(k);
  });
  if (out.empty()) found.entry.spoilt(text, "no target is named");
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
  for (uint32_t places = 0; places < found.length; places += found.turn) {
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
  const StoredEntry& entry = found.entry;
  const uint32_t n = found.length;
  const size_t sign = line.find_first_of("+-");
  const size_t space = line.find(' ');
  if (sign >= space || space == std::string_view::npos)
    entry.spoilt(line, fmt::format("'{}' is no worm: from+places or from-places, then its blocks", line));
  const bool up = line[sign] == '+';
  const uint32_t from = entry.number_in(line.substr(0, sign), 0, n - 1);
  const uint32_t places = entry.number_in(line.substr(sign + 1, space - sign - 1), 1, n - 1);
  if (found.line && (up ? from + places >= n : from < places)) entry.spoilt(line, "the worm leaves the line");
  const uint32_t to = (up ? from + places : from + n - places) % n;
  for (const Symmetry& symmetry : symmetries(found)) {
    const bool image_up = up != symmetry.over;
    OpenWorm& worm = phase[symmetry.of(from, n)];
    if (!worm.blocks.empty() && (worm.to != symmetry.of(to, n) || worm.up != image_up))
      entry.spoilt(line, "the node, or one of its images, sends another worm in this phase");
    worm.to = symmetry.of(to, n);
    worm.up = image_up;
    for_each_part(line.substr(space + 1), ' ', [&](std::string_view part) {
      const size_t colon = part.find(':');
      if (colon == std::string_view::npos)
        entry.spoilt(part, fmt::format("'{}' is not SOURCE:TARGETS", part));
      const uint32_t source = entry.number_in(part.substr(0, colon), 0, n - 1);
      for (const uint32_t target : nodes_in(found, part.substr(colon + 1)))
        worm.blocks.push_back({symmetry.of(source, n), symmetry.of(target, n)});
    });
    if (worm.blocks.empty()) entry.spoilt(line, "a worm without blocks");
  }
}

void write_phase(OpenPhase& phase, FoundSchedule& out) {
  std::vector<FoundWorm>& worms = out.phases.emplace_back();
  for (auto& [from, worm] : phase) worms.push_back({from, worm.to, worm.up, std::move(worm.blocks)});
  phase.clear();
}

FoundSchedule schedule_in(const Found& found) {
  const StoredEntry& entry = found.entry;
  FoundSchedule out{.length = found.length, .phases = {}};
  OpenPhase phase;
  for_each_part(entry.data(), '\n', [&](std::string_view text) {
    if (text != ";") return read_worm(text, found, phase);
    if (phase.empty()) entry.spoilt(text, "a phase without worms");
    write_phase(phase, out);
  });
  const std::string_view end = entry.data().substr(entry.data().size());
  if (!phase.empty()) entry.spoilt(end, "the last phase is not ended by ';'");
  if (const FoundCost cost = out.cost(); cost != FoundCost{found.start_ups, found.blocks}) {
    entry.spoilt(end, fmt::format("the phases are {} with {} blocks, where the head says {} with {}",
                                  cost.start_ups, cost.blocks, found.start_ups, found.blocks));
  }
  return out;
}

FoundSchedule schedule_of(bool line, uint32_t length, uint32_t start_ups) {
  const std::span<const Found> all = all_found();
  const auto found = std::find_if(all.begin(), all.end(), [=](const Found& f) {
    return f.line == line && f.length == length && f.start_ups == start_ups;
  });
  QUADRILLE_CHECK(found != all.end(),
                  fmt::format("nothing found for {} nodes and {} start-ups", length, start_ups));
  return schedule_in(*found);
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

const StoredKind& stored_exchange_kind() { return kKind; }
FoundSchedule read_stored_exchange(const StoredEntry& entry) { return schedule_in(Found(entry)); }

}  // namespace quadrille
