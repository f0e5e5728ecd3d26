// METIS's graph files: a line "nodes edges [fmt [weights]]", and then for each node a line with its neighbours, which are
// counted from 1. fmt is three digits: sizes of nodes, weights of nodes, weights of edges; '%' starts a comment. Weights are what a
// partition balances, no capacities; they are told as what means nothing here.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

class MetisReader {
 public:
  MetisReader(const std::string& source, const std::string& content) : source_(source), text_(content) {}

  GraphTables read() {
    read_head();
    for (uint32_t node = 0; node < nodes_; ++node) read_node(node);
    if (const std::optional<std::string_view> more = next_line(); more && !numbers_of(*more).empty())
      fail(*more, fmt::format("the first line says that there are {} nodes, and this line would be one more",
                              nodes_));
    if (out_.edges.size() != edges_) {
      throw InputError(fmt::format("{}: the first line says that there are {} edges, and the others have {}",
                                   source_, edges_, out_.edges.size()));
    }
    if (!back_.empty()) {
      const auto [node, other] = *back_.begin();
      throw InputError(fmt::format("{}: node {} has the neighbour {}, which has not node {} among its own",
                                   source_, node + 1, other + 1, node + 1));
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::string_view at, std::string_view why) const {
    throw input_error_at(source_, text_, static_cast<size_t>(at.data() - text_.data()),
                         std::max<size_t>(at.size(), 1),
                         fmt::format("this is not a graph of METIS: {}", why));
  }

  // Empty lines are nodes without neighbours; comments are none.
  std::optional<std::string_view> next_line() {
    while (at_ < text_.size()) {
      const size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      if (!line.starts_with('%')) return line;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<uint64_t> numbers_of(std::string_view line) const {
    std::vector<uint64_t> out;
    for (const std::string_view word : words_of(line)) {
      uint64_t value = 0;
      const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || stop != word.data() + word.size()) fail(word, "a whole number is needed");
      out.push_back(value);
    }
    return out;
  }

  void read_head() {
    std::optional<std::string_view> line = next_line();
    while (line && numbers_of(*line).empty()) line = next_line();
    if (!line) throw InputError(fmt::format("{} is empty", source_));
    const std::vector<uint64_t> head = numbers_of(*line);
    if (head.size() < 2 || head.size() > 4)
      fail(*line,
           "the first line is how many nodes there are and how many edges, then perhaps which weights");
    if (head[0] >= kMaxIds || head[1] >= kMaxIds) fail(*line, "so many nodes or edges cannot be numbered");
    nodes_ = static_cast<uint32_t>(head[0]);
    edges_ = head[1];
    const uint64_t form = head.size() > 2 ? head[2] : 0;
    if (form > 111 || form % 10 > 1 || form / 10 % 10 > 1)
      fail(*line,
           "the third number is three digits of 0 and 1: sizes of nodes, weights of nodes, weights of edges");
    has_edge_weights_ = form % 10 == 1;
    const bool has_node_weights = form / 10 % 10 == 1;
    node_numbers_ = (form / 100 == 1 ? 1 : 0) + (has_node_weights ? head.size() > 3 ? head[3] : 1 : 0);
    if (nodes_ > text_.size()) fail(*line, "there are fewer lines than nodes");
  }

  void read_node(uint32_t node) {
    const std::optional<std::string_view> line = next_line();
    if (!line)
      throw InputError(
          fmt::format("{}: there are {} lines of nodes, and should be {}", source_, node, nodes_));
    const std::vector<uint64_t> numbers = numbers_of(*line);
    out_.nodes.push_back({fmt::format("{}", node + 1)});
    if (numbers.size() < node_numbers_) fail(*line, "this node lacks its weights");
    if (node_numbers_ > 0) out_.nodes.back().others.emplace_back("weight", fmt::format("{}", numbers[0]));
    const size_t width = has_edge_weights_ ? 2 : 1;
    if ((numbers.size() - node_numbers_) % width != 0)
      fail(*line, "every neighbour is followed by the weight of the edge");
    for (size_t i = node_numbers_; i < numbers.size(); i += width) {
      if (numbers[i] == 0 || numbers[i] > nodes_)
        fail(*line, fmt::format("neighbour {} is none of the {} nodes, which are counted from 1", numbers[i],
                                nodes_));
      const auto other = static_cast<uint32_t>(numbers[i] - 1);
      if (other == node) fail(*line, fmt::format("node {} is linked to itself", node + 1));
      // Every edge stands in two lines.
      const auto seen = back_.find({other, node});
      if (other < node && seen == back_.end())
        fail(*line, fmt::format("neighbour {} has not this node, {}, among its own", other + 1, node + 1));
      if (other < node) {
        back_.erase(seen);
        continue;
      }
      if (!back_.emplace(node, other).second)
        fail(*line, fmt::format("neighbour {} is there twice", other + 1));
      GraphTables::Edge edge{.tail = node, .head = other};
      if (has_edge_weights_)
        (void)take_edge_attribute(out_, edge, "weight", fmt::format("{}", numbers[i + 1]));
      out_.edges.push_back(edge);
    }
  }

  const std::string& source_;
  std::string_view text_;
  size_t at_ = 0;
  uint32_t nodes_ = 0;
  uint64_t edges_ = 0;
  uint64_t node_numbers_ = 0;
  bool has_edge_weights_ = false;
  std::set<std::pair<uint32_t, uint32_t>> back_{};  // edges whose second line is still to come
  GraphTables out_{};
};

}  // namespace

GraphTables read_metis(const std::string& source, const std::string& content) {
  return MetisReader(source, content).read();
}

}  // namespace quadrille
