#include "quadrille/sim/routing_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

class TableFile {
 public:
  TableFile(const Topology& network, std::string_view text, std::string_view source)
      : network_(network), text_(text), source_(source), nodes_(network.num_nodes()) {
    if (nodes_ > RoutingTable::kMostNodes)
      throw InputError(fmt::format(
          "{}: a routing table for {} nodes has {} entries; tables are read for up to {} nodes, larger networks want a "
          "rule: dor or updown",
          source, nodes_, uint64_t{nodes_} * nodes_, RoutingTable::kMostNodes));
    require_memory(uint64_t{nodes_} * nodes_ * sizeof(Hop),
                   fmt::format("the routing table of {} nodes", nodes_));
    for (const NodeId v : network.nodes()) {
      names_.emplace(std::to_string(index(v)), v);
      names_.try_emplace(network.label(v), v);
    }
    next_.assign(size_t{nodes_} * nodes_, Hop::end());
    others_.assign(nodes_, Hop::end());
  }

  std::vector<Hop> read() {
    size_t begin = 0;
    while (begin < text_.size()) {
      size_t end = text_.find('\n', begin);
      if (end == std::string_view::npos) end = text_.size();
      read_line(begin, end);
      begin = end + 1;
    }
    for (uint32_t v = 0; v < nodes_; ++v) {
      if (others_[v].is_end()) continue;
      for (uint32_t d = 0; d < nodes_; ++d) {
        Hop& hop = next_[size_t{v} * nodes_ + d];
        if (hop.is_end() && d != v) hop = others_[v];
      }
    }
    for (const NodeId d : network_.endpoints()) check_ways_to(d);
    return std::move(next_);
  }

 private:
  struct Field {
    size_t offset = 0;
    std::string_view text{};
  };

  [[noreturn]] void fail(const Field& at, std::string_view message) const {
    throw input_error_at(source_, text_, at.offset, std::max<size_t>(at.text.size(), 1), message);
  }

  void read_line(size_t begin, size_t end) {
    end = std::min(end, text_.find('#', begin));
    std::vector<Field> fields;
    for (size_t i = begin; i < end;) {
      const auto is_blank = [&](size_t at) {
        return text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r';
      };
      if (is_blank(i)) {
        ++i;
        continue;
      }
      size_t stop = i;
      while (stop < end && !is_blank(stop)) ++stop;
      fields.push_back({i, text_.substr(i, stop - i)});
      i = stop;
    }
    if (fields.empty()) return;
    if (fields.size() < 3 || fields.size() > 4)
      fail(fields.back(), "a line is NODE DESTINATION NEXT, and any, low or high if it matters");
    const NodeId node = node_of(fields[0]);
    const NodeId next = node_of(fields[2]);
    const std::optional<ArcId> arc = network_.find_arc(node, next);
    if (!arc)
      fail(fields[2], fmt::format("no link leads from {} to {}", network_.label(node), network_.label(next)));
    const Hop hop(static_cast<uint32_t>(index(*arc) - index(network_.arcs_from(node)[0])),
                  fields.size() == 4 ? channels_of(fields[3]) : VcClass::kAny);
    Hop* entry = &others_[index(node)];
    if (fields[1].text != "*") {
      const NodeId destination = node_of(fields[1]);
      if (destination == node) fail(fields[1], "a message that is there goes nowhere");
      entry = &next_[index(node) * nodes_ + index(destination)];
    }
    if (!entry->is_end())
      fail(fields[1], fmt::format("node {} has a line for this destination already", network_.label(node)));
    *entry = hop;
  }

  NodeId node_of(const Field& field) const {
    const auto found = names_.find(std::string(field.text));
    if (found == names_.end())
      fail(field, fmt::format("{} has no node of this number or label", network_.name()));
    return found->second;
  }
  VcClass channels_of(const Field& field) const {
    if (field.text == "any") return VcClass::kAny;
    if (field.text == "low") return VcClass::kLow;
    if (field.text == "high") return VcClass::kHigh;
    fail(field, "channels are any, low or high");
  }

  // Follows the way from every endpoint until it meets one that is known to lead there.
  void check_ways_to(NodeId destination) const {
    std::vector<uint32_t> seen_from(nodes_, UINT32_MAX);
    seen_from[index(destination)] = static_cast<uint32_t>(index(destination));
    for (const NodeId source : network_.endpoints()) {
      NodeId here = source;
      std::vector<NodeId> way;
      while (seen_from[index(here)] == UINT32_MAX) {
        seen_from[index(here)] = static_cast<uint32_t>(index(source));
        way.push_back(here);
        const Hop hop = next_[index(here) * nodes_ + index(destination)];
        if (hop.is_end())
          throw InputError(fmt::format(
              "{}: a hole: node {} is not told where a message for {} goes, which comes by from {}", source_,
              network_.label(here), network_.label(destination), network_.label(source)));
        here = network_.head(network_.arcs_from(here)[hop.position()]);
      }
      const auto again = std::ranges::find(way, here);
      if (again == way.end()) continue;
      std::string circle;
      for (auto v = again; v != way.end(); ++v) circle += network_.label(*v) + " -> ";
      throw InputError(fmt::format("{}: a circle: a message from {} for {} goes {}{}, and never arrives",
                                   source_, network_.label(source), network_.label(destination), circle,
                                   network_.label(here)));
    }
  }

  const Topology& network_;
  std::string_view text_;
  std::string_view source_;
  uint32_t nodes_;
  std::unordered_map<std::string, NodeId> names_{};
  std::vector<Hop> next_{};
  std::vector<Hop> others_{};
};

}  // namespace

RoutingTable RoutingTable::read(const Topology& network, std::string_view text, std::string_view source) {
  RoutingTable table;
  table.nodes_ = network.num_nodes();
  table.next_ = TableFile(network, text, source).read();
  return table;
}

}  // namespace quadrille
