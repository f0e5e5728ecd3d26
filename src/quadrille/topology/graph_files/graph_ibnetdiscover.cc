// What ibnetdiscover prints of an InfiniBand fabric: a paragraph for each switch and channel adapter, in it a line for
// each port that is linked.
//
//     Switch  36 "S-0002c90300a1"        # "leaf-1" enhanced port 0 lid 2 lmc 0
//     [1]     "H-0002c90300b1"[1](2c90300b2)     # "node01 HCA-1" lid 3 4xEDR
//
// Adapters are endpoints; switches and routers forward. A port has the name that it is given behind the '#', and its
// identifier besides where two have the same one. The width and the generation of a link are its bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_rates.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

constexpr std::string_view kFabricBlanks = " \t\r";

struct Lane {
  std::string_view name;
  double gigabits;  // of data a second
};
constexpr Lane kLanes[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 14},
                           {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

// "100Gbit/s" of "4xEDR"; "" where that is none.
std::string bandwidth_of(std::string_view word) {
  const size_t cross = word.find('x');
  if (cross == 0 || cross == std::string_view::npos || cross > 2) return "";
  uint32_t width = 0;
  for (const char c : word.substr(0, cross)) {
    if (!is_digit(c)) return "";
    width = width * 10 + static_cast<uint32_t>(c - '0');
  }
  const auto* const lane = std::ranges::find(kLanes, word.substr(cross + 1), &Lane::name);
  return lane == std::end(kLanes) || width == 0 ? "" : fmt::format("{}Gbit/s", width * lane->gigabits);
}

class FabricReader {
 public:
  FabricReader(const std::string& source, const std::string& content) : source_(source), text_(content) {}

  GraphTables read() {
    for (size_t at = 0; at < text_.size();) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      read_line(text_.substr(at, end - at));
      at = end + 1;
    }
    for (const Link& link : links_) add(link);
    std::map<std::string, uint32_t> names;
    for (const GraphTables::Node& node : out_.nodes) ++names[node.name];
    for (auto& [id, node] : number_) {
      std::string& name = out_.nodes[node].name;
      if (names[name] > 1) name += fmt::format(" {}", id);
    }
    return std::move(out_);
  }

 private:
  struct Link {
    std::string_view line;
    uint32_t from = 0;
    std::string_view port;
    std::string_view to{};
    std::string_view to_port{};
    std::string bandwidth{};
  };

  [[noreturn]] void fail(std::string_view at, std::string_view why) const {
    throw input_error_at(source_, text_, static_cast<size_t>(at.data() - text_.data()),
                         std::max<size_t>(at.size(), 1),
                         fmt::format("this is not what ibnetdiscover prints: {}", why));
  }

  // What stands in the next pair of quotes; empty if there is none.
  static std::string_view in_quotes(std::string_view text) {
    const size_t open = text.find('"');
    if (open == std::string_view::npos) return {};
    const size_t close = text.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
  }
  static std::string_view in_brackets(std::string_view text) {
    const size_t open = text.find('[');
    if (open == std::string_view::npos) return {};
    const size_t close = text.find(']', open + 1);
    return close == std::string_view::npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
  }

  void read_line(std::string_view line) {
    const size_t begin = line.find_first_not_of(kFabricBlanks);
    if (begin == std::string_view::npos || line[begin] == '#') return;
    line.remove_prefix(begin);
    if (line[0] == '[') return read_port(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (word != "Switch" && word != "Ca" && word != "Rt") {
      if (word.find('=') == std::string_view::npos)
        fail(word, "Switch, Ca, Rt, a port in brackets or a word with a '=' is expected here");
      return;
    }
    const std::string_view id = in_quotes(line);
    if (id.empty()) fail(line, "its identifier in quotes is missing");
    const auto [at, is_new] = number_.emplace(id, static_cast<uint32_t>(out_.nodes.size()));
    if (!is_new) fail(line, fmt::format("there is a '{}' already", id));
    const size_t comment = line.find('#');
    const std::string_view name = comment == std::string_view::npos ? "" : in_quotes(line.substr(comment));
    out_.nodes.push_back({std::string(name.empty() ? id : name), word == "Ca"});
  }

  void read_port(std::string_view line) {
    if (out_.nodes.empty()) fail(line, "a port of nobody: Switch, Ca or Rt comes before");
    Link link{.line = line, .from = static_cast<uint32_t>(out_.nodes.size() - 1), .port = in_brackets(line)};
    link.to = in_quotes(line);
    const size_t behind =
        link.to.empty() ? line.size() : static_cast<size_t>(link.to.data() - line.data()) + link.to.size();
    link.to_port = in_brackets(line.substr(std::min(behind, line.size())));
    if (link.port.empty() || link.to.empty() || link.to_port.empty())
      fail(line, "a port is [number] \"identifier\"[number] of what it is linked to");
    const size_t last = line.find_last_not_of(kFabricBlanks);
    const size_t blank = line.find_last_of(" \t", last);
    if (blank != std::string_view::npos) link.bandwidth = bandwidth_of(line.substr(blank + 1, last - blank));
    links_.push_back(std::move(link));
  }

  // Every link stands in two paragraphs, but for those to what was not looked into.
  void add(const Link& link) {
    const auto to = number_.find(link.to);
    if (to == number_.end()) fail(link.to, fmt::format("nothing is said of '{}'", link.to));
    if (to->second == link.from) return;  // a cable from a switch to itself
    const std::pair<uint32_t, std::string_view> here(link.from, link.port);
    const std::pair<uint32_t, std::string_view> there(to->second, link.to_port);
    if (!seen_.emplace(std::min(here, there), std::max(here, there)).second) return;
    GraphTables::Edge edge{.tail = link.from, .head = to->second};
    edge.place = static_cast<size_t>(link.line.data() - text_.data()) + 1;
    const std::string wrong = take_edge_attribute(out_, edge, "bandwidth", link.bandwidth);
    if (!wrong.empty()) fail(link.line, wrong);
    out_.edges.push_back(edge);
  }

  const std::string& source_;
  std::string_view text_;
  std::map<std::string_view, uint32_t> number_{};
  std::vector<Link> links_{};
  using Port = std::pair<uint32_t, std::string_view>;
  std::set<std::pair<Port, Port>> seen_{};
  GraphTables out_{};
};

}  // namespace

GraphTables read_ibnetdiscover(const std::string& source, const std::string& content) {
  return FabricReader(source, content).read();
}

}  // namespace quadrille
