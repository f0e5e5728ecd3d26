#include "quadrille/compile/groups/group_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/faults/faulty_origin.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/structure/recognition.h"

namespace quadrille {
namespace group_list_parts {
namespace {

constexpr std::string_view kForm = "a group is written [COLLECTIVE] RANKS [root=NODE] [pieces=P]";

bool is_rooted(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter ||
         kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
}

bool names_node(const Topology& net, std::string_view word) {
  return std::ranges::any_of(net.endpoints(), [&](NodeId v) { return net.label(v) == word; });
}

// "alltoall", and not "h1": a word of letters that is no node's label.
bool names_collective(const Topology& net, std::string_view word) {
  if (word.empty() || !is_letter(word.front())) return false;
  if (word.find_first_of(",:(") != std::string_view::npos) return false;
  return !names_node(net, word);
}

RankGroup read_line(const Topology& net, const std::string& line, CollectiveKind otherwise, uint32_t pieces,
                    const std::string& where) {
  RankGroup out{.kind = otherwise, .ranks = {}, .pieces = pieces};
  std::istringstream words(line);
  std::string ranks;
  std::string root;
  size_t count = 0;
  for (std::string word; words >> word; ++count) {
    if (count == 0 && names_collective(net, word)) {
      try {
        out.kind = parse_collective_kind(word);
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", where, error.what()));
      }
    } else if (word.starts_with("root=")) {
      root = word.substr(5);
    } else if (word.starts_with("pieces=")) {
      const std::optional<uint64_t> given = whole_number(std::string_view(word).substr(7));
      if (!given || *given == 0 || *given >= kMaxIds)
        throw InputError(
            fmt::format("{}: '{}': pieces are a whole number from 1 to {}", where, word, kMaxIds - 1));
      out.pieces = static_cast<uint32_t>(*given);
    } else if (word.find('=') != std::string::npos && !names_node(net, word)) {
      throw InputError(fmt::format(
          "{}: '{}' is no word of a group; allowed are root=NODE and pieces=P: groups go by steps, and how "
          "large one is beside another its pieces say",
          where, word));
    } else {
      ranks += word + " ";
    }
  }
  if (ranks.empty()) throw InputError(fmt::format("{}: the group is empty; {}", where, kForm));
  out.ranks = read_ranks(net, ranks, where, Numbers::kWhole);
  if (out.ranks.size() < 2)
    throw InputError(fmt::format("{}: a group of {} alone has nobody to send to; leave it out", where,
                                 net.label(net.endpoint(out.ranks[0]))));
  if (root.empty()) return out;
  if (!is_rooted(out.kind)) throw InputError(fmt::format("{}: {} has no root", where, name_of(out.kind)));
  const std::vector<Rank> roots = read_ranks(net, root, where + ": root", Numbers::kWhole);
  if (roots.size() > 1)
    throw InputError(fmt::format("{}: '{}' are {} roots; a group has one", where, root, roots.size()));
  out.root = roots.front();
  if (!std::ranges::binary_search(out.ranks, *out.root))
    throw InputError(
        fmt::format("{}: the root {} is outside of its group", where, net.label(net.endpoint(*out.root))));
  return out;
}

// A product, and which of its nodes each node of the network is.
struct Grid {
  Topology whole;
  std::vector<NodeId> place;
};

// What the network is, or was before it lost links, or is called when it is numbered otherwise.
std::optional<Grid> grid_of(const Topology& net) {
  Grid out{net, {}};
  for (const NodeId v : net.nodes()) out.place.push_back(v);
  if (net.product() != nullptr) return out;
  if (const std::optional<FaultyOrigin> origin = faulty_origin(net, OriginFiles::kOpened)) {
    if (origin->whole.num_nodes() != net.num_nodes()) return std::nullopt;
    return grid_of(origin->whole);
  }
  if (net.has_routers()) return std::nullopt;
  for (const Recognised& known : recognised_as(net)) {
    if (known.topology.product() == nullptr) continue;
    out.whole = known.topology;
    for (const NodeId v : known.topology.nodes()) out.place[index(known.image[index(v)])] = v;
    return out;
  }
  return std::nullopt;
}

// "0,2": dimensions, if they are some; "dimensions 0,2" says the same.
std::optional<std::vector<uint64_t>> numbers_in(std::string_view words) {
  for (const std::string_view title : {"dimensions ", "dimension "}) {
    if (words.starts_with(title)) words.remove_prefix(title.size());
  }
  std::istringstream numbers{std::string(trimmed(words))};
  std::vector<uint64_t> out;
  for (std::string number; std::getline(numbers, number, ',');) {
    const std::optional<uint64_t> dimension = whole_number(trimmed(number));
    if (!dimension) return std::nullopt;
    out.push_back(*dimension);
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

bool names_side(std::string_view words) { return words == "rows" || words == "columns" || words == "planes"; }

// The coordinates that vary in a group.
std::vector<size_t> dimensions_of(const std::string& name, size_t all, std::string_view words) {
  std::vector<size_t> out;
  if (names_side(words)) {
    const size_t least = words == "planes" ? 3 : 2;
    if (all < least)
      throw InputError(
          fmt::format("--groups {}: {} is no grid of {} dimensions or more", words, name, least));
    if (words == "rows") out = {all - 1};
    if (words == "columns") out = {0};
    for (size_t d = 1; words == "planes" && d < all; ++d) out.push_back(d);
    return out;
  }
  const std::optional<std::vector<uint64_t>> numbers = numbers_in(words);
  for (const uint64_t dimension : *numbers) {
    if (dimension >= all)
      throw InputError(fmt::format("--groups {}: {} has {}, counted from 0", words, name,
                                   all == 0 ? "no dimensions" : plural(all, "dimension")));
    if (std::ranges::find(out, dimension) != out.end())
      throw InputError(fmt::format("--groups {}: dimension {} is named twice", words, dimension));
    out.push_back(dimension);
  }
  return out;
}

}  // namespace
}  // namespace group_list_parts

std::vector<RankGroup> read_groups(const Topology& net, std::string_view text, CollectiveKind otherwise,
                                   uint32_t pieces, std::string_view source) {
  std::vector<RankGroup> out;
  std::vector<uint32_t> line_of(net.num_endpoints(), 0);
  std::istringstream lines{std::string(text)};
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", source, number);
    RankGroup group = group_list_parts::read_line(net, line, otherwise, pieces, where);
    group.line = number;
    for (const Rank rank : group.ranks) {
      if (const uint32_t other = line_of[index(rank)]; other != 0)
        throw InputError(fmt::format("{}: {} (rank {}) is in the group of line {}, too; groups share no rank",
                                     where, net.label(net.endpoint(rank)), index(rank), other));
      line_of[index(rank)] = number;
    }
    out.push_back(std::move(group));
  }
  if (out.empty())
    throw InputError(fmt::format("{}: no line has a group; {}", source, group_list_parts::kForm));
  return out;
}

std::optional<std::vector<RankGroup>> grid_groups(const Topology& net, std::string_view words,
                                                  CollectiveKind kind, uint32_t pieces) {
  if (!group_list_parts::names_side(words) && !group_list_parts::numbers_in(words)) return std::nullopt;
  const std::optional<group_list_parts::Grid> grid = group_list_parts::grid_of(net);
  const ProductStructure* const product = grid ? grid->whole.product() : nullptr;
  const std::vector<size_t> varying =
      group_list_parts::dimensions_of(net.name(), product == nullptr ? 0 : product->factors.size(), words);
  // By the node of the group all of whose varying coordinates are 0.
  std::map<NodeId, RankGroup> groups;
  for (uint32_t r = 0; r < net.num_endpoints(); ++r) {
    NodeId first = grid->place[index(net.endpoint(Rank{r}))];
    for (const size_t d : varying) first = product->with_coordinate(first, d, 0);
    RankGroup& group = groups[first];
    group.kind = kind;
    group.pieces = pieces;
    group.ranks.push_back(Rank{r});
  }
  std::vector<RankGroup> out;
  for (auto& [first, group] : groups) {
    if (group.ranks.size() < 2)
      throw InputError(fmt::format("--groups {}: the groups of {} have one rank each", words, net.name()));
    out.push_back(std::move(group));
  }
  return out;
}

}  // namespace quadrille
