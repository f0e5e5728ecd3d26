// The table of `nvidia-smi topo -m`: how each GPU of a machine reaches each other one.
//
//             GPU0    GPU1    NIC0    CPU Affinity
//     GPU0     X      NV12    SYS     0-31
//     GPU1    NV12     X      PXB     0-31
//     NIC0    SYS     PXB      X
//
// NV12 are twelve NVLinks: a link of capacity 12. Where each pair has as many, and more in all than a GPU has (18), they lead to a
// switch, and what a pair has is what each GPU has to it. PIX, PXB, PHB, NODE and SYS are paths over PCIe, ever farther up: they count
// only where NVLinks do not reach all GPUs, as a tree of routers whose links have capacity 1. NICs are left out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNvlinks = 18;
constexpr size_t kMostGpus = 1024;
// The nearest first.
constexpr std::array<std::string_view, 5> kPaths = {"PIX", "PXB", "PHB", "NODE", "SYS"};
constexpr std::array<std::string_view, 5> kRouters = {"PCIe switch", "PCIe tree", "host bridge", "NUMA node",
                                                      "machine"};

// Terminals are told to underline the head of the table.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] != 'm' && text[i + 1] != '\n') ++i;
    if (i + 1 < text.size() && text[i + 1] == 'm') ++i;
  }
  return out;
}

class TableReader {
 public:
  TableReader(const std::string& source, const std::string& content)
      : source_(source), content_(without_escapes(content)), text_(content_) {}

  GraphTables read() {
    for (size_t at = 0; at < text_.size();) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      const std::vector<std::string_view> words = words_of(text_.substr(at, end - at));
      at = end + 1;
      if (words.empty()) continue;
      if (columns_.empty()) {
        read_head(words);
      } else if (rows_.size() == columns_.size()) {
        break;  // what follows says what the words mean
      } else if (is_gpu(words[0])) {
        if (words[0] != columns_[rows_.size()])
          fail(words[0], "the rows are not in the order of the columns");
        read_row(words);
      }
    }
    if (columns_.empty())
      throw InputError(fmt::format("{}: no table of nvidia-smi topo -m: no line begins with GPU0", source_));
    if (rows_.size() != columns_.size()) {
      throw InputError(fmt::format("{}: the table has {} columns of GPUs and {} rows", source_,
                                   columns_.size(), rows_.size()));
    }
    link();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::string_view at, std::string_view why) const {
    throw input_error_at(source_, text_, static_cast<size_t>(at.data() - text_.data()),
                         std::max<size_t>(at.size(), 1), why);
  }

  static bool is_gpu(std::string_view word) {
    return word.size() > 3 && word.starts_with("GPU") && is_digit(word[3]);
  }

  void read_head(const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      if (!is_gpu(word)) break;
      columns_.push_back(word);
    }
    if (columns_.size() > kMostGpus) fail(words[0], "so many GPUs are in no machine");
    for (const std::string_view name : columns_) out_.nodes.push_back({std::string(name)});
  }

  // How many NVLinks, or from here on which path.
  static constexpr uint32_t kPath = 1U << 31U;

  void read_row(const std::vector<std::string_view>& words) {
    if (words.size() <= columns_.size()) fail(words[0], "this row is shorter than the head of the table");
    std::vector<uint32_t> row;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view word = words[i + 1];
      const auto* const path = std::ranges::find(kPaths, word);
      if (word == "X" && i == rows_.size()) {
        row.push_back(0);
      } else if (path != kPaths.end()) {
        row.push_back(kPath + static_cast<uint32_t>(path - kPaths.begin()));
      } else if (word.starts_with("NV") && word.size() > 2 && word.size() < 6 &&
                 std::ranges::all_of(word.substr(2), is_digit)) {
        uint32_t count = 0;
        for (const char c : word.substr(2)) count = count * 10 + static_cast<uint32_t>(c - '0');
        if (count == 0) fail(word, "no NVLinks at all");
        row.push_back(count);
      } else {
        fail(word, "X, NV and how many, PIX, PXB, PHB, NODE or SYS is expected here");
      }
      if (i < rows_.size() && rows_[i][rows_.size()] != row.back())
        fail(word,
             fmt::format("{} reaches {} in another way than back", columns_[rows_.size()], columns_[i]));
    }
    rows_.push_back(std::move(row));
  }

  void link() {
    const auto gpus = static_cast<uint32_t>(columns_.size());
    if (gpus == 1) return;
    const uint32_t first = rows_[0][1];
    bool all_alike = first < kPath;
    uint64_t over_pcie = 0;
    std::vector<uint32_t> part(gpus);
    std::iota(part.begin(), part.end(), 0U);
    for (uint32_t a = 0; a < gpus; ++a) {
      for (uint32_t b = a + 1; b < gpus; ++b) {
        all_alike = all_alike && rows_[a][b] == first;
        if (rows_[a][b] >= kPath) {
          ++over_pcie;
          continue;
        }
        const uint32_t from = part[b];
        std::ranges::replace(part, from, part[a]);
      }
    }
    if (all_alike && first * uint64_t{gpus - 1} > kMostNvlinks) return link_to_switch(first);
    for (uint32_t a = 0; a < gpus; ++a) {
      for (uint32_t b = a + 1; b < gpus; ++b) {
        if (rows_[a][b] < kPath)
          out_.edges.push_back({.tail = a, .head = b, .capacity = rows_[a][b], .has_capacity = true});
      }
    }
    const bool reaches_all = std::ranges::all_of(part, [&](uint32_t of) { return of == part[0]; });
    if (!reaches_all) return link_over_pcie();
    if (over_pcie > 0) {
      out_.remarks.push_back(
          fmt::format("{}: {} pairs of GPUs have no NVLink; their paths over PCIe are left out, since "
                      "NVLinks reach all GPUs",
                      source_, over_pcie));
    }
  }

  void link_to_switch(uint32_t capacity) {
    const auto hub = static_cast<uint32_t>(out_.nodes.size());
    for (uint32_t gpu = 0; gpu < hub; ++gpu) {
      out_.nodes[gpu].endpoint = true;
      out_.edges.push_back({.tail = gpu, .head = hub, .capacity = capacity, .has_capacity = true});
    }
    out_.nodes.push_back({"NVSwitch", false});
    out_.remarks.push_back(
        fmt::format("{}: each pair of GPUs has {} NVLinks, more in all than a GPU has; they are taken "
                    "to lead to a switch",
                    source_, capacity));
  }

  // Level by level, whoever reaches each other at most so far up has a router there.
  void link_over_pcie() {
    const auto gpus = static_cast<uint32_t>(columns_.size());
    std::vector<uint32_t> top(gpus);  // the node that stands for each GPU so far
    std::iota(top.begin(), top.end(), 0U);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu) out_.nodes[gpu].endpoint = true;
    for (uint32_t level = 0; level < kPaths.size(); ++level) {
      for (uint32_t a = 0; a < gpus; ++a) {
        std::vector<uint32_t> group = {a};
        for (uint32_t b = 0; b < gpus; ++b) {
          if (b != a && near(a, b) <= level && top[b] != top[a]) group.push_back(b);
        }
        if (group.size() == 1) continue;
        const auto router = static_cast<uint32_t>(out_.nodes.size());
        std::vector<uint32_t> below;
        for (const uint32_t gpu : group) below.push_back(top[gpu]);
        std::ranges::sort(below);
        below.erase(std::unique(below.begin(), below.end()), below.end());
        for (const uint32_t node : below)
          out_.edges.push_back({.tail = node, .head = router, .has_capacity = true});
        for (uint32_t& node : top) {
          if (std::ranges::find(below, node) != below.end()) node = router;
        }
        out_.nodes.push_back({fmt::format("{} {}", kRouters[level], routers_++), false});
      }
    }
  }

  // NVLinks say nothing of where a GPU is plugged in; whoever is beside them does.
  [[nodiscard]] uint32_t near(uint32_t a, uint32_t b) const {
    return rows_[a][b] >= kPath ? rows_[a][b] - kPath : static_cast<uint32_t>(kPaths.size()) - 1;
  }

  const std::string& source_;
  std::string content_;
  std::string_view text_;
  std::vector<std::string_view> columns_{};
  std::vector<std::vector<uint32_t>> rows_{};
  uint32_t routers_ = 0;
  GraphTables out_{};
};

}  // namespace

GraphTables read_nvidia_smi(const std::string& source, const std::string& content) {
  return TableReader(source, content).read();
}

}  // namespace quadrille
